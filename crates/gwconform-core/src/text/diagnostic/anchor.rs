//! What a finding is attached to: its subject, which identifies it, and the place of that.

use std::fmt;

use super::Place;
use crate::text::source::Digest;

/// What a finding is about, whatever line it stands on and however its message is worded: with its
/// rule and path it identifies the finding in baselines, in SARIF and while fixing.
///
/// Members of lists go by name, never by position: `/profiles/GATEWAY-HTTP/core/result = partial`
/// (report), `row standard-v1.2.0-default-report.yaml, Mode = x` (README),
/// `GatewayClass/acme/status/conditions/Accepted` (resource). Empty for the file or folder itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject(String);

/// Longest subject, in characters: a longer one is cut, and ends with the beginning of its digest, so
/// that two of them stay two.
const MAX_SUBJECT: usize = 300;

impl Subject {
    /// The file or folder itself.
    pub fn whole() -> Self {
        Self::default()
    }

    /// Something in it, by a name that no edit elsewhere changes.
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

    /// Something below it, by name.
    #[must_use]
    pub fn child(self, name: &str) -> Self {
        Self::new(format!("{}/{name}", self.0))
    }

    /// The same with the value that is wrong, unless it ends with that.
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

    /// Its text; empty for the file or folder itself.
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
    /// Where a reader finds it.
    pub place: Place,
    /// What it is.
    pub subject: Subject,
}

impl Anchor {
    /// A file or folder, as a whole.
    pub fn path(path: impl AsRef<str>) -> Self {
        Self::new(Place::path(path), Subject::whole())
    }

    /// A subject and its place.
    pub fn new(place: Place, subject: Subject) -> Self {
        Self { place, subject }
    }

    /// The same place, for a subject that the rule chooses.
    #[must_use]
    pub fn about(self, subject: impl Into<String>) -> Self {
        Self::new(self.place, Subject::new(subject))
    }

    /// The same subject with what else decides about the finding: a number, another name.
    #[must_use]
    pub fn and(self, detail: impl fmt::Display) -> Self {
        Self::new(
            self.place,
            Subject::new(format!("{}, {detail}", self.subject)),
        )
    }

    /// The same subject with the value that is wrong.
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
