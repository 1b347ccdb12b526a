//! Links in the root of a tree: other names of release folders.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::{FolderRelease, LinkProblem, name_of};
use crate::tree::files::{FileKind, Folder};

/// Longest text of a file that can be git's stand-in for a link, in bytes.
const MAX_LINK_BYTES: u64 = 255;

/// Where a link in a folder points. A small file that is named like a release and holds nothing but
/// a path is one too: so git writes links where the file system has none.
pub(super) fn target_of(folder: &Folder, name: &OsStr, kind: FileKind) -> Option<PathBuf> {
    if !can_be_link(name, kind) {
        return None;
    }
    if kind == FileKind::Link {
        return folder.link_target(name).ok();
    }
    let path = Path::new(name);
    let text = String::from_utf8(folder.read(path, MAX_LINK_BYTES).ok()?).ok()?;
    let target = text.strip_suffix('\n').unwrap_or(&text);
    (!target.is_empty() && !target.contains(['\n', '\0'])).then(|| PathBuf::from(target))
}

/// True for what may be a link: the folder that holds it need not be open to know that others are none.
pub(super) fn can_be_link(name: &OsStr, kind: FileKind) -> bool {
    match kind {
        FileKind::Link => true,
        FileKind::File => FolderRelease::parse(&name_of(Path::new(name))).is_some(),
        FileKind::Folder | FileKind::Special => false,
    }
}

/// The links in the root of a tree. Where a link ends is looked up once, however many lead to it.
pub(super) struct Links<'r> {
    folder: &'r Folder,
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
    pub(super) fn new(folder: &'r Folder) -> Self {
        Self {
            folder,
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
        let name = path.file_name().unwrap_or_default();
        let Ok(kind) = self.folder.kind_of(name) else {
            return Step::End(Err(LinkProblem::Nowhere));
        };
        match target_of(self.folder, name, kind) {
            Some(target) => self.follow(&target),
            None => Step::End(Ok(End {
                name: name_of(path),
                is_folder: kind == FileKind::Folder,
            })),
        }
    }

    fn follow(&self, target: &Path) -> Step {
        match name_in_root(self.folder.path(), target) {
            Ok(name) => Step::To(self.folder.path().join(name)),
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
