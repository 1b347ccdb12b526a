//! Which tree, and which part of it, a path on the command line means.
//!
//! A name such as `v1.5.1` alone makes no release folder: a checkout of a release and a folder of
//! a project's own release are named so too. A folder is a reports tree when its own content shows it
//! ([`is_tree_around`]), and nothing outside of that is looked into.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use super::{FolderRelease, Parts, is_yaml, name_of};
use crate::tree::files::{FileKind, Files, FolderEntry};

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
    /// The tree's own README or script: there is nothing in it to check.
    OfTree(PathBuf),
    /// A file outside of any tree.
    Lone(PathBuf),
    /// A folder that is not a reports tree, holds none in the usual places and is not in one.
    NoTree,
}

impl Located {
    fn whole(root: PathBuf) -> Self {
        Self::Tree {
            root,
            parts: Parts::Whole,
        }
    }
}

/// Where a repository keeps its reports tree, in the order in which we look.
pub const USUAL_PLACES: [&str; 2] = ["conformance/reports", "reports"];

/// The name that a reports tree has in the [`USUAL_PLACES`].
const USUAL_NAME: &str = "reports";

/// Finds out what `path` (absolute) means: a whole tree (a folder whose children look like
/// releases), one release, one submission, a file in one, or a file elsewhere. The folder that
/// holds a tree in one of the [`USUAL_PLACES`] means that tree.
///
/// # Errors
/// When there is nothing at `path`, or it cannot be looked at.
pub fn locate(path: &Path) -> io::Result<Located> {
    locate_in(&Files::Disk, path)
}

/// The same for any files.
///
/// # Errors
/// See [`locate`].
pub fn locate_in(files: &Files, path: &Path) -> io::Result<Located> {
    if files.kind_behind(path)? == FileKind::Folder {
        // A folder that cannot be listed is not a tree, and neither is anything below it.
        files.entries(path)?;
        Ok(locate_folder(files, path))
    } else {
        Ok(locate_file(files, path))
    }
}

fn locate_folder(files: &Files, path: &Path) -> Located {
    if is_tree(files, path) {
        return Located::whole(path.to_owned());
    }
    let places = || USUAL_PLACES.iter().map(|place| path.join(place));
    if let Some(place) = places().find(|place| has_release(files, place)) {
        return Located::whole(place);
    }
    if let Some(located) = inside_tree(files, path, FileKind::Folder) {
        return located;
    }
    // From the surest to the weakest sign. A tree whose folders are misnamed is one too: the walk
    // reports it.
    let own_or_place = || std::iter::once(path.to_owned()).chain(places());
    let found = has_release(files, path).then(|| path.to_owned());
    found
        .or_else(|| own_or_place().find(|folder| has_misnamed_release(files, folder)))
        .or_else(|| own_or_place().find(|folder| has_submissions_below(files, folder)))
        .map_or(Located::NoTree, Located::whole)
}

fn locate_file(files: &Files, path: &Path) -> Located {
    if let Some(located) = own_file(files, path) {
        return located;
    }
    if let Some(located) = inside_tree(files, path, FileKind::File) {
        return located;
    }
    if !is_yaml(path)
        && path
            .parent()
            .is_some_and(|folder| has_release(files, folder))
    {
        return Located::OfTree(path.to_owned());
    }
    Located::Lone(path.to_owned())
}

/// A file in the root of a folder that is certainly a tree. A file named for a release there is
/// git's stand-in for a link, and means that release.
fn own_file(files: &Files, path: &Path) -> Option<Located> {
    let stands_for_release = FolderRelease::parse(&name_of(path)).is_some();
    if stands_for_release || !path.parent().is_some_and(|folder| is_tree(files, folder)) {
        return None;
    }
    Some(if is_yaml(path) {
        Located::Lone(path.to_owned())
    } else {
        Located::OfTree(path.to_owned())
    })
}

/// True for the README or a script that belongs to a tree itself, and for what would be one.
pub fn is_of_tree(files: &Files, path: &Path) -> bool {
    matches!(own_file(files, path), Some(Located::OfTree(_)))
}

/// The release folder of the submission that a file at `path` is in, or would be in.
pub(super) fn release_around(files: &Files, path: &Path) -> Option<FolderRelease> {
    if own_file(files, path).is_some() {
        return None;
    }
    let release = path.parent()?.parent()?;
    let named = FolderRelease::parse(&name_of(release))?;
    is_tree_around(files, release, FileKind::File).then_some(named)
}

