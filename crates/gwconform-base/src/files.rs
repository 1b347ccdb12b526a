//! Opens untrusted files of a pull request. Only regular files are opened, never through links, and
//! without blocking on pipes.
//!
//! With `openat`, each step starts from an open folder, so no path component can be replaced
//! meanwhile.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::text::message::cut;
use crate::text::source::MAX_FILE_BYTES;

mod earlier;
mod memory;
#[cfg(not(unix))]
#[path = "files/named.rs"]
mod system;
#[cfg(unix)]
#[path = "files/opened.rs"]
mod system;

pub use earlier::{EarlierFiles, Previous};
pub use memory::{MemoryFiles, MemoryPathError};

/// Message of a system error, without its number.
pub fn system_error(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        io::ErrorKind::InvalidFilename => "the path or a name in it is too long".to_owned(),
        kind => kind.to_string(),
    }
}

/// Maximum characters of a path in an error message.
const MAX_SHOWN: usize = 300;

/// Maximum symbolic links that are followed in a path, as in Linux (`path_resolution(7)`).
pub const MAX_LINKS: usize = 40;

/// A path that the user named and that cannot be used.
#[derive(Debug, thiserror::Error)]
pub struct PathError {
    shown: String,
    reason: ReadError,
    expected: Cow<'static, str>,
}

impl PathError {
    /// `shown` is the printed path. `expected` is, for example, `a reports tree`.
    pub fn new(
        shown: &str,
        reason: impl Into<ReadError>,
        expected: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            shown: cut(shown, MAX_SHOWN).into_owned(),
            reason: reason.into(),
            expected: expected.into(),
        }
    }

    /// A path that does not exist.
    pub fn missing(shown: &str, expected: impl Into<Cow<'static, str>>) -> Self {
        Self::new(shown, io::Error::from(io::ErrorKind::NotFound), expected)
    }

    /// The printed path, if it does not exist.
    pub fn missing_path(&self) -> Option<&str> {
        self.reason.is_missing().then_some(&*self.shown)
    }

    /// True if the user must name another path. False if the system failed, for example because of
    /// permissions.
    pub fn is_mistake(&self) -> bool {
        use io::ErrorKind::{InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound};
        match &self.reason {
            ReadError::System(error) => matches!(
                error.kind(),
                NotFound | NotADirectory | IsADirectory | InvalidFilename | InvalidInput
            ),
            ReadError::NotAFile(_) | ReadError::TooLarge { .. } => true,
            ReadError::Replaced => false,
        }
    }
}

impl std::fmt::Display for PathError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use io::ErrorKind::{NotADirectory, NotFound};
        let Self {
            shown, expected, ..
        } = self;
        match &self.reason {
            ReadError::System(error) if error.kind() == NotFound => {
                write!(f, "{shown}: no such file or folder; expected {expected}")
            }
            ReadError::System(error) if error.kind() == NotADirectory => {
                write!(
                    f,
                    "{shown}: a part of the path is not a folder; expected {expected}"
                )
            }
            ReadError::System(error) => write!(f, "{shown}: {}", system_error(error)),
            reason => write!(f, "{shown}: not read: {reason}"),
        }
    }
}

/// Why a file cannot be read, as a clause after "not read:".
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The system returned an error.
    #[error("{}", system_error(.0))]
    System(#[from] io::Error),
    /// The entry is not a regular file.
    #[error("it is {0}; expected a regular file")]
    NotAFile(FileKind),
    /// The file was replaced after its type was checked.
    #[error("the file was replaced during reading")]
    Replaced,
    /// The file exceeds the caller's limit, such as [`MAX_FILE_BYTES`].
    #[error("it is larger than {} MiB", .most / (1024 * 1024))]
    TooLarge {
        /// Size limit in bytes.
        most: u64,
    },
}

/// Kind of reason why an entry of a tree is not read, which determines the remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The user may not read the entry.
    Permission,
    /// The file is too large.
    Size,
    /// The entry is not a regular file, or is nested too deep.
    Kind,
    /// The system returned another error.
    System,
}

impl From<&io::Error> for Cause {
    fn from(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied => Self::Permission,
            _ => Self::System,
        }
    }
}

/// Why an entry of a tree is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Clause after "not read:", without file content.
    pub reason: String,
    /// Kind of reason.
    pub cause: Cause,
}

impl From<&io::Error> for Unread {
    fn from(error: &io::Error) -> Self {
        Self {
            reason: error.kind().to_string(),
            cause: error.into(),
        }
    }
}

impl From<ReadError> for Unread {
    fn from(error: ReadError) -> Self {
        let cause = match &error {
            ReadError::System(error) => error.into(),
            ReadError::NotAFile(_) => Cause::Kind,
            ReadError::Replaced => Cause::System,
            ReadError::TooLarge { .. } => Cause::Size,
        };
        Self {
            reason: error.to_string(),
            cause,
        }
    }
}

