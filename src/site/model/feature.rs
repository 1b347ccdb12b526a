//! A feature as the site shows it: what it is, and which implementations support it.

use std::collections::{BTreeMap, BTreeSet};

use super::report::ReportView;
use super::report_set::ReportSet;
use super::support::StateCounts;
use crate::api::{Channel, Level, NameKind};
use crate::certify::catalog::{State, is_claimed};
use crate::release::{Feature, Registry, Release};

/// A feature that a release has or a report names.
#[derive(Debug)]
pub struct FeatureView<'c> {
    pub name: &'c str,
    /// As the newest release that has it declares it; `None` when no release has it.
    pub declared: Option<&'c Feature>,
    /// The first release that has it under this name.
    pub since: Option<&'c Release>,
    /// The last release that has it; `None` when the newest release does, or none.
    pub until: Option<&'c Release>,
    /// Which releases have it: `since v1.5.0`, `v1.5 to v1.6`; `None` when none does.
    pub lifetime: Option<String>,
    /// Its name in the releases before.
    pub renamed_from: Option<&'c str>,
    /// Its name in the releases after.
    pub renamed_to: Option<&'c str>,
    /// The profiles of the newest release that has it, with its level in each.
    pub profiles: Vec<(&'c str, Level)>,
    /// Its page; `None` when no file can be named for it.
    pub page: Option<String>,
    /// Its feed; `None` when no release has it, nothing happened to it, or no file can be named for it.
    pub feed: Option<String>,
    /// Its states in the reports of the newest minor, in all profiles that have it.
    pub newest: StateCounts,
    /// Its state for each implementation, in the newest release with a profile that has it.
    pub implementations: Vec<FeatureSupport<'c>>,
}

/// What an implementation reports of a feature.
#[derive(Debug)]
pub struct FeatureSupport<'c> {
    /// The implementation's name in addresses.
    pub implementation: &'c str,
    /// The first report that claims it under this name.
    pub first_claim: Option<&'c ReportView<'c>>,
    /// The profiles that have it in the reports for the newest release: one at least.
    pub reports: Vec<FeatureInReport<'c>>,
}

/// The state of a feature in a profile of a report.
#[derive(Debug, Clone, Copy)]
pub struct FeatureInReport<'c> {
    pub report: &'c ReportView<'c>,
    /// The profile's name; empty when it has none.
    pub profile: &'c str,
    pub state: &'c State,
}

impl<'c> FeatureView<'c> {
    /// What it means.
    pub fn meaning(&self) -> Option<&'c str> {
        self.declared?.meaning.as_deref()
    }

    /// The resource it belongs to.
    pub fn resource(&self) -> Option<&'c str> {
        self.declared?.resource.as_deref()
    }

    /// Its level: core where a profile of its newest release has it as a core feature. What no profile
    /// has is as declared.
    pub fn level(&self) -> Option<Level> {
        let mut levels = self.profiles.iter().map(|(_, level)| *level);
        let declared = self.declared?.level;
        Some(
            match (
                levels.any(|level| level == Level::Core),
                self.profiles.is_empty(),
            ) {
                (true, _) => Level::Core,
                (false, false) => Level::Extended,
                (false, true) => declared,
            },
        )
    }

    /// The first release that has it, `v1.5.0`; `–` when none does.
    pub fn since_in_words(&self) -> String {
        let since = self.since.map(|release| release.version().to_string());
        since.unwrap_or_else(|| "–".to_owned())
    }

    /// The channel its fields are in.
    pub fn channel(&self) -> Option<Channel> {
        Some(self.declared?.channel)
    }
}

/// Every feature that a release has, by name. A name of no known release is shown on the page of its
/// report only.
pub(super) fn all<'c>(set: &'c ReportSet<'c>) -> Vec<FeatureView<'c>> {
    let by_feature = by_feature(set);
    let released = set.registry.released_names(NameKind::Feature);
    let reported = by_feature.keys().copied();
    let known = reported.filter(|name| set.registry.feature(name).is_some());
    let names: BTreeSet<&str> = released.into_iter().chain(known).collect();
    let none = Vec::new();
    let features = names.into_iter().map(|name| {
        let states = by_feature.get(name).unwrap_or(&none);
        feature(name, states, set)
    });
    features.collect()
}

fn by_feature<'c>(set: &'c ReportSet<'c>) -> BTreeMap<&'c str, Vec<FeatureInReport<'c>>> {
    let mut by_feature: BTreeMap<&str, Vec<FeatureInReport<'_>>> = BTreeMap::new();
    for report in &set.reports {
        for features in &report.features {
            let profile = report
                .facts()
                .profiles
                .get(features.profile)
                .and_then(|profile| profile.name());
            for (name, state) in features.core.iter().chain(&features.extended) {
                by_feature
                    .entry(&**name)
                    .or_default()
                    .push(FeatureInReport {
                        report,
                        profile: profile.unwrap_or_default(),
                        state,
                    });
            }
        }
    }
    by_feature
}

fn feature<'c>(
    name: &'c str,
    states: &[FeatureInReport<'c>],
    set: &'c ReportSet<'c>,
) -> FeatureView<'c> {
    let registry = set.registry;
    let declared = registry.feature(name);
    let mut newest = StateCounts::default();
    let minor = set.catalog.minors.newest_reported();
    for entry in states {
        if minor.is_some() && entry.report.minor() == minor {
            newest.add(entry.state);
        }
    }
    let releases = registry.known_in(NameKind::Feature, name);
    let renamed_from = registry.renamed_from(NameKind::Feature, name);
    let renamed_to = registry.renamed_to(NameKind::Feature, name);
    FeatureView {
        name,
        declared,
        since: releases.first().copied(),
        until: registry.until(NameKind::Feature, name),
        lifetime: registry.lifetime(NameKind::Feature, name),
        renamed_from: renamed_from.map(|(name, _)| name),
        renamed_to: renamed_to.map(|(name, _)| name),
        profiles: profiles(name, registry),
        page: set.feature_page(name),
        feed: declared.and_then(|_| set.feature_feed(name)),
        newest,
        implementations: implementations(states),
    }
}

/// The profiles of the newest release that has the feature.
fn profiles<'c>(name: &str, registry: &'c Registry) -> Vec<(&'c str, Level)> {
    let releases = registry.known_in(NameKind::Feature, name);
    let newest = releases.last().into_iter();
    let profiles = newest.flat_map(|release| release.profiles());
    let with_level = profiles.filter_map(|profile| {
        let level = match (profile.is_core(name), profile.is_extended(name)) {
            (true, _) => Level::Core,
            (false, true) => Level::Extended,
            (false, false) => return None,
        };
        Some((profile.name.as_str(), level))
    });
    with_level.collect()
}

/// The states come in the order of the reports, and these by implementation and release.
fn implementations<'c>(states: &[FeatureInReport<'c>]) -> Vec<FeatureSupport<'c>> {
    let slug = |entry: &FeatureInReport<'c>| entry.report.implementation.slug.as_str();
    let groups = states
        .chunk_by(|a, b| slug(a) == slug(b))
        .filter_map(|group| {
            let last = group.last()?;
            let mut claims = group.iter().filter(|entry| is_claimed(entry.state));
            let version =
                |entry: &FeatureInReport<'_>| entry.report.facts().release.version.clone();
            let newest = group.iter().filter(|entry| version(entry) == version(last));
            Some(FeatureSupport {
                implementation: slug(last),
                first_claim: claims.next().map(|entry| entry.report),
                reports: newest.copied().collect(),
            })
        });
    groups.collect()
}
