//! Runs the rules: loads each submission, checks it, keeps its facts, drops its text.

pub mod resources;
mod both;
mod facts;
mod fix;
mod settings;
mod submission;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use schemars::JsonSchema;
use serde::Serialize;

use crate::api::Shape;
use crate::release::Registry;
use crate::report::facts::ReportFacts;
use crate::rules::baseline::Accepted;
use crate::rules::configuration::Ignores;
use crate::rules::{
    self, ChangeContext, Check, ConfigContext, EntryContext, Findings, InputsContext, Rule, Scope,
    TreeContext, UnusedAccepted, UnusedIgnore, ownership,
};
use crate::text::diagnostic::{Cut, Diagnostic, MAX_IN_ALL, Severities, Severity};
use crate::tree::load::{Loaded, load_submission};
use crate::tree::{EntryIssue, Submission, Tree};
use submission::Run;

pub use crate::tree::files::{open_regular, read_bounded, read_regular, read_up_to};
pub use both::check_both;
pub use fix::{Applicability, FixContext, FixResult, SkippedFix, apply_fixes, apply_fixes_loaded};
pub use settings::{Selection, Settings, Strictness, UnknownSelector};

/// What a check found.
#[derive(Debug, Clone, Default)]
pub struct CheckReport {
    /// Findings by path, position and rule.
    pub findings: Vec<Diagnostic>,
    /// What was not checked and why, by path.
    pub skipped: Vec<Skipped>,
    /// The facts of every report that was read, by path and document.
    pub reports: Vec<ReportFacts>,
    /// Files of reports without any facts, by path: they could not be read, or nothing is in them.
    pub unreadable: Vec<Skipped>,
    /// What was looked at.
    pub counts: Counts,
    /// How many findings the configuration left out.
    pub ignored: usize,
    /// Findings that are counted and not kept, as there are too many.
    pub cut: Cut,
    /// Findings that are counted and not shown, as nobody asked for their severity.
    pub hidden: Severities,
    /// How many findings a baseline accepts.
    pub accepted: usize,
    /// The files and folders that were looked at, by path.
    pub checked: Vec<Checked>,
    /// Findings are fixed and not shown: more of a rule that offers fixes are kept.
    pub is_to_fix: bool,
}

/// A file or folder that rules have looked at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Checked {
    /// The path as it is printed.
    pub path: String,
    /// The path of the submission's folder; empty for a file without one.
    pub submission: String,
}

/// Something that was not checked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Skipped {
    /// As in a finding.
    pub path: String,
    /// Why, and what of it.
    pub reason: String,
}

/// What the findings show that a rule has added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// All that there is.
    All,
    /// Not all: there were too many, or the rule was not run.
    Unknown,
}

/// Whether a file that is checked alone is in a reports tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// In the submission that is given.
    InTree,
    /// Nowhere that is known.
    Alone,
}

/// How much of a tree was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// All of it: what was not found is not there.
    Whole,
    /// A part of it, or single files.
    Part,
}

/// How much was looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Release folders; an alias is none.
    pub releases: usize,
    /// Folders of submissions.
    pub submissions: usize,
    /// Reports: documents, not files.
    pub reports: usize,
    /// READMEs of submissions.
    pub readmes: usize,
}

impl CheckReport {
    /// How many findings have a severity, those included that are not kept.
    pub fn count(&self, severity: Severity) -> usize {
        self.count_kept(severity) + self.cut.all().of(severity) + self.hidden.of(severity)
    }

    /// Leaves out the findings that are less bad than `least`; they stay counted.
    pub fn hide_below(&mut self, least: Severity) {
        self.hidden += self.cut.take_below(least);
        let hidden = &mut self.hidden;
        self.findings.retain(|finding| {
            let is_shown = finding.severity >= least;
            if !is_shown {
                hidden.count(finding.severity);
            }
            is_shown
        });
    }

    /// How many of [`CheckReport::findings`] have a severity.
    pub fn count_kept(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    }

