//! Renders findings and command output, with one module per output format or command. For the
//! stability of JSON output, see [`json`].

pub mod certify;
mod checks;
mod concise;
pub mod diff;
pub mod dropped;
pub mod facts;
mod format;
pub mod github;
mod health;
pub mod human;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod needs;
pub mod outlook;
pub mod page;
pub mod plan;
pub mod releases;
mod review;
mod rule_counts;
pub mod rules;
pub mod sarif;
pub mod statistics;
pub mod suggestions;

pub use format::Format;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use gwconform_base::api::{FolderRelease, Minor};
use gwconform_base::release::Registry;
use gwconform_base::text::change::Edit;
use gwconform_base::text::diagnostic::{Diagnostic, Place, Severities, Severity};
use gwconform_base::text::message::Message;
use gwconform_base::text::shell::word;
use gwconform_base::text::{MAX_EXAMPLES, counted, wrap};
use gwconform_cluster::resources::{ClusterSummary, ResourceReport};
use gwconform_evidence::Summary;
use gwconform_report::document::Document;
use gwconform_report::review::Review;
use gwconform_report::rules::check::CheckReport;
use gwconform_report::rules::configuration::Config;
use gwconform_report::statement::Verdict;

/// Whether output contains ANSI styles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Styling {
    /// No escape sequences.
    Plain,
    /// ANSI escape sequences.
    Styled,
}

/// Input for all finding formats.
#[derive(Debug, Clone, Copy)]
pub struct RenderInput<'a> {
    /// Findings, skipped checks and counts of the check.
    pub outcome: &'a CheckReport,
    /// Configuration, including `docs-url`.
    pub config: &'a Config,
    /// Release data of the check.
    pub registry: &'a Registry,
    /// Printed folder of the reports tree; `None` without a tree.
    pub tree: Option<&'a str>,
    /// Lowest severity that makes a check fail.
    pub fail_on: Severity,
    /// Changes since another revision, with `--since`.
    pub review: Option<&'a Review>,
    /// Summary of the cluster check, for `resources`.
    pub cluster: Option<&'a ClusterSummary>,
    /// Number of checked objects in manifests.
    pub manifests: Option<gwconform_cluster::Counts>,
    /// Result of the verification against a log.
    pub evidence: Option<&'a Summary>,
    /// Maximum line width for human output, in columns.
    pub width: usize,
    /// True to list everything, also what was not checked in a cluster, and findings that existed
    /// before a change.
    pub shows_all: bool,
    /// Lowest severity of the findings that human output lists instead of counting them.
    pub least: Severity,
}

impl<'a> RenderInput<'a> {
    /// Input without optional parts.
    pub fn new(outcome: &'a CheckReport, config: &'a Config) -> Self {
        Self {
            outcome,
            config,
            registry: Registry::embedded(),
            tree: None,
            fail_on: Severity::Error,
            review: None,
            cluster: None,
            manifests: None,
            evidence: None,
            width: wrap::WIDTH,
            shows_all: false,
            least: Severity::Info,
        }
    }

    /// Input for a cluster check.
    pub fn of_resources(found: &'a ResourceReport, config: &'a Config) -> Self {
        Self {
            cluster: Some(&found.cluster),
            ..Self::new(&found.report, config)
        }
    }
}

impl<'a> RenderInput<'a> {
    /// JSON document with content from this input.
    fn document<T>(&self, content: T) -> Document<'a, T> {
        Document::new(self.registry, self.tree.map(str::to_owned), content)
    }
}

impl RenderInput<'_> {
    fn is_failed_by_log(&self) -> bool {
        let is_unproved = |evidence: &Summary| evidence.verdict != Verdict::Proved;
        self.evidence.is_some_and(is_unproved) && self.fail_on <= Severity::Error
    }
}

fn verdict_by_log(evidence: &Summary) -> String {
    format!("{}: {}", evidence.verdict.in_words(), evidence.reason)
}

fn summary(shown: RenderInput<'_>) -> String {
    summary_hiding(shown, shown.outcome.hidden)
}

fn summary_hiding(shown: RenderInput<'_>, hidden: Severities) -> String {
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
    if hidden.sum() > 0 {
        let hidden = all.map(|severity| hidden.of(severity));
        summary.push_str(&format!("; not shown: {}", severities(hidden)));
    }
    summary
}

