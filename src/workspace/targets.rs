use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use super::error::OpenError;
use super::options::PathBase;
use crate::workspace::add::Input;
use gwconform_base::files::{FileKind, Files, MAX_LINKS, MemoryFiles, PathError};
use gwconform_base::text::source::{MAX_FILE_BYTES, display_path};
use gwconform_report::tree::{self, Located, Parts};

/// Folder for relative paths, and the folder that printed paths are relative to.
#[derive(Debug, Clone)]
pub struct Base {
    folder: PathBuf,
    shown_from: PathBuf,
    files: Files,
    ceiling: Option<PathBuf>,
}

impl From<PathBuf> for Base {
    fn from(folder: PathBuf) -> Self {
        Self {
            shown_from: folder.clone(),
            folder,
            files: Files::Disk,
            ceiling: None,
        }
    }
}

impl From<&Path> for Base {
    fn from(folder: &Path) -> Self {
        folder.to_owned().into()
    }
}

impl From<MemoryFiles> for Base {
    fn from(files: MemoryFiles) -> Self {
        Self {
            folder: MemoryFiles::top(),
            shown_from: MemoryFiles::top(),
            files: files.into(),
            ceiling: None,
        }
    }
}

impl Base {
    /// Uppermost folder to search for trees, such as the home directory.
    pub fn with_ceiling(self, ceiling: Option<PathBuf>) -> Self {
        Self { ceiling, ..self }
    }

    /// Folder that printed paths are relative to: by default, the folder of the base.
    pub fn shown_from(&self) -> &Path {
        &self.shown_from
    }

    /// Prints paths relative to `folder`.
    pub(super) fn show_from(&mut self, folder: PathBuf) {
        self.shown_from = folder;
    }

    /// Folder that paths around `place`, a tree or the folder of a file, are relative to.
    pub(super) fn start_of<'p>(
        &'p self,
        paths: PathBase,
        place: &'p Path,
        is_tree: bool,
    ) -> &'p Path {
        let is_usual = |folder: &&Path| folder.ends_with(tree::USUAL_PLACES[0]);
        let usual = || place.ancestors().find(is_usual)?.parent()?.parent();
        let own = || (is_tree && !place.starts_with(&self.folder)).then_some(place);
        match paths {
            PathBase::WorkingDir => &self.shown_from,
            PathBase::Tree => place,
            PathBase::Repository => {
                let repository = self.repository_of(place).or_else(usual);
                repository.or_else(own).unwrap_or(&self.folder)
            }
        }
    }

    /// Nearest folder at or above `place` that is a git repository.
    pub(super) fn repository_of<'p>(&self, place: &'p Path) -> Option<&'p Path> {
        place.ancestors().find(|folder| self.has_git(folder))
    }

    fn tree_above(&self) -> Option<PathBuf> {
        tree::above(&self.files, &self.folder, self.ceiling.as_deref())
    }

    /// Absolute path of the folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Files on disk or in memory.
    pub fn files(&self) -> &Files {
        &self.files
    }

    pub(super) fn with_files(&self, files: impl Into<Files>) -> Self {
        Self {
            files: files.into(),
            ..self.clone()
        }
    }

    /// Absolute path of an input that the user named. Follows links outside of repositories. In a
    /// repository, a change can contain links, so readers refuse them.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        let mut absolute = self.destination(path);
        if !matches!(self.files, Files::Disk) {
            return absolute;
        }
        let is_link = |path: &&Path| matches!(self.files.kind_of(path), Ok(FileKind::Link));
        for _ in 0..MAX_LINKS {
            let Some(link) = absolute.ancestors().filter(is_link).last() else {
                break;
            };
            let target = std::fs::read_link(link).ok();
            let (Some(target), false) = (target, self.is_in_repository(link)) else {
                break;
            };
            let below = absolute.strip_prefix(link).unwrap_or(Path::new(""));
            let folder = link.parent().unwrap_or(link);
            absolute = lexical(&folder.join(target).join(below));
        }
        absolute
    }

    /// Absolute path of an output file. Resolves `.` and `..` lexically, because a link is replaced
    /// and never followed.
    pub fn destination(&self, path: &Path) -> PathBuf {
        lexical(&self.folder.join(path))
    }

    /// Formats a path for findings.
    pub fn display(&self, path: &Path) -> String {
        display_path(path, &self.shown_from)
    }

    /// Refuses links, because a change could otherwise turn `conformance` into a link and expose
    /// files outside of the repository.
    pub(super) fn refuse_links_to(&self, root: &Path) -> Result<(), OpenError> {
        let is_link = |path: &&Path| matches!(self.files.kind_of(path), Ok(FileKind::Link));
        let mut folders = root
            .ancestors()
            .take_while(|path| path.starts_with(&self.folder) || self.is_in_repository(path));
        let Some(link) = folders.find(is_link) else {
            return Ok(());
        };
        Err(OpenError::Link {
            path: self.display(link),
        })
    }

    fn is_in_repository(&self, path: &Path) -> bool {
        let mut around = path.ancestors().skip(1);
        around.any(|folder| self.has_git(folder))
    }

    fn has_git(&self, folder: &Path) -> bool {
        self.files.kind_of(&folder.join(".git")).is_ok()
    }

    /// Finds the tree in `named` or in the default folders.
    pub fn tree(&self, named: Option<&Path>) -> Result<PathBuf, OpenError> {
        let root = root(named, self)?;
        self.refuse_links_to(&root)?;
        Ok(root)
    }

    /// Reads the bytes of a report.
    pub fn read_report(&self, path: &Path) -> Result<Input, PathError> {
        let absolute = self.absolute(path);
        Ok(Input {
            bytes: self.read(&absolute, MAX_FILE_BYTES, "a report")?,
            shown: self.display(&absolute),
        })
    }

    /// Refuses links, because output may quote the content. `expected` describes the file, such as
    /// `a report`.
    pub fn read(
        &self,
        path: &Path,
        most: u64,
        expected: &'static str,
    ) -> Result<Vec<u8>, PathError> {
        let read = self.files.read(path, most);
        read.map_err(|error| PathError::new(&self.display(path), error, expected))
    }
}

