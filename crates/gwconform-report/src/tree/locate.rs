//! Determines the reports tree, or the part of it, that a path on the command line refers to.
//!
//! A tree is recognized only by its own content ([`is_tree_around`]), because checkouts also use
//! names such as `v1.5.1`.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use super::{Parts, is_yaml, loose};
use gwconform_base::api::FolderRelease;
use gwconform_base::api::Version;
use gwconform_base::files::name_of;
use gwconform_base::files::{FileKind, Files, FolderEntry};

/// Part of a reports tree that a path refers to, if any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Located {
    /// A reports tree or parts of one.
    Tree {
        /// Absolute path of the tree's root.
        root: PathBuf,
        /// Parts of the tree that the path refers to.
        parts: Parts,
    },
    /// README or script of the tree itself, which is not checked.
    OfTree(PathBuf),
    /// A file outside any tree.
    Lone(PathBuf),
    /// A folder with reports outside of any tree, at any depth.
    Loose(PathBuf),
    /// Neither a reports tree, nor a part of one, and without reports.
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

/// Usual locations in a repository, in search order.
pub const USUAL_PLACES: [&str; 2] = ["conformance/reports", "reports"];

const USUAL_NAME: &str = "reports";

/// Determines the tree that `path` (absolute) refers to. A folder with a tree in one of the
/// [`USUAL_PLACES`] refers to that tree.
///
/// # Errors
/// If `path` does not exist or cannot be read.
pub fn locate(path: &Path) -> io::Result<Located> {
    locate_in(&Files::Disk, path)
}

/// Like [`locate`], for any file system.
pub fn locate_in(files: &Files, path: &Path) -> io::Result<Located> {
    if files.kind_behind(path)? == FileKind::Folder {
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
    // From strong to weak evidence. The walk reports misnamed folders.
    let own_or_place = || std::iter::once(path.to_owned()).chain(places());
    let found = has_release(files, path).then(|| path.to_owned());
    found
        .or_else(|| own_or_place().find(|folder| has_misnamed_release(files, folder)))
        .or_else(|| own_or_place().find(|folder| has_submissions_below(files, folder)))
        .map_or_else(|| loose(files, path), Located::whole)
}

fn loose(files: &Files, path: &Path) -> Located {
    if loose::has_report(files, path) {
        Located::Loose(path.to_owned())
    } else {
        Located::NoTree
    }
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

/// Excludes text files named after a release, which Git uses in place of links.
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

/// README or script in a tree's root, even if it does not exist yet.
pub fn is_of_tree(files: &Files, path: &Path) -> bool {
    matches!(own_file(files, path), Some(Located::OfTree(_)))
}

pub(super) fn release_around(files: &Files, path: &Path) -> Option<FolderRelease> {
    if own_file(files, path).is_some() {
        return None;
    }
    let release = path.parent()?.parent()?;
    let named = FolderRelease::parse(&name_of(release))?;
    is_tree_around(files, release, FileKind::File).then_some(named)
}

fn inside_tree(files: &Files, path: &Path, kind: FileKind) -> Option<Located> {
    for release in path.ancestors() {
        if FolderRelease::parse(&name_of(release)).is_none() {
            continue;
        }
        let below = path.strip_prefix(release).ok()?;
        let submission = below
            .components()
            .next()
            .map(|first| gwconform_base::text::source::display_name(first.as_os_str()));
        let has_shape = match (below.components().count(), &submission) {
            (0 | 1, _) => true,
            (2, _) if kind == FileKind::File => true,
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

/// Recognizes a tree by its name, several releases, or submissions in `release`. For a folder that
/// the user named, a README or a report is sufficient.
fn is_tree_around(files: &Files, release: &Path, kind: FileKind) -> bool {
    let Some(root) = release.parent().filter(|root| !is_flat(files, root)) else {
        return false;
    };
    name_of(root) == USUAL_NAME
        || has_several_releases(files, root)
        || any_folder(files, release, |entry| {
            let kinds = files_of_submission(files, entry.path());
            kinds == (true, true) || (kind == FileKind::Folder && kinds != (false, false))
        })
}

/// A tree contains a release, and either is named `reports` or contains submissions.
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
    any_folder(files, folder, is_release) && !is_flat(files, folder)
}

/// True if folders named for releases hold reports, and none holds a submission. Implementations
/// keep their own reports so. In the usual place of a tree, the reports are misplaced instead.
fn is_flat(files: &Files, folder: &Path) -> bool {
    let holds = |folder: &Path| {
        let entries = files.entries(folder).into_iter().flatten();
        let mut files = entries.filter(|entry| entry.kind() == FileKind::File);
        files.any(|entry| is_yaml(entry.path()))
    };
    let is_version = |entry: &FolderEntry| is_release(entry) || is_misnamed_release(entry);
    !folder.ends_with(USUAL_PLACES[0])
        && any_folder(files, folder, |entry| {
            is_version(entry) && holds(entry.path())
        })
        && !any_folder(files, folder, |entry| {
            any_folder(files, entry.path(), |entry| holds(entry.path()))
        })
}

/// Counts links too, and text files that Git uses in place of links.
fn has_several_releases(files: &Files, folder: &Path) -> bool {
    let entries = files.entries(folder);
    entries.is_ok_and(|entries| entries.iter().filter(|entry| is_release(entry)).count() > 1)
}

fn has_misnamed_release(files: &Files, folder: &Path) -> bool {
    any_folder(files, folder, is_misnamed_release) && !is_flat(files, folder)
}

fn is_misnamed_release(entry: &FolderEntry) -> bool {
    let name = name_of(entry.path());
    let is_prerelease = Version::parse(&name).is_some();
    is_prerelease || FolderRelease::parse_leniently(&name).is_some()
}

fn has_submissions_below(files: &Files, folder: &Path) -> bool {
    name_of(folder) == USUAL_NAME
        && any_folder(files, folder, |entry| {
            any_folder(files, entry.path(), |entry| {
                holds_submission(files, entry.path())
            })
        })
}

fn holds_submission(files: &Files, folder: &Path) -> bool {
    files_of_submission(files, folder) == (true, true)
}

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

/// Ignores links, and returns false if `folder` itself is a link.
fn any_folder(files: &Files, folder: &Path, fits: impl Fn(&FolderEntry) -> bool) -> bool {
    if matches!(files.kind_of(folder), Ok(FileKind::Link)) {
        return false;
    }
    let entries = files.entries(folder).into_iter().flatten();
    let mut folders = entries.filter(|entry| entry.kind() == FileKind::Folder);
    folders.any(|entry| fits(&entry))
}
