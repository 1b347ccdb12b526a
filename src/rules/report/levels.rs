//! Profiles and levels, as rules of this group name and judge them.

use crate::message::{Message, texts};
use crate::report::view::{Profile, Statistics};

texts! {
    /// What stands for the name of a profile.
    pub(super) enum Text {
        Unnamed => "unnamed profile",
    }
}

/// The name of a profile.
pub(super) fn profile_name(profile: &Profile<'_>) -> Message {
    let name = profile.name.map(|name| Message::code(name.value));
    name.unwrap_or_else(|| Text::Unnamed.into())
}

/// The result that the suite writes for its statistics; `None` when a number is missing.
pub(super) fn expected_result(statistics: Statistics) -> Option<&'static str> {
    let (failed, skipped) = (statistics.failed?.value, statistics.skipped?.value);
    Some(match (failed, skipped) {
        (0, 0) => "success",
        (0, _) => "partial",
        _ => "failure",
    })
}
