//! Results of tests in the reports of a tree.

use std::collections::{BTreeMap, HashMap};

use super::{Catalog, Implementation, Proofs, Report, TestState};
use crate::report::facts::ReportFacts;
use gwconform_base::api::Minor;

/// Result of a test in one report.
#[derive(Debug, Clone, Copy)]
pub struct TestResult<'c, 'a> {
    /// Implementation of the report.
    pub implementation: &'c Implementation<'a>,
    /// Report that counts the test.
    pub report: &'c Report<'a>,
    /// State of the test in the report.
    pub state: TestState,
    /// Report for the oldest minor since which, in each minor with results, a report of the
    /// implementation shows this state.
    pub first: Option<&'c Report<'a>>,
}

impl TestResult<'_, '_> {
    /// Minor of [`first`](Self::first).
    pub fn since(&self) -> Option<Minor> {
        self.first?.judged.minor()
    }
}

/// Results by test name.
pub type ResultsByTest<'c, 'a> = HashMap<&'c str, Vec<TestResult<'c, 'a>>>;

impl Proofs<'_> {
    /// State of each test that a profile of the report counts, sorted by test. If profiles differ,
    /// the first state in the order of [`TestState`] applies.
    pub(crate) fn test_states(&self, report: &ReportFacts) -> Vec<(&str, TestState)> {
        let profiles = 0..report.profiles.len();
        let shown = profiles.filter_map(|at| self.shown_tests(report, at));
        let mut states = Vec::new();
        for shown in shown {
            states.extend(shown.all());
        }
        states.sort();
        states.dedup_by_key(|(test, _)| *test);
        states
    }
}

impl<'a> Catalog<'a> {
    /// Results of each test, in the order of implementations, that `select` chooses from those of
    /// one implementation: [`newest`] or [`contradicting`]. All results of one implementation at a
    /// time are in memory.
    pub fn test_results<'c>(
        &'c self,
        select: fn(&[TestResult<'c, 'a>]) -> Vec<TestResult<'c, 'a>>,
    ) -> ResultsByTest<'c, 'a> {
        let mut all = ResultsByTest::new();
        for implementation in &self.implementations {
            let mut results = self.results_of(implementation);
            results.sort_by_key(|(test, _)| *test);
            for of_test in results.chunk_by(|(one, _), (other, _)| one == other) {
                let own: Vec<_> = of_test.iter().map(|(_, result)| *result).collect();
                let results = all.entry(of_test[0].0).or_default();
                results.extend(select(&own));
            }
        }
        all.values_mut().for_each(Vec::shrink_to_fit);
        all
    }

    fn results_of<'c>(
        &'c self,
        implementation: &'c Implementation<'a>,
    ) -> Vec<(&'c str, TestResult<'c, 'a>)> {
        let results = implementation.reports.iter().flat_map(|report| {
            let states = self.proofs.test_states(report.judged.facts).into_iter();
            states.map(move |(test, state)| {
                let result = TestResult {
                    implementation,
                    report,
                    state,
                    first: None,
                };
                (test, result)
            })
        });
        results.collect()
    }
}

/// Results in the reports for the newest minor. `results` belong to one implementation and one test.
pub fn newest<'c, 'a>(results: &[TestResult<'c, 'a>]) -> Vec<TestResult<'c, 'a>> {
    let mut by_minor: BTreeMap<Option<Minor>, Vec<TestResult<'c, 'a>>> = BTreeMap::new();
    for result in results {
        let minor = result.report.judged.minor();
        by_minor.entry(minor).or_default().push(*result);
    }
    let Some((_, newest)) = by_minor.last_key_value() else {
        return Vec::new();
    };
    let first = |state: TestState| {
        let older = by_minor.values().rev();
        let same = older.map_while(|all| all.iter().find(|one| one.state == state));
        same.last().map(|one| one.report)
    };
    let mut by_state = BTreeMap::new();
    let with_first = newest.iter().map(|result| TestResult {
        first: *by_state
            .entry(result.state)
            .or_insert_with(|| first(result.state)),
        ..*result
    });
    with_first.collect()
}

/// Results of reports for the same version that contradict each other: one passed, and another failed
/// or was skipped. `results` belong to one implementation and one test.
pub fn contradicting<'c, 'a>(results: &[TestResult<'c, 'a>]) -> Vec<TestResult<'c, 'a>> {
    type Key<'k> = (Option<&'k str>, Option<Minor>);
    let mut groups: BTreeMap<Key<'c>, Vec<TestResult<'c, 'a>>> = BTreeMap::new();
    for result in results {
        let judged = &result.report.judged;
        let key = (judged.facts.version(), judged.minor());
        groups.entry(key).or_default().push(*result);
    }
    let has = |group: &[TestResult<'_, '_>], states: &[TestState]| {
        group.iter().any(|one| states.contains(&one.state))
    };
    let differing = groups.into_values().filter(|group| {
        has(group, &[TestState::Passed]) && has(group, &[TestState::Failed, TestState::Skipped])
    });
    let shown = [TestState::Passed, TestState::Failed, TestState::Skipped];
    let results = differing.flatten();
    results.filter(|one| shown.contains(&one.state)).collect()
}
