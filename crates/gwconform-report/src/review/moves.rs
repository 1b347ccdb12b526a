//! Maps earlier paths to current paths.

use std::collections::{BTreeMap, BTreeSet};

use super::{BaseRevision, folders_of};
use crate::rules::Pair;
use crate::rules::check::Checked;
use gwconform_base::text::diagnostic::Subject;

/// Current printed paths of renamed files and folders, by earlier path.
#[derive(Debug, Default)]
pub struct Moves(BTreeMap<String, String>);

impl Moves {
    /// Records moved reports, their former folders, and files with the same name in the new folder.
    pub fn new(pairs: &[Pair<'_>], earlier: &BaseRevision, checked: &[Checked]) -> Self {
        let was_there: BTreeSet<&str> = earlier.shown(|file| file.was_there);
        let is_there: BTreeSet<&str> = earlier.shown(|file| file.is_there);
        let mut moves = BTreeMap::new();
        let mut folders: BTreeMap<&str, &str> = BTreeMap::new();
        for pair in pairs.iter().filter(|pair| !pair.is_replacement()) {
            let (Some(before), Some(after)) = (pair.before, pair.after) else {
                continue;
            };
            if before.path == after.path {
                continue;
            }
            moves.insert(before.path.clone(), after.path.clone());
            if is_there.contains(before.path.as_str()) {
                continue;
            }
            // Parent folders with equal names moved together.
            let (mut old, mut new) = (parent(&before.path), parent(&after.path));
            while let (Some(from), Some(to)) = (old, new)
                && from != to
            {
                folders.entry(from).or_insert(to);
                let is_same = name(from) == name(to);
                (old, new) = (parent(from), parent(to));
                if !is_same {
                    break;
                }
            }
        }
        for file in earlier.files.iter().filter(|file| !file.is_there) {
            let folder = parent(&file.shown).and_then(|folder| folders.get(folder));
            let Some(folder) = folder else { continue };
            let to = format!("{folder}/{}", name(&file.shown));
            if is_there.contains(to.as_str()) && !was_there.contains(to.as_str()) {
                moves.entry(file.shown.clone()).or_insert(to);
            }
        }
        let checked = checked.iter().map(|one| one.path.as_str());
        let all_now = checked.chain(is_there.iter().copied());
        let kept: BTreeSet<&str> = all_now.flat_map(folders_of).collect();
        for (from, to) in folders {
            if !kept.contains(from) {
                moves
                    .entry(from.to_owned())
                    .or_insert_with(|| to.to_owned());
            }
        }
        Self(moves)
    }

    pub(super) fn path<'p>(&'p self, before: &'p str) -> &'p str {
        self.0.get(before).map_or(before, String::as_str)
    }

    pub(super) fn subject(&self, path: &str, subject: &Subject) -> String {
        let text = subject.as_str();
        if self.0.is_empty() {
            return text.to_owned();
        }
        let folder = parent(path).unwrap_or_default();
        let mut renamed = String::with_capacity(text.len());
        for piece in text.split_inclusive([' ', ',']) {
            let word = piece.trim_end_matches([' ', ',']);
            let sibling = format!("{folder}/{word}");
            match (self.0.get(word), self.0.get(&sibling)) {
                (Some(to), _) => renamed.push_str(to),
                (None, Some(to)) => renamed.push_str(name(to)),
                (None, None) => renamed.push_str(word),
            }
            renamed.push_str(&piece[word.len()..]);
        }
        renamed
    }
}

fn parent(path: &str) -> Option<&str> {
    path.rfind('/').map(|at| &path[..at])
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
