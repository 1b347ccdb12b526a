//! `matrix/<minor>/<profile>`: features by reports.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::{LeftOut, VERSION};
use crate::catalog::{State, StateKind};
use crate::certify::Status;
use crate::facts::Name;
use crate::registry::{Family, Level, Minor, Registry};
use crate::report::schema;
use crate::site::table::{Table, joined, or_empty};
use crate::site::view::{ReportView, View, text};
use crate::site::words;

/// What the reports of one minor say of the features of one profile.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Matrix of features and reports", transform = schema::with_id("api-matrix"))]
pub struct Matrix<'c> {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    pub version: u32,
    /// The minor.
    #[schemars(extend("examples" = ["v1.5"]))]
    pub minor: String,
    /// The profile, as the reports name it.
    #[schemars(extend("examples" = ["GATEWAY-HTTP"]))]
    pub profile: &'c str,
    /// The family of the profile.
    pub family: Family,
    /// The columns, by implementation, release, implementation version, channel, mode and path.
    pub reports: Vec<Column<'c>>,
    /// The rows: core features, then extended ones, by name.
    pub features: Vec<Row<'c>>,
    /// All cells together.
    pub totals: Totals,
}

/// A profile of a report.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Column<'c> {
    /// The report (its `id`). It occurs twice when the report has the profile twice.
    pub report: &'c str,
    /// The implementation's name in addresses.
    pub implementation: &'c str,
    /// The release that the report is for.
    pub release: Option<String>,
    /// `implementation.version`.
    pub implementation_version: Option<&'c str>,
    /// `gatewayAPIChannel`.
    pub channel: Option<&'c str>,
    /// `mode`.
    pub mode: Option<&'c str>,
    /// The verdict on the profile.
    pub status: Status,
    /// The cells of the column.
    pub totals: Totals,
}

/// A feature.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Row<'c> {
    /// Its name.
    pub feature: &'c str,
    /// Its level in the profile: core when it is core in one release of the minor.
    pub level: Level,
    /// One cell for each column, in their order.
    pub cells: Vec<Cell<'c>>,
    /// The cells of the row.
    pub totals: Totals,
}

/// What a report says of a feature, and what it proves.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Cell<'c> {
    /// Its state.
    pub state: StateKind,
    /// The same in a sentence, with tests by name.
    pub text: String,
    /// The tests that were skipped, that failed, or that exist and were not run; left out when
    /// there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub tests: Vec<&'c str>,
}

/// How many cells there are in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Totals {
    /// All cells.
    pub cells: usize,
    /// Cells that say `supported`, in whatever words: proved, skipped, no-test, claimed, failed.
    pub supported: usize,
    /// Supported and proved.
    pub proved: usize,
    /// Supported, tests skipped.
    pub skipped: usize,
    /// Claimed, no test ran.
    pub no_test: usize,
    /// Claimed, what tests show is not known.
    pub claimed: usize,
    /// Declared unsupported.
    pub unsupported: usize,
    /// Derived as not claimed.
    pub not_claimed: usize,
    /// Not stated.
    pub not_stated: usize,
    /// Supported, tests failed.
    pub failed: usize,
    /// Not in the release.
    pub not_in_release: usize,
}

impl Totals {
    /// Cells whose release has the feature: how many could be supported.
    pub fn possible(&self) -> usize {
        self.cells - self.not_in_release
    }

    pub(super) fn add(&mut self, state: &State) {
        self.cells += 1;
        self.supported += usize::from(words::is_claimed(state));
        let count = match state {
            State::Proved { .. } => &mut self.proved,
            State::Skipped { .. } => &mut self.skipped,
            State::NoTest { .. } => &mut self.no_test,
            State::Claimed => &mut self.claimed,
            State::Unsupported => &mut self.unsupported,
            State::NotClaimed => &mut self.not_claimed,
            State::NotStated => &mut self.not_stated,
            State::Failed { .. } => &mut self.failed,
            State::NotInRelease => &mut self.not_in_release,
        };
        *count += 1;
    }
}

/// A profile of a report, by its place in it.
type Place<'c> = (&'c ReportView<'c>, usize);

/// All matrices, the newest minor first, and what has no place in any.
pub(super) fn of<'c>(view: &'c View<'c>) -> (Vec<Matrix<'c>>, Vec<LeftOut>) {
    let mut by_profile: BTreeMap<(Minor, &str), Vec<Place<'c>>> = BTreeMap::new();
    let mut left_out = Vec::new();
    for seen in &view.reports {
        let mut told = BTreeSet::new();
        for (at, verdict) in seen.report.judged.verdicts.iter().enumerate() {
            let is_first = told.insert(&verdict.profile);
            let reason = match (verdict.family, seen.minor()) {
                _ if !is_first => format!("profile `{}`: it is there before", verdict.profile),
                (None, _) => format!("profile `{}`: no release has it", verdict.profile),
                (_, None) => "its release is not known".to_owned(),
                (Some(_), Some(_)) if !view.has_file(&verdict.profile) => {
                    format!("profile `{}`: no file can be named for it", verdict.profile)
                }
                (Some(_), Some(minor)) => {
                    let key = (minor, &*verdict.profile);
                    by_profile.entry(key).or_default().push((seen, at));
                    continue;
                }
            };
            left_out.push(LeftOut {
                path: seen.facts().path.clone(),
                document: seen.facts().document,
                reason: format!("in no matrix: {reason}"),
            });
        }
    }
    let mut matrices = Vec::new();
    for ((minor, profile), places) in by_profile.into_iter().rev() {
        let mut levels = levels(&places);
        let surplus = surplus(&mut levels, &places, view.registry);
        left_out.extend(without_row(&places, &surplus));
        matrices.push(matrix(view, minor, profile, &places, levels));
    }
    (matrices, left_out)
}

