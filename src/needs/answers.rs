//! Who has all that some manifests need: the question to the reports of a tree, and its answers.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Against;
use crate::api::{Channel, Family, Minor, Version};
use crate::certify::Status;
use crate::certify::catalog::{
    self, Answer, Catalog, Found, Nearness, Question, StateKind, state_in_words,
};
use crate::cluster::needs::Needs;
use crate::release::{Profile, Registry, Release};

/// What is asked of reports.
#[derive(Debug)]
pub struct Asked {
    /// The features that one report must have, by name.
    pub must: Vec<String>,
    /// The features that no profile of the Routes' family has.
    pub untested: Vec<String>,
    /// The families of the profile that is asked for, else those of all that is needed.
    pub families: Vec<Family>,
    /// The profiles that the Routes need, by name.
    pub profiles: Vec<String>,
    /// The channel that reports must be for.
    pub channel: Option<Channel>,
    is_of_all: bool,
}

/// What was asked, and who has it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Answers {
    /// The features that one report must have, by name.
    pub must: Vec<String>,
    /// The features that are needed and that no profile of the Routes' family has.
    pub untested: Vec<String>,
    /// The families of the profile that is asked for, else those of all that is needed.
    #[serde(skip)]
    pub families: Vec<Family>,
    /// The profiles that the Routes need.
    pub profiles: Vec<String>,
    /// The channel that reports must be for; null for any.
    pub channel: Option<Channel>,
    /// The minors whose reports were asked, newest first; empty for all releases.
    pub minors: Vec<Minor>,
    /// The query of the page `find/` of the site that asks the same; null for several profiles.
    pub query: Option<String>,
    /// The best report of each implementation, better ones first.
    #[serde(skip)]
    pub answers: Vec<OneAnswer>,
}

/// How a report answers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OneAnswer {
    /// How near it comes to all features.
    #[serde(skip)]
    pub nearness: Nearness,
    /// The path of the report.
    #[serde(rename = "report")]
    pub path: String,
    /// The implementation's name in addresses.
    #[serde(rename = "implementation")]
    pub slug: String,
    /// The implementation's name.
    pub name: String,
    /// `implementation.version`.
    pub version: Option<String>,
    /// The release that the report is for.
    pub release: Option<Version>,
    /// `gatewayAPIChannel`.
    pub channel: Option<String>,
    /// `mode`.
    pub mode: Option<String>,
    /// The worst verdict on the profiles that are needed; null where the report has none of them.
    pub verdict: Option<Status>,
    /// The features whose tests were seen to pass.
    pub met: Vec<String>,
    /// The features that it supports without that proof.
    pub claimed: Vec<ProvedFeature>,
    /// The features that it does not support, that failed, or that its release does not have.
    pub lacking: Vec<ProvedFeature>,
    /// The features that the report does not mention, which is not no.
    pub unknown: Vec<ProvedFeature>,
}

/// What a report shows of a feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProvedFeature {
    /// Its name.
    pub feature: String,
    /// What is known of it.
    pub state: StateKind,
    /// The same in a word or two, as groups of features have room for.
    #[serde(skip)]
    pub word: String,
    /// The same in words.
    #[serde(rename = "text")]
    pub words: String,
}

