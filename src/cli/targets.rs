//! What the paths on the command line mean.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, anyhow};

use super::Failure;
use crate::files::{OpenError, open_regular, read_up_to};
use crate::source::display_path;
use crate::tree::{self, Located, Parts};

/// The working directory, which relative paths start from and printed paths are relative to.
#[derive(Debug)]
pub struct Base(PathBuf);

impl Base {
    /// The process's working directory.
    pub fn current() -> Result<Self, Failure> {
        let folder = std::env::current_dir().context("the working directory is gone");
        Ok(Self(folder.map_err(Failure::CouldNotRun)?))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A path made absolute by its names alone: `..` steps back, links stay what they are.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        let mut absolute = PathBuf::new();
        for part in self.0.join(path).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => drop(absolute.pop()),
                part => absolute.push(part),
            }
        }
        absolute
    }

    /// A path as findings print it.
    pub fn display(&self, path: &Path) -> String {
        display_path(path, &self.0)
    }

    /// Reads a file that was named, or that was found: a regular one, and no link to one, as its
    /// text may be shown.
    pub fn read(&self, path: &Path, most: u64) -> Result<Vec<u8>, anyhow::Error> {
        let shown = self.display(path);
        match open_regular(path) {
            Ok(file) => read_up_to(file, most),
            Err(OpenError::System(error)) => return Err(error).context(shown),
            Err(error) => Err(error.to_string()),
        }
        .map_err(|reason| anyhow!("{shown}: not read: {reason}"))
    }
}

/// Trees and files to check.
#[derive(Debug, Default)]
pub struct Targets {
    /// Trees by their folder, and what of each.
    pub trees: BTreeMap<PathBuf, Parts>,
    /// Files that stand in no tree.
    pub lone: BTreeSet<PathBuf>,
    /// Files that belong to a tree itself, in which nothing is checked.
    pub of_trees: BTreeSet<PathBuf>,
}

impl Targets {
    /// Finds out what `paths` mean; without any, the tree in the usual place.
    pub fn of(paths: &[PathBuf], base: &Base) -> Result<Self, Failure> {
        let mut targets = Self::default();
        for path in paths_or_default(paths, base)? {
            let located = tree::locate(&path).with_context(|| base.display(&path));
            match located.map_err(Failure::CouldNotRun)? {
                Located::Tree { root, parts } => {
                    targets
                        .trees
                        .entry(root)
                        .or_insert_with(Parts::none)
                        .add(parts);
                }
                Located::Lone(path) => drop(targets.lone.insert(path)),
                Located::OfTree(path) => drop(targets.of_trees.insert(path)),
                Located::NoTree => {
                    return Err(Failure::CouldNotRun(anyhow!(
                        "{}: no reports tree is here: expected folders named for releases, such as v1.5, in it, in its conformance/reports or in its reports",
                        base.display(&path),
                    )));
                }
            }
        }
        Ok(targets)
    }

    /// The folder from which the configuration is looked for.
    pub fn first_folder(&self) -> Option<&Path> {
        let mut files = self.lone.iter().chain(&self.of_trees);
        let folder_of_file = || files.next()?.parent();
        let mut trees = self.trees.keys().map(PathBuf::as_path);
        trees.next().or_else(folder_of_file)
    }

    /// True when all that was named is whole trees.
    pub fn are_whole(&self) -> bool {
        let mut parts = self.trees.values();
        self.lone.is_empty()
            && self.of_trees.is_empty()
            && parts.all(|parts| *parts == Parts::Whole)
    }
}

fn paths_or_default(paths: &[PathBuf], base: &Base) -> Result<Vec<PathBuf>, Failure> {
    if !paths.is_empty() {
        return Ok(paths.iter().map(|path| base.absolute(path)).collect());
    }
    let places = tree::USUAL_PLACES
        .iter()
        .map(|place| base.path().join(place));
    let places: Vec<PathBuf> = places.filter(|place| place.is_dir()).collect();
    let is_tree = |place: &&PathBuf| matches!(tree::locate(place), Ok(Located::Tree { .. }));
    // An empty place does not hide a tree in the other one.
    match places.iter().find(is_tree).or(places.first()) {
        Some(place) => Ok(vec![place.clone()]),
        None => Err(Failure::CouldNotRun(anyhow!(
            "there is no {} below the working directory; give the path of a reports tree, a submission or a report",
            tree::USUAL_PLACES.join(" and no "),
        ))),
    }
}
