//! `features`: what each of them is, and which implementations support it since when.

use schemars::JsonSchema;
use serde::Serialize;

use super::VERSION;
use super::matrix::Totals;
use super::table::{Table, joined};
use crate::api::{Channel, Level};
use crate::certify::catalog::StateKind;
use crate::release::Release;
use crate::report::schema;
use crate::site::model::{FeatureSupport, FeatureView, ReportView, SiteModel};

/// Every feature that a release has or a report names, by name.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Features", transform = schema::with_id("api-features"))]
pub struct Features<'c> {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    pub version: u32,
    /// The minor that `newest` counts; null when the tree has none.
    pub newest_minor: Option<String>,
    /// The features.
    pub features: Vec<Feature<'c>>,
}

/// A feature, as the newest release that has it declares it; null when no release has it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Feature<'c> {
    /// Its name.
    #[schemars(extend("examples" = ["HTTPRouteCORS"]))]
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
    pub newest: Totals,
    /// The state of the feature for each implementation, in its newest release with a profile that has it.
    pub implementations: Vec<ImplementationSupport<'c>>,
}

/// A profile that has a feature.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ProfileLevel<'c> {
    /// The profile.
    pub profile: &'c str,
    /// The level of the feature in it.
    pub level: Level,
}

/// The state of a feature for an implementation.
#[derive(Debug, Serialize, JsonSchema)]
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
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReportState<'c> {
    /// The report (its `id`).
    pub report: &'c str,
    /// The profile.
    pub profile: &'c str,
    /// As in a matrix.
    #[schemars(extend("enum" = StateKind::IN_RELEASE))]
    pub state: StateKind,
}

pub(super) fn of<'c>(model: &'c SiteModel<'c>) -> Features<'c> {
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
        newest: view.newest.into(),
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

/// A row of the table.
#[derive(Default, Serialize)]
struct FeatureRow<'c> {
    feature: &'c str,
    resource: Option<&'c str>,
    level: Option<&'c str>,
    channel: Option<&'c str>,
    since: Option<&'c str>,
    until: Option<&'c str>,
    renamed_from: Option<&'c str>,
    renamed_to: Option<&'c str>,
    profiles: String,
    newest_cells: usize,
    newest_supported: usize,
    newest_proved: usize,
    newest_partly_seen: usize,
    newest_not_seen: usize,
    newest_skipped: usize,
    newest_no_test: usize,
    newest_claimed: usize,
    newest_unsupported: usize,
    newest_not_claimed: usize,
    newest_not_stated: usize,
    newest_failed: usize,
    claimed_by: String,
    meaning: Option<&'c str>,
    feed: Option<&'c str>,
}

impl Features<'_> {
    pub(super) fn table(&self) -> Table {
        let rows: Vec<_> = self.features.iter().map(row).collect();
        Table::of(&rows)
    }
}

fn row<'c>(feature: &'c Feature<'c>) -> FeatureRow<'c> {
    let profiles = feature
        .profiles
        .iter()
        .map(|entry| format!("{} ({})", entry.profile, entry.level));
    let implementations = feature.implementations.iter();
    let claiming = implementations.filter(|support| support.since.is_some());
    let newest = &feature.newest;
    FeatureRow {
        feature: feature.feature,
        resource: feature.resource,
        level: feature.level.map(Level::as_str),
        channel: feature.channel.map(Channel::as_str),
        since: feature.since.as_deref(),
        until: feature.until.as_deref(),
        renamed_from: feature.renamed_from,
        renamed_to: feature.renamed_to,
        profiles: joined(profiles),
        newest_cells: newest.cells,
        newest_supported: newest.supported,
        newest_proved: newest.proved,
        newest_partly_seen: newest.partly_seen,
        newest_not_seen: newest.not_seen,
        newest_skipped: newest.skipped,
        newest_no_test: newest.no_test,
        newest_claimed: newest.claimed,
        newest_unsupported: newest.unsupported,
        newest_not_claimed: newest.not_claimed,
        newest_not_stated: newest.not_stated,
        newest_failed: newest.failed,
        claimed_by: joined(claiming.map(|support| support.implementation)),
        meaning: feature.meaning,
        feed: feature.feed.as_deref(),
    }
}
