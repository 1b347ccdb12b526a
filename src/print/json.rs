//! Findings as JSON. The format is stable: fields are only added, and `version` changes if the
//! meaning of a field changes.

mod since;

use std::io::{self, Write};

use serde::Serialize;

use super::RenderInput;
use crate::cluster;
use crate::evidence;
use crate::rules::check::{CheckReport, Skipped};
use crate::rules::configuration::Config;
use crate::text::diagnostic::{self, Place, Severity};
use crate::text::source::Position;

/// Output of `gwconform check --format json` and `gwconform resources --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Findings of gwconform check"))]
pub struct Findings<'a> {
    /// Format version.
    #[cfg_attr(test, schemars(extend("const" = 2)))]
    pub version: u32,
    /// Sorted by path, position and rule.
    pub findings: Vec<Finding>,
    /// Skipped checks.
    pub skipped: Vec<Skipped>,
    /// Totals of the check.
    pub summary: Summary,
    /// Changes since the `--since` revision; null without it.
    pub since: Option<since::Since<'a>>,
    /// Input of `gwconform resources`; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<Resources<'a>>,
    /// Result of `gwconform verify`; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<&'a evidence::Summary>,
}

/// Checked cluster resources.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Resources<'a> {
    /// Health according to the status of the objects.
    pub health: &'a cluster::Health,
    /// Number of files.
    pub files: usize,
    /// Number of objects with a known kind.
    pub resources: usize,
    /// Number of other objects, and of documents that are not objects.
    pub passed_over: usize,
    /// Number of Gateway API CRDs.
    pub crds: usize,
    /// Versions of the CRDs, sorted. The conformance suite requires exactly one.
    #[cfg_attr(test, schemars(extend("examples" = [["v1.6.1"]])))]
    pub gateway_api_versions: &'a [String],
    /// Channels of the CRDs, sorted. The conformance suite requires exactly one.
    #[cfg_attr(test, schemars(extend("examples" = [["standard"]])))]
    pub gateway_api_channels: &'a [String],
    /// Release used for the check; null only if no release is known.
    pub release: Option<&'a str>,
    /// How the release was chosen.
    pub chosen: &'a str,
}

/// A finding. Lines and columns are 1-based, columns count Unicode scalar values, and ends are
/// exclusive. All four are null if the location is a path.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// Rule id.
    #[cfg_attr(test, schemars(extend("examples" = ["report/date"])))]
    pub rule: &'static str,
    /// Severity of the finding.
    pub severity: Severity,
    /// Relative to the working directory, or absolute outside of it; with `/` separators. Bytes
    /// that are not UTF-8 are percent-encoded.
    pub path: String,
    #[serde(flatten)]
    /// Location in the file.
    pub range: Range,
    /// Affected item, identified by names rather than position; empty for a whole file or folder.
    /// With rule and path it identifies the finding.
    pub subject: String,
    /// Description of the problem and the expected value.
    pub message: String,
    /// How to resolve the finding.
    pub help: Option<String>,
    /// Rule documentation, if `docs-url` is configured.
    pub url: Option<String>,
    /// Related locations.
    pub labels: Vec<Label>,
    /// Fix for the finding.
    pub fix: Option<Fix>,
}

/// Range in a text file.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Range {
    /// Line of the first character.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub line: Option<u32>,
    /// Column of the first character.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub column: Option<u32>,
    /// Line after the last character.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub end_line: Option<u32>,
    /// Column after the last character.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub end_column: Option<u32>,
}

/// A location related to a finding.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Label {
    /// File path, as in a finding.
    pub path: String,
    #[serde(flatten)]
    /// Location in the file.
    pub range: Range,
    /// Explanation of the location.
    pub message: String,
}

/// A fix. Apply all edits or none.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fix {
    /// True if the fix cannot remove or change intended content.
    pub safe: bool,
    /// Description of the fix.
    pub title: String,
    /// Edits of the fix.
    pub edits: Vec<Edit>,
}

/// An edit. Fields that do not apply are null.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Edit {
    /// Type of edit.
    pub kind: EditKind,
    /// File to change or rename.
    pub path: String,
    #[serde(flatten)]
    /// Range to replace.
    pub range: Range,
    /// Replacement text.
    pub text: Option<String>,
    /// New path in the same folder; does not exist yet.
    pub to: Option<String>,
    /// SHA-256 of the original file. Do not apply the edit to other content.
    #[cfg_attr(test, schemars(extend("pattern" = "^[0-9a-f]{64}$")))]
    pub sha256: String,
}

/// Type of edit.
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

/// Totals of the check.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Summary {
    /// Number of release folders, not counting aliases.
    pub releases: usize,
    /// Number of submission folders.
    pub submissions: usize,
    /// Number of reports.
    pub reports: usize,
    /// Number of submission READMEs.
    pub readmes: usize,
    /// Number of errors.
    pub errors: usize,
    /// Number of warnings.
    pub warnings: usize,
    /// Number of infos.
    pub infos: usize,
    /// Number of findings omitted from `findings` because of the output limit.
    pub not_shown: usize,
    /// Number of findings ignored by gwconform.toml, not counted above.
    pub ignored: usize,
    /// Number of findings accepted by the baseline, not counted above.
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
            not_shown: outcome.cut.all().sum() + outcome.hidden.sum(),
            ignored: outcome.ignored,
            accepted: outcome.accepted,
        }
    }
}

/// Writes one JSON document.
///
/// # Errors
/// If `out` fails.
pub fn write(shown: RenderInput<'_>, out: &mut dyn Write) -> io::Result<()> {
    crate::text::json::write(&document(shown), out)
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
        skipped: outcome.left_out(),
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
