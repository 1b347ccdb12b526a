//! Links in the root of a tree: other names of release folders.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::{FolderRelease, LinkProblem, name_of};

/// Longest text of a file that can be git's stand-in for a link, in bytes.
const MAX_LINK_BYTES: u64 = 255;

/// Where a link points. A small file that is named like a release and holds nothing but a path
/// is one too: so git writes links where the file system has none.
pub(super) fn target_of(entry: &DirEntry) -> Option<PathBuf> {
    if entry.path_is_symlink() {
        return fs::read_link(entry.path()).ok();
    }
    let is_candidate =
        entry.file_type().is_file() && FolderRelease::parse(&name_of(entry.path())).is_some();
    if !is_candidate || entry.metadata().ok()?.len() > MAX_LINK_BYTES {
        return None;
    }
    let text = fs::read_to_string(entry.path()).ok()?;
    let target = text.strip_suffix('\n').unwrap_or(&text);
    (!target.is_empty() && !target.contains(['\n', '\0'])).then(|| PathBuf::from(target))
}

/// The links in the root of a tree. Where a link ends is looked up once, however many lead to it.
pub(super) struct Links<'r> {
    root: &'r Path,
    ends: BTreeMap<PathBuf, Result<End, LinkProblem>>,
}

/// What a chain of links ends at, by its name in the root.
#[derive(Debug, Clone)]
struct End {
    name: String,
    is_folder: bool,
}

/// One step on the way.
enum Step {
    To(PathBuf),
    End(Result<End, LinkProblem>),
}

impl<'r> Links<'r> {
    pub(super) fn new(root: &'r Path) -> Self {
        Self {
            root,
            ends: BTreeMap::new(),
        }
    }

    /// The name of the release folder that the link at `link` stands for.
    pub(super) fn resolve(&mut self, link: &Path, target: &Path) -> Result<String, LinkProblem> {
        let end = self.end(link, target)?;
        let release = FolderRelease::parse(&end.name).filter(|_| end.is_folder);
        match (FolderRelease::parse(&name_of(link)), release) {
            (Some(alias), Some(release)) if alias.minor() == release.minor() => Ok(end.name),
            (Some(_), Some(_)) => Err(LinkProblem::OtherMinor),
            _ => Err(LinkProblem::NotARelease),
        }
    }

    fn end(&mut self, link: &Path, target: &Path) -> Result<End, LinkProblem> {
        let mut way = BTreeSet::from([link.to_owned()]);
        let mut step = self.follow(target);
        let end = loop {
            let path = match step {
                Step::End(end) => break end,
                Step::To(path) => path,
            };
            if let Some(known) = self.ends.get(&path) {
                break known.clone();
            }
            if way.contains(&path) {
                break Err(LinkProblem::Itself);
            }
            step = self.step(&path);
            way.insert(path);
        };
        self.ends
            .extend(way.into_iter().map(|path| (path, end.clone())));
        end
    }

    fn step(&self, path: &Path) -> Step {
        let mut walk = WalkDir::new(path)
            .follow_root_links(false)
            .max_depth(0)
            .into_iter();
        let Some(Ok(entry)) = walk.next() else {
            return Step::End(Err(LinkProblem::Nowhere));
        };
        match target_of(&entry) {
            Some(target) => self.follow(&target),
            None => Step::End(Ok(End {
                name: name_of(path),
                is_folder: entry.file_type().is_dir(),
            })),
        }
    }

    fn follow(&self, target: &Path) -> Step {
        match name_in_root(self.root, target) {
            Ok(name) => Step::To(self.root.join(name)),
            Err(problem) => Step::End(Err(problem)),
        }
    }
}

/// The one name in the root that a link in the root points at: `v1.5`, `./v1.5`, `v1.5/`, or
/// `../reports/v1.5`, by names alone.
fn name_in_root(root: &Path, target: &Path) -> Result<String, LinkProblem> {
    let mut path = root.to_owned();
    for part in target.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(path.pop()),
            Component::Normal(name) => path.push(name),
            Component::RootDir | Component::Prefix(_) => return Err(LinkProblem::Outside),
        }
    }
    let below = path.strip_prefix(root).map_err(|_| LinkProblem::Outside)?;
    let mut names = below.components();
    match (names.next(), names.next()) {
        (Some(Component::Normal(name)), None) => name
            .to_str()
            .map(str::to_owned)
            .ok_or(LinkProblem::NotARelease),
        _ => Err(LinkProblem::NotARelease),
    }
}
