//! Reads the files of a commit from a checkout or a git directory. Nothing is checked out or
//! written.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, anyhow, bail};

use super::{Blobs, COMMITTER, Repository, not_run, time_of, unless_partial, utc_day};
use crate::cli::Failure;
use crate::release::import::{EntryKind, Sources};

/// Maximum bytes of git output, which is enough for about 100,000 files.
const MAX_OUTPUT: u64 = 16 * 1024 * 1024;
/// Maximum bytes in a path. Each parent folder is stored as a separate path, so the limit bounds
/// memory.
const MAX_PATH: usize = 1024;
/// Maximum bytes of a commit or tag.
const MAX_HEADER: u64 = 1024 * 1024;
const FOLDERS: [&str; 3] = ["config/crd", "conformance", "pkg"];

/// Entries by folder path, each with name, kind and object ID.
type Folders = BTreeMap<String, Vec<(String, EntryKind, String)>>;

pub struct Commit {
    pub id: String,
    folders: Folders,
    blobs: RefCell<Blobs>,
    /// Date of the annotated tag, or of the commit. `None` if the date is invalid.
    pub date: Option<jiff::civil::Date>,
}

pub struct Named {
    repository: Repository,
}

impl Named {
    pub fn open(folder: &Path) -> anyhow::Result<Self> {
        let repository = Repository::named(folder)?;
        Ok(Self { repository })
    }

    /// Names that start with `-` are rejected, because git would interpret them as options.
    pub fn has(&self, name: &str) -> anyhow::Result<bool> {
        Ok(self.id(&format!("{name}^{{commit}}"))?.is_some())
    }

    pub fn commit(&self, name: &str) -> Result<Commit, Failure> {
        if name.is_empty() || name.starts_with('-') {
            return Err(Failure::Usage(anyhow!(
                "--ref: `{name}` is not a revision; expected a tag, a branch or a commit, such as v1.6.1"
            )));
        }
        Ok(self.open_commit(name)?)
    }

    fn open_commit(&self, name: &str) -> anyhow::Result<Commit> {
        let Some(commit) = self.id(&format!("{name}^{{commit}}"))? else {
            let reason = format!(
                "--ref: unknown commit `{name}`; expected a tag, a branch or a commit of {}",
                self.repository.top().display(),
            );
            return Err(unless_partial(reason, &self.repository));
        };
        let named = self.id(name)?.unwrap_or_else(|| commit.clone());
        let mut listing = vec!["ls-tree", "-r", "-z", "--full-tree", commit.as_str(), "--"];
        listing.extend(FOLDERS);
        let listed = self.output(&listing, MAX_OUTPUT)?;
        Ok(Commit {
            folders: folders(&listed)?,
            blobs: RefCell::new(Blobs::start(&self.repository)?),
            date: self.date(&named, &commit)?,
            id: commit,
        })
    }

    fn id(&self, name: &str) -> anyhow::Result<Option<String>> {
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", name];
        self.repository.id(self.repository.top(), &arguments)
    }

    fn date(&self, named: &str, commit: &str) -> anyhow::Result<Option<jiff::civil::Date>> {
        let (kind, id, word) = match named == commit {
            true => ("commit", commit, COMMITTER),
            false => ("tag", named, "tagger "),
        };
        let object = self.output(&["cat-file", kind, id], MAX_HEADER)?;
        Ok(time_of(&object, word).map(utc_day))
    }

    fn output(&self, arguments: &[&str], most: u64) -> anyhow::Result<Vec<u8>> {
        let mut child = self
            .repository
            .git(self.repository.top())
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(not_run)?;
        let mut bytes = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            stdout.take(most + 1).read_to_end(&mut bytes)?;
        }
        let status = child.wait().context("git did not end")?;
        if bytes.len() as u64 > most {
            bail!("`git {}` printed too much", arguments.join(" "));
        }
        if !status.success() {
            bail!(
                "`git {}` failed; run it by hand to see why{}",
                arguments.join(" "),
                self.repository.partial_hint()
            );
        }
        Ok(bytes)
    }
}

fn folders(listed: &[u8]) -> anyhow::Result<Folders> {
    let mut folders: Folders = BTreeMap::new();
    for line in listed
        .split(|&byte| byte == 0)
        .filter(|line| !line.is_empty())
    {
        let line = String::from_utf8_lossy(line);
        let parts = line.split_once('\t');
        let parts = parts.map(|(head, path)| (head.split(' ').collect::<Vec<_>>(), path));
        let Some(([mode, _, id], path)) =
            parts.as_ref().map(|(head, path)| (head.as_slice(), *path))
        else {
            bail!("unexpected output of git: `{line}`");
        };
        if path.len() > MAX_PATH {
            let start: String = path.chars().take(80).collect();
            bail!("a path longer than {MAX_PATH} bytes in the commit: `{start}…`");
        }
        let kind = match mode.get(..3) {
            Some("100") => EntryKind::File,
            Some("120") => EntryKind::Link,
            _ => EntryKind::Special,
        };
        let (mut folder, mut name) = path.rsplit_once('/').unwrap_or(("", path));
        let mut entry = (kind, (*id).to_owned());
        loop {
            let entries = folders.entry(folder.to_owned()).or_default();
            let is_there = entries.last().is_some_and(|(last, ..)| last == name);
            if !is_there {
                entries.push((name.to_owned(), entry.0, entry.1));
            }
            if folder.is_empty() || is_there {
                break;
            }
            (folder, name) = folder.rsplit_once('/').unwrap_or(("", folder));
            entry = (EntryKind::Folder, String::new());
        }
    }
    Ok(folders)
}

impl Sources for Commit {
    fn entries(&self, folder: &str) -> Result<Option<Vec<(String, EntryKind)>>, String> {
        if let Some(entries) = self.folders.get(folder) {
            let entries = entries.iter().map(|(name, kind, _)| (name.clone(), *kind));
            return Ok(Some(entries.collect()));
        }
        let mut above = folder;
        while let Some((parent, name)) = above
            .rsplit_once('/')
            .or((!above.is_empty()).then_some(("", above)))
        {
            let entries = self.folders.get(parent).into_iter().flatten();
            let mut kinds = entries
                .filter(|(entry, ..)| entry == name)
                .map(|(_, kind, _)| *kind);
            if let Some(kind) = kinds.find(|kind| *kind != EntryKind::Folder) {
                return Err(format!("{above} is {kind}; expected a folder"));
            }
            above = parent;
        }
        Ok(None)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let entries = self.folders.get(folder).into_iter().flatten();
        let mut found = entries.filter(|(entry, ..)| entry == name);
        match found.next() {
            Some((_, EntryKind::File, id)) => {
                let read = self.blobs.borrow_mut().read(id);
                read.map_err(|error| format!("{error:#}"))?
            }
            Some((_, kind, _)) => Err(format!("it is {kind}; expected a regular file")),
            None => Err("no such file or folder".to_owned()),
        }
    }
}
