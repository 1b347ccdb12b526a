//! Features that implementations no longer support.

use serde::Serialize;

use super::diff::{Change, Claim, diff};
use crate::certify::catalog::Catalog;
use crate::report::facts::ReportFacts;
use gwconform_base::release::Registry;

/// Feature that an older report supports, and a newest report of the same implementation does not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct Dropped {
    /// Path of the implementation in URLs, such as `acme/operator`.
    pub slug: String,
    /// Display name of the implementation.
    pub name: String,
    /// Name of the feature in the newest report's release.
    pub feature: String,
    /// Name of the profile, such as `GATEWAY-HTTP`.
    pub profile: String,
    /// Claim of the newest report, such as `unsupported`.
    pub claim: Claim,
    /// Newest report with its channel and mode.
    pub new: ReportName,
    /// Older report that it is compared with.
    pub old: ReportName,
}

/// Identifies a report.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct ReportName {
    /// `implementation.version` of the report.
    pub version: Option<String>,
    /// Release that the report is for, such as `v1.5.1`.
    pub release: Option<String>,
    /// API channel of the report.
    pub channel: Option<String>,
    /// Mode of the report.
    pub mode: Option<String>,
    /// Path of the report.
    pub path: String,
}

impl ReportName {
    fn new(facts: &ReportFacts) -> Self {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let release = facts.release.version.as_ref();
        Self {
            version: owned(facts.version()),
            release: release.map(ToString::to_string),
            channel: owned(facts.channel()),
            mode: owned(facts.mode()),
            path: facts.path.clone(),
        }
    }
}

/// Compares the newest reports of each implementation with their predecessors. Features that the
/// release removed are omitted.
pub fn dropped(catalog: &Catalog<'_>, registry: &Registry) -> Vec<Dropped> {
    let mut all = Vec::new();
    for one in &catalog.implementations {
        for report in one.reports.iter().filter(|report| one.is_newest(report)) {
            let new = report.judged.facts;
            let before = report.before.as_ref();
            let Some(old) = before.and_then(|before| one.reports.get(before.at)) else {
                continue;
            };
            let old = old.judged.facts;
            let changes = diff(old, new, registry).regressions.into_iter();
            all.extend(changes.filter_map(|change| match change {
                Change::Feature {
                    profile,
                    feature,
                    old: Claim::Supported,
                    new: claim,
                    removed_in: None,
                } => Some(Dropped {
                    slug: one.slug.clone(),
                    name: one.name.clone(),
                    feature: feature.to_string(),
                    profile: profile.to_string(),
                    claim,
                    new: ReportName::new(new),
                    old: ReportName::new(old),
                }),
                _ => None,
            }));
        }
    }
    all.sort();
    all
}