/// The release folder and submission of a path: the nearest folder around it that is
/// named for a release and is in a tree.
fn inside_tree(files: &Files, path: &Path, kind: FileKind) -> Option<Located> {
    for release in path.ancestors() {
        if FolderRelease::parse(&name_of(release)).is_none() {
            continue;
        }
        let below = path.strip_prefix(release).ok()?;
        let submission = below
            .components()
            .next()
            .map(|first| crate::text::source::display_name(first.as_os_str()));
        let has_shape = match (below.components().count(), &submission) {
            // `<release>`, `<release>/<implementation>` and a file in either.
            (0 | 1, _) => true,
            (2, _) if kind == FileKind::File => true,
            // A folder below a submission, or a file in one.
            (_, Some(name)) => holds_submission(files, &release.join(name)),
            (_, None) => false,
        };
        if has_shape && is_tree_around(files, release, kind) {
            let wanted = submission.map(|name| BTreeSet::from([name]));
            return Some(Located::Tree {
                root: release.parent()?.to_owned(),
                parts: Parts::Some(BTreeMap::from([(name_of(release), wanted)])),
            });
        }
    }
    None
}

/// True when the folder around `release` looks like a reports tree: by its name, by several
/// releases in it, or by submissions in `release`. Where a folder was named, a README or a report
/// alone makes a submission: it is the folder itself that is looked into.
fn is_tree_around(files: &Files, release: &Path, kind: FileKind) -> bool {
    let Some(root) = release.parent() else {
        return false;
    };
    name_of(root) == USUAL_NAME
        || has_several_releases(files, root)
        || any_folder(files, release, |entry| {
            let kinds = files_of_submission(files, entry.path());
            kinds == (true, true) || (kind == FileKind::Folder && kinds != (false, false))
        })
}

/// True for a folder that is certainly a tree: it holds a release, and is named like a tree or holds
/// submissions.
pub(super) fn is_tree(files: &Files, folder: &Path) -> bool {
    if name_of(folder) == USUAL_NAME {
        return has_release(files, folder);
    }
    any_folder(files, folder, |entry| {
        is_release(entry)
            && any_folder(files, entry.path(), |entry| {
                holds_submission(files, entry.path())
            })
    })
}

pub(super) fn has_release(files: &Files, folder: &Path) -> bool {
    any_folder(files, folder, is_release)
}

/// Folders, links and git's stand-ins for these all count.
fn has_several_releases(files: &Files, folder: &Path) -> bool {
    let entries = files.entries(folder);
    entries.is_ok_and(|entries| entries.iter().filter(|entry| is_release(entry)).count() > 1)
}

/// True when a folder in `folder` is nearly named for a release, as `1.5` and `V1.5` are.
fn has_misnamed_release(files: &Files, folder: &Path) -> bool {
    any_folder(files, folder, |entry| {
        FolderRelease::parse_leniently(&name_of(entry.path())).is_some()
    })
}

fn has_submissions_below(files: &Files, folder: &Path) -> bool {
    any_folder(files, folder, |entry| {
        any_folder(files, entry.path(), |entry| {
            holds_submission(files, entry.path())
        })
    })
}

fn holds_submission(files: &Files, folder: &Path) -> bool {
    files_of_submission(files, folder) == (true, true)
}

/// Whether a folder holds a README, and whether it holds a file that is named like a report.
fn files_of_submission(files: &Files, folder: &Path) -> (bool, bool) {
    let entries = files.entries(folder).into_iter().flatten();
    entries.fold((false, false), |(readme, report), entry| {
        let name = name_of(entry.path());
        (
            readme || name == "README.md",
            report || (is_yaml(Path::new(&name)) && name.contains("report")),
        )
    })
}

fn is_release(entry: &FolderEntry) -> bool {
    FolderRelease::parse(&name_of(entry.path())).is_some()
}

/// True when a folder in `folder` fits. Links do not count as folders here, and nothing is looked up in a
/// `folder` that is one.
fn any_folder(files: &Files, folder: &Path, fits: impl Fn(&FolderEntry) -> bool) -> bool {
    if matches!(files.kind_of(folder), Ok(FileKind::Link)) {
        return false;
    }
    let entries = files.entries(folder).into_iter().flatten();
    let mut folders = entries.filter(|entry| entry.kind() == FileKind::Folder);
    folders.any(|entry| fits(&entry))
}
