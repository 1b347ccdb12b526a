use crate::report::view::Profile;
use gwconform_base::text::message::{Message, texts};

texts! {
    pub(super) enum Text {
        Unnamed => "unnamed profile",
    }
}

pub(super) fn name(profile: &Profile<'_>) -> Message {
    profile
        .name
        .map(|name| Message::code(name.value))
        .unwrap_or_else(|| Text::Unnamed.into())
}
