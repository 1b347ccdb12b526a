//! Compares a report with the log of its run.
//!
//! The expected results follow from the logged results and the release data
//! ([`crate::report::suite`]). Tests skipped because of an unsupported feature do not count.
//!
//! With `--skip-provisional-tests`, the suite runs provisional tests but counts only failures. The
//! log does not show that option, so the interpretation with fewer differences is used. Source:
//! `Run`, `Report`, `addTestResults` and `compileResults` in `conformance/utils/suite`.

pub mod log;
pub mod statement;
mod choose;
mod features;
mod levels;
mod printed;
mod settings;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};

pub use choose::{ChosenRun, RunError, choose};
pub use features::{FeatureIssue, Shown};
pub use printed::PrintedState;
pub use settings::SettingsIssue;
pub use verdict::{Summary, Verdict};

use crate::api::{Level, SUBJECT, TestResult};
use crate::evidence::log::{Log, Mark, Outcome, Run, SkipReason};
use crate::release::{Match, Member, Registry, Release, Seen, Test};
use crate::report::suite;
use crate::report::view::{self, Report};
use crate::text::node_path::path_to;
use crate::text::source::Source;
use gwconform_yaml::{NodeId, Yaml};

/// Report and run to compare.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// Report text.
    pub source: &'a Source,
    /// Report nodes.
    pub yaml: &'a Yaml<'a>,
    /// Document root.
    pub root: NodeId,
    /// Lenient view.
    pub report: &'a Report<'a>,
    /// Whether the report has the legacy shape.
    pub is_legacy: bool,
    /// Known release data.
    pub found: Match<'a>,
    /// Release whose data is used.
    pub release: &'a Release,
    /// Whether the caller chose the release.
    pub is_chosen: bool,
    /// Data for all releases.
    pub registry: &'a Registry,
    /// Log.
    pub log: &'a Log,
    /// Run.
    pub run: &'a Run,
}

/// Logged outcome of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Logged {
    /// Passed.
    Passed,
    /// Skipped with supported features.
    Skipped,
    /// Failed.
    Failed,
    /// Skipped because of an unsupported feature.
    NotSupported,
    /// Skipped for an unknown reason.
    Unexplained,
    /// No result in the log.
    Open,
    /// Not in the profile and level.
    Elsewhere,
}

/// Test with another logged result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultDifference {
    /// Short test name.
    pub test: String,
    /// Outcome in the report.
    pub claimed: Outcome,
    /// Outcome in the log.
    pub logged: Logged,
    /// List item or number in the report.
    pub node: NodeId,
    /// Line in the log.
    pub mark: Option<Mark>,
    /// Whether the suite writes the report before the test runs.
    pub is_early: bool,
}

/// A difference that contradicts the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// Wrong test result.
    Result(ResultDifference),
    /// Wrong number in `statistics`.
    Number {
        /// `Passed`, `Skipped` or `Failed`.
        field: &'static str,
        /// Number or its parent.
        node: NodeId,
        /// Value; `None` if missing.
        reported: Option<u64>,
        /// Expected value.
        expected: u64,
    },
    /// Missing level, or unexpected `extended`.
    Level {
        /// Level.
        level: Level,
        /// Profile, or its `extended`.
        node: NodeId,
        /// Number of logged tests.
        expected: u64,
    },
    /// Unknown or repeated profile.
    Profile {
        /// Profile name.
        profile: String,
        /// Name, or the profile.
        node: NodeId,
        /// Whether the profile is repeated.
        is_repeated: bool,
    },
    /// Repeated name in a list.
    Repeated {
        /// Name.
        name: String,
        /// Second item.
        node: NodeId,
    },
    /// Wrong `result` of a level.
    LevelResult {
        /// Result or level.
        node: NodeId,
        /// Expected value.
        expected: TestResult,
    },
    /// Wrong `summary` of a profile.
    Summary {
        /// Summary or profile.
        node: NodeId,
        /// Expected text.
        expected: String,
    },
    /// Misplaced or missing feature.
    Feature {
        /// Feature name.
        feature: String,
        /// Item or list.
        node: NodeId,
        /// Problem.
        issue: FeatureIssue,
        /// Line in the log.
        mark: Option<Mark>,
    },
    /// Wrong or missing test in `succeededProvisionalTests`.
    Provisional {
        /// Test name.
        test: String,
        /// Item, list or report.
        node: NodeId,
        /// Whether the report lists the test.
        is_listed: bool,
        /// Line in the log.
        mark: Option<Mark>,
    },
    /// Difference from the printed report.
    Printed {
        /// Node in the report.
        node: NodeId,
        /// Printed value, if it is a single value.
        expected: Option<String>,
        /// Kind of change.
        change: PrintedChange,
        /// Line in the printed report, from 0.
        line: usize,
    },
}

