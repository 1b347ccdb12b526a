//! Which tree, and which part of it, a path on the command line means.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{FolderRelease, Parts, name_of};

/// What a path means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Located {
    /// A reports tree, or parts of one.
    Tree {
        /// The tree's folder.
        root: PathBuf,
        /// What of it.
        parts: Parts,
    },
    /// A file that stands in no tree.
    Lone(PathBuf),
    /// A folder that is no reports tree, holds none in the usual places and stands in none.
    NoTree,
}

/// Where a repository keeps its reports tree, in the order in which we look.
pub const USUAL_PLACES: [&str; 2] = ["conformance/reports", "reports"];

/// Finds out what `path` (absolute) means: a whole tree (a folder whose children look like
/// releases), one release, one submission, a file in one, or a file elsewhere. The folder that
/// holds a tree in one of the [`USUAL_PLACES`] means that tree.
///
/// # Errors
/// When there is nothing at `path`, or it cannot be looked at.
pub fn locate(path: &Path) -> io::Result<Located> {
    let is_folder = fs::metadata(path)?.is_dir();
    if is_folder {
        if looks_like_tree(path)? {
            return Ok(Located::Tree {
                root: path.to_owned(),
                parts: Parts::Whole,
            });
        }
        for place in USUAL_PLACES {
            let root = path.join(place);
            if looks_like_tree(&root).unwrap_or(false) {
                return Ok(Located::Tree {
                    root,
                    parts: Parts::Whole,
                });
            }
        }
    }
    if let Some(located) = inside_tree(path) {
        return Ok(located);
    }
    let parent_is_tree = path
        .parent()
        .is_some_and(|parent| looks_like_tree(parent).unwrap_or(false));
    match (is_folder, parent_is_tree) {
        (true, _) => Ok(Located::NoTree),
        // The tree's own README or script: there is nothing in it to check.
        (false, true) if !super::is_yaml(path) => {
            let root = path.parent().unwrap_or(path).to_owned();
            Ok(Located::Tree {
                root,
                parts: Parts::none(),
            })
        }
        (false, _) => Ok(Located::Lone(path.to_owned())),
    }
}

/// The release folder and submission in which a path stands, by the names of its ancestors.
fn inside_tree(path: &Path) -> Option<Located> {
    let release = path
        .ancestors()
        .find(|ancestor| FolderRelease::parse(&name_of(ancestor)).is_some())?;
    let below = path.strip_prefix(release).ok()?;
    let submission = below
        .components()
        .next()
        .map(|first| crate::source::display_name(first.as_os_str()));
    let wanted = submission.map(|name| BTreeSet::from([name]));
    Some(Located::Tree {
        root: release.parent()?.to_owned(),
        parts: Parts::Some(BTreeMap::from([(name_of(release), wanted)])),
    })
}

fn looks_like_tree(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_folder = entry.file_type()?.is_dir();
        if is_folder
            && FolderRelease::parse(&crate::source::display_name(&entry.file_name())).is_some()
        {
            return Ok(true);
        }
    }
    Ok(false)
}
