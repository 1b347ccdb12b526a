//! `gwconform check --fix`, `--unsafe-fixes` and `--diff`: mends what can be mended, submission by
//! submission, and says what was.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use rayon::prelude::*;

use super::output::{apply, journal};
use super::targets::{Base, Targets};
use super::{Exit, Failure, Streams};
use crate::change::{Change, ChangeSet, Edit};
use crate::check::{Applicability, FixContext, FixResult, Settings, apply_fixes};
use crate::config::{ConfigFile, Ignores};
use crate::diagnostic::Diagnostic;
use crate::load::{Loaded, load_submission};
use crate::readme::Target;
use crate::registry::Registry;
use crate::text::{counted, visible};
use crate::tree::{self, EntryIssue, Submission, Tree};

/// What is to be fixed, and how.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct FixArguments {
    /// Mend READMEs where nothing that a person meant can be lost: rows, cells, links, headings,
    /// line ends. Prints what is left
    #[arg(long)]
    fix: bool,
    /// Mend also what a person should look at: names of files together with their links, cells that
    /// say something else than the report. Reports are never changed
    #[arg(long)]
    unsafe_fixes: bool,
    /// Print what --fix (or --unsafe-fixes) would change, as a diff, and change nothing; the exit
    /// code is 1 when there is something
    #[arg(long, conflicts_with = "format")]
    diff: bool,
}

impl FixArguments {
    /// Which fixes are asked for, if any are.
    pub fn level(&self) -> Option<Applicability> {
        match (self.unsafe_fixes, self.fix || self.diff) {
            (true, _) => Some(Applicability::Unsafe),
            (false, true) => Some(Applicability::Safe),
            (false, false) => None,
        }
    }

    /// True when the changes are printed instead of made.
    pub fn is_diff(&self) -> bool {
        self.diff
    }
}

/// What mending needs.
pub struct Fixer<'a> {
    pub base: &'a Base,
    pub settings: &'a Settings,
    pub registry: &'a Registry,
    pub config: Option<&'a ConfigFile>,
    pub level: Applicability,
}

impl Fixer<'_> {
    /// Works out all changes. `findings` are those of the targets as they are now.
    pub fn plan(&self, targets: &Targets, findings: &[Diagnostic]) -> Result<Plan, Failure> {
        let folders = folders_with_fixes(findings, self.level);
        let mut plan = Plan::default();
        for (root, parts) in &targets.trees {
            let tree = tree::discover(root, self.base.path(), parts)
                .with_context(|| self.base.display(root))
                .map_err(Failure::CouldNotRun)?;
            let has_fix = |submission: &&Submission| {
                folders.contains(tree.display(&submission.path).as_str())
            };
            let submissions: Vec<&Submission> = tree.submissions.iter().filter(has_fix).collect();
            let mut mended: Vec<FixResult> = (submissions.par_iter())
                .map(|submission| self.apply_fixes(submission, Some(&tree), self.level))
                .collect();
            if mended.iter().any(|mended| renamed(mended).next().is_some()) {
                let links = self.links_between(root)?;
                for (mended, submission) in mended.iter_mut().zip(&submissions) {
                    let held = renamed(mended).find(|path| links.contains(&end_of(path)));
                    let Some(held) = held.map(str::to_owned) else {
                        continue;
                    };
                    *mended = self.apply_fixes(submission, Some(&tree), Applicability::Safe);
                    plan.left.push(format!(
                        "{held}: nothing is renamed here: the README of another submission links to it"
                    ));
                }
            }
            mended.into_iter().for_each(|mended| plan.take(mended));
            plan.roots.push(root.clone());
        }
        for path in &targets.lone {
            plan.take(self.apply_fixes(&Submission::lone(path.clone()), None, self.level));
            plan.roots.extend(path.parent().map(Path::to_owned));
        }
        Ok(plan)
    }

    /// Where the READMEs of a tree link to outside of their own folders: folder and file, whatever
    /// the release, as a link may go through an alias of it.
    fn links_between(&self, root: &Path) -> Result<BTreeSet<String>, Failure> {
        let tree = tree::discover(root, self.base.path(), &tree::Parts::Whole)
            .with_context(|| self.base.display(root))
            .map_err(Failure::CouldNotRun)?;
        let readmes = tree.submissions.par_iter().flat_map_iter(|submission| {
            let loaded = load_submission(submission, Some(&tree), &|path| self.base.display(path));
            let readmes = loaded.into_iter().filter_map(|loaded| match loaded {
                Loaded::Readme { readme, .. } => Some(readme),
                _ => None,
            });
            readmes.flat_map(|readme| {
                let targets = readme.links.iter().map(|link| link.classify());
                targets.filter_map(outside).collect::<Vec<_>>()
            })
        });
        Ok(readmes.collect())
    }

    fn apply_fixes(
        &self,
        submission: &Submission,
        tree: Option<&Tree>,
        level: Applicability,
    ) -> FixResult {
        let ignore = |findings: &mut Vec<Diagnostic>| {
            if let Some(config) = self.config {
                Ignores::new(config, self.base.path()).apply(findings);
            }
        };
        apply_fixes(
            submission,
            &FixContext {
                tree,
                settings: self.settings,
                registry: self.registry,
                level,
                ignore: &ignore,
                display: &|path| self.base.display(path),
            },
        )
    }
}