    /// What was not checked, and what of the findings is not shown.
    pub fn left_out(&self) -> Vec<Skipped> {
        let mut left_out = self.skipped.clone();
        let cut = self.cut.lines().into_iter();
        left_out.extend(cut.map(|(path, reason)| Skipped { path, reason }));
        left_out.sort();
        left_out
    }

    /// Puts another outcome's findings to this one's, as of two trees named in one command.
    pub fn merge(&mut self, other: Self) {
        self.absorb(other);
        self.sort();
    }

    /// Like [`CheckReport::merge`]; the order is left to whoever has absorbed the last.
    fn absorb(&mut self, other: Self) {
        self.findings.extend(other.findings);
        self.skipped.extend(other.skipped);
        self.reports.extend(other.reports);
        self.unreadable.extend(other.unreadable);
        self.counts.add(other.counts);
        self.ignored += other.ignored;
        self.accepted += other.accepted;
        self.checked.extend(other.checked);
        self.cut.absorb(other.cut);
        self.hidden += other.hidden;
        self.bound_soon();
    }

    /// Two outcomes as one, the first one's findings first.
    fn and(mut self, other: Self) -> Self {
        self.absorb(other);
        self
    }

    fn sort_findings(&mut self) {
        self.findings.sort_by(|a, b| {
            (a.place.sort_key(), a.rule, &a.message).cmp(&(b.place.sort_key(), b.rule, &b.message))
        });
    }

    /// Drops findings that will not be kept when there are too many to wait for the end.
    fn bound_soon(&mut self) {
        if self.findings.len() >= 2 * MAX_IN_ALL {
            self.sort_findings();
            self.cut.bound(&mut self.findings);
        }
    }

    /// Puts all lists into their order.
    pub(crate) fn sort(&mut self) {
        self.sort_findings();
        self.cut.bound(&mut self.findings);
        self.skipped.sort();
        self.skipped.dedup();
        self.unreadable.sort();
        self.checked.sort();
        self.checked.dedup();
    }

    pub(crate) fn skipped(&mut self, path: impl Into<String>, reason: impl Into<String>) {
        self.skipped.push(Skipped {
            path: path.into(),
            reason: reason.into(),
        });
    }

    /// Counts findings of a rule about a path, where it is selected and holds.
    pub(crate) fn leave_out(
        &mut self,
        rule: &'static Rule,
        settings: &Settings,
        shape: Shape,
        path: &str,
        count: usize,
    ) {
        let mut selected = settings.selected().iter();
        let is_selected = selected.any(|selected| selected.id == rule.id);
        let severity = settings.severity(rule, shape, None);
        if let Some(severity) = severity.filter(|_| is_selected) {
            let counts = Severities::of_one(severity, count);
            self.cut.add(path.to_owned(), rule.id, counts);
        }
    }

    fn run_side_by_side(&mut self, cx: &TreeContext<'_>, settings: &Settings) {
        let root = cx.tree.display(&cx.tree.root);
        for &rule in settings.selected() {
            let check = match rule.check {
                Check::Tree(check) if cx.tree.is_whole => check,
                Check::SideBySide(check) => check,
                _ => continue,
            };
            self.run(
                rule,
                settings.severity(rule, Shape::Current, None),
                &root,
                |out| check(cx, out),
            );
        }
    }

    /// Runs one rule, unless it is not selected or does not hold here.
    pub(crate) fn run(
        &mut self,
        rule: &'static Rule,
        severity: Option<Severity>,
        path: &str,
        check: impl FnOnce(&mut Findings),
    ) -> Found {
        let Some(severity) = severity else {
            return Found::Unknown;
        };
        let mut findings = Findings::new(rule, severity);
        if self.is_to_fix {
            findings = findings.to_fix(rule);
        }
        check(&mut findings);
        for reason in findings.left_out() {
            self.skipped(path, reason);
        }
        let (found, cut) = findings.finish();
        self.findings.extend(found);
        let is_complete = cut.is_empty();
        for (path, counts) in cut {
            self.cut.add(path, rule.id, counts);
        }
        match is_complete {
            true => Found::All,
            false => Found::Unknown,
        }
    }
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.releases += other.releases;
        self.submissions += other.submissions;
        self.reports += other.reports;
        self.readmes += other.readmes;
    }
}

