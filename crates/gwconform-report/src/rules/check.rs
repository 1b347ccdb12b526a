//! Runs the rules on each submission, and keeps only the facts of its reports.

mod before_and_after;
mod collect_facts;
mod fix;
mod header;
mod check_report;
mod settings;
mod submission;
mod survey;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::report::facts::ReportFacts;
use crate::rules::baseline::Accepted;
use crate::rules::configuration::{Ignore, Ignores};
use crate::rules::{
    self, ALL, ChangeContext, ConfigContext, EntryContext, InputsContext, Scope, TreeContext,
    conflicts,
};
use crate::tree::load::{Loaded, load_submission};
use crate::tree::{EntryIssue, Submission, Tree};
use gwconform_base::files::Cause;
use gwconform_base::release::Registry;
use submission::Run;

pub use before_and_after::Comparison;
pub use check_report::{CheckReport, Checked, Counts, Skipped};
pub use fix::{Applicability, FixContext, FixResult, apply_fixes};
pub use gwconform_base::files::{open_regular, read_bounded, read_regular, read_up_to};
pub use header::Header;
pub use settings::{Selection, Settings, Strictness, UnknownSelector};
pub use survey::Survey;

/// Whether a file that is checked alone is in a reports tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// The file is in the submission that is passed.
    InTree,
    /// The location of the file is unknown.
    Alone,
}

/// Part of a tree that was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// All files of the tree.
    Whole,
    /// Some submissions, or single files.
    Part,
}

/// Checks a tree or parts of it. `done` can be called from any thread, with the number of checked
/// submissions.
pub fn check_tree(
    tree: &Tree,
    settings: &Settings,
    registry: &Registry,
    done: &(dyn Fn(usize) + Sync),
) -> CheckReport {
    let checked = AtomicUsize::new(0);
    let all = tree
        .submissions
        .par_iter()
        .map(|submission| {
            let loaded = load_submission(submission, Some(tree), &|path| tree.display(path));
            let outcome = check_submission(tree, submission, loaded, settings, registry);
            done(checked.fetch_add(1, Ordering::Relaxed) + 1);
            outcome
        })
        .reduce(CheckReport::default, CheckReport::and);
    check_rest(all, tree, settings)
}

fn check_submission(
    tree: &Tree,
    submission: &Submission,
    loaded: Vec<Loaded>,
    settings: &Settings,
    registry: &Registry,
) -> CheckReport {
    Run {
        submission,
        is_in_tree: !tree.is_loose,
        settings,
        registry,
        is_to_fix: false,
    }
    .check(loaded)
}

fn check_rest(mut all: CheckReport, tree: &Tree, settings: &Settings) -> CheckReport {
    all.reports.shrink_to_fit();
    let named = tree
        .releases
        .iter()
        .filter(|folder| folder.release.is_some());
    all.counts.releases = named.count();
    for unexpected in &tree.unexpected {
        let cx = EntryContext { unexpected, tree };
        // Most such files in the repository of an implementation are no reports.
        if let Some(why) = why_not_loose(&unexpected.kind).filter(|_| tree.is_loose) {
            all.skipped(cx.path(), why);
            continue;
        }
        if let Some(unread) = unexpected.kind.why_not_read() {
            all.not_read(&cx.path(), &unread);
        }
        if let Some(what) = not_followed(&unexpected.kind) {
            all.unreadable.push(Skipped {
                path: cx.path(),
                reason: format!("not read: {what}"),
            });
        }
        all.run_all(rules::tree::ENTRY, settings, &cx.path(), &cx);
    }
    let root = tree.display(&tree.root);
    if tree.is_loose {
        all.skipped(
            root,
            "rules `tree/*` and `change/*`, which need a reports tree",
        );
        all.counts.submissions = 0;
        all.sort();
        leave_to_other_project(&mut all);
        return all;
    }
    let reports = std::mem::take(&mut all.reports);
    let conflicts = conflicts::conflicts(&reports, settings.names());
    let cx = TreeContext {
        tree,
        reports: &reports,
        names: settings.names(),
        conflicts: &conflicts,
    };
    all.run_side_by_side(&cx, settings);
    let blocks = rules::blocking::tree_blocks(&cx);
    all.conflicts = conflicts::pairs(&conflicts, &reports);
    all.reports = reports;
    for (at, block) in blocks {
        all.reports[at].blocks.push(block);
    }
    if !tree.is_whole {
        all.skipped(root, "rules that need the whole tree");
    }
    all.sort();
    leave_to_other_project(&mut all);
    all
}

fn leave_to_other_project(all: &mut CheckReport) {
    let kept = rules::report::of_tree_of_other_project(&all.reports, &all.findings);
    if let Some(findings) = kept {
        all.findings = findings;
    }
}

