//! File system before a change. Only changed files come from memory.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use super::{FileKind, Files, ReadError, read_up_to};

/// State of a path before a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Previous {
    /// The path did not exist.
    Absent,
    /// Regular file with its content.
    File(Vec<u8>),
    /// Symbolic link with its target as written.
    Link(PathBuf),
}

/// File system before a change.
#[derive(Debug)]
pub struct EarlierFiles {
    now: Files,
    changed: BTreeMap<PathBuf, Previous>,
    folders: BTreeMap<PathBuf, BTreeSet<OsString>>,
    new: BTreeSet<PathBuf>,
}

impl EarlierFiles {
    /// Overlays `now` with the changed paths below `root` (absolute).
    pub fn new(now: Files, root: &Path, changed: BTreeMap<PathBuf, Previous>) -> Self {
        let mut folders: BTreeMap<PathBuf, BTreeSet<OsString>> = BTreeMap::new();
        let mut with_new: BTreeSet<&Path> = BTreeSet::new();
        for (path, previous) in &changed {
            let mut child = path.as_path();
            while let Some(parent) = child.parent().filter(|parent| parent.starts_with(root)) {
                if *previous == Previous::Absent {
                    with_new.insert(parent);
                } else if let Some(name) = child.file_name() {
                    let names = folders.entry(parent.to_owned()).or_default();
                    if !names.insert(name.to_owned()) {
                        break;
                    }
                }
                child = parent;
            }
        }
        let mut new: BTreeSet<PathBuf> = BTreeSet::new();
        for &folder in with_new.iter().rev() {
            let is_new =
                |path: &Path| changed.get(path) == Some(&Previous::Absent) || new.contains(path);
            let is_made = !folders.contains_key(folder)
                && now
                    .entries(folder)
                    .is_ok_and(|all| all.iter().all(|entry| is_new(entry.path())));
            if is_made {
                new.insert(folder.to_owned());
            }
        }
        Self {
            now,
            changed,
            folders,
            new,
        }
    }

    pub(super) fn now(&self) -> &Files {
        &self.now
    }

    pub(super) fn changed(&self) -> Option<Vec<&Path>> {
        let is_link = |path: &Path, previous: &Previous| {
            matches!(previous, Previous::Link(_))
                || matches!(self.now.kind_of(path), Ok(FileKind::Link))
        };
        let all = self.changed.iter();
        all.map(|(path, previous)| (!is_link(path, previous)).then_some(path.as_path()))
            .collect()
    }

    pub(super) fn are_changed_below(&self, path: &Path) -> bool {
        let from_there = (Bound::Included(path), Bound::Unbounded);
        let first = self.changed.range::<Path, _>(from_there).next();
        first.is_some_and(|(changed, _)| changed.starts_with(path))
    }

    /// `None` if neither the path nor any path below it changed.
    pub(super) fn known_kind(&self, path: &Path) -> Option<io::Result<FileKind>> {
        if self.folders.contains_key(path) {
            return Some(Ok(FileKind::Folder));
        }
        let absent = || Err(io::ErrorKind::NotFound.into());
        match self.changed.get(path) {
            Some(Previous::File(_)) => Some(Ok(FileKind::File)),
            Some(Previous::Link(_)) => Some(Ok(FileKind::Link)),
            Some(Previous::Absent) => Some(absent()),
            None => self.new.contains(path).then(absent),
        }
    }

    pub(super) fn known_kind_behind(&self, path: &Path) -> Option<io::Result<FileKind>> {
        let Some(Previous::Link(target)) = self.changed.get(path) else {
            return self.known_kind(path);
        };
        let target = path.parent()?.join(target);
        Some(match self.known_kind(&target) {
            Some(kind) => kind,
            None => self.now.kind_behind(&target),
        })
    }

    pub(super) fn read(&self, path: &Path, most: u64) -> Option<Result<Vec<u8>, ReadError>> {
        if let Some(Previous::File(bytes)) = self.changed.get(path) {
            return Some(read_up_to(bytes.as_slice(), most));
        }
        let refused = match self.known_kind(path)? {
            Ok(kind) => ReadError::NotAFile(kind),
            Err(error) => error.into(),
        };
        Some(Err(refused))
    }

