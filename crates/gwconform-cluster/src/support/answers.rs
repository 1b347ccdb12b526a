//! Finds the implementations that support all required features.

use std::collections::BTreeSet;

use serde::Serialize;

use super::Against;
use crate::needs::{LossKind, Need, Needs};
use gwconform_base::api::{Channel, Family, Minor};
use gwconform_base::release::{Profile, Registry, Release};
use gwconform_report::certify::catalog::{
    Answer, Catalog, Found, Nearness, Question, StateKind, found, state_in_words,
};
use gwconform_report::certify::{AsOf, Status};
use gwconform_report::document::{FeatureState, ImplementationRef, ReportRef};

/// Requirements that a single report must meet, and the considered reports.
#[derive(Debug, Serialize, schemars::JsonSchema)]
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
    /// Parts of the input that no report decides or that were not read, such as `2 annotations of
    /// Traefik (not read)`.
    pub undecided: Vec<String>,
    /// Minors of the considered reports, newest first. Empty if all releases are considered; null
    /// without a reports tree.
    pub minors: Option<Vec<Minor>>,
    /// Date that determines the minors.
    #[serde(flatten)]
    pub as_of: AsOf,
    /// Equivalent query string for the site's `find/` page. Empty if no report can answer.
    pub query: String,
    #[serde(skip)]
    is_of_all: bool,
}

/// Feature that only a default or an approximation of the source needs. It excludes no
/// implementation.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct DefaultNeed {
    /// Feature name, such as `HTTPRoute308RedirectStatusCode`.
    pub feature: String,
    /// What to write instead, such as `301`.
    pub alternative: String,
    /// Numbers of implementations. Null without a reports tree.
    pub counts: Option<DefaultCounts>,
}

/// Numbers of implementations for a feature that is needed by default.
#[derive(Debug, Clone, Copy, Serialize, schemars::JsonSchema)]
pub struct DefaultCounts {
    /// Implementations that support the feature and all other needs.
    pub with: usize,
    /// Implementations that support all other needs.
    pub without: usize,
    /// Considered implementations.
    pub of: usize,
}

/// Report with its support for each required feature.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct OneAnswer {
    /// Degree to which the report meets the requirements.
    #[serde(skip)]
    pub nearness: Nearness,
    /// The implementation.
    #[serde(flatten)]
    pub implementation: ImplementationRef,
    /// The report.
    #[serde(flatten)]
    pub report: ReportRef,
    /// Worst status of the required profiles. Null if the report lacks these profiles.
    pub status: Option<Status>,
    /// Features whose tests passed in the report or its log.
    pub met: Vec<AnswerFeature>,
    /// Features that are claimed but not proved.
    pub claimed: Vec<AnswerFeature>,
    /// Features that are unsupported, failed, or not part of the release.
    pub lacking: Vec<AnswerFeature>,
    /// Features that the report does not mention. They may be supported.
    pub unknown: Vec<AnswerFeature>,
    /// Older report that supports more. Null if no older report supports more.
    pub older: Option<ReportRef>,
    /// Degree to which `older` meets the requirements, such as `proved`. Null without `older`.
    pub older_text: Option<String>,
}

