//! Resolves aliases, which are links in a tree's root that give a release folder another name.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::{LinkProblem, MAX_NAME_BYTES};
use gwconform_base::api::FolderRelease;
use gwconform_base::files::name_of;
use gwconform_base::files::{FileKind, Folder, MAX_LINKS};

/// On file systems without links, Git creates small text files, so a text file named after a
/// release counts as a link.
pub(super) fn target_of(folder: &Folder, name: &OsStr, kind: FileKind) -> Option<PathBuf> {
    if !can_be_link(name, kind) {
        return None;
    }
    if kind == FileKind::Link {
        return folder.link_target(name).ok();
    }
    let path = Path::new(name);
    let text = String::from_utf8(folder.read(path, MAX_NAME_BYTES as u64).ok()?).ok()?;
    let target = text.strip_suffix('\n').unwrap_or(&text);
    (!target.is_empty() && !target.contains(['\n', '\0'])).then(|| PathBuf::from(target))
}

pub(super) fn can_be_link(name: &OsStr, kind: FileKind) -> bool {
    match kind {
        FileKind::Link => true,
        FileKind::File => name.to_str().and_then(FolderRelease::parse).is_some(),
        FileKind::Folder | FileKind::Special => false,
    }
}

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

/// Accepts targets such as `v1.5`, `./v1.5`, `v1.5/` and `../reports/v1.5`.
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
