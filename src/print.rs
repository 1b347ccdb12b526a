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
pub mod needs;
pub mod outlook;
pub mod page;
pub mod plan;
pub mod releases;
mod review;
pub mod rules;
pub mod sarif;
pub mod statistics;
pub mod suggestions;

pub use format::Format;

use std::collections::BTreeMap;

use crate::cluster;
use crate::evidence::{self, Verdict};
use crate::review::Review;
use crate::rules::check::CheckReport;
use crate::rules::check::resources::{ClusterSummary, ResourceReport};
use crate::rules::configuration::Config;
use crate::text::diagnostic::{Diagnostic, Severity};
use crate::text::{counted, wrap};

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
    /// How many objects of manifests were looked at, where that was requested.
    pub manifests: Option<cluster::Counts>,
    /// What the log of a run proves, where that was requested.
    pub evidence: Option<&'a evidence::Summary>,
    /// The width that lines for people have at most, in columns.
    pub width: usize,
    /// True to list for people what was not checked of a cluster; else it is counted.
    pub is_verbose: bool,
    /// True to list the findings that were there before a change; else they are counted.
    pub shows_known: bool,
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
            manifests: None,
            evidence: None,
            width: wrap::WIDTH,
            is_verbose: false,
            shows_known: false,
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

impl RenderInput<'_> {
    /// True when the log does not prove the report, and that makes the command fail.
    fn is_failed_by_log(&self) -> bool {
        let is_unproved = |evidence: &evidence::Summary| evidence.verdict != Verdict::Proved;
        self.evidence.is_some_and(is_unproved) && self.fail_on <= Severity::Error
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
        None => match shown
            .cluster
            .map(|looked| looked.counts)
            .or(shown.manifests)
        {
            Some(counts) => format!("{found} in {}", resources(&counts)),
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
    if let Some(review) = shown.review
        && review.not_checked_elsewhere > 0
    {
        let left_out = counted(review.not_checked_elsewhere, "file");
        summary.push_str(&format!("; elsewhere in the tree: {left_out} skipped"));
    }
    summary
}

/// `14 findings were there before`, and how to see them; nothing without any.
fn known(shown: RenderInput<'_>) -> Option<String> {
    let count = shown.review?.before.counts.sum();
    let (findings, were) = match count {
        0 => return None,
        1 => ("1 finding".to_owned(), "was"),
        _ => (counted(count, "finding"), "were"),
    };
    let hint = if shown.shows_known { "" } else { ": `--all`" };
    Some(format!("{findings} {were} there before{hint}"))
}

/// `12 resources of 1 file (3 of other kinds)`
fn resources(counts: &cluster::Counts) -> String {
    let mut text = format!(
        "{} of {}",
        counted(counts.known, "resource"),
        counted(counts.files, "file")
    );
    let others = match counts.passed_over {
        0 => None,
        count => Some(format!("{count} of other kinds")),
    };
    let no_objects = match counts.no_objects {
        0 => None,
        count => {
            let documents = counted(count, "document");
            Some(format!("{documents} without apiVersion and kind"))
        }
    };
    let left_out: Vec<String> = others.into_iter().chain(no_objects).collect();
    if !left_out.is_empty() {
        text.push_str(&format!(" ({})", left_out.join(", ")));
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
fn by_severity(outcome: &CheckReport) -> Vec<&Diagnostic> {
    let mut findings: Vec<_> = outcome.findings.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

/// Findings with the same severity, rule, message and help as one, with the others behind the first.
/// Their order is that of the first ones.
fn each_once(findings: Vec<&Diagnostic>) -> Vec<Group<'_>> {
    let mut places: BTreeMap<(&str, Severity, String, Option<String>), usize> = BTreeMap::new();
    let mut groups: Vec<Group<'_>> = Vec::new();
    for finding in findings {
        let help = finding.help.as_ref().map(ToString::to_string);
        let message = finding.message.to_string();
        let key = (finding.rule, finding.severity, message, help);
        let at = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(at) {
            Some((_, others)) => others.push(finding),
            None => groups.push((finding, Vec::new())),
        }
    }
    groups
}

/// How many findings of a change are shown, and the rest counted.
const MAX_OF_CHANGE: usize = 20;

/// How many of these can be of one rule, where there are more: a hundred of one kind hide no other.
const MAX_OF_RULE: usize = 5;

/// A finding with the others of its text.
type Group<'f> = (&'f Diagnostic, Vec<&'f Diagnostic>);

/// The findings of a change that are shown, errors before warnings, and how many are not. `groups` are
/// all that are kept.
fn of_change<'f>(outcome: &CheckReport, mut groups: Vec<Group<'f>>) -> (Vec<Group<'f>>, usize) {
    let mut left = outcome.cut.all().sum();
    let are_too_many = groups.len() > MAX_OF_CHANGE;
    let (mut shown, mut of_rule) = (0, BTreeMap::new());
    groups.retain(|(finding, others)| {
        let count: &mut usize = of_rule.entry(finding.rule).or_default();
        *count += 1;
        let is_shown = shown < MAX_OF_CHANGE && (!are_too_many || *count <= MAX_OF_RULE);
        match is_shown {
            true => shown += 1,
            false => left += 1 + others.len(),
        }
        is_shown
    });
    (groups, left)
}

/// Most other places that are named with a finding.
const MAX_OTHER_PLACES: usize = 5;

/// `path:line` of the other places of a finding, and how many more there are.
fn other_places(others: &[&Diagnostic]) -> (Vec<String>, usize) {
    let place = |finding: &&Diagnostic| match &finding.place.region {
        Some(region) => format!("{}:{}", finding.place.path, region.start.line),
        None => finding.place.path.to_string(),
    };
    let named: Vec<String> = others.iter().take(MAX_OTHER_PLACES).map(place).collect();
    let more = others.len() - named.len();
    (named, more)
}
