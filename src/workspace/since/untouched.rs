use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::{Changed, Depth, EntryKind, History, HistoryError, Point, TreeEntry, not_checked_out};
use gwconform_base::api::FolderRelease;
use gwconform_base::files::read_regular;
use gwconform_base::text::source::MAX_FILE_BYTES;
use gwconform_report::tree::{USUAL_PLACES, is_yaml};

const KIND: &[u8] = b"ConformanceReport";

/// First changed file that is or was a report, or that is a symbolic link or a submodule instead of
/// a default folder of the tree. Files below `tree` are left out.
pub fn touched_report(
    history: &dyn History,
    tree: Option<&Path>,
) -> Result<Option<PathBuf>, HistoryError> {
    let is_elsewhere = |file: &&Changed| tree.is_none_or(|tree| !file.path.starts_with(tree));
    for file in history.changed().iter().filter(is_elsewhere) {
        let below = history.below(&file.path);
        let below = below.unwrap_or_else(|| file.path.clone());
        let is_place = USUAL_PLACES.iter().any(|place| below == Path::new(place));
        let is_touched = if file.is_link {
            is_place
        } else {
            (is_place && file.path.is_dir())
                || (is_yaml(&below) && (is_report(file, &below) || was_report(file, history)?))
        };
        if is_touched {
            return Ok(Some(below));
        }
    }
    Ok(None)
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
        Ok(bytes) => has_kind(&bytes),
        // A sparse checkout lacks files that git lists.
        Err(_) => file.is_there && USUAL_PLACES.iter().any(|place| below.starts_with(place)),
    }
}

fn was_report(file: &Changed, history: &dyn History) -> Result<bool, HistoryError> {
    let Some(id) = &file.before else {
        return Ok(false);
    };
    Ok(history.read(id)?.is_ok_and(|bytes| has_kind(&bytes)))
}

/// Other files, such as workflows, can also contain the name.
fn has_kind(bytes: &[u8]) -> bool {
    bytes.split(|byte| *byte == b'\n').any(|line| {
        let before = memmem::find(line, KIND).map(|at| &line[..at]);
        before.is_some_and(|before| memmem::find(before, b"kind").is_some())
    })
}
