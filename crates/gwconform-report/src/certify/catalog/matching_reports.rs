//! Finds the reports that support all features of a list. Reports, modes or channels are never
//! combined.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::absence::Absence;
use super::proofs::ProfileFeatures;
use super::state::{State, StateKind};
use super::{Catalog, Implementation, Report};
use crate::certify::{self, Status};
use crate::report::facts::ReportFacts;
use gwconform_base::api::Mode;
use gwconform_base::api::{Channel, Minor};
use gwconform_base::release::Registry;

/// Requested feature and its state in a report.
#[derive(Debug, Clone)]
pub struct Found {
    /// Feature name, such as `HTTPRouteRequestTimeout`.
    pub feature: String,
    /// Best state among the considered profiles.
    pub state: State,
    /// Reason why no considered profile has the feature.
    pub absence: Option<Absence>,
    /// Routes that the tests of the feature use, such as `HTTPRoute`, if the required profile does
    /// not have the feature.
    pub only_for: Option<String>,
}

impl Found {
    /// State in one or two words, such as `proved`, or `proved for HTTPRoutes`.
    pub fn word(&self) -> String {
        match (&self.absence, &self.only_for) {
            (Some(absence), _) => absence.to_string(),
            (None, Some(route)) if self.state.kind().is_proof() => format!("proved for {route}s"),
            (None, Some(route)) if self.state.kind().is_support() => {
                format!("{} for {route}s", self.state.kind().word())
            }
            _ => self.state.kind().word().to_owned(),
        }
    }

    /// Whether tests prove the feature for the required Routes.
    pub fn is_proved(&self) -> bool {
        self.state.kind().is_proof() && self.only_for.is_none()
    }

    /// Place in the order from best to worst. Tests with other Routes prove only a claim.
    pub fn rank(&self) -> usize {
        match self.state.kind() {
            kind if kind.is_proof() && !self.is_proved() => StateKind::Claimed.place(),
            kind => kind.place(),
        }
    }
}

/// Query for reports.
#[derive(Debug, Clone, Default)]
pub struct Question<'q> {
    /// Required features, without duplicates.
    pub must: Vec<&'q str>,
    /// Required profile. If it has a feature, its state applies.
    pub profile: Option<&'q str>,
    /// Required profiles. If a feature is core in some of them, the worst state there applies.
    pub profiles: Vec<&'q str>,
    /// Channel of the required features ([`is_of_channel`]). `None` for any channel.
    pub channel: Option<Channel>,
    /// True to answer only with reports that are conformant for the profiles.
    pub is_conformant: bool,
    /// True to consider reports that no longer count toward a verdict.
    pub is_of_all: bool,
}

/// Newest matching report of an implementation, with the requested features that it supports and
/// lacks.
#[derive(Debug, Clone)]
pub struct Answer<'c, 'a> {
    /// Implementation of the report.
    pub implementation: &'c Implementation<'a>,
    /// Newest matching report. Among reports of the same release and version, the best.
    pub report: &'c Report<'a>,
    /// Supported features in query order.
    pub met: Vec<Found>,
    /// Features that are not supported.
    pub lacking: Vec<Found>,
    /// Older report that supports more.
    pub older: Option<Box<Self>>,
}

/// Degree to which a report supports the requested features, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// All features are proved.
    Proved,
    /// All features are supported, but not all are proved.
    Claimed,
    /// Number of features that are not supported.
    Short(usize),
}

impl StateKind {
    /// States from best to worst. States up to `Skipped` count as support.
    pub const RANKED: [Self; 12] = [
        Self::Proved,
        Self::ProvedByLog,
        Self::PartlySeen,
        Self::NotSeen,
        Self::Claimed,
        Self::NoTest,
        Self::Skipped,
        Self::Failed,
        Self::Unsupported,
        Self::NotClaimed,
        Self::NotStated,
        Self::NotInRelease,
    ];

    /// True if the feature's tests passed in the report or its log.
    pub fn is_proof(self) -> bool {
        matches!(self, Self::Proved | Self::ProvedByLog)
    }

    /// True if the state counts as support.
    pub fn is_support(self) -> bool {
        self.place() <= Self::Skipped.place()
    }

