//! Files in memory, without links, for tests and for platforms without a file system.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{FileKind, ReadError};

/// Maximum depth of paths, because hostile paths could exhaust memory.
const MAX_NAMES: usize = 64;

/// Files by path, below `/`.
#[derive(Debug, Default)]
pub struct MemoryFiles {
    files: BTreeMap<PathBuf, Vec<u8>>,
    folders: BTreeMap<PathBuf, BTreeSet<OsString>>,
}

/// Error for an invalid path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MemoryPathError {
    /// The path is empty or too deep, or contains `..`.
    #[error("`{0}` cannot be the path of a file; expected names with `/` between them")]
    Invalid(String),
    /// Two files, or a file and a folder, have one path.
    #[error("`{0}` is the path of two files, or of a file and a folder")]
    Twice(String),
}

impl MemoryFiles {
    /// Stores files by path. Paths are relative to [`Self::top`].
    ///
    /// # Errors
    /// If a path is invalid or occurs twice.
    pub fn new(
        files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>,
    ) -> Result<Self, MemoryPathError> {
        let mut all = Self::default();
        all.folders.insert(Self::top(), BTreeSet::new());
        for (path, bytes) in files {
            all.insert(&path, bytes)?;
        }
        Ok(all)
    }

    /// Root folder of all paths.
    pub fn top() -> PathBuf {
        PathBuf::from("/")
    }

    /// Paths of all files, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.keys().map(PathBuf::as_path)
    }

    /// Deepest folder with all files, or the path of the only file.
    pub fn common_path(&self) -> PathBuf {
        let mut paths = self.files.keys();
        let Some(first) = paths.next() else {
            return Self::top();
        };
        // Paths are sorted, so the common folder of the first and the last path contains all paths.
        let last = paths.next_back().unwrap_or(first);
        let shared = first.ancestors().find(|folder| last.starts_with(folder));
        shared.map_or_else(Self::top, Path::to_owned)
    }

    fn insert(&mut self, path: &Path, bytes: Vec<u8>) -> Result<(), MemoryPathError> {
        let shown = || crate::text::source::display_path(path, Path::new(""));
        let names: Option<Vec<&OsStr>> = path
            .components()
            .filter(|part| !matches!(part, Component::CurDir | Component::RootDir))
            .map(|part| match part {
                Component::Normal(name) => Some(name),
                _ => None,
            })
            .collect();
        let valid_names = names
            .filter(|names| (1..=MAX_NAMES).contains(&names.len()))
            .ok_or_else(|| MemoryPathError::Invalid(shown()))?;
        let mut place = Self::top();
        for name in valid_names {
            if self.files.contains_key(&place) {
                return Err(MemoryPathError::Twice(shown()));
            }
            let folder = self.folders.entry(place.clone()).or_default();
            folder.insert(name.to_owned());
            place.push(name);
        }
        if self.folders.contains_key(&place) || self.files.insert(place, bytes).is_some() {
            return Err(MemoryPathError::Twice(shown()));
        }
        Ok(())
    }

    pub(super) fn open(&self, path: &Path) -> Result<&[u8], ReadError> {
        match self.kind_of(path)? {
            FileKind::Folder => Err(ReadError::NotAFile(FileKind::Folder)),
            _ => Ok(self.files.get(path).map(Vec::as_slice).unwrap_or_default()),
        }
    }

    pub(super) fn kind_of(&self, path: &Path) -> io::Result<FileKind> {
        if self.files.contains_key(path) {
            Ok(FileKind::File)
        } else if self.folders.contains_key(path) {
            Ok(FileKind::Folder)
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    pub(super) fn check_folder(&self, path: &Path) -> io::Result<()> {
        match self.kind_of(path)? {
            FileKind::Folder => Ok(()),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn names(&self, path: &Path) -> io::Result<Vec<(OsString, FileKind)>> {
        self.check_folder(path)?;
        let names = self.folders.get(path).into_iter().flatten();
        names
            .map(|name| Ok((name.clone(), self.kind_of(&path.join(name))?)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{MemoryFiles, MemoryPathError};
    use crate::files::{FileKind, Files, ReadError};

    fn files(paths: &[&str]) -> Result<MemoryFiles, MemoryPathError> {
        let files = paths
            .iter()
            .map(|path| (PathBuf::from(path), b"text".to_vec()));
        MemoryFiles::new(files)
    }

    #[test]
    fn finds_files_in_memory_as_on_disk() {
        let all = Files::from(files(&["a/b/c.yaml", "/a/d.yaml"]).unwrap());
        let top = all.folder(Path::new("/")).unwrap();
        let entries = top.folder(Path::new("a")).unwrap().entries().unwrap();
        let entries: Vec<_> = entries
            .iter()
            .map(|entry| (entry.path(), entry.kind()))
            .collect();
        assert_eq!(
            entries,
            [
                (Path::new("/a/b"), FileKind::Folder),
                (Path::new("/a/d.yaml"), FileKind::File)
            ]
        );
        assert_eq!(top.read(Path::new("a/b/c.yaml"), 4).unwrap(), b"text");
        let in_words = |read: Result<Vec<u8>, ReadError>| read.map_err(|error| error.to_string());
        let refused = in_words(top.read(Path::new("a/b"), 4));
        assert_eq!(
            refused,
            Err("it is a folder; expected a regular file".to_owned())
        );
        assert_eq!(
            in_words(top.read(Path::new("a/d.yaml"), 3)),
            Err("it is larger than 0 MiB".to_owned())
        );
        assert!(top.read(Path::new("../a/d.yaml"), 4).is_err());
        assert_eq!(top.walk(9, |_| true).len(), 4);
    }

    #[test]
    fn rejects_invalid_and_duplicate_paths() {
        let deep = "a/".repeat(100) + "b";
        for path in ["", "/", "..", "a/../b", deep.as_str()] {
            assert!(
                matches!(files(&[path]), Err(MemoryPathError::Invalid(_))),
                "{path}"
            );
        }
        for paths in [["a", "a"], ["a", "a/b"], ["a/b", "a"], ["./a", "/a"]] {
            assert!(
                matches!(files(&paths), Err(MemoryPathError::Twice(_))),
                "{paths:?}"
            );
        }
    }

    #[test]
    fn finds_the_common_path() {
        for (paths, shared) in [
            (&["a/b.yaml"][..], "/a/b.yaml"),
            (&["a/b/c", "a/d"], "/a"),
            (&["a/b", "c"], "/"),
            (&[], "/"),
        ] {
            assert_eq!(files(paths).unwrap().common_path(), Path::new(shared));
        }
    }
}
