//! Compares the results, numbers and summaries of profiles with the test results in the log.

use std::collections::BTreeMap;

use super::{
    Claim, CountText, Difference, LEVELS, Logged, Missing, Reading, ResultDifference, repeated,
};
use crate::log::Outcome;
use gwconform_base::api::{Level, TestResult};
use gwconform_base::release::{Profile, Test};
use gwconform_report::report::model::{Spanned, Stated, Statistics};
use gwconform_report::report::view;

#[derive(Default)]
struct Tally {
    logged: Counts,
    claimed: Counts,
    open: u64,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    passed: u64,
    skipped: u64,
    failed: u64,
}

impl Counts {
    fn add(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Passed => &mut self.passed,
            Outcome::Skipped => &mut self.skipped,
            Outcome::Failed => &mut self.failed,
        } += 1;
    }

    fn total(self) -> u64 {
        self.passed + self.skipped + self.failed
    }

    /// As in the suite's `compileResults`.
    fn result(self) -> TestResult {
        let statistics = Statistics::new(self.passed, self.skipped, self.failed);
        statistics.result().unwrap_or(TestResult::Success)
    }

    /// As in the suite's `buildSummary`.
    fn sentence(self, level: &str) -> String {
        match self.result() {
            TestResult::Success => format!("{level} tests succeeded."),
            TestResult::Partial => {
                format!(
                    "{level} tests partially succeeded with {} test skips.",
                    self.skipped
                )
            }
            TestResult::Failure => {
                format!("{level} tests failed with {} test failures.", self.failed)
            }
        }
    }
}

pub(super) fn differences(
    claim: &Claim<'_>,
    profile: &view::Profile<'_>,
    profiles: &[&Profile],
    reading: Reading,
) -> Vec<Difference> {
    let mut found = Vec::new();
    let tallies = LEVELS.map(|level| {
        let members = members(claim, profiles, level);
        let data = profile.level(level);
        let tally = tally(claim, profile, data, &members, reading, &mut found);
        if let Some(data) = data {
            // If two profiles have one name, their shared tests are listed twice.
            if profiles.len() == 1 {
                let lists = [data.skipped_tests.as_ref(), data.failed_tests.as_ref()];
                found.extend(repeated(lists));
            }
            numbers(data, &tally, &mut found);
            result(data, &tally, &mut found);
        }
        tally
    });
    let [core, extended] = &tallies;
    if profile.core.is_none() {
        let expected = core.logged.total();
        let text = CountText::CoreMissing { expected };
        found.push(Difference::missing(profile.node, Missing::Level, text));
    }
    let expected = extended.logged.total();
    let unexpected = profile.extended.as_ref();
    if let Some(data) = unexpected.filter(|_| expected == 0 && extended.open == 0) {
        found.push(Difference::count(data.node, CountText::ExtendedEmpty));
    }
    if profile.extended.is_none() && expected > 0 {
        let text = CountText::ExtendedMissing { expected };
        found.push(Difference::missing(profile.node, Missing::Level, text));
    }
    summary(claim, profile, core, extended, &mut found);
    found
}

