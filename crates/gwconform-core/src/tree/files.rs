//! Opens files and folders that a pull request may have put there: regular files only, never through a
//! link, without waiting for a pipe, and below a folder that is held open, so that no other can take
//! its place meanwhile.
//!
//! Where the system has `openat`, each step goes from the folder that is open, and none through a
//! link. Elsewhere names are looked at before they are opened.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::text::source::MAX_FILE_BYTES;

mod earlier;
mod memory;
#[cfg(not(unix))]
#[path = "files/named.rs"]
mod system;
#[cfg(unix)]
#[path = "files/opened.rs"]
mod system;

pub use earlier::{EarlierFiles, Former};
pub use memory::{MemoryFiles, MemoryPathError};

/// An error of the system, in the same words on all of them.
fn system_error(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        kind => kind.to_string(),
    }
}

/// Why a path that a person named cannot be used: the system refuses, or nothing is there. One
/// wording for all commands, with what was looked for, such as `a reports tree`.
pub fn path_error(shown: &str, error: &io::Error, expected: &str) -> String {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => not_there(shown, expected),
        _ => format!("{shown}: {}", system_error(error)),
    }
}

/// Says that nothing is at a path that a person named ([`path_error`]).
pub fn not_there(shown: &str, expected: &str) -> String {
    format!("{shown}: no such file or folder; expected {expected}")
}

/// Why a file was not read, as a clause that follows "not read:".
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system refuses.
    #[error("{}", system_error(.0))]
    System(#[from] io::Error),
    /// It is something else than a file.
    #[error("it is {0}; expected a regular file")]
    NotAFile(FileKind),
    /// Another file took its place between the first look and the opening.
    #[error("it was replaced while it was read")]
    Replaced,
    /// It has more bytes than are read.
    #[error("it is larger than {} MiB", .most / (1024 * 1024))]
    TooLarge {
        /// How many are read.
        most: u64,
    },
}

impl ReadError {
    /// True where nothing is at the path.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::System(error) if error.kind() == io::ErrorKind::NotFound)
    }

    /// Why a file that a person named was not read, in the words of [`path_error`] where it is not
    /// there.
    pub fn of_named(&self, shown: &str, expected: &str) -> String {
        match self {
            Self::System(error) => path_error(shown, error, expected),
            reason => format!("{shown}: not read: {reason}"),
        }
    }
}

/// What a name in a folder is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link, whatever it leads to.
    Link,
    /// A pipe, a socket or a device.
    Special,
}

impl std::fmt::Display for FileKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::File => "a regular file",
            Self::Folder => "a folder",
            Self::Link => "a symbolic link",
            Self::Special => "a pipe, a socket or a device",
        })
    }
}

/// Opens a regular file. A symbolic link is refused, and so is all that is not a regular file.
///
/// # Errors
/// Why it was not opened.
pub fn open_regular(path: &Path) -> Result<File, ReadError> {
    Ok(system::open_regular(path)?.file)
}

/// A regular file that is open.
struct Opened {
    file: File,
    /// Its bytes when it was opened.
    length: u64,
}

/// Reads a regular file ([`open_regular`]) of at most a number of bytes.
///
/// # Errors
/// Why it was not read, as a clause that follows "not read:".
pub fn read_regular(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    read_file(&system::open_regular(path)?, most)
}

fn read_file(opened: &Opened, most: u64) -> Result<Vec<u8>, ReadError> {
    // One more byte shows at once that the file ends there.
    let room = opened.length.min(most) + 1;
    fill(Vec::with_capacity(room as usize), &opened.file, most)
}

/// Reads a stream up to [`MAX_FILE_BYTES`].
///
/// # Errors
/// The error of the system, or that there is more; in words that follow "not read:".
pub fn read_bounded(stream: impl Read) -> Result<Vec<u8>, ReadError> {
    read_up_to(stream, MAX_FILE_BYTES)
}

/// Reads a stream up to a number of bytes.
///
/// # Errors
/// See [`read_bounded`].
pub fn read_up_to(stream: impl Read, most: u64) -> Result<Vec<u8>, ReadError> {
    fill(Vec::new(), stream, most)
}

fn fill(mut bytes: Vec<u8>, stream: impl Read, most: u64) -> Result<Vec<u8>, ReadError> {
    stream.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(ReadError::TooLarge { most });
    }
    Ok(bytes)
}

/// Where files are. All that a tree is walked and read through, so that files in memory are the same
/// to it as those of a disk.
#[derive(Debug, Clone, Default)]
pub enum Files {
    /// On the disk.
    #[default]
    Disk,
    /// In memory.
    Memory(Arc<MemoryFiles>),
    /// As they were before a change.
    Earlier(Arc<EarlierFiles>),
}

