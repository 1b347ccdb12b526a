//! Compares the profiles of two reports: verdicts, test results and claims.

use std::collections::{BTreeMap, BTreeSet};

use super::{Change, Claim, Diff, TestOutcome};
use crate::certify::{ProfileVerdict, Status};
use crate::report::facts::{Name, Profile, ReportFacts};
use crate::report::suite::{self, Ran};
use gwconform_base::api::NameKind;
use gwconform_base::release::{Registry, Release};

pub(super) struct Side<'f> {
    pub(super) facts: &'f ReportFacts,
    pub(super) verdicts: Vec<ProfileVerdict>,
    pub(super) release: Option<&'f Release>,
}

impl<'f> Side<'f> {
    fn ran(&self, profile: &Profile) -> Option<BTreeSet<&'f str>> {
        let levels = || profile.levels().map(|(_, level)| level);
        let supported = levels().flat_map(|level| level.supported_features.iter().flatten());
        let of_all = self.facts.profiles.iter().flat_map(Profile::levels);
        let named = of_all.flat_map(|(_, level)| level.named_tests());
        let ran = Ran {
            supported: supported.map(AsRef::as_ref).collect(),
            provisional: named
                .chain(&self.facts.succeeded_provisional)
                .map(AsRef::as_ref)
                .collect(),
        };
        let possible = suite::expected(self.release?, profile.name_or_empty(), &ran);
        let tests = possible
            .iter()
            .flat_map(|one| one.core.iter().chain(&one.extended));
        let names: BTreeSet<&str> = tests.map(|test| test.name.as_str()).collect();
        (!names.is_empty()).then_some(names)
    }
}

type Named<'f> = BTreeMap<&'f str, (&'f Profile, &'f ProfileVerdict)>;

pub(super) fn compare<'f>(
    old: &'f Side<'f>,
    new: &'f Side<'f>,
    registry: &'f Registry,
    diff: &mut Diff,
) {
    // The new report can also contain an outdated name.
    let names = |name: &'f str| today(registry, NameKind::Profile, name, new.release);
    let (olds, news) = (named(old, &names), named(new, &names));
    for (name, (_, verdict)) in &olds {
        if !news.contains_key(name) {
            diff.regressions.push(Change::ProfileGone {
                profile: verdict.profile.clone(),
            });
        }
    }
    for (name, (profile, verdict)) in &news {
        let Some((old_profile, old_verdict)) = olds.get(name) else {
            diff.gains.push(Change::ProfileNew {
                profile: verdict.profile.clone(),
            });
            continue;
        };
        let change = Change::Verdict {
            profile: verdict.profile.clone(),
            old: old_verdict.status,
            new: verdict.status,
        };
        match verdict.status.cmp(&old_verdict.status) {
            std::cmp::Ordering::Less => diff.regressions.push(change),
            std::cmp::Ordering::Greater => diff.gains.push(change),
            std::cmp::Ordering::Equal => {}
        }
        let pair = Pair {
            profile: &verdict.profile,
            old: old_profile,
            new: profile,
            registry,
            old_side: old,
            new_side: new,
        };
        pair.tests(diff, [old_verdict.status, verdict.status]);
        pair.features(diff);
    }
}

fn named<'f>(side: &'f Side<'_>, name_of: &dyn Fn(&'f str) -> &'f str) -> Named<'f> {
    let mut named = Named::new();
    for (profile, verdict) in side.facts.profiles.iter().zip(&side.verdicts) {
        let name = name_of(&verdict.profile);
        named.entry(name).or_insert((profile, verdict));
    }
    named
}

fn today<'f>(
    registry: &'f Registry,
    kind: NameKind,
    name: &'f str,
    release: Option<&Release>,
) -> &'f str {
    let has = |name: &str| {
        release.is_none_or(|release| match kind {
            NameKind::Feature => release.feature(name).is_some(),
            NameKind::Profile => release.profile(name).is_some(),
            NameKind::Test => release.test(name).is_some(),
        })
    };
    let mut seen = BTreeSet::new();
    let mut now = name;
    while !has(now) {
        let newer = registry.renamed_to(kind, now);
        match newer.filter(|_| seen.insert(now)) {
            Some((newer, _)) => now = newer,
            // Both reports can be older than the rename, or passed in reverse order.
            None => return name,
        }
    }
    now
}

struct Pair<'f> {
    profile: &'f Name,
    old: &'f Profile,
    new: &'f Profile,
    registry: &'f Registry,
    old_side: &'f Side<'f>,
    new_side: &'f Side<'f>,
}

