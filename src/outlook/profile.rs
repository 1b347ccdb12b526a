//! Compares a profile of the last report with another suite.

use std::collections::{BTreeMap, BTreeSet};

use super::claims::Claims;
use super::{NewTest, ProfileOutlook, Renamed, Undecided, name_in};
use gwconform_base::api::{Level, NameKind};
use gwconform_base::release::{self, Registry, Release, Test};
use gwconform_report::report::facts::{LevelData, Name, Profile, ReportFacts};
use gwconform_report::report::suite::{self, Expected, Ran};

pub(super) struct Comparison<'c, 'r> {
    pub(super) registry: &'r Registry,
    pub(super) release: &'r Release,
    pub(super) base: Option<&'r Release>,
    pub(super) report: &'c ReportFacts,
    pub(super) claims: &'c Claims<'c, 'r>,
}

pub(super) struct Compared<'r> {
    pub(super) outlook: ProfileOutlook<'r>,
    pub(super) renamed: Vec<Renamed<'r>>,
    pub(super) undecided: Vec<Undecided<'r>>,
}

#[derive(Default)]
struct Before<'r> {
    core: BTreeMap<&'r str, &'r Test>,
    recorded: BTreeMap<&'r str, &'r Test>,
    levels: BTreeMap<&'r str, Level>,
    gone: Vec<&'r str>,
    total: usize,
}

impl<'r> Comparison<'_, 'r> {
    pub(super) fn profile(&self, profile: &Profile) -> Compared<'r> {
        let name = profile.name_or_empty();
        let last = self.last_run(profile);
        let olds: Vec<&str> = match &last {
            Some(last) => last.profiles.iter().map(|one| one.name.as_str()).collect(),
            None => vec![name],
        };
        let names: Vec<_> = olds
            .into_iter()
            .filter_map(|old| self.now(NameKind::Profile, old))
            .collect();
        let profiles = names.iter().filter_map(|name| self.release.profile(name));
        let before = last
            .as_ref()
            .map_or_else(Before::default, |last| self.before(last));
        let new = self.next_run(profile, profiles.collect());
        let has_run =
            |test: &Test| !test.provisional || before.recorded.contains_key(test.name.as_str());
        let core_tests = new.core.iter().filter(|test| has_run(test));
        let [failed_tests, skipped_tests] = self.not_passed(profile, &new);
        Compared {
            renamed: renamed(name, &names, &before),
            undecided: self.undecided(last.as_ref(), &new),
            outlook: ProfileOutlook {
                profile: name.to_owned(),
                core_test_count: before.total,
                new_core_test_count: core_tests.count(),
                new_core_tests: core_new(&before, &new),
                removed_core_tests: core_gone(&before, &new),
                new_extended_tests: extended_new(&before, &new),
                failed_tests,
                skipped_tests,
                not_seen_tests: if self.is_exact() {
                    not_proved(&before, &new)
                } else {
                    Vec::new()
                },
                profiles_in_release: names,
            },
        }
    }

    fn now(&self, kind: NameKind, name: &str) -> Option<&'r str> {
        name_in(self.release, self.registry, kind, name)
    }

    /// True for data of the exact release. Suites of other patches may write reports at a different
    /// time.
    fn is_exact(&self) -> bool {
        self.base.map(Release::version) == self.report.release.version.as_ref()
    }

    fn last_run(&self, profile: &Profile) -> Option<Expected<'r>> {
        let ran = Ran {
            supported: self.claims.of_profile(profile),
            provisional: self.named_tests(),
        };
        let total = profile.core.as_ref().map_or(0, LevelData::total);
        let mut possible = suite::expected(self.base?, profile.name_or_empty(), &ran);
        let fits = |one: &Expected<'_>| one.core.len() as u64 == total;
        let at = possible.iter().position(fits).unwrap_or_default();
        (at < possible.len()).then(|| possible.swap_remove(at))
    }

    fn named_tests(&self) -> BTreeSet<&str> {
        let levels = self.report.profiles.iter().flat_map(Profile::levels);
        let named = levels.flat_map(|(_, level)| level.named_tests());
        let provisional = &self.report.succeeded_provisional;
        named.chain(provisional).map(AsRef::as_ref).collect()
    }

    fn next_run(&self, profile: &Profile, profiles: Vec<&'r release::Profile>) -> Expected<'r> {
        let provisional = self.release.tests().filter(|test| test.provisional);
        let ran = Ran {
            supported: self.claims.of_profile_now(profile),
            provisional: provisional.map(|test| test.name.as_str()).collect(),
        };
        suite::recorded(self.release, profile.name_or_empty(), profiles, &ran)
    }

    fn before(&self, last: &Expected<'r>) -> Before<'r> {
        let mut before = Before {
            total: last.core.len(),
            ..Before::default()
        };
        for &test in last.core.iter().chain(&last.extended) {
            if let Some(now) = self.now(NameKind::Test, &test.name) {
                before.recorded.insert(now, test);
            }
        }
        for &test in &last.core {
            match self.now(NameKind::Test, &test.name) {
                Some(now) => drop(before.core.insert(now, test)),
                None => before.gone.push(&test.name),
            }
        }
        let members = self.base.into_iter().flat_map(|base| {
            let profiles = last.profiles.iter();
            profiles.flat_map(move |profile| base.members(profile))
        });
        for member in members {
            if let Some(now) = self.now(NameKind::Test, &member.test.name) {
                let level = before.levels.entry(now).or_insert(member.level);
                *level = member.level.min(*level);
            }
        }
        before
    }

    /// Failed tests, and skipped tests that did not fail.
    fn not_passed(&self, profile: &Profile, new: &Expected<'r>) -> [BTreeSet<&'r str>; 2] {
        let runs = by_name(new.core.iter().chain(&new.extended));
        let now = |test: &Name| {
            let now = self.now(NameKind::Test, test)?;
            runs.contains_key(now).then_some(now)
        };
        let levels = || profile.levels().map(|(_, level)| level);
        let failed = levels().flat_map(|level| level.failed_tests.iter().flatten());
        let failed: BTreeSet<&str> = failed.filter_map(now).collect();
        let skipped = levels().flat_map(|level| level.skipped_tests.iter().flatten());
        let mut skipped: BTreeSet<&str> = skipped.filter_map(now).collect();
        skipped.retain(|test| !failed.contains(test));
        [failed, skipped]
    }

    fn undecided(&self, last: Option<&Expected<'r>>, new: &Expected<'r>) -> Vec<Undecided<'r>> {
        let olds = last.into_iter().flat_map(|last| &last.profiles);
        let known: BTreeSet<&str> = olds
            .flat_map(|old| &old.extended)
            .filter_map(|feature| self.now(NameKind::Feature, feature))
            .collect();
        let is_undecided = |profile: &release::Profile, name: &str| {
            !known.contains(name) && !profile.is_core(name) && !self.claims.names(name)
        };
        let profiles = new.profiles.iter().copied();
        let features = profiles.flat_map(|profile| {
            let extended = profile.extended.iter().map(move |name| (profile, name));
            extended.filter(|(profile, name)| is_undecided(profile, name))
        });
        let undecided = features.filter_map(|(profile, name)| {
            let members = self.release.members(profile).iter();
            let needing = members.filter(|member| member.needs.contains(name));
            let feature = self.release.feature(name)?;
            Some(Undecided {
                feature: &feature.name,
                channel: feature.channel,
                description: feature.meaning.as_deref(),
                profiles: vec![&profile.name],
                tests: needing.map(|member| member.test.name.as_str()).collect(),
            })
        });
        undecided.collect()
    }
}

