use std::borrow::Cow;

use serde::Deserialize;

/// Missing fields are empty, and unknown fields are ignored.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Event<'e> {
    #[serde(borrow)]
    pub(super) action: Cow<'e, str>,
    #[serde(borrow, default)]
    pub(super) package: Cow<'e, str>,
    #[serde(borrow, default)]
    pub(super) test: Cow<'e, str>,
    #[serde(borrow, default)]
    pub(super) output: Cow<'e, str>,
    #[serde(borrow, default)]
    pub(super) time: Cow<'e, str>,
}

pub(super) fn event(line: &str) -> Option<Event<'_>> {
    if !line.starts_with('{') {
        return None;
    }
    serde_json::from_str(line).ok()
}
