use crate::report::facts::Name;
use gwconform_base::api::closed_set;

/// State of a feature in a profile of a report. [`StateKind`] describes the variants. Large trees
/// have millions of states, so a state has only 16 bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// See [`StateKind::Proved`].
    Proved {
        /// Number of passed tests.
        tests: u32,
    },
    /// See [`StateKind::ProvedByLog`].
    ProvedByLog {
        /// Number of passed tests.
        tests: u32,
    },
    /// See [`StateKind::PartlySeen`].
    PartlySeen {
        /// Number of recorded tests.
        tests: u32,
        /// Number of unfinished tests, less than `tests`.
        unseen: u32,
    },
    /// See [`StateKind::NotSeen`].
    NotSeen {
        /// Number of recorded tests.
        tests: u32,
    },
    /// The tests may not have finished, because the report is for an unknown patch
    /// ([`Seen::NotKnown`](gwconform_base::release::Seen::NotKnown)). The kind is [`StateKind::Claimed`].
    MaybeNotSeen {
        /// Number of recorded tests.
        tests: u32,
        /// Number of possibly unfinished tests.
        unseen: u32,
    },
    /// See [`StateKind::Skipped`].
    Skipped {
        /// Names of skipped tests.
        tests: Box<Vec<Name>>,
        /// Number of recorded tests.
        of: u32,
    },
    /// See [`StateKind::NoTest`].
    NoTest {
        /// Provisional tests, and tests that require an unclaimed feature. Empty if the feature has
        /// no test.
        not_run: Box<Vec<Name>>,
    },
    /// See [`StateKind::Claimed`].
    Claimed,
    /// See [`StateKind::Unsupported`].
    Unsupported,
    /// See [`StateKind::NotClaimed`].
    NotClaimed,
    /// The feature is in neither list or in both lists.
    NotStated,
    /// See [`StateKind::Failed`].
    Failed {
        /// Names of failed tests.
        tests: Box<Vec<Name>>,
    },
    /// See [`StateKind::NotInRelease`].
    NotInRelease,
}

closed_set! {
    /// Kind of a feature's state, without counts and test names.
    pub enum StateKind {
        /// The feature is supported, and all its tests passed.
        Proved = "proved",
        /// The feature is supported, and the log of the run proves that all its tests passed.
        ProvedByLog = "proved-by-log",
        /// The feature is supported, but some of its tests had not finished when the report was
        /// written.
        PartlySeen = "partly-seen",
        /// The feature is supported, but none of its tests had finished when the report was
        /// written.
        NotSeen = "not-seen",
        /// The feature is supported, but some or all of its tests were skipped.
        Skipped = "skipped",
        /// The feature is supported, but none of its tests ran.
        NoTest = "no-test",
        /// The feature is supported, but results are unknown, for example because the suite is
        /// unknown.
        Claimed = "claimed",
        /// The feature is supported, but some of its tests failed.
        Failed = "failed",
        /// The report lists the feature as unsupported.
        Unsupported = "unsupported",
        /// The feature is not listed, but its tests would have been recorded if it were claimed.
        NotClaimed = "not-claimed",
        /// The report does not mention the feature, which may still be supported.
        NotStated = "not-stated",
        /// The profile does not have the feature in this release.
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
    /// Tests that were skipped, failed, or exist but did not run.
    pub fn affected_tests(&self) -> &[Name] {
        match self {
            Self::Skipped { tests, .. } | Self::Failed { tests } => tests,
            Self::NoTest { not_run } => not_run,
            _ => &[],
        }
    }

    /// Kind of the state, without details.
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
