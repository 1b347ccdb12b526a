//! Determines which features a report claims, and which features it proves.
//!
//! A supported feature is claimed, and a passed test proves it. Some suites count tests as passed
//! before they finish, which proves nothing. A missing feature is not a denial, because the suite
//! omits `extended` if no extended test was recorded.

mod shown;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

pub use shown::{ShownTests, TestState};

use super::state::State;
use super::state_order::state_in_words;
use super::unseen::UnseenTests;
use crate::certify::compared;
use crate::report::facts::{ByLog, LevelData, Name, Profile as ReportProfile, ReportFacts};
use crate::report::model::List;
use crate::report::suite;
use gwconform_base::api::{Level, NameKind, Version};
use gwconform_base::release::stated::ComparedFacts;
use gwconform_base::release::{Member, Profile, Registry, Release, Seen, Test};

/// Maximum number of features per profile. Published reports list only a few unknown features.
pub(crate) const MAX_UNKNOWN_FEATURES: usize = 200;

/// Features of one profile in a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileFeatures {
    /// Index of the profile in the report.
    pub profile: usize,
    /// Core features, sorted by name.
    pub core: Vec<(Name, State)>,
    /// Extended and other listed features, sorted by name.
    pub extended: Vec<(Name, State)>,
    /// Features that only another profile lists, with the name of that profile. The suite applies
    /// claims to the whole run.
    pub carried_over: BTreeMap<Name, Name>,
}

impl ProfileFeatures {
    /// A core feature takes precedence over an extended feature with the same name.
    pub fn state(&self, feature: &str) -> &State {
        let all = self.core.iter().chain(&self.extended);
        let mut named = all.filter(|(name, _)| &**name == feature);
        named
            .next()
            .map_or(&State::NotInRelease, |(_, state)| state)
    }

    /// Describes a state, and the profile it was carried over from.
    pub fn in_words(&self, feature: &str, state: &State) -> String {
        let words = state_in_words(state);
        match self.carried_over.get(feature).map(AsRef::as_ref) {
            Some("") => words + "; stated for another profile",
            Some(other) => words + "; stated for " + other,
            None => words,
        }
    }
}

fn retract<'s>(states: impl Iterator<Item = &'s mut (Name, State)>) {
    for (_, state) in states {
        let shows_tests = matches!(
            state,
            State::Proved { .. }
                | State::ProvedByLog { .. }
                | State::PartlySeen { .. }
                | State::NotSeen { .. }
                | State::MaybeNotSeen { .. }
        );
        if shows_tests {
            *state = State::Claimed;
        }
    }
}

/// Levels whose counts differ from the release. They prove nothing, because the missing or
/// additional tests are unknown.
fn miscounted(release: &Release, stated: &FeatureLists<'_>) -> Vec<Level> {
    let profile = stated.profile();
    let Some(name) = profile.name() else {
        return Vec::new();
    };
    let ran = suite::Ran {
        supported: stated.supported.clone(),
        provisional: stated.named.clone(),
    };
    let expected = suite::expected(release, name, &ran);
    let counts_differ = |level: Level, counted: u64| {
        let possible = expected.iter().map(|one| match level {
            Level::Core => one.core.len() as u64,
            Level::Extended => one.extended.len() as u64,
        });
        let range = possible.clone().min().zip(possible.max());
        range.is_some_and(|(least, most)| !(least..=most).contains(&counted))
    };
    let levels = profile.levels();
    levels
        .filter(|(level, data)| counts_differ(*level, data.total()))
        .map(|(level, _)| level)
        .collect()
}

/// Tests of features, by release and profile.
#[derive(Debug)]
pub struct Proofs<'r> {
    pub(super) registry: &'r Registry,
    by_profile: BTreeMap<(Version, String), Tests<'r>>,
}

#[derive(Debug)]
struct Tests<'r> {
    profile: &'r Profile,
    /// Tests that prove a feature.
    members: Vec<&'r Member>,
    /// Indexes in `members`. An extended test proves only the extended feature, so core features
    /// have only core tests.
    by_feature: BTreeMap<&'r str, Vec<usize>>,
}

impl<'r> Proofs<'r> {
    /// Collects the tests of all releases.
    pub fn new(registry: &'r Registry) -> Self {
        let releases = registry.releases().iter();
        let with_profiles = releases.filter(|release| release.extended_when().is_some());
        let by_profile = with_profiles.flat_map(|release| {
            let profiles = release.profiles();
            profiles.map(move |profile| {
                let key = (release.version().clone(), profile.name.clone());
                (key, Tests::new(release, profile))
            })
        });
        Self {
            registry,
            by_profile: by_profile.collect(),
        }
    }

