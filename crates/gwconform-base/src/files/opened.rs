//! Opens files with `openat`, relative to their open parent folder.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{self, AtFlags, CWD, Dir, FileType, Mode, OFlags};

use super::{FileKind, Opened, ReadError};

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);

#[derive(Debug)]
pub(super) struct Handle(OwnedFd);

impl Handle {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(fs::openat(CWD, path, FOLDER, Mode::empty())?))
    }

    pub(super) fn again(&self) -> io::Result<Self> {
        Ok(Self(self.0.try_clone()?))
    }

    pub(super) fn folder(&self, _: &Path, name: &OsStr) -> io::Result<Self> {
        let flags = FOLDER.union(OFlags::NOFOLLOW);
        Ok(Self(fs::openat(&self.0, name, flags, Mode::empty())?))
    }

    pub(super) fn file(&self, _: &Path, name: &OsStr) -> Result<Opened, ReadError> {
        open_at(&self.0, Path::new(name))
    }

    pub(super) fn kind_of(&self, _: &Path, name: &OsStr) -> io::Result<FileKind> {
        let stat = fs::statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(kind(FileType::from_raw_mode(stat.st_mode)))
    }

    pub(super) fn link_target(&self, _: &Path, name: &OsStr) -> io::Result<PathBuf> {
        let target = fs::readlinkat(&self.0, name, Vec::new())?;
        Ok(PathBuf::from(OsString::from_vec(target.into_bytes())))
    }

    pub(super) fn names(&self, path: &Path) -> io::Result<Vec<(OsString, FileKind)>> {
        let mut names = Vec::new();
        let mut entries = Dir::new(self.0.try_clone()?)?;
        // The copy shares the position of the last listing.
        entries.rewind();
        for entry in entries {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not report the type. Skip entries that have vanished.
                FileType::Unknown => match self.kind_of(path, name) {
                    Ok(kind) => kind,
                    Err(_) => continue,
                },
                known => kind(known),
            };
            names.push((name.to_owned(), kind));
        }
        Ok(names)
    }
}

pub(super) fn open_regular(path: &Path) -> Result<Opened, ReadError> {
    open_at(CWD, path)
}

/// Opening a device can have side effects. Check the type first, then check that the same file was
/// opened.
fn open_at(folder: impl std::os::fd::AsFd, name: &Path) -> Result<Opened, ReadError> {
    let seen = fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW).map_err(io::Error::from)?;
    let there = kind(FileType::from_raw_mode(seen.st_mode));
    if there != FileKind::File {
        return Err(ReadError::NotAFile(there));
    }
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = match fs::openat(&folder, name, flags, Mode::empty()) {
        Err(rustix::io::Errno::LOOP) => return Err(ReadError::Replaced),
        opened => opened.map_err(io::Error::from)?,
    };
    let found = fs::fstat(&opened).map_err(io::Error::from)?;
    let is_file = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile;
    if !is_file || (found.st_dev, found.st_ino) != (seen.st_dev, seen.st_ino) {
        return Err(ReadError::Replaced);
    }
    Ok(Opened {
        file: opened.into(),
        length: u64::try_from(found.st_size).unwrap_or(0),
    })
}

fn kind(file_type: FileType) -> FileKind {
    match file_type {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Folder,
        FileType::Symlink => FileKind::Link,
        _ => FileKind::Special,
    }
}
