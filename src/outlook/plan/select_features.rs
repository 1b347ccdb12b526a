use std::collections::BTreeSet;

use serde::Serialize;

use super::{PlanError, Published, Request};
use crate::outlook::name_in;
use gwconform_base::api::{Family, NameKind, closed_set};
use gwconform_base::release::suites::Suite;
use gwconform_base::release::{Registry, Release};
use gwconform_base::text;
use gwconform_base::text::joined;

/// Feature options of a run.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// `--supported-features`.
    pub supported: Option<Vec<String>>,
    /// `--unsupported-features` (GEP-1709): all other features are supported. No suite implements
    /// this flag.
    pub unsupported: Option<Vec<String>>,
    /// `--exempt-features`.
    pub exempt: Vec<String>,
    /// `--all-features`: all features of the profiles are supported. The suite's flag also runs the
    /// tests of other profiles, so the plan lists the features instead.
    pub all: bool,
    /// Features that a GatewayClass publishes.
    pub class: Option<Published>,
    /// Features that an XMesh publishes.
    pub mesh: Option<Published>,
}

/// Origin of the supported features, which determines the suite flags.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Source {
    /// How the features were selected.
    pub kind: SourceKind,
    /// Features that the flags of the suite name, sorted; empty if the features are inferred.
    pub names: BTreeSet<String>,
    /// Name of the GatewayClass that the features are inferred from, if any.
    pub class: Option<String>,
    /// Name of the XMesh that the features are inferred from, if any.
    pub mesh: Option<String>,
}

closed_set! {
    /// Origin of the supported features.
    pub enum SourceKind {
        /// Only the named features are supported.
        Listed = "listed",
        /// No extended features are supported. The named features are exempt.
        OnlyExempt = "only-exempt",
        /// The suite infers the features from the status of objects.
        Inferred = "inferred",
    }
}

const SUPPORTED: &str = "--supported-features";
const UNSUPPORTED: &str = "--unsupported-features";
const EXEMPT: &str = "--exempt-features";
const ALL: &str = "--all-features";

pub(super) struct Selected {
    pub(super) features: BTreeSet<String>,
    pub(super) source: Source,
}

impl Selected {
    fn new(features: BTreeSet<String>, kind: SourceKind, names: BTreeSet<String>) -> Self {
        let source = Source {
            kind,
            names,
            class: None,
            mesh: None,
        };
        Self { features, source }
    }
}

pub(super) fn select(
    registry: &Registry,
    suite: &Suite,
    request: &Request<'_>,
    notes: &mut Vec<String>,
) -> Result<Selected, Vec<PlanError>> {
    let choice = &request.choice;
    let mut errors = contradictions(choice);
    errors.extend(unknown(registry, request.release, choice));
    errors.extend(disabled_core(request));
    if !errors.is_empty() {
        return Err(errors);
    }
    let named: Vec<&String> = lists(choice)
        .into_iter()
        .flat_map(|(_, names)| names)
        .collect();
    let others = of_no_profile(request, named.iter().copied());
    if !others.is_empty() {
        let names = names_of(others);
        notes.push(format!("left out, in no profile of the plan: {names}"));
    }
    let asks = !named.is_empty()
        || choice.all
        || choice.supported.is_some()
        || choice.unsupported.is_some();
    let published = [("GatewayClass", &choice.class), ("XMesh", &choice.mesh)];
    if asks {
        for (kind, one) in published {
            if one.is_some() {
                notes.push(if suite.facts.infers {
                    format!(
                        "the {kind} is ignored: the suite infers features only if no flag names any"
                    )
                } else {
                    format!("the {kind} is ignored: this suite reads features only from flags")
                });
            }
        }
        return Ok(listed(request));
    }
    if choice.class.is_some() || choice.mesh.is_some() {
        return if suite.facts.infers {
            inferred(request, notes).map_err(|error| vec![error])
        } else {
            Ok(taken_over(request, notes))
        };
    }
    if suite.facts.infers {
        let version = request.release.version().to_string();
        return Err(vec![PlanError::NothingChosen(version)]);
    }
    Ok(listed(request))
}