/// Checks a tree, or the parts of it that were walked. `done` is called with the number of
/// submissions checked so far, from any thread.
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
            let outcome = check_submission(submission, loaded, settings, registry);
            done(checked.fetch_add(1, Ordering::Relaxed) + 1);
            outcome
        })
        .reduce(CheckReport::default, CheckReport::and);
    check_rest(all, tree, settings)
}

/// Checks a submission of a tree, alone.
fn check_submission(
    submission: &Submission,
    loaded: Vec<Loaded>,
    settings: &Settings,
    registry: &Registry,
) -> CheckReport {
    Run {
        submission,
        is_in_tree: true,
        settings,
        registry,
        is_to_fix: false,
    }
    .check(loaded)
}

/// Checks what is beside the submissions of a tree, and all of them together.
fn check_rest(mut all: CheckReport, tree: &Tree, settings: &Settings) -> CheckReport {
    let named = tree
        .releases
        .iter()
        .filter(|folder| folder.release.is_some());
    all.counts.releases = named.count();
    for unexpected in &tree.unexpected {
        let cx = EntryContext { unexpected, tree };
        if let Some(reason) = unexpected.kind.why_not_read() {
            all.skipped(cx.path(), format!("not read: {reason}"));
        }
        if unexpected.kind == EntryIssue::Leftover {
            all.skipped(
                cx.path(),
                "left by an interrupted run; run `gwconform check --fix` to clear it away",
            );
        }
        if let Some(reason) = hides(&unexpected.kind) {
            all.unreadable.push(Skipped {
                path: cx.path(),
                reason,
            });
        }
        for &rule in settings.selected() {
            if let Check::Entry(check) = rule.check {
                all.run(
                    rule,
                    settings.severity(rule, Shape::Current, None),
                    &cx.path(),
                    |out| check(&cx, out),
                );
            }
        }
    }
    let root = tree.display(&tree.root);
    let reports = std::mem::take(&mut all.reports);
    let rivalries = ownership::rivalries(&reports, settings.names());
    let cx = TreeContext {
        tree,
        reports: &reports,
        names: settings.names(),
        rivalries: &rivalries,
    };
    all.run_side_by_side(&cx, settings);
    // Verdicts need the whole tree.
    let (blocks, rivals) = match tree.is_whole {
        true => (
            rules::blocking::tree_blocks(&cx),
            ownership::rivals(&rivalries),
        ),
        false => Default::default(),
    };
    drop(rivalries);
    all.reports = reports;
    for (at, block) in blocks {
        all.reports[at].blocks.push(block);
    }
    for (at, rivals) in rivals {
        all.reports[at].rivals.extend(rivals);
    }
    if !tree.is_whole {
        all.skipped(root, "rules that need the whole tree");
    }
    all.sort();
    all
}

/// Runs the rules that compare the reports of a tree, on their facts.
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
        rivalries: &ownership::rivalries(reports, names),
    };
    report.run_side_by_side(&cx, settings);
    report.sort();
    report
}

/// Why reports may be missing behind an unexpected name of the tree; `None` where none can be.
fn hides(kind: &EntryIssue) -> Option<String> {
    match kind {
        EntryIssue::Link { .. } => Some("not read: symbolic link".to_owned()),
        EntryIssue::Repository { is_walked: false } => {
            Some("not read: part of a git repository".to_owned())
        }
        kind => kind
            .why_not_read()
            .map(|reason| format!("not read: {reason}")),
    }
}

