//! The tree that a command means which is run below it.

use std::path::{Path, PathBuf};

use super::locate::{USUAL_PLACES, has_release, is_tree};
use crate::tree::files::Files;

/// Most folders that are looked into, from the one where the command is run upwards.
const MAX_FOLDERS: usize = 32;

/// The nearest tree around a folder (absolute): the first folder, from it upwards, that is certainly a
/// tree or holds one in a usual place. The top of a repository and the `ceiling` are the last that
/// are looked into; a folder above either may belong to somebody else.
pub fn above(files: &Files, folder: &Path, ceiling: Option<&Path>) -> Option<PathBuf> {
    for folder in folder.ancestors().take(MAX_FOLDERS) {
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
