//! Changes of a repository without a reports tree.

use std::path::{Path, PathBuf};

use memchr::memmem;

use super::{Changed, History, HistoryError};
use crate::text::source::MAX_FILE_BYTES;
use crate::tree::files::read_regular;
use crate::tree::{USUAL_PLACES, is_yaml};

/// The kind of a report, as it is in its text.
const KIND: &[u8] = b"ConformanceReport";

/// The first file of a change that is or was a report in any folder, or a symbolic link in a usual place of the
/// tree. Users must name a tree in any other place. A change that deletes or moves the tree touches its reports.
///
/// # Errors
/// When an earlier file cannot be asked for.
pub fn touched_report(history: &dyn History) -> Result<Option<PathBuf>, HistoryError> {
    for file in history.changed() {
        let below = history.below(&file.path);
        let below = below.unwrap_or_else(|| file.path.clone());
        let is_touched = match file.is_link {
            true => USUAL_PLACES.iter().any(|place| below == Path::new(place)),
            false => is_yaml(&file.path) && (is_report(file) || was_report(file, history)?),
        };
        if is_touched {
            return Ok(Some(below));
        }
    }
    Ok(None)
}

/// False for a file that cannot be read: nothing shows that it is a report.
fn is_report(file: &Changed) -> bool {
    let bytes = read_regular(&file.path, MAX_FILE_BYTES);
    bytes.is_ok_and(|bytes| has_kind(&bytes))
}

fn was_report(file: &Changed, history: &dyn History) -> Result<bool, HistoryError> {
    let Some(id) = &file.before else {
        return Ok(false);
    };
    Ok(history.read(id)?.is_ok_and(|bytes| has_kind(&bytes)))
}

fn has_kind(bytes: &[u8]) -> bool {
    memmem::find(bytes, KIND).is_some()
}
