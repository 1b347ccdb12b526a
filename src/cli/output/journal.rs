//! Recovery from renames that a killed run left incomplete. A journal in the folder lists all
//! renames and is deleted after the README is written. The next run restores the previous state,
//! unless all changes were applied.
//!
//! A pull request can contain a crafted journal. Only reports in the same folder that still match
//! their digest are renamed, and only to unused names.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context as _, Error, anyhow, bail};
use serde::{Deserialize, Serialize};

use super::file;
use super::step::step;
use super::swap;
use crate::text::source::{Digest, MAX_FILE_BYTES};
use crate::tree::files::{FileKind, Folder, read_regular};
use crate::tree::leftover::{BETWEEN, JOURNAL, is_between, is_leftover, is_temporary};
use crate::tree::{is_readme, is_yaml};

const VERSION: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Journal {
    version: u32,
    renames: Vec<Rename>,
    readmes: Vec<Edit>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rename {
    pub from: String,
    pub to: String,
    pub of: String,
}

/// README change. `before` and `after` are digests of the README content.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Edit {
    pub name: String,
    pub before: String,
    pub after: String,
}

/// Orders the renames so that each new name is unused when its turn comes. In a cycle, one file
/// gets a temporary name. Names are compared case-insensitively.
pub(super) fn in_order(renames: &[Rename]) -> Vec<Rename> {
    let froms: BTreeMap<String, usize> = renames
        .iter()
        .enumerate()
        .map(|(at, rename)| (rename.from.to_lowercase(), at))
        .collect();
    let holder = |at: usize| froms.get(&renames[at].to.to_lowercase()).copied();
    let mut ordered = Vec::new();
    let mut seen = vec![false; renames.len()];
    for first in 0..renames.len() {
        let (mut chain, mut next) = (Vec::new(), Some(first));
        while let Some(at) = next.filter(|at| !seen[*at]) {
            seen[at] = true;
            chain.push(at);
            next = holder(at);
        }
        let round = next.filter(|at| chain.contains(at));
        let between = |at: usize| format!("{BETWEEN}{at}");
        if let Some(at) = round {
            let to = between(at);
            ordered.push(Rename {
                to,
                ..renames[at].clone()
            });
        }
        for at in chain.into_iter().rev() {
            let mut rename = renames[at].clone();
            if round == Some(at) {
                rename.from = between(at);
            }
            ordered.push(rename);
        }
    }
    ordered
}