/// The files that get another name.
fn renamed(mended: &FixResult) -> impl Iterator<Item = &str> {
    let changes = mended.changes.changes().iter();
    changes.filter_map(|change| match change {
        Change::Rename { path, .. } => Some(path.as_str()),
        _ => None,
    })
}

/// The last two names of a path: folder and file.
fn end_of(path: &str) -> String {
    let names: Vec<&str> = path.rsplitn(3, '/').take(2).collect();
    names.into_iter().rev().collect::<Vec<_>>().join("/")
}

/// Folder and file of a link that leads out of the folder it stands in.
fn outside(target: Target) -> Option<String> {
    match target {
        Target::Relative { path, up } if up > 0 => Some(end_of(&path)),
        Target::Rooted(path) => Some(end_of(&path)),
        _ => None,
    }
}

/// The folders of files that an offered fix changes.
fn folders_with_fixes(findings: &[Diagnostic], level: Applicability) -> BTreeSet<&str> {
    let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
    let fixes = fixes.filter(|fix| fix.safe || level == Applicability::Unsafe);
    let paths = fixes.flat_map(|fix| &fix.edits).map(|edit| match edit {
        Edit::Replace { path, .. } | Edit::Rename { path, .. } => path,
    });
    paths
        .map(|path| path.rfind('/').map_or(".", |slash| &path[..slash]))
        .collect()
}

/// All changes, and what is said about them.
#[derive(Debug, Default)]
pub struct Plan {
    changes: ChangeSet,
    mended: BTreeMap<&'static str, usize>,
    left: Vec<String>,
    roots: Vec<PathBuf>,
}

impl Plan {
    fn take(&mut self, mended: FixResult) {
        self.changes.extend(mended.changes);
        for (rule, count) in mended.mended {
            *self.mended.entry(rule).or_default() += count;
        }
        let left = mended.left.into_iter();
        let left = left.map(|left| format!("{}: {}: {}", left.path, left.rule, left.reason));
        self.left.extend(left);
    }

    /// Prints the changes.
    pub fn print(&self, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
        write_diff(&self.changes, streams)?;
        self.say_left(streams)?;
        Ok(match self.changes.is_empty() {
            true => Exit::Done,
            false => Exit::Findings,
        })
    }

    /// Makes the changes, and says which.
    pub fn apply(&self, base: &Base, streams: &mut Streams<'_>) -> Result<(), Failure> {
        if !self.changes.is_empty() {
            write_changes(&self.changes, base, &self.roots, streams)?;
            let rules = self.mended.iter();
            let rules: Vec<String> = rules
                .map(|(rule, count)| format!("{count} {rule}"))
                .collect();
            writeln!(
                streams.stderr,
                "fixed {} with {}: {}",
                counted(self.mended.values().sum::<usize>(), "finding"),
                counted(self.changes.changes().len(), "change"),
                rules.join(", "),
            )?;
        }
        self.say_left(streams)
    }

    fn say_left(&self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        for left in &self.left {
            writeln!(streams.stderr, "not fixed: {}", visible(left))?;
        }
        Ok(())
    }
}

/// Clears away what killed runs left in the folders that are to be changed. Where that cannot be done,
/// it is said, and the folder stays as it is.
pub fn recover(targets: &Targets, base: &Base, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let mut folders = BTreeSet::new();
    for (root, parts) in &targets.trees {
        let tree = tree::discover(root, base.path(), parts)
            .with_context(|| base.display(root))
            .map_err(Failure::CouldNotRun)?;
        let left = tree.unexpected.iter();
        let left = left.filter(|unexpected| unexpected.kind == EntryIssue::Leftover);
        folders.extend(left.filter_map(|unexpected| unexpected.path.parent().map(Path::to_owned)));
    }
    for folder in targets.lone.iter().filter_map(|path| path.parent()) {
        if journal::left_in(folder).is_ok_and(|left| !left.is_empty()) {
            folders.insert(folder.to_owned());
        }
    }
    for folder in folders {
        if let Err(error) = journal::recover(&folder) {
            let line = format!("{}: {error:#}", base.display(&folder));
            writeln!(streams.stderr, "{}", visible(&line))?;
        }
    }
    Ok(())
}

/// Prints a set of changes; on a terminal without control characters.
pub fn write_diff(changes: &ChangeSet, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let is_terminal = streams.is_terminal;
    let shown = |line: &str| match is_terminal {
        true => visible(line),
        false => line.to_owned(),
    };
    Ok(changes.write_diff(&shown, &mut streams.stdout)?)
}

/// Applies a set of changes, and names what was not.
pub fn write_changes(
    changes: &ChangeSet,
    base: &Base,
    roots: &[PathBuf],
    streams: &mut Streams<'_>,
) -> Result<(), Failure> {
    let not_applied = apply::apply(changes, base.path(), roots);
    for left in &not_applied {
        let line = format!("nothing is changed in {}: {:#}", left.folder, left.error);
        writeln!(streams.stderr, "{}", visible(&line))?;
    }
    match not_applied.len() {
        0 => Ok(()),
        count => Err(Failure::CouldNotRun(anyhow!(
            "the changes in {} were not made",
            counted(count, "folder")
        ))),
    }
}
