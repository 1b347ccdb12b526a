use std::collections::{BTreeMap, BTreeSet};

use super::report::ReportView;
use super::report_set::ReportSet;
use super::state_counts::StateCounts;
use gwconform_base::api::{Family, Level, Minor, NameKind};
use gwconform_base::release::Registry;
use gwconform_base::text::counted;
use gwconform_report::certify::Status;
use gwconform_report::certify::catalog::{LeftOut, State};
use gwconform_report::report::facts::Name;

#[derive(Debug)]
pub struct MatrixView<'c> {
    pub minor: Minor,
    pub profile: &'c str,
    pub family: Family,
    /// Sorted by implementation, release, implementation version, channel, mode and path.
    pub columns: Vec<MatrixColumn<'c>>,
    pub rows: Vec<MatrixRow<'c>>,
    pub counts: StateCounts,
}

#[derive(Debug)]
pub struct MatrixColumn<'c> {
    pub report: &'c ReportView<'c>,
    pub profile: usize,
    pub status: Status,
}

#[derive(Debug)]
pub struct MatrixRow<'c> {
    pub feature: &'c str,
    /// Level in the profile; core if any release of the minor includes the feature as core.
    pub level: Level,
    pub states: Vec<&'c State>,
    pub counts: StateCounts,
}

impl MatrixView<'_> {
    /// State counts over the cells of a column.
    pub fn counts_of(&self, column: usize) -> StateCounts {
        let mut counts = StateCounts::default();
        let states = self.rows.iter().filter_map(|row| row.states.get(column));
        states.for_each(|state| counts.add(state));
        counts
    }
}

type Place<'c> = (&'c ReportView<'c>, usize);

/// Builds the matrices, newest minor first. Also returns the profiles and features that no matrix
/// can include.
pub(super) fn all<'c>(set: &'c ReportSet<'c>) -> (Vec<MatrixView<'c>>, Vec<LeftOut>) {
    let mut by_profile: BTreeMap<(Minor, &str), Vec<Place<'c>>> = BTreeMap::new();
    let mut left_out = Vec::new();
    for report in &set.reports {
        let mut names = BTreeSet::new();
        for (at, verdict) in report.entry.judged.verdicts.iter().enumerate() {
            let is_first = names.insert(&verdict.profile);
            let reason = match (verdict.family, report.minor()) {
                _ if !is_first => format!("profile `{}`: duplicate", verdict.profile),
                (None, _) => format!("profile `{}`: unknown in all releases", verdict.profile),
                (_, None) => "its release is not known".to_owned(),
                (Some(_), Some(_)) if !set.has_file(&verdict.profile) => {
                    format!(
                        "profile `{}`: its name cannot be a file name",
                        verdict.profile
                    )
                }
                (Some(_), Some(minor)) => {
                    let key = (minor, &*verdict.profile);
                    by_profile.entry(key).or_default().push((report, at));
                    continue;
                }
            };
            left_out.push(LeftOut {
                path: report.facts().path.clone(),
                document: Some(report.facts().document),
                reason: format!("in no matrix: {reason}"),
            });
        }
    }
    let mut matrices = Vec::new();
    for ((minor, profile), places) in by_profile.into_iter().rev() {
        let mut levels = levels(&places);
        let unknown = unknown(&mut levels, set.registry);
        left_out.extend(without_row(&places, &unknown));
        matrices.push(matrix(set, minor, profile, &places, levels));
    }
    (matrices, left_out)
}

/// Removes and returns features that no release has, because reports can list arbitrary names.
fn unknown<'c>(levels: &mut BTreeMap<&'c str, Level>, registry: &Registry) -> BTreeSet<&'c str> {
    let names = levels.keys().copied();
    let unknown: BTreeSet<&str> = names
        .filter(|name| !registry.is_known(NameKind::Feature, name))
        .collect();
    levels.retain(|name, _| !unknown.contains(name));
    unknown
}

fn without_row(places: &[Place<'_>], unknown: &BTreeSet<&str>) -> Vec<LeftOut> {
    let lost = places.iter().filter_map(|place| {
        let names = features(place).map(|(name, _)| &**name);
        let count = names.filter(|name| unknown.contains(name)).count();
        let facts = place.0.facts();
        (count > 0).then(|| LeftOut {
            path: facts.path.clone(),
            document: Some(facts.document),
            reason: format!(
                "in no matrix: {} of unknown releases",
                counted(count, "feature")
            ),
        })
    });
    lost.collect()
}

fn features<'c>(&(report, at): &Place<'c>) -> impl Iterator<Item = &'c (Name, State)> {
    let features = report.features.get(at).into_iter();
    features.flat_map(|features| features.core.iter().chain(&features.extended))
}

fn matrix<'c>(
    set: &'c ReportSet<'c>,
    minor: Minor,
    profile: &'c str,
    places: &[Place<'c>],
    levels: BTreeMap<&'c str, Level>,
) -> MatrixView<'c> {
    let mut rows: BTreeMap<(Level, &str), MatrixRow<'c>> = BTreeMap::new();
    for (feature, level) in levels {
        let row = MatrixRow {
            feature,
            level,
            states: Vec::with_capacity(places.len()),
            counts: StateCounts::default(),
        };
        rows.insert((level, feature), row);
    }
    let (mut columns, mut counts) = (Vec::with_capacity(places.len()), StateCounts::default());
    for &(report, at) in places {
        let verdict = report.entry.judged.verdicts.get(at);
        columns.push(MatrixColumn {
            report,
            profile: at,
            status: verdict.map_or(Status::Unreadable, |verdict| verdict.status),
        });
        for row in rows.values_mut() {
            let state = report.state(at, row.feature, set.registry);
            for counts in [&mut row.counts, &mut counts] {
                counts.add(state);
            }
            row.states.push(state);
        }
    }
    let mut families = places.iter().filter_map(|(report, at)| {
        let verdict = report.entry.judged.verdicts.get(*at)?;
        verdict.family
    });
    MatrixView {
        minor,
        profile,
        family: families.next().unwrap_or(Family::Gateway),
        columns,
        rows: rows.into_values().collect(),
        counts,
    }
}

fn levels<'c>(places: &[Place<'c>]) -> BTreeMap<&'c str, Level> {
    let mut levels = BTreeMap::new();
    for (report, at) in places {
        let Some(features) = report.features.get(*at) else {
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
