//! `features`: what each of them is, who supports it since when, who says no, who is silent.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::VERSION;
use super::matrix::Totals;
use crate::catalog::State;
use crate::registry::{Kind, Level, Registry, Release};
use crate::report::schema;
use crate::site::table::{Table, joined, or_empty};
use crate::site::view::{ReportView, View};
use crate::site::words;

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

/// A feature. What it is, the newest release that has it says; null when no release has it.
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
    #[schemars(extend("enum" = ["core", "extended", null]))]
    pub level: Option<&'static str>,
    /// The channel its fields are in.
    #[schemars(extend("enum" = ["standard", "experimental", null]))]
    pub channel: Option<&'static str>,
    /// The first release that has it under this name; null when no release has it.
    pub since: Option<String>,
    /// The last release that has it; null when the newest one does, or none.
    pub until: Option<String>,
    /// Its name in the releases before.
    pub renamed_from: Option<&'c str>,
    /// Its name in the releases after.
    pub renamed_to: Option<&'c str>,
    /// The profiles that have it, with its level in each.
    pub profiles: Vec<OfProfile<'c>>,
    /// Its feed, relative to the site; null when no release has it.
    pub feed: Option<String>,
    /// What the reports of the newest minor say of it, in all profiles that have it.
    pub newest: Totals,
    /// What each implementation says of it, in its newest release with a profile that has it.
    pub implementations: Vec<OfImplementation<'c>>,
}

/// A profile that has a feature.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OfProfile<'c> {
    /// The profile.
    pub profile: &'c str,
    /// The level of the feature in it.
    #[schemars(extend("enum" = ["core", "extended"]))]
    pub level: &'static str,
}

/// What an implementation says of a feature.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OfImplementation<'c> {
    /// The implementation's name in addresses.
    pub implementation: &'c str,
    /// The first release for which a report claims it under this name; null when none does.
    pub since: Option<String>,
    /// The newest release with a profile that has the feature, and what each report for it says.
    pub release: Option<String>,
    /// Channels and modes are never merged: one entry for each profile of each report.
    pub reports: Vec<OfReport<'c>>,
}

/// What a report says of a feature.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OfReport<'c> {
    /// The report (its `id`).
    pub report: &'c str,
    /// The profile.
    pub profile: &'c str,
    /// As in a matrix.
    #[schemars(extend("enum" = [
        "proved", "skipped", "no-test", "claimed", "unsupported", "not-claimed", "not-stated", "failed"
    ]))]
    pub state: &'static str,
}

/// Where a feature is in a profile of a report.
struct Said<'c> {
    seen: &'c ReportView<'c>,
    profile: &'c str,
    state: &'c State,
}

pub(super) fn of<'c>(view: &'c View<'c>) -> Features<'c> {
    let said = said(view);
    let known = view.registry.names(Kind::Feature);
    let names: BTreeSet<&str> = known.into_iter().chain(said.keys().copied()).collect();
    let none = Vec::new();
    let features = names.into_iter().map(|name| {
        let said = said.get(name).unwrap_or(&none);
        feature(name, said, view)
    });
    Features {
        version: VERSION,
        newest_minor: view.catalog.minors.newest().map(|minor| minor.to_string()),
        features: features.collect(),
    }
}

fn said<'c>(view: &'c View<'c>) -> BTreeMap<&'c str, Vec<Said<'c>>> {
    let mut said: BTreeMap<&str, Vec<Said<'_>>> = BTreeMap::new();
    for seen in &view.reports {
        for features in &seen.features {
            let profile = seen.facts().profiles.get(features.profile);
            let profile = profile.and_then(|profile| profile.name.as_deref());
            for (name, state) in features.core.iter().chain(&features.extended) {
                said.entry(&**name).or_default().push(Said {
                    seen,
                    profile: profile.unwrap_or_default(),
                    state,
                });
            }
        }
    }
    said
}