fn lists(choice: &Choice) -> [(&'static str, &[String]); 3] {
    let supported = choice.supported.as_deref().unwrap_or_default();
    let unsupported = choice.unsupported.as_deref().unwrap_or_default();
    [
        (SUPPORTED, supported),
        (UNSUPPORTED, unsupported),
        (EXEMPT, &choice.exempt),
    ]
}

fn contradictions(choice: &Choice) -> Vec<PlanError> {
    let mut errors = Vec::new();
    if choice.supported.is_some() && choice.unsupported.is_some() {
        errors.push(PlanError::Exclusive(SUPPORTED, UNSUPPORTED));
    }
    if choice.supported.is_some() && choice.all {
        errors.push(PlanError::Exclusive(SUPPORTED, ALL));
    }
    let [(_, supported), unsupported, exempt] = lists(choice);
    let supported: BTreeSet<&String> = supported.iter().collect();
    for (not, names) in [unsupported, exempt] {
        let both: BTreeSet<&String> = names.iter().collect();
        for feature in both.intersection(&supported) {
            errors.push(PlanError::Contradiction {
                feature: (*feature).clone(),
                supported: SUPPORTED,
                not,
            });
        }
    }
    errors
}

fn unknown(registry: &Registry, release: &Release, choice: &Choice) -> Vec<PlanError> {
    let mut errors = Vec::new();
    for (option, names) in lists(choice) {
        let names: BTreeSet<&String> = names.iter().collect();
        for name in names {
            if release.feature(name).is_none() {
                errors.push(unknown_name(registry, release, option, name));
            }
        }
    }
    errors
}

fn unknown_name(
    registry: &Registry,
    release: &Release,
    option: &'static str,
    name: &str,
) -> PlanError {
    let feature = name.to_owned();
    let version = release.version().to_string();
    let unknown = |hint| PlanError::Unknown {
        option,
        feature: feature.clone(),
        release: version.clone(),
        hint,
    };
    let now = name_in(release, registry, NameKind::Feature, name);
    let before = registry.renamed_from(NameKind::Feature, name);
    let before = before.map(|(older, _)| older);
    let other = now.or_else(|| before.filter(|older| release.feature(older).is_some()));
    if let Some(other) = other {
        return unknown(format!("; its name in that release is `{other}`"));
    }
    if let Some(lifetime) = registry.lifetime(NameKind::Feature, name) {
        let lifetime = if lifetime.starts_with("since ") {
            lifetime
        } else {
            format!("in {lifetime}")
        };
        return PlanError::Elsewhere {
            option,
            feature,
            release: version,
            lifetime,
        };
    }
    let names = release.features().map(|feature| feature.name.as_str());
    unknown(match gwconform_base::text::suggest::nearest(name, names) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    })
}

fn disabled_core(request: &Request<'_>) -> Vec<PlanError> {
    let [_, unsupported, exempt] = lists(&request.choice);
    let mut errors = Vec::new();
    for (option, names) in [unsupported, exempt] {
        let names: BTreeSet<&String> = names.iter().collect();
        for feature in names {
            let core_in: Vec<String> = request
                .profiles
                .iter()
                .filter(|profile| profile.is_core(feature))
                .map(|profile| profile.name.clone())
                .collect();
            if !core_in.is_empty() {
                errors.push(PlanError::Core {
                    option,
                    feature: feature.clone(),
                    profile: joined(&core_in, "and"),
                });
            }
        }
    }
    errors
}

/// Features whose tests the plan must not run, because the suite selects tests by feature.
fn of_no_profile<'n>(
    request: &Request<'_>,
    names: impl IntoIterator<Item = &'n String>,
) -> BTreeSet<&'n String> {
    let is_of_profile = |name: &str| request.profiles.iter().any(|profile| profile.has(name));
    let names = names.into_iter();
    names.filter(|name| !is_of_profile(name)).collect()
}

fn of_profiles(
    request: &Request<'_>,
    names: impl IntoIterator<Item = impl Into<String>>,
) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = names.into_iter().map(Into::into).collect();
    names.retain(|name| request.profiles.iter().any(|profile| profile.has(name)));
    names
}