#[derive(Debug, Clone, Default)]
pub struct Targets {
    /// Trees, with the parts to check.
    pub trees: BTreeMap<PathBuf, Parts>,
    /// Files outside of trees.
    pub lone: BTreeSet<PathBuf>,
    pub of_trees: BTreeSet<PathBuf>,
}

impl Targets {
    pub(super) fn try_new(paths: &[PathBuf], base: &Base) -> Result<Self, OpenError> {
        Self::locate(paths_or_default(paths, base)?, base)
    }

    fn locate(paths: Vec<PathBuf>, base: &Base) -> Result<Self, OpenError> {
        let mut targets = Self::default();
        for path in paths {
            let shown = || base.display(&path);
            let located = tree::locate_in(&base.files, &path);
            const EXPECTED: &str = "a reports tree, a folder with reports, or a report";
            match located.map_err(|error| PathError::new(&shown(), error, EXPECTED))? {
                Located::Tree { root, parts } => targets.add(root, parts, base)?,
                Located::Loose(folder) => targets.add(folder, Parts::Loose, base)?,
                Located::Lone(path) => drop(targets.lone.insert(path)),
                Located::OfTree(path) => drop(targets.of_trees.insert(path)),
                Located::NoTree => {
                    base.refuse_links_to(&path)?;
                    return Err(OpenError::NoTree { path: shown() });
                }
            }
        }
        Ok(targets)
    }

    fn add(&mut self, root: PathBuf, parts: Parts, base: &Base) -> Result<(), OpenError> {
        base.refuse_links_to(&root)?;
        let known = self.trees.entry(root).or_insert_with(Parts::none);
        known.add(parts);
        Ok(())
    }

    pub(super) fn of_working_dir(base: &Base) -> Result<Self, OpenError> {
        let folder = base.path();
        let paths = paths_or_default(&[], base).or_else(|error| {
            // A search of the home directory, or of all disks, would not end.
            let is_top = folder.parent().is_none() || Some(folder) == base.ceiling.as_deref();
            match (!is_top).then(|| tree::locate_in(&base.files, folder)) {
                Some(Ok(Located::Loose(folder))) => Ok(vec![folder]),
                _ => Err(error),
            }
        })?;
        let is_below = |root: &&PathBuf| folder.starts_with(root) && folder != root.as_path();
        if let Some(around) = paths.first().filter(is_below)
            && let Ok(Located::Tree { root, parts }) = tree::locate_in(&base.files, folder)
            && root == *around
            && parts != Parts::Whole
        {
            return Self::locate(vec![folder.to_owned()], base);
        }
        Self::locate(paths, base)
    }

