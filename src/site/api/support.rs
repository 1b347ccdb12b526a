//! `support`: the state of every feature in every report, in few bytes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::VERSION;
use crate::catalog::{State, StateKind};
use crate::certify::Status;
use crate::registry::{Family, Kind};
use crate::report::schema;
use crate::site::model::{
    ReportView, SiteModel, affected_tests, label, resource, state_in_words, text,
};

/// The state of every feature in every report, for finding and comparing. A large tree has several such
/// files, `support/1.json` and so on, with other reports each.
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
    /// The reports, or a part of them, by implementation, release, implementation version, channel and mode.
    pub reports: Vec<Report<'c>>,
}

/// A feature.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Feature<'c> {
    /// Its name.
    #[schemars(extend("examples" = ["HTTPRouteCORS"]))]
    pub feature: &'c str,
    /// The resource it belongs to; `Other` when unknown.
    pub resource: String,
    /// Its name in words, below that resource.
    #[schemars(extend("examples" = ["CORS"]))]
    pub label: String,
    /// The first release that has it under this name; null when no release has it.
    pub since: Option<String>,
    /// The last minor that has it, or the last patch where a later one of that minor does not; null
    /// when the newest release has it, or none.
    #[schemars(extend("examples" = ["v1.6", null]))]
    pub until: Option<String>,
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

/// The states of features in a profile of a report.
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
    /// For a feature with tests that were skipped, that failed, that were not run, or whose results
    /// are not seen: its state in a sentence that names or counts them.
    pub texts: BTreeMap<usize, String>,
}

/// One document, or several with a part of the reports each.
pub(super) fn parts<'c>(model: &'c SiteModel<'c>) -> Vec<Support<'c>> {
    let parts = model.parts();
    let all = if parts.is_empty() {
        vec![&[][..]]
    } else {
        parts
    };
    all.into_iter().map(|reports| of(model, reports)).collect()
}

fn of<'c>(model: &'c SiteModel<'c>, reports: &'c [ReportView<'c>]) -> Support<'c> {
    let features = model.features.iter();
    let places: BTreeMap<&str, usize> = features
        .enumerate()
        .map(|(at, feature)| (feature.name, at))
        .collect();
    let minors = &model.catalog.minors;
    let current = minors.newest_ones(model.catalog.windows.partial);
    let features = model.features.iter().map(|feature| {
        let resource = resource(model.registry, feature.name);
        Feature {
            feature: feature.name,
            label: label(feature.name, &resource),
            resource,
            since: feature.since.map(|release| release.version().to_string()),
            until: model.registry.until_in_short(Kind::Feature, feature.name),
            page: feature.page.clone(),
        }
    });
    Support {
        version: VERSION,
        current_minors: current.iter().map(ToString::to_string).collect(),
        features: features.collect(),
        reports: reports
            .iter()
            .map(|view| report(model, view, &places))
            .collect(),
    }
}

fn report<'c>(
    model: &'c SiteModel<'c>,
    view: &'c ReportView<'c>,
    places: &BTreeMap<&'c str, usize>,
) -> Report<'c> {
    let facts = view.facts();
    let profiles = 0..facts.profiles.len();
    Report {
        report: &view.id,
        implementation: &view.implementation.slug,
        name: &view.implementation.name,
        implementation_version: text(&facts.version),
        release: view.release(),
        minor: view.minor().map(|minor| minor.to_string()),
        channel: text(&facts.channel),
        mode: text(&facts.mode),
        profiles: profiles
            .map(|at| profile(model, view, at, places))
            .collect(),
    }
}

/// True for a state whose sentence says more than its kind.
fn has_text(state: &State) -> bool {
    let is_seen = !matches!(
        state,
        State::PartlySeen { .. } | State::NotSeen { .. } | State::MaybeNotSeen { .. }
    );
    !is_seen || !affected_tests(state).is_empty()
}

fn profile<'c>(
    model: &SiteModel<'_>,
    report: &'c ReportView<'c>,
    at: usize,
    places: &BTreeMap<&'c str, usize>,
) -> Profile<'c> {
    let others = report.other(at, model.registry).kind();
    let mut states: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
    let mut texts = BTreeMap::new();
    let listed = report
        .features
        .iter()
        .find(|features| features.profile == at)
        .into_iter()
        .flat_map(|features| features.core.iter().chain(&features.extended));
    let named: BTreeMap<usize, &str> = listed
        .filter_map(|(name, _)| Some((*places.get(&**name)?, &**name)))
        .collect();
    for (place, name) in named {
        let state = report.state(at, name, model.registry);
        if state.kind() != others {
            states.entry(state.kind().as_str()).or_default().push(place);
        }
        if has_text(state) {
            texts.insert(place, state_in_words(state));
        }
    }
    let verdict = report.entry.judged.verdicts.get(at);
    let name = report
        .facts()
        .profiles
        .get(at)
        .and_then(|profile| profile.name());
    Profile {
        profile: name.unwrap_or_default(),
        family: verdict.and_then(|verdict| verdict.family),
        status: verdict.map_or(Status::Unreadable, |verdict| verdict.status),
        states,
        others,
        texts,
    }
}