    pub(super) fn place(self) -> usize {
        let mut ranked = Self::RANKED.into_iter();
        ranked.position(|kind| kind == self).unwrap_or(usize::MAX)
    }
}

/// State of a feature in the profile with the given index. See also [`state_of_others`].
pub fn state_in<'s>(
    features: Option<&'s ProfileFeatures>,
    facts: &ReportFacts,
    profile: usize,
    feature: &str,
    registry: &Registry,
) -> &'s State {
    match features.map_or(&State::NotStated, |features| features.state(feature)) {
        State::NotInRelease => state_of_others(facts, profile, registry),
        state => state,
    }
}

/// State of a feature that neither the release nor the report lists. Not stated if the release is
/// unknown, because it may have the feature.
pub fn state_of_others(facts: &ReportFacts, profile: usize, registry: &Registry) -> &'static State {
    let is_known = || {
        let release = certify::facts(facts, registry)?;
        let name = facts.profiles.get(profile)?.name()?;
        release.extended_when()?;
        release.profile(name)
    };
    match is_known() {
        Some(_) => &State::NotInRelease,
        None => &State::NotStated,
    }
}

/// Best state in the given profile or, if the profile lacks the feature, in the profile's family.
/// Gateway tests prove nothing about a mesh.
fn best_state(
    facts: &ReportFacts,
    features: &[ProfileFeatures],
    feature: &str,
    profile: Option<&str>,
    registry: &Registry,
) -> State {
    let states = facts.profiles.iter().enumerate().map(|(at, one)| {
        let state = state_in(features.get(at), facts, at, feature, registry);
        (one.name(), state)
    });
    let all: Vec<_> = states.collect();
    let is_asked = |(name, state): &&(Option<&str>, &State)| {
        profile.is_some() && *name == profile && **state != State::NotInRelease
    };
    let best = |states: &mut dyn Iterator<Item = &State>| {
        states.min_by_key(|state| state.kind().place()).cloned()
    };
    let family = |name: &str| registry.profile(name).map(|profile| profile.family);
    let asked_family = profile.and_then(family);
    let is_of_family = |(name, _): &&(Option<&str>, &State)| {
        asked_family.is_none() || name.and_then(family) == asked_family
    };
    best(&mut all.iter().filter(is_asked).map(|(_, state)| *state))
        .or_else(|| best(&mut all.iter().filter(is_of_family).map(|(_, state)| *state)))
        .unwrap_or(State::NotStated)
}

/// Route kind of the profiles that test a feature, if the required profile does not. Features of
/// Gateways do not depend on the Routes.
fn only_for(feature: &str, profile: Option<&str>, registry: &Registry) -> Option<String> {
    let asked = registry.profile(profile?)?;
    let resource = registry.feature(feature)?.resource.as_deref();
    let is_of_gateway = resource.is_some_and(|name| name == "Gateway" || name == "ListenerSet");
    if asked.has(feature) || is_of_gateway {
        return None;
    }
    let all = registry.newest()?.profiles();
    let mut others = all.filter(|one| one.family == asked.family && one.has(feature));
    let core = others.next()?.core.iter();
    let mut routes = core.filter(|name| name.ends_with("Route"));
    routes.next().cloned()
}

fn core_state(
    facts: &ReportFacts,
    features: &[ProfileFeatures],
    feature: &str,
    asked: &[&str],
    registry: &Registry,
) -> Option<(State, Option<Absence>)> {
    let is_core = |name: &&&str| {
        let profile = registry.profile(name);
        profile.is_some_and(|profile| profile.is_core(feature))
    };
    // A report can list a profile twice.
    let in_profile = |name: &str| {
        let profiles = facts.profiles.iter().enumerate();
        let own = profiles.filter(|(_, one)| one.name() == Some(name));
        own.map(|(at, _)| state_in(features.get(at), facts, at, feature, registry))
            .min_by_key(|state| state.kind().place())
    };
    let core: Vec<_> = asked.iter().filter(is_core).collect();
    let missing = core.iter().filter(|name| in_profile(name).is_none());
    let missing: Vec<&str> = missing.map(|name| **name).collect();
    if !missing.is_empty() {
        let profiles = missing.join(" or ");
        return Some((State::NotInRelease, Some(Absence::NotReported { profiles })));
    }
    let states = core.iter().filter_map(|name| in_profile(name));
    let worst = states.max_by_key(|state| state.kind().place())?;
    Some((worst.clone(), None))
}