    /// Features of each profile, in report order.
    pub fn features(&self, report: &ReportFacts) -> Vec<ProfileFeatures> {
        let compared = compared(report, self.registry);
        let release = compared.release();
        let profiles = report.profiles.iter().enumerate();
        let mut room = MAX_UNKNOWN_FEATURES;
        profiles
            .map(|(at, profile)| {
                let name = profile.name_or_empty();
                let key = release.map(|release| (release.version().clone(), name.to_owned()));
                let stated = FeatureLists::new(report, at);
                let suite = key.and_then(|key| {
                    let tests = self.by_profile.get(&key)?;
                    Some(SuiteTests {
                        tests,
                        results: stated.results(tests),
                        registry: self.registry,
                        compared,
                        by_log: report.by_log.as_ref(),
                    })
                });
                let mut features = self.of_profile(&stated, suite);
                features.extended.retain(|(name, _)| {
                    let is_known = self.registry.is_known(NameKind::Feature, name);
                    let is_shown = is_known || room > 0;
                    room -= usize::from(is_shown && !is_known);
                    is_shown
                });
                features.extended.shrink_to_fit();
                if report.is_cut || report.blocks_of(at).next().is_some() {
                    retract(features.core.iter_mut().chain(&mut features.extended));
                } else if let Some(release) = release {
                    for level in miscounted(release, &stated) {
                        retract(match level {
                            Level::Core => features.core.iter_mut(),
                            Level::Extended => features.extended.iter_mut(),
                        });
                    }
                }
                features
            })
            .collect()
    }

    /// Tests whose results are missing; `None` if all results are known.
    pub fn unseen(&self, report: &ReportFacts) -> Option<UnseenTests> {
        let compared = compared(report, self.registry);
        let release = compared.release()?;
        UnseenTests::try_new(report, release, |test| self.seen_of(report, compared, test))
    }

    /// Whether the report contains the result of a test that neither failed nor was skipped.
    pub fn seen(&self, report: &ReportFacts, test: &str) -> Seen {
        let compared = compared(report, self.registry);
        let known = compared.release().and_then(|release| release.test(test));
        known.map_or(Seen::NotKnown, |test| self.seen_of(report, compared, test))
    }

    fn seen_of(&self, report: &ReportFacts, compared: ComparedFacts<'r>, test: &Test) -> Seen {
        let by_log = report.by_log.as_ref();
        if by_log.is_some_and(|by_log| by_log.passed.contains(test.name.as_str())) {
            Seen::Yes
        } else {
            compared.seen(test, self.registry)
        }
    }

    fn of_profile(
        &self,
        stated: &FeatureLists<'_>,
        suite: Option<SuiteTests<'_, 'r>>,
    ) -> ProfileFeatures {
        let at = stated.at;
        let name = |feature: &str| self.registry.shared_name(feature);
        let Some(suite) = suite else {
            let listed = stated.supported.union(&stated.unsupported).copied();
            return ProfileFeatures {
                profile: at,
                core: Vec::new(),
                extended: listed
                    .map(|feature| (name(feature), stated.bare(feature)))
                    .collect(),
                carried_over: BTreeMap::new(),
            };
        };
        let profile = suite.tests.profile;
        let core = profile
            .core
            .iter()
            .map(|feature| (name(feature), stated.core(feature, &suite)));
        let extended: BTreeSet<&str> = profile.extended.iter().map(String::as_str).collect();
        let listed = stated.supported.union(&stated.unsupported).copied();
        let candidates: BTreeSet<&str> = extended.iter().copied().chain(listed).collect();
        let all = candidates
            .into_iter()
            .filter(|feature| !profile.is_core(feature));
        let state = |feature: &str| {
            if extended.contains(feature) {
                stated.extended(feature, &suite)
            } else {
                stated.bare(feature)
            }
        };
        let extended: Vec<_> = all.map(|feature| (name(feature), state(feature))).collect();
        let carried_over = extended.iter().filter_map(|(feature, state)| {
            let other = stated.carried_over(feature, state)?;
            Some((feature.clone(), Name::from(other)))
        });
        ProfileFeatures {
            profile: at,
            core: core.collect(),
            carried_over: carried_over.collect(),
            extended,
        }
    }
}