/// Required feature with its state in a report.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct AnswerFeature {
    /// Feature name, such as `HTTPRouteRequestTimeout`.
    pub feature: String,
    /// State of the feature.
    #[serde(flatten)]
    pub state: FeatureState,
    /// State in one or two words, for groups of features.
    #[serde(skip)]
    pub word: String,
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
        let mut asked = Self {
            must: must.into_iter().map(str::to_owned).collect(),
            families,
            profiles: profiles
                .iter()
                .map(|profile| profile.name.clone())
                .collect(),
            channel: needs.is_experimental().then_some(Channel::Experimental),
            is_core,
            defaults: defaults(needs),
            undecided: undecided(needs, &untested),
            untested,
            minors: None,
            as_of: AsOf::default(),
            query: String::new(),
            is_of_all: against.is_of_all,
        };
        if !asked.must.is_empty() {
            asked.query = asked.question().query();
        }
        // The link names only the number of omissions, because names can be confidential.
        if let count @ 1.. = asked.undecided.len()
            && !asked.query.is_empty()
        {
            asked.query.push_str(&format!("&left_out={count}"));
        }
        asked
    }

    /// Newest report of each implementation, best first. Completes the question with the facts of
    /// the tree.
    pub(super) fn answers(&mut self, catalog: &Catalog<'_>, registry: &Registry) -> Vec<OneAnswer> {
        let mut defaults = std::mem::take(&mut self.defaults);
        let question = self.question();
        let answers = if self.must.is_empty() {
            Vec::new()
        } else {
            catalog.answers(&question, registry)
        };
        let hits = || answers.iter().filter(|answer| answer.lacking.is_empty());
        for need in &mut defaults {
            let is_met = |answer: &&Answer<'_, '_>| {
                let facts = answer.report.judged.facts;
                let features = catalog.proofs.features(facts);
                let found = found(facts, &features, &need.feature, &question, registry);
                found.state.kind().is_support()
            };
            need.counts = Some(DefaultCounts {
                with: hits().filter(is_met).count(),
                without: hits().count(),
                of: answers.len(),
            });
        }
        self.defaults = defaults;
        self.as_of = catalog.as_of;
        self.minors = Some(if self.is_of_all {
            Vec::new()
        } else {
            catalog.current_minors()
        });
        answers.iter().map(|answer| one(answer, self)).collect()
    }

    pub(super) fn question(&self) -> Question<'_> {
        let must = self.must.iter().map(String::as_str);
        let profile = self.profile();
        let several = self.profiles.iter().filter(|_| profile.is_none());
        Question {
            must: must.filter(|_| !self.is_core).collect(),
            is_conformant: self.is_core,
            profile,
            profiles: several.map(String::as_str).collect(),
            channel: self.channel,
            is_of_all: self.is_of_all,
        }
    }

    /// `None` if several profiles or families are required.
    fn profile(&self) -> Option<&str> {
        match &self.profiles[..] {
            [one] if self.families.len() <= 1 => Some(one),
            _ => None,
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

fn defaults(needs: &Needs<'_>) -> Vec<DefaultNeed> {
    let unwritten = needs.certain.iter().filter(|need| !need.is_written());
    let all = unwritten.filter_map(|need| {
        Some(DefaultNeed {
            feature: need.feature.clone(),
            alternative: need.alternative.clone()?,
            counts: None,
        })
    });
    all.collect()
}

fn undecided(needs: &Needs<'_>, untested: &[String]) -> Vec<String> {
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
    let of_profiles = answer.report.judged.verdicts.iter().filter(|verdict| {
        asked.profiles.is_empty() || asked.profiles.iter().any(|name| **name == *verdict.profile)
    });
    let (met, claimed) = features(&answer.met, Found::is_proved);
    let is_unknown = |one: &Found| {
        matches!(
            one.state.kind(),
            StateKind::NotStated | StateKind::NotClaimed
        )
    };
    let (unknown, lacking) = features(&answer.lacking, is_unknown);
    let older = answer.older.as_deref();
    OneAnswer {
        nearness: answer.nearness(),
        implementation: ImplementationRef::new(answer.implementation),
        report: ReportRef::new(answer.implementation, answer.report),
        status: of_profiles.map(|verdict| verdict.status).min(),
        met,
        claimed,
        lacking,
        unknown,
        older: older.map(|older| ReportRef::new(older.implementation, older.report)),
        older_text: older.map(|older| match older.nearness() {
            Nearness::Proved => "proved".to_owned(),
            Nearness::Claimed => "supported without proof".to_owned(),
            Nearness::Short(lacking) => format!("{lacking} missing"),
        }),
    }
}

fn features(
    found: &[Found],
    holds: impl Fn(&Found) -> bool,
) -> (Vec<AnswerFeature>, Vec<AnswerFeature>) {
    let (first, second): (Vec<_>, Vec<_>) = found.iter().partition(|one| holds(one));
    let feature = |found: &Found| {
        let text = match (&found.absence, &found.only_for) {
            (Some(absence), _) => absence.to_string(),
            (None, Some(route)) => {
                format!("{}, in tests of {route}s", state_in_words(&found.state))
            }
            (None, None) => state_in_words(&found.state),
        };
        AnswerFeature {
            feature: found.feature.clone(),
            state: FeatureState::new(&found.state, text),
            word: found.word(),
        }
    };
    let all = |found: Vec<&Found>| found.into_iter().map(feature).collect();
    (all(first), all(second))
}
