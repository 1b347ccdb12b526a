use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use crate::cli::{Failure, Streams};
use crate::release::import::{EntryKind, Sources, Unread};
use crate::text::visible;
use crate::tree::files::{FileKind, Folder, PathError};
use crate::tree::name_of;

/// Maximum bytes read from a file. The parser has lower limits.
const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;
/// Maximum entries in a folder. The suite has about 200 tests.
const MAX_NAMES: usize = 20_000;

/// Folders of the Gateway API that contain release data.
const PARTS: [&str; 2] = ["config/crd", "conformance"];

pub struct Checkout(Folder);

impl Checkout {
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        let opened = Folder::open(folder);
        let shown = folder.display().to_string();
        let opened = opened
            .map_err(|error| PathError::new(&shown, error, "a checkout of the Gateway API"))
            .context("--checkout")?;
        let checkout = Self(opened);
        let is_missing = |folder| matches!(checkout.below(folder), Ok(None));
        if PARTS.into_iter().all(is_missing) {
            return Err(Failure::Usage(anyhow!(
                "--checkout: {} is not a checkout of the Gateway API: it has neither {}",
                folder.display(),
                PARTS.join(" nor ")
            )));
        }
        Ok(checkout)
    }

    fn below(&self, path: &str) -> Result<Option<Folder>, String> {
        let mut at = self
            .0
            .folder(Path::new(""))
            .map_err(|error| error.to_string())?;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            match at.kind_of(name.as_ref()) {
                Ok(FileKind::Folder) => {}
                Ok(kind) => return Err(format!("{name} is {kind}; expected a folder")),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error.to_string()),
            }
            at = at
                .folder(Path::new(name))
                .map_err(|error| error.to_string())?;
        }
        Ok(Some(at))
    }
}

impl Sources for Checkout {
    fn entries(&self, folder: &str) -> Result<Option<Vec<(String, EntryKind)>>, String> {
        let Some(opened) = self.below(folder)? else {
            return Ok(None);
        };
        let entries = opened.entries().map_err(|error| error.to_string())?;
        if entries.len() > MAX_NAMES {
            return Err(format!("it has more than {MAX_NAMES} names"));
        }
        let entries = entries
            .iter()
            .map(|entry| (name_of(entry.path()), kind_of_entry(entry.kind())));
        Ok(Some(entries.collect()))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let read = self.0.read(Path::new(path), MAX_FILE_BYTES);
        read.map_err(|error| error.to_string())
    }
}

fn kind_of_entry(kind: FileKind) -> EntryKind {
    match kind {
        FileKind::File => EntryKind::File,
        FileKind::Folder => EntryKind::Folder,
        FileKind::Link => EntryKind::Link,
        FileKind::Special => EntryKind::Special,
    }
}

/// Maximum problems to print. The others are only counted.
const MAX_PROBLEMS: usize = 50;

pub(super) fn list_problems(problems: &[Unread], streams: &mut Streams<'_>) -> Result<(), Failure> {
    for problem in problems.iter().take(MAX_PROBLEMS) {
        writeln!(streams.stderr, "{}", visible(&problem.to_string()))?;
    }
    Ok(())
}

pub(super) fn pairs<'a>(
    checkouts: &'a [PathBuf],
    references: &'a [String],
) -> Result<Vec<(&'a Path, Option<&'a str>)>, Failure> {
    let folders = checkouts.iter().map(PathBuf::as_path);
    let tags = references.iter().map(String::as_str);
    match (checkouts, references.len()) {
        (_, 0) => Ok(folders.map(|folder| (folder, None)).collect()),
        ([only], _) => Ok(tags.map(|tag| (only.as_path(), Some(tag))).collect()),
        (all, count) if all.len() == count => Ok(folders.zip(tags.map(Some)).collect()),
        _ => Err(Failure::Usage(anyhow!(
            "--checkout {} times and --ref {} times; expected one --checkout, or one for each --ref",
            checkouts.len(),
            references.len()
        ))),
    }
}
