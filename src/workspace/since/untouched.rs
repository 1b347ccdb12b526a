use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::{Changed, Depth, EntryKind, History, HistoryError, Point, TreeEntry, not_checked_out};
use gwconform_base::api::FolderRelease;
use gwconform_base::files::read_regular;
use gwconform_base::text::source::MAX_FILE_BYTES;
use gwconform_report::tree::{USUAL_PLACES, is_report as is_report_text, is_yaml};

/// A changed file that is or was a report.
#[derive(Debug)]
pub struct TouchedReport {
    /// Path below the repository.
    pub path: PathBuf,
    /// True if it shows that a default folder of the tree is gone. The report is no longer there, or
    /// a symbolic link or a submodule is there instead of the folder.
    pub is_tree_gone: bool,
}

/// The first changed file that is or was a report, preferably one that shows that the tree is gone.
/// Files below `tree` are left out.
pub fn touched_report(
    history: &dyn History,
    tree: Option<&Path>,
) -> Result<Option<TouchedReport>, HistoryError> {
    let is_elsewhere = |file: &&Changed| tree.is_none_or(|tree| !file.path.starts_with(tree));
    let mut first = None;
    for file in history.changed().iter().filter(is_elsewhere) {
        let below = history.below(&file.path);
        let below = below.unwrap_or_else(|| file.path.clone());
        let mut places = USUAL_PLACES.iter().map(Path::new);
        let place = places.find(|place| below.starts_with(place));
        let is_place = place == Some(&below);
        let is_touched = if file.is_link {
            is_place
        } else {
            (is_place && file.path.is_dir())
                || (is_yaml(&below) && (is_report(file, &below) || was_report(file, history)?))
        };
        let is_tree_gone = is_place || (place.is_some() && !file.path.exists());
        if is_touched && (is_tree_gone || first.is_none()) {
            first = Some(TouchedReport {
                path: below,
                is_tree_gone,
            });
            if is_tree_gone {
                break;
            }
        }
    }
    Ok(first)
}

/// Fails if the earlier revision has a report in a default folder, or a submodule instead of the
/// folder. A checkout can leave out both.
pub fn need_checked_out(history: &dyn History) -> Result<(), HistoryError> {
    for place in USUAL_PLACES {
        let files = history.entries(Point::Commit, Path::new(place), Depth::Files)?;
        let is_report = |entry: &TreeEntry| {
            let below = entry.path.strip_prefix(place).ok();
            let release = below.and_then(|below| below.iter().next());
            let is_release = |name: &OsStr| FolderRelease::parse(&name.to_string_lossy()).is_some();
            let is_submodule = entry.kind == EntryKind::Other;
            is_submodule || (is_yaml(&entry.path) && release.is_some_and(is_release))
        };
        if let Some(entry) = files.into_iter().find(is_report) {
            return Err(not_checked_out(&entry.path.display().to_string()));
        }
    }
    Ok(())
}

fn is_report(file: &Changed, below: &Path) -> bool {
    match read_regular(&file.path, MAX_FILE_BYTES) {
        Ok(bytes) => is_report_text(&bytes),
        // A sparse checkout lacks files that git lists.
        Err(_) => file.is_there && USUAL_PLACES.iter().any(|place| below.starts_with(place)),
    }
}

fn was_report(file: &Changed, history: &dyn History) -> Result<bool, HistoryError> {
    let Some(id) = &file.before else {
        return Ok(false);
    };
    Ok(history.read(id)?.is_ok_and(|bytes| is_report_text(&bytes)))
}
