use serde::Serialize;

use gwconform_report::certify::catalog::{State, is_claimed};

/// Number of cells in each state. A cell is a feature in one profile of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StateCounts {
    /// Number of all cells.
    pub cells: usize,
    /// Number of claimed features: the sum of `proved`, `partly_seen`, `not_seen`, `skipped`,
    /// `no_test`, `claimed` and `failed`.
    pub supported: usize,
    /// Claimed, and all tests passed.
    pub proved: usize,
    /// Claimed, but some tests had not finished when the report was written.
    pub partly_seen: usize,
    /// Claimed, but no test had finished when the report was written.
    pub not_seen: usize,
    /// Claimed, but tests were skipped.
    pub skipped: usize,
    /// Claimed, but no test for the feature ran.
    pub no_test: usize,
    /// Claimed, with unknown test results.
    pub claimed: usize,
    /// Listed as unsupported.
    pub unsupported: usize,
    /// Not listed, and the other contents of the report show that it is not claimed.
    pub not_claimed: usize,
    /// Neither listed nor derivable from the report.
    pub not_stated: usize,
    /// Claimed, but tests failed.
    pub failed: usize,
    /// Not part of the release.
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
