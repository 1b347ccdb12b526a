//! The `support` data files: the state of every feature in every report, in a compact format.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;

use super::Out;
use crate::site::model::{ImplementationView, ReportView, SiteModel, resource};
use crate::site::paths;
use gwconform_base::api::{Channel, Family, NameKind};
use gwconform_report::certify::catalog::{Absence, State, StateKind, release_of};
use gwconform_report::certify::{Standing, Status};
use gwconform_report::document::ReportRef;
use gwconform_report::report::formats::is_prerelease;

/// State of every feature in every report, for searches and comparisons. The reports of a large
/// tree are divided among `support/1.json`, `support/2.json` and so on, with the reports for current
/// minors in the last files.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Support of features, report by report"))]
pub struct Support<'c> {
    /// Minors whose reports still count toward a verdict, newest first.
    #[cfg_attr(test, schemars(extend("examples" = [["v1.5", "v1.4", "v1.3"]])))]
    pub current_minors: Vec<String>,
    /// Features of all known releases, sorted by name. Other parts of this document identify a
    /// feature by its index in this list, from 0.
    pub features: Vec<IndexedFeature<'c>>,
    /// Releases for which the tree has reports and gwconform knows the profiles, by name.
    pub releases: BTreeMap<String, ReleaseFeatures<'c>>,
    /// Verdicts on all implementations, sorted by organization and project.
    pub implementations: Vec<NamedVerdicts<'c>>,
    /// Reports in this file, sorted by implementation, release, implementation version, channel and
    /// mode.
    pub reports: Vec<ReportStates<'c>>,
}

/// Verdicts on an implementation, on the day of the site.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NamedVerdicts<'c> {
    /// Key of the implementation.
    pub implementation: &'c str,
    /// Display name of the implementation.
    pub name: &'c str,
    /// Verdict for each family with reports; the gateway family is first.
    pub families: Vec<FamilyWording<'c>>,
}

/// Verdict on an implementation in a family.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FamilyWording<'c> {
    /// Family that the verdict covers.
    pub family: Family,
    /// Verdict, such as `conformant`.
    pub standing: Standing,
    /// Verdict in words, as on badges.
    #[cfg_attr(test, schemars(extend("examples" = ["conformant, HTTP partial"])))]
    pub text: &'c str,
}

/// A feature of any known release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IndexedFeature<'c> {
    /// Feature name as in reports.
    #[cfg_attr(test, schemars(extend("examples" = ["HTTPRouteCORS"])))]
    pub feature: &'c str,
    /// Kind that the feature belongs to, such as `HTTPRoute`; `Other` if unknown.
    pub resource: &'c str,
    /// Display name in a list for one resource.
    #[cfg_attr(test, schemars(extend("examples" = ["CORS"])))]
    pub label: String,
    /// First release with the feature under this name; null if no release has it.
    pub since: Option<String>,
    /// First release whose standard channel has the feature, if it was experimental before.
    #[cfg_attr(test, schemars(extend("examples" = ["v1.5.0", null])))]
    pub standard_since: Option<String>,
    /// Last minor with the feature, or the last patch if a later patch of that minor removed it.
    /// Null if the newest release has the feature, or no release does.
    #[cfg_attr(test, schemars(extend("examples" = ["v1.6", null])))]
    pub until: Option<String>,
    /// Page path relative to the site root; null if the feature has no page.
    pub page: Option<String>,
}

/// Profiles and missing features of a release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReleaseFeatures<'c> {
    /// Profiles of the release.
    pub profiles: Vec<ReleaseProfile<'c>>,
    /// Indexes of the features whose fields are in the standard channel of the release.
    pub standard: Vec<usize>,
    /// Features of other releases that no profile of this release includes, grouped by the reason.
    #[cfg_attr(test, schemars(extend("examples" = [{"not part of v1.5 (since v1.6)": [3]}])))]
    pub absent: BTreeMap<String, Vec<usize>>,
}

/// A profile as defined by a release.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReleaseProfile<'c> {
    /// Profile name, such as `GATEWAY-HTTP`.
    pub profile: &'c str,
    /// Family that the profile belongs to.
    pub family: Family,
    /// Indexes of the core and extended features.
    pub feature_indexes: Vec<usize>,
}

/// A report and the feature states of its profiles.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReportStates<'c> {
    #[serde(flatten)]
    pub report: ReportRef,
    /// Key of the implementation.
    pub implementation: &'c str,
    /// Display name of the implementation.
    pub name: &'c str,
    /// Rank among reports with equal results; the lowest rank is preferred. The criteria are the
    /// newer minor, the implementation name, the newer release and version, and the default mode.
    pub preference: usize,
    /// Whether the version of the implementation is a prerelease. Only listed if true.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub prerelease: bool,
    /// Profiles in the order of the report.
    pub profiles: Vec<ProfileStates<'c>>,
}

