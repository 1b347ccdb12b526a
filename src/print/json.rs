//! Renders findings as JSON.

mod change;

use std::io::{self, Write};

use serde::Serialize;

use super::RenderInput;
use gwconform_base::text::diagnostic::Severity;
use gwconform_report::document::{Finding, LeftOut};
use gwconform_report::rules::check::CheckReport;

/// Output of `gwconform check --format json` and `gwconform resources --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Findings of gwconform check"))]
pub struct Findings<'a> {
    /// Findings, sorted by path, position and rule.
    pub findings: Vec<Finding<'a>>,
    /// Files and folders that were not checked, or not by all rules, with reasons.
    pub left_out: Vec<LeftOut>,
    /// Totals of the whole check.
    pub summary: Summary,
    /// Changes since the `--since` revision; null if `--since` is not used.
    pub change: Option<change::ChangeSince<'a>>,
    /// Input of `gwconform resources`; null for other commands.
    pub cluster: Option<Cluster<'a>>,
    /// Result of `gwconform verify`; null for other commands.
    pub evidence: Option<&'a gwconform_evidence::Summary>,
}

/// Cluster resources that were checked.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cluster<'a> {
    /// Health of the cluster according to object status.
    pub health: &'a gwconform_cluster::Health,
    /// Numbers of files and objects in the input.
    pub counts: ObjectCounts,
    /// Releases of the Gateway API CRDs, sorted. The conformance suite requires exactly one.
    #[cfg_attr(test, schemars(extend("examples" = [["v1.6.1"]])))]
    pub crd_releases: &'a [String],
    /// Channels of the CRDs, sorted. The conformance suite requires exactly one.
    #[cfg_attr(test, schemars(extend("examples" = [["standard"]])))]
    pub crd_channels: &'a [String],
    /// Release used for the check; null if no release is known.
    pub release: Option<&'a str>,
    /// Explanation of how the release was chosen.
    pub release_reason: &'a str,
    /// Whether the CRDs of `--crds` may be installed; null without this option.
    pub upgrade: Option<&'a gwconform_cluster::resources::Upgrade>,
}

/// Numbers of files and objects in the input.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ObjectCounts {
    /// Number of input files.
    pub files: usize,
    /// Number of objects whose kind gwconform knows.
    pub resources: usize,
    /// Number of other objects and of documents that are not objects.
    pub passed_over: usize,
    /// Number of Gateway API CRDs in the input.
    pub crds: usize,
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
    gwconform_base::text::json::write(&shown.document(content(shown)), out)
}

fn content(shown: RenderInput<'_>) -> Findings<'_> {
    let RenderInput {
        outcome, config, ..
    } = shown;
    let finding = |one| Finding::new(one, config);
    Findings {
        findings: outcome.findings.iter().map(finding).collect(),
        left_out: outcome.skipped.iter().map(LeftOut::from).collect(),
        summary: Summary::new(outcome),
        change: shown.review.map(|review| {
            let known = review.before.findings.iter().map(finding);
            change::ChangeSince::new(review, shown.shows_all.then(|| known.collect()))
        }),
        cluster: shown.cluster.map(|cluster| Cluster {
            health: &cluster.health,
            counts: ObjectCounts {
                files: cluster.counts.files,
                resources: cluster.counts.known,
                passed_over: cluster.counts.passed_over + cluster.counts.no_objects,
                crds: cluster.crds,
            },
            crd_releases: &cluster.versions,
            crd_channels: &cluster.channels,
            release: cluster.release.as_deref(),
            release_reason: &cluster.chosen,
            upgrade: cluster.upgrade.as_ref(),
        }),
        evidence: shown.evidence,
    }
}
