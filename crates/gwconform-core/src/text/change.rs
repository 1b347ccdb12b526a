//! Changes to files: the fix of a finding, which fixes fit together, and the one set of changes that
//! is shown as a diff or applied. Pure: `cli/output/apply.rs` writes.
//!
//! Law 6 is kept here. Text is only ever replaced in a README ([`is_editable`]); a report can be
//! renamed, created, and removed whole, and nothing that exists is created anew. Whatever is changed carries what it
//! was made for, so that a file that has changed meanwhile is left alone.

mod diff;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use crate::text::source::{Digest, Position, Source, Span};

pub use diff::{changed_lines, write_file_diff};
pub use text::{Replacement, replaced};

/// A change that fixes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// True when applying it cannot lose or change anything a person meant.
    pub safe: bool,
    /// Its title, in the imperative: `rename the file`.
    pub title: String,
    /// The edits, all or none of them.
    pub edits: Vec<Edit>,
}

/// One edit of a [`Fix`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Replaces a part of a README.
    Replace {
        /// The README, as it is printed.
        path: String,
        /// The text that is replaced.
        span: Span,
        /// Where that begins.
        start: Position,
        /// Where it ends.
        end: Position,
        /// The text that the span is of.
        of: Digest,
        /// The new text.
        text: String,
    },
    /// Renames a file within its folder, to a name that nothing has.
    Rename {
        /// The path, as it is printed.
        path: String,
        /// The path after.
        to: String,
        /// The text of the file, which stays as it is.
        of: Digest,
    },
}

/// True for the one kind of file whose text may be changed.
pub fn is_editable(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.eq_ignore_ascii_case("README.md")
}

impl Fix {
    /// A fix that cannot lose anything.
    pub fn safe(title: impl Into<String>) -> Self {
        Self {
            safe: true,
            title: title.into(),
            edits: Vec::new(),
        }
    }

    /// A fix that a person should look at.
    pub fn unsafe_(title: impl Into<String>) -> Self {
        Self {
            safe: false,
            ..Self::safe(title)
        }
    }

    /// Replaces a span of a README. Returns `None` when the text is not that of a README,
    /// or is not entirely UTF-8.
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

    /// Renames a file within its folder.
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

    /// True when it renames a file.
    pub fn renames(&self) -> bool {
        let mut edits = self.edits.iter();
        edits.any(|edit| matches!(edit, Edit::Rename { .. }))
    }
}

/// The fixes of a list that fit together, the first that come winning: no two replace the same text,
/// rename one file, or give two files one name. The others are left for the next round.
pub fn fitting<'f>(fixes: impl IntoIterator<Item = &'f Fix>) -> Vec<&'f Fix> {
    let mut claims = Claims::default();
    fixes
        .into_iter()
        .filter(|fix| claims.take(&fix.edits))
        .collect()
}

/// The spans and names that the chosen fixes change.
#[derive(Default)]
struct Claims<'f> {
    spans: BTreeMap<&'f str, Vec<(Span, &'f str)>>,
    /// Names before and after, in one case: where that does not matter, they are one name.
    names: BTreeSet<String>,
}

impl<'f> Claims<'f> {
    /// Takes all edits of a fix, or none.
    fn take(&mut self, edits: &'f [Edit]) -> bool {
        let fits = edits.iter().all(|edit| match edit {
            Edit::Replace {
                path, span, text, ..
            } => {
                let mut taken = self.spans.get(path.as_str()).into_iter().flatten();
                taken.all(|(other, other_text)| {
                    // Two links of one definition are one edit.
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

/// True when two spans have a byte in common, or text is put in where another is replaced. Texts that
/// are put in at one place come in the order of their fixes.
fn touch(a: Span, b: Span) -> bool {
    let are_insertions = a.is_empty() && b.is_empty();
    (a.start < b.end && b.start < a.end) || (a.start == b.start && !are_insertions)
}

/// Changes to files, by path.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ChangeSet {
    changes: Vec<Change>,
}

/// What happens to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The text of a README becomes another.
    Edit {
        /// Its path, as it is printed.
        path: String,
        /// The current text. If the file has another text, nothing happens.
        before: String,
        /// The new text.
        after: String,
    },
    /// A file is made where nothing is.
    Create {
        /// Its path, as it is printed.
        path: String,
        /// Its content.
        bytes: Vec<u8>,
    },
    /// A report is removed, as another one takes its place.
    Remove {
        /// Its path, as it is printed.
        path: String,
        /// Its current content. If the content differs, nothing happens.
        bytes: Vec<u8>,
    },
    /// A file gets another name.
    Rename {
        /// Its path, as it is printed.
        path: String,
        /// Its path after. Nothing is there.
        to: String,
        /// Its current content. If the content differs, nothing happens.
        of: Digest,
    },
}

impl Change {
    /// The path of the file before, or that of a new one.
    pub fn path(&self) -> &str {
        match self {
            Self::Edit { path, .. }
            | Self::Create { path, .. }
            | Self::Remove { path, .. }
            | Self::Rename { path, .. } => path,
        }
    }

    /// The folder that the file is in; changes in one are made together or not at all.
    pub fn folder(&self) -> &str {
        let path = self.path();
        path.rfind('/').map_or("", |slash| &path[..slash])
    }
}

/// A text that is no README's was to be changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path} is not a README; its text is never changed")]
pub struct NotEditable {
    /// The file.
    pub path: String,
}

impl ChangeSet {
    /// Gives a README another text.
    ///
    /// # Errors
    /// When the file is something else: the bytes of a report are never changed.
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

    /// Makes a file.
    pub fn create(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.push(Change::Create {
            path: path.into(),
            bytes: bytes.into(),
        });
    }

    /// Removes a report, whose place another one takes.
    pub fn remove(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.push(Change::Remove {
            path: path.into(),
            bytes: bytes.into(),
        });
    }

    /// Gives a file another name.
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

    /// Takes in another set, of other files.
    pub fn extend(&mut self, other: Self) {
        let ends = (self.changes.last(), other.changes.first());
        let is_in_order = matches!(ends, (Some(last), Some(first)) if last.path() <= first.path());
        self.changes.extend(other.changes);
        if !is_in_order {
            self.changes.sort_by(|a, b| a.path().cmp(b.path()));
        }
    }

    /// The changes by path.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// True when nothing changes.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}