/// Feature states in a profile of a report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProfileStates<'c> {
    /// Profile name in the report; empty if missing.
    pub profile: &'c str,
    /// Family; null if no release has the profile.
    pub family: Option<Family>,
    /// Status of the profile, based on its test results.
    pub status: Status,
    /// Indexes of features, grouped by state. States have the same names as in a matrix.
    pub states: BTreeMap<&'static str, Vec<usize>>,
    /// State of all features that `states` does not list.
    #[cfg_attr(test, schemars(extend("enum" = [StateKind::NotInRelease, StateKind::NotStated])))]
    pub others: StateKind,
    /// Explanations by feature index. Included for features with tests that were skipped, failed,
    /// did not run or have unseen results, and for features that the report lists only in another
    /// profile.
    pub texts: BTreeMap<usize, String>,
}

pub(super) fn write(model: &SiteModel<'_>, out: &mut Out<'_>) {
    let features = model.features.iter();
    let places: Places<'_> = features
        .enumerate()
        .map(|(at, feature)| (feature.name, at))
        .collect();
    let current = model.catalog.current_minors();
    let mut support = Support {
        current_minors: current.iter().map(ToString::to_string).collect(),
        features: self::features(model),
        releases: releases(model, &places),
        implementations: model.implementations.iter().map(verdicts).collect(),
        reports: Vec::new(),
    };
    let parts = &model.parts.all;
    for (name, reports) in paths::support_data(parts.len()).iter().zip(parts) {
        let reports = reports.iter();
        support.reports = reports.map(|view| report(model, view, &places)).collect();
        out.json(name, "support", &support, Some(support.reports.len()));
    }
}

fn verdicts<'c>(view: &'c ImplementationView<'c>) -> NamedVerdicts<'c> {
    let families = view.families.iter().map(|verdict| FamilyWording {
        family: verdict.family,
        standing: verdict.certified.standing,
        text: &verdict.wording,
    });
    NamedVerdicts {
        implementation: view.slug,
        name: view.name,
        families: families.collect(),
    }
}

/// Indexes in [`Support::features`], by name.
type Places<'c> = HashMap<&'c str, usize>;

fn features<'c>(model: &'c SiteModel<'c>) -> Vec<IndexedFeature<'c>> {
    let features = model.features.iter().map(|feature| IndexedFeature {
        feature: feature.name,
        label: feature.label.clone(),
        resource: resource(model.registry, feature.name),
        since: feature.since.map(|release| release.version().to_string()),
        standard_since: feature
            .standard_since
            .map(|release| release.version().to_string()),
        until: model
            .registry
            .until_in_short(NameKind::Feature, feature.name),
        page: feature.page.clone(),
    });
    features.collect()
}

fn releases<'c>(
    model: &'c SiteModel<'c>,
    places: &Places<'c>,
) -> BTreeMap<String, ReleaseFeatures<'c>> {
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
                    feature_indexes: features.into_iter().collect(),
                }
            });
            let is_standard = |name: &str| {
                let known = facts.feature(name);
                known.is_some_and(|known| known.channel == Channel::Standard)
            };
            let standard = places.iter().filter(|(name, _)| is_standard(name));
            let standard: BTreeSet<usize> = standard.map(|(_, place)| *place).collect();
            ReleaseFeatures {
                profiles: profiles.collect(),
                standard: standard.into_iter().collect(),
                absent,
            }
        });
    }
    releases
}

fn report<'c>(
    model: &'c SiteModel<'c>,
    view: &'c ReportView<'c>,
    places: &Places<'c>,
) -> ReportStates<'c> {
    let facts = view.facts();
    let profiles = 0..facts.profiles.len();
    ReportStates {
        report: ReportRef::new(view.implementation, view.entry),
        implementation: &view.implementation.slug,
        name: &view.implementation.name,
        preference: view.entry.preference,
        prerelease: facts.version().is_some_and(is_prerelease),
        profiles: profiles
            .map(|at| profile(model, view, at, places))
            .collect(),
    }
}

fn has_text(state: &State) -> bool {
    let is_seen = !matches!(
        state,
        State::PartlySeen { .. } | State::NotSeen { .. } | State::MaybeNotSeen { .. }
    );
    !is_seen || !state.affected_tests().is_empty()
}

fn profile<'c>(
    model: &SiteModel<'_>,
    report: &'c ReportView<'c>,
    at: usize,
    places: &Places<'c>,
) -> ProfileStates<'c> {
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
    ProfileStates {
        profile: name.unwrap_or_default(),
        family: verdict.and_then(|verdict| verdict.family),
        status: verdict.map_or(Status::Unreadable, |verdict| verdict.status),
        states,
        others,
        texts,
    }
}
