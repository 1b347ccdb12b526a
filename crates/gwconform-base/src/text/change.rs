//! Fixes of findings, and the [`ChangeSet`] that a command prints as a diff or applies
//! (`cli/output/apply.rs`).
//!
//! This module enforces law 6: only READMEs are edited ([`is_editable`]). Each change includes the
//! expected text or digest, so a file that has changed since is not modified.

mod unified_diff;
mod replacement;

use std::collections::{BTreeMap, BTreeSet};

use crate::text::source::{Digest, Position, Source, Span};

pub use replacement::{Replacement, replaced};
pub use unified_diff::{changed_lines, write_file_diff};

/// One or more edits that are applied together.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Fix {
    /// True if the fix cannot remove or change intended content.
    pub safe: bool,
    /// Title in the imperative, such as `rename the file`.
    pub title: String,
    /// Edits that together form the fix. Apply all of them, or none.
    #[schemars(with = "Vec<super::diagnostic::json::EditFields<'_>>")]
    pub edits: Vec<Edit>,
}

/// An edit that belongs to a [`Fix`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Replaces a part of a README.
    Replace {
        /// Display path of the README.
        path: String,
        /// Bytes to replace; empty for an insertion.
        span: Span,
        /// Position of the first replaced byte.
        start: Position,
        /// Position after the last replaced byte.
        end: Position,
        /// Digest of the README that the fix was computed for.
        of: Digest,
        /// Replacement text; empty for a deletion.
        text: String,
    },
    /// Renames a file within its folder, to an unused name.
    Rename {
        /// Display path before the rename.
        path: String,
        /// Display path after the rename.
        to: String,
        /// Digest of the file content, which a rename preserves.
        of: Digest,
    },
}

/// True for files named `README.md` in any case, the only files whose text may change.
pub fn is_editable(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.eq_ignore_ascii_case("README.md")
}

impl Fix {
    /// Creates a fix that can be applied without review.
    pub fn safe(title: impl Into<String>) -> Self {
        Self {
            safe: true,
            title: title.into(),
            edits: Vec::new(),
        }
    }

    /// Creates a fix that the author must review.
    pub fn unsafe_(title: impl Into<String>) -> Self {
        Self {
            safe: false,
            ..Self::safe(title)
        }
    }

    /// Adds a replacement. `None` unless the source is a README in valid UTF-8.
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

    /// Adds a rename within the same folder; `of` is the content digest.
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

/// Selects compatible fixes. If two fixes replace the same text, rename the same file, or use the
/// same new name, the earlier fix wins.
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
    /// File names in lower case, because some file systems ignore case.
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
                    // Links that share a reference definition need the same edit.
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

/// Insertions at the same offset do not conflict, because they are applied in the order of their
/// fixes.
fn touch(a: Span, b: Span) -> bool {
    let are_insertions = a.is_empty() && b.is_empty();
    (a.start < b.end && b.start < a.end) || (a.start == b.start && !are_insertions)
}

/// Changes to files, sorted by path.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ChangeSet {
    changes: Vec<Change>,
}

/// Change to one file with the given content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Replaces the text of a README.
    Edit {
        /// Display path of the README.
        path: String,
        /// Text that the README must have before the change.
        before: String,
        /// Text after the change.
        after: String,
    },
    /// Creates a file at an unused path.
    Create {
        /// Display path of the new file.
        path: String,
        /// Content of the new file.
        bytes: Vec<u8>,
    },
    /// Renames a file.
    Rename {
        /// Display path before the rename.
        path: String,
        /// Display path after the rename.
        to: String,
        /// Digest that the file must have before the rename.
        of: Digest,
    },
}

impl Change {
    /// Path before the change; for a new file, its path.
    pub fn path(&self) -> &str {
        match self {
            Self::Edit { path, .. } | Self::Create { path, .. } | Self::Rename { path, .. } => path,
        }
    }

    /// Parent folder. The changes in one folder are checked before the first one is applied.
    pub fn folder(&self) -> &str {
        let path = self.path();
        path.rfind('/').map_or("", |slash| &path[..slash])
    }
}

/// Error: the file to edit is not a README.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path} is not a README; its text is never changed")]
pub struct NotEditable {
    /// Display path of the file.
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

    /// Adds a new file.
    pub fn create(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.push(Change::Create {
            path: path.into(),
            bytes: bytes.into(),
        });
    }

    /// Renames a file whose content has the digest `of`.
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

    /// Adds the changes of another set, which must concern other files.
    pub fn extend(&mut self, other: Self) {
        let ends = (self.changes.last(), other.changes.first());
        let is_in_order = matches!(ends, (Some(last), Some(first)) if last.path() <= first.path());
        self.changes.extend(other.changes);
        if !is_in_order {
            self.changes.sort_by(|a, b| a.path().cmp(b.path()));
        }
    }

    /// Changes, sorted by path.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// True if the set contains no changes.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}
