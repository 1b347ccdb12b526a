use super::{FeatureLists, Proofs, StatedResult, Tests, miscounted};
use crate::certify::compared;
use crate::report::facts::{ByLog, ReportFacts};
use gwconform_base::api::{Level, Version, closed_set};
use gwconform_base::release::{Member, Seen};

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

/// Tests of a profile with their states.
#[derive(Debug)]
pub struct ShownTests<'p> {
    /// Release and name of the profile.
    pub suite: &'p (Version, String),
    tests: &'p Tests<'p>,
    states: Vec<TestState>,
}

impl<'p> ShownTests<'p> {
    /// Tests with their states, sorted by name.
    pub fn all(&self) -> impl Iterator<Item = (&'p str, TestState)> {
        let members = self.tests.members.iter();
        let names = members.map(|member| member.test.name.as_str());
        names.zip(self.states.iter().copied())
    }

    /// Tests of each feature, sorted by name. They depend only on the suite.
    pub fn by_feature(&self) -> impl Iterator<Item = (&'p str, impl Iterator<Item = &'p str>)> {
        let Tests {
            members,
            by_feature,
            ..
        } = self.tests;
        by_feature.iter().map(|(feature, tests)| {
            let tests = tests.iter().map(|at| members[*at].test.name.as_str());
            (*feature, tests)
        })
    }
}

impl Proofs<'_> {
    /// Tests of the profile with index `at`. `None` for an unknown release.
    pub fn shown_tests(&self, report: &ReportFacts, at: usize) -> Option<ShownTests<'_>> {
        let compared = compared(report, self.registry);
        let release = compared.release()?;
        let name = report.profiles.get(at)?.name_or_empty().to_owned();
        let key = (release.version().clone(), name);
        let (suite, tests) = self.by_profile.get_key_value(&key)?;
        let lists = FeatureLists::new(report, at);
        let is_blocked = report.is_cut || report.blocks_of(at).next().is_some();
        let miscounted = miscounted(release, &lists);
        let state = |(member, stated): (&&Member, StatedResult)| {
            let (test, level) = (&member.test, member.level);
            let is_level_there = level == Level::Extended || lists.has_core;
            let is_in_log = |by_log: &ByLog| by_log.passed.contains(test.name.as_str());
            if stated.is_failed {
                TestState::Failed
            } else if stated.is_skipped {
                TestState::Skipped
            } else if !stated.has_run {
                TestState::NotRun
            } else if is_blocked || !is_level_there || miscounted.contains(&level) {
                TestState::NotKnown
            } else if report.by_log.as_ref().is_some_and(is_in_log) {
                TestState::Passed
            } else {
                match compared.seen(test, self.registry) {
                    Seen::Yes => TestState::Passed,
                    Seen::No => TestState::NotSeen,
                    Seen::NotKnown => TestState::NotKnown,
                }
            }
        };
        let members = tests.members.iter().zip(lists.results(tests));
        Some(ShownTests {
            suite,
            tests,
            states: members.map(state).collect(),
        })
    }
}