impl From<MemoryFiles> for Files {
    fn from(files: MemoryFiles) -> Self {
        Self::Memory(Arc::new(files))
    }
}

impl From<EarlierFiles> for Files {
    fn from(files: EarlierFiles) -> Self {
        Self::Earlier(Arc::new(files))
    }
}

impl Files {
    /// Opens a folder by its path; links on the way are followed.
    ///
    /// # Errors
    /// When there is none, or the system refuses.
    pub fn folder(&self, path: &Path) -> io::Result<Folder> {
        let handle = match self {
            Self::Disk => Handle::Disk(system::Handle::open(path)?),
            Self::Memory(files) => {
                files.check_folder(path)?;
                Handle::Memory(Arc::clone(files))
            }
            Self::Earlier(files) => {
                let now = files.now().folder(path).map(|folder| folder.handle);
                Handle::earlier(files, path, now)?
            }
        };
        Ok(Folder {
            path: path.to_owned(),
            handle,
        })
    }

    /// Reads a regular file of at most a number of bytes; a link is refused.
    ///
    /// # Errors
    /// Why it was not read, as a clause that follows "not read:".
    pub fn read(&self, path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
        match self {
            Self::Disk => read_regular(path, most),
            Self::Memory(files) => read_up_to(files.open(path)?, most),
            Self::Earlier(files) => match files.read(path, most) {
                Some(read) => read,
                None => files.now().read(path, most),
            },
        }
    }

    /// What is at a path; a link is not followed.
    ///
    /// # Errors
    /// When there is nothing, or the system refuses.
    pub fn kind_of(&self, path: &Path) -> io::Result<FileKind> {
        match self {
            Self::Disk => Ok(FileKind::new(std::fs::symlink_metadata(path)?.file_type())),
            Self::Memory(files) => files.kind_of(path),
            Self::Earlier(files) => match files.known_kind(path) {
                Some(kind) => kind,
                None => files.now().kind_of(path),
            },
        }
    }

    /// What is at a path, or at the end of the links there.
    ///
    /// # Errors
    /// When there is nothing, or the system refuses.
    pub fn kind_behind(&self, path: &Path) -> io::Result<FileKind> {
        match self {
            Self::Disk => Ok(FileKind::new(std::fs::metadata(path)?.file_type())),
            Self::Memory(files) => files.kind_of(path),
            Self::Earlier(files) => match files.known_kind_behind(path) {
                Some(kind) => kind,
                None => files.now().kind_behind(path),
            },
        }
    }

    /// True when a path, or one below it, was another before a change.
    pub(crate) fn are_changed_below(&self, path: &Path) -> bool {
        match self {
            Self::Disk | Self::Memory(_) => false,
            Self::Earlier(files) => files.are_changed_below(path),
        }
    }

    /// The entries of a folder in the order of their names.
    ///
    /// # Errors
    /// When there is none, or it cannot be listed.
    pub fn entries(&self, path: &Path) -> io::Result<Vec<FolderEntry>> {
        self.folder(path)?.entries()
    }
}

impl FileKind {
    fn new(file_type: std::fs::FileType) -> Self {
        if file_type.is_file() {
            Self::File
        } else if file_type.is_dir() {
            Self::Folder
        } else if file_type.is_symlink() {
            Self::Link
        } else {
            Self::Special
        }
    }
}

/// A folder that is held open.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    handle: Handle,
}

#[derive(Debug)]
enum Handle {
    Disk(system::Handle),
    Memory(Arc<MemoryFiles>),
    /// With the same folder as it is now, where it is there.
    Earlier(Arc<EarlierFiles>, Option<Box<Handle>>),
}

impl Handle {
    /// A folder as it was.
    fn earlier(files: &Arc<EarlierFiles>, path: &Path, now: io::Result<Self>) -> io::Result<Self> {
        let now = match (files.known_kind(path), now) {
            (Some(Err(error)), _) | (None, Err(error)) => return Err(error),
            (Some(Ok(FileKind::Folder)) | None, now) => now.ok().map(Box::new),
            (Some(Ok(_)), _) => return Err(io::ErrorKind::NotADirectory.into()),
        };
        Ok(Self::Earlier(Arc::clone(files), now))
    }

    fn again(&self) -> io::Result<Self> {
        Ok(match self {
            Self::Disk(handle) => Self::Disk(handle.again()?),
            Self::Memory(files) => Self::Memory(Arc::clone(files)),
            Self::Earlier(files, now) => {
                let now = now.as_ref().map(|now| now.again()).transpose()?;
                Self::Earlier(Arc::clone(files), now.map(Box::new))
            }
        })
    }

