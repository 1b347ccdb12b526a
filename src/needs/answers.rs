//! Finds the implementations of a reports tree that support all needed features.

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

/// Requirements for a report.
#[derive(Debug)]
pub struct Asked {
    /// Features that one report must support, sorted by name.
    pub must: Vec<String>,
    /// Features that no profile of the Routes' family covers.
    pub untested: Vec<String>,
    /// Families of the requested profile or, by default, of all needed features.
    pub families: Vec<Family>,
    /// Profiles that the Routes require, sorted by name.
    pub profiles: Vec<String>,
    /// Required channel.
    pub channel: Option<Channel>,
    is_of_all: bool,
}

/// Requirements and matching reports.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Answers {
    /// Features that one report must support, sorted by name.
    pub must: Vec<String>,
    /// Needed features that no profile of the Routes' family covers.
    pub untested: Vec<String>,
    /// Families of the requested profile or, by default, of all needed features.
    #[serde(skip)]
    pub families: Vec<Family>,
    /// Profiles that the Routes require.
    pub profiles: Vec<String>,
    /// Required channel; null for any.
    pub channel: Option<Channel>,
    /// Minors of the considered reports, newest first; empty for all releases.
    pub minors: Vec<Minor>,
    /// Equivalent query for the site's `find/` page; null for several profiles.
    pub query: Option<String>,
    /// Best report of each implementation, best first.
    #[serde(skip)]
    pub answers: Vec<OneAnswer>,
}

/// How a report meets the requirements.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OneAnswer {
    /// Ranking of the report.
    #[serde(skip)]
    pub nearness: Nearness,
    /// Path of the report.
    #[serde(rename = "report")]
    pub path: String,
    /// URL slug of the implementation.
    #[serde(rename = "implementation")]
    pub slug: String,
    /// Name of the implementation.
    pub name: String,
    /// `implementation.version`.
    pub version: Option<String>,
    /// Tested release.
    pub release: Option<Version>,
    /// `gatewayAPIChannel`.
    pub channel: Option<String>,
    /// `mode`.
    pub mode: Option<String>,
    /// Worst verdict of the needed profiles; null if the report has none of them.
    pub verdict: Option<Status>,
    /// Features whose tests were seen to pass.
    pub met: Vec<String>,
    /// Features that are claimed but not proved.
    pub claimed: Vec<ProvedFeature>,
    /// Features that are unsupported, failed, or not part of the release.
    pub lacking: Vec<ProvedFeature>,
    /// Features that the report does not mention. They may be supported.
    pub unknown: Vec<ProvedFeature>,
}

/// What a report shows about a feature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProvedFeature {
    /// Name of the feature.
    pub feature: String,
    /// Support of the feature.
    pub state: StateKind,
    /// Support in one or two words, for groups of features.
    #[serde(skip)]
    pub word: String,
    /// Support in words.
    #[serde(rename = "text")]
    pub words: String,
}

impl Asked {
    /// Requires the certain features that are not core in the profile. If Routes require several
    /// profiles, adds the features that identify them.
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
        let extended = needs.certain.iter();
        // Only a profile of the Routes' family proves a kind of Route.
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

    pub(super) fn question(&self) -> Question<'_> {
        Question {
            must: self.must.iter().map(String::as_str).collect(),
            profile: self.profile(),
            profiles: self.several().iter().map(String::as_str).collect(),
            channel: self.channel,
            is_of_all: self.is_of_all,
        }
    }

    /// The required profile. `None` if several profiles or families are needed.
    pub fn profile(&self) -> Option<&str> {
        match &self.profiles[..] {
            [one] if self.families.len() <= 1 => Some(one),
            _ => None,
        }
    }

    /// Required profiles, if there is more than one.
    pub fn several(&self) -> &[String] {
        match self.profile() {
            Some(_) => &[],
            None => &self.profiles,
        }
    }
}

/// Profiles of the newest release in which a kind of Route is core.
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
