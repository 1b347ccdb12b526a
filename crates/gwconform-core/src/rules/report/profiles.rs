//! Profiles, as rules of this group name them.

use crate::report::view::Profile;
use crate::text::message::{Message, texts};

texts! {
    /// Used for a profile without a name.
    pub(super) enum Text {
        Unnamed => "unnamed profile",
    }
}

/// The name of a profile.
pub(super) fn name(profile: &Profile<'_>) -> Message {
    profile
        .name
        .map(|name| Message::code(name.value))
        .unwrap_or_else(|| Text::Unnamed.into())
}