/// Most features that no release has among the rows of a matrix: each costs a cell in every column.
const MAX_UNKNOWN_ROWS: usize = 200;

/// Takes out the features that no release has and that are too many. Those that most reports name
/// stay, of several the first by name.
fn surplus<'c>(
    levels: &mut BTreeMap<&'c str, Level>,
    places: &[Place<'c>],
    registry: &Registry,
) -> BTreeSet<&'c str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, _) in places.iter().flat_map(features) {
        if registry.feature(name).is_none() {
            *counts.entry(&**name).or_default() += 1;
        }
    }
    let mut unknown: Vec<_> = counts.into_iter().collect();
    unknown.sort_by_key(|(name, count)| (Reverse(*count), *name));
    let surplus = unknown.into_iter().skip(MAX_UNKNOWN_ROWS);
    let surplus: BTreeSet<&str> = surplus.map(|(name, _)| name).collect();
    levels.retain(|name, _| !surplus.contains(name));
    surplus
}

/// What each report loses of it.
fn without_row(places: &[Place<'_>], surplus: &BTreeSet<&str>) -> Vec<LeftOut> {
    let lost = places.iter().filter_map(|place| {
        let names = features(place).map(|(name, _)| &**name);
        let count = names.filter(|name| surplus.contains(name)).count();
        let facts = place.0.facts();
        (count > 0).then(|| LeftOut {
            path: facts.path.clone(),
            document: facts.document,
            reason: format!(
                "in no matrix: {count} of its features that no release has; a matrix shows at most {MAX_UNKNOWN_ROWS} of all reports"
            ),
        })
    });
    lost.collect()
}

/// The features that a profile of a report says something of.
fn features<'c>(&(seen, at): &Place<'c>) -> impl Iterator<Item = &'c (Name, State)> {
    let features = seen.features.get(at).into_iter();
    features.flat_map(|features| features.core.iter().chain(&features.extended))
}

fn matrix<'c>(
    view: &'c View<'c>,
    minor: Minor,
    profile: &'c str,
    places: &[Place<'c>],
    levels: BTreeMap<&'c str, Level>,
) -> Matrix<'c> {
    let mut rows: BTreeMap<(Level, &str), Row<'c>> = BTreeMap::new();
    for (name, level) in levels {
        let row = Row {
            feature: name,
            level,
            cells: Vec::new(),
            totals: Totals::default(),
        };
        rows.insert((level, name), row);
    }
    let (mut columns, mut totals) = (Vec::new(), Totals::default());
    for &(seen, at) in places {
        let mut column = column(seen, at);
        for row in rows.values_mut() {
            let state = seen.state(at, row.feature, view.registry);
            for totals in [&mut row.totals, &mut column.totals, &mut totals] {
                totals.add(state);
            }
            row.cells.push(Cell {
                state: state.kind(),
                text: words::state(state),
                tests: tests(state),
            });
        }
        columns.push(column);
    }
    let mut families = places.iter().filter_map(|(seen, at)| {
        let verdict = seen.report.judged.verdicts.get(*at)?;
        verdict.family
    });
    Matrix {
        version: VERSION,
        minor: minor.to_string(),
        profile,
        family: families.next().unwrap_or(Family::Gateway),
        reports: columns,
        features: rows.into_values().collect(),
        totals,
    }
}

/// Each feature with its level.
fn levels<'c>(places: &[Place<'c>]) -> BTreeMap<&'c str, Level> {
    let mut levels = BTreeMap::new();
    for (seen, at) in places {
        let Some(features) = seen.features.get(*at) else {
            continue;
        };
        for (name, _) in &features.core {
            levels.insert(&**name, Level::Core);
        }
        for (name, _) in &features.extended {
            levels.entry(&**name).or_insert(Level::Extended);
        }
    }
    levels
}

fn column<'c>(seen: &'c ReportView<'c>, at: usize) -> Column<'c> {
    let facts = seen.facts();
    let verdict = seen.report.judged.verdicts.get(at);
    Column {
        report: &seen.id,
        implementation: &seen.implementation.slug,
        release: seen.release(),
        implementation_version: text(&facts.version),
        channel: text(&facts.channel),
        mode: text(&facts.mode),
        status: verdict.map_or(Status::Unreadable, |verdict| verdict.status),
        totals: Totals::default(),
    }
}

fn tests(state: &State) -> Vec<&str> {
    let tests = match state {
        State::Skipped { tests, .. } | State::Failed { tests } => tests.as_slice(),
        State::NoTest { not_run } => not_run.as_slice(),
        _ => &[],
    };
    tests.iter().map(AsRef::as_ref).collect()
}

impl Matrix<'_> {
    /// One row for each cell.
    pub(super) fn table(&self) -> Table {
        let mut rows = Vec::new();
        for feature in &self.features {
            for (column, cell) in self.reports.iter().zip(&feature.cells) {
                rows.push(vec![
                    feature.feature.to_owned(),
                    feature.level.to_string(),
                    column.report.to_owned(),
                    column.implementation.to_owned(),
                    or_empty(column.release.as_ref()),
                    or_empty(column.implementation_version),
                    or_empty(column.channel),
                    or_empty(column.mode),
                    cell.state.to_string(),
                    cell.text.clone(),
                    joined(&cell.tests),
                ]);
            }
        }
        Table {
            columns: &[
                "feature",
                "level",
                "report",
                "implementation",
                "release",
                "implementation_version",
                "channel",
                "mode",
                "state",
                "text",
                "tests",
            ],
            rows,
        }
    }
}
