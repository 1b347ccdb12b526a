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

use anyhow::{Context, anyhow};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::cli::Mistake;
use gwconform_base::files::PathError;
use gwconform_base::text::source::MAX_FILE_BYTES;

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
        let arguments = ["cat-file", "blob", &id];
        let output = repository
            .run(folder, &arguments, MAX_FILE_BYTES)
            .with_context(|| format!("{}: not read", self.name))?;
        if !output.status.success() {
            let reason = format!("{}: not a file in git", self.name);
            return Err(unless_partial(reason, &repository));
        }
        Ok(output.stdout)
    }

    /// Resolves the name to an object ID. The output of git is validated, because the next command
    /// receives the ID as an argument.
    fn id(self, repository: &Repository, folder: &Path) -> anyhow::Result<String> {
        let arguments = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            self.name,
        ];
        let output = repository.run(folder, &arguments, MAX_OUTPUT)?;
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
/// not contain the folder, git does not trust the repository, or git fails. Only a silent git is an
/// error.
pub fn committer_day(folder: &Path) -> anyhow::Result<Option<Date>> {
    let found =
        Repository::found_around(folder).and_then(|repository| day_of_head(&repository, folder));
    match found {
        Err(error) if is_silence(&error) => Err(error),
        found => Ok(found.ok().flatten()),
    }
}

fn day_of_head(repository: &Repository, folder: &Path) -> anyhow::Result<Option<Date>> {
    let folder = physical(folder)?;
    let below = work::name_of(folder.strip_prefix(repository.top())?);
    let mut objects = Blobs::start(repository)?;
    let tree = format!("HEAD:{}", below.display());
    if objects.object(&tree, "tree")?.is_none() {
        return Ok(None);
    }
    let commit = objects.object("HEAD^{commit}", "commit")?;
    Ok(commit.and_then(|(_, commit)| Some(utc_day(time_of(&commit)?))))
}

fn is_silence(error: &anyhow::Error) -> bool {
    let mut causes = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::TimedOut)
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
    time.to_zoned_datetime(TimeZone::UTC).date()
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
    use super::*;

    #[cfg(unix)]
    #[test]
    fn ends_git_if_a_file_of_the_repository_is_a_pipe() {
        use std::process::Command;
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().canonicalize().unwrap();
        let run = |line: &str| {
            let mut words = line.split(' ');
            let mut command = Command::new(words.next().unwrap());
            command
                .args(words)
                .current_dir(&folder)
                .env("HOME", &folder);
            assert!(command.status().unwrap().success(), "{line}");
        };
        run("git init --quiet --initial-branch=main");
        run("mkfifo .git/index .git/packed-refs");
        let mut repository = Repository::around(&folder).unwrap();
        // Git never gets an answer from a pipe, so any time is long enough.
        repository.patience = std::time::Duration::from_millis(20);
        let status = repository.run(&folder, &["status", "--porcelain"], MAX_OUTPUT);
        let refs = Blobs::start(&repository).unwrap().object("HEAD", "commit");
        for (error, command) in [
            (status.err(), "status --porcelain"),
            (refs.err(), "cat-file --batch"),
        ] {
            let error = error.unwrap();
            assert!(is_silence(&error));
            let expected = format!(
                "`git {command}` printed nothing for 20ms and was ended; run it by hand to see why"
            );
            assert_eq!(error.root_cause().to_string(), expected);
        }
    }

    #[test]
    fn splits_revision_and_path_at_the_colon() {
        let blob = Blob::parse("v1~2:a/b:c").map(|blob| blob.path);
        assert_eq!(blob, Some("a/b:c"));
        for name in ["a/b", ":a", "a:", ""] {
            assert_eq!(Blob::parse(name), None, "{name}");
        }
    }
}
