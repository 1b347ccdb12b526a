//! Compares a report with the suite of its release. All rules share the result.

mod core_tests;
mod newer_suite;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::unknown_names::{self, UnknownName};
use crate::report::facts::{MAX_NAMES, MAX_PROFILES};
use crate::report::model::LevelData;
use crate::report::suite::{self, Mismatch};
use crate::report::view::{Profile, Report};
use gwconform_base::api::NameKind;
use gwconform_base::release::{Registry, Release};

pub(super) use core_tests::exceeded_core_tests;

/// Comparison of a report with the output expected from the suite.
#[derive(Debug)]
pub struct Recomputed<'a> {
    /// Release whose suite is expected.
    pub release: &'a Release,
    /// Report with corrected names in their original order. Other rules report these names.
    pub report: Cow<'a, Report<'a>>,
    /// Differences in known profiles with complete numbers.
    pub found: Vec<Mismatch<'a, 'a>>,
    /// Profiles that a newer suite must have written.
    pub of_newer_suite: BTreeSet<usize>,
}

impl<'a> Recomputed<'a> {
    /// `None` if the suite of the release had no profiles, or if the report is too large.
    pub(super) fn of(
        stated: &'a Report<'a>,
        unknown_names: &[UnknownName<'a>],
        release: &'a Release,
        registry: &'a Registry,
    ) -> Option<Self> {
        let names: usize = unknown_names::lists(stated)
            .map(|(_, _, list)| list.items.len())
            .sum();
        let is_too_much = stated.profiles.len() > MAX_PROFILES || names > MAX_NAMES;
        if is_too_much || release.extended_when().is_none() {
            return None;
        }
        let report = Meant::new(unknown_names, release, registry).report(stated);
        let mut found = suite::differences(registry, release, &report);
        found.retain(|found| {
            let profile = found.claim.and_then(|at| stated.profiles.get(at));
            profile.is_none_or(|profile| is_complete(profile) && is_known(release, profile))
        });
        Some(Self {
            release,
            of_newer_suite: newer_suite::shown(stated, registry, release, &report, &found),
            report,
            found,
        })
    }

    /// Differences of a profile that a newer suite explains.
    pub fn explained(&self, registry: &Registry, claim: usize) -> Vec<&Mismatch<'a, 'a>> {
        let found = self.found.iter();
        let of_claim = found.filter(|found| found.claim == Some(claim));
        of_claim
            .filter(|found| self.is_explained(registry, found))
            .collect()
    }

    /// True if a newer suite explains the difference.
    pub(crate) fn is_explained(&self, registry: &Registry, found: &Mismatch<'_, '_>) -> bool {
        let claim = found
            .claim
            .filter(|claim| self.of_newer_suite.contains(claim));
        let profile = claim.and_then(|claim| self.report.profiles.get(claim));
        profile.is_some_and(|profile| {
            let name = profile.name_or_empty();
            newer_suite::explains(registry, self.release, name, &found.difference)
        })
    }

    /// Unexpected names in the profiles of a newer suite.
    pub(crate) fn names_of_newer_suite(&self) -> BTreeSet<&'a str> {
        let is_newer = |found: &&Mismatch<'_, '_>| {
            found
                .claim
                .is_some_and(|claim| self.of_newer_suite.contains(&claim))
        };
        let found = self.found.iter().filter(is_newer);
        found
            .flat_map(|found| found.difference.unexpected_names().1)
            .map(|name| name.name)
            .collect()
    }

    /// Expected core tests, without provisional tests that the report does not name.
    pub(crate) fn least_core_tests(&self, claim: usize) -> Option<u64> {
        let name = self.report.profiles.get(claim)?.name_or_empty();
        let ran = suite::Ran {
            provisional: self.report.named_tests(),
            ..suite::Ran::default()
        };
        let possible = suite::expected(self.release, name, &ran);
        possible.iter().map(|one| one.core.len() as u64).min()
    }
}

fn is_known(release: &Release, profile: &Profile<'_>) -> bool {
    let name = profile.name;
    name.is_some_and(|name| release.reports_profile(name.value))
}

fn is_complete(profile: &Profile<'_>) -> bool {
    let extended = profile.extended.as_ref();
    let core = profile.core.as_ref();
    core.is_some_and(LevelData::is_counted) && extended.is_none_or(LevelData::is_counted)
}

struct Meant<'c, 'a> {
    registry: &'a Registry,
    release: &'a Release,
    typos: BTreeMap<(NameKind, &'c str), &'a str>,
}

impl<'c, 'a> Meant<'c, 'a> {
    fn new(
        unknown_names: &'c [UnknownName<'a>],
        release: &'a Release,
        registry: &'a Registry,
    ) -> Self {
        let typos = unknown_names.iter().filter_map(|unknown| {
            let (_, name) = unknown.places.first()?;
            Some(((unknown.kind, name.value), unknown.meant()?))
        });
        Self {
            registry,
            release,
            typos: typos.collect(),
        }
    }

    fn report(&self, report: &'a Report<'a>) -> Cow<'a, Report<'a>> {
        let mut lists = unknown_names::lists(report);
        let is_meant =
            lists.all(|(kind, _, list)| list.into_iter().all(|name| self.of(kind, name) == *name));
        if is_meant {
            return Cow::Borrowed(report);
        }
        let mut renamed = report.clone();
        for (kind, list) in renamed.lists_mut() {
            for item in &mut list.items {
                item.value = self.of(kind, item.value);
            }
        }
        Cow::Owned(renamed)
    }

    fn of(&self, kind: NameKind, name: &'a str) -> &'a str {
        let meant = self
            .typos
            .get(&(kind, name))
            .copied()
            .or_else(|| match kind {
                NameKind::Feature => newer_name(self.registry, self.release, name),
                NameKind::Profile | NameKind::Test => None,
            });
        meant.unwrap_or(name)
    }
}

/// New name of a feature. `None` if the release has `name` itself.
pub fn newer_name<'r>(registry: &'r Registry, release: &Release, name: &str) -> Option<&'r str> {
    let mut seen = BTreeSet::new();
    let mut name = name;
    while let Some((newer, _)) = registry.renamed_to(NameKind::Feature, name) {
        if release.feature(name).is_some() {
            return None;
        }
        // Invalid release data may contain cycles.
        if !seen.insert(newer) {
            return None;
        }
        name = newer;
        if release.feature(newer).is_some() {
            return Some(newer);
        }
    }
    None
}
