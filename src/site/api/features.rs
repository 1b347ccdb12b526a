//! `features`: what each of them is, and which implementations support it since when.

use serde::Serialize;

use super::VERSION;
use super::table::{Column, Table, cell, joined};
use crate::api::{Channel, Level};
use crate::certify::catalog::StateKind;
use crate::release::Release;
use crate::site::model::{FeatureSupport, FeatureView, ReportView, SiteModel, StateCounts};

/// Every feature that a release has or a report names, by name.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Features"))]
pub struct Features<'c> {
    /// Version of this format.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    pub version: u32,
    /// The minor that `newest` counts; null when the tree has none.
    pub newest_minor: Option<String>,
    /// The features.
    pub features: Vec<Feature<'c>>,
}

/// A feature, as the newest release that has it declares it; null when no release has it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Feature<'c> {
    /// Its name.
    #[cfg_attr(test, schemars(extend("examples" = ["HTTPRouteCORS"])))]
    pub feature: &'c str,
    /// What it means.
    pub meaning: Option<&'c str>,
    /// The kind it belongs to.
    pub resource: Option<&'c str>,
    /// Its level; a profile can have it at another one.
    pub level: Option<Level>,
    /// The channel its fields are in.
    pub channel: Option<Channel>,
    /// The first release that has it under this name; null when no release has it.
    pub since: Option<String>,
    /// The last release that has it; null when the newest one does, or none.
    pub until: Option<String>,
    /// Its name in the releases before.
    pub renamed_from: Option<&'c str>,
    /// Its name in the releases after.
    pub renamed_to: Option<&'c str>,
    /// The profiles that have it, with its level in each.
    pub profiles: Vec<ProfileLevel<'c>>,
    /// Its feed, relative to the site; null when no release has it, or no report began or ceased to
    /// support it.
    pub feed: Option<String>,
    /// Its states in the reports of the newest minor, in all profiles that have it.
    pub newest: StateCounts,
    /// The state of the feature for each implementation, in its newest release with a profile that has it.
    pub implementations: Vec<ImplementationSupport<'c>>,
}

/// A profile that has a feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProfileLevel<'c> {
    /// The profile.
    pub profile: &'c str,
    /// The level of the feature in it.
    pub level: Level,
}

/// The state of a feature for an implementation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ImplementationSupport<'c> {
    /// The implementation's name in addresses.
    pub implementation: &'c str,
    /// The first release for which a report claims it under this name; null when none does.
    pub since: Option<String>,
    /// The newest release with a profile that has the feature, and the state in each report for it.
    pub release: Option<String>,
    /// Channels and modes are never merged: one entry for each profile of each report.
    pub reports: Vec<ReportState<'c>>,
}

/// The state of a feature in a report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportState<'c> {
    /// The report (its `id`).
    pub report: &'c str,
    /// The profile.
    pub profile: &'c str,
    /// As in a matrix.
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
