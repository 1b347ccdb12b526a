use std::collections::{BTreeMap, BTreeSet};

use super::feature_names::{label, resource};
use super::report_set::ReportSet;
use super::state_counts::StateCounts;
use gwconform_base::api::{Channel, Level, NameKind};
use gwconform_base::release::{Feature, Registry, Release};

#[derive(Debug)]
pub struct FeatureView<'c> {
    pub name: &'c str,
    /// Display name in a list for one resource.
    pub label: String,
    /// Declaration in the newest release that has the feature.
    pub declared: Option<&'c Feature>,
    pub since: Option<&'c Release>,
    /// First release whose standard channel has the feature, if it was experimental before.
    pub standard_since: Option<&'c Release>,
    /// Last release with the feature. `None` if the newest release or no release has the feature.
    pub until: Option<&'c Release>,
    /// Releases with the feature, such as `since v1.5.0` or `v1.5 to v1.6`.
    pub lifetime: Option<String>,
    pub renamed_from: Option<&'c str>,
    pub renamed_to: Option<&'c str>,
    pub profiles: Vec<(&'c str, Level)>,
    pub page: Option<String>,
    /// `None` if no release has the feature, no support changed, or the name is not a valid file
    /// name.
    pub feed: Option<String>,
    pub newest: StateCounts,
}

impl<'c> FeatureView<'c> {
    pub fn meaning(&self) -> Option<&'c str> {
        self.declared?.meaning.as_deref()
    }

    pub fn resource(&self) -> Option<&'c str> {
        self.declared?.resource.as_deref()
    }

    /// Level in the newest release: core if any profile includes the feature as core. If no profile
    /// includes the feature, the declared level.
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

    pub fn since_in_words(&self) -> String {
        let since = self.since.map(|release| release.version().to_string());
        match (since, self.standard_since) {
            (Some(since), Some(standard)) => {
                format!("{since}, standard since {}", standard.version())
            }
            (since, _) => since.unwrap_or_else(|| "–".to_owned()),
        }
    }

    pub fn channel(&self) -> Option<Channel> {
        Some(self.declared?.channel)
    }
}

/// Features of known releases, by name. Other names appear only on report pages, because reports
/// can contain arbitrary names.
pub(super) fn all<'c>(set: &'c ReportSet<'c>) -> Vec<FeatureView<'c>> {
    let mut newest: BTreeMap<&str, StateCounts> = BTreeMap::new();
    let minor = set.catalog.newest_reported;
    for report in &set.reports {
        let is_newest = minor.is_some() && report.minor() == minor;
        for (_, name, state) in report.states() {
            let counts = newest.entry(name).or_default();
            if is_newest {
                counts.add(state);
            }
        }
    }
    let released = set.registry.released_names(NameKind::Feature);
    let reported = newest.keys().copied();
    let known = reported.filter(|name| set.registry.is_known(NameKind::Feature, name));
    let names: BTreeSet<&str> = released.into_iter().chain(known).collect();
    let features = names.into_iter().map(|name| {
        let newest = newest.get(name).copied();
        feature(name, newest.unwrap_or_default(), set)
    });
    features.collect()
}

fn feature<'c>(name: &'c str, newest: StateCounts, set: &'c ReportSet<'c>) -> FeatureView<'c> {
    let registry = set.registry;
    let declared = registry.feature(name);
    let releases = registry.known_in(NameKind::Feature, name);
    let renamed_from = registry.renamed_from(NameKind::Feature, name);
    let renamed_to = registry.renamed_to(NameKind::Feature, name);
    FeatureView {
        name,
        label: label(name, resource(registry, name)),
        declared,
        since: releases.first().copied(),
        standard_since: registry.standard_since(name),
        until: registry.until(NameKind::Feature, name),
        lifetime: registry.lifetime(NameKind::Feature, name),
        renamed_from: renamed_from.map(|(name, _)| name),
        renamed_to: renamed_to.map(|(name, _)| name),
        profiles: profiles(name, registry),
        page: set.feature_page(name),
        feed: declared.and_then(|_| set.feature_feed(name)),
        newest,
    }
}

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