/// Kind of difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrintedChange {
    /// Different value.
    Value,
    /// Not in the printed report.
    Added,
    /// Only in the printed report.
    Removed,
    /// Different notation.
    Notation,
}

/// Test without a sufficient logged result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// Short test name.
    pub test: String,
    /// Reason.
    pub cause: GapCause,
}

/// Why a result is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GapCause {
    /// The log does not name the test.
    NotNamed,
    /// The test started but has no result.
    Begun(Mark),
    /// Skipped for a reason that neither log nor report shows.
    Unexplained(Mark),
    /// Core test skipped because of an exempt feature.
    Exempt(Mark),
}

impl Gap {
    /// Line where an unfinished test started.
    pub fn begun(&self) -> Option<&Mark> {
        match &self.cause {
            GapCause::Begun(mark) => Some(mark),
            _ => None,
        }
    }
}

/// Result of a comparison.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// Contradictions.
    pub differences: Vec<Difference>,
    /// Tests without sufficient results, by name.
    pub gaps: Vec<Gap>,
    /// First notation difference.
    pub notation: Option<Difference>,
    /// Tests that the release lacks.
    pub unknown: Vec<(String, Mark)>,
    /// Tests skipped for an unknown reason.
    pub other_skips: Vec<(String, Mark)>,
    /// Options that contradict the report.
    pub settings: Vec<SettingsIssue>,
    /// Whether the date is outside the run.
    pub is_date_outside: bool,
    /// State of the printed report.
    pub printed: PrintedState,
    /// Number of logged results.
    pub results: usize,
    /// Listed features that nothing confirms.
    pub undecided: BTreeSet<String>,
    /// Whether numbers match `--skip-provisional-tests`.
    pub skips_provisional: bool,
}

impl Comparison {
    pub(crate) fn is_of_printing_run(&self, claim: &Claim<'_>) -> bool {
        let is_date = |one: &Difference| match one {
            Difference::Printed { node, .. } => path_to(claim.yaml, *node) == "/date",
            _ => false,
        };
        match self.printed {
            PrintedState::No => false,
            PrintedState::Differs => {
                claim.report.date.is_some() && !self.differences.iter().any(is_date)
            }
            _ => true,
        }
    }

    /// Report fields without evidence in the log.
    pub fn not_covered(&self) -> impl Iterator<Item = &'static str> {
        const READ: [&str; 2] = [SUBJECT.release_field, SUBJECT.channel_field];
        const STATED: [&str; 5] = ["implementation", "contact", "url", "version", "mode"];
        let is_printed = self.printed != PrintedState::No;
        let read = READ.into_iter().filter(move |_| !is_printed);
        read.chain(STATED)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Like other tests.
    Counted,
    /// Only failures (`--skip-provisional-tests`).
    OnlyFailures,
}

