//! Changes of a repository without a reports tree.

use std::path::Path;

use super::History;
use crate::tree::{FolderRelease, USUAL_NAME, is_yaml, name_of};

/// True when a change touches a file that is or was in a reports tree, by its path: in a release of a
/// folder `reports`, or a report of a release in any other folder. A tree in an unusual place has to be
/// named, and one that the change deletes or moves is its subject.
pub fn touches_reports(history: &dyn History) -> bool {
    let mut changed = history.changed().iter();
    changed.any(|file| (history.below(&file.path)).is_none_or(|below| is_of_tree(&below)))
}

fn is_of_tree(path: &Path) -> bool {
    let is_report = is_yaml(path) && name_of(path).contains("report");
    path.ancestors().skip(1).enumerate().any(|(depth, folder)| {
        let is_release = FolderRelease::parse_leniently(&name_of(folder)).is_some();
        let is_usual = || {
            folder
                .parent()
                .is_some_and(|root| name_of(root) == USUAL_NAME)
        };
        is_release && (is_usual() || (is_report && depth == 1))
    })
}
