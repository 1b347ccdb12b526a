//! `features`: declarations of features, and their support by implementation.

use serde::Serialize;

use super::VERSION;
use super::table::{Column, Table, cell, joined};
use crate::api::{Channel, Level};
use crate::certify::catalog::StateKind;
use crate::release::Release;
use crate::site::model::{FeatureSupport, FeatureView, ReportView, SiteModel, StateCounts};

/// Features of all known releases, by name.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Features"))]
pub struct Features<'c> {
    /// Format version.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    pub version: u32,
    /// Minor used for `newest`; null if the tree has no minor.
    pub newest_minor: Option<String>,
    /// One entry per feature.
    pub features: Vec<Feature<'c>>,
}

/// A feature as declared by the newest release with it. Values are null if no release has the
/// feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Feature<'c> {
    /// Feature name.
    #[cfg_attr(test, schemars(extend("examples" = ["HTTPRouteCORS"])))]
    pub feature: &'c str,
    /// Description of the feature.
    pub meaning: Option<&'c str>,
    /// Kind the feature belongs to.
    pub resource: Option<&'c str>,
    /// Declared level; profiles can override it.
    pub level: Option<Level>,
    /// Channel of its API fields.
    pub channel: Option<Channel>,
    /// First release with the feature under this name; null if no release has it.
    pub since: Option<String>,
    /// Last release with the feature; null if the newest release has it, or no release does.
    pub until: Option<String>,
    /// Name in earlier releases.
    pub renamed_from: Option<&'c str>,
    /// Name in later releases.
    pub renamed_to: Option<&'c str>,
    /// Profiles with the feature, and its level in each.
    pub profiles: Vec<ProfileLevel<'c>>,
    /// Feed path relative to the site root; null if no release has the feature or its support never
    /// changed.
    pub feed: Option<String>,
    /// State counts over the newest minor's reports and all profiles with the feature.
    pub newest: StateCounts,
    /// State by implementation, in its newest release that has the feature in a profile.
    pub implementations: Vec<ImplementationSupport<'c>>,
}

/// A profile with the feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProfileLevel<'c> {
    /// Profile name.
    pub profile: &'c str,
    /// Level of the feature in the profile.
    pub level: Level,
}

/// Support of a feature by one implementation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ImplementationSupport<'c> {
    /// Implementation slug.
    pub implementation: &'c str,
    /// First release with a report that claims the feature under this name; null if no report does.
    pub since: Option<String>,
    /// Newest release of the implementation that has the feature in a profile.
    pub release: Option<String>,
    /// One entry per report and profile. Channels and modes are never merged.
    pub reports: Vec<ReportState<'c>>,
}

/// State of a feature in a report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportState<'c> {
    /// Report `id`.
    pub report: &'c str,
    /// Profile name.
    pub profile: &'c str,
    /// State, as in a matrix.
    #[cfg_attr(test, schemars(extend("enum" = StateKind::IN_RELEASE)))]
    pub state: StateKind,
}

pub(super) fn document<'c>(model: &'c SiteModel<'c>) -> Features<'c> {
    let newest = model.catalog.minors.newest_reported();
    Features {
        version: VERSION,
        newest_minor: newest.map(|minor| minor.to_string()),
        features: model.features.iter().map(feature).collect(),
    }
}

fn feature<'c>(view: &'c FeatureView<'c>) -> Feature<'c> {
    let version = |release: Option<&Release>| release.map(|release| release.version().to_string());
    let profiles = view.profiles.iter();
    let implementations = view.implementations.iter();
    Feature {
        feature: view.name,
        meaning: view.meaning(),
        resource: view.resource(),
        level: view.level(),
        channel: view.channel(),
        since: version(view.since),
        until: version(view.until),
        renamed_from: view.renamed_from,
        renamed_to: view.renamed_to,
        profiles: profiles
            .map(|(profile, level)| ProfileLevel {
                profile,
                level: *level,
            })
            .collect(),
        feed: view.feed.clone(),
        newest: view.newest,
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

fn columns<'m>() -> [Column<&'m Feature<'m>>; 24] {
    [
        ("feature", |one| one.feature.to_owned()),
        ("resource", |one| cell(one.resource)),
        ("level", |one| cell(one.level)),
        ("channel", |one| cell(one.channel)),
        ("since", |one| cell(one.since.as_ref())),
        ("until", |one| cell(one.until.as_ref())),
        ("renamed_from", |one| cell(one.renamed_from)),
        ("renamed_to", |one| cell(one.renamed_to)),
        ("profiles", |one| {
            let profiles = one.profiles.iter();
            joined(profiles.map(|entry| format!("{} ({})", entry.profile, entry.level)))
        }),
        ("newest_cells", |one| one.newest.cells.to_string()),
        ("newest_supported", |one| one.newest.supported.to_string()),
        ("newest_proved", |one| one.newest.proved.to_string()),
        ("newest_partly_seen", |one| {
            one.newest.partly_seen.to_string()
        }),
        ("newest_not_seen", |one| one.newest.not_seen.to_string()),
        ("newest_skipped", |one| one.newest.skipped.to_string()),
        ("newest_no_test", |one| one.newest.no_test.to_string()),
        ("newest_claimed", |one| one.newest.claimed.to_string()),
        ("newest_unsupported", |one| {
            one.newest.unsupported.to_string()
        }),
        ("newest_not_claimed", |one| {
            one.newest.not_claimed.to_string()
        }),
        ("newest_not_stated", |one| one.newest.not_stated.to_string()),
        ("newest_failed", |one| one.newest.failed.to_string()),
        ("claimed_by", |one| {
            let claiming = one
                .implementations
                .iter()
                .filter(|support| support.since.is_some());
            joined(claiming.map(|support| support.implementation))
        }),
        ("meaning", |one| cell(one.meaning)),
        ("feed", |one| cell(one.feed.as_ref())),
    ]
}

impl Features<'_> {
    pub(super) fn table(&self) -> Table {
        Table::new(&columns(), &self.features)
    }
}
