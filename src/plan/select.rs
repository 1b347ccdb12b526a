//! Which features are supported: all ways to say it, compiled to the one list.

use std::collections::BTreeSet;

use super::{Note, Published, Request};
use crate::outlook::name_in;
use crate::registry::suites::{AllFeatures, Suite};
use crate::registry::{Family, Kind, Registry, Release};
use crate::text::joined;

/// The features that a run was asked for.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// `--supported-features`; empty for none.
    pub supported: Option<Vec<String>>,
    /// GEP-1709's `unsupported-features`, which no suite has: all others are supported.
    pub unsupported: Option<Vec<String>>,
    /// `--exempt-features`
    pub exempt: Vec<String>,
    /// `--all-features`
    pub all: bool,
    /// `status.supportedFeatures` of a GatewayClass.
    pub class: Option<Published>,
    /// That of an XMesh.
    pub mesh: Option<Published>,
}

/// Where the supported features come from, and so which flags the suite needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// They are listed.
    Listed(BTreeSet<String>),
    /// All, without some.
    AllExcept(BTreeSet<String>),
    /// None; these are exempt.
    OnlyExempt(BTreeSet<String>),
    /// Those of a GatewayClass and of an XMesh, by their names.
    Inferred {
        /// The GatewayClass.
        class: Option<String>,
        /// The XMesh.
        mesh: Option<String>,
    },
}

/// A reason why there is no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// Nothing is known of any suite.
    #[error("the registry has no facts about a suite")]
    NoSuite,
    /// Two options that exclude each other.
    #[error("{0} and {1} exclude each other (GEP-1709, Integration); pass one of them")]
    Exclusive(&'static str, &'static str),
    /// One feature is supported and not.
    #[error("`{feature}` is in {supported} and in {not}; expected one of them")]
    Contradiction {
        /// The feature.
        feature: String,
        /// The option that supports it.
        supported: &'static str,
        /// The option that does not.
        not: &'static str,
    },
    /// A core feature is disabled.
    #[error(
        "{option}: `{feature}` is core in {profile} and cannot be disabled (GEP-1709, Integration)"
    )]
    Core {
        /// The option.
        option: &'static str,
        /// The feature.
        feature: String,
        /// The profile.
        profile: String,
    },
    /// A name that is not a feature of the release.
    #[error("{option}: unknown feature `{feature}` for {release}{hint}")]
    Unknown {
        /// The option.
        option: &'static str,
        /// The name.
        feature: String,
        /// The release.
        release: String,
        /// What was probably meant, or where it is known; begins with its separator.
        hint: String,
    },
    /// Nothing says what is supported, and the suite would look into the cluster.
    #[error(
        "the suite of {0} takes features from the GatewayClass or XMesh where no flag lists them; pass --class \
         or --mesh with the resource, or --supported-features (empty for core tests only)"
    )]
    NothingChosen(String),
    /// An XMesh without a GatewayClass, for a profile of Gateways.
    #[error(
        "--mesh without --class: {0} is of Gateways, and the suite takes its features from the GatewayClass too"
    )]
    NoClass(String),
    /// The class and mesh publish nothing.
    #[error(
        "no supported features were determined: the suite of {0} stops there; the controller publishes them in \
         status.supportedFeatures (GEP-2162)"
    )]
    NothingPublished(String),
}

const SUPPORTED: &str = "--supported-features";
const UNSUPPORTED: &str = "--unsupported-features";
const EXEMPT: &str = "--exempt-features";
const ALL: &str = "--all-features";

/// The features that are supported besides core ones.
pub(super) struct Selected {
    pub(super) features: BTreeSet<String>,
    pub(super) source: Source,
}

pub(super) fn select(
    registry: &Registry,
    suite: &Suite,
    request: &Request<'_>,
    notes: &mut Vec<Note>,
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
    note_no_effect(request, &named, notes);
    let asks = !named.is_empty() || choice.all || choice.supported.is_some();
    let published = [("GatewayClass", &choice.class), ("XMesh", &choice.mesh)];
    if asks {
        for (kind, one) in published {
            if one.is_some() {
                notes.push(Note::NotAsked(kind));
            }
        }
        return Ok(listed(suite, request, notes));
    }
    if choice.class.is_some() || choice.mesh.is_some() {
        return inferred(suite, request, notes).map_err(|error| vec![error]);
    }
    if suite.facts.infers {
        let version = request.release.version().to_string();
        return Err(vec![PlanError::NothingChosen(version)]);
    }
    Ok(listed(suite, request, notes))
}

/// The lists of a choice, with the options that have them.
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
                errors.push(PlanError::Unknown {
                    option,
                    feature: name.clone(),
                    release: release.version().to_string(),
                    hint: hint(registry, release, name),
                });
            }
        }
    }
    errors
}

