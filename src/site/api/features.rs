//! The `features` data file: feature declarations, and support by implementation.

use serde::Serialize;
use serde_json::{Value, json};

use super::table::Table;
use super::{Items, Out};
use crate::site::model::{FeatureSupport, FeatureView, ReportView, SiteModel, StateCounts};
use gwconform_base::api::{Channel, Level, NameKind};
use gwconform_base::release::{Registry, Release};
use gwconform_report::certify::catalog::StateKind;
use gwconform_report::document::ProfileLevel;

/// Features of all known releases, sorted by name.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Features"))]
pub struct Features {
    /// Minor whose reports `totals` counts; null if the tree has no minor.
    pub totals_minor: Option<String>,
    /// One entry per feature, sorted by name.
    #[cfg_attr(test, schemars(with = "Vec<Feature<'static>>"))]
    pub features: Items,
    /// Paths of the parts, relative to the site root. Present only if the list is split; `features` is
    /// then empty. Each part is a document of this schema, and the parts contain the entries in
    /// order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    pub parts: Vec<String>,
}

/// A feature as declared by the newest release that has the feature. Declared values are null if no
/// release has the feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Feature<'c> {
    /// Feature name as in reports.
    #[cfg_attr(test, schemars(extend("examples" = ["HTTPRouteCORS"])))]
    pub feature: &'c str,
    /// One-line description of the feature; null if no release has the feature.
    pub description: Option<&'c str>,
    /// Kind that the feature belongs to, such as `HTTPRoute`.
    pub resource: Option<&'c str>,
    /// Core if a profile includes the feature as core, extended if profiles include it only as
    /// extended. Without a profile, the level that the feature has for its resource.
    pub level: Option<Level>,
    /// Channel that contains the API fields of the feature.
    pub channel: Option<Channel>,
    /// First release with the feature under this name; null if no release has it.
    pub since: Option<String>,
    /// Last minor with the feature, or the last patch if a later patch of that minor removed it.
    /// Null if the newest release has the feature, or no release does.
    pub until: Option<String>,
    /// Feature name in earlier releases; null if the feature was not renamed.
    pub renamed_from: Option<&'c str>,
    /// Feature name in later releases; null if the feature was not renamed.
    pub renamed_to: Option<&'c str>,
    /// Profiles that include the feature, with the level in each profile.
    pub profiles: Vec<ProfileLevel<'c>>,
    /// Feed path relative to the site root. Null if no release has the feature, or if no
    /// implementation's support ever changed.
    pub feed: Option<String>,
    /// State counts over all newest-minor reports, in the profiles that include the feature.
    pub totals: StateCounts,
    /// State by implementation, in the newest release whose reports have a profile with the
    /// feature.
    pub implementations: Vec<ImplementationSupport<'c>>,
}

/// Support for a feature in the reports of one implementation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ImplementationSupport<'c> {
    /// Key of the implementation.
    pub implementation: &'c str,
    /// First release with a report that claims the feature under this name; null if no report does.
    pub since: Option<String>,
    /// Newest release for which the implementation reported a profile with the feature.
    pub release: Option<String>,
    /// One entry per report and profile. Reports for different channels and modes have separate
    /// entries.
    pub reports: Vec<ReportState<'c>>,
}

/// State of a feature in one profile of a report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportState<'c> {
    /// Key of the report.
    pub report: &'c str,
    /// Profile name, such as `GATEWAY-HTTP`.
    pub profile: &'c str,
    /// State, with the same values as in a matrix.
    #[cfg_attr(test, schemars(extend("enum" = StateKind::IN_RELEASE)))]
    pub state: StateKind,
}

pub(super) fn write(model: &SiteModel<'_>, out: &mut Out<'_>) {
    let newest = model.catalog.newest_reported;
    out.list(
        "features",
        Table::new("features", COLUMNS),
        model
            .features
            .iter()
            .map(|view| feature(view, model.registry)),
        |feature, table| table.add(&[&computed(feature), &json!(feature)]),
        |features, parts| Features {
            totals_minor: newest.map(|minor| minor.to_string()),
            features,
            parts: parts.unwrap_or_default(),
        },
    );
}

fn feature<'c>(view: &'c FeatureView<'c>, registry: &Registry) -> Feature<'c> {
    let version = |release: Option<&Release>| release.map(|release| release.version().to_string());
    let profiles = view.profiles.iter();
    let implementations = view.implementations.iter();
    Feature {
        feature: view.name,
        description: view.meaning(),
        resource: view.resource(),
        level: view.level(),
        channel: view.channel(),
        since: version(view.since),
        until: registry.until_in_short(NameKind::Feature, view.name),
        renamed_from: view.renamed_from,
        renamed_to: view.renamed_to,
        profiles: profiles
            .map(|(profile, level)| ProfileLevel {
                profile,
                level: *level,
            })
            .collect(),
        feed: view.feed.clone(),
        totals: view.newest,
        implementations: implementations.map(implementation).collect(),
    }
}

fn implementation<'c>(support: &'c FeatureSupport<'c>) -> ImplementationSupport<'c> {
    let release = support
        .reports
        .last()
        .and_then(|entry| entry.report.release());
    let reports = support.reports.iter().map(|entry| ReportState {
        report: &entry.report.id,
        profile: entry.profile,
        state: entry.state.kind(),
    });
    ImplementationSupport {
        implementation: support.implementation,
        since: support.first_claim.and_then(ReportView::release),
        release,
        reports: reports.collect(),
    }
}

const COLUMNS: &str = "\
    feature,resource,level,channel,since,until,renamed_from,renamed_to,profiles,totals.cells,\
    totals.supported,totals.proved,totals.partly_seen,totals.not_seen,totals.skipped,\
    totals.no_test,totals.claimed,totals.unsupported,totals.not_claimed,totals.not_stated,\
    totals.failed,totals.not_in_release,claimed_by,description,feed";

fn computed(feature: &Feature<'_>) -> Value {
    let profiles = feature.profiles.iter();
    let profiles = profiles.map(|entry| format!("{} ({})", entry.profile, entry.level));
    let claiming = feature.implementations.iter();
    let claiming = claiming.filter(|support| support.since.is_some());
    json!({
        "profiles": profiles.collect::<Vec<_>>(),
        "claimed_by": claiming.map(|support| support.implementation).collect::<Vec<_>>(),
    })
}
