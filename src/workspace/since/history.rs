//! Questions about an earlier revision. The command line asks git (`src/cli/git`).

use std::path::{Path, PathBuf};

/// An earlier revision of the files of a repository, and what differs from it.
pub trait History {
    /// The revision, as it was named.
    fn name(&self) -> &str;

    /// The commit that is compared with: the last one that the revision and the work here share.
    fn commit(&self) -> &str;

    /// The day that verdicts before and after the change are for: that of the commit that is compared
    /// with; `None` if it has none.
    ///
    /// # Errors
    /// When it cannot be found out.
    fn day(&self) -> Result<Option<jiff::civil::Date>, HistoryError>;

    /// When the last commit of the work in a folder was made, by its committer; `None` when a part
    /// of that work is not committed.
    ///
    /// # Errors
    /// When it cannot be found out.
    fn committed(&self, folder: &Path) -> Result<Option<jiff::Timestamp>, HistoryError>;

    /// True when the revision has gone on since that commit.
    fn has_moved_on(&self) -> bool;

    /// The files that differ from that commit, by path.
    fn changed(&self) -> &[Changed];

    /// The entries at a path below the top of the repository: the file or folder itself, or, with a
    /// slash at its end, what is in the folder.
    ///
    /// # Errors
    /// When they cannot be listed.
    fn entries(&self, at: Point, path: &Path, depth: Depth)
    -> Result<Vec<TreeEntry>, HistoryError>;

    /// The bytes of an entry by its id; else why they are not read, as a clause.
    ///
    /// # Errors
    /// When it cannot be asked for, or is not there.
    fn read(&self, id: &str) -> Result<Result<Vec<u8>, String>, HistoryError>;

    /// The way from the top of the repository to a path; `None` for one outside of it.
    fn below(&self, path: &Path) -> Option<PathBuf>;

    /// A path below the top, absolute.
    fn absolute(&self, below: &Path) -> PathBuf;
}

/// The reason why an earlier revision cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HistoryError(pub String);

/// Which commit is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// The one that the revision names.
    Revision,
    /// The one that is compared with.
    Commit,
}

/// How far entries of a folder are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// The named entry alone.
    Named,
    /// All files in the folders below as well.
    Files,
}

/// An entry of a folder in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeEntry {
    /// The path from the top.
    pub path: PathBuf,
    /// The id of the content.
    pub id: String,
    /// Its kind.
    pub kind: EntryKind,
}

/// What an entry of a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A symbolic link.
    Link,
    /// A folder, or a repository in this one.
    Other,
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// Absolute path.
    pub path: PathBuf,
    /// The id of its earlier content; `None` when it was not there, or was no file or link.
    pub before: Option<String>,
    /// It is there now.
    pub is_there: bool,
    /// It is or was a link.
    pub is_link: bool,
    /// It was a link; its earlier content is then the path that it led to.
    pub was_link: bool,
}
