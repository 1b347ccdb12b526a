//! What follows from the log of a run, held against a report of it.
//!
//! The results of a run and the facts of the release give each profile of the report (see
//! [`crate::report::suite`]): a test that ran counts in each profile that has all its features, one that was
//! skipped because a feature is not supported counts nowhere. Of provisional tests there are two
//! readings: the suite runs them also with `--skip-provisional-tests` and then counts only those that
//! fail. The reading with fewer differences is taken. (Suite: `conformance/utils/suite`, functions
//! `Run`, `Report`, `addTestResults` and `compileResults`.)

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

/// A report, and the run that it is compared with.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// The text of the report.
    pub source: &'a Source,
    /// Its nodes.
    pub yaml: &'a Yaml<'a>,
    /// The root of its document.
    pub root: NodeId,
    /// The lenient view of it.
    pub report: &'a Report<'a>,
    /// True for the shape up to v1.0.x.
    pub is_legacy: bool,
    /// What is known of its release.
    pub found: Match<'a>,
    /// The release whose facts count.
    pub release: &'a Release,
    /// True if the caller has chosen the release, not the report.
    pub is_chosen: bool,
    /// The facts of all releases.
    pub registry: &'a Registry,
    /// The log.
    pub log: &'a Log,
    /// The run.
    pub run: &'a Run,
}

/// How a test ended, as far as the report of a profile is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Logged {
    /// It passed.
    Passed,
    /// It was skipped though its features are supported.
    Skipped,
    /// It failed.
    Failed,
    /// It was skipped because a feature is not supported: it counts nowhere.
    NotSupported,
    /// It was skipped, and the log does not show why: either of the two above.
    Unexplained,
    /// The log has no result of it.
    Open,
    /// It is no test of the profile and level.
    Elsewhere,
}

/// A test whose result is another one in the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultDifference {
    /// The short name of the test.
    pub test: String,
    /// What the report counts it as.
    pub claimed: Outcome,
    /// What the log shows.
    pub logged: Logged,
    /// Where the report has that: a list item, or a number.
    pub node: NodeId,
    /// Where the log has it.
    pub mark: Option<Mark>,
    /// The suite of the release writes the report before the test has run.
    pub is_early: bool,
}

/// One difference between a report and the log of its run: the report is contradicted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// A test has another result.
    Result(ResultDifference),
    /// A number of `statistics`.
    Number {
        /// `Passed`, `Skipped` or `Failed`.
        field: &'static str,
        /// The number, or what lacks it.
        node: NodeId,
        /// Its value; `None` where there is no number.
        reported: Option<u64>,
        /// What follows from the log.
        expected: u64,
    },
    /// `core` is missing, or `extended` is there without a test of it, or missing with some.
    Level {
        /// The level.
        level: Level,
        /// The profile, or its `extended`.
        node: NodeId,
        /// How many tests of it the log has.
        expected: u64,
    },
    /// The release does not have the profile, or the report has it twice.
    Profile {
        /// Its name.
        profile: String,
        /// The name, or the profile.
        node: NodeId,
        /// True when it is there before.
        is_repeated: bool,
    },
    /// A list has a name twice.
    Repeated {
        /// The name.
        name: String,
        /// The second item.
        node: NodeId,
    },
    /// `result` of a level.
    LevelResult {
        /// The result, or the level that lacks it.
        node: NodeId,
        /// What follows from the log.
        expected: TestResult,
    },
    /// `summary` of a profile.
    Summary {
        /// The summary, or the profile that lacks it.
        node: NodeId,
        /// What follows from the log.
        expected: String,
    },
    /// A feature is in the wrong list, or in none.
    Feature {
        /// Its name.
        feature: String,
        /// Its item, or its list.
        node: NodeId,
        /// What is wrong.
        issue: FeatureIssue,
        /// Where the log shows it.
        mark: Option<Mark>,
    },
    /// `succeededProvisionalTests` has a test that did not pass, or lacks one that did.
    Provisional {
        /// The test.
        test: String,
        /// Its item, or the list, or the report.
        node: NodeId,
        /// True when the report lists it.
        is_listed: bool,
        /// Where the log has its result.
        mark: Option<Mark>,
    },
    /// The report that the log prints has another text.
    Printed {
        /// What differs in the report.
        node: NodeId,
        /// What is printed instead; `None` where nothing is, or more than one value.
        expected: Option<String>,
        /// How it differs.
        change: PrintedChange,
        /// The line of the printed report, from 0.
        line: usize,
    },
}

/// How a printed report differs at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrintedChange {
    /// Another value.
    Value,
    /// The report has something that is not printed.
    Added,
    /// Something that is printed is not in the report.
    Removed,
    /// The values are equal, and their notation is not.
    Notation,
}

