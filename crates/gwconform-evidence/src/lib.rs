//! Compares a report with the log of its run.
//!
//! The expected results follow from the logged results and the release data
//! ([`gwconform_report::report::suite`]). Tests that were skipped because of an unsupported feature do not
//! count.
//!
//! With `--skip-provisional-tests`, the suite runs provisional tests but counts only failures. The
//! log does not record that option, so the interpretation with fewer differences is used. Source:
//! `Run`, `Report`, `addTestResults` and `compileResults` in `conformance/utils/suite`.

pub mod log;
pub mod rules;
pub mod testlog;
pub mod verify;
mod write_statement;
mod choose;
mod logged_features;
mod logged_results;
mod printed_report;
mod logged_options;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};

pub use choose::{ChosenRun, RunError, choose, printed_report};
pub use logged_features::{FeatureIssue, Shown};
pub use logged_options::SettingsIssue;
pub use printed_report::PrintedState;
pub use verdict::Summary;
pub use write_statement::statement;

use crate::log::{Log, Mark, Outcome, Run, SkipReason};
use gwconform_base::api::{Level, SUBJECT, Version};
use gwconform_base::release::{Match, Member, Registry, Release, Seen, Test};
use gwconform_base::text::message::{Message, texts};
use gwconform_base::text::node_path::path_to;
use gwconform_base::text::source::Source;
use gwconform_report::report::suite;
use gwconform_report::report::view::{self, Report};
use gwconform_yaml::{NodeId, Yaml};

/// Report, and the run to compare the report with.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// Text of the report.
    pub source: &'a Source,
    /// Parsed YAML of the report.
    pub yaml: &'a Yaml<'a>,
    /// Root node of the report document.
    pub root: NodeId,
    /// Lenient view of the report.
    pub report: &'a Report<'a>,
    /// Whether the report has the format of v1.0.x and earlier.
    pub is_legacy: bool,
    /// Result of looking up the report's release.
    pub found: Match<'a>,
    /// Release whose data is used for the comparison.
    pub release: &'a Release,
    /// Whether the caller selected the release explicitly.
    pub is_chosen: bool,
    /// Data of all releases.
    pub registry: &'a Registry,
    /// Log that contains the run.
    pub log: &'a Log,
    /// Run to compare the report with.
    pub run: &'a Run,
}

/// Outcome of a test in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Logged {
    /// The test passed.
    Passed,
    /// The test was skipped, although its features are supported.
    Skipped,
    /// The test failed.
    Failed,
    /// The test was skipped because of an unsupported feature.
    NotSupported,
    /// The test was skipped for an unknown reason.
    Unexplained,
    /// The log contains no result of the test.
    Open,
    /// The test does not belong to this profile and level.
    Elsewhere,
}

/// A test whose logged result differs from the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultDifference {
    /// Short name of the test.
    pub test: String,
    /// Outcome in the report.
    pub claimed: Outcome,
    /// Outcome in the log.
    pub logged: Logged,
    /// Node of the list item or number.
    pub node: NodeId,
    /// Line in the log, if any.
    pub mark: Option<Mark>,
    /// Whether the suite writes the report before the test finishes.
    pub is_early: bool,
}

/// Difference between report and log that contradicts the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The result of a test is wrong.
    Result(ResultDifference),
    /// A number, a level, a profile, a repeated name, a result or a summary does not follow from the
    /// log.
    Count {
        /// Node of the value, or of its parent if missing.
        node: NodeId,
        /// What is missing.
        missing: Option<Missing>,
        /// Explanation with the expected value.
        text: Message,
    },
    /// A feature is misplaced or missing.
    Feature {
        /// Feature name, such as `HTTPRouteCORS`.
        feature: String,
        /// Node of the item, or of the list.
        node: NodeId,
        /// How the report contradicts the log.
        issue: FeatureIssue,
        /// Line in the log, if any.
        mark: Option<Mark>,
    },
    /// A test in `succeededProvisionalTests` is wrong or missing.
    Provisional {
        /// Short name of the provisional test.
        test: String,
        /// Node of the item, list or report.
        node: NodeId,
        /// Whether the report lists the test.
        is_listed: bool,
        /// Line in the log, if any.
        mark: Option<Mark>,
    },
    /// The report differs from the report printed in the log.
    Printed {
        /// Node in the submitted report.
        node: NodeId,
        /// Printed value, if it is a single value.
        expected: Option<String>,
        /// Kind of difference.
        change: PrintedChange,
        /// 0-based line in the printed report.
        line: usize,
    },
}

/// Missing part of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// A number in `statistics`: `Passed`, `Skipped` or `Failed`.
    Number(&'static str),
    /// `core` or `extended`.
    Level,
}

