use std::collections::BTreeSet;

use serde::Serialize;

use super::Settings;
use crate::api::Shape;
use crate::report::facts::ReportFacts;
use crate::rules::conflicts::ConflictingReports;
use crate::rules::{Check, Findings, Rule, TreeContext};
use crate::text::diagnostic::{Cut, Diagnostic, MAX_IN_ALL, Severities, Severity};
use crate::text::{counted, joined};

/// Result of a check of trees and files.
#[derive(Debug, Clone, Default)]
pub struct CheckReport {
    /// Findings, sorted by path, position and rule.
    pub findings: Vec<Diagnostic>,
    /// Parts that were not checked, sorted by path.
    pub skipped: Vec<Skipped>,
    /// Facts of all reports, sorted by path and document.
    pub reports: Vec<ReportFacts>,
    /// Reports of different implementations that claim the same run or similar names.
    pub conflicts: BTreeSet<ConflictingReports>,
    /// Report files without facts, sorted by path.
    pub unreadable: Vec<Skipped>,
    /// Numbers of checked files and folders, by type.
    pub counts: Counts,
    /// Number of findings ignored by the configuration.
    pub ignored: usize,
    /// Findings over the limit, which are only counted.
    pub cut: Cut,
    /// Findings hidden by the `--severity` filter.
    pub hidden: Severities,
    /// Number of findings accepted by the baseline.
    pub accepted: usize,
    /// Checked files and folders, sorted by path.
    pub checked: Vec<Checked>,
    /// True to raise the limit for rules with fixes, because the findings will be fixed instead of
    /// printed.
    pub is_to_fix: bool,
}

/// File or folder that was checked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Checked {
    /// Printed path.
    pub path: String,
    /// Path of the submission's folder, or empty.
    pub submission: String,
}

/// File or folder, or part of it, that was not checked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct Skipped {
    /// Printed path.
    pub path: String,
    /// Reason why it was not checked, and the consequence.
    pub reason: String,
}

/// Whether the recorded findings of a rule are complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// All findings of the rule are recorded.
    All,
    /// Findings may be missing, because of the limit or because the rule did not run.
    Unknown,
}

/// Numbers of checked files and folders.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of release folders, not counting aliases.
    pub releases: usize,
    /// Number of submission folders.
    pub submissions: usize,
    /// Number of reports. A file can contain several.
    pub reports: usize,
    /// Number of submission READMEs.
    pub readmes: usize,
}

impl CheckReport {
    /// Number of findings, including hidden findings and findings over the limit.
    pub fn count(&self, severity: Severity) -> usize {
        self.count_kept(severity) + self.cut.all().of(severity) + self.hidden.of(severity)
    }

    /// Reason why no report was read, with what was expected and found, without a full stop. `None`
    /// if a report was read. Reports of other projects do not count.
    pub fn nothing_read(&self) -> Option<String> {
        // Of a change, not all reports have facts.
        let is_counted = self.counts.reports > self.reports.len();
        if is_counted || self.reports.iter().any(|facts| facts.is_report) {
            return None;
        }
        let found = [
            (self.reports.len() + self.unreadable.len(), "other file"),
            (self.counts.readmes, "README"),
        ];
        let found = found.into_iter().filter(|(count, _)| *count > 0);
        let found: Vec<String> = found.map(|(count, noun)| counted(count, noun)).collect();
        let projects = self.other_projects();
        let found = match (projects.is_empty(), found.is_empty()) {
            (false, _) => format!("only reports of {}", joined(&projects, "and")),
            (true, false) => format!("only {}", joined(&found, "and")),
            (true, true) => "none".to_owned(),
        };
        Some(format!(
            "no report was read; expected files such as v1.6/acme-operator/standard-v1.2.0-default-report.yaml, found {found}"
        ))
    }

    /// Like [`Self::nothing_read`], but `None` also if a README or another file was read instead of
    /// a report. Reports of another project mean that no other file of the tree was checked.
    pub fn nothing_checked(&self) -> Option<String> {
        let has_others = self
            .reports
            .iter()
            .any(|facts| facts.other_project.is_some());
        let has_file = self.counts.readmes > 0 || !self.reports.is_empty();
        self.nothing_read().filter(|_| has_others || !has_file)
    }

    fn other_projects(&self) -> Vec<String> {
        let projects = self.reports.iter();
        let all: BTreeSet<&String> = projects
            .filter_map(|facts| facts.other_project.as_ref())
            .collect();
        all.into_iter().cloned().collect()
    }

    /// Hides findings below `least`. They are still counted.
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

    /// Number of findings in [`CheckReport::findings`] only.
    pub fn count_kept(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    }

    /// Skipped parts, and a summary of findings over the limit.
    pub fn left_out(&self) -> Vec<Skipped> {
        let mut left_out = self.skipped.clone();
        let cut = self.cut.lines().into_iter();
        left_out.extend(cut.map(|(path, reason)| Skipped { path, reason }));
        left_out.sort();
        left_out
    }

    /// Merges another result, for example of a second tree.
    pub fn merge(&mut self, other: Self) {
        self.absorb(other);
        self.sort();
    }

    pub(super) fn absorb(&mut self, other: Self) {
        self.findings.extend(other.findings);
        self.skipped.extend(other.skipped);
        self.reports.extend(other.reports);
        self.conflicts.extend(other.conflicts);
        self.unreadable.extend(other.unreadable);
        self.counts.add(other.counts);
        self.ignored += other.ignored;
        self.accepted += other.accepted;
        self.checked.extend(other.checked);
        self.cut.absorb(other.cut);
        self.hidden += other.hidden;
        self.bound_soon();
    }

    /// Merges results of other submissions, without sorting them.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.absorb(other);
        self
    }

    pub(super) fn sort_findings(&mut self) {
        self.findings.sort_by(|a, b| {
            (a.place.sort_key(), a.rule, &a.message).cmp(&(b.place.sort_key(), b.rule, &b.message))
        });
    }

    pub(super) fn bound_soon(&mut self) {
        if self.findings.len() >= 2 * MAX_IN_ALL {
            self.sort_findings();
            self.cut.bound(&mut self.findings);
        }
    }

    /// Sorts all lists and enforces the limits.
    pub fn sort(&mut self) {
        self.sort_findings();
        self.cut.bound(&mut self.findings);
        self.skipped.sort();
        self.skipped.dedup();
        self.unreadable.sort();
        self.checked.sort();
        self.checked.dedup();
    }

    /// Records a file as not checked.
    pub fn skipped(&mut self, path: impl Into<String>, reason: impl Into<String>) {
        self.skipped.push(Skipped {
            path: path.into(),
            reason: reason.into(),
        });
    }

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

    /// Runs a rule. `severity` is `None` if the rule is turned off.
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
