//! Links in the root of a tree: other names of release folders.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::{FolderRelease, LinkProblem, name_of};
use crate::files::{Folder, Kind};

/// Longest text of a file that can be git's stand-in for a link, in bytes.
const MAX_LINK_BYTES: u64 = 255;

/// Where a link in a folder points. A small file that is named like a release and holds nothing but
/// a path is one too: so git writes links where the file system has none.
pub(super) fn target_of(folder: &Folder, name: &OsStr, kind: Kind) -> Option<PathBuf> {
    if kind == Kind::Link {
        return folder.link_target(name).ok();
    }
    let path = Path::new(name);
    if kind != Kind::File || FolderRelease::parse(&name_of(path)).is_none() {
        return None;
    }
    let text = String::from_utf8(folder.read(path, MAX_LINK_BYTES).ok()?).ok()?;
    let target = text.strip_suffix('\n').unwrap_or(&text);
    (!target.is_empty() && !target.contains(['\n', '\0'])).then(|| PathBuf::from(target))
}

/// The name of the release folder that the link at `link` stands for.
pub(super) fn resolve(
    folder: &Folder,
    root: &Path,
    link: &Path,
    target: &Path,
) -> Result<String, LinkProblem> {
    let mut target = target.to_owned();
    let mut seen = BTreeSet::from([link.to_owned()]);
    loop {
        let name = name_in_root(root, &target)?;
        let path = root.join(&name);
        if !seen.insert(path.clone()) {
            return Err(LinkProblem::Itself);
        }
        let name_in_folder = OsStr::new(&name);
        let Ok(kind) = folder.kind_of(name_in_folder) else {
            return Err(LinkProblem::Nowhere);
        };
        match target_of(folder, name_in_folder, kind) {
            Some(next) => target = next,
            None => {
                let release = FolderRelease::parse(&name).filter(|_| kind == Kind::Folder);
                return match (FolderRelease::parse(&name_of(link)), release) {
                    (Some(alias), Some(release)) if alias.minor() == release.minor() => Ok(name),
                    (Some(_), Some(_)) => Err(LinkProblem::OtherMinor),
                    _ => Err(LinkProblem::NotARelease),
                };
            }
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