    /// Opens the folder with a name in this one, which has a path; a link is refused.
    fn folder(&self, path: &Path, name: &OsStr) -> io::Result<Self> {
        match self {
            Self::Disk(handle) => Ok(Self::Disk(handle.folder(path, name)?)),
            Self::Memory(files) => {
                files.check_folder(&path.join(name))?;
                Ok(Self::Memory(Arc::clone(files)))
            }
            Self::Earlier(files, now) => {
                let now = now.as_ref().map(|now| now.folder(path, name));
                let now = now.unwrap_or_else(|| Err(io::ErrorKind::NotFound.into()));
                Self::earlier(files, &path.join(name), now)
            }
        }
    }

    fn read(&self, path: &Path, name: &OsStr, most: u64) -> Result<Vec<u8>, ReadError> {
        match self {
            Self::Disk(handle) => read_file(&handle.file(path, name)?, most),
            Self::Memory(files) => read_up_to(files.open(&path.join(name))?, most),
            Self::Earlier(files, now) => match (files.read(&path.join(name), most), now) {
                (Some(read), _) => read,
                (None, Some(now)) => now.read(path, name, most),
                (None, None) => Err(io::Error::from(io::ErrorKind::NotFound).into()),
            },
        }
    }

    fn kind_of(&self, path: &Path, name: &OsStr) -> io::Result<FileKind> {
        match self {
            Self::Disk(handle) => handle.kind_of(path, name),
            Self::Memory(files) => files.kind_of(&path.join(name)),
            Self::Earlier(files, now) => match (files.known_kind(&path.join(name)), now) {
                (Some(kind), _) => kind,
                (None, Some(now)) => now.kind_of(path, name),
                (None, None) => Err(io::ErrorKind::NotFound.into()),
            },
        }
    }

    fn link_target(&self, path: &Path, name: &OsStr) -> io::Result<PathBuf> {
        match self {
            Self::Disk(handle) => handle.link_target(path, name),
            Self::Memory(_) => Err(io::ErrorKind::InvalidInput.into()),
            Self::Earlier(files, now) => match (files.link_target(&path.join(name)), now) {
                (Some(target), _) => target,
                (None, Some(now)) => now.link_target(path, name),
                (None, None) => Err(io::ErrorKind::NotFound.into()),
            },
        }
    }

    fn names(&self, path: &Path) -> io::Result<Vec<(OsString, FileKind)>> {
        match self {
            Self::Disk(handle) => handle.names(path),
            Self::Memory(files) => files.names(path),
            Self::Earlier(files, now) => {
                let names = now.as_ref().map(|now| now.names(path)).transpose()?;
                files.names(path, names.unwrap_or_default())
            }
        }
    }
}

/// A name in a folder.
#[derive(Debug, Clone)]
pub struct FolderEntry {
    path: PathBuf,
    kind: FileKind,
    depth: usize,
}

impl FolderEntry {
    /// The path of the folder, and the name in it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it is.
    pub fn kind(&self) -> FileKind {
        self.kind
    }

    /// How deep it is below the folder that was walked, from 1.
    pub fn depth(&self) -> usize {
        self.depth
    }
}

impl Folder {
    /// Opens a folder by its path; links on the way are followed.
    ///
    /// # Errors
    /// When there is none, or the system refuses.
    pub fn open(path: &Path) -> io::Result<Self> {
        Files::Disk.folder(path)
    }

    /// Where its files are.
    pub fn files(&self) -> Files {
        match &self.handle {
            Handle::Disk(_) => Files::Disk,
            Handle::Memory(files) => Files::Memory(Arc::clone(files)),
            Handle::Earlier(files, _) => Files::Earlier(Arc::clone(files)),
        }
    }

    /// Its path when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a folder below this one: `below` consists of names, and none of them is a link.
    ///
    /// # Errors
    /// When there is none, or a link is on the way, or the system refuses.
    pub fn folder(&self, below: &Path) -> io::Result<Self> {
        let mut deepest: Option<Self> = None;
        for part in below.components() {
            let Component::Normal(name) = part else {
                return Err(io::ErrorKind::InvalidInput.into());
            };
            let Self { path, handle } = deepest.as_ref().unwrap_or(self);
            deepest = Some(Self {
                handle: handle.folder(path, name)?,
                path: path.join(name),
            });
        }
        match deepest {
            Some(folder) => Ok(folder),
            None => Ok(Self {
                path: self.path.clone(),
                handle: self.handle.again()?,
            }),
        }
    }

