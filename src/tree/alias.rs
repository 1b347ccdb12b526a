//! Links in the root of a tree: other names of release folders.

use std::collections::BTreeSet;
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

/// The name of the release folder that the link at `link` stands for.
pub(super) fn resolve(root: &Path, link: &Path, target: &Path) -> Result<String, LinkProblem> {
    let mut target = target.to_owned();
    let mut seen = BTreeSet::from([link.to_owned()]);
    loop {
        let name = name_in_root(root, &target)?;
        let path = root.join(&name);
        if !seen.insert(path.clone()) {
            return Err(LinkProblem::Itself);
        }
        let mut walk = WalkDir::new(&path)
            .follow_root_links(false)
            .max_depth(0)
            .into_iter();
        let Some(Ok(entry)) = walk.next() else {
            return Err(LinkProblem::Nowhere);
        };
        match target_of(&entry) {
            Some(next) => target = next,
            None => {
                let is_release =
                    |name: &str| entry.file_type().is_dir() && FolderRelease::parse(name).is_some();
                let stands_for =
                    is_release(&name) && FolderRelease::parse(&name_of(link)).is_some();
                return if stands_for {
                    Ok(name)
                } else {
                    Err(LinkProblem::NotARelease)
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