    pub(super) fn whole(named: Option<&Path>, base: &Base) -> Result<Self, OpenError> {
        Ok(Self {
            trees: BTreeMap::from([(base.tree(named)?, Parts::Whole)]),
            ..Self::default()
        })
    }

    /// Folder of the first target, which itself can be a folder of manifests.
    pub fn first_folder(&self, files: &Files) -> Option<&Path> {
        let is_folder = |path: &&Path| matches!(files.kind_behind(path), Ok(FileKind::Folder));
        let mut targets = self.lone.iter().chain(&self.of_trees);
        let folder_of_file = || targets.next()?.ancestors().find(is_folder);
        let mut trees = self.trees.keys().map(PathBuf::as_path);
        trees.next().or_else(folder_of_file)
    }

    pub fn are_whole(&self) -> bool {
        let mut parts = self.trees.values();
        self.lone.is_empty()
            && self.of_trees.is_empty()
            && parts.all(|parts| matches!(parts, Parts::Whole | Parts::Loose))
    }
}

fn lexical(path: &Path) -> PathBuf {
    let mut absolute = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(absolute.pop()),
            part => absolute.push(part),
        }
    }
    absolute
}

fn paths_or_default(paths: &[PathBuf], base: &Base) -> Result<Vec<PathBuf>, OpenError> {
    if !paths.is_empty() {
        return Ok(paths.iter().map(|path| base.absolute(path)).collect());
    }
    let is_folder = |place: &PathBuf| matches!(base.files.kind_behind(place), Ok(FileKind::Folder));
    let places: Vec<PathBuf> = tree::USUAL_PLACES
        .iter()
        .map(|place| base.path().join(place))
        .filter(is_folder)
        .collect();
    let is_tree = |place: &&PathBuf| {
        matches!(
            tree::locate_in(&base.files, place),
            Ok(Located::Tree { .. })
        )
    };
    // Prefer a default folder that contains a tree over an empty folder.
    match (places.iter().find(is_tree).or(places.first()), &base.files) {
        (Some(place), _) => Ok(vec![place.clone()]),
        (None, Files::Memory(files)) => Ok(paths_in_memory(files, &base.files)),
        (None, _) => match base.tree_above() {
            Some(root) => Ok(vec![root]),
            None => Err(OpenError::NoUsualPlace {
                expected: "the path of a reports tree, a submission or a report",
            }),
        },
    }
}

/// Default paths for files in memory: the tree that the files form, or each file.
fn paths_in_memory(memory: &MemoryFiles, files: &Files) -> Vec<PathBuf> {
    let common = memory.common_path();
    match tree::locate_in(files, &common) {
        Ok(Located::Loose(_) | Located::NoTree) => memory.paths().map(Path::to_owned).collect(),
        _ => vec![common],
    }
}

fn root(named: Option<&Path>, base: &Base) -> Result<PathBuf, OpenError> {
    let folder = base.absolute(named.unwrap_or(Path::new(".")));
    let located = tree::locate_in(&base.files, &folder).map_err(|error| {
        PathError::new(
            &base.display(&folder),
            error,
            "the folder of a reports tree",
        )
    })?;
    match located {
        Located::Tree { root, .. } => return Ok(root),
        Located::Loose(_) | Located::NoTree => {}
        Located::OfTree(_) | Located::Lone(_) => {
            return Err(OpenError::NotAFolder {
                path: base.display(&folder),
            });
        }
    }
    let is_folder = |place: &PathBuf| matches!(base.files.kind_behind(place), Ok(FileKind::Folder));
    let mut places = tree::USUAL_PLACES.iter().map(|place| folder.join(place));
    match (places.find(is_folder), named) {
        (Some(place), _) => Ok(place),
        (None, Some(_)) => Ok(folder),
        (None, None) => base.tree_above().ok_or(OpenError::NoUsualPlace {
            expected: "the folder of the reports tree with --in",
        }),
    }
}