impl Before<'_> {
    fn level(&self, test: &Test) -> Option<Level> {
        self.levels.get(test.name.as_str()).copied()
    }
}

fn renamed<'r>(name: &str, names: &[&'r str], before: &Before<'r>) -> Vec<Renamed<'r>> {
    let tests = before.recorded.iter();
    let tests = tests.map(|(now, test)| (NameKind::Test, test.name.as_str(), *now));
    let profile = match names {
        [now] => Some((NameKind::Profile, name, *now)),
        _ => None,
    };
    let changed = tests.chain(profile).filter(|(_, old, new)| old != new);
    changed
        .map(|(kind, old, new)| Renamed {
            kind,
            old: old.to_owned(),
            new,
        })
        .collect()
}

fn core_new<'r>(before: &Before<'r>, new: &Expected<'r>) -> Vec<NewTest<'r>> {
    let tests = by_name(&new.core).into_values().filter(|test| {
        let is_optional = test.provisional && before.level(test) == Some(Level::Core);
        !before.core.contains_key(test.name.as_str()) && !is_optional
    });
    tests.map(|test| new_test(test, before, new)).collect()
}

fn extended_new<'r>(before: &Before<'r>, new: &Expected<'r>) -> Vec<NewTest<'r>> {
    let tests = by_name(&new.extended).into_values().filter(|test| {
        let is_optional = test.provisional && before.level(test).is_some();
        !before.recorded.contains_key(test.name.as_str()) && !is_optional
    });
    tests.map(|test| new_test(test, before, new)).collect()
}

fn new_test<'r>(test: &'r Test, before: &Before<'r>, new: &Expected<'r>) -> NewTest<'r> {
    let is_core = |feature: &&str| new.profiles.iter().any(|one| one.is_core(feature));
    let features = test.features.iter().map(String::as_str);
    NewTest {
        test: &test.name,
        features: features.filter(|feature| !is_core(feature)).collect(),
        provisional: test.provisional,
        previous_level: before.level(test),
    }
}

fn by_name<'t, 'r: 't>(
    tests: impl IntoIterator<Item = &'t &'r Test>,
) -> BTreeMap<&'r str, &'r Test> {
    let tests = tests.into_iter();
    tests.map(|test| (test.name.as_str(), *test)).collect()
}

fn core_gone<'r>(before: &Before<'r>, new: &Expected<'r>) -> Vec<&'r str> {
    let core = by_name(&new.core);
    let moved = before
        .core
        .iter()
        .filter(|(now, _)| !core.contains_key(*now));
    let moved = moved.map(|(_, test)| test.name.as_str());
    let all: BTreeSet<&str> = before.gone.iter().copied().chain(moved).collect();
    all.into_iter().collect()
}

fn not_proved<'r>(before: &Before<'r>, new: &Expected<'r>) -> Vec<&'r str> {
    let runs = by_name(new.core.iter().chain(&new.extended));
    let parallel = before.recorded.iter().filter(|(_, test)| test.parallel);
    parallel
        .filter_map(|(now, _)| runs.get(now))
        .filter(|test| !test.parallel)
        .map(|test| test.name.as_str())
        .collect()
}
