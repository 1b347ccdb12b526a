//! Opens files on systems without `openat`. Checks each name before and after opening it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::{FileKind, Opened, ReadError};

#[derive(Debug)]
pub(super) struct Handle;

impl Handle {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if fs::metadata(path)?.is_dir() {
            Ok(Self)
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
    pub(super) fn again(&self) -> io::Result<Self> {
        Ok(Self)
    }

    pub(super) fn folder(&self, path: &Path, name: &OsStr) -> io::Result<Self> {
        match self.kind_of(path, name)? {
            FileKind::Folder => Ok(Self),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn file(&self, path: &Path, name: &OsStr) -> Result<Opened, ReadError> {
        open_regular(&path.join(name))
    }

    pub(super) fn kind_of(&self, path: &Path, name: &OsStr) -> io::Result<FileKind> {
        Ok(FileKind::new(
            fs::symlink_metadata(path.join(name))?.file_type(),
        ))
    }

    pub(super) fn link_target(&self, path: &Path, name: &OsStr) -> io::Result<PathBuf> {
        fs::read_link(path.join(name))
    }

    pub(super) fn names(&self, path: &Path) -> io::Result<Vec<(OsString, FileKind)>> {
        // Skip entries that have vanished.
        let names = fs::read_dir(path)?
            .flatten()
            .filter_map(|entry| Some((entry.file_name(), FileKind::new(entry.file_type().ok()?))));
        Ok(names.collect())
    }
}

#[allow(
    clippy::disallowed_methods,
    reason = "all other code must call this function"
)]
pub(super) fn open_regular(path: &Path) -> Result<Opened, ReadError> {
    let there = FileKind::new(fs::symlink_metadata(path)?.file_type());
    if there != FileKind::File {
        return Err(ReadError::NotAFile(there));
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() {
        Ok(Opened {
            file,
            length: metadata.len(),
        })
    } else {
        Err(ReadError::Replaced)
    }
}
