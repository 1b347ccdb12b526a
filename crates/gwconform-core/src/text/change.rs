//! Changes to files: fixes of findings, and the [`ChangeSet`] that is shown as a diff or applied.
//! `cli/output/apply.rs` does the I/O.
//!
//! This module enforces law 6: only the text of a README is ever edited ([`is_editable`]). Changes
//! include the expected text or digest, so files that have changed since are not modified.

mod diff;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use crate::text::source::{Digest, Position, Source, Span};

pub use diff::{changed_lines, write_file_diff};
pub use text::{Replacement, replaced};

/// A fix for a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// True if the fix cannot lose or change anything that the author intended.
    pub safe: bool,
    /// Title in the imperative: `rename the file`.
    pub title: String,
    /// Edits to apply together.
    pub edits: Vec<Edit>,
}

/// An edit of a [`Fix`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Replaces a part of a README.
    Replace {
        /// Display path.
        path: String,
        /// Replaced bytes.
        span: Span,
        /// Start of the span.
        start: Position,
        /// End of the span.
        end: Position,
        /// Digest of the whole text.
        of: Digest,
        /// New text.
        text: String,
    },
    /// Renames a file within its folder, to an unused name.
    Rename {
        /// Display path.
        path: String,
        /// New display path.
        to: String,
        /// Digest of the content.
        of: Digest,
    },
}

/// True for READMEs.
pub fn is_editable(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.eq_ignore_ascii_case("README.md")
}

impl Fix {
    /// Creates a safe fix.
    pub fn safe(title: impl Into<String>) -> Self {
        Self {
            safe: true,
            title: title.into(),
            edits: Vec::new(),
        }
    }

    /// Creates a fix to review.
    pub fn unsafe_(title: impl Into<String>) -> Self {
        Self {
            safe: false,
            ..Self::safe(title)
        }
    }

    /// Adds a replacement. Returns `None` unless the source is a README in valid UTF-8.
    #[must_use]
    pub fn replace(mut self, source: &Source, span: Span, text: impl Into<String>) -> Option<Self> {
        if !is_editable(source.path()) || !source.is_exact() {
            return None;
        }
        let clamped = source.clamp(span);
        self.edits.push(Edit::Replace {
            path: source.path().to_owned(),
            span: clamped,
            start: source.position(clamped.start as usize),
            end: source.position(clamped.end as usize),
            of: source.digest(),
            text: text.into(),
        });
        Some(self)
    }

    /// Adds a rename.
    #[must_use]
    pub fn rename(mut self, path: &str, name: &str, of: Digest) -> Self {
        let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
        self.edits.push(Edit::Rename {
            path: path.to_owned(),
            to: format!("{folder}{name}"),
            of,
        });
        self
    }

    /// True if the fix renames a file.
    pub fn renames(&self) -> bool {
        let mut edits = self.edits.iter();
        edits.any(|edit| matches!(edit, Edit::Rename { .. }))
    }
}

/// Selects fixes that do not replace the same text, rename the same file, or use the same new name;
/// earlier ones win.
pub fn fitting<'f>(fixes: impl IntoIterator<Item = &'f Fix>) -> Vec<&'f Fix> {
    let mut claims = Claims::default();
    fixes
        .into_iter()
        .filter(|fix| claims.take(&fix.edits))
        .collect()
}

#[derive(Default)]
struct Claims<'f> {
    spans: BTreeMap<&'f str, Vec<(Span, &'f str)>>,
    /// In lower case, because some file systems ignore case.
    names: BTreeSet<String>,
}

