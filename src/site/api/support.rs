//! `support`: what every report says of every feature, in few bytes.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::VERSION;
use crate::catalog::{State, StateKind};
use crate::certify::Status;
use crate::registry::{Family, Kind};
use crate::report::schema;
use crate::site::features::{label, resource};
use crate::site::view::{ReportView, View, text};
use crate::site::words;

/// What every report says of every feature, for those who choose and compare.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Support of features, report by report", transform = schema::with_id("api-support"))]
pub struct Support<'c> {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    pub version: u32,
    /// The minors whose reports still count for a verdict, newest first.
    #[schemars(extend("examples" = [["v1.5", "v1.4", "v1.3"]]))]
    pub current_minors: Vec<String>,
    /// The features that a release has or a report names, by name. Elsewhere in this document a
    /// feature is its place in this list, from 0.
    pub features: Vec<Feature<'c>>,
    /// The reports, by implementation, release, implementation version, channel and mode.
    pub reports: Vec<Report<'c>>,
}

/// A feature.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Feature<'c> {
    /// Its name.
    #[schemars(extend("examples" = ["HTTPRouteCORS"]))]
    pub feature: &'c str,
    /// The kind it belongs to; `Other` where no release tells.
    pub resource: String,
    /// Its name in words, below that kind.
    #[schemars(extend("examples" = ["CORS"]))]
    pub label: String,
    /// The first release that has it under this name; null when no release has it.
    pub since: Option<String>,
    /// Its page, relative to the site; null when it has none.
    pub page: Option<String>,
}

/// A report.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Report<'c> {
    /// The report (its `id`).
    pub report: &'c str,
    /// The implementation's name in addresses.
    pub implementation: &'c str,
    /// The implementation's name.
    pub name: &'c str,
    /// `implementation.version`.
    pub implementation_version: Option<&'c str>,
    /// The release that the report is for.
    pub release: Option<String>,
    /// The minor of that release.
    pub minor: Option<String>,
    /// `gatewayAPIChannel`.
    pub channel: Option<&'c str>,
    /// `mode`.
    pub mode: Option<&'c str>,
    /// Its profiles, in its order.
    pub profiles: Vec<Profile<'c>>,
}

/// What a report says of the features of one of its profiles.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Profile<'c> {
    /// The profile's name as the report has it; empty when it has none.
    pub profile: &'c str,
    /// Null for a profile that no release has.
    pub family: Option<Family>,
    /// The verdict on the profile.
    pub status: Status,
    /// The features in each state, by the state's name; states are those of a matrix.
    pub states: BTreeMap<&'static str, Vec<usize>>,
    /// The state of all features that are not among these.
    #[schemars(extend("enum" = [StateKind::NotInRelease, StateKind::NotStated]))]
    pub others: StateKind,
    /// For a feature with tests that were skipped, that failed or that were not run: its state in
    /// a sentence that names them.
    pub texts: BTreeMap<usize, String>,
}

pub(super) fn of<'c>(view: &'c View<'c>) -> Support<'c> {
    let names = names(view).into_iter();
    let places: BTreeMap<&str, usize> = names.enumerate().map(|(at, name)| (name, at)).collect();
    let minors = &view.catalog.minors;
    let current = minors.newest_ones(view.catalog.windows.partial);
    let features = places.keys().map(|name| {
        let resource = resource(view.registry, name);
        let since = view.registry.since(Kind::Feature, name);
        Feature {
            feature: name,
            label: label(name, &resource),
            resource,
            since: since.map(|release| release.version().to_string()),
            page: view.feature_path(name),
        }
    });
    Support {
        version: VERSION,
        current_minors: current.iter().map(ToString::to_string).collect(),
        features: features.collect(),
        reports: view
            .reports
            .iter()
            .map(|seen| report(view, seen, &places))
            .collect(),
    }
}

/// The features that a release has or a report names.
pub(in crate::site) fn names<'c>(view: &'c View<'c>) -> BTreeSet<&'c str> {
    let known = view.registry.names(Kind::Feature);
    let said = view.reports.iter().flat_map(|seen| &seen.features);
    let said = said.flat_map(|profile| profile.core.iter().chain(&profile.extended));
    let said = said.map(|(name, _)| &**name);
    known.into_iter().chain(said).collect()
}

fn report<'c>(
    view: &'c View<'c>,
    seen: &'c ReportView<'c>,
    places: &BTreeMap<&'c str, usize>,
) -> Report<'c> {
    let facts = seen.facts();
    let profiles = 0..facts.profiles.len();
    Report {
        report: &seen.id,
        implementation: &seen.implementation.slug,
        name: &seen.implementation.name,
        implementation_version: text(&facts.version),
        release: seen.release(),
        minor: seen.minor().map(|minor| minor.to_string()),
        channel: text(&facts.channel),
        mode: text(&facts.mode),
        profiles: profiles.map(|at| profile(view, seen, at, places)).collect(),
    }
}

fn profile<'c>(
    view: &View<'_>,
    seen: &'c ReportView<'c>,
    at: usize,
    places: &BTreeMap<&'c str, usize>,
) -> Profile<'c> {
    let others = seen.other(at, view.registry).kind();
    let mut states: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
    let mut texts = BTreeMap::new();
    let said = seen
        .features
        .iter()
        .find(|features| features.profile == at)
        .into_iter()
        .flat_map(|features| features.core.iter().chain(&features.extended));
    let named: BTreeMap<usize, &str> = said
        .filter_map(|(name, _)| Some((*places.get(&**name)?, &**name)))
        .collect();
    for (place, name) in named {
        let state = seen.state(at, name, view.registry);
        if state.kind() != others {
            states.entry(state.kind().as_str()).or_default().push(place);
        }
        let has_tests = match state {
            State::Skipped { tests, .. } | State::Failed { tests } => !tests.is_empty(),
            State::NoTest { not_run } => !not_run.is_empty(),
            _ => false,
        };
        if has_tests {
            texts.insert(place, words::state(state));
        }
    }
    let verdict = seen.report.judged.verdicts.get(at);
    let name = seen.facts().profiles.get(at);
    let name = name.and_then(|profile| profile.name());
    Profile {
        profile: name.unwrap_or_default(),
        family: verdict.and_then(|verdict| verdict.family),
        status: verdict.map_or(Status::Unreadable, |verdict| verdict.status),
        states,
        others,
        texts,
    }
}