impl<'r> Tests<'r> {
    fn new(release: &'r Release, profile: &'r Profile) -> Self {
        let mut members = Vec::new();
        let mut by_feature: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for member in release.members(profile) {
            let proved = match member.level {
                Level::Core => &member.test.features,
                Level::Extended => &member.needs,
            };
            let proved: BTreeSet<&str> = proved.iter().map(String::as_str).collect();
            for feature in &proved {
                by_feature.entry(feature).or_default().push(members.len());
            }
            if !proved.is_empty() {
                members.push(member);
            }
        }
        Self {
            profile,
            members,
            by_feature,
        }
    }

    fn of_feature(&self, feature: &str) -> &[usize] {
        self.by_feature.get(feature).map_or(&[], Vec::as_slice)
    }
}

struct SuiteTests<'t, 'r> {
    tests: &'t Tests<'r>,
    /// One for each member.
    results: Vec<StatedResult>,
    registry: &'r Registry,
    compared: ComparedFacts<'r>,
    by_log: Option<&'t ByLog>,
}

impl SuiteTests<'_, '_> {
    fn state_of_passed(&self, ran: &[&Test]) -> State {
        let count = |wanted: Seen| {
            let tests = ran.iter();
            let found = tests.filter(|test| self.compared.seen(test, self.registry) == wanted);
            found.count() as u32
        };
        let tests = ran.len() as u32;
        let is_in_log = |by_log: &ByLog| {
            ran.iter()
                .all(|test| by_log.passed.contains(test.name.as_str()))
        };
        if self.by_log.is_some_and(is_in_log) {
            return State::ProvedByLog { tests };
        }
        match (count(Seen::NotKnown), count(Seen::No)) {
            (0, 0) => State::Proved { tests },
            (0, unseen) if unseen == tests => State::NotSeen { tests },
            (0, unseen) => State::PartlySeen { tests, unseen },
            (unseen, _) => State::MaybeNotSeen { tests, unseen },
        }
    }
}

/// What the lists of a report state about a test.
#[derive(Clone, Copy)]
struct StatedResult {
    is_failed: bool,
    is_skipped: bool,
    has_run: bool,
}

/// Features with the name of the profile that lists them.
type Claims<'f> = BTreeMap<&'f str, &'f str>;

struct FeatureLists<'f> {
    report: &'f ReportFacts,
    at: usize,
    has_core: bool,
    has_extended: bool,
    supported: BTreeSet<&'f str>,
    unsupported: BTreeSet<&'f str>,
    /// Supported and unsupported features of other profiles, with the name of the first.
    elsewhere: OnceCell<(Claims<'f>, Claims<'f>)>,
    skipped: BTreeSet<&'f str>,
    failed: BTreeSet<&'f str>,
    named: BTreeSet<&'f str>,
}

fn set<'f>(names: impl IntoIterator<Item = &'f Name>) -> BTreeSet<&'f str> {
    names.into_iter().map(AsRef::as_ref).collect()
}

fn lists<'f>(
    levels: impl Iterator<Item = &'f LevelData>,
    list: fn(&LevelData) -> &Option<List<Name>>,
) -> impl Iterator<Item = &'f Name> {
    levels.flat_map(list).flatten()
}

impl<'f> FeatureLists<'f> {
    fn new(report: &'f ReportFacts, at: usize) -> Self {
        let profile = &report.profiles[at];
        let levels = |profile: &'f ReportProfile| profile.levels().map(|(_, level)| level);
        let all = report.profiles.iter().flat_map(levels);
        let skipped = set(lists(levels(profile), |level| &level.skipped_tests));
        let failed = set(lists(levels(profile), |level| &level.failed_tests));
        let mut named = set(&report.succeeded_provisional);
        named.extend(set(all.flat_map(LevelData::named_tests)));
        Self {
            report,
            at,
            has_core: profile.core.is_some(),
            has_extended: profile.extended.is_some(),
            supported: set(lists(levels(profile), |level| &level.supported_features)),
            unsupported: set(lists(levels(profile), |level| &level.unsupported_features)),
            elsewhere: OnceCell::new(),
            skipped,
            failed,
            named,
        }
    }

