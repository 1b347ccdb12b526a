//! Compares a report with release data alone, to find what the suite of a release cannot have
//! written.

use std::collections::BTreeSet;

use super::{
    Expected, Mismatch, Ran, SuiteMismatch, UnexpectedName, candidates, core_total, expected,
    level, needs,
};
use crate::report::model::{self, LevelData, List, Report};
use gwconform_base::api::{Level, NameKind};
use gwconform_base::release::{Profile, Registry, Release};

type Claim<'a, P> = model::Profile<&'a str, P>;

/// Differences by profile, then of the report. Empty if the suite had no profiles. `registry`
/// provides the releases that expect an unexpected name.
pub fn differences<'a, 'r, P>(
    registry: &'r Registry,
    release: &'r Release,
    report: &Report<&'a str, P>,
) -> Vec<Mismatch<'a, 'r>> {
    if release.extended_when().is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for at in 0..report.profiles.len() {
        let differences = differences_of(registry, release, report, at);
        found.extend(differences.into_iter().map(|difference| Mismatch {
            claim: Some(at),
            difference,
        }));
    }
    for &name in report.succeeded_provisional_tests.iter().flatten() {
        let is_provisional =
            |release: &Release| release.test(name).is_some_and(|test| test.provisional);
        if !is_provisional(release) {
            let test = unexpected_name(registry, name, is_provisional);
            found.push(Mismatch {
                claim: None,
                difference: SuiteMismatch::NotProvisional { test },
            });
        }
    }
    found
}

/// Returns the differences in one profile.
pub(crate) fn differences_of<'a, 'r, P>(
    registry: &'r Registry,
    release: &'r Release,
    report: &Report<&'a str, P>,
    at: usize,
) -> Vec<SuiteMismatch<'a, 'r>> {
    let Some(claim) = report.profiles.get(at) else {
        return Vec::new();
    };
    let ran = ran(report, claim);
    let possible = expected(release, claim.name_or_empty(), &ran);
    let core_totals: BTreeSet<u64> = possible.iter().map(|one| one.core.len() as u64).collect();
    let nearest = possible
        .iter()
        .map(|one| compare(registry, release, report, claim, one, &ran, &core_totals))
        .min_by_key(Vec::len);
    nearest.unwrap_or_else(|| vec![SuiteMismatch::UnknownProfile])
}

fn ran<'a, P>(report: &Report<&'a str, P>, claim: &Claim<'a, P>) -> Ran<'a> {
    Ran {
        supported: supported(claim).collect(),
        provisional: report.named_tests(),
    }
}

/// Releases after `release` whose suite could have written the profile, sorted by version.
pub(crate) fn later_that_fit<'r, P>(
    registry: &'r Registry,
    release: &Release,
    report: &Report<&str, P>,
    at: usize,
) -> Vec<&'r Release> {
    let Some(claim) = report.profiles.get(at) else {
        return Vec::new();
    };
    let releases = registry.releases();
    let later = releases.partition_point(|one| one.version() <= release.version());
    let mut fits = with_core_totals(&releases[later..], report, std::slice::from_ref(claim));
    fits.retain(|later| differences_of(registry, later, report, at).is_empty());
    fits
}

/// Finds a feature that was probably added after the run, because the numbers match without it.
pub(crate) fn fits_without<'r, P>(
    release: &'r Release,
    report: &Report<&str, P>,
    at: usize,
) -> Option<&'r str> {
    let claim = report.profiles.get(at)?;
    let reported = claim.extended.as_ref()?.total();
    let mut ran = ran(report, claim);
    let profile = release.profile(claim.name_or_empty())?;
    let mut found = None;
    for feature in profile.extended.iter().map(String::as_str) {
        if !ran.supported.remove(feature) {
            continue;
        }
        let possible = expected(release, claim.name_or_empty(), &ran);
        let fits = possible
            .iter()
            .any(|one| one.extended.len() as u64 == reported);
        ran.supported.insert(feature);
        if fits && found.replace(feature).is_some() {
            return None;
        }
    }
    found
}