impl<'f> Pair<'f> {
    fn tests(&self, diff: &mut Diff, statuses: [Status; 2]) {
        if statuses.contains(&Status::Unreadable) {
            return;
        }
        let olds = outcomes(self.old, &|name| self.today(NameKind::Test, name));
        let news = outcomes(self.new, &|name| self.today(NameKind::Test, name));
        let names: BTreeSet<&str> = olds.keys().chain(news.keys()).copied().collect();
        if names.is_empty() {
            return;
        }
        let old_ran = self.old_side.ran(self.old);
        let new_ran = self.new_side.ran(self.new);
        for name in names {
            let of = |named: &BTreeMap<&str, TestOutcome>,
                      release: Option<&Release>,
                      ran: &Option<BTreeSet<&str>>| {
                let is_there = release.is_none_or(|release| release.test(name).is_some());
                let has_run = ran.as_ref().is_none_or(|ran| self.is_among(name, ran));
                let absent = match (is_there, has_run) {
                    (false, _) => TestOutcome::NotInRelease,
                    (true, false) => TestOutcome::NotRun,
                    (true, true) => TestOutcome::NotNamed,
                };
                named.get(name).copied().unwrap_or(absent)
            };
            let (old, new) = (
                of(&olds, self.old_release_for(name), &old_ran),
                of(&news, self.new_side.release, &new_ran),
            );
            if old == new {
                continue;
            }
            let change = Change::Test {
                profile: self.profile.clone(),
                test: self.registry.shared_name(name),
                old,
                new,
            };
            match (old, new) {
                // A test that did not run in one of the reports is neither a regression nor a gain.
                (old, new) if !(old.has_run() && new.has_run()) => diff.metadata.push(change),
                (old, new) if new < old => diff.regressions.push(change),
                _ => diff.gains.push(change),
            }
        }
    }

    fn is_among(&self, test: &str, ran: &BTreeSet<&str>) -> bool {
        let older = self.registry.renamed_from(NameKind::Test, test);
        ran.contains(test) || older.is_some_and(|(older, _)| ran.contains(older))
    }

    fn old_release_for(&self, test: &str) -> Option<&Release> {
        let release = self.old_side.release?;
        let older = self.registry.renamed_from(NameKind::Test, test);
        let is_renamed = older.is_some_and(|(older, _)| release.test(older).is_some());
        (!is_renamed).then_some(release)
    }

    fn features(&self, diff: &mut Diff) {
        let olds = claims(self.old, &|name| self.today(NameKind::Feature, name));
        let news = claims(self.new, &|name| self.today(NameKind::Feature, name));
        let names: BTreeSet<&str> = olds.keys().chain(news.keys()).copied().collect();
        let old_profile = (self.old_side.release.zip(self.old.name()))
            .and_then(|(release, name)| release.profile(name));
        let new_profile = (self.new_side.release).and_then(|release| release.profile(self.profile));
        for name in names {
            let of = |claims: &BTreeMap<&str, Claim>, is_there: bool| {
                let absent = if is_there {
                    Claim::NotStated
                } else {
                    Claim::NotInRelease
                };
                claims.get(name).copied().unwrap_or(absent)
            };
            let was_there = old_profile.is_none_or(|profile| {
                let older = || self.registry.renamed_from(NameKind::Feature, name);
                profile.is_extended(name)
                    || older().is_some_and(|(older, _)| profile.is_extended(older))
            });
            let is_there = new_profile.is_none_or(|profile| profile.is_extended(name));
            let (old, new) = (of(&olds, was_there), of(&news, is_there));
            if old == new {
                continue;
            }
            let change = Change::Feature {
                profile: self.profile.clone(),
                feature: self.registry.shared_name(name),
                old,
                new,
                removed_in: (new == Claim::NotInRelease)
                    .then(|| self.removed_in(name))
                    .flatten(),
            };
            match (old, new) {
                (Claim::Supported, Claim::Unsupported | Claim::NotStated) => {
                    diff.regressions.push(change);
                }
                (_, Claim::Supported) => diff.gains.push(change),
                // A feature that is new in the release matters only if it is supported.
                (Claim::NotInRelease, _) | (Claim::NotStated, Claim::NotInRelease) => {}
                _ => diff.metadata.push(change),
            }
        }
    }

    fn removed_in(&self, feature: &str) -> Option<String> {
        let last = self.registry.until(NameKind::Feature, feature)?;
        let is_later = self.new_side.release?.version() > last.version();
        is_later.then(|| self.registry.removed_in(NameKind::Feature, feature))?
    }

    fn today(&self, kind: NameKind, name: &'f str) -> &'f str {
        today(self.registry, kind, name, self.new_side.release)
    }
}

fn outcomes<'f>(
    profile: &'f Profile,
    name_of: &dyn Fn(&'f str) -> &'f str,
) -> BTreeMap<&'f str, TestOutcome> {
    let mut outcomes = BTreeMap::new();
    for (_, level) in profile.levels() {
        for (list, outcome) in [
            (&level.failed_tests, TestOutcome::Failed),
            (&level.skipped_tests, TestOutcome::Skipped),
        ] {
            for test in list.iter().flatten() {
                outcomes.entry(name_of(test)).or_insert(outcome);
            }
        }
    }
    outcomes
}

fn claims<'f>(
    profile: &'f Profile,
    name_of: &dyn Fn(&'f str) -> &'f str,
) -> BTreeMap<&'f str, Claim> {
    let mut claims = BTreeMap::new();
    for (_, level) in profile.levels() {
        for (list, claim) in [
            (&level.supported_features, Claim::Supported),
            (&level.unsupported_features, Claim::Unsupported),
        ] {
            for name in list.iter().flatten() {
                let known_claim = claims.entry(name_of(name)).or_insert(claim);
                if *known_claim != claim {
                    *known_claim = Claim::NotStated;
                }
            }
        }
    }
    claims
}
