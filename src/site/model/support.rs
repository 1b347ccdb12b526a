//! The states of features: their tests and their counts.

use serde::Serialize;

use crate::certify::catalog::{State, is_claimed};
use crate::report::facts::Name;

/// The tests that were skipped, that failed, or that exist and were not run.
pub fn affected_tests(state: &State) -> &[Name] {
    match state {
        State::Skipped { tests, .. } | State::Failed { tests } => tests,
        State::NoTest { not_run } => not_run,
        _ => &[],
    }
}

/// How many cells there are in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StateCounts {
    /// All cells.
    pub cells: usize,
    /// Cells with a claimed feature: proved, partly-seen, not-seen, skipped, no-test, claimed,
    /// failed.
    pub supported: usize,
    /// Supported and proved: all tests were seen to pass.
    pub proved: usize,
    /// Supported, some tests had not finished when the report was written.
    pub partly_seen: usize,
    /// Supported, no test had finished when the report was written.
    pub not_seen: usize,
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

impl StateCounts {
    /// Cells whose release has the feature: how many could be supported.
    pub fn possible(&self) -> usize {
        self.cells - self.not_in_release
    }

    pub fn add(&mut self, state: &State) {
        self.cells += 1;
        self.supported += usize::from(is_claimed(state));
        let count = match state {
            State::Proved { .. } | State::ProvedByLog { .. } => &mut self.proved,
            State::PartlySeen { .. } => &mut self.partly_seen,
            State::NotSeen { .. } => &mut self.not_seen,
            State::Skipped { .. } => &mut self.skipped,
            State::NoTest { .. } => &mut self.no_test,
            State::Claimed | State::MaybeNotSeen { .. } => &mut self.claimed,
            State::Unsupported => &mut self.unsupported,
            State::NotClaimed => &mut self.not_claimed,
            State::NotStated => &mut self.not_stated,
            State::Failed { .. } => &mut self.failed,
            State::NotInRelease => &mut self.not_in_release,
        };
        *count += 1;
    }
}