/// Runs the rules that compare the reports of a tree.
pub fn check_side_by_side(
    tree: &Tree,
    reports: &[ReportFacts],
    settings: &Settings,
) -> CheckReport {
    let mut report = CheckReport::default();
    let names = settings.names();
    let cx = TreeContext {
        tree,
        reports,
        names,
        conflicts: &conflicts::conflicts(reports, names),
    };
    report.run_side_by_side(&cx, settings);
    report.sort();
    report
}

fn why_not_loose(kind: &EntryIssue) -> Option<&'static str> {
    match kind {
        EntryIssue::Unreadable(unread) if unread.cause == Cause::Size => {
            Some("too large for a report")
        }
        kind => not_followed(kind),
    }
}

fn not_followed(kind: &EntryIssue) -> Option<&'static str> {
    match kind {
        EntryIssue::Link { .. } => Some("symbolic link"),
        EntryIssue::Repository { is_walked: false } => Some("part of a git repository"),
        _ => None,
    }
}

/// Removes ignored findings, and reports unused ignores.
pub fn apply_ignores(
    outcome: &mut CheckReport,
    ignores: &mut Ignores<'_>,
    settings: &Settings,
    coverage: Coverage,
) {
    outcome.ignored = ignores.apply(&mut outcome.findings);
    // In a reports tree, ignores for resources, manifests and logs are always unused.
    let is_of_tree = |ignore: &Ignore| rules::find(&ALL, ignore.rule.get_ref()).is_some();
    let unused: Vec<_> = ignores
        .unused()
        .filter(|(_, ignore)| is_of_tree(ignore))
        .collect();
    let cx = ConfigContext {
        unused_ignores: &unused,
        unused_accepted: &[],
        settings,
    };
    if coverage == Coverage::Whole {
        run_config_rules(outcome, &cx, settings);
    }
    outcome.sort();
}

fn run_config_rules(outcome: &mut CheckReport, cx: &ConfigContext<'_>, settings: &Settings) {
    outcome.run_all(rules::config::RULES, settings, "", cx);
}

/// Removes accepted findings. Reports unused entries if their rules ran and their files were
/// checked.
pub fn apply_baseline(
    outcome: &mut CheckReport,
    accepted: &mut Accepted,
    settings: &Settings,
    coverage: Coverage,
) {
    let is_whole = coverage == Coverage::Whole;
    outcome.accepted = accepted.apply(&mut outcome.findings);
    let checked: BTreeSet<String> = outcome
        .checked
        .iter()
        .flat_map(|checked| [&checked.path, &checked.submission])
        .filter(|path| !path.is_empty())
        .map(|path| accepted.path_of(path))
        .collect();
    let is_checked = |path: &str| {
        let mut folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        is_whole || checked.contains(path) || folders.any(|folder| checked.contains(folder))
    };
    // Tree rules require the whole tree. Findings of change rules depend on the revision.
    let was_run = |rule: &str| {
        rules::find(&ALL, rule).is_some_and(|rule| {
            let is_run = (is_whole || rule.scope != Scope::Tree) && rule.scope != Scope::Change;
            is_run && settings.is_selected(rule)
        })
    };
    let unused: Vec<_> = accepted
        .unused()
        .filter(|(_, entry, _)| was_run(&entry.rule) && is_checked(&entry.path))
        .collect();
    let cx = ConfigContext {
        unused_ignores: &[],
        unused_accepted: &unused,
        settings,
    };
    run_config_rules(outcome, &cx, settings);
    outcome.sort();
}

/// Runs the rules about differences from an earlier revision.
pub(crate) fn apply_changes(
    outcome: &mut CheckReport,
    cx: &ChangeContext<'_>,
    settings: &Settings,
    root: &str,
) {
    outcome.run_all(rules::change::CHANGE, settings, root, cx);
    outcome.sort();
}

/// Runs the rules about files that control checks, regardless of configuration. Callers must not
/// filter the findings.
pub fn apply_inputs(outcome: &mut CheckReport, cx: &InputsContext<'_>, root: &str) {
    for rule in rules::change::INPUTS {
        outcome.run(rule.about(), Some(rule.about().severity), root, |out| {
            rule.check(cx, out)
        });
    }
    outcome.sort();
}

/// Checks files outside of a tree. Rules for file names run if `submission` has a folder.
pub fn check_lone(
    submission: &Submission,
    placement: Placement,
    loaded: Vec<Loaded>,
    settings: &Settings,
    registry: &Registry,
) -> CheckReport {
    let mut outcome = Run {
        submission,
        is_in_tree: placement == Placement::InTree,
        settings,
        registry,
        is_to_fix: false,
    }
    .check(loaded);
    outcome.sort();
    outcome
}