texts! {
    pub(crate) enum CountText<'a> {
        NumberMissing { field: &'a str, expected: u64 } => "{field} has no number; expected {expected}, which follows from the log",
        Number { field: &'a str, reported: u64, expected: u64 } => "the report has {reported} under {field}; expected {expected}, which follows from the log",
        ExtendedMissing { expected: u64 } => "`extended` is missing, but the log has {expected} results of extended tests",
        CoreMissing { expected: u64 } => "`core` is missing, but the log has {expected} results of core tests",
        ExtendedEmpty => "the report has extended results, but the log has none",
        ProfileUnknown { profile: &'a str, release: &'a Version } => "{release} has no profile {profile}, so the log cannot prove its results",
        ProfileRepeated { profile: &'a str } => "the profile {profile} is repeated; the suite writes each profile once",
        Repeated { name: &'a str } => "the name {name} is repeated; the suite lists each name once",
        Result { expected: &'a str } => "the result does not follow from the log; expected {expected}",
        Summary { expected: &'a str } => "the summary does not follow from the log; expected {expected}",
    }
}

impl Difference {
    fn count(node: NodeId, text: CountText<'_>) -> Self {
        Self::Count {
            node,
            missing: None,
            text: text.into(),
        }
    }

    fn missing(node: NodeId, missing: Missing, text: CountText<'_>) -> Self {
        Self::Count {
            node,
            missing: Some(missing),
            text: text.into(),
        }
    }
}

/// Change from the printed report to the submitted one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrintedChange {
    /// The value differs.
    Value,
    /// Only the submitted report has the value.
    Added,
    /// Only the report in the log has the value.
    Removed,
    /// Only the YAML notation differs, such as quotes.
    Notation,
}

/// Test whose result the log does not prove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// Short name of the test.
    pub test: String,
    /// Reason why the result is unknown.
    pub cause: GapCause,
}

/// Reason why the log does not prove a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GapCause {
    /// The log does not name the test.
    NotNamed,
    /// Started at this line, without a result.
    Begun(Mark),
    /// Skipped at this line, for an unknown reason.
    Unexplained(Mark),
    /// Core test skipped at this line because of an exempt feature.
    Exempt(Mark),
}

impl Gap {
    /// Line at which an unfinished test started.
    pub fn begun(&self) -> Option<&Mark> {
        match &self.cause {
            GapCause::Begun(mark) => Some(mark),
            _ => None,
        }
    }
}

/// Result of comparing a report with a log.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// Differences that contradict the report.
    pub differences: Vec<Difference>,
    /// Tests without a proved result, sorted by name.
    pub gaps: Vec<Gap>,
    /// First difference in notation, if any.
    pub notation: Option<Difference>,
    /// Tests that the release does not declare.
    pub unknown: Vec<(String, Mark)>,
    /// Tests that were skipped for an unknown reason.
    pub other_skips: Vec<(String, Mark)>,
    /// Logged options that contradict the report.
    pub settings: Vec<SettingsIssue>,
    /// The report's date is outside the run.
    pub is_date_outside: bool,
    /// Comparison with the report printed in the log.
    pub printed: PrintedState,
    /// Number of results in the log.
    pub results: usize,
    /// Listed features that no logged result or option confirms.
    pub undecided: BTreeSet<String>,
    /// Whether the numbers match a run with `--skip-provisional-tests`.
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

    /// Report fields that the log does not prove.
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
    /// Provisional tests count like other tests.
    Counted,
    /// Only failures of provisional tests count (`--skip-provisional-tests`).
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
    let settings = logged_options::issues(claim);
    let features = logged_features::features(claim);
    differences.extend(features.differences);
    let (state, changes) = printed_report::changes(claim);
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
            let release = claim.release.version();
            let text = if is_repeated {
                CountText::ProfileRepeated { profile: name }
            } else {
                CountText::ProfileUnknown {
                    profile: name,
                    release,
                }
            };
            let node = profile.name.map_or(profile.node, |name| name.node);
            found.push(Difference::count(node, text));
            continue;
        }
        let differences = possible
            .iter()
            .map(|one| logged_results::differences(claim, profile, &one.profiles, reading))
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
        .map(|item| Difference::count(item.node, CountText::Repeated { name: item.value }))
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

    /// Whether the report contains the reason for a skipped test. If a level is missing, none of
    /// its tests was recorded, so a feature was unsupported.
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
        // Skip other profiles with the same report name, because they may not have run.
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

/// Allowed difference between the clocks of report and log.
const TOLERANCE: jiff::SignedDuration = jiff::SignedDuration::from_mins(10);

fn is_date_outside(claim: &Claim<'_>) -> bool {
    let date = claim
        .report
        .date
        .and_then(|date| gwconform_report::report::formats::rfc3339(date.value));
    let (Some(date), Some((start, end))) = (date, crate::log::times(claim.run)) else {
        return false;
    };
    date.duration_since(start) < -TOLERANCE || date.duration_since(end) > TOLERANCE
}

const LEVELS: [Level; 2] = [Level::Core, Level::Extended];