/// A test of which the log does not show what the report has to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// The short name of the test.
    pub test: String,
    /// Why.
    pub cause: GapCause,
}

/// Why a log does not show what a report has to have of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GapCause {
    /// The log does not name it.
    NotNamed,
    /// It began there, and has no result.
    Begun(Mark),
    /// It was skipped there without a reason, and the report does not list it, or a feature of it, so
    /// that the reason is clear.
    Unexplained(Mark),
    /// It is a core test, and was skipped there because its feature is exempt.
    Exempt(Mark),
}

impl Gap {
    /// Where the test began, if it has no result.
    pub fn begun(&self) -> Option<&Mark> {
        match &self.cause {
            GapCause::Begun(mark) => Some(mark),
            _ => None,
        }
    }
}

/// How a report compares with the log of its run.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// What contradicts the report.
    pub differences: Vec<Difference>,
    /// Tests of the report's profiles of which the log does not show enough, by name.
    pub gaps: Vec<Gap>,
    /// Where the notation of the printed report differs, if all its values are equal.
    pub notation: Option<Difference>,
    /// Tests that the release does not have, by name.
    pub unknown: Vec<(String, Mark)>,
    /// Tests that were skipped for a reason that the suite does not give.
    pub other_skips: Vec<(String, Mark)>,
    /// Options in the log that do not lead to the report.
    pub settings: Vec<SettingsIssue>,
    /// True when the report's date is outside of the times of the run.
    pub is_date_outside: bool,
    /// What the log prints of a report.
    pub printed: PrintedState,
    /// How many results the comparison rests on.
    pub results: usize,
    /// Features of the report's lists that no test and no option shows.
    pub undecided: BTreeSet<String>,
    /// True when the numbers follow from a run with `--skip-provisional-tests`.
    pub skips_provisional: bool,
}

impl Comparison {
    /// True if the log prints this report, or another text of the report of the same run: its date is
    /// equal.
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

    /// The fields of a report that the log does not cover.
    pub fn not_covered(&self) -> impl Iterator<Item = &'static str> {
        const READ: [&str; 2] = [SUBJECT.release_field, SUBJECT.channel_field];
        const STATED: [&str; 5] = ["implementation", "contact", "url", "version", "mode"];
        let is_printed = self.printed != PrintedState::No;
        let read = READ.into_iter().filter(move |_| !is_printed);
        read.chain(STATED)
    }
}

/// How provisional tests count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// As any other test.
    Counted,
    /// Only those that fail (`--skip-provisional-tests`).
    OnlyFailures,
}

/// Compares a report with the log of its run.
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

/// What differs in numbers and lists of tests, in one reading.
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
        // Of several profiles of one name the nearest ones are meant.
        let differences = possible
            .iter()
            .map(|one| levels::differences(claim, profile, &one.profiles, reading))
            .min_by_key(Vec::len);
        found.extend(differences.unwrap_or_default());
    }
    found
}

/// Names that occur a second time in some lists taken together.
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
    /// What the log shows of a test.
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

    /// True if a report lists a feature of a test as unsupported.
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

    /// True if a report lists a test as skipped.
    pub(crate) fn lists_as_skipped(&self, test: &str) -> bool {
        let profiles = self.report.profiles.iter();
        let levels = profiles.flat_map(|one| one.core.iter().chain(&one.extended));
        let mut lists = levels.filter_map(|level| level.skipped_tests.as_ref());
        lists.any(|list| list.items.iter().any(|item| item.value == test))
    }

    /// True if a profile of the report shows which reason the skip of a test has. Without results of a
    /// level no test of it was recorded, so a feature was not supported.
    fn shows_reason(&self, profile: &view::Profile<'_>, member: &Member) -> bool {
        let Some(data) = profile.level(member.level) else {
            return member.level == Level::Extended;
        };
        let mut skipped = data.skipped_tests.iter().flat_map(|list| &list.items);
        skipped.any(|item| item.value == member.test.name)
            || self.lists_as_unsupported(&member.test)
    }

    /// True when the suite writes the report before the test has run.
    fn is_early(&self, test: &Test) -> bool {
        self.registry.seen(self.found, test) == Seen::No
    }
}

/// The tests of the report's profiles, and those that it names, of which the log does not show enough.
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
        // The profile that has the name by right; of several ones the others are perhaps not run.
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

/// Compares `succeededProvisionalTests` with the provisional tests that passed.
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

/// How far the date of a report may be from the times of its run: clocks differ.
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

/// The level and the data of each level of a profile, those that are missing too.
const LEVELS: [Level; 2] = [Level::Core, Level::Extended];