impl ReadError {
    /// True if the file does not exist.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::System(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// Type of a folder entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// Symbolic link.
    Link,
    /// Pipe, socket or device.
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

/// Opens a regular file. Rejects links.
pub fn open_regular(path: &Path) -> Result<File, ReadError> {
    Ok(system::open_regular(path)?.file)
}

struct Opened {
    file: File,
    length: u64,
}

/// Reads a regular file of at most `most` bytes. Rejects links.
pub fn read_regular(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    read_file(&system::open_regular(path)?, most)
}

fn read_file(opened: &Opened, most: u64) -> Result<Vec<u8>, ReadError> {
    // The extra byte detects the end of the file without growing the buffer.
    let room = opened.length.min(most) + 1;
    fill(Vec::with_capacity(room as usize), &opened.file, most)
}

/// Reads a stream of at most [`MAX_FILE_BYTES`] bytes.
pub fn read_bounded(stream: impl Read) -> Result<Vec<u8>, ReadError> {
    read_up_to(stream, MAX_FILE_BYTES)
}

/// Reads a stream of at most `most` bytes.
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

/// File system to read from.
#[derive(Debug, Clone, Default)]
pub enum Files {
    /// Local disk.
    #[default]
    Disk,
    /// Files in memory.
    Memory(Arc<MemoryFiles>),
    /// File system before a change.
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
    /// Opens a folder. Follows links.
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

    /// Reads a regular file of at most `most` bytes. Rejects links.
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

    /// Type of an entry. Does not follow links.
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

    /// Type of an entry. Follows links.
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

    /// True if a change touches a path below `path`.
    pub fn are_changed_below(&self, path: &Path) -> bool {
        match self {
            Self::Disk | Self::Memory(_) => false,
            Self::Earlier(files) => files.are_changed_below(path),
        }
    }

    /// Paths that a change adds, edits or deletes. `None` if one of them is or was a link.
    pub fn changed(&self) -> Option<Vec<&Path>> {
        match self {
            Self::Disk | Self::Memory(_) => Some(Vec::new()),
            Self::Earlier(files) => files.changed(),
        }
    }

    /// Files after the change, if these are the files before it.
    pub fn now(&self) -> &Self {
        match self {
            Self::Disk | Self::Memory(_) => self,
            Self::Earlier(files) => files.now(),
        }
    }

    /// Entries of a folder, sorted by name.
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

/// Open folder.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    handle: Handle,
}

#[derive(Debug)]
enum Handle {
    Disk(system::Handle),
    Memory(Arc<MemoryFiles>),
    Earlier(Arc<EarlierFiles>, Option<Box<Handle>>),
}

impl Handle {
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

/// Entry of a folder, found by [`Folder::entries`] or [`Folder::walk`].
#[derive(Debug, Clone)]
pub struct FolderEntry {
    path: PathBuf,
    kind: FileKind,
    depth: usize,
}

impl FolderEntry {
    /// Path of the folder, followed by the name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Type of the entry; links are not followed.
    pub fn kind(&self) -> FileKind {
        self.kind
    }

    /// Depth below the walked folder, from 1.
    pub fn depth(&self) -> usize {
        self.depth
    }
}

impl Folder {
    /// Opens a folder on disk. Follows links.
    pub fn open(path: &Path) -> io::Result<Self> {
        Files::Disk.folder(path)
    }

    /// File system that contains the folder.
    pub fn files(&self) -> Files {
        match &self.handle {
            Handle::Disk(_) => Files::Disk,
            Handle::Memory(files) => Files::Memory(Arc::clone(files)),
            Handle::Earlier(files, _) => Files::Earlier(Arc::clone(files)),
        }
    }

    /// Path that was used to open the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a folder below this folder without following links. `below` must consist of names
    /// only.
    ///
    /// # Errors
    /// If the folder does not exist, cannot be opened, or is behind a link.
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

    /// Reads a regular file of at most `most` bytes below this folder, without following links.
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

    /// Type of an entry of this folder. Does not follow links.
    pub fn kind_of(&self, name: &OsStr) -> io::Result<FileKind> {
        self.handle.kind_of(&self.path, name)
    }

    /// Target of a link in this folder, as written.
    ///
    /// # Errors
    /// If the entry is not a link or cannot be read.
    pub fn link_target(&self, name: &OsStr) -> io::Result<PathBuf> {
        self.handle.link_target(&self.path, name)
    }

    /// Entries of this folder, sorted by name.
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

    /// Walks the folder. Folders precede their content. If a folder cannot be listed, its error
    /// follows the folder.
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

/// Maximum depth of a walk through any folder.
pub const MAX_FOLDERS: usize = 32;

/// True for hidden entries and package folders, which walks through any folder leave out.
pub fn is_hidden(entry: &FolderEntry) -> bool {
    let name = entry.path().file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".") || name == "node_modules"
}

/// Last component of a path, as a display name.
pub fn name_of(path: &Path) -> String {
    path.file_name()
        .map(crate::text::source::display_name)
        .unwrap_or_default()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::{FileKind, Folder, ReadError, read_regular};

    #[test]
    fn reads_only_regular_files_without_blocking() {
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
