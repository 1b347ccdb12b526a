//! Keeps foreign files when a folder is replaced. Before the swap, each file is hard-linked into
//! the new folder, or copied if the file system has no hard links, so readers can always open it.
//! After the swap, the old names are removed. Other entries are moved.

use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::Path;

use super::step::step;

pub(super) fn twin(from: &Path, to: &Path) -> io::Result<()> {
    let metadata = fs::symlink_metadata(from)?;
    if metadata.is_dir() {
        return twin_folder(from, to, &metadata);
    }
    step();
    if metadata.is_symlink() {
        return link_again(from, to);
    }
    fs::hard_link(from, to).or_else(|error| match metadata.is_file() {
        true => copy(from, to),
        false => Err(error),
    })
}

fn twin_folder(from: &Path, to: &Path, metadata: &Metadata) -> io::Result<()> {
    let permissions = metadata.permissions();
    if permissions.readonly() {
        // A copy of a read-only folder would not accept files.
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    step();
    let is_new = match fs::create_dir(to) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
        made => made.map(|()| true)?,
    };
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        twin(&entry.path(), &to.join(entry.file_name()))?;
    }
    match is_new {
        true => fs::set_permissions(to, permissions),
        false => Ok(()),
    }
}

#[cfg(unix)]
fn link_again(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(fs::read_link(from)?, to)
}

/// Windows distinguishes links to files and to folders, so links are not recreated.
#[cfg(not(unix))]
fn link_again(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to).map(drop).inspect_err(|_| {
        let _ = fs::remove_file(to);
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangedFilePolicy {
    Keep,
    /// Removes a file that changed after it was hard-linked or copied.
    Remove,
}

pub(super) fn take_over(from: &Path, to: &Path, policy: ChangedFilePolicy) -> io::Result<()> {
    let Ok(there) = fs::symlink_metadata(to) else {
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        step();
        return fs::rename(from, to);
    };
    let here = fs::symlink_metadata(from)?;
    if here.is_dir() && there.is_dir() {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            take_over(&entry.path(), &to.join(entry.file_name()), policy)?;
        }
        step();
        return fs::remove_dir(from);
    }
    if !here.is_dir() && (policy == ChangedFilePolicy::Remove || is_same(from, &here, to, &there)?)
    {
        step();
        return fs::remove_file(from);
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!("{} blocks {}", to.display(), from.display()),
    ))
}

fn is_same(a: &Path, of_a: &Metadata, b: &Path, of_b: &Metadata) -> io::Result<bool> {
    if is_one(of_a, of_b) {
        return Ok(true);
    }
    if of_a.is_symlink() && of_b.is_symlink() {
        return Ok(fs::read_link(a)? == fs::read_link(b)?);
    }
    if !of_a.is_file() || !of_b.is_file() || of_a.len() != of_b.len() {
        return Ok(false);
    }
    let open = |path| fs::File::open(path).map(|file| io::BufReader::new(file).bytes());
    let (mut a, mut b) = (open(a)?, open(b)?);
    loop {
        match (a.next().transpose()?, b.next().transpose()?) {
            (None, None) => return Ok(true),
            (byte, other) if byte == other => {}
            _ => return Ok(false),
        }
    }
}

#[cfg(unix)]
fn is_one(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// The standard library has no stable API for file IDs on this platform, so no files are treated as
/// equal.
#[cfg(not(unix))]
fn is_one(_: &Metadata, _: &Metadata) -> bool {
    false
}
