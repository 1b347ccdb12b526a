//! Findings to text: one file per output format.

pub mod certify;
mod checks;
pub mod diff;
pub mod facts;
mod format;
pub mod github;
mod health;
pub mod human;
pub mod json;
pub mod junit;
pub mod list_check;
pub mod markdown;
pub mod outlook;
pub mod releases;
pub mod review;
pub mod sarif;
pub mod statistics;

pub use format::Format;

use crate::check::CheckReport;
use crate::config::Config;
use crate::diagnostic::Severity;
use crate::evidence;
use crate::resource;
use crate::resource_check::{ClusterSummary, ResourceReport};
use crate::review::Review;
use crate::text::counted;

/// Whether text for a terminal has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Styling {
    /// Text alone.
    Plain,
    /// With the escape sequences of terminals.
    Styled,
}

/// What a check found, for every format.
#[derive(Debug, Clone, Copy)]
pub struct RenderInput<'a> {
    /// What was found.
    pub outcome: &'a CheckReport,
    /// Where the rules' pages are.
    pub config: &'a Config,
    /// The least severity that makes a check fail.
    pub fail_on: Severity,
    /// What changed since another revision, where that was requested.
    pub review: Option<&'a Review>,
    /// What was checked of a cluster, where that was requested.
    pub cluster: Option<&'a ClusterSummary>,
    /// What the log of a run proves, where that was requested.
    pub evidence: Option<&'a evidence::Summary>,
    /// The width of the terminal that people read it on, in columns; `None` without one: each message
    /// is on one line then, for logs and searches.
    pub width: Option<usize>,
    /// True to list for people what was not checked of a cluster; else it is counted.
    pub is_verbose: bool,
}

impl<'a> RenderInput<'a> {
    /// A check of what is there, whatever was before.
    pub fn new(outcome: &'a CheckReport, config: &'a Config) -> Self {
        Self {
            outcome,
            config,
            fail_on: Severity::Error,
            review: None,
            cluster: None,
            evidence: None,
            width: None,
            is_verbose: false,
        }
    }

    /// A check of resources of a cluster.
    pub fn of_resources(found: &'a ResourceReport, config: &'a Config) -> Self {
        Self {
            cluster: Some(&found.cluster),
            ..Self::new(&found.report, config)
        }
    }
}

/// `proved: 153 results (suite v1.6.2): every number, list and feature follows from the log`
fn verdict_by_log(evidence: &evidence::Summary) -> String {
    format!("{}: {}", evidence.verdict.as_str(), evidence.reason)
}

/// `2 errors, 1 warning in 3 reports of 2 submissions (1 release)`, and what was left out.
fn summary(shown: RenderInput<'_>) -> String {
    let outcome = shown.outcome;
    let all = [Severity::Error, Severity::Warning, Severity::Info];
    let found = severities(all.map(|severity| outcome.count(severity)));
    let counts = &outcome.counts;
    let mut summary = match shown.review {
        Some(review) => {
            let touched = counted(review.touched.len(), "changed submission");
            format!("{found} in {touched}")
        }
        None => match shown.cluster {
            Some(looked) => format!("{found} in {}", resources(&looked.counts)),
            None => format!("{found} in {}", counted(counts.reports, "report")),
        },
    };
    if counts.submissions > 0 && shown.review.is_none() {
        let (submissions, releases) = (
            counted(counts.submissions, "submission"),
            counted(counts.releases, "release"),
        );
        summary.push_str(&format!(" of {submissions} ({releases})"));
    }
    if outcome.ignored > 0 {
        summary.push_str(&format!(
            ", {} ignored by gwconform.toml",
            counted(outcome.ignored, "finding")
        ));
    }
    if outcome.accepted > 0 {
        summary.push_str(&format!(", {} accepted by the baseline", outcome.accepted));
    }
    if outcome.hidden.sum() > 0 {
        let hidden = all.map(|severity| outcome.hidden.of(severity));
        summary.push_str(&format!("; not shown: {}", severities(hidden)));
    }
    if let Some(review) = shown.review {
        let elsewhere = severities(review.elsewhere);
        summary.push_str(&format!(
            "; elsewhere in the tree, not counted: {elsewhere}"
        ));
        if review.not_checked_elsewhere > 0 {
            let left_out = counted(review.not_checked_elsewhere, "file");
            summary.push_str(&format!(", {left_out} skipped"));
        }
    }
    summary
}

/// `12 resources of 1 file (3 of other kinds ignored)`
fn resources(counts: &resource::Counts) -> String {
    let mut text = format!(
        "{} of {}",
        counted(counts.known, "resource"),
        counted(counts.files, "file")
    );
    if counts.passed_over > 0 {
        text.push_str(&format!(" ({} of other kinds ignored)", counts.passed_over));
    }
    text
}

/// `2 errors, 1 warning`, or `no findings`.
fn severities(counts: [usize; 3]) -> String {
    let names = [Severity::Error, Severity::Warning, Severity::Info].map(Severity::as_str);
    let found: Vec<String> = counts
        .into_iter()
        .zip(names)
        .filter(|&(count, _)| count > 0)
        .map(|(count, severity)| counted(count, severity))
        .collect();
    if found.is_empty() {
        "no findings".to_owned()
    } else {
        found.join(", ")
    }
}

/// The findings by severity, errors first; equal ones keep their order, by path and position.
fn by_severity(outcome: &CheckReport) -> Vec<&crate::diagnostic::Diagnostic> {
    let mut findings: Vec<_> = outcome.findings.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}
