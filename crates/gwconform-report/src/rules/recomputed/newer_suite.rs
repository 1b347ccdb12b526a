use std::collections::BTreeSet;

use super::exceeded_core_tests;
use crate::report::suite::{self, Mismatch, SuiteMismatch};
use crate::report::view::Report;
use gwconform_base::api::{Level, NameKind};
use gwconform_base::release::{Profile, Registry, Release};

/// Profiles with evidence of a newer suite, such as more core tests or names of later releases. For
/// the newest known minor, unknown names in the usual form also count.
///
/// If the counts match the release although the named tests would have run, the lists were edited
/// and the names are not evidence. A difference that no newer suite can cause rules out a newer
/// suite.
pub fn shown(
    stated: &Report<'_>,
    registry: &Registry,
    release: &Release,
    report: &Report<'_>,
    found: &[Mismatch<'_, '_>],
) -> BTreeSet<usize> {
    let newest = registry.newest().map(|newest| newest.version().minor());
    let is_newest = newest == Some(release.version().minor());
    let forms = is_newest.then(|| NameForms::new(registry));
    let of_claims = found.chunk_by(|a, b| a.claim == b.claim);
    let shown = of_claims.filter_map(|found| {
        let claim = found.first()?.claim?;
        let evidence = Evidence::find(
            stated,
            registry,
            release,
            report,
            claim,
            found,
            forms.as_ref(),
        )?;
        let is_shown = evidence.has_more_core_tests
            || evidence.has_names
                && (evidence.has_more_extended_tests
                    || !evidence.has_tests
                    || fits_later(registry, release, report, claim));
        is_shown.then_some(claim)
    });
    shown.collect()
}

#[derive(Default)]
struct Evidence {
    has_more_core_tests: bool,
    has_more_extended_tests: bool,
    has_names: bool,
    has_tests: bool,
}

impl Evidence {
    /// `None` if a newer suite cannot explain a difference.
    fn find(
        stated: &Report<'_>,
        registry: &Registry,
        release: &Release,
        report: &Report<'_>,
        claim: usize,
        found: &[Mismatch<'_, '_>],
        forms: Option<&NameForms<'_>>,
    ) -> Option<Self> {
        let profile = report.profiles.get(claim)?;
        let extended = profile.extended.as_ref();
        let supported = extended.and_then(|extended| extended.supported_features.as_ref());
        let mut evidence = Self::default();
        for found in found {
            match &found.difference {
                // Reported by report/results-of-other-profile.
                SuiteMismatch::CoreTotal { reported, expected }
                    if exceeded_core_tests(
                        stated,
                        registry,
                        profile.name_or_empty(),
                        *reported,
                    )
                    .is_none() =>
                {
                    if expected.iter().all(|expected| reported <= expected) {
                        return None;
                    }
                    evidence.has_more_core_tests = true;
                }
                SuiteMismatch::ExtendedTotal { reported, expected } => {
                    evidence.has_more_extended_tests = reported > expected;
                }
                _ => {}
            }
            let (kind, names) = found.difference.unexpected_names();
            for name in names {
                match name.at_home_in.first() {
                    Some(first) if first.version() > release.version() => {}
                    None if registry.since(kind, name.name).is_none()
                        && forms.is_some_and(|forms| forms.fit(name.name)) => {}
                    _ => return None,
                }
                evidence.has_names = true;
                let is_supported = || supported.into_iter().flatten().any(|one| *one == name.name);
                evidence.has_tests |= kind == NameKind::Test || is_supported();
            }
        }
        Some(evidence)
    }
}

fn fits_later(registry: &Registry, release: &Release, report: &Report<'_>, claim: usize) -> bool {
    let later = registry.releases().iter();
    let mut later = later.filter(|later| later.version() > release.version());
    later.any(|later| {
        let differences = suite::differences_of(registry, later, report, claim);
        differences.iter().all(|difference| {
            !matches!(
                difference,
                SuiteMismatch::UnknownProfile
                    | SuiteMismatch::CoreTotal { .. }
                    | SuiteMismatch::ExtendedTotal { .. }
                    | SuiteMismatch::FeaturesUnexpected { .. }
                    | SuiteMismatch::TestNotInProfile { .. }
            )
        })
    })
}

pub fn explains(
    registry: &Registry,
    release: &Release,
    profile: &str,
    difference: &SuiteMismatch<'_, '_>,
) -> bool {
    let releases = registry.releases().iter();
    let later = releases.filter(|later| later.version() > release.version());
    let mut later = later.filter_map(|later| Some((later, later.profile(profile)?)));
    match difference {
        SuiteMismatch::CoreTotal { reported, expected } => {
            expected.iter().any(|expected| reported > expected)
        }
        SuiteMismatch::ExtendedTotal { reported, expected } => reported > expected,
        SuiteMismatch::FeaturesUnexpected { .. } | SuiteMismatch::TestNotInProfile { .. } => true,
        SuiteMismatch::FeaturesMissing { features } => {
            later.any(|(_, profile)| features.iter().all(|feature| !profile.is_extended(feature)))
        }
        SuiteMismatch::TestWrongLevel { test, reported, .. } => {
            later.any(|(later, profile)| is_at_level(later, profile, test, *reported))
        }
        SuiteMismatch::UnknownProfile
        | SuiteMismatch::ExtendedAbsent { .. }
        | SuiteMismatch::TestNeedsFeatures { .. }
        | SuiteMismatch::NotProvisional { .. } => false,
    }
}

fn is_at_level(release: &Release, profile: &Profile, test: &str, level: Level) -> bool {
    let test = release.test(test);
    test.and_then(|test| suite::level(release, profile, test)) == Some(level)
}

struct NameForms<'r>(BTreeSet<&'r str>);

impl<'r> NameForms<'r> {
    pub fn new(registry: &'r Registry) -> Self {
        let features = registry.newest().into_iter().flat_map(Release::features);
        Self(
            features
                .filter_map(|feature| feature.resource.as_deref())
                .collect(),
        )
    }

    fn fit(&self, name: &str) -> bool {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric());
        let mut kinds = self.0.iter();
        is_plain && kinds.any(|kind| name.len() > kind.len() && name.starts_with(kind))
    }
}