    pub(super) fn link_target(&self, path: &Path) -> Option<io::Result<PathBuf>> {
        match self.changed.get(path)? {
            Previous::Link(target) => Some(Ok(target.clone())),
            _ => Some(Err(io::ErrorKind::InvalidInput.into())),
        }
    }

    pub(super) fn names(
        &self,
        folder: &Path,
        now: Vec<(OsString, FileKind)>,
    ) -> io::Result<Vec<(OsString, FileKind)>> {
        let is_same = |name: &OsStr| self.known_kind(&folder.join(name)).is_none();
        let mut names = now;
        names.retain(|(name, _)| is_same(name));
        for name in self.folders.get(folder).into_iter().flatten() {
            if let Some(kind) = self.known_kind(&folder.join(name)) {
                names.push((name.clone(), kind?));
            }
        }
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};

    use super::{EarlierFiles, Previous};
    use crate::files::{FileKind, Files, MemoryFiles};

    fn memory(paths: &[&str]) -> Files {
        let files = paths
            .iter()
            .map(|path| (PathBuf::from(path), b"now".to_vec()));
        MemoryFiles::new(files).unwrap().into()
    }

    #[test]
    fn restores_earlier_files_and_folders() {
        let now = memory(&["r/same/a", "r/same/new", "r/made/in/a", "r/edited/a"]);
        let was = |text: &str| Previous::File(text.into());
        let changed = BTreeMap::from([
            ("/r/same/new".into(), Previous::Absent),
            ("/r/made/in/a".into(), Previous::Absent),
            ("/r/edited/a".into(), was("old")),
            ("/r/gone/in/a".into(), was("gone")),
            ("/r/alias".into(), Previous::Link("gone".into())),
        ]);
        let files: Files = EarlierFiles::new(now, Path::new("/r"), changed).into();
        let root = files.folder(Path::new("/r")).unwrap();
        let found: Vec<_> = root
            .walk(9, |_| true)
            .into_iter()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.path().to_str().unwrap().to_owned(), entry.kind()))
            .collect();
        let expected = [
            ("/r/alias", FileKind::Link),
            ("/r/edited", FileKind::Folder),
            ("/r/edited/a", FileKind::File),
            ("/r/gone", FileKind::Folder),
            ("/r/gone/in", FileKind::Folder),
            ("/r/gone/in/a", FileKind::File),
            ("/r/same", FileKind::Folder),
            ("/r/same/a", FileKind::File),
        ];
        assert_eq!(found, expected.map(|(path, kind)| (path.to_owned(), kind)));
        let read = |path: &str| root.read(Path::new(path), 9).ok();
        assert_eq!(read("same/a"), Some(b"now".to_vec()));
        assert_eq!(read("edited/a"), Some(b"old".to_vec()));
        assert_eq!(read("gone/in/a"), Some(b"gone".to_vec()));
        assert_eq!((read("same/new"), read("made/in/a")), (None, None));
        assert!(root.read(Path::new("edited/a"), 2).is_err());
        assert_eq!(
            root.link_target("alias".as_ref()).unwrap(),
            Path::new("gone")
        );
        let behind = files.kind_behind(Path::new("/r/alias")).unwrap();
        assert_eq!(behind, FileKind::Folder);
    }

    #[test]
    fn hides_a_folder_that_replaced_a_file() {
        let now = memory(&["r/a/b"]);
        let changed = BTreeMap::from([
            ("/r/a".into(), Previous::File(b"old".to_vec())),
            ("/r/a/b".into(), Previous::Absent),
        ]);
        let files: Files = EarlierFiles::new(now, Path::new("/r"), changed).into();
        assert_eq!(files.kind_of(Path::new("/r/a")).unwrap(), FileKind::File);
        assert_eq!(files.read(Path::new("/r/a"), 9).unwrap(), b"old");
        assert!(files.kind_of(Path::new("/r/a/b")).is_err());
    }
}