/// Finds the feature that was moved to the unsupported ones after the run, because the profile
/// matches if it is supported.
pub(crate) fn fits_with<'r, P: Clone>(
    registry: &'r Registry,
    release: &'r Release,
    report: &Report<&str, P>,
    at: usize,
) -> Option<&'r str> {
    let claim = report.profiles.get(at)?;
    let unsupported = claim.extended.as_ref()?.unsupported_features.as_ref()?;
    let mut found = None;
    for feature in &release.profile(claim.name_or_empty())?.extended {
        let Some(item) = unsupported
            .items
            .iter()
            .position(|one| one.value == *feature)
        else {
            continue;
        };
        let mut moved = report.clone();
        let extended = moved.profiles[at].extended.as_mut()?;
        let list = extended.unsupported_features.as_mut()?;
        let item = list.items.remove(item);
        let (node, items) = (list.node.clone(), Vec::new());
        let supported = extended
            .supported_features
            .get_or_insert(List { node, items });
        supported.items.push(item);
        let fits = differences_of(registry, release, &moved, at).is_empty();
        if fits && found.replace(feature.as_str()).is_some() {
            return None;
        }
    }
    found
}

/// Releases whose suite could have written the report, sorted by version.
pub fn fits<'r, P>(registry: &'r Registry, report: &Report<&str, P>) -> Vec<&'r Release> {
    let mut fits = with_core_totals(registry.releases(), report, &report.profiles);
    fits.retain(|release| differences(registry, release, report).is_empty());
    fits
}

/// Releases with the reported numbers of core tests. The full comparison is expensive, and these
/// numbers exclude most releases.
fn with_core_totals<'r, P>(
    releases: &'r [Release],
    report: &Report<&str, P>,
    claims: &[Claim<'_, P>],
) -> Vec<&'r Release> {
    let ran = Ran {
        provisional: report.named_tests(),
        ..Ran::default()
    };
    let with_profiles = releases
        .iter()
        .filter(|release| release.extended_when().is_some());
    with_profiles
        .filter(|release| {
            claims
                .iter()
                .all(|claim| has_core_total(release, claim, &ran))
        })
        .collect()
}

fn has_core_total<P>(release: &Release, claim: &Claim<'_, P>, ran: &Ran<'_>) -> bool {
    let mut candidates = candidates(release, claim.name_or_empty());
    candidates.any(|profiles| core_total(release, profiles, ran) == reported_core(claim))
}

fn reported_core<P>(claim: &Claim<'_, P>) -> u64 {
    claim.core.as_ref().map_or(0, LevelData::total)
}

fn supported<'a, P>(claim: &Claim<'a, P>) -> impl Iterator<Item = &'a str> {
    let extended = claim.extended.as_ref();
    let list = extended.and_then(|extended| extended.supported_features.as_ref());
    list.into_iter().flatten().copied()
}

fn compare<'a, 'r, P>(
    registry: &'r Registry,
    release: &'r Release,
    report: &Report<&'a str, P>,
    claim: &Claim<'a, P>,
    one: &Expected<'r>,
    ran: &Ran<'a>,
    core_totals: &BTreeSet<u64>,
) -> Vec<SuiteMismatch<'a, 'r>> {
    let mut found = Vec::new();
    let reported_core = reported_core(claim);
    if reported_core != one.core.len() as u64 {
        found.push(SuiteMismatch::CoreTotal {
            reported: reported_core,
            expected: core_totals.iter().copied().collect(),
        });
    }
    let misplaced = |test, level| misplaced(registry, release, claim, one, ran, test, level);
    for &test in claim.core.iter().flat_map(LevelData::named_tests) {
        found.extend(misplaced(test, Level::Core));
    }
    let Some(extended) = &claim.extended else {
        let features = proved_here(release, report, one);
        if !features.is_empty() {
            found.push(SuiteMismatch::ExtendedAbsent { features });
        }
        return found;
    };
    let reported = extended.total();
    let computed = one.extended.len() as u64;
    if reported != computed {
        found.push(SuiteMismatch::ExtendedTotal {
            reported,
            expected: computed,
        });
    }
    features(registry, claim.name_or_empty(), extended, one, &mut found);
    for &test in extended.named_tests() {
        found.extend(misplaced(test, Level::Extended));
    }
    found
}

