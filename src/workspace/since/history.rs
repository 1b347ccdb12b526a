//! Access to an earlier revision. The command line implements it with git (`src/cli/git`).

use std::path::{Path, PathBuf};

/// An earlier revision of a repository.
pub trait History {
    /// Revision as the user named it.
    fn name(&self) -> &str;

    /// Merge base with the current work.
    fn commit(&self) -> &str;

    /// Date of the merge base, used for the verdicts; `None` if unknown.
    ///
    /// # Errors
    /// If the query fails.
    fn day(&self) -> Result<Option<jiff::civil::Date>, HistoryError>;

    /// Committer time of the last commit in `folder`; `None` if it has uncommitted changes.
    ///
    /// # Errors
    /// If the query fails.
    fn committed(&self, folder: &Path) -> Result<Option<jiff::Timestamp>, HistoryError>;

    /// True if the revision is newer than the merge base.
    fn has_moved_on(&self) -> bool;

    /// Files that differ from the merge base.
    fn changed(&self) -> &[Changed];

    /// Entries at a path below the top of the repository. A trailing slash lists a folder's
    /// content.
    ///
    /// # Errors
    /// If the query fails.
    fn entries(&self, at: Point, path: &Path, depth: Depth)
    -> Result<Vec<TreeEntry>, HistoryError>;

    /// The inner error is a clause: why the content is not read.
    ///
    /// # Errors
    /// If the query fails or the entry does not exist.
    fn read(&self, id: &str) -> Result<Result<Vec<u8>, String>, HistoryError>;

    /// Path below the top; `None` outside the repository.
    fn below(&self, path: &Path) -> Option<PathBuf>;

    /// Absolute path of a path below the top.
    fn absolute(&self, below: &Path) -> PathBuf;
}

/// Why an earlier revision cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HistoryError(pub String);

/// The commit to read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// The revision.
    Revision,
    /// The merge base.
    Commit,
}

/// How deep a folder is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Only the entry itself.
    Named,
    /// All files below it.
    Files,
}

/// A file or folder in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// Path relative to the top.
    pub path: PathBuf,
    /// Object id.
    pub id: String,
    /// Kind of entry.
    pub kind: EntryKind,
}

/// The kind of entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A symbolic link.
    Link,
    /// A folder or submodule.
    Other,
}

/// A changed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Absolute path.
    pub path: PathBuf,
    /// Id of the earlier content; `None` if it was not a file or link.
    pub before: Option<String>,
    /// True if it exists now.
    pub is_there: bool,
    /// True for current and former symbolic links.
    pub is_link: bool,
    /// True for former links, whose content is the link target.
    pub was_link: bool,
}