/// Takes out the findings that the configuration leaves out, and runs the rules about it.
pub fn apply_ignores(
    outcome: &mut CheckReport,
    ignores: &mut Ignores<'_>,
    settings: &Settings,
    coverage: Coverage,
) {
    outcome.ignored = ignores.apply(&mut outcome.findings) + ignores.apply_to_cut(&mut outcome.cut);
    // Entries for resources, manifests and logs are not used in a tree of reports.
    let is_of_others = |rule: &Rule| {
        rule.is_about_resources() || rule.is_about_manifests() || rule.is_about_logs()
    };
    let unused: Vec<UnusedIgnore<'_>> = ignores
        .unused()
        .filter(|(_, ignore)| !rules::find(ignore.rule.get_ref()).is_some_and(is_of_others))
        .map(|(place, ignore)| UnusedIgnore {
            place,
            rule: ignore.rule.get_ref(),
            path: ignore.path.get_ref(),
        })
        .collect();
    let cx = ConfigContext {
        unused_ignores: &unused,
        selected: settings.selected(),
        ..ConfigContext::default()
    };
    if coverage == Coverage::Whole {
        run_config_rules(outcome, &cx, settings);
    }
    outcome.sort();
}

fn run_config_rules(outcome: &mut CheckReport, cx: &ConfigContext<'_>, settings: &Settings) {
    for &rule in settings.selected() {
        if let Check::Config(check) = rule.check {
            outcome.run(
                rule,
                settings.severity(rule, Shape::Current, None),
                "",
                |out| check(cx, out),
            );
        }
    }
}

/// Takes out the findings that a baseline accepts, and runs the rules about it. What was not run or
/// not checked leaves its entries alone.
pub fn apply_baseline(
    outcome: &mut CheckReport,
    accepted: &mut Accepted,
    settings: &Settings,
    coverage: Coverage,
) {
    let is_whole = coverage == Coverage::Whole;
    outcome.accepted =
        accepted.apply(&mut outcome.findings) + accepted.apply_to_cut(&mut outcome.cut);
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
    let was_run = |rule: &str| {
        let mut selected = settings.selected().iter();
        selected.any(|selected| {
            // Rules over the tree run on the whole of it, those on changes with an earlier one.
            let scope = selected.check.scope();
            selected.id == rule && (is_whole || scope != Scope::Tree) && scope != Scope::Change
        })
    };
    let unused: Vec<UnusedAccepted<'_>> = accepted
        .unused()
        .filter(|(_, entry, _)| was_run(&entry.rule) && is_checked(&entry.path))
        .map(|(place, entry, remainder)| UnusedAccepted {
            place: place.clone(),
            rule: &entry.rule,
            path: &entry.path,
            subject: &entry.subject,
            count: entry.count,
            found: entry.count - remainder,
        })
        .collect();
    let cx = ConfigContext {
        unused_accepted: &unused,
        selected: settings.selected(),
        ..ConfigContext::default()
    };
    run_config_rules(outcome, &cx, settings);
    outcome.sort();
}

/// Runs the rules about what differs from an earlier revision.
pub fn apply_changes(
    outcome: &mut CheckReport,
    cx: &ChangeContext<'_>,
    settings: &Settings,
    root: &str,
) {
    for &rule in settings.selected() {
        if let Check::Change(check) = rule.check {
            outcome.run(
                rule,
                settings.severity(rule, Shape::Current, None),
                root,
                |out| check(cx, out),
            );
        }
    }
    outcome.sort();
}

/// Runs the rules about what a change does to the files that decide how it is checked, whatever is
/// selected or configured. Nothing must be left out of the outcome afterwards.
pub fn apply_inputs(outcome: &mut CheckReport, cx: &InputsContext<'_>, root: &str) {
    for &rule in rules::ALL {
        if let Check::Inputs(check) = rule.check {
            outcome.run(rule, Some(rule.severity), root, |out| check(cx, out));
        }
    }
    outcome.sort();
}

/// Checks files outside of every tree, or whose text is given: the rules for one file only, and
/// those about the name of a report when `submission` has a folder.
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