/// Compares a report with its log.
pub fn compare(claim: &Claim<'_>) -> Comparison {
    let readings = [Reading::Counted, Reading::OnlyFailures];
    let of = |reading| (reading, results(claim, reading));
    let found = readings
        .map(of)
        .into_iter()
        .min_by_key(|(_, found)| found.len());
    let (reading, mut differences) = found.unwrap_or((Reading::Counted, Vec::new()));
    let settings = settings::issues(claim);
    let features = features::features(claim);
    differences.extend(features.differences);
    let (state, changes) = printed::changes(claim);
    let (notation, changes): (Vec<_>, Vec<_>) = changes
        .into_iter()
        .partition(|_| state == PrintedState::Notation);
    differences.extend(changes);
    let tests = &claim.run.tests;
    let mut comparison = Comparison {
        differences,
        gaps: gaps(claim),
        notation: notation.into_iter().next(),
        settings,
        is_date_outside: is_date_outside(claim),
        results: tests.values().filter(|test| test.outcome.is_some()).count(),
        undecided: match state {
            PrintedState::Same | PrintedState::LineEnds | PrintedState::Notation => BTreeSet::new(),
            _ => features.undecided,
        },
        printed: state,
        skips_provisional: reading == Reading::OnlyFailures,
        ..Comparison::default()
    };
    for (name, test) in tests {
        let begun = test.begun.as_ref();
        let outcome = test.outcome.as_ref();
        let Some(mark) = outcome.map(|(_, mark)| mark).or(begun) else {
            continue;
        };
        if claim.release.test(name).is_none() {
            comparison.unknown.push((name.clone(), mark.clone()));
        }
        let is_skipped = outcome.is_some_and(|(outcome, _)| *outcome == Outcome::Skipped);
        if is_skipped && test.reason.is_none() {
            comparison.other_skips.push((name.clone(), mark.clone()));
        }
    }
    comparison
}

fn results(claim: &Claim<'_>, reading: Reading) -> Vec<Difference> {
    let mut found = provisional(claim, reading);
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for profile in &claim.report.profiles {
        let name = profile.name_or_empty();
        let possible = suite::expected(claim.release, name, &suite::Ran::default());
        let own = claim.release.profiles();
        let most = own.filter(|one| one.report_name == name).count();
        let nth = names.entry(name).or_default();
        *nth += 1;
        let is_repeated = *nth > most.max(1);
        if is_repeated || possible.is_empty() {
            found.push(Difference::Profile {
                profile: name.to_owned(),
                node: profile.name.map_or(profile.node, |name| name.node),
                is_repeated,
            });
            continue;
        }
        // If several profiles share the name, assume the closest.
        let differences = possible
            .iter()
            .map(|one| levels::differences(claim, profile, &one.profiles, reading))
            .min_by_key(Vec::len);
        found.extend(differences.unwrap_or_default());
    }
    found
}

fn repeated<'y>(lists: impl IntoIterator<Item = Option<&'y view::List<'y>>>) -> Vec<Difference> {
    let mut names = BTreeSet::new();
    let items = lists.into_iter().flatten().flat_map(|list| &list.items);
    let again = items.filter(|item| !names.insert(item.value));
    again
        .map(|item| Difference::Repeated {
            name: item.value.to_owned(),
            node: item.node,
        })
        .collect()
}

impl Claim<'_> {
    fn logged(&self, test: &str) -> (Logged, Option<&Mark>) {
        let Some(run) = self.run.tests.get(test) else {
            return (Logged::Open, None);
        };
        let Some((outcome, mark)) = &run.outcome else {
            return (Logged::Open, run.begun.as_ref());
        };
        match (outcome, &run.reason) {
            (Outcome::Passed, _) => (Logged::Passed, Some(mark)),
            (Outcome::Failed, _) => (Logged::Failed, Some(mark)),
            (Outcome::Skipped, Some((SkipReason::NotSupported(_), mark))) => {
                (Logged::NotSupported, Some(mark))
            }
            (Outcome::Skipped, Some(_)) => (Logged::Skipped, Some(mark)),
            (Outcome::Skipped, None) => (Logged::Unexplained, Some(mark)),
        }
    }

    fn lists_as_unsupported(&self, test: &Test) -> bool {
        let extended = self
            .report
            .profiles
            .iter()
            .filter_map(|one| one.extended.as_ref());
        let mut listed = extended.filter_map(|level| level.unsupported_features.as_ref());
        listed.any(|list| {
            let is_listed = |feature: &String| list.items.iter().any(|item| item.value == feature);
            test.features.iter().any(is_listed)
        })
    }

    pub(crate) fn lists_as_skipped(&self, test: &str) -> bool {
        let profiles = self.report.profiles.iter();
        let levels = profiles.flat_map(|one| one.core.iter().chain(&one.extended));
        let mut lists = levels.filter_map(|level| level.skipped_tests.as_ref());
        lists.any(|list| list.items.iter().any(|item| item.value == test))
    }

    /// Without a level, no test of it was recorded, so a feature was unsupported.
    fn shows_reason(&self, profile: &view::Profile<'_>, member: &Member) -> bool {
        let Some(data) = profile.level(member.level) else {
            return member.level == Level::Extended;
        };
        let mut skipped = data.skipped_tests.iter().flat_map(|list| &list.items);
        skipped.any(|item| item.value == member.test.name)
            || self.lists_as_unsupported(&member.test)
    }

    fn is_early(&self, test: &Test) -> bool {
        self.registry.seen(self.found, test) == Seen::No
    }
}

