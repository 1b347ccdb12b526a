use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::{Untracked, Work};
use crate::cli::Failure;
use crate::workspace::{Changed, Depth, History, HistoryError, Point, TreeEntry};

pub struct GitHistory<'a> {
    name: &'a str,
    work: Work,
    tip: String,
    commit: String,
    changed: Vec<Changed>,
}

impl<'a> GitHistory<'a> {
    pub fn open(name: &'a str, untracked: Untracked, folder: &Path) -> Result<Self, Failure> {
        if name.is_empty() || name.starts_with('-') {
            return Err(Failure::Usage(anyhow!(
                "--since: `{name}` is not a revision; expected a branch, a tag or a commit, such as origin/main"
            )));
        }
        let work = Work::try_new(folder)?;
        let base = work.merge_base(name)?;
        Self::since(name, base, untracked, work)
    }

    /// Compares with the empty tree, so that each tracked file is a change.
    pub fn whole(folder: &Path) -> Result<Self, Failure> {
        let work = Work::try_new(folder)?;
        let base = work.empty_tree()?;
        Self::since("", base, Untracked::LeftOut, work)
    }

    fn since(
        name: &'a str,
        (tip, commit): (String, String),
        untracked: Untracked,
        work: Work,
    ) -> Result<Self, Failure> {
        Ok(Self {
            changed: work.changed(&commit, untracked)?,
            name,
            work,
            tip,
            commit,
        })
    }

    /// Committer date of the merge base, in UTC.
    pub fn day(&self) -> anyhow::Result<Option<jiff::civil::Date>> {
        self.work.day_of(&self.commit)
    }
}

impl History for GitHistory<'_> {
    fn name(&self) -> &str {
        self.name
    }

    fn commit(&self) -> &str {
        &self.commit
    }

    fn committed(&self, folder: &Path) -> Result<Option<jiff::Timestamp>, HistoryError> {
        self.work.committed(folder).map_err(in_words)
    }

    fn has_moved_on(&self) -> bool {
        self.tip != self.commit
    }

    fn changed(&self) -> &[Changed] {
        &self.changed
    }

    fn entries(
        &self,
        at: Point,
        path: &Path,
        depth: Depth,
    ) -> Result<Vec<TreeEntry>, HistoryError> {
        let commit = match at {
            Point::Revision => &self.tip,
            Point::Commit => &self.commit,
        };
        self.work.entries(commit, path, depth).map_err(in_words)
    }

    fn read(&self, id: &str) -> Result<Result<Vec<u8>, String>, HistoryError> {
        self.work.read(id).map_err(in_words)
    }

    fn below(&self, path: &Path) -> Option<PathBuf> {
        self.work.below(path)
    }

    fn absolute(&self, below: &Path) -> PathBuf {
        self.work.absolute(below)
    }
}

fn in_words(error: anyhow::Error) -> HistoryError {
    HistoryError(format!("{error:#}"))
}
