//! Which reports have some features: what the page `find` of the site asks too. One report must have
//! them all; features of several reports, modes and channels are never put together.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::absence::Absence;
use super::features::ProfileFeatures;
use super::state::{State, StateKind};
use super::{Catalog, Implementation, Report};
use crate::api::Mode;
use crate::api::{Channel, Minor};
use crate::certify;
use crate::release::Registry;
use crate::report::facts::ReportFacts;

/// A feature that is asked for, with what a report shows of it.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its name.
    pub feature: String,
    /// The best state of all profiles of the report that count.
    pub state: State,
    /// Why none of these profiles has it.
    pub absence: Option<Absence>,
}

impl Found {
    /// What the report shows of it, in a word or two.
    pub fn word(&self) -> String {
        match &self.absence {
            Some(absence) => absence.to_string(),
            None => self.state.kind().word().to_owned(),
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone, Default)]
pub struct Question<'q> {
    /// The features, each once.
    pub must: Vec<&'q str>,
    /// The profile that a report must have; its state of a feature counts where it has the feature.
    pub profile: Option<&'q str>,
    /// Several profiles that a report must all have: a feature that is core in some of them counts by
    /// its worst state there.
    pub profiles: Vec<&'q str>,
    /// The channel that a report must be for.
    pub channel: Option<Channel>,
    /// True to ask reports of all releases, else those of the minors whose reports count.
    pub is_of_all: bool,
}

/// How a report answers.
#[derive(Debug, Clone)]
pub struct Answer<'c, 'a> {
    /// Whose report it is.
    pub implementation: &'c Implementation<'a>,
    /// The report.
    pub report: &'c Report<'a>,
    /// The features that it supports, in the order of the question.
    pub met: Vec<Found>,
    /// The others.
    pub lacking: Vec<Found>,
}

/// How near a report comes to all features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    /// It proves all of them.
    Proved,
    /// It supports all of them, and proves some or none.
    Claimed,
    /// It lacks some: how many.
    Short(usize),
}

impl StateKind {
    /// All states in the order in which reports are ranked, better ones first. Those up to `Skipped`
    /// mean support.
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

    /// True where the tests of a feature were seen to pass.
    pub fn is_proof(self) -> bool {
        matches!(self, Self::Proved | Self::ProvedByLog)
    }

    /// True for a state that means support.
    pub fn is_support(self) -> bool {
        self.place() <= Self::Skipped.place()
    }

    /// Its place in [`StateKind::RANKED`].
    fn place(self) -> usize {
        let mut ranked = Self::RANKED.into_iter();
        ranked.position(|kind| kind == self).unwrap_or(usize::MAX)
    }
}

/// The state of a feature in a profile of a report; of one that neither the release nor the report
/// names, [`state_of_others`].
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

/// The state of features that neither the release of a report nor the report names: an unknown
/// release may have one.
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