fn gaps(claim: &Claim<'_>) -> Vec<Gap> {
    let mut gaps = BTreeMap::new();
    let mut add = |test: &str, shows_reason: bool, is_core: bool| {
        let cause = match claim.logged(test) {
            (Logged::Open, None) => GapCause::NotNamed,
            (Logged::Open, Some(mark)) => GapCause::Begun(mark.clone()),
            (Logged::Unexplained, Some(mark)) if !shows_reason => {
                GapCause::Unexplained(mark.clone())
            }
            (Logged::NotSupported, Some(mark)) if is_core => GapCause::Exempt(mark.clone()),
            _ => return,
        };
        gaps.insert(test.to_owned(), cause);
    };
    let provisional = claim.report.succeeded_provisional_tests.iter();
    for item in provisional.flat_map(|list| &list.items) {
        if claim.release.test(item.value).is_some() {
            add(item.value, false, false);
        }
    }
    for profile in &claim.report.profiles {
        let name = profile.name_or_empty();
        // Other profiles with the same report name may not have run.
        let profiles = claim.release.profiles();
        let named: Vec<_> = profiles.filter(|one| one.report_name == name).collect();
        let is_only = named.len() == 1;
        for own in named.into_iter().filter(|one| one.name == name) {
            for member in claim.release.members(own) {
                let shows_reason = claim.shows_reason(profile, member);
                let is_core = is_only && member.level == Level::Core;
                add(&member.test.name, shows_reason, is_core);
            }
        }
    }
    let gap = |(test, cause)| Gap { test, cause };
    gaps.into_iter().map(gap).collect()
}

fn provisional(claim: &Claim<'_>, reading: Reading) -> Vec<Difference> {
    let list = claim.report.succeeded_provisional_tests.as_ref();
    let mut found = repeated([list]);
    let mut listed = BTreeSet::new();
    for item in list.iter().flat_map(|list| &list.items) {
        listed.insert(item.value);
        let test = claim
            .release
            .test(item.value)
            .filter(|test| test.provisional);
        let (logged, mark) = claim.logged(item.value);
        let is_right = match logged {
            Logged::Passed => test.is_some() && reading == Reading::Counted,
            Logged::Open | Logged::Unexplained => test.is_some(),
            _ => false,
        };
        if !is_right {
            found.push(Difference::Provisional {
                test: item.value.to_owned(),
                node: item.node,
                is_listed: true,
                mark: mark.cloned(),
            });
        }
    }
    if reading == Reading::OnlyFailures {
        return found;
    }
    for test in claim.release.tests().filter(|test| test.provisional) {
        let (logged, mark) = claim.logged(&test.name);
        if logged == Logged::Passed && !listed.contains(test.name.as_str()) {
            found.push(Difference::Provisional {
                test: test.name.clone(),
                node: list.map_or(claim.root, |list| list.node),
                is_listed: false,
                mark: mark.cloned(),
            });
        }
    }
    found
}

/// Clock difference.
const TOLERANCE: jiff::SignedDuration = jiff::SignedDuration::from_mins(10);

fn is_date_outside(claim: &Claim<'_>) -> bool {
    let date = claim
        .report
        .date
        .and_then(|date| crate::report::formats::rfc3339(date.value));
    let (Some(date), Some((start, end))) = (date, crate::evidence::log::times(claim.run)) else {
        return false;
    };
    date.duration_since(start) < -TOLERANCE || date.duration_since(end) > TOLERANCE
}

const LEVELS: [Level; 2] = [Level::Core, Level::Extended];
