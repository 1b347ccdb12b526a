//! Findings as JSON: a stable contract. Fields are only ever added; `version` changes when one
//! changes its meaning.

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

/// What `gwconform check --format json` and `gwconform resources --format json` print.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Findings of gwconform check"))]
pub struct Findings<'a> {
    /// Version of this format.
    #[cfg_attr(test, schemars(extend("const" = 2)))]
    pub version: u32,
    /// All findings by path, position and rule.
    pub findings: Vec<Finding>,
    /// What was not checked.
    pub skipped: Vec<Skipped>,
    /// How much was looked at, and how much was found.
    pub summary: Summary,
    /// What changed since the revision of `--since`; null without it.
    pub since: Option<since::Since<'a>>,
    /// What `gwconform resources` looked at; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<Resources<'a>>,
    /// What `gwconform verify` found out; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<&'a evidence::Summary>,
}

/// Resources of a cluster that were looked at.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Resources<'a> {
    /// What works, by the statuses that controllers have written.
    pub health: &'a cluster::Health,
    /// Files.
    pub files: usize,
    /// Objects of kinds that something is known of.
    pub resources: usize,
    /// Other objects, and documents that are none.
    pub passed_over: usize,
    /// How many CRDs of the Gateway API there are.
    pub crds: usize,
    /// The versions that these name, sorted; the conformance suite runs with exactly one.
    #[cfg_attr(test, schemars(extend("examples" = [["v1.6.1"]])))]
    pub gateway_api_versions: &'a [String],
    /// The channels that they name, sorted; the conformance suite runs with exactly one.
    #[cfg_attr(test, schemars(extend("examples" = [["standard"]])))]
    pub gateway_api_channels: &'a [String],
    /// The release whose facts count; null only without any release.
    pub release: Option<&'a str>,
    /// How that was chosen, in words.
    pub chosen: &'a str,
}

/// One finding. Lines and columns are 1-based, columns count Unicode scalar values, ends are
/// exclusive; all four are null where the place is a path.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Finding {
    /// Id of the rule.
    #[cfg_attr(test, schemars(extend("examples" = ["report/date"])))]
    pub rule: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Relative to the working directory, absolute outside of it, always with `/`; bytes that are
    /// not UTF-8 are percent-encoded.
    pub path: String,
    #[serde(flatten)]
    /// Where in the file.
    pub range: Range,
    /// What it is about, by names and never by position; with rule and path the identity of the
    /// finding. Empty for the file or folder itself.
    pub subject: String,
    /// What is wrong, and what was expected.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The rule's page, where `docs-url` is configured.
    pub url: Option<String>,
    /// Other places that belong to it.
    pub labels: Vec<Label>,
    /// A change that fixes it.
    pub fix: Option<Fix>,
}

/// A range of a file's text.
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

/// Another place that belongs to a finding.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Label {
    /// As in a finding.
    pub path: String,
    #[serde(flatten)]
    /// Where in the file.
    pub range: Range,
    /// What is there.
    pub message: String,
}

/// A change that fixes a finding: all of its edits or none.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fix {
    /// True when it cannot lose or change anything a person meant.
    pub safe: bool,
    /// What it does.
    pub title: String,
    /// The edits.
    pub edits: Vec<Edit>,
}

/// One edit; fields that do not apply are null.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Edit {
    /// What it does.
    pub kind: EditKind,
    /// The file that is changed or renamed.
    pub path: String,
    #[serde(flatten)]
    /// What is replaced.
    pub range: Range,
    /// The new text.
    pub text: Option<String>,
    /// The new path, in the same folder. Nothing has it.
    pub to: Option<String>,
    /// SHA-256 of the file that the edit was made for: it must not be applied to another.
    #[cfg_attr(test, schemars(extend("pattern" = "^[0-9a-f]{64}$")))]
    pub sha256: String,
}

/// What an edit does.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EditKind {
    /// Replaces a range of a README by `text`. A report is never changed.
    #[default]
    Replace,
    /// Renames a file to `to`.
    Rename,
}

/// How much was looked at, and how much was found.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Summary {
    /// Release folders; an alias is none.
    pub releases: usize,
    /// Folders of submissions.
    pub submissions: usize,
    /// Reports.
    pub reports: usize,
    /// READMEs of submissions.
    pub readmes: usize,
    /// Findings that are errors.
    pub errors: usize,
    /// Findings that are warnings.
    pub warnings: usize,
    /// Findings that are infos.
    pub infos: usize,
    /// How many of these are not among the findings above: there are too many.
    pub not_shown: usize,
    /// Findings that gwconform.toml leaves out; they are not counted above.
    pub ignored: usize,
    /// Findings that the baseline accepts; they are not counted above.
    pub accepted: usize,
}

impl Summary {
    /// That of a check.
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

/// Writes the outcome as one JSON document.
///
/// # Errors
/// When `out` cannot be written to.
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
