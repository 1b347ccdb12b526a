//! Reads files of other revisions through git, without a shell. Git never interprets user input as
//! an option. Files in the working tree select neither the repository nor the programs that git
//! runs.

mod blobs;
mod history;
mod repository;
mod status;
mod work;

use std::io;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, anyhow, bail};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::cli::Mistake;
use crate::rules::check::read_bounded;
use crate::tree::files::PathError;

pub use history::GitHistory;
pub use work::{Untracked, Work};

use blobs::Blobs;
use repository::{Repository, physical};

/// Maximum bytes of a list of files or of an object that git prints: about 100,000 files.
const MAX_OUTPUT: u64 = 16 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blob<'a> {
    name: &'a str,
    /// Path relative to the repository root or, if it starts with `./`, to the working directory.
    pub path: &'a str,
}

impl<'a> Blob<'a> {
    /// Parses `REV:PATH`. `None` if the colon, the revision or the path is missing.
    pub fn parse(name: &'a str) -> Option<Self> {
        let (revision, path) = name.split_once(':')?;
        (!revision.is_empty() && !path.is_empty()).then_some(Self { name, path })
    }

    pub fn read(self, folder: &Path) -> anyhow::Result<Vec<u8>> {
        let repository = Repository::around(folder)?;
        let id = self.id(&repository, folder)?;
        let mut child = repository
            .git(folder)
            .args(["cat-file", "blob", &id])
            .stdout(Stdio::piped())
            .spawn()
            .map_err(not_run)?;
        let Some(stdout) = child.stdout.take() else {
            bail!("git has no output");
        };
        let read = read_bounded(stdout);
        // If the size limit is exceeded, the pipe closes while git is writing. That error is
        // reported instead of the exit status.
        let status = child.wait().context("git did not end")?;
        let bytes = read.map_err(|reason| anyhow!("{}: not read: {reason}", self.name))?;
        if !status.success() {
            let reason = format!("{}: not a file in git", self.name);
            return Err(unless_partial(reason, &repository));
        }
        Ok(bytes)
    }

    /// Resolves the name to an object ID. The output of git is validated, because the next command
    /// receives the ID as an argument.
    fn id(self, repository: &Repository, folder: &Path) -> anyhow::Result<String> {
        let output = repository
            .git(folder)
            .args([
                "rev-parse",
                "--verify",
                "--quiet",
                "--end-of-options",
                self.name,
            ])
            .output()
            .map_err(not_run)?;
        let id = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let is_id = !id.is_empty() && id.chars().all(|c| c.is_ascii_hexdigit());
        if !output.status.success() || !is_id {
            let missing = PathError::missing(self.name, "a report");
            let reason = format!("{missing}, and git has no such revision or path");
            return Err(unless_partial(reason, repository));
        }
        Ok(id)
    }
}

/// Committer date of HEAD, in UTC, in the innermost repository around a folder. `None` if HEAD does
/// not contain the folder, git does not trust the repository, or git fails.
pub fn committer_day(folder: &Path) -> Option<Date> {
    let repository = Repository::found_around(folder).ok()?;
    let folder = physical(folder).ok()?;
    let below = work::name_of(folder.strip_prefix(repository.top()).ok()?);
    let mut objects = Blobs::start(&repository).ok()?;
    let tree = format!("HEAD:{}", below.to_str()?);
    objects.object(&tree, "tree").ok()??;
    let (_, commit) = objects.object("HEAD^{commit}", "commit").ok()??;
    Some(utc_day(time_of(&commit)?))
}

/// Committer time in the header of a commit.
fn time_of(commit: &[u8]) -> Option<Timestamp> {
    let text = String::from_utf8_lossy(commit);
    let mut header = text.lines().take_while(|line| !line.is_empty());
    let line = header.find_map(|line| line.strip_prefix("committer "))?;
    let seconds = line.rsplit(' ').nth(1)?.parse().ok()?;
    Timestamp::from_second(seconds).ok()
}

fn utc_day(time: Timestamp) -> Date {
    time.to_zoned(TimeZone::UTC).date()
}

/// A wrong name, unless the clone may lack the object.
fn unless_partial(reason: String, repository: &Repository) -> anyhow::Error {
    match repository.partial_hint() {
        "" => Mistake(reason).into(),
        hint => anyhow!("{reason}{hint}"),
    }
}

fn not_run(error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::NotFound => {
            anyhow!("git not found: install it, or add it to PATH")
        }
        _ => anyhow::Error::new(error).context("git could not be run"),
    }
}

#[cfg(test)]
mod tests {
    use super::Blob;

    #[test]
    fn a_colon_parts_revision_and_path() {
        let blob = Blob::parse("v1~2:a/b:c").map(|blob| blob.path);
        assert_eq!(blob, Some("a/b:c"));
        for name in ["a/b", ":a", "a:", ""] {
            assert_eq!(Blob::parse(name), None, "{name}");
        }
    }
}