fn listed(request: &Request<'_>) -> Selected {
    let choice = &request.choice;
    let [(_, supported), (_, unsupported), (_, exempt)] = lists(choice);
    let without = of_profiles(request, unsupported.iter().chain(exempt));
    if choice.all || choice.unsupported.is_some() {
        let extended = request.profiles.iter();
        let extended = extended.flat_map(|profile| &profile.extended);
        let features = extended.filter(|name| !without.contains(*name)).cloned();
        let features: BTreeSet<String> = features.collect();
        return Selected::new(features.clone(), SourceKind::Listed, features);
    }
    let features = of_profiles(request, supported);
    if choice.supported.is_none() && !without.is_empty() {
        return Selected::new(features, SourceKind::OnlyExempt, without);
    }
    Selected::new(features.clone(), SourceKind::Listed, features)
}

/// Features of the other family are ignored, as in `fetchGatewayClassSupportedFeatures` and
/// `fetchMeshSupportedFeatures`.
fn inferred(request: &Request<'_>, notes: &mut Vec<String>) -> Result<Selected, PlanError> {
    let release = request.release;
    let choice = &request.choice;
    let mut profiles = request.profiles.iter();
    if choice.class.is_none()
        && let Some(one) = profiles.find(|profile| profile.family == Family::Gateway)
    {
        return Err(PlanError::NoClass(one.name.clone()));
    }
    let mut features = BTreeSet::new();
    for (kind, published, dropped, others) in [
        ("GatewayClass", &choice.class, "Mesh", "features of a mesh"),
        ("XMesh", &choice.mesh, "Gateway", "features of Gateways"),
    ] {
        let Some(published) = published else { continue };
        let is_dropped = |name: &&String| {
            let resource = release
                .feature(name)
                .and_then(|known| known.resource.as_deref());
            resource == Some(dropped)
        };
        let (drops, kept): (BTreeSet<&String>, BTreeSet<&String>) =
            published.names.iter().partition(is_dropped);
        note_unknown(release, kind, kept.iter().copied(), notes);
        features.extend(kept.into_iter().cloned());
        if !drops.is_empty() {
            let names = names_of(drops);
            notes.push(format!("the suite drops {others} in the {kind}: {names}"));
        }
    }
    if features.is_empty() {
        return Err(PlanError::NothingPublished(release.version().to_string()));
    }
    // Unknown features bring in no tests.
    let known = features
        .iter()
        .filter(|name| release.feature(name).is_some());
    let others = of_no_profile(request, known);
    if !others.is_empty() {
        notes.push(format!(
            "the features of the profiles are listed, because the suite would also run tests of {}",
            names_of(others)
        ));
        let features = of_profiles(request, &features);
        return Ok(Selected::new(
            features.clone(),
            SourceKind::Listed,
            features,
        ));
    }
    let name = |one: &Option<Published>| one.as_ref().map(|one| one.name.clone());
    let mut selected = Selected::new(features, SourceKind::Inferred, BTreeSet::new());
    selected.source.class = name(&choice.class);
    selected.source.mesh = name(&choice.mesh);
    Ok(selected)
}

/// Uses the published features, for suites that cannot infer features.
fn taken_over(request: &Request<'_>, notes: &mut Vec<String>) -> Selected {
    let release = request.release;
    let choice = &request.choice;
    let mut features = BTreeSet::new();
    for (kind, published) in [("GatewayClass", &choice.class), ("XMesh", &choice.mesh)] {
        let Some(published) = published else { continue };
        note_unknown(release, kind, &published.names, notes);
        features.extend(of_profiles(request, &published.names));
        notes.push(format!(
            "this suite does not read the {kind}: it takes features from flags only, so those of the status \
             are listed"
        ));
    }
    Selected::new(features.clone(), SourceKind::Listed, features)
}

fn note_unknown<'n>(
    release: &Release,
    kind: &'static str,
    names: impl IntoIterator<Item = &'n String>,
    notes: &mut Vec<String>,
) {
    let names = names.into_iter();
    let others: BTreeSet<&String> = names
        .filter(|name| release.feature(name).is_none())
        .collect();
    if !others.is_empty() {
        let (release, names) = (release.version(), names_of(others));
        notes.push(format!("unknown to {release}, in the {kind}: {names}"));
    }
}

fn names_of(names: BTreeSet<&String>) -> String {
    text::listed(&names.into_iter().collect::<Vec<_>>())
}