/// State of a feature in a report, for the profiles of a question.
pub fn found(
    facts: &ReportFacts,
    features: &[ProfileFeatures],
    feature: &str,
    question: &Question<'_>,
    registry: &Registry,
) -> Found {
    let core = core_state(facts, features, feature, &question.profiles, registry);
    if let Some((state, absence)) = core {
        return Found {
            feature: feature.to_owned(),
            state,
            absence,
            only_for: None,
        };
    }
    let state = best_state(facts, features, feature, question.profile, registry);
    let is_absent = state == State::NotInRelease;
    let absence = || Absence::try_new(facts, feature, question.profile, registry);
    Found {
        feature: feature.to_owned(),
        only_for: only_for(feature, question.profile, registry),
        absence: is_absent.then(absence).flatten(),
        state,
    }
}

/// Ranks by newer minor, implementation name, newer release and version, and default mode. The
/// site's `find` page uses the ranks.
pub(super) fn give_preferences(implementations: &mut [Implementation<'_>]) {
    let mut order = Vec::new();
    for (at, one) in implementations.iter().enumerate() {
        let mut batch = 0;
        for (place, report) in one.reports.iter().enumerate() {
            let first = one.reports.get(batch);
            if !first.is_some_and(|first| have_same_versions(first, report)) {
                batch = place;
            }
            let is_other_mode = report.judged.facts.mode() != Some(Mode::Default.as_str());
            let newer = (Reverse(batch), is_other_mode, Reverse(place));
            order.push((
                Reverse(report.judged.minor()),
                &one.name,
                &one.slug,
                newer,
                at,
            ));
        }
    }
    order.sort();
    let places = order
        .into_iter()
        .map(|(.., (.., Reverse(place)), at)| (at, place));
    for (preference, (at, place)) in places.collect::<Vec<_>>().into_iter().enumerate() {
        if let Some(report) = implementations[at].reports.get_mut(place) {
            report.preference = preference;
        }
    }
}

impl<'a> Catalog<'a> {
    /// Minors whose reports count toward a verdict, newest first.
    pub fn current_minors(&self) -> Vec<Minor> {
        self.minors.newest_ones(self.windows.partial)
    }

    /// Newest report of each implementation, best first.
    pub fn answers(&self, question: &Question<'_>, registry: &Registry) -> Vec<Answer<'_, 'a>> {
        let all = self.implementations.iter();
        let mut answers: Vec<_> = all
            .filter_map(|one| self.best(one, question, None, registry))
            .collect();
        answers.sort_by_key(Answer::key);
        answers
    }

    /// Newest report, optionally for one version. `None` if no report matches.
    pub fn best<'c>(
        &'c self,
        implementation: &'c Implementation<'a>,
        question: &Question<'_>,
        version: Option<&str>,
        registry: &Registry,
    ) -> Option<Answer<'c, 'a>> {
        let current: BTreeSet<Minor> = self.current_minors().into_iter().collect();
        let is_of_version = version.map(|version| implementation.version_filter(version));
        let is_asked = |report: &Report<'_>| {
            let is_of_version = is_of_version.as_ref();
            question.is_about(report, &current, registry)
                && is_of_version.is_none_or(|is_it| is_it(report.judged.facts))
        };
        let asked = implementation.reports.iter().filter(|one| is_asked(one));
        let answers = asked.map(|report| self.answer(implementation, report, question, registry));
        let mut answers: Vec<_> = answers.collect();
        let newest = answers
            .iter()
            .min_by_key(|one| one.report.preference)?
            .report;
        answers.sort_by_key(Answer::key);
        let at = answers.iter().position(|one| {
            have_same_versions(newest, one.report) && question.is_verdict(one.report)
        })?;
        let mut answer = answers.swap_remove(at);
        // The best of the others is first, unless the newest was.
        let best = answers.into_iter().next().filter(|_| at > 0);
        let better = best.filter(|best| best.nearness() < answer.nearness());
        answer.older = better.map(Box::new);
        Some(answer)
    }

    fn answer<'c>(
        &'c self,
        implementation: &'c Implementation<'a>,
        report: &'c Report<'a>,
        question: &Question<'_>,
        registry: &Registry,
    ) -> Answer<'c, 'a> {
        let facts = report.judged.facts;
        let features = self.proofs.features(facts);
        let found = (question.must.iter())
            .map(|feature| found(facts, &features, feature, question, registry));
        let (met, lacking) = found.partition(|found| found.state.kind().is_support());
        Answer {
            implementation,
            report,
            met,
            lacking,
            older: None,
        }
    }
}

