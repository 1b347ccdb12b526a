use std::path::{Component, Path, PathBuf};

use super::File;
use crate::tree::is_git_attributes;
use gwconform_base::api::FolderRelease;
use gwconform_base::files::name_of;

/// Role of a changed file in a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The file belongs to a submission.
    Submission,
    /// The file is a release alias, the list page, or a details file.
    Expected,
    /// Any other file.
    Other,
}

/// Role of a file. `root` is the path of the tree.
pub fn role(file: &File, root: &Path) -> Role {
    if file.submission.is_some() {
        return Role::Submission;
    }
    let name = name_of(&file.path);
    let is_in_root = file.path.parent() == Some(root);
    let is_alias = is_in_root && FolderRelease::parse(&name).is_some();
    let list = root
        .parent()
        .map(|folder| folder.join("list/implementations"));
    let is_details = name == "details.yaml" && list.is_some_and(|list| file.path.starts_with(list));
    if is_alias || is_details || is_list_page(&file.path) {
        Role::Expected
    } else {
        Role::Other
    }
}

pub(super) fn is_attributes_of(file: &File, root: &Path) -> bool {
    let folder = file.path.parent();
    let is_near = folder.is_some_and(|folder| folder.starts_with(root) || root.starts_with(folder));
    is_near && is_git_attributes(&file.path)
}

/// True for the list page, or a page in a folder with that name. Upstream has moved the page over
/// time.
fn is_list_page(path: &Path) -> bool {
    let folder = path.parent().map(name_of).unwrap_or_default();
    match name_of(path).as_str() {
        "implementations.md" => true,
        "index.md" | "_index.md" | "list.md" => folder == "implementations",
        _ => false,
    }
}

/// Absolute path of the submission that a file of the tree at `root` belongs to.
pub fn submission_of(path: &Path, root: &Path) -> Option<PathBuf> {
    let below = path.strip_prefix(root).ok()?;
    let mut names = below.components();
    match (names.next()?, names.next()?, names.next()?) {
        (Component::Normal(release), Component::Normal(folder), _) => {
            Some(root.join(release).join(folder))
        }
        _ => None,
    }
}
