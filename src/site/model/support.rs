//! Feature states: affected tests and counts.

use serde::Serialize;

use crate::certify::catalog::{State, is_claimed};
use crate::report::facts::Name;

/// Tests that were skipped, failed, or exist but did not run.
pub fn affected_tests(state: &State) -> &[Name] {
    match state {
        State::Skipped { tests, .. } | State::Failed { tests } => tests,
        State::NoTest { not_run } => not_run,
        _ => &[],
    }
}

/// Number of cells in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StateCounts {
    /// All cells.
    pub cells: usize,
    /// Cells with a claimed feature: proved, partly-seen, not-seen, skipped, no-test, claimed or
    /// failed.
    pub supported: usize,
    /// Supported and proved: all tests passed.
    pub proved: usize,
    /// Supported; some tests had not finished when the report was written.
    pub partly_seen: usize,
    /// Supported; no test had finished when the report was written.
    pub not_seen: usize,
    /// Supported; tests were skipped.
    pub skipped: usize,
    /// Claimed; no test ran.
    pub no_test: usize,
    /// Claimed; test results are unknown.
    pub claimed: usize,
    /// Declared unsupported.
    pub unsupported: usize,
    /// Not claimed, derived from the report.
    pub not_claimed: usize,
    /// Not stated.
    pub not_stated: usize,
    /// Supported; tests failed.
    pub failed: usize,
    /// The release does not have the feature.
    pub not_in_release: usize,
}

impl StateCounts {
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
