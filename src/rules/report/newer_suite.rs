//! `report/newer-suite`

use std::collections::BTreeSet;

use super::results_of_other_profile::exceeded_core_tests;
use crate::api::{Level, NameKind, Version};
use crate::release::{Profile, Registry, Release};
use crate::report::suite::{self, Mismatch, SuiteMismatch, UnexpectedName};
use crate::report::view::Report;
use crate::rules::differences::{self, Part, part};
use crate::rules::recomputed::Recomputed;
use crate::rules::{Findings, Remedy, ReportContext, words};
use crate::text::diagnostic::{Anchor, Place};
use crate::text::message::{Message, Words, texts};

rule!(
    "newer_suite.md",
    Report(check),
    Text,
    differences::Text,
    Remedy
);

texts! {
    enum Text<'a> {
        Newer { subject: Message, facts: Message, differences: Message } => "{subject}: made with a suite newer than {facts}: {differences}",
        Of { subject: Message, releases: Message, facts: Message, differences: Message } => "{subject}: made with the suite of {releases}, newer than {facts}: {differences}",
        More { count: usize, noun: Words } => "{count} more {noun}",
        Unknown { field: &'a str, names: Message } => "{names} in {field}, of no known release",
        AddedIn { version: &'a Version, remedy: Message } => "{remedy}; the unexpected names were added in {version}",
    }
}

/// Most differences that a message tells before it counts the rest; all of them are labels.
const MAX_TOLD: usize = 3;

/// Most labels of a finding.
const MAX_LABELS: usize = 40;

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(recomputed) = cx.recomputed() else {
        return;
    };
    for &claim in &recomputed.of_newer_suite {
        let explained = recomputed.explained(cx.registry, claim);
        let mut parts = Vec::new();
        let mut identities = Vec::new();
        for found in &explained {
            parts.extend(part(cx, recomputed, found));
            parts.extend(unknown_part(cx, recomputed, found));
            identities.push(found.difference.identity());
        }
        let Some(first) = parts.first() else {
            continue;
        };
        // Every difference is part of the subject: one more makes another finding.
        let anchor = first.anchor.clone().and(identities.join("; "));
        let finding = words::by_facts(cx, out, anchor, message(cx, recomputed, claim, &parts));
        let mut seen: Vec<&Place> = vec![&first.anchor.place];
        let labels = parts.iter().flat_map(|part| &part.labels);
        for (anchor, text) in labels.take(MAX_LABELS) {
            if !seen.contains(&&anchor.place) {
                finding.label(anchor.clone(), text.clone());
                seen.push(&anchor.place);
            }
        }
        let remedy = words::rerun_release(cx);
        match first_with_all(&explained) {
            Some(release) => finding.help(Text::AddedIn {
                version: release.version(),
                remedy: remedy.into(),
            }),
            None => finding.help(remedy),
        };
    }
}

fn message(
    cx: &ReportContext<'_>,
    recomputed: &Recomputed<'_>,
    claim: usize,
    parts: &[Part],
) -> Message {
    let subject = parts[0].subject.clone();
    let facts = words::facts_of(cx, recomputed.release);
    let mut told: Vec<Message> = parts
        .iter()
        .take(MAX_TOLD)
        .map(|part| part.short.clone())
        .collect();
    if parts.len() > MAX_TOLD {
        let count = parts.len() - MAX_TOLD;
        let noun = Words(if count == 1 {
            "difference"
        } else {
            "differences"
        });
        told.push(Text::More { count, noun }.into());
    }
    let differences = Message::list(told, "; ", "; ");
    let fits = suite::fits_claim(cx.registry, cx.report, claim);
    let is_later = |release: &&Release| release.version() > recomputed.release.version();
    let fits: Vec<&Release> = fits.into_iter().filter(is_later).collect();
    if fits.is_empty() {
        let text = Text::Newer {
            subject,
            facts,
            differences,
        };
        return text.into();
    }
    let text = Text::Of {
        subject,
        releases: words::releases(cx.registry, &fits),
        facts,
        differences,
    };
    text.into()
}

/// The names of a difference that no release knows; those that one knows are another part.
fn unknown_part(
    cx: &ReportContext<'_>,
    recomputed: &Recomputed<'_>,
    found: &Mismatch<'_, '_>,
) -> Option<Part> {
    let claim = cx.report.profiles.get(found.claim?)?;
    let (kind, names) = found.difference.unexpected_names();
    let unknown = names
        .iter()
        .filter(|name| cx.registry.since(kind, name.name).is_none());
    let places: Vec<_> = unknown
        .filter_map(|name| differences::find(claim, kind, name.name))
        .collect();
    let (field, first) = *places.first()?;
    let names = words::names(places.iter().map(|(_, name)| name.value));
    let labels = places.iter().map(|(field, name)| {
        let names = words::names([name.value]);
        (cx.value(name.node), Text::Unknown { field, names }.into())
    });
    let profile = recomputed.report.profiles.get(found.claim?)?;
    Some(Part {
        anchor: cx.value(first.node),
        subject: Message::code(profile.name_or_empty()),
        long: Message::default(),
        short: Text::Unknown { field, names }.into(),
        labels: labels.collect::<Vec<(Anchor, Message)>>(),
    })
}

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

/// The release with which the unexpected names of a profile begin, when all of them begin with the
/// same one.
fn first_with_all<'a>(found: &[&Mismatch<'_, 'a>]) -> Option<&'a Release> {
    let mut begin: Option<&Release> = None;
    for found in found {
        let (_, names): (_, &[UnexpectedName<'_, 'a>]) = found.difference.unexpected_names();
        for name in names {
            let first = *name.at_home_in.first()?;
            if begin.is_some_and(|begin| begin.version() != first.version()) {
                return None;
            }
            begin = Some(first);
        }
    }
    begin
}