impl<'f> Claims<'f> {
    fn take(&mut self, edits: &'f [Edit]) -> bool {
        let fits = edits.iter().all(|edit| match edit {
            Edit::Replace {
                path, span, text, ..
            } => {
                let mut taken = self.spans.get(path.as_str()).into_iter().flatten();
                taken.all(|(other, other_text)| {
                    // Two links may share one reference definition, whose edit is the same for
                    // both.
                    (other == span && other_text == text && !span.is_empty())
                        || !touch(*other, *span)
                })
            }
            Edit::Rename { path, to, .. } => [path, to]
                .into_iter()
                .all(|name| !self.names.contains(&name.to_lowercase())),
        });
        if fits {
            for edit in edits {
                match edit {
                    Edit::Replace {
                        path, span, text, ..
                    } => self
                        .spans
                        .entry(path)
                        .or_default()
                        .push((*span, text.as_str())),
                    Edit::Rename { path, to, .. } => {
                        self.names.insert(path.to_lowercase());
                        self.names.insert(to.to_lowercase());
                    }
                }
            }
        }
        fits
    }
}

/// Insertions at the same offset do not conflict: they are applied in the order of their fixes.
fn touch(a: Span, b: Span) -> bool {
    let are_insertions = a.is_empty() && b.is_empty();
    (a.start < b.end && b.start < a.end) || (a.start == b.start && !are_insertions)
}

/// Changes to files, sorted by path.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ChangeSet {
    changes: Vec<Change>,
}

/// A change to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Replaces the text of a README.
    Edit {
        /// Display path.
        path: String,
        /// Expected text.
        before: String,
        /// New text.
        after: String,
    },
    /// Creates a file at an unused path.
    Create {
        /// Display path.
        path: String,
        /// Content.
        bytes: Vec<u8>,
    },
    /// Removes a superseded report.
    Remove {
        /// Display path.
        path: String,
        /// Expected content.
        bytes: Vec<u8>,
    },
    /// Renames a file.
    Rename {
        /// Display path.
        path: String,
        /// New display path.
        to: String,
        /// Digest of the expected content.
        of: Digest,
    },
}

impl Change {
    /// Path before the change, or of a new file.
    pub fn path(&self) -> &str {
        match self {
            Self::Edit { path, .. }
            | Self::Create { path, .. }
            | Self::Remove { path, .. }
            | Self::Rename { path, .. } => path,
        }
    }

    /// Parent folder. Its changes are applied all or none.
    pub fn folder(&self) -> &str {
        let path = self.path();
        path.rfind('/').map_or("", |slash| &path[..slash])
    }
}

/// Error: the file to edit is not a README.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path} is not a README; its text is never changed")]
pub struct NotEditable {
    /// Display path.
    pub path: String,
}

impl ChangeSet {
    /// Edits a README.
    ///
    /// # Errors
    /// If the file is not a README.
    pub fn edit(&mut self, path: &str, before: &str, after: &str) -> Result<(), NotEditable> {
        if !is_editable(path) {
            return Err(NotEditable {
                path: path.to_owned(),
            });
        }
        if before != after {
            self.push(Change::Edit {
                path: path.to_owned(),
                before: before.to_owned(),
                after: after.to_owned(),
            });
        }
        Ok(())
    }

    /// Adds a file.
    pub fn create(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.push(Change::Create {
            path: path.into(),
            bytes: bytes.into(),
        });
    }

    /// Removes a superseded report.
    pub fn remove(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.push(Change::Remove {
            path: path.into(),
            bytes: bytes.into(),
        });
    }

    /// Renames a file.
    pub fn rename(&mut self, path: impl Into<String>, to: impl Into<String>, of: Digest) {
        self.push(Change::Rename {
            path: path.into(),
            to: to.into(),
            of,
        });
    }

    fn push(&mut self, change: Change) {
        let after = (self.changes).partition_point(|other| other.path() <= change.path());
        self.changes.insert(after, change);
    }

    /// Adds changes to other files.
    pub fn extend(&mut self, other: Self) {
        let ends = (self.changes.last(), other.changes.first());
        let is_in_order = matches!(ends, (Some(last), Some(first)) if last.path() <= first.path());
        self.changes.extend(other.changes);
        if !is_in_order {
            self.changes.sort_by(|a, b| a.path().cmp(b.path()));
        }
    }

    /// All changes, sorted by path.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// True if there are no changes.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}
