//! The states that a feature can have in a profile of a report.

use crate::api::closed_set;
use crate::report::facts::Name;

/// The state of a feature in one profile of one report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It is supported, its tests ran, and all of them passed.
    Proved {
        /// How many tests of it ran.
        tests: usize,
    },
    /// It is supported, and the log of the run proves that all its tests passed.
    ProvedByLog {
        /// How many tests of it ran.
        tests: usize,
    },
    /// It is supported, and its tests show as passed, but some of them had not ended when the report
    /// was written.
    PartlySeen {
        /// How many tests of it ran.
        tests: usize,
        /// How many of these had not ended: not all.
        unseen: usize,
    },
    /// It is supported, and its tests show as passed, but none of them had ended when the report was
    /// written.
    NotSeen {
        /// How many tests of it ran.
        tests: usize,
    },
    /// It is supported, and its tests show as passed, but the report is of a patch that is not known:
    /// whether some of them had ended when it was written is not known either ([`Seen::NotKnown`](crate::release::Seen::NotKnown)).
    /// So the feature is neither proved nor not seen: it is claimed, and its kind says that.
    MaybeNotSeen {
        /// How many tests of it ran.
        tests: usize,
        /// How many of these may not have ended.
        unseen: usize,
    },
    /// It is supported, and some of its tests, or all, were skipped.
    Skipped {
        /// The skipped ones, by name.
        tests: Vec<Name>,
        /// How many tests of it were recorded.
        of: usize,
    },
    /// It is claimed, and no test of it ran.
    NoTest {
        /// The tests that exist all the same, by name: provisional ones that were left out, or
        /// those that need a feature that is not claimed. Empty: no test exists in the profile.
        not_run: Vec<Name>,
    },
    /// It is claimed, and what its tests show is not known: the suite of the release is unknown, or
    /// the report contradicts itself or counts fewer or more tests than there are.
    Claimed,
    /// The report lists it as not supported.
    Unsupported,
    /// The report does not list it, but its tests would have been recorded if it were claimed.
    NotClaimed,
    /// The report does not list it, or lists it both as supported and as not supported.
    NotStated,
    /// It is supported, and tests of it failed.
    Failed {
        /// The failed ones, by name.
        tests: Vec<Name>,
    },
    /// The profile of the release does not have it.
    NotInRelease,
}

closed_set! {
    /// What is known of a feature in a profile of a report.
    pub enum StateKind {
        /// Supported, its tests ran and all of them passed.
        Proved = "proved",
        /// Supported, and the log of the run proves that all its tests passed.
        ProvedByLog = "proved-by-log",
        /// Supported, some of its tests had not ended when the report was written.
        PartlySeen = "partly-seen",
        /// Supported, none of its tests had ended when the report was written.
        NotSeen = "not-seen",
        /// Supported, some of its tests or all were skipped.
        Skipped = "skipped",
        /// Claimed, no test of it ran.
        NoTest = "no-test",
        /// Claimed, and what its tests show is not known.
        Claimed = "claimed",
        /// Supported, tests of it failed.
        Failed = "failed",
        /// The report lists it as not supported.
        Unsupported = "unsupported",
        /// Not stated, but its tests would have been recorded if it were claimed.
        NotClaimed = "not-claimed",
        /// Not stated, which is not no.
        NotStated = "not-stated",
        /// Not in the profile of the release.
        NotInRelease = "not-in-release",
    }
}

impl StateKind {
    /// Those of a feature that the profile of a release has.
    pub const IN_RELEASE: &[Self] = match Self::ALL {
        [in_release @ .., Self::NotInRelease] => in_release,
        _ => Self::ALL,
    };
}

impl State {
    /// Which of the states it is.
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
