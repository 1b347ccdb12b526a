//! Makes reports trees: [`make`] one of any size from a seed, [`sample`] the one in `reports/`.
//! Pure: what is made is returned as paths and texts. Tests and benches include this file by its
//! path.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a table or a fact that does not fit stops the maker, which has no user to spare"
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

/// What to make.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The same seed gives the same bytes.
    pub seed: u64,
    /// How much.
    pub size: Size,
    /// Whether everything is right.
    pub mistakes: Mistakes,
}

/// How large a tree is.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    /// By its submissions.
    Submissions(usize),
    /// By its reports.
    Reports(usize),
}

/// Whether everything in a tree is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistakes {
    /// By the rules, and consistent with the facts of each release.
    None,
    /// One mistake in about every fourth submission.
    Some,
}

/// An implementation and all its runs of the suite.
#[derive(Clone, Debug)]
struct Implementation {
    project: Project,
    runs: Vec<Run>,
}

/// Other names of release folders: minors have one folder since v1.5.
const ALIASES: [(&str, &str); 3] = [("v1.5.0", "v1.5"), ("v1.5.1", "v1.5"), ("v1.6.0", "v1.6")];

/// The links of a tree, those whose folder it has: name and target.
pub fn aliases(files: &[(PathBuf, String)]) -> Vec<(&'static str, &'static str)> {
    let has = |folder: &str| files.iter().any(|(path, _)| path.starts_with(folder));
    let there = ALIASES.into_iter().filter(|(_, folder)| has(folder));
    there.collect()
}

/// Makes a tree: paths below its root, and texts.
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

/// The sample tree in `reports/`.
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

/// The submissions of an implementation: the README first, then its reports.
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
