use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::Serialize;

use super::Settings;
use crate::report::facts::ReportFacts;
use crate::rules::conflicts::ConflictingReports;
use crate::rules::{self, About, Findings, Input, Rule, TreeContext};
use gwconform_base::api::Shape;
use gwconform_base::files::Unread;
use gwconform_base::text::diagnostic::{Diagnostic, Severities, Severity};
use gwconform_base::text::{counted, joined};

/// Maximum number of findings in all, because hostile trees can have many files with many findings
/// each.
const MAX_KEPT: usize = 100_000;

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
    /// Files and folders that could not be read, sorted by path, with the reason as a clause.
    pub unread: Vec<Skipped>,
    /// Numbers of checked files and folders, by type.
    pub counts: Counts,
    /// Number of findings ignored by the configuration.
    pub ignored: usize,
    /// Findings hidden by the `--severity` filter, and the mildest ones if there are too many.
    pub hidden: Severities,
    /// Number of findings accepted by the baseline.
    pub accepted: usize,
    /// Checked files and folders, sorted by path.
    pub checked: Vec<Checked>,
    /// True to keep all findings of each rule, because they will be fixed instead of printed.
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
    /// Number of findings, including hidden findings.
    pub fn count(&self, severity: Severity) -> usize {
        self.count_kept(severity) + self.hidden.of(severity)
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
            (
                self.reports.len() + self.unreadable.len() + self.unread.len(),
                "other file",
            ),
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
        let hidden = &mut self.hidden;
        self.findings.retain(|finding| {
            let is_shown = finding.severity >= least;
            if !is_shown {
                hidden.count(finding);
            }
            is_shown
        });
    }

    /// Number of findings in [`CheckReport::findings`] only.
    pub fn count_kept(&self, severity: Severity) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .map(Diagnostic::count)
            .sum()
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
        self.unread.extend(other.unread);
        self.counts.add(other.counts);
        self.ignored += other.ignored;
        self.accepted += other.accepted;
        self.checked.extend(other.checked);
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
            (a.sort_key(), a.rule, &a.message).cmp(&(b.sort_key(), b.rule, &b.message))
        });
    }

    pub(super) fn bound_soon(&mut self) {
        if self.findings.len() >= 2 * MAX_KEPT {
            self.sort_findings();
            self.bound();
        }
    }

    /// Hides the mildest of too many sorted findings.
    fn bound(&mut self) {
        if self.findings.len() <= MAX_KEPT {
            return;
        }
        self.findings
            .sort_by_key(|finding| Reverse(finding.severity));
        for finding in self.findings.split_off(MAX_KEPT) {
            self.hidden.count(&finding);
        }
        self.sort_findings();
        self.skipped(
            "other findings",
            format!("only the {MAX_KEPT} most severe findings are shown"),
        );
    }

    /// Sorts all lists, and hides the mildest of too many findings.
    pub fn sort(&mut self) {
        self.sort_findings();
        self.bound();
        self.skipped.sort();
        self.skipped.dedup();
        self.unreadable.sort();
        self.unread.sort();
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

    pub(super) fn not_read(&mut self, path: &str, unread: &Unread) {
        self.skipped(path, format!("not read: {}", unread.reason));
        self.unread.push(Skipped {
            path: path.to_owned(),
            reason: unread.reason.clone(),
        });
    }

    /// Counts findings of a rule that are not known one by one.
    pub fn leave_out(
        &mut self,
        rule: &About,
        settings: &Settings,
        shape: Shape,
        path: &str,
        count: usize,
    ) {
        let severity = settings.severity(rule, shape, None);
        if let Some(severity) = severity.filter(|_| settings.is_selected(rule)) {
            self.findings
                .push(Diagnostic::of_more(rule.id, severity, path, count));
        }
    }

    pub(super) fn run_side_by_side(&mut self, cx: &TreeContext<'_>, settings: &Settings) {
        let root = cx.tree.display(&cx.tree.root);
        self.run_all(rules::tree::SIDE_BY_SIDE, settings, &root, cx);
        if cx.tree.is_whole {
            self.run_all(rules::tree::TREE, settings, &root, cx);
        }
    }

    /// Runs the selected rules about one input, which has no severities of its own.
    pub fn run_all<C: Input>(
        &mut self,
        rules: &[&Rule<C>],
        settings: &Settings,
        path: &str,
        input: &C::Of<'_>,
    ) {
        let severity = |rule: &About| settings.current(rule);
        self.run_all_with(rules, settings, severity, path, input);
    }

    /// Runs the selected rules about one input, with the severity of each.
    pub(super) fn run_all_with<C: Input>(
        &mut self,
        rules: &[&Rule<C>],
        settings: &Settings,
        severity: impl Fn(&About) -> Option<Severity>,
        path: &str,
        input: &C::Of<'_>,
    ) {
        let selected = rules
            .iter()
            .filter(|rule| settings.is_selected(rule.about()));
        for rule in selected {
            self.run(rule.about(), severity(rule.about()), path, |out| {
                rule.check(input, out)
            });
        }
    }

    /// Runs a rule, unless `severity` is `None` because the rule is turned off. True if it ran.
    pub fn run(
        &mut self,
        rule: &About,
        severity: Option<Severity>,
        path: &str,
        check: impl FnOnce(&mut Findings),
    ) -> bool {
        let Some(severity) = severity else {
            return false;
        };
        let mut findings = Findings::new(rule, severity);
        if self.is_to_fix {
            findings = findings.without_limit();
        }
        check(&mut findings);
        for reason in findings.left_out() {
            self.skipped(path, reason);
        }
        self.findings.extend(findings.finish());
        true
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
