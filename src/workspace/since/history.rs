//! Interface to an earlier revision, which the command line implements with git (`src/cli/git`).

use std::path::{Path, PathBuf};

/// Earlier revision of a repository.
pub trait History {
    /// Revision as named by the user.
    fn name(&self) -> &str;

    /// Merge base with the current work.
    fn commit(&self) -> &str;

    /// Committer time of the last commit in `folder`. `None` with uncommitted changes.
    fn committed(&self, folder: &Path) -> Result<Option<jiff::Timestamp>, HistoryError>;

    /// True if the revision has commits after the merge base.
    fn has_moved_on(&self) -> bool;

    /// Files that differ from the merge base.
    fn changed(&self) -> &[Changed];

    /// Entries at a path, relative to the top of the repository. A trailing slash lists the content
    /// of the folder.
    fn entries(&self, at: Point, path: &Path, depth: Depth)
    -> Result<Vec<TreeEntry>, HistoryError>;

    /// Content of an object. The inner error is a clause that explains why the content cannot be
    /// read.
    fn read(&self, id: &str) -> Result<Result<Vec<u8>, String>, HistoryError>;

    /// Path relative to the top of the repository. `None` for paths outside of it.
    fn below(&self, path: &Path) -> Option<PathBuf>;

    /// Absolute path of a path relative to the top of the repository.
    fn absolute(&self, below: &Path) -> PathBuf;
}

/// Reason as text for the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HistoryError(pub String);

/// Commit to read entries from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// Tip of the revision.
    Revision,
    /// Merge base.
    Commit,
}

/// Depth of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Only the entry itself.
    Named,
    /// All files below the entry.
    Files,
}

/// File or folder in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// Path relative to the top of the repository.
    pub path: PathBuf,
    /// Git object id.
    pub id: String,
    /// File, link or folder.
    pub kind: EntryKind,
}

/// Type of an entry in a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A symbolic link.
    Link,
    /// A folder or submodule.
    Other,
}

/// File that differs from the merge base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Absolute path of the file.
    pub path: PathBuf,
    /// Earlier object id. `None` if the path was neither a file nor a link.
    pub before: Option<String>,
    /// True if the file exists now.
    pub is_there: bool,
    /// True for current and former symbolic links.
    pub is_link: bool,
    /// True if the earlier content is the link target.
    pub was_link: bool,
}
