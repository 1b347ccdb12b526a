//! Finds the implementations that support all required features.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Against;
use crate::needs::{LossKind, Need, Needs};
use gwconform_base::api::{Channel, Family, Minor, Version};
use gwconform_base::release::{Profile, Registry, Release};
use gwconform_report::certify::catalog::{
    self, Answer, Catalog, Found, Nearness, Question, StateKind, found, state_in_words,
};
use gwconform_report::certify::{AsOf, Status};

/// Requirements that a single report must meet.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Asked {
    /// Features that one report must support, sorted by name.
    pub must: Vec<String>,
    /// Features that no profile of the Routes' family covers. Reports cannot prove them.
    pub untested: Vec<String>,
    /// Families of the requested profile or, by default, of all required features.
    #[serde(skip)]
    pub families: Vec<Family>,
    /// Profiles that the Routes require, sorted by name.
    pub profiles: Vec<String>,
    /// Required channel. Null for any channel.
    pub channel: Option<Channel>,
    /// True if the user wrote only what core features cover. Then each conformant implementation is
    /// an answer, in no order of merit.
    #[serde(rename = "core_only")]
    pub is_core: bool,
    /// Features that the user did not write, sorted by name. They exclude no implementation.
    pub defaults: Vec<DefaultNeed>,
    /// Parts of the input that the answers do not include, because they were not read or because no
    /// report decides them, such as `2 annotations of Traefik (not read)`.
    pub left_out: Vec<String>,
    #[serde(skip)]
    is_of_all: bool,
}

/// Feature that only a default or an approximation of the source needs. It excludes no
/// implementation.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct DefaultNeed {
    /// Feature name, such as `HTTPRoute308RedirectStatusCode`.
    pub feature: String,
    /// What to write instead, such as `301`.
    pub alternative: String,
    /// Number of implementations that support the feature and all other needs.
    pub with: usize,
    /// Number of implementations that support all other needs.
    pub without: usize,
    /// Number of considered implementations.
    pub of: usize,
}

/// Requirements, and the reports that meet them.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Answers {
    /// Requirements, with the numbers of implementations for each default.
    #[serde(flatten)]
    pub asked: Asked,
    /// Minors of the considered reports, newest first. Empty if all releases are considered.
    pub minors: Vec<Minor>,
    /// Date that determines the minors.
    #[serde(flatten)]
    pub as_of: AsOf,
    /// Equivalent query string for the site's `find/` page. Empty if no report can answer.
    pub query: String,
    /// Newest report of each implementation, best first.
    #[serde(skip)]
    pub answers: Vec<OneAnswer>,
}

/// Report with its support for each required feature.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct OneAnswer {
    /// Degree to which the report meets the requirements.
    #[serde(skip)]
    pub nearness: Nearness,
    /// Printed path of the report.
    #[serde(rename = "report")]
    pub path: String,
    /// Path of the implementation in URLs, such as `acme/operator`.
    #[serde(rename = "implementation")]
    pub slug: String,
    /// Display name of the implementation.
    pub name: String,
    /// `implementation.version`.
    pub version: Option<String>,
    /// Gateway API release that the report is for.
    pub release: Option<Version>,
    /// `gatewayAPIChannel`.
    pub channel: Option<String>,
    /// `mode`.
    pub mode: Option<String>,
    /// Worst verdict of the required profiles. Null if the report lacks these profiles.
    pub verdict: Option<Status>,
    /// Features whose tests passed in the report or its log.
    pub met: Vec<String>,
    /// Features that are claimed but not proved.
    pub claimed: Vec<ProvedFeature>,
    /// Features that are unsupported, failed, or not part of the release.
    pub lacking: Vec<ProvedFeature>,
    /// Features that the report does not mention. They may be supported.
    pub unknown: Vec<ProvedFeature>,
    /// Older report that supports more. Null if no older report supports more.
    pub older: Option<OlderAnswer>,
}

/// Older report that supports more than the newest one.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct OlderAnswer {
    /// Printed path of the report.
    #[serde(rename = "report")]
    pub path: String,
    /// `implementation.version`.
    pub version: Option<String>,
    /// Gateway API release that the report is for.
    pub release: Option<Version>,
    /// Degree to which the report meets the requirements, such as `proved`.
    pub text: String,
}

/// Feature, and the feature's state in a report.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct ProvedFeature {
    /// Feature name, such as `HTTPRouteRequestTimeout`.
    pub feature: String,
    /// State of the feature.
    pub state: StateKind,
    #[serde(skip)]
    is_proof: bool,
    /// State in one or two words, for groups of features.
    #[serde(skip)]
    pub word: String,
    /// State as a short description.
    #[serde(rename = "text")]
    pub words: String,
}

