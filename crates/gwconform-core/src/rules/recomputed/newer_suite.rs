//! Whether a report was made with a suite newer than that of its release.

use std::collections::BTreeSet;

use super::exceeded_core_tests;
use crate::api::{Level, NameKind};
use crate::release::{Profile, Registry, Release};
use crate::report::suite::{self, Mismatch, SuiteMismatch};
use crate::report::view::Report;
use crate::rules::ReportContext;

/// The profiles, by their places, that show a suite newer than that of `release`: more core tests, or
/// names that only later releases have; in the newest known minor also names that no release has, if
/// they are formed like its names.
///
/// Names alone are no such evidence if the counts of the profile are those of the release, although
/// tests of the names would have run: then the lists were edited. What cannot come of a newer suite,
/// such as fewer core tests or a name that only earlier releases have, speaks against it.
pub fn shown(
    cx: &ReportContext<'_>,
    release: &Release,
    report: &Report<'_>,
    found: &[Mismatch<'_, '_>],
) -> BTreeSet<usize> {
    let newest = cx.registry.newest().map(|newest| newest.version().minor());
    let is_newest = newest == Some(release.version().minor());
    let forms = is_newest.then(|| NameForms::new(cx.registry));
    let of_claims = found.chunk_by(|a, b| a.claim == b.claim);
    let shown = of_claims.filter_map(|found| {
        let claim = found.first()?.claim?;
        let evidence = Evidence::find(cx, release, report, claim, found, forms.as_ref())?;
        let is_shown = evidence.has_more_core_tests
            || evidence.has_names
                && (evidence.has_more_extended_tests
                    || !evidence.has_tests
                    || fits_later(cx.registry, release, report, claim));
        is_shown.then_some(claim)
    });
    shown.collect()
}

/// What the differences of a profile say of its suite.
#[derive(Default)]
struct Evidence {
    has_more_core_tests: bool,
    has_more_extended_tests: bool,
    /// Names of later releases, or of none.
    has_names: bool,
    /// One of these names is of a supported feature or of a test.
    has_tests: bool,
}

impl Evidence {
    /// `None` for what no newer suite writes.
    fn find(
        cx: &ReportContext<'_>,
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
                // More tests than any suite has are for report/results-of-other-profile.
                SuiteMismatch::CoreTotal { reported, expected }
                    if exceeded_core_tests(cx, profile.name_or_empty(), *reported).is_none() =>
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
                    None if cx.registry.since(kind, name.name).is_none()
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

/// True where a later release has the names of a profile and as many tests.
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

/// True for a difference that follows from a suite newer than that of `release`, where a profile shows
/// one.
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

/// How names of features and tests begin: with the kind that they are about.
struct NameForms<'r>(BTreeSet<&'r str>);

impl<'r> NameForms<'r> {
    /// Those of the newest release.
    pub fn new(registry: &'r Registry) -> Self {
        let newest = registry.newest().into_iter();
        let features = newest.flat_map(Release::features);
        Self(
            features
                .filter_map(|feature| feature.resource.as_deref())
                .collect(),
        )
    }

    /// True for letters and digits that begin with a kind and go on.
    fn fit(&self, name: &str) -> bool {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric());
        let mut kinds = self.0.iter();
        is_plain && kinds.any(|kind| name.len() > kind.len() && name.starts_with(kind))
    }
}
