use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::engine::{Engine, discover};
use super::error::RunError;
use super::targets::Targets;
use gwconform_base::text::change::{Change, Edit};
use gwconform_base::text::diagnostic::Diagnostic;
use gwconform_report::rules::check::{self, Applicability, FixContext, FixResult, Skipped};
use gwconform_report::rules::configuration::Ignores;
use gwconform_report::tree::load::{Loaded, load_lone, load_submission};
use gwconform_report::tree::readme::Target;
use gwconform_report::tree::{Parts, Submission, Tree};

/// Planned fixes and changed folders.
#[derive(Debug, Default)]
pub struct FixPlan {
    /// Planned fixes, by printed path.
    pub fixes: FixResult,
    /// Absolute paths of the changed folders.
    pub roots: Vec<PathBuf>,
    /// Reason why no file was read, without a full stop. `None` if a file was read.
    pub nothing_read: Option<String>,
    /// Files and folders that could not be read, with the reason as a clause.
    pub unread: Vec<Skipped>,
}

pub(super) struct Fixer<'a> {
    pub(super) engine: Engine<'a>,
    pub(super) level: Applicability,
}

impl Fixer<'_> {
    pub(super) fn plan(
        &self,
        targets: &Targets,
        findings: &[Diagnostic],
    ) -> Result<FixPlan, RunError> {
        let folders = folders_with_fixes(findings, self.level);
        let mut plan = FixPlan::default();
        for (root, parts) in &targets.trees {
            let tree = self.discover(root, parts)?;
            let has_fix = |submission: &&Submission| {
                folders.contains(tree.display(&submission.path).as_str())
            };
            let submissions: Vec<&Submission> = tree.submissions.iter().filter(has_fix).collect();
            let mut results: Vec<FixResult> = (submissions.par_iter())
                .map(|submission| self.apply_fixes(submission, Some(&tree), true))
                .collect();
            if results
                .iter()
                .any(|result| renamed(result).next().is_some())
            {
                let links = self.links_between(root)?;
                for (result, submission) in results.iter_mut().zip(&submissions) {
                    let linked = renamed(result).find(|path| links.contains(&end_of(path)));
                    let Some(path) = linked.map(str::to_owned) else {
                        continue;
                    };
                    *result = self.apply_fixes(submission, Some(&tree), false);
                    let reason = "not renamed: the README of another submission links to it";
                    plan.fixes.skipped.push(Skipped {
                        path,
                        reason: reason.to_owned(),
                    });
                }
            }
            results
                .into_iter()
                .for_each(|result| plan.fixes.absorb(result));
            plan.roots.push(root.clone());
        }
        for path in &targets.lone {
            plan.fixes
                .absorb(self.apply_fixes(&Submission::lone(path.clone()), None, true));
            plan.roots.extend(path.parent().map(Path::to_owned));
        }
        Ok(plan)
    }

    fn discover(&self, root: &Path, parts: &Parts) -> Result<Tree, RunError> {
        let base = self.engine.base;
        discover(root, parts, base, base.shown_from())
    }

    /// Targets of README links. The release is omitted, because links can use release aliases.
    fn links_between(&self, root: &Path) -> Result<BTreeSet<String>, RunError> {
        let tree = self.discover(root, &Parts::Whole)?;
        let readmes = tree.submissions.par_iter().flat_map_iter(|submission| {
            let loaded = self.load(submission, Some(&tree));
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

    fn load(&self, submission: &Submission, tree: Option<&Tree>) -> Vec<Loaded> {
        let base = self.engine.base;
        let display = |path: &Path| base.display(path);
        match tree {
            Some(tree) => load_submission(submission, Some(tree), &display),
            None => load_lone(submission, base.files(), &display),
        }
    }

    fn apply_fixes(
        &self,
        submission: &Submission,
        tree: Option<&Tree>,
        may_rename: bool,
    ) -> FixResult {
        let engine = &self.engine;
        let ignore = |findings: &mut Vec<Diagnostic>| {
            if let Some(config) = engine.config {
                Ignores::new(config, engine.base.shown_from()).apply(findings);
            }
        };
        let context = FixContext {
            tree,
            settings: engine.settings,
            registry: engine.registry,
            level: self.level,
            may_rename,
            ignore: &ignore,
        };
        check::apply_fixes(submission, self.load(submission, tree), &context)
    }
}

fn renamed(result: &FixResult) -> impl Iterator<Item = &str> {
    let changes = result.changes.changes().iter();
    changes.filter_map(|change| match change {
        Change::Rename { path, .. } => Some(path.as_str()),
        _ => None,
    })
}

fn end_of(path: &str) -> String {
    let names: Vec<&str> = path.rsplitn(3, '/').take(2).collect();
    names.into_iter().rev().collect::<Vec<_>>().join("/")
}

fn outside(target: Target) -> Option<String> {
    match target {
        Target::Relative { path, up } if up > 0 => Some(end_of(&path)),
        Target::Rooted(path) => Some(end_of(&path)),
        _ => None,
    }
}

fn folders_with_fixes(findings: &[Diagnostic], level: Applicability) -> BTreeSet<&str> {
    let fixes = findings
        .iter()
        .filter_map(|finding| finding.fix.as_ref())
        .filter(|fix| fix.safe || level == Applicability::Unsafe);
    let paths = fixes.flat_map(|fix| &fix.edits).map(|edit| match edit {
        Edit::Replace { path, .. } | Edit::Rename { path, .. } => path,
    });
    paths
        .map(|path| path.rfind('/').map_or(".", |slash| &path[..slash]))
        .collect()
}