/// What a report shows of a feature: the best state among the profile that is asked for, where that
/// has the feature, else among those of its family: no test of a gateway tells of a mesh.
pub fn best_state(
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

/// What a report shows of a feature that is core in some of the profiles that are asked for: its worst
/// state there, or the profiles that the report does not have. `None` for a feature that is core in none
/// of them.
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
    // The best state where a report has a profile twice.
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

/// Gives each report its place in the order of preference among reports that answer alike: newer minors,
/// then by the name of the implementation; of one implementation newer releases and versions, of these the
/// mode that is the default. The page `find` reads these places.
pub(super) fn give_preferences(implementations: &mut [Implementation<'_>]) {
    let mut order = Vec::new();
    for (at, one) in implementations.iter().enumerate() {
        let mut batch = 0;
        for (place, report) in one.reports.iter().enumerate() {
            let first = one.reports.get(batch);
            if !first.is_some_and(|first| is_beside(first, report)) {
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
    /// The minors whose reports count, newest first.
    pub fn current_minors(&self) -> Vec<Minor> {
        self.minors.newest_ones(self.windows.partial)
    }

    /// The best report of each implementation that was asked, better ones first: those that support
    /// all features, best states first, then those that lack fewer.
    pub fn answers(&self, question: &Question<'_>, registry: &Registry) -> Vec<Answer<'_, 'a>> {
        let all = self.implementations.iter();
        let mut answers: Vec<_> = all
            .filter_map(|one| self.best(one, question, None, registry))
            .collect();
        answers.sort_by_key(Answer::key);
        answers
    }

    /// The best report of an implementation, of those with a version where one is given; `None`
    /// where none was asked.
    pub fn best<'c>(
        &'c self,
        implementation: &'c Implementation<'a>,
        question: &Question<'_>,
        version: Option<&str>,
        registry: &Registry,
    ) -> Option<Answer<'c, 'a>> {
        let current: BTreeSet<Minor> = self.current_minors().into_iter().collect();
        let is_asked = |report: &Report<'_>| {
            let own = report.judged.facts.version();
            question.is_about(report, &current)
                && version.is_none_or(|asked| own.is_some_and(|own| is_same_version(own, asked)))
        };
        let asked = implementation.reports.iter().filter(|one| is_asked(one));
        let answers = asked.map(|report| self.answer(implementation, report, question, registry));
        answers.min_by_key(Answer::key)
    }

    /// How one report answers.
    fn answer<'c>(
        &'c self,
        implementation: &'c Implementation<'a>,
        report: &'c Report<'a>,
        question: &Question<'_>,
        registry: &Registry,
    ) -> Answer<'c, 'a> {
        let facts = report.judged.facts;
        let features = self.proofs.features(facts);
        let found = question.must.iter().map(|feature| {
            let asked = &question.profiles;
            if let Some((state, absence)) = core_state(facts, &features, feature, asked, registry) {
                return Found {
                    feature: (*feature).to_owned(),
                    state,
                    absence,
                };
            }
            let state = best_state(facts, &features, feature, question.profile, registry);
            let is_absent = state == State::NotInRelease;
            let absence = || Absence::try_new(facts, feature, question.profile, registry);
            Found {
                feature: (*feature).to_owned(),
                absence: is_absent.then(absence).flatten(),
                state,
            }
        });
        let (met, lacking) = found.partition(|found| found.state.kind().is_support());
        Answer {
            implementation,
            report,
            met,
            lacking,
        }
    }
}

/// True for versions that differ at most in a leading `v`.
fn is_same_version(a: &str, b: &str) -> bool {
    a.strip_prefix('v').unwrap_or(a) == b.strip_prefix('v').unwrap_or(b)
}

/// True for reports of one version for one release: they differ in channel and mode.
fn is_beside(a: &Report<'_>, b: &Report<'_>) -> bool {
    let (a, b) = (a.judged.facts, b.judged.facts);
    a.release.version == b.release.version && a.version() == b.version()
}

impl Question<'_> {
    fn is_about(&self, report: &Report<'_>, current: &BTreeSet<Minor>) -> bool {
        let facts = report.judged.facts;
        let is_in_scope =
            self.is_of_all || (report.judged.minor()).is_some_and(|minor| current.contains(&minor));
        let has_channel = self
            .channel
            .is_none_or(|channel| facts.channel() == Some(channel.as_str()));
        let has_profile = self.profile.is_none_or(|profile| {
            let mut profiles = facts.profiles.iter();
            profiles.any(|one| one.name() == Some(profile))
        });
        is_in_scope && has_channel && has_profile
    }

    /// The query of the page `find` that asks the same.
    pub fn query(&self) -> String {
        let mut parts = vec![format!("must={}", self.must.join(","))];
        let profile = self.profile.map(|profile| format!("profile={profile}"));
        let channel = self.channel.map(|channel| format!("channel={channel}"));
        let scope = self.is_of_all.then(|| "scope=all".to_owned());
        parts.extend(profile.into_iter().chain(channel).chain(scope));
        parts.join("&")
    }
}

impl Answer<'_, '_> {
    /// How near it comes to all features.
    pub fn nearness(&self) -> Nearness {
        let mut met = self.met.iter();
        match self.lacking.len() {
            0 if met.all(|found| found.state.kind().is_proof()) => Nearness::Proved,
            0 => Nearness::Claimed,
            lacking => Nearness::Short(lacking),
        }
    }

    /// The rank of the worst state of those that it supports.
    fn worst(&self) -> usize {
        let ranks = self.met.iter().map(|found| found.state.kind().place());
        ranks.max().unwrap_or(0)
    }

    /// Better answers have a lower one.
    fn key(&self) -> (usize, usize, usize) {
        (self.lacking.len(), self.worst(), self.report.preference)
    }
}