impl Asked {
    /// The features that a report must have: those that are needed for sure and that are not core in
    /// its profile. Where Routes need several profiles, also what makes each of them.
    pub(super) fn new(needs: &Needs<'_>, against: &Against<'_>, registry: &Registry) -> Self {
        let profiles = profiles(needs, against, registry);
        // Of several profiles each is asked for its kind of Routes, and one of a mesh tells of the mesh.
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
        let extended = needs.certain.iter();
        // A kind of Routes is proved by a profile of their family, and by no other.
        let of_no_profile = |feature: &str| {
            let mut routes = needs.routes.keys();
            routes.any(|(kind, _)| *kind == feature) && !kinds.contains(feature)
        };
        let extended = extended
            .filter(|need| of_no_profile(&need.feature) || !need.is_proved_by(&profiles, registry));
        let families = families(needs, against, &profiles);
        let all = registry.newest().into_iter().flat_map(Release::profiles);
        let of_families: Vec<&Profile> = all
            .filter(|profile| families.is_empty() || families.contains(&profile.family))
            .collect();
        let is_tested = |feature: &&str| {
            of_families
                .iter()
                .any(|profile| profile.is_extended(feature))
        };
        let extended = extended.map(|need| need.feature.as_str());
        let (mut must, untested): (BTreeSet<&str>, BTreeSet<&str>) = extended.partition(is_tested);
        if profiles.len() > 1 || families.len() > 1 || must.is_empty() {
            let is_needed = |feature: &&str| needs.features().any(|needed| needed == *feature);
            must.extend(kinds.iter().copied().filter(is_needed));
        }
        if must.is_empty() {
            must.extend(needs.features().filter(|feature| *feature == "Gateway"));
        }
        Self {
            must: must.into_iter().map(str::to_owned).collect(),
            untested: untested.into_iter().map(str::to_owned).collect(),
            families,
            profiles: profiles
                .iter()
                .map(|profile| profile.name.clone())
                .collect(),
            channel: needs.is_experimental().then_some(Channel::Experimental),
            is_of_all: against.is_of_all,
        }
    }

    /// The same as a question to a catalog.
    pub(super) fn question(&self) -> Question<'_> {
        Question {
            must: self.must.iter().map(String::as_str).collect(),
            profile: self.profile(),
            profiles: self.several().iter().map(String::as_str).collect(),
            channel: self.channel,
            is_of_all: self.is_of_all,
        }
    }

    /// The one profile that is needed; none where another family is asked too.
    pub fn profile(&self) -> Option<&str> {
        match &self.profiles[..] {
            [one] if self.families.len() <= 1 => Some(one),
            _ => None,
        }
    }

    /// The profiles that one report must all have, where it is not one alone.
    pub fn several(&self) -> &[String] {
        match self.profile() {
            Some(_) => &[],
            None => &self.profiles,
        }
    }
}

/// The profiles that Routes need, as the newest release has them: those of the family of their
/// parents in which their kind is core.
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

/// The families of the profile that is asked for, else those of all that is needed.
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
        let minors = match asked.is_of_all {
            true => Vec::new(),
            false => catalog.current_minors(),
        };
        let answers = match asked.must.is_empty() {
            true => Vec::new(),
            false => catalog.answers(&question, registry),
        };
        Self {
            query: asked.several().is_empty().then(|| question.query()),
            must: asked.must.clone(),
            untested: asked.untested.clone(),
            families: asked.families.clone(),
            profiles: asked.profiles.clone(),
            channel: asked.channel,
            minors,
            answers: answers.iter().map(|answer| one(answer, asked)).collect(),
        }
    }
}

fn one(answer: &Answer<'_, '_>, asked: &Asked) -> OneAnswer {
    let judged = &answer.report.judged;
    let facts = judged.facts;
    let text = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(str::to_owned);
    let verdicts = judged.verdicts.iter();
    let of_profiles = verdicts.filter(|verdict| {
        asked.profiles.is_empty() || asked.profiles.iter().any(|name| **name == *verdict.profile)
    });
    let (met, claimed) = features(&answer.met, |one| one.state.is_proof());
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
    }
}

/// Those of which something holds, and the others.
fn features(
    found: &[Found],
    holds: impl Fn(&ProvedFeature) -> bool,
) -> (Vec<ProvedFeature>, Vec<ProvedFeature>) {
    let feature = |found: &catalog::Found| ProvedFeature {
        feature: found.feature.clone(),
        state: found.state.kind(),
        word: found.word(),
        words: match &found.absence {
            Some(absence) => absence.to_string(),
            None => state_in_words(&found.state),
        },
    };
    found.iter().map(feature).partition(holds)
}
