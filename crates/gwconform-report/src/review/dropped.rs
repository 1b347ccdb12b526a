//! Features that implementations no longer support.

use serde::Serialize;

use super::diff::{Change, Claim, diff};
use crate::certify::catalog::Catalog;
use crate::document::{ImplementationRef, ReportRef};
use gwconform_base::release::Registry;

/// Feature that an older report supports, and a newest report of the same implementation does not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct Dropped {
    /// Implementation of both reports.
    #[serde(flatten)]
    pub implementation: ImplementationRef,
    /// Name of the feature in the newest report's release.
    pub feature: String,
    /// Profile name.
    #[schemars(extend("examples" = ["GATEWAY-HTTP"]))]
    pub profile: String,
    /// Claim of the newest report, such as `unsupported`.
    pub claim: Claim,
    /// Newest report of a channel and mode, which does not support the feature.
    #[serde(flatten)]
    pub new: ReportRef,
    /// Older report that supports the feature.
    pub older: ReportRef,
}

/// Compares the newest reports of each implementation with their predecessors. Features that the
/// release removed are omitted.
pub fn dropped(catalog: &Catalog<'_>, registry: &Registry) -> Vec<Dropped> {
    let mut all = Vec::new();
    for one in &catalog.implementations {
        for report in one.reports.iter().filter(|report| one.is_newest(report)) {
            let new = report.judged.facts;
            let before = report.before.as_ref();
            let Some(older) = before.and_then(|before| one.reports.get(before.at)) else {
                continue;
            };
            let changes = diff(older.judged.facts, new, registry)
                .regressions
                .into_iter();
            all.extend(changes.filter_map(|change| match change {
                Change::Feature {
                    profile,
                    feature,
                    old: Claim::Supported,
                    new: claim,
                    removed_in: None,
                } => Some(Dropped {
                    implementation: ImplementationRef::new(one),
                    feature: feature.to_string(),
                    profile: profile.to_string(),
                    claim,
                    new: ReportRef::new(one, report),
                    older: ReportRef::new(one, older),
                }),
                _ => None,
            }));
        }
    }
    all.sort();
    all
}
