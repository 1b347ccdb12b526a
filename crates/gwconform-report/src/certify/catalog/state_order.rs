use super::state::{State, StateKind};
use crate::report::facts::Name;
use gwconform_base::text::{counted, listed};

/// True for supported features: those that the report claims, regardless of test results.
pub fn is_claimed(state: &State) -> bool {
    matches!(
        state,
        State::Proved { .. }
            | State::ProvedByLog { .. }
            | State::PartlySeen { .. }
            | State::NotSeen { .. }
            | State::MaybeNotSeen { .. }
            | State::Skipped { .. }
            | State::NoTest { .. }
            | State::Claimed
            | State::Failed { .. }
    )
}

/// Sort key, lower for better states.
pub fn rank(state: &State) -> u8 {
    match state {
        State::Proved { .. } | State::ProvedByLog { .. } => 0,
        State::PartlySeen { .. } => 1,
        State::NotSeen { .. } => 2,
        State::Skipped { .. } => 3,
        State::NoTest { .. } => 4,
        State::MaybeNotSeen { .. } => 5,
        State::Claimed => 6,
        State::Failed { .. } => 7,
        State::Unsupported => 8,
        State::NotClaimed => 9,
        State::NotStated => 10,
        State::NotInRelease => 11,
    }
}

impl StateKind {
    /// State in one or two words.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::ProvedByLog => "proved by log",
            Self::PartlySeen => "supported, partly seen",
            Self::NotSeen => "supported, result not seen",
            Self::Skipped => "supported, tests skipped",
            Self::NoTest => "supported, untested",
            Self::Claimed => "supported, results unknown",
            Self::Failed => "failed",
            Self::Unsupported => "unsupported",
            Self::NotClaimed => "not claimed",
            Self::NotStated => "not stated",
            Self::NotInRelease => "not in the profile",
        }
    }
}

/// Description such as `proved, 3 tests passed`.
pub fn state_in_words(state: &State) -> String {
    match state {
        State::Proved { tests } | State::ProvedByLog { tests } => {
            let tests = counted(*tests, "test");
            [state.kind().word(), ", ", &tests, " passed"].concat()
        }
        State::PartlySeen { tests, unseen } => format!(
            "supported; {unseen} of its {tests} tests had not finished when the report was written"
        ),
        State::NotSeen { tests } => {
            let tests = all_of(*tests);
            format!("supported; {tests} had not finished when the report was written")
        }
        State::MaybeNotSeen { tests, unseen } => {
            let these = if unseen == tests {
                all_of(*tests)
            } else {
                format!("{unseen} of its {tests} tests")
            };
            format!(
                "supported, test results unknown: {these} may not have finished when the report was written"
            )
        }
        State::Skipped { tests, of } if tests.len() >= *of as usize => {
            format!("supported, all tests skipped: {}", names(tests))
        }
        State::Skipped { tests, of } => format!(
            "supported, {} of {of} tests skipped: {}",
            tests.len(),
            names(tests)
        ),
        State::NoTest { not_run } if not_run.is_empty() => {
            "supported, untested: no test for it in this profile".to_owned()
        }
        State::NoTest { not_run } => {
            format!("supported, untested; tests not run: {}", names(not_run))
        }
        State::Claimed => "supported, test results unknown".to_owned(),
        State::Unsupported => "declared unsupported".to_owned(),
        State::NotClaimed => "not mentioned; test counts show it was not tested".to_owned(),
        State::NotStated => "not mentioned in the report".to_owned(),
        State::Failed { tests } => format!("supported, tests failed: {}", names(tests)),
        State::NotInRelease => "not part of the profile in this release".to_owned(),
    }
}

fn all_of(tests: u32) -> String {
    match tests {
        1 => "its only test".to_owned(),
        tests => format!("its {tests} tests"),
    }
}

fn names(names: &[Name]) -> String {
    listed(names)
}
