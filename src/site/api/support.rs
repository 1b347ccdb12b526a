//! `support`: the state of every feature in every report, in few bytes.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::VERSION;
use crate::api::{Family, NameKind};
use crate::certify::Status;
use crate::certify::catalog::{Absence, State, StateKind, release_of};
use crate::site::model::{ReportView, SiteModel, affected_tests, label, resource, text};

/// The state of every feature in every report, for finding and comparing. A large tree has several such
/// files, `support/1.json` and so on, with other reports each.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Support of features, report by report"))]
pub struct Support<'c> {
    /// Version of this format.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    pub version: u32,
    /// The minors whose reports still count for a verdict, newest first.
    #[cfg_attr(test, schemars(extend("examples" = [["v1.5", "v1.4", "v1.3"]])))]
    pub current_minors: Vec<String>,
    /// The features that a release has or a report names, by name. Elsewhere in this document a
    /// feature is its place in this list, from 0.
    pub features: Vec<Feature<'c>>,
    /// The releases that reports are for and whose profiles are known, by name.
    pub releases: BTreeMap<String, Release<'c>>,
    /// The reports, or a part of them, by implementation, release, implementation version, channel and mode.
    pub reports: Vec<Report<'c>>,
}

/// A feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Feature<'c> {
    /// Its name.
    #[cfg_attr(test, schemars(extend("examples" = ["HTTPRouteCORS"])))]
    pub feature: &'c str,
    /// The resource it belongs to; `Other` when unknown.
    pub resource: String,
    /// Its name in words, below that resource.
    #[cfg_attr(test, schemars(extend("examples" = ["CORS"])))]
    pub label: String,
    /// The first release that has it under this name; null when no release has it.
    pub since: Option<String>,
    /// The last minor that has it, or the last patch where a later one of that minor does not; null
    /// when the newest release has it, or none.
    #[cfg_attr(test, schemars(extend("examples" = ["v1.6", null])))]
    pub until: Option<String>,
    /// Its page, relative to the site; null when it has none.
    pub page: Option<String>,
}

/// What a release has.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Release<'c> {
    /// Its profiles.
    pub profiles: Vec<ReleaseProfile<'c>>,
    /// The features of other releases that none of its profiles has, by the reason in words.
    #[cfg_attr(test, schemars(extend("examples" = [{"not part of v1.5 (since v1.6)": [3]}])))]
    pub absent: BTreeMap<String, Vec<usize>>,
}

/// A profile of a release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReleaseProfile<'c> {
    /// Its name.
    pub profile: &'c str,
    /// Gateway or mesh.
    pub family: Family,
    /// The features that it has, core and extended ones.
    pub features: Vec<usize>,
}

/// A report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// Its place in the order of preference among reports that answer a question alike: newer minors,
    /// then by the implementation's name; of one implementation newer releases and versions, of these the
    /// mode that is the default.
    pub preference: usize,
    /// Its profiles, in its order.
    pub profiles: Vec<Profile<'c>>,
}

/// The states of features in a profile of a report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    #[cfg_attr(test, schemars(extend("enum" = [StateKind::NotInRelease, StateKind::NotStated])))]
    pub others: StateKind,
    /// For a feature with tests that were skipped, that failed, that were not run, or whose results
    /// are not seen: its state in a sentence that names or counts them. Also for one that the report
    /// states for another profile alone.
    pub texts: BTreeMap<usize, String>,
}

/// One document, or several with a part of the reports each.
pub(super) fn parts<'c>(model: &'c SiteModel<'c>) -> Vec<Support<'c>> {
    let parts = model.parts();
    let empty = (parts.len() == 0).then_some(&[][..]);
    let all = parts.chain(empty);
    all.map(|reports| document(model, reports)).collect()
}

fn document<'c>(model: &'c SiteModel<'c>, reports: &'c [ReportView<'c>]) -> Support<'c> {
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
            until: model
                .registry
                .until_in_short(NameKind::Feature, feature.name),
            page: feature.page.clone(),
        }
    });
    Support {
        version: VERSION,
        current_minors: current.iter().map(ToString::to_string).collect(),
        features: features.collect(),
        releases: releases(model, &places),
        reports: reports
            .iter()
            .map(|view| report(model, view, &places))
            .collect(),
    }
}

fn releases<'c>(
    model: &'c SiteModel<'c>,
    places: &BTreeMap<&'c str, usize>,
) -> BTreeMap<String, Release<'c>> {
    let registry = model.registry;
    let mut releases = BTreeMap::new();
    for view in model.reports() {
        let (Some(name), Some((facts, version))) =
            (view.release(), release_of(view.facts(), registry))
        else {
            continue;
        };
        releases.entry(name).or_insert_with(|| {
            let mut absent: BTreeMap<String, Vec<usize>> = BTreeMap::new();
            let known = model
                .features
                .iter()
                .filter(|feature| feature.since.is_some());
            for feature in known {
                let absence = Absence::in_release(facts, version, feature.name, registry);
                if let (Some(absence), Some(place)) = (absence, places.get(feature.name)) {
                    absent.entry(absence.to_string()).or_default().push(*place);
                }
            }
            let profiles = facts.profiles().map(|profile| {
                let names = profile.core.iter().chain(&profile.extended);
                let features: BTreeSet<usize> = names
                    .filter_map(|name| places.get(name.as_str()).copied())
                    .collect();
                ReleaseProfile {
                    profile: &profile.name,
                    family: profile.family,
                    features: features.into_iter().collect(),
                }
            });
            Release {
                profiles: profiles.collect(),
                absent,
            }
        });
    }
    releases
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
        preference: view.entry.preference,
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
        if has_text(state) || report.is_carried_over(at, name) {
            texts.insert(place, report.state_in_words(at, name, model.registry));
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