impl Asked {
    /// Features that are core in the required profile are omitted. If Routes require several
    /// profiles, features that identify these profiles are added.
    pub(super) fn new(needs: &Needs<'_>, against: &Against<'_>, registry: &Registry) -> Self {
        let profiles = profiles(needs, against, registry);
        // The mesh profile already requires the feature Mesh.
        let tells_of_mesh =
            profiles.len() > 1 && profiles.iter().any(|one| one.family == Family::Mesh);
        let kinds: BTreeSet<&str> = needs
            .routes
            .keys()
            .flat_map(|(kind, family)| {
                let mesh = (*family == Family::Mesh && !tells_of_mesh).then_some("Mesh");
                let own = registry.has_profile_of(kind, *family).then_some(*kind);
                own.into_iter().chain(mesh)
            })
            .collect();
        let written = |need: &&Need<'_>| need.is_written();
        let extended = needs.certain.iter().filter(written);
        // Only a profile of the Routes' family proves support for the Route kind.
        let of_no_profile = |feature: &str| {
            needs.routes.keys().any(|(kind, _)| *kind == feature) && !kinds.contains(feature)
        };
        let extended = extended
            .filter(|need| of_no_profile(&need.feature) || !need.is_proved_by(&profiles, registry));
        let families = families(needs, against, &profiles);
        let all = registry.newest().into_iter().flat_map(Release::profiles);
        let of_families: Vec<&Profile> = all
            .filter(|profile| families.is_empty() || families.contains(&profile.family))
            .collect();
        let is_tested = |need: &&Need<'_>| {
            let own = need.places.families();
            of_families.iter().any(|profile| {
                let is_own = own.is_empty() || own.has(profile.family);
                is_own && profile.is_extended(&need.feature)
            })
        };
        let (tested, untested): (Vec<_>, Vec<_>) = extended.partition(is_tested);
        let mut must: BTreeSet<&str> = tested.iter().map(|need| need.feature.as_str()).collect();
        let untested: Vec<String> = untested.iter().map(|need| need.feature.clone()).collect();
        let is_core = must.is_empty() && !profiles.is_empty();
        if profiles.len() > 1 || families.len() > 1 || must.is_empty() {
            let is_needed = |feature: &&str| needs.features().any(|needed| needed == *feature);
            must.extend(kinds.iter().copied().filter(is_needed));
        }
        if must.is_empty() {
            must.extend(needs.features().filter(|feature| *feature == "Gateway"));
        }
        Self {
            must: must.into_iter().map(str::to_owned).collect(),
            families,
            profiles: profiles
                .iter()
                .map(|profile| profile.name.clone())
                .collect(),
            channel: needs.is_experimental().then_some(Channel::Experimental),
            is_core,
            defaults: defaults(needs),
            left_out: left_out(needs, &untested),
            untested,
            is_of_all: against.is_of_all,
        }
    }

    pub(super) fn question(&self) -> Question<'_> {
        let must = self.must.iter().map(String::as_str);
        Question {
            must: must.filter(|_| !self.is_core).collect(),
            is_conformant: self.is_core,
            profile: self.profile(),
            profiles: self.several().iter().map(String::as_str).collect(),
            channel: self.channel,
            is_of_all: self.is_of_all,
        }
    }

    /// `None` if several profiles or families are required.
    pub fn profile(&self) -> Option<&str> {
        match &self.profiles[..] {
            [one] if self.families.len() <= 1 => Some(one),
            _ => None,
        }
    }

    /// Required profiles. Empty if a single profile is required.
    pub fn several(&self) -> &[String] {
        match self.profile() {
            Some(_) => &[],
            None => &self.profiles,
        }
    }
}

/// Profiles of the newest release in which the Route kinds are core.
fn profiles<'r>(
    needs: &Needs<'_>,
    against: &Against<'_>,
    registry: &'r Registry,
) -> Vec<&'r Profile> {
    if let Some(name) = against.profile {
        return registry.profile(name).into_iter().collect();
    }
    let all = registry.newest().into_iter().flat_map(Release::profiles);
    let is_needed = |profile: &&Profile| {
        let mut routes = needs.routes.keys();
        routes.any(|(kind, family)| profile.family == *family && profile.is_core(kind))
    };
    all.filter(is_needed).collect()
}

fn families(needs: &Needs<'_>, against: &Against<'_>, profiles: &[&Profile]) -> Vec<Family> {
    let of_profiles: BTreeSet<Family> = profiles.iter().map(|profile| profile.family).collect();
    let needed = needs.families();
    let all = [Family::Gateway, Family::Mesh].into_iter();
    let is_asked = |family: &Family| match against.profile {
        Some(_) => of_profiles.contains(family),
        None => needed.has(*family),
    };
    all.filter(is_asked).collect()
}