/// Whether a report answers a question about features of a channel. Runs with experimental CRDs
/// also prove features whose fields are in the standard channel of their release.
pub fn is_of_channel(
    facts: &ReportFacts,
    channel: Channel,
    features: &[&str],
    registry: &Registry,
) -> bool {
    let run = facts.channel().and_then(Channel::from_text);
    let is_standard = |feature: &&str| {
        let release = certify::facts(facts, registry);
        let known = release.and_then(|release| release.feature(feature));
        known.is_some_and(|known| known.channel == Channel::Standard)
    };
    run == Some(channel)
        || run == Some(Channel::Experimental)
            && !features.is_empty()
            && features.iter().all(is_standard)
}

pub(super) fn have_same_versions(a: &Report<'_>, b: &Report<'_>) -> bool {
    let (a, b) = (a.judged.facts, b.judged.facts);
    a.release.version == b.release.version && a.version() == b.version()
}

impl Question<'_> {
    fn is_about(
        &self,
        report: &Report<'_>,
        current: &BTreeSet<Minor>,
        registry: &Registry,
    ) -> bool {
        let facts = report.judged.facts;
        let is_in_scope =
            self.is_of_all || (report.judged.minor()).is_some_and(|minor| current.contains(&minor));
        let has_channel = self
            .channel
            .is_none_or(|channel| is_of_channel(facts, channel, &self.must, registry));
        let has_profile = self
            .profile
            .is_none_or(|profile| facts.profiles.iter().any(|one| one.name() == Some(profile)));
        is_in_scope && has_channel && has_profile
    }

    /// Whether a report is conformant for each profile of the question or, without one, for any, if
    /// the question is about conformant reports.
    fn is_verdict(&self, report: &Report<'_>) -> bool {
        let asked = self.profile.iter().chain(&self.profiles);
        let is_conformant = |profile: Option<&str>| {
            report.judged.verdicts.iter().any(|verdict| {
                let is_asked = profile.is_none_or(|profile| *verdict.profile == *profile);
                is_asked && verdict.status == Status::Conformant
            })
        };
        !self.is_conformant
            || is_conformant(None) && asked.copied().all(|profile| is_conformant(Some(profile)))
    }

    /// Equivalent query for the site's `find` page, as the page writes it.
    pub fn query(&self) -> String {
        let profiles = match (self.profile, &self.profiles[..]) {
            (Some(one), _) => one.to_owned(),
            // `any` is a placeholder: without it, the page considers only the profile's family.
            (None, [one]) => format!("any,{one}"),
            (None, several) => several.join(","),
        };
        let parts = [
            ("must", self.must.join(",")),
            (
                "channel",
                self.channel.map_or("", Channel::as_str).to_owned(),
            ),
            ("scope", if self.is_of_all { "all" } else { "" }.to_owned()),
            (
                "conformant",
                if self.is_conformant { "yes" } else { "" }.to_owned(),
            ),
            ("profiles", profiles),
        ];
        let kept = parts.iter().filter(|(_, value)| !value.is_empty());
        let kept: Vec<_> = kept
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        kept.join("&")
    }
}

impl Answer<'_, '_> {
    /// Degree to which the report supports the requested features.
    pub fn nearness(&self) -> Nearness {
        let mut met = self.met.iter();
        match self.lacking.len() {
            0 if met.all(Found::is_proved) => Nearness::Proved,
            0 => Nearness::Claimed,
            lacking => Nearness::Short(lacking),
        }
    }

    fn worst(&self) -> usize {
        self.met.iter().map(Found::rank).max().unwrap_or(0)
    }

    fn key(&self) -> (usize, usize, usize) {
        (self.lacking.len(), self.worst(), self.report.preference)
    }
}
