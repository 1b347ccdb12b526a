use std::path::{Path, PathBuf};

use super::locate::{USUAL_PLACES, has_release, is_tree};
use gwconform_base::files::Files;

/// Nearest tree at or above `folder` (absolute), directly or in one of the usual places. The search
/// ends at a repository root or `ceiling`, because folders above may belong to other users.
pub fn above(files: &Files, folder: &Path, ceiling: Option<&Path>) -> Option<PathBuf> {
    for folder in folder.ancestors() {
        if is_tree(files, folder) {
            return Some(folder.to_owned());
        }
        let mut places = USUAL_PLACES.iter().map(|place| folder.join(place));
        if let Some(place) = places.find(|place| has_release(files, place)) {
            return Some(place);
        }
        let is_top = files.kind_of(&folder.join(".git")).is_ok();
        if is_top || Some(folder) == ceiling {
            return None;
        }
    }
    None
}
