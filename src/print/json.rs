//! Renders findings as JSON. Later versions only add fields; if the meaning of a field changes,
//! `version` changes too.

mod since;

use std::io::{self, Write};

use serde::Serialize;

use super::RenderInput;
use gwconform_base::text::diagnostic::{self, Place, Severity};
use gwconform_base::text::source::Position;
use gwconform_report::rules::check::{CheckReport, Skipped};
use gwconform_report::rules::configuration::Config;

/// Output of `gwconform check --format json` and `gwconform resources --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Findings of gwconform check"))]
pub struct Findings<'a> {
    /// Format version, always 2.
    #[cfg_attr(test, schemars(extend("const" = 2)))]
    pub version: u32,
    /// Findings, sorted by path, position and rule.
    pub findings: Vec<Finding>,
    /// Checks that were not possible, with reasons.
    pub skipped: Vec<Skipped>,
    /// Totals of the whole check.
    pub summary: Summary,
    /// Changes since the `--since` revision; null if `--since` is not used.
    pub since: Option<since::Since<'a>>,
    /// Input of `gwconform resources`; omitted for other commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<Resources<'a>>,
    /// Result of `gwconform verify`; omitted for other commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<&'a gwconform_evidence::Summary>,
}

/// Cluster resources that were checked.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Resources<'a> {
    /// Health of the cluster according to object status.
    pub health: &'a gwconform_cluster::Health,
    /// Number of input files.
    pub files: usize,
    /// Number of objects whose kind gwconform knows.
    pub resources: usize,
    /// Number of other objects and of documents that are not objects.
    pub passed_over: usize,
    /// Number of Gateway API CRDs in the input.
    pub crds: usize,
    /// Versions of the CRDs, sorted. The conformance suite requires exactly one.
    #[cfg_attr(test, schemars(extend("examples" = [["v1.6.1"]])))]
    pub gateway_api_versions: &'a [String],
    /// Channels of the CRDs, sorted. The conformance suite requires exactly one.
    #[cfg_attr(test, schemars(extend("examples" = [["standard"]])))]
    pub gateway_api_channels: &'a [String],
    /// Release used for the check; null if no release is known.
    pub release: Option<&'a str>,
    /// Explanation of how the release was chosen.
    pub chosen: &'a str,
}

/// A finding. Lines and columns are 1-based, columns count Unicode scalar values, and ends are
/// exclusive. All four are null if the location is a path.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// Rule ID, such as `report/date`.
    #[cfg_attr(test, schemars(extend("examples" = ["report/date"])))]
    pub rule: &'static str,
    /// Severity, including changes by the configuration.
    pub severity: Severity,
    /// Path relative to the working directory, or absolute outside of it, with `/` separators.
    /// Bytes that are not UTF-8 are percent-encoded.
    pub path: String,
    #[serde(flatten)]
    /// Location of the finding; all fields are null for a whole file or folder.
    pub range: Range,
    /// Affected item, identified by names instead of a position. Empty for a whole file or folder.
    /// Rule, path and subject together identify the finding.
    pub subject: String,
    /// Description of the problem and the expected value.
    pub message: String,
    /// Suggested correction; null if the rule suggests none.
    pub help: Option<String>,
    /// URL of the rule documentation; null if `docs-url` is not configured.
    pub url: Option<String>,
    /// Related locations, such as a conflicting value.
    pub labels: Vec<Label>,
    /// Fix for the finding; null if no fix is available.
    pub fix: Option<Fix>,
}

/// Range in a text file; all fields are null for a whole file or folder.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Range {
    /// Line of the first character, from 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub line: Option<u32>,
    /// Column of the first character, from 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub column: Option<u32>,
    /// Line of the end, which is exclusive.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub end_line: Option<u32>,
    /// Column after the last character, from 1.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub end_column: Option<u32>,
}

/// A location related to a finding.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Label {
    /// File path in the same form as in a finding.
    pub path: String,
    #[serde(flatten)]
    /// Location of the label in the file.
    pub range: Range,
    /// Explanation of how the location relates to the finding.
    pub message: String,
}

/// A fix. Apply all of its edits or none of them.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fix {
    /// True if the fix cannot remove or change intended content.
    pub safe: bool,
    /// Description of the changes in one phrase.
    pub title: String,
    /// Edits that together form the fix.
    pub edits: Vec<Edit>,
}

/// An edit of a fix. Fields that do not apply to the kind are null.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Edit {
    /// Kind of change: replace text, or rename a file.
    pub kind: EditKind,
    /// Path of the file to change or rename.
    pub path: String,
    #[serde(flatten)]
    /// Range to replace; all fields are null for a rename.
    pub range: Range,
    /// Text that replaces the range; null for a rename.
    pub text: Option<String>,
    /// New path in the same folder, which does not exist yet; null for a replacement.
    pub to: Option<String>,
    /// SHA-256 digest of the original file. Do not apply the edit to other content.
    #[cfg_attr(test, schemars(extend("pattern" = "^[0-9a-f]{64}$")))]
    pub sha256: String,
}