    fn profile(&self) -> &'f ReportProfile {
        &self.report.profiles[self.at]
    }

    fn elsewhere(&self) -> &(Claims<'f>, Claims<'f>) {
        let claims = |list: fn(&LevelData) -> &Option<List<Name>>| {
            let mut claims = Claims::new();
            let profiles = self.report.profiles.iter().enumerate();
            for (_, other) in profiles.filter(|(other, _)| *other != self.at) {
                let levels = other.levels().map(|(_, level)| level);
                for name in lists(levels, list) {
                    claims.entry(name).or_insert(other.name_or_empty());
                }
            }
            claims
        };
        self.elsewhere.get_or_init(|| {
            (
                claims(|level| &level.supported_features),
                claims(|level| &level.unsupported_features),
            )
        })
    }

    fn bare(&self, feature: &str) -> State {
        match (
            self.supported.contains(feature),
            self.unsupported.contains(feature),
        ) {
            (true, true) | (false, false) => State::NotStated,
            (true, false) => State::Claimed,
            (false, true) => State::Unsupported,
        }
    }

    /// A profile in a report claims all core features of the profile.
    fn core(&self, feature: &str, suite: &SuiteTests<'_, '_>) -> State {
        if !self.has_core {
            return State::NotStated;
        }
        proof(feature, suite)
    }

    fn extended(&self, feature: &str, suite: &SuiteTests<'_, '_>) -> State {
        let (supported, unsupported) = (&self.supported, &self.unsupported);
        match (supported.contains(feature), unsupported.contains(feature)) {
            (true, true) => return State::NotStated,
            (true, false) => return proof(feature, suite),
            (false, true) => return State::Unsupported,
            (false, false) => {}
        }
        if self.has_extended {
            return State::NotStated;
        }
        let has_test = !suite.tests.of_feature(feature).is_empty();
        let (supported, unsupported) = self.elsewhere();
        match (
            supported.contains_key(feature),
            unsupported.contains_key(feature),
        ) {
            (true, false) if !has_test => State::NoTest {
                not_run: Box::default(),
            },
            (false, true) => State::Unsupported,
            (false, false) if would_have_run(feature, suite.tests) => State::NotClaimed,
            _ => State::NotStated,
        }
    }

    fn carried_over(&self, feature: &str, state: &State) -> Option<&'f str> {
        if self.supported.contains(feature) || self.unsupported.contains(feature) {
            return None;
        }
        let (supported, unsupported) = self.elsewhere();
        let claims = match state {
            State::NoTest { .. } => supported,
            State::Unsupported => unsupported,
            _ => return None,
        };
        claims.get(feature).copied()
    }

    fn results(&self, tests: &Tests<'_>) -> Vec<StatedResult> {
        let result = |member: &&Member| {
            let name = member.test.name.as_str();
            let mut needed = member.needs.iter();
            StatedResult {
                is_failed: self.failed.contains(name),
                is_skipped: self.skipped.contains(name),
                has_run: needed.all(|needed| self.supported.contains(needed.as_str()))
                    && (!member.test.provisional || self.named.contains(name)),
            }
        };
        tests.members.iter().map(result).collect()
    }
}

/// True if, for a claimed feature, the suite would have recorded an extended test and written
/// `extended`.
fn would_have_run(feature: &str, tests: &Tests<'_>) -> bool {
    tests.of_feature(feature).iter().any(|at| {
        let member = tests.members[*at];
        member.level == Level::Extended
            && !member.test.provisional
            && member.needs.iter().all(|needed| needed == feature)
    })
}

fn proof(feature: &str, suite: &SuiteTests<'_, '_>) -> State {
    let all = suite.tests.of_feature(feature).iter();
    let all = all.map(|at| (&*suite.tests.members[*at].test, suite.results[*at]));
    let among = |is_among: fn(StatedResult) -> bool| {
        let found = all.clone().filter(move |(_, result)| is_among(*result));
        found.map(|(test, _)| test)
    };
    let names = |tests: &[&Test]| -> Box<Vec<Name>> {
        let names = tests.iter().map(|test| Name::from(test.name.as_str()));
        Box::new(names.collect())
    };
    let failed: Vec<&Test> = among(|result| result.is_failed).collect();
    let skipped: Vec<&Test> = among(|result| result.is_skipped).collect();
    let ran: Vec<&Test> = among(|result| result.has_run).collect();
    if !failed.is_empty() {
        return State::Failed {
            tests: names(&failed),
        };
    }
    if !skipped.is_empty() {
        return State::Skipped {
            tests: names(&skipped),
            of: ran.len().max(skipped.len()) as u32,
        };
    }
    if ran.is_empty() {
        let all: Vec<&Test> = all.map(|(test, _)| test).collect();
        return State::NoTest {
            not_run: names(&all),
        };
    }
    suite.state_of_passed(&ran)
}