fn feature<'c>(name: &'c str, said: &[Said<'c>], view: &'c View<'c>) -> Feature<'c> {
    let registry = view.registry;
    let declared = registry.feature(name);
    let mut newest = Totals::default();
    let minor = view.catalog.minors.newest();
    for said in said
        .iter()
        .filter(|said| minor.is_some() && said.seen.minor() == minor)
    {
        newest.add(said.state);
    }
    let with = registry.known_in(Kind::Feature, name);
    let version = |release: Option<&&Release>| release.map(|release| release.version().to_string());
    let is_gone = registry
        .newest()
        .is_some_and(|newest| newest.feature(name).is_none());
    Feature {
        feature: name,
        meaning: declared.and_then(|feature| feature.meaning.as_deref()),
        resource: declared.and_then(|feature| feature.resource.as_deref()),
        level: declared.map(|feature| feature.level.as_str()),
        channel: declared.map(|feature| feature.channel.as_str()),
        since: version(with.first()),
        until: version(with.last()).filter(|_| is_gone),
        renamed_from: registry
            .renamed_from(Kind::Feature, name)
            .map(|(name, _)| name),
        renamed_to: registry
            .renamed_to(Kind::Feature, name)
            .map(|(name, _)| name),
        profiles: profiles(name, registry),
        feed: declared.and_then(|_| view.feature_feed(name)),
        newest,
        implementations: implementations(said),
    }
}

/// The profiles of the newest release that has the feature.
fn profiles<'c>(name: &str, registry: &'c Registry) -> Vec<OfProfile<'c>> {
    let with = registry.known_in(Kind::Feature, name);
    let profiles = with
        .last()
        .into_iter()
        .flat_map(|release| release.profiles());
    let profiles = profiles.filter_map(|profile| {
        let level = if profile.is_core(name) {
            Level::Core
        } else if profile.is_extended(name) {
            Level::Extended
        } else {
            return None;
        };
        Some(OfProfile {
            profile: &profile.name,
            level: level.as_str(),
        })
    });
    profiles.collect()
}

fn implementations<'c>(said: &[Said<'c>]) -> Vec<OfImplementation<'c>> {
    // What is said stands in the order of the reports, and these by implementation and release.
    let of = |said: &Said<'c>| said.seen.implementation.slug.as_str();
    let groups = said.chunk_by(|a, b| of(a) == of(b));
    let groups = groups.filter_map(|group| {
        let last = group.last()?;
        let mut claims = group.iter().filter(|said| words::is_claimed(said.state));
        let version = |said: &Said<'_>| said.seen.facts().release.version.clone();
        let newest = group.iter().filter(|said| version(said) == version(last));
        Some(OfImplementation {
            implementation: of(last),
            since: claims.next().and_then(|said| said.seen.release()),
            release: last.seen.release(),
            reports: newest
                .map(|said| OfReport {
                    report: &said.seen.id,
                    profile: said.profile,
                    state: said.state.as_str(),
                })
                .collect(),
        })
    });
    groups.collect()
}

impl Features<'_> {
    pub(super) fn table(&self) -> Table {
        Table {
            columns: &[
                "feature",
                "resource",
                "level",
                "channel",
                "since",
                "until",
                "renamed_from",
                "renamed_to",
                "profiles",
                "newest_cells",
                "newest_supported",
                "newest_proved",
                "newest_skipped",
                "newest_no_test",
                "newest_claimed",
                "newest_unsupported",
                "newest_not_claimed",
                "newest_not_stated",
                "newest_failed",
                "claimed_by",
                "meaning",
                "feed",
            ],
            rows: self.features.iter().map(row).collect(),
        }
    }
}

fn row(feature: &Feature<'_>) -> Vec<String> {
    let profiles = feature.profiles.iter();
    let profiles = profiles.map(|of| format!("{} ({})", of.profile, of.level));
    let claimed_by = feature
        .implementations
        .iter()
        .filter(|of| of.since.is_some());
    let newest = &feature.newest;
    let mut row = vec![
        feature.feature.to_owned(),
        or_empty(feature.resource),
        or_empty(feature.level),
        or_empty(feature.channel),
        or_empty(feature.since.as_ref()),
        or_empty(feature.until.as_ref()),
        or_empty(feature.renamed_from),
        or_empty(feature.renamed_to),
        joined(profiles),
    ];
    let counts = [
        newest.cells,
        newest.supported,
        newest.proved,
        newest.skipped,
        newest.no_test,
        newest.claimed,
        newest.unsupported,
        newest.not_claimed,
        newest.not_stated,
        newest.failed,
    ];
    row.extend(counts.map(|count| count.to_string()));
    row.extend([
        joined(claimed_by.map(|of| of.implementation)),
        or_empty(feature.meaning),
        or_empty(feature.feed.as_ref()),
    ]);
    row
}
