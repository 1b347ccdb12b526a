//! Creates random reports trees and the sample tree in `reports/`. This module does no I/O. Tests
//! and benchmarks include this file by its path.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "inconsistent tables or release data must stop the generator"
)]

mod mistakes;
mod names;
mod random;
mod readme;
mod rng;
mod run;
mod sample;
mod yaml;

use std::collections::BTreeMap;
use std::path::PathBuf;

use readme::Project;
use rng::Rng;
use run::Run;

#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub seed: u64,
    pub size: Size,
    pub mistakes: Mistakes,
}

#[derive(Clone, Copy, Debug)]
pub enum Size {
    Submissions(usize),
    Reports(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistakes {
    /// No rule reports a finding, and all reports are consistent with the release data.
    None,
    /// About every fourth submission contains one mistake.
    Some,
}

#[derive(Clone, Debug)]
struct Implementation {
    project: Project,
    runs: Vec<Run>,
}

/// Aliases and their target folders. Since v1.5, each minor has only one folder.
const ALIASES: [(&str, &str); 3] = [("v1.5.0", "v1.5"), ("v1.5.1", "v1.5"), ("v1.6.0", "v1.6")];

pub fn aliases(files: &[(PathBuf, String)]) -> Vec<(&'static str, &'static str)> {
    let has = |folder: &str| files.iter().any(|(path, _)| path.starts_with(folder));
    let there = ALIASES.into_iter().filter(|(_, folder)| has(folder));
    there.collect()
}

pub fn make(options: &Options) -> Vec<(PathBuf, String)> {
    let mut rng = Rng::new(options.seed);
    let mut files = vec![(PathBuf::from("README.md"), readme::of_made_tree(options))];
    for implementation in random::implementations(&mut rng, options.size) {
        for mut submission in submissions(&implementation) {
            if options.mistakes == Mistakes::Some && rng.one_in(4) {
                mistakes::make_one(&mut submission, &mut rng);
            }
            files.extend(submission);
        }
    }
    files
}

pub fn sample() -> Vec<(PathBuf, String)> {
    let mut files = vec![(
        PathBuf::from("README.md"),
        readme::OF_SAMPLE_TREE.to_owned(),
    )];
    for implementation in sample::implementations() {
        files.extend(submissions(&implementation).into_iter().flatten());
        files.extend(sample::other_files(&implementation));
    }
    files
}

fn submissions(implementation: &Implementation) -> Vec<Vec<(PathBuf, String)>> {
    let mut by_folder: BTreeMap<String, Vec<&Run>> = BTreeMap::new();
    for run in &implementation.runs {
        by_folder.entry(run.release_folder()).or_default().push(run);
    }
    let submissions = by_folder.into_iter().map(|(release, runs)| {
        let folder = PathBuf::from(release).join(implementation.project.folder());
        let readme = readme::text(&implementation.project, &runs);
        let mut files = vec![(folder.join("README.md"), readme)];
        files.extend(
            runs.iter()
                .map(|run| (folder.join(run.file_name()), run.report())),
        );
        files
    });
    submissions.collect()
}
