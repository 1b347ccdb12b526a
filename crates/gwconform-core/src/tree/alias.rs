//! Links in the root of a tree: other names of release folders.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::{FolderRelease, LinkProblem, name_of};
use crate::tree::files::{FileKind, Folder};

/// Longest text of a file that can be git's stand-in for a link, in bytes.
const MAX_LINK_BYTES: u64 = 255;

/// How many links are followed, as Linux does (`path_resolution(7)`).
const MAX_LINKS: usize = 40;

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

/// The name of the release folder that the link at `link` in the root of a tree stands for.
pub(super) fn resolve(root: &Folder, link: &Path, target: &Path) -> Result<String, LinkProblem> {
    let mut name = name_in_root(root.path(), target)?;
    for _ in 0..MAX_LINKS {
        let kind = root
            .kind_of(name.as_ref())
            .map_err(|_| LinkProblem::Nowhere)?;
        if let Some(next) = target_of(root, name.as_ref(), kind) {
            name = name_in_root(root.path(), &next)?;
            continue;
        }
        let release = FolderRelease::parse(&name).filter(|_| kind == FileKind::Folder);
        return match (FolderRelease::parse(&name_of(link)), release) {
            (Some(alias), Some(release)) if alias.minor() == release.minor() => Ok(name),
            (Some(_), Some(_)) => Err(LinkProblem::OtherMinor),
            _ => Err(LinkProblem::NotARelease),
        };
    }
    Err(LinkProblem::Itself)
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