fn members<'c>(claim: &Claim<'c>, profiles: &[&'c Profile], level: Level) -> Vec<&'c Test> {
    let all = profiles
        .iter()
        .flat_map(|profile| claim.release.members(profile));
    let of_level = all.filter(|member| member.level == level);
    of_level.map(|member| member.test.as_ref()).collect()
}

fn tally(
    claim: &Claim<'_>,
    profile: &view::Profile<'_>,
    data: Option<&view::Level<'_>>,
    members: &[&Test],
    reading: Reading,
    found: &mut Vec<Difference>,
) -> Tally {
    let mut listed = BTreeMap::new();
    let lists = data.map(|data| {
        [
            (Outcome::Skipped, &data.skipped_tests),
            (Outcome::Failed, &data.failed_tests),
        ]
    });
    for (outcome, list) in lists.into_iter().flatten() {
        for item in list.iter().flat_map(|list| &list.items) {
            listed.insert(item.value, (outcome, item.node));
        }
    }
    let number = data.and_then(|data| data.statistics?.passed);
    let head = data.map_or(profile.node, |data| data.node);
    let passed_node = number.map_or(head, |number| number.node);
    let mut tally = Tally::default();
    let mut seen = BTreeMap::new();
    for &test in members {
        let (logged, mark) = claim.logged(&test.name);
        let claimed = listed.get(test.name.as_str()).copied();
        let claimed_outcome = claimed.map_or(Outcome::Passed, |(outcome, _)| outcome);
        let outcome = match logged {
            Logged::Passed => Outcome::Passed,
            Logged::Skipped => Outcome::Skipped,
            Logged::Failed => Outcome::Failed,
            Logged::Unexplained if claimed_outcome == Outcome::Skipped => Outcome::Skipped,
            Logged::Unexplained
                if claimed.is_none() && (data.is_none() || claim.lists_as_unsupported(test)) =>
            {
                continue;
            }
            Logged::Open | Logged::Unexplained => {
                seen.insert(test.name.as_str(), ());
                match claimed {
                    Some((outcome, _)) => tally.claimed.add(outcome),
                    None => tally.open += 1,
                }
                continue;
            }
            _ => continue,
        };
        if is_left_out(test, outcome, reading) {
            continue;
        }
        seen.insert(test.name.as_str(), ());
        tally.logged.add(outcome);
        tally.claimed.add(claimed_outcome);
        if outcome != claimed_outcome && data.is_some() {
            found.push(Difference::Result(ResultDifference {
                test: test.name.clone(),
                claimed: claimed_outcome,
                logged,
                node: claimed.map_or(passed_node, |(_, node)| node),
                mark: mark.cloned(),
                is_early: logged == Logged::Failed && claim.is_early(test),
            }));
        }
    }
    for (name, (outcome, node)) in listed {
        if seen.contains_key(name) {
            continue;
        }
        tally.claimed.add(outcome);
        let is_member = members.iter().any(|test| test.name == name);
        let (logged, mark) = match claim.logged(name) {
            (Logged::NotSupported, mark) if is_member => (Logged::NotSupported, mark),
            (_, mark) => (Logged::Elsewhere, mark),
        };
        found.push(Difference::Result(ResultDifference {
            test: name.to_owned(),
            claimed: outcome,
            logged,
            node,
            mark: mark.cloned(),
            is_early: false,
        }));
    }
    tally
}

/// With `--skip-provisional-tests`, the suite drops all results of provisional tests except
/// failures.
fn is_left_out(test: &Test, outcome: Outcome, reading: Reading) -> bool {
    reading == Reading::OnlyFailures && test.provisional && outcome != Outcome::Failed
}

/// Accepts numbers that match the report's own lists, because wrong lists are reported separately.
fn numbers(data: &view::Level<'_>, tally: &Tally, found: &mut Vec<Difference>) {
    let statistics = data.statistics;
    let head = statistics.map_or(data.node, |statistics| statistics.node);
    let number = |of: fn(view::Statistics) -> Option<view::Number>| statistics.and_then(of);
    let (logged, claimed) = (tally.logged, tally.claimed);
    let passed = number(|statistics| statistics.passed);
    let skipped = number(|statistics| statistics.skipped);
    let failed = number(|statistics| statistics.failed);
    let all = [
        ("Passed", passed, logged.passed, claimed.passed, tally.open),
        ("Skipped", skipped, logged.skipped, claimed.skipped, 0),
        ("Failed", failed, logged.failed, claimed.failed, 0),
    ];
    for (field, number, logged, claimed, open) in all {
        let is_possible = number.is_some_and(|number| {
            number.value == logged || (claimed..=claimed + open).contains(&number.value)
        });
        if is_possible {
            continue;
        }
        let expected = logged;
        found.push(match number {
            Some(number) => {
                let reported = number.value;
                let text = CountText::Number {
                    field,
                    reported,
                    expected,
                };
                Difference::count(number.node, text)
            }
            None => {
                let text = CountText::NumberMissing { field, expected };
                Difference::missing(head, Missing::Number(field), text)
            }
        });
    }
}

fn result(data: &view::Level<'_>, tally: &Tally, found: &mut Vec<Difference>) {
    let expected = tally.logged.result();
    let stated = data.result.known_at();
    let is_possible =
        stated.is_some_and(|result| [expected, tally.claimed.result()].contains(&result.value));
    if tally.open == 0 && !is_possible {
        let node = match data.result {
            Stated::Known(Spanned { node, .. }) | Stated::Other(Spanned { node, .. }) => node,
            Stated::Absent => data.node,
        };
        let expected = expected.as_str();
        found.push(Difference::count(node, CountText::Result { expected }));
    }
}

/// Skips summaries up to v1.0.x, which were written by hand.
fn summary(
    claim: &Claim<'_>,
    profile: &view::Profile<'_>,
    core: &Tally,
    extended: &Tally,
    found: &mut Vec<Difference>,
) {
    if claim.is_legacy || core.open + extended.open > 0 {
        return;
    }
    let sentences = |core: Counts, extended: Counts| match profile.extended {
        Some(_) => format!(
            "{} {}",
            core.sentence("Core"),
            extended.sentence("Extended")
        ),
        None => core.sentence("Core"),
    };
    let expected = sentences(core.logged, extended.logged);
    let claimed = sentences(core.claimed, extended.claimed);
    let summary = profile.summary;
    let words = summary.map_or("", |summary| summary.value);
    let words: Vec<&str> = words.split_whitespace().collect();
    if ![&expected, &claimed].contains(&&words.join(" ")) {
        let node = summary.map_or(profile.node, |summary| summary.node);
        let text = CountText::Summary {
            expected: &expected,
        };
        found.push(Difference::count(node, text));
    }
}