impl Journal {
    pub(super) fn new(renames: Vec<Rename>, readmes: Vec<Edit>) -> Self {
        Self {
            version: VERSION,
            renames,
            readmes,
        }
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(JOURNAL);
        let context = || format!("{} cannot be written", path.display());
        let bytes = serde_json::to_vec_pretty(self).with_context(context)?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            bail!("too many files would be renamed at once");
        }
        step();
        let file = file::beside(&path, &bytes).with_context(context)?;
        step();
        let put = file.persist_noclobber(&path).map_err(|error| error.error);
        put.map(drop).with_context(context)
    }

    pub(super) fn remove(folder: &Path) -> Result<(), Error> {
        let path = folder.join(JOURNAL);
        step();
        fs::remove_file(&path).with_context(|| path.display().to_string())
    }

    fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(JOURNAL);
        let bytes = read_regular(&path, MAX_FILE_BYTES).map_err(|error| error.to_string());
        let journal = bytes
            .and_then(|bytes| {
                serde_json::from_slice::<Self>(&bytes).map_err(|error| error.to_string())
            })
            .map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
        match journal.version == VERSION && journal.names_only_reports() {
            true => Ok(journal),
            false => bail!("{}: not a journal of this version", path.display()),
        }
    }

    fn names_only_reports(&self) -> bool {
        let is_name = |name: &str| !name.contains(['/', '\\', '\0']);
        let is_report = |name: &str| is_name(name) && is_yaml(Path::new(name));
        let mut names = self.at_first().into_iter();
        let mut readmes = self.readmes.iter();
        let is_ours = |name: &str| is_between(name) || is_temporary(name);
        names.all(|(name, of)| is_report(name) || (of.is_none() && is_ours(name)))
            && readmes.all(|edit| is_readme(&edit.name))
    }

    /// Digest of each file before the first rename; `None` if the name was unused.
    fn at_first(&self) -> BTreeMap<&str, Option<&str>> {
        let mut names = BTreeMap::new();
        for rename in &self.renames {
            names.entry(&*rename.from).or_insert(Some(&*rename.of));
            names.entry(&*rename.to).or_insert(None);
        }
        names
    }

    /// Number of completed renames; `None` if the files match no intermediate state.
    fn made(&self, folder: &Path) -> Option<usize> {
        let mut expected = self.at_first();
        let names = expected.keys().map(|name| {
            let bytes = read_regular(&folder.join(name), MAX_FILE_BYTES).ok();
            (*name, bytes.map(|bytes| Digest::new(&bytes).to_string()))
        });
        let found: BTreeMap<&str, Option<String>> = names.collect();
        let is_other = |name: &str, expected: Option<&str>| {
            let found = found.get(name).and_then(Option::as_deref);
            usize::from(found != expected)
        };
        let mut others: usize = expected.iter().map(|(name, of)| is_other(name, *of)).sum();
        let mut made = (others == 0).then_some(0);
        for (at, rename) in self.renames.iter().enumerate() {
            for (name, of) in [(&rename.from, None), (&rename.to, Some(&*rename.of))] {
                let before = expected.insert(name, of).flatten();
                others = others - is_other(name, before) + is_other(name, of);
            }
            if others == 0 {
                made = Some(at + 1);
            }
        }
        made
    }

    fn has_readme_to_write(&self, folder: &Path) -> bool {
        self.readmes.iter().any(|edit| {
            let bytes = read_regular(&folder.join(&edit.name), MAX_FILE_BYTES);
            bytes.is_ok_and(|bytes| Digest::new(&bytes).to_string() == edit.before)
        })
    }
}

/// Restores the earlier names, unless all changes were applied. Waits for concurrent runs. If the
/// journal does not match the files, nothing is changed.
pub fn recover(folder: &Path) -> Result<(), Error> {
    let lock = File::open(folder).ok();
    let _ = lock.as_ref().map(File::lock);
    if fs::symlink_metadata(folder.join(JOURNAL)).is_ok() {
        go_back(folder).with_context(|| {
            format!(
                "an interrupted run left {}, which does not match the files next to it; check their names, then delete it",
                folder.join(JOURNAL).display()
            )
        })?;
    }
    for name in left_in(folder)? {
        if is_temporary(&name) {
            step();
            fs::remove_file(folder.join(name))?;
        }
    }
    Ok(())
}

fn go_back(folder: &Path) -> Result<(), Error> {
    let journal = Journal::read(folder)?;
    let made = journal
        .made(folder)
        .context("the files it names are missing or have changed")?;
    let is_done = made == journal.renames.len() && !journal.has_readme_to_write(folder);
    if !is_done {
        for rename in journal.renames[..made].iter().rev() {
            let [from, to] = [&rename.from, &rename.to].map(|name| folder.join(name));
            step();
            swap::rename_without_replacing(&to, &from)
                .with_context(|| format!("{} cannot be renamed", to.display()))?;
        }
    }
    Journal::remove(folder)
}

fn left_in(folder: &Path) -> Result<Vec<String>, Error> {
    let entries = Folder::open(folder)?.entries()?;
    let files = entries
        .iter()
        .filter(|entry| entry.kind() == FileKind::File);
    let names = files.filter_map(|entry| entry.path().file_name()?.to_str());
    Ok(names
        .filter(|name| is_leftover(name))
        .map(str::to_owned)
        .collect())
}
