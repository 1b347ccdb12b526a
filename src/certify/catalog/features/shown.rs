use std::collections::BTreeMap;

use super::{FeatureLists, Proofs, miscounted};
use crate::api::Level;
use crate::api::closed_set;
use crate::certify::compared;
use crate::release::Seen;
use crate::report::facts::ReportFacts;

closed_set! {
    /// State of a test in a report.
    pub enum TestState {
        /// The report lists the test as failed.
        Failed = "failed",
        /// The report lists the test as skipped.
        Skipped = "skipped",
        /// The test counts as passed but had not finished when the report was written.
        NotSeen = "not-seen",
        /// The result is unknown, because the report contradicts itself, counts other tests, or is
        /// for an unknown patch.
        NotKnown = "not-known",
        /// The test did not run, because it is provisional or requires an unclaimed feature.
        NotRun = "not-run",
        /// The test passed.
        Passed = "passed",
    }
}

impl TestState {
    /// Heading of tests or reports with this state.
    pub fn title(self) -> &'static str {
        match self {
            Self::Failed => "Failed",
            Self::Skipped => "Skipped",
            Self::NotSeen => "Result not seen",
            Self::NotKnown => "Result not known",
            Self::NotRun => "Did not run",
            Self::Passed => "Passed",
        }
    }
}

/// Tests with their states, by feature.
pub type ShownTests<'r> = BTreeMap<&'r str, Vec<(&'r str, TestState)>>;

impl<'r> Proofs<'r> {
    /// Tests of the profile with index `at`. `None` for an unknown release.
    pub fn shown_tests(&self, report: &ReportFacts, at: usize) -> Option<ShownTests<'r>> {
        let compared = compared(report, self.registry);
        let release = compared.release()?;
        let name = report.profiles.get(at)?.name_or_empty().to_owned();
        let tests = self.by_profile.get(&(release.version().clone(), name))?;
        let lists = FeatureLists::new(report, at);
        let is_blocked = report.is_cut || report.blocks_of(at).next().is_some();
        let miscounted = miscounted(release, &lists);
        let by_feature = tests.by_feature.iter().map(|(feature, tests_of)| {
            let shown = tests_of.iter().map(|(test, level)| {
                let name = test.name.as_str();
                let is_level_there = *level == Level::Extended || lists.has_core;
                let is_in_log = report
                    .by_log
                    .as_ref()
                    .is_some_and(|by_log| by_log.passed.contains(name));
                let state = if lists.failed.contains(name) {
                    TestState::Failed
                } else if lists.skipped.contains(name) {
                    TestState::Skipped
                } else if !lists.has_run(test, tests.profile) {
                    TestState::NotRun
                } else if is_blocked || !is_level_there || miscounted.contains(level) {
                    TestState::NotKnown
                } else if is_in_log {
                    TestState::Passed
                } else {
                    match compared.seen(test, self.registry) {
                        Seen::Yes => TestState::Passed,
                        Seen::No => TestState::NotSeen,
                        Seen::NotKnown => TestState::NotKnown,
                    }
                };
                (name, state)
            });
            (*feature, shown.collect())
        });
        Some(by_feature.collect())
    }
}
