use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, bail};
use serde::{Deserialize, Serialize};

use crate::text::source::MAX_FILE_BYTES;
use crate::tree::files::read_regular;

pub(super) const NAME: &str = ".gwconform-manifest.json";

/// Empty file that marks a folder as incomplete.
pub(super) const UNFINISHED: &str = ".gwconform-unfinished";

pub(super) const LIST_SUFFIX: &str = ".json";

const VERSION: u32 = 1;

/// Maximum size of a manifest: about a million files.
const MAX_BYTES: u64 = 16 * MAX_FILE_BYTES;

#[derive(Debug, Default)]
pub(super) struct Manifest {
    files: BTreeSet<String>,
    folders: BTreeSet<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ManifestFile {
    version: u32,
    files: BTreeSet<String>,
}

impl Manifest {
    pub(super) fn new(files: BTreeSet<String>) -> Self {
        let mut folders = BTreeSet::new();
        for file in &files {
            let ends = file.match_indices('/').map(|(at, _)| at);
            folders.extend(ends.map(|end| file[..end].to_owned()));
        }
        Self { files, folders }
    }

    /// `None` if the folder has no manifest. An invalid manifest or a path outside the folder is an
    /// error.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, Error> {
        let path = folder.join(NAME);
        let bytes = match read_regular(&path, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.is_missing() => return Ok(None),
            Err(error) => bail!("{}: {error}", path.display()),
        };
        let written = serde_json::from_slice::<ManifestFile>(&bytes)
            .ok()
            .filter(|written| written.version == VERSION)
            .filter(|written| written.files.iter().all(|path| is_inside(path)));
        match written {
            Some(written) => Ok(Some(Self::new(written.files))),
            None => bail!(
                "{} cannot be read, so the files to replace are unknown; choose a new folder",
                path.display()
            ),
        }
    }

    pub(super) fn to_json(&self) -> String {
        let written = ManifestFile {
            version: VERSION,
            files: self.files.clone(),
        };
        crate::text::json::to_string_pretty(&written).unwrap_or_default() + "\n"
    }

    pub(super) fn count(&self) -> usize {
        self.files.len()
    }

    pub(super) fn has(&self, path: &str) -> bool {
        path == NAME || self.files.contains(path)
    }

    pub(super) fn has_folder(&self, path: &str) -> bool {
        self.folders.contains(path)
    }
}

pub(super) fn is_unfinished(folder: &Path) -> bool {
    std::fs::symlink_metadata(folder.join(UNFINISHED)).is_ok_and(|metadata| metadata.is_file())
}

pub(super) fn begin(folder: &Path) -> std::io::Result<()> {
    std::fs::write(folder.join(UNFINISHED), "")
}

pub(super) fn finish(folder: &Path) -> Result<(), Error> {
    remove_if_there(&folder.join(UNFINISHED))
}

/// Foreign files that were carried over to a new folder. The list is stored next to that folder.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Carried {
    carried: BTreeSet<String>,
}

impl Carried {
    /// A truncated list is ignored, because the folder is also incomplete.
    pub(super) fn add_from(&mut self, list: &Path) {
        let bytes = read_regular(list, MAX_BYTES).ok();
        let read = bytes.and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok());
        self.carried.extend(read.unwrap_or_default().carried);
    }

    pub(super) fn write(&self, folder: &Path) -> std::io::Result<()> {
        std::fs::write(list_of(folder), serde_json::to_vec(self)?)
    }

    pub(super) fn remove(folder: &Path) -> Result<(), Error> {
        remove_if_there(&list_of(folder))
    }

    pub(super) fn add(&mut self, path: String) {
        self.carried.insert(path);
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.carried.contains(path)
    }
}

fn list_of(folder: &Path) -> PathBuf {
    let mut path = folder.as_os_str().to_owned();
    path.push(LIST_SUFFIX);
    path.into()
}

fn remove_if_there(path: &Path) -> Result<(), Error> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| path.display().to_string())
        }
        _ => Ok(()),
    }
}

fn is_inside(path: &str) -> bool {
    let is_name = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0']);
    path.split('/').all(is_name)
}