/// What an unknown name was probably meant to be.
fn hint(registry: &Registry, release: &Release, name: &str) -> String {
    let now = name_in(release, registry, Kind::Feature, name);
    let before = registry.renamed_from(Kind::Feature, name);
    let before = before.map(|(older, _)| older);
    let other = now.or_else(|| before.filter(|older| release.feature(older).is_some()));
    if let Some(other) = other {
        return format!("; it is called `{other}` there");
    }
    if let Some(lifetime) = registry.lifetime(Kind::Feature, name) {
        return format!("; it is one of others ({lifetime})");
    }
    let names = release.features().map(|feature| feature.name.as_str());
    match crate::suggest::nearest(name, names) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => String::new(),
    }
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

/// Names that are features of the release, and of no profile that was chosen.
fn note_no_effect(request: &Request<'_>, named: &[&String], notes: &mut Vec<Note>) {
    let is_of_profile = |name: &str| {
        let mut profiles = request.profiles.iter();
        profiles.any(|profile| profile.is_core(name) || profile.is_extended(name))
    };
    let others: BTreeSet<&&String> = named.iter().filter(|name| !is_of_profile(name)).collect();
    if !others.is_empty() {
        let names = others.into_iter().map(|name| (*name).clone()).collect();
        notes.push(Note::NoEffect(names));
    }
}

/// What lists and flags select: supported minus exempt, or all minus exempt.
fn listed(suite: &Suite, request: &Request<'_>, notes: &mut Vec<Note>) -> Selected {
    let choice = &request.choice;
    let [(_, supported), (_, unsupported), (_, exempt)] = lists(choice);
    let without: BTreeSet<String> = unsupported.iter().chain(exempt).cloned().collect();
    if !choice.all && choice.unsupported.is_none() {
        let features: BTreeSet<String> = supported.iter().cloned().collect();
        let source = match choice.supported.is_none() && !without.is_empty() {
            true => Source::OnlyExempt(without),
            false => Source::Listed(features.clone()),
        };
        return Selected { features, source };
    }
    let is_usable = match suite.facts.all_features {
        AllFeatures::WithoutExempt => true,
        AllFeatures::All => without.is_empty(),
        AllFeatures::Incomplete => false,
    };
    if is_usable {
        let features = request.release.features().map(|feature| &feature.name);
        let features = features.filter(|name| {
            !without.contains(*name) && !suite.facts.not_in_all_features.contains(*name)
        });
        return Selected {
            features: features.cloned().collect(),
            source: Source::AllExcept(without),
        };
    }
    let why = match suite.facts.all_features {
        AllFeatures::All => "it supports exempt features too",
        _ => "it leaves out the feature Gateway, and the lists of features in the report",
    };
    notes.push(Note::ListedForAll(why.to_owned()));
    let extended = request
        .profiles
        .iter()
        .flat_map(|profile| &profile.extended);
    let features: BTreeSet<String> = extended
        .filter(|name| !without.contains(*name))
        .cloned()
        .collect();
    Selected {
        source: Source::Listed(features.clone()),
        features,
    }
}

/// What the suite takes from a GatewayClass and an XMesh: all their names, without features of a mesh
/// in the one and those of Gateways in the other (`fetchGatewayClassSupportedFeatures`,
/// `fetchMeshSupportedFeatures`).
fn inferred(
    suite: &Suite,
    request: &Request<'_>,
    notes: &mut Vec<Note>,
) -> Result<Selected, PlanError> {
    let release = request.release;
    let choice = &request.choice;
    let mut profiles = request.profiles.iter();
    if choice.class.is_none()
        && let Some(one) = profiles.find(|profile| profile.family == Family::Gateway)
    {
        return Err(PlanError::NoClass(one.name.clone()));
    }
    let mut features = BTreeSet::new();
    for (kind, published, dropped) in [
        ("GatewayClass", &choice.class, "Mesh"),
        ("XMesh", &choice.mesh, "Gateway"),
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
        let owned = |names: BTreeSet<&String>| names.into_iter().cloned().collect::<Vec<_>>();
        let others: BTreeSet<&String> = kept
            .iter()
            .copied()
            .filter(|name| release.feature(name).is_none())
            .collect();
        if !others.is_empty() {
            let names = owned(others);
            notes.push(Note::UnknownPublished { kind, names });
        }
        features.extend(kept.into_iter().cloned());
        if !drops.is_empty() {
            let names = owned(drops);
            notes.push(Note::Dropped { kind, names });
        }
    }
    if features.is_empty() {
        return Err(PlanError::NothingPublished(release.version().to_string()));
    }
    if !suite.facts.infers {
        notes.push(Note::DoesNotInfer);
        features.retain(|name| release.feature(name).is_some());
        return Ok(Selected {
            source: Source::Listed(features.clone()),
            features,
        });
    }
    let name = |one: &Option<Published>| one.as_ref().map(|one| one.name.clone());
    Ok(Selected {
        features,
        source: Source::Inferred {
            class: name(&choice.class),
            mesh: name(&choice.mesh),
        },
    })
}