/// Kind of change in an edit.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EditKind {
    /// Replaces a range of a README with `text`. Reports are never changed.
    #[default]
    Replace,
    /// Renames a file to `to`.
    Rename,
}

/// Numbers of checked items and findings.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Summary {
    /// Number of release folders, not counting aliases.
    pub releases: usize,
    /// Number of checked submission folders.
    pub submissions: usize,
    /// Number of checked reports.
    pub reports: usize,
    /// Number of checked submission READMEs.
    pub readmes: usize,
    /// Number of findings with severity `error`.
    pub errors: usize,
    /// Number of findings with severity `warning`.
    pub warnings: usize,
    /// Number of findings with severity `info`.
    pub infos: usize,
    /// Number of findings omitted from `findings` because of the output limit.
    pub not_shown: usize,
    /// Number of findings ignored by gwconform.toml. The numbers above do not include them.
    pub ignored: usize,
    /// Number of findings accepted by the baseline. The numbers above do not include them.
    pub accepted: usize,
}

impl Summary {
    pub(super) fn new(outcome: &CheckReport) -> Self {
        Self {
            releases: outcome.counts.releases,
            submissions: outcome.counts.submissions,
            reports: outcome.counts.reports,
            readmes: outcome.counts.readmes,
            errors: outcome.count(Severity::Error),
            warnings: outcome.count(Severity::Warning),
            infos: outcome.count(Severity::Info),
            not_shown: outcome.hidden.sum(),
            ignored: outcome.ignored,
            accepted: outcome.accepted,
        }
    }
}

/// Writes one JSON document.
pub fn write(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    gwconform_base::text::json::write(&document(shown), out)
}

fn document(shown: RenderInput<'_>) -> Findings<'_> {
    let RenderInput {
        outcome,
        config,
        review,
        cluster,
        ..
    } = shown;
    Findings {
        version: 2,
        findings: outcome
            .findings
            .iter()
            .map(|found| finding(found, config))
            .collect(),
        skipped: outcome.skipped.clone(),
        summary: Summary::new(outcome),
        since: review.map(|review| {
            let known = (review.before.findings.iter()).map(|found| finding(found, config));
            since::Since::new(review, shown.shows_known.then(|| known.collect()))
        }),
        resources: cluster.map(|cluster| Resources {
            health: &cluster.health,
            files: cluster.counts.files,
            resources: cluster.counts.known,
            passed_over: cluster.counts.passed_over + cluster.counts.no_objects,
            crds: cluster.crds,
            gateway_api_versions: &cluster.versions,
            gateway_api_channels: &cluster.channels,
            release: cluster.release.as_deref(),
            chosen: &cluster.chosen,
        }),
        evidence: shown.evidence,
    }
}

fn finding(finding: &diagnostic::Diagnostic, config: &Config) -> Finding {
    Finding {
        rule: finding.rule,
        severity: finding.severity,
        path: finding.place.path.to_string(),
        range: range(&finding.place),
        subject: finding.subject.to_string(),
        message: finding.message.to_string(),
        help: finding.help.as_ref().map(ToString::to_string),
        url: config.rule_url(finding.rule),
        labels: finding.labels.iter().map(label).collect(),
        fix: finding.fix.as_ref().map(|fix| Fix {
            safe: fix.safe,
            title: fix.title.clone(),
            edits: fix.edits.iter().map(edit).collect(),
        }),
    }
}

fn label(label: &diagnostic::Label) -> Label {
    Label {
        path: label.place.path.to_string(),
        range: range(&label.place),
        message: label.message.to_string(),
    }
}

fn edit(edit: &diagnostic::Edit) -> Edit {
    match edit {
        diagnostic::Edit::Replace {
            path,
            start,
            end,
            of,
            text,
            ..
        } => Edit {
            kind: EditKind::Replace,
            path: path.clone(),
            range: positions(*start, *end),
            text: Some(text.clone()),
            to: None,
            sha256: of.to_string(),
        },
        diagnostic::Edit::Rename { path, to, of } => Edit {
            kind: EditKind::Rename,
            path: path.clone(),
            to: Some(to.clone()),
            sha256: of.to_string(),
            ..Edit::default()
        },
    }
}

fn range(place: &Place) -> Range {
    let region = place.region.as_ref();
    region.map_or_else(Range::default, |region| positions(region.start, region.end))
}

fn positions(start: Position, end: Position) -> Range {
    Range {
        line: Some(start.line),
        column: Some(start.column),
        end_line: Some(end.line),
        end_column: Some(end.column),
    }
}
