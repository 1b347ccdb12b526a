//! What a check found, and how findings are added to it.

use serde::Serialize;

use super::Settings;
use crate::api::Shape;
use crate::report::facts::ReportFacts;
use crate::rules::{Check, Findings, Rule, TreeContext};
use crate::text::diagnostic::{Cut, Diagnostic, MAX_IN_ALL, Severities, Severity};

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
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct Skipped {
    /// As in a finding.
    pub path: String,
    /// Why, and what of it.
    pub reason: String,
}

/// What the findings show that a rule has added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// All that there is.
    All,
    /// Not all: there were too many, or the rule was not run.
    Unknown,
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
    pub(super) fn absorb(&mut self, other: Self) {
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
    pub(super) fn and(mut self, other: Self) -> Self {
        self.absorb(other);
        self
    }

    pub(super) fn sort_findings(&mut self) {
        self.findings.sort_by(|a, b| {
            (a.place.sort_key(), a.rule, &a.message).cmp(&(b.place.sort_key(), b.rule, &b.message))
        });
    }

    /// Drops findings that will not be kept when there are too many to wait for the end.
    pub(super) fn bound_soon(&mut self) {
        if self.findings.len() >= 2 * MAX_IN_ALL {
            self.sort_findings();
            self.cut.bound(&mut self.findings);
        }
    }

    /// Puts all lists into their order.
    pub fn sort(&mut self) {
        self.sort_findings();
        self.cut.bound(&mut self.findings);
        self.skipped.sort();
        self.skipped.dedup();
        self.unreadable.sort();
        self.checked.sort();
        self.checked.dedup();
    }

    /// Lists a file as not checked.
    pub fn skipped(&mut self, path: impl Into<String>, reason: impl Into<String>) {
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

    pub(super) fn run_side_by_side(&mut self, cx: &TreeContext<'_>, settings: &Settings) {
        let root = cx.tree.display(&cx.tree.root);
        for &rule in settings.selected() {
            let check = match rule.check {
                Check::Tree(check) if cx.tree.is_whole => check,
                Check::SideBySide(check) => check,
                _ => continue,
            };
            self.run(rule, settings.current(rule), &root, |out| check(cx, out));
        }
    }

    /// Runs one rule, unless it is not selected or does not hold here.
    pub fn run(
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
    pub(super) fn add(&mut self, other: Self) {
        self.releases += other.releases;
        self.submissions += other.submissions;
        self.reports += other.reports;
        self.readmes += other.readmes;
    }
}