    /// Reads a regular file below this folder, through no link, up to a number of bytes.
    ///
    /// # Errors
    /// Why it was not read, as a clause that follows "not read:".
    pub fn read(&self, below: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
        let name = below
            .file_name()
            .ok_or(io::Error::from(io::ErrorKind::InvalidInput))?;
        let above = below
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let subfolder = above.map(|above| self.folder(above)).transpose()?;
        let folder = subfolder.as_ref().unwrap_or(self);
        folder.handle.read(&folder.path, name, most)
    }

    /// What a name in this folder is of.
    ///
    /// # Errors
    /// When there is nothing, or the system refuses.
    pub fn kind_of(&self, name: &OsStr) -> io::Result<FileKind> {
        self.handle.kind_of(&self.path, name)
    }

    /// Where a link in this folder points, as written.
    ///
    /// # Errors
    /// When it is not a link, or the system refuses.
    pub fn link_target(&self, name: &OsStr) -> io::Result<PathBuf> {
        self.handle.link_target(&self.path, name)
    }

    /// The entries of this folder in the order of their names.
    ///
    /// # Errors
    /// When it cannot be listed.
    pub fn entries(&self) -> io::Result<Vec<FolderEntry>> {
        let mut names = self.handle.names(&self.path)?;
        names.sort_by(|(a, _), (b, _)| a.cmp(b));
        let entries = names.into_iter().map(|(name, kind)| FolderEntry {
            path: self.path.join(name),
            kind,
            depth: 1,
        });
        Ok(entries.collect())
    }

    /// All that is in this folder and in those below it that are to be walked, down to a depth: each
    /// folder before what is in it. A folder that cannot be listed follows itself, with the reason.
    pub fn walk(
        &self,
        max_depth: usize,
        is_walked: fn(&FolderEntry) -> bool,
    ) -> Vec<Result<FolderEntry, (PathBuf, io::Error)>> {
        let mut found = Vec::new();
        self.walk_into(1, max_depth, is_walked, &mut found);
        found
    }

    fn walk_into(
        &self,
        depth: usize,
        max_depth: usize,
        is_walked: fn(&FolderEntry) -> bool,
        found: &mut Vec<Result<FolderEntry, (PathBuf, io::Error)>>,
    ) {
        let entries = match self.entries() {
            Ok(entries) => entries,
            Err(error) => return found.push(Err((self.path.clone(), error))),
        };
        for entry in entries {
            let entry = FolderEntry { depth, ..entry };
            let name = entry.path.file_name().map(PathBuf::from);
            let is_entered =
                entry.kind == FileKind::Folder && depth < max_depth && is_walked(&entry);
            let into = name.filter(|_| is_entered);
            let path = entry.path.clone();
            found.push(Ok(entry));
            match into.map(|name| self.folder(&name)) {
                Some(Ok(folder)) => folder.walk_into(depth + 1, max_depth, is_walked, found),
                Some(Err(error)) => found.push(Err((path, error))),
                None => {}
            }
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::{FileKind, Folder, ReadError, read_regular};

    #[test]
    fn only_regular_files_are_read_and_nothing_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        fs::write(place("file"), "text").unwrap();
        fs::create_dir(place("folder")).unwrap();
        symlink("file", place("link")).unwrap();
        symlink("/dev/zero", place("zeros")).unwrap();
        std::os::unix::net::UnixListener::bind(place("socket")).unwrap();
        let held = Folder::open(folder.path()).unwrap();
        let in_words = |read: Result<Vec<u8>, ReadError>| read.map_err(|error| error.to_string());
        let refused = |what: &str| Err(format!("it is {what}; expected a regular file"));
        for (name, read) in [
            ("file", Ok(b"text".to_vec())),
            ("folder", refused("a folder")),
            ("link", refused("a symbolic link")),
            ("zeros", refused("a symbolic link")),
            ("socket", refused("a pipe, a socket or a device")),
            ("nothing", Err("no such file or folder".to_owned())),
        ] {
            assert_eq!(in_words(read_regular(&place(name), 4)), read, "{name}");
            assert_eq!(in_words(held.read(Path::new(name), 4)), read, "{name}");
        }
        let zero = in_words(read_regular(Path::new("/dev/zero"), 4));
        assert_eq!(zero, refused("a pipe, a socket or a device"));
        let longer = in_words(held.read(Path::new("file"), 3));
        assert_eq!(longer, Err("it is larger than 0 MiB".to_owned()));
        let entries = held.entries().unwrap();
        let kinds: Vec<FileKind> = entries.iter().map(super::FolderEntry::kind).collect();
        let expected = [
            FileKind::File,
            FileKind::Folder,
            FileKind::Link,
            FileKind::Special,
            FileKind::Link,
        ];
        assert_eq!(kinds, expected);
    }
}