fn features<'a, 'r, P>(
    registry: &'r Registry,
    profile: &str,
    extended: &LevelData<&'a str, P>,
    one: &Expected<'r>,
    found: &mut Vec<SuiteMismatch<'a, 'r>>,
) {
    let lists = [&extended.supported_features, &extended.unsupported_features];
    let mut is_listed = vec![false; one.features.len()];
    let mut unexpected_names = Vec::new();
    for list in lists.into_iter().flatten() {
        // The suite sorts its lists, so the next name is usually nearby.
        let mut next = 0;
        for &name in list {
            let rest = one.features.get(next..).unwrap_or_default();
            let found = match rest.iter().take(8).position(|known| known == name) {
                Some(at) => Some(next + at),
                None => one.position(name),
            };
            match found {
                Some(at) => {
                    is_listed[at] = true;
                    next = at + 1;
                }
                None => unexpected_names.push(name),
            }
        }
    }
    let missing: Vec<_> = one
        .features
        .iter()
        .zip(is_listed)
        .filter(|(_, is_listed)| !is_listed)
        .map(|(feature, _)| feature.as_str())
        .collect();
    if !missing.is_empty() {
        found.push(SuiteMismatch::FeaturesMissing { features: missing });
    }
    if unexpected_names.is_empty() {
        return;
    }
    let names = names_of_profile(registry, profile);
    let unexpected_names = unexpected_names
        .into_iter()
        .map(|feature| {
            unexpected_name(registry, feature, |release| {
                let mut profiles = names.iter().filter_map(|name| release.profile(name));
                profiles.any(|profile| profile.is_extended(feature))
            })
        })
        .collect();
    found.push(SuiteMismatch::FeaturesUnexpected {
        features: unexpected_names,
    });
}

fn misplaced<'a, 'r, P>(
    registry: &'r Registry,
    release: &'r Release,
    claim: &Claim<'a, P>,
    one: &Expected<'r>,
    ran: &Ran<'a>,
    name: &'a str,
    reported: Level,
) -> Option<SuiteMismatch<'a, 'r>> {
    let level_in =
        |release: &Release, profile: &Profile| level(release, profile, release.test(name)?);
    let places: Vec<_> = one
        .profiles
        .iter()
        .filter_map(|profile| Some((*profile, level_in(release, profile)?)))
        .collect();
    let Some(&(_, expected)) = places.first() else {
        let names = names_of_profile(registry, claim.name_or_empty());
        let test = unexpected_name(registry, name, |release| {
            let mut profiles = release.profiles();
            profiles.any(|profile| {
                names.contains(&profile.report_name.as_str())
                    && level_in(release, profile).is_some()
            })
        });
        return Some(SuiteMismatch::TestNotInProfile { test });
    };
    let Some((profile, _)) = places.iter().find(|(_, level)| *level == reported) else {
        return Some(SuiteMismatch::TestWrongLevel {
            test: name,
            reported,
            expected,
        });
    };
    let features = match reported {
        Level::Core => Vec::new(),
        Level::Extended => needs(profile, release.test(name)?, ran),
    };
    (!features.is_empty()).then_some(SuiteMismatch::TestNeedsFeatures {
        test: name,
        features,
    })
}

fn proved_here<'r, P>(
    release: &'r Release,
    report: &Report<&str, P>,
    one: &Expected<'r>,
) -> Vec<&'r str> {
    let ran = Ran {
        supported: report.profiles.iter().flat_map(supported).collect(),
        provisional: BTreeSet::new(),
    };
    let mut features = BTreeSet::new();
    for profile in &one.profiles {
        for member in release.members(profile) {
            let is_extended = member.level == Level::Extended;
            if is_extended && !member.test.provisional && ran.supports(&member.needs) {
                features.extend(member.needs.iter().map(String::as_str));
            }
        }
    }
    features.into_iter().collect()
}

fn names_of_profile<'a>(registry: &'a Registry, name: &'a str) -> Vec<&'a str> {
    let older = registry.renamed_from(NameKind::Profile, name);
    let newer = registry.renamed_to(NameKind::Profile, name);
    let others = older.into_iter().chain(newer).map(|(other, _)| other);
    std::iter::once(name).chain(others).collect()
}

fn unexpected_name<'a, 'r>(
    registry: &'r Registry,
    name: &'a str,
    at_home: impl Fn(&Release) -> bool,
) -> UnexpectedName<'a, 'r> {
    UnexpectedName {
        name,
        at_home_in: registry.released_first(at_home),
    }
}
