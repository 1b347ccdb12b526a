//! Where a finding is attached: the subject that identifies it, and its place.

use std::fmt;

use super::Place;
use crate::text::source::Digest;

/// The item that a finding concerns, independent of line numbers and message text. Together with
/// rule and path it identifies the finding. Empty for the file itself.
///
/// List members are identified by name, never by index: `/profiles/GATEWAY-HTTP/core/result =
/// partial` (report), `row standard-v1.2.0-default-report.yaml, Mode = x` (README),
/// `GatewayClass/acme/status/conditions/Accepted` (resource).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject(String);

/// In characters. Longer subjects end with a digest to remain distinct.
const MAX_SUBJECT: usize = 300;

impl Subject {
    /// The file or folder itself.
    pub fn whole() -> Self {
        Self::default()
    }

    /// Creates a subject from a name that edits elsewhere do not change.
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

    /// Appends the name of a child.
    #[must_use]
    pub fn child(self, name: &str) -> Self {
        Self::new(format!("{}/{name}", self.0))
    }

    /// Appends an incorrect value, unless already present.
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

    /// Subject text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A subject and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// Place to print.
    pub place: Place,
    /// Identity of the finding.
    pub subject: Subject,
}

impl Anchor {
    /// A file or folder as a whole.
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