impl Answers {
    pub(super) fn new(catalog: &Catalog<'_>, asked: &Asked, registry: &Registry) -> Self {
        let question = asked.question();
        let minors = if asked.is_of_all {
            Vec::new()
        } else {
            catalog.current_minors()
        };
        let answers = if asked.must.is_empty() {
            Vec::new()
        } else {
            catalog.answers(&question, registry)
        };
        let hits = || answers.iter().filter(|answer| answer.lacking.is_empty());
        let defaults = asked.defaults.iter().map(|need| {
            let is_met = |answer: &&Answer<'_, '_>| {
                let facts = answer.report.judged.facts;
                let features = catalog.proofs.features(facts);
                let found = found(facts, &features, &need.feature, &question, registry);
                found.state.kind().is_support()
            };
            DefaultNeed {
                with: hits().filter(is_met).count(),
                without: hits().count(),
                of: answers.len(),
                ..need.clone()
            }
        });
        Self {
            query: query(&question, asked),
            asked: Asked {
                defaults: defaults.collect(),
                ..asked.clone()
            },
            minors,
            as_of: catalog.as_of,
            answers: answers.iter().map(|answer| one(answer, asked)).collect(),
        }
    }
}

/// The link names only the number of omissions, because names can be confidential.
fn query(question: &Question<'_>, asked: &Asked) -> String {
    match asked.left_out.len() {
        _ if asked.must.is_empty() => String::new(),
        0 => question.query(),
        count => format!("{}&left_out={count}", question.query()),
    }
}

fn defaults(needs: &Needs<'_>) -> Vec<DefaultNeed> {
    let unwritten = needs.certain.iter().filter(|need| !need.is_written());
    let all = unwritten.filter_map(|need| {
        Some(DefaultNeed {
            feature: need.feature.clone(),
            alternative: need.alternative.clone()?,
            with: 0,
            without: 0,
            of: 0,
        })
    });
    all.collect()
}

fn left_out(needs: &Needs<'_>, untested: &[String]) -> Vec<String> {
    let losses = needs.losses.iter().map(|loss| {
        let why = match loss.kind() {
            LossKind::Beyond => "beyond the API",
            LossKind::NoEquivalent => "no equivalent",
            LossKind::Approximate => "approximate",
            LossKind::NotRead => "not read",
            LossKind::Unknown => "not known",
            LossKind::Untested => "no test",
        };
        format!("{} ({why})", loss.in_short())
    });
    let perhaps = needs.perhaps.iter();
    let perhaps = perhaps.map(|need| format!("{} (possibly needed)", need.feature));
    let untested = untested.iter();
    let untested = untested.map(|feature| format!("{feature} (no test)"));
    losses.chain(perhaps).chain(untested).collect()
}

fn one(answer: &Answer<'_, '_>, asked: &Asked) -> OneAnswer {
    let judged = &answer.report.judged;
    let facts = judged.facts;
    let text = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
    let of_profiles = judged.verdicts.iter().filter(|verdict| {
        asked.profiles.is_empty() || asked.profiles.iter().any(|name| **name == *verdict.profile)
    });
    let (met, claimed) = features(&answer.met, |one| one.is_proof);
    let is_unknown =
        |one: &ProvedFeature| matches!(one.state, StateKind::NotStated | StateKind::NotClaimed);
    let (unknown, lacking) = features(&answer.lacking, is_unknown);
    OneAnswer {
        nearness: answer.nearness(),
        slug: answer.implementation.slug.clone(),
        name: answer.implementation.name.clone(),
        path: facts.path.clone(),
        version: text(facts.version()),
        release: facts.release.version.clone(),
        channel: text(facts.channel()),
        mode: text(facts.mode()),
        verdict: of_profiles.map(|verdict| verdict.status).min(),
        met: met.into_iter().map(|one| one.feature).collect(),
        claimed,
        lacking,
        unknown,
        older: answer.older.as_deref().map(older),
    }
}

fn older(answer: &Answer<'_, '_>) -> OlderAnswer {
    let facts = answer.report.judged.facts;
    let text = match answer.nearness() {
        Nearness::Proved => "proved".to_owned(),
        Nearness::Claimed => "supported without proof".to_owned(),
        Nearness::Short(lacking) => format!("{lacking} missing"),
    };
    OlderAnswer {
        path: facts.path.clone(),
        version: facts
            .version()
            .filter(|text| !text.is_empty())
            .map(str::to_owned),
        release: facts.release.version.clone(),
        text,
    }
}

fn features(
    found: &[Found],
    holds: impl Fn(&ProvedFeature) -> bool,
) -> (Vec<ProvedFeature>, Vec<ProvedFeature>) {
    let feature = |found: &catalog::Found| ProvedFeature {
        feature: found.feature.clone(),
        state: found.state.kind(),
        word: found.word(),
        is_proof: found.is_proved(),
        words: match (&found.absence, &found.only_for) {
            (Some(absence), _) => absence.to_string(),
            (None, Some(route)) => {
                format!("{}, in tests of {route}s", state_in_words(&found.state))
            }
            (None, None) => state_in_words(&found.state),
        },
    };
    found.iter().map(feature).partition(holds)
}
