use std::fmt;

use super::Place;
use crate::text::source::Digest;

/// Identifies a finding, together with rule and path. Independent of line numbers and message text,
/// and empty for the file itself.
///
/// List members are identified by name, never by index. Examples:
/// `/profiles/GATEWAY-HTTP/core/result = partial` (report), `row
/// standard-v1.2.0-default-report.yaml, Mode = x` (README),
/// `GatewayClass/acme/status/conditions/Accepted` (resource).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject(String);

crate::text::json::as_text!(Subject);

/// In characters. Longer subjects end with a digest to remain distinct.
const MAX_SUBJECT: usize = 300;

impl Subject {
    /// Empty subject, which denotes the file or folder itself.
    pub fn whole() -> Self {
        Self::default()
    }

    /// Creates a subject from a name, which edits elsewhere in the file must not affect.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        match text.char_indices().nth(MAX_SUBJECT) {
            Some((end, _)) => {
                let digest = Digest::new(text.as_bytes()).to_string();
                Self(format!("{}…#{}", &text[..end], &digest[..16]))
            }
            None => Self(text),
        }
    }

    /// Appends a child, such as a YAML key.
    #[must_use]
    pub fn child(self, name: &str) -> Self {
        Self::new(format!("{}/{name}", self.0))
    }

    /// Appends an incorrect value, unless the subject already ends with it.
    #[must_use]
    pub fn with_value(self, value: &str) -> Self {
        let is_named = self
            .0
            .strip_suffix(value)
            .is_some_and(|rest| rest.ends_with('/'));
        if is_named {
            return self;
        }
        Self::new(format!("{} = {value}", self.0))
    }

    /// Text that baselines and reviews compare.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Subject and place of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// Place to print.
    pub place: Place,
    /// Identity of the finding.
    pub subject: Subject,
}

impl Anchor {
    /// Anchor for a whole file or folder.
    pub fn path(path: impl AsRef<str>) -> Self {
        Self::new(Place::path(path), Subject::whole())
    }

    /// Combines a place and a subject.
    pub fn new(place: Place, subject: Subject) -> Self {
        Self { place, subject }
    }

    /// Replaces the subject.
    #[must_use]
    pub fn about(self, subject: impl Into<String>) -> Self {
        Self::new(self.place, Subject::new(subject))
    }

    /// Appends a detail, such as a number or another name.
    #[must_use]
    pub fn and(self, detail: impl fmt::Display) -> Self {
        Self::new(
            self.place,
            Subject::new(format!("{}, {detail}", self.subject)),
        )
    }

    /// Appends the incorrect value to the subject.
    #[must_use]
    pub fn with_value(self, value: &str) -> Self {
        Self::new(self.place, self.subject.with_value(value))
    }
}

impl From<Anchor> for Place {
    fn from(anchor: Anchor) -> Self {
        anchor.place
    }
}