fn resources(counts: &gwconform_cluster::Counts) -> String {
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

fn newest_first(outcome: &CheckReport) -> Vec<&Diagnostic> {
    let mut findings: Vec<_> = outcome.findings.iter().collect();
    findings.sort_by_cached_key(|finding| Reverse(release(&finding.place.path)));
    findings
}

/// Release folder in the path of a file.
fn release(path: &str) -> Option<(Minor, FolderRelease)> {
    let release = path.split('/').find_map(FolderRelease::parse)?;
    Some((release.minor(), release))
}

/// The most severe findings first, and of these the newest release.
fn by_severity(outcome: &CheckReport) -> Vec<&Diagnostic> {
    let mut findings = newest_first(outcome);
    findings.sort_by_key(|finding| Reverse(finding.severity));
    findings
}

/// Groups equal findings, in order of first occurrence.
fn each_once(findings: Vec<&Diagnostic>) -> Vec<Group<'_>> {
    let mut places = BTreeMap::new();
    let mut groups: Vec<Group<'_>> = Vec::new();
    for finding in findings {
        let help = finding.help.as_ref().map(ToString::to_string);
        let message = finding.message.to_string();
        let merged = finding.labels.iter().filter(|label| label.is_finding);
        let merged: Vec<String> = merged.map(|label| label.message.to_string()).collect();
        let key = (finding.rule, finding.severity, message, help, merged);
        let at = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(at) {
            Some((_, others)) => others.push(finding),
            None => groups.push((finding, Vec::new())),
        }
    }
    groups
}

/// Command that fixes findings of a change, with their number. `None` without fixes.
fn fixable(shown: RenderInput<'_>) -> Option<(String, String)> {
    shown.review?;
    let findings = &shown.outcome.findings;
    let fixes = || findings.iter().filter_map(|finding| finding.fix.as_ref());
    let safe = fixes().filter(|fix| fix.safe).count();
    let (count, flag) = match safe {
        0 => (fixes().count(), "--unsafe-fixes"),
        _ => (safe, "--fix"),
    };
    let of = counted(findings.len(), "finding");
    let text = format!("{count} of {of} can be fixed: ");
    let fixes = fixes().filter(|fix| fix.safe || safe == 0);
    let folders: BTreeSet<&str> = fixes
        .flat_map(|fix| &fix.edits)
        .filter_map(|edit| match edit {
            Edit::Replace { path, .. } | Edit::Rename { path, .. } => path.rsplit_once('/'),
        })
        .map(|(folder, _)| folder)
        .collect();
    let paths: Option<Vec<_>> = folders.into_iter().map(word).collect();
    let paths = paths.filter(|paths| paths.len() <= MAX_OF_CHANGE);
    let paths = paths.unwrap_or_default().into_iter();
    let command = paths.fold(format!("gwconform check {flag}"), |command, path| {
        format!("{command} {path}")
    });
    (count > 0).then_some((text, command))
}

/// Maximum number of findings listed for a change.
const MAX_OF_CHANGE: usize = 20;

type Group<'f> = (&'f Diagnostic, Vec<&'f Diagnostic>);

/// Findings to list for a change, and the number of omitted ones. If there are too many, a rule has
/// only examples, so that it does not displace all others.
fn of_change(mut groups: Vec<Group<'_>>) -> (Vec<Group<'_>>, usize) {
    let mut left = 0;
    let are_too_many = groups.len() > MAX_OF_CHANGE;
    let (mut shown, mut of_rule) = (0, BTreeMap::new());
    groups.retain(|(finding, others)| {
        let count: &mut usize = of_rule.entry(finding.rule).or_default();
        *count += 1;
        let is_shown = shown < MAX_OF_CHANGE && (!are_too_many || *count <= MAX_EXAMPLES);
        if is_shown {
            shown += 1;
        } else {
            left += 1 + others.len();
        }
        is_shown
    });
    (groups, left)
}

fn other_places(others: &[&Diagnostic]) -> (Vec<String>, usize) {
    let shown = others.iter().take(MAX_EXAMPLES);
    let named: Vec<String> = shown.map(|finding| path_and_line(&finding.place)).collect();
    let more = others.len() - named.len();
    (named, more)
}

fn path_and_line(place: &Place) -> String {
    match &place.region {
        Some(region) => format!("{}:{}", place.path, region.start.line),
        None => place.path.to_string(),
    }
}

/// Merged findings, then places in other files that a finding refers to, with their descriptions.
/// Formats without source lines name only these.
fn further_places(finding: &Diagnostic) -> impl Iterator<Item = (String, &Message)> {
    let merged = finding.labels.iter().filter(|label| label.is_finding);
    let others = finding.labels.iter();
    let others = others.filter(|label| !label.is_finding && label.place.path != finding.place.path);
    let all = merged.chain(others.take(MAX_EXAMPLES));
    all.map(|label| (path_and_line(&label.place), &label.message))
}
