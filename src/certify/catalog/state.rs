//! The states of a feature in a profile of a report.

use crate::api::closed_set;
use crate::report::facts::Name;

/// The state of a feature in a profile of a report. [`StateKind`] describes the variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// See [`StateKind::Proved`].
    Proved {
        /// Number of tests.
        tests: usize,
    },
    /// See [`StateKind::ProvedByLog`].
    ProvedByLog {
        /// Number of tests.
        tests: usize,
    },
    /// See [`StateKind::PartlySeen`].
    PartlySeen {
        /// Number of tests.
        tests: usize,
        /// Number of unfinished tests; less than `tests`.
        unseen: usize,
    },
    /// See [`StateKind::NotSeen`].
    NotSeen {
        /// Number of tests.
        tests: usize,
    },
    /// Counted as passed, but the report is for an unknown patch, so tests may not have finished
    /// ([`Seen::NotKnown`](crate::release::Seen::NotKnown)). The kind is [`StateKind::Claimed`].
    MaybeNotSeen {
        /// Number of tests.
        tests: usize,
        /// Number of possibly unfinished tests.
        unseen: usize,
    },
    /// See [`StateKind::Skipped`].
    Skipped {
        /// Names of skipped tests.
        tests: Vec<Name>,
        /// Number of recorded tests.
        of: usize,
    },
    /// See [`StateKind::NoTest`].
    NoTest {
        /// Provisional tests, and tests that need an unclaimed feature. Empty if there is no test.
        not_run: Vec<Name>,
    },
    /// See [`StateKind::Claimed`].
    Claimed,
    /// See [`StateKind::Unsupported`].
    Unsupported,
    /// See [`StateKind::NotClaimed`].
    NotClaimed,
    /// Not listed, or listed as both supported and not supported.
    NotStated,
    /// See [`StateKind::Failed`].
    Failed {
        /// Names of failed tests.
        tests: Vec<Name>,
    },
    /// See [`StateKind::NotInRelease`].
    NotInRelease,
}

closed_set! {
    /// The kind of state of a feature in a profile of a report.
    pub enum StateKind {
        /// Supported; its tests ran and all passed.
        Proved = "proved",
        /// Supported; the log of the run proves that all its tests passed.
        ProvedByLog = "proved-by-log",
        /// Supported; some of its tests had not finished when the report was written.
        PartlySeen = "partly-seen",
        /// Supported; none of its tests had finished when the report was written.
        NotSeen = "not-seen",
        /// Supported; some or all of its tests were skipped.
        Skipped = "skipped",
        /// Supported; none of its tests ran.
        NoTest = "no-test",
        /// Supported; results are unknown, for example because of an unknown suite.
        Claimed = "claimed",
        /// Supported; tests of it failed.
        Failed = "failed",
        /// The report lists it as not supported.
        Unsupported = "unsupported",
        /// Not listed, but its tests would have been recorded if it were claimed.
        NotClaimed = "not-claimed",
        /// Not stated by the report; this does not mean that it is not supported.
        NotStated = "not-stated",
        /// The profile does not have it in this release.
        NotInRelease = "not-in-release",
    }
}

impl StateKind {
    /// All states except `NotInRelease`.
    pub const IN_RELEASE: &[Self] = match Self::ALL {
        [in_release @ .., Self::NotInRelease] => in_release,
        _ => Self::ALL,
    };
}

impl State {
    /// The kind of the state, without details.
    pub fn kind(&self) -> StateKind {
        match self {
            Self::Proved { .. } => StateKind::Proved,
            Self::ProvedByLog { .. } => StateKind::ProvedByLog,
            Self::PartlySeen { .. } => StateKind::PartlySeen,
            Self::NotSeen { .. } => StateKind::NotSeen,
            Self::Skipped { .. } => StateKind::Skipped,
            Self::NoTest { .. } => StateKind::NoTest,
            Self::Claimed | Self::MaybeNotSeen { .. } => StateKind::Claimed,
            Self::Unsupported => StateKind::Unsupported,
            Self::NotClaimed => StateKind::NotClaimed,
            Self::NotStated => StateKind::NotStated,
            Self::Failed { .. } => StateKind::Failed,
            Self::NotInRelease => StateKind::NotInRelease,
        }
    }
}
