//! `report/newer-suite`

use std::collections::BTreeSet;

use super::results_of_other_profile::exceeded_core_tests;
use crate::diagnostic::Place;
use crate::message::{Message, Words, texts};
use crate::registry::{Registry, Release, Version};
use crate::report::view::Profile;
use crate::rules::differences::{self, Part, part};
use crate::rules::names::UnknownName;
use crate::rules::recomputed::Recomputed;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule, words};
use crate::suite::{Mismatch, SuiteMismatch};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "report/newer-suite",
    include_str!("newer_suite.md"),
    Check::Report(check),
)
.strict()
.sources(&["GEP-1709, Rules: reports are made with the suite of a release"])
.related(&["report/suite-facts", "report/unknown-name"])
.texts(&[
    Text::TEMPLATES,
    differences::Text::TEMPLATES,
    Remedy::TEMPLATES,
]);

texts! {
    enum Text<'a> {
        Newer { facts: Message, differences: Message } => "made with a suite newer than {facts}: {differences}",
        Of { releases: Message, facts: Message, differences: Message } => "made with the suite of {releases}, newer than {facts}: {differences}",
        In { subject: Message, difference: Message } => "{subject}: {difference}",
        More { count: usize, noun: Words } => "{count} more {noun}",
        Unknown { field: &'a str, names: Message } => "{names} in {field}, of no known release",
        AddedIn { version: &'a Version, remedy: Message } => "{remedy}; the unexpected names were added in {version}",
    }
}

/// Most differences that a message tells before it counts the rest; all of them are labels.
const MAX_TOLD: usize = 3;

/// Most labels of a finding.
const MAX_LABELS: usize = 20;

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let recomputed = cx.recomputed().filter(|report| report.is_newer_suite);
    let Some(recomputed) = recomputed else {
        return;
    };
    let found = recomputed.found.iter();
    let known = found.filter_map(|found| {
        let part = part(cx, recomputed, found)?;
        Some((part, found.difference.identity()))
    });
    let unknown = cx.unknown_names().iter();
    let forms = NameForms::of(cx.registry);
    let unknown = unknown.filter(|unknown| forms.are_of_newer_suite(unknown));
    let (parts, identities): (Vec<Part>, Vec<String>) = known
        .chain(unknown.filter_map(|unknown| unknown_part(cx, unknown)))
        .unzip();
    let Some(first) = parts.first() else {
        return;
    };
    // Every difference is part of the subject: one more makes another finding.
    let anchor = first.anchor.clone().and(identities.join("; "));
    let finding = words::by_facts(cx, out, anchor, message(cx, recomputed, &parts));
    let mut seen: Vec<&Place> = vec![&first.anchor.place];
    for part in parts.iter().skip(1).take(MAX_LABELS) {
        if !seen.contains(&&part.anchor.place) {
            finding.label(part.anchor.clone(), of_subject(part));
            seen.push(&part.anchor.place);
        }
    }
    let remedy = words::rerun_release(cx);
    match first_with_all(recomputed) {
        Some(release) => finding.help(Text::AddedIn {
            version: release.version(),
            remedy: remedy.into(),
        }),
        None => finding.help(remedy),
    };
}

fn message(cx: &ReportContext<'_>, recomputed: &Recomputed<'_>, parts: &[Part]) -> Message {
    let facts = words::facts_of(cx, recomputed.release);
    let mut told: Vec<Message> = parts.iter().take(MAX_TOLD).map(of_subject).collect();
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
    let fits = recomputed.fits(cx);
    if fits.is_empty() {
        return Text::Newer { facts, differences }.into();
    }
    let text = Text::Of {
        releases: words::releases(cx.registry, &fits),
        facts,
        differences,
    };
    text.into()
}

fn of_subject(part: &Part) -> Message {
    let text = Text::In {
        subject: part.subject.clone(),
        difference: part.short.clone(),
    };
    text.into()
}

/// A name that no release knows, as a difference.
fn unknown_part(cx: &ReportContext<'_>, unknown: &UnknownName<'_>) -> Option<(Part, String)> {
    let &(field, name) = unknown.places.first()?;
    let text = Text::Unknown {
        field,
        names: words::names([name.value]),
    };
    let part = Part {
        anchor: cx.value(name.node),
        subject: differences::Text::Report.into(),
        long: Message::default(),
        short: text.into(),
    };
    Some((part, format!("unknown {}", name.value)))
}

/// True when differences show a suite newer than that of `release`: more core tests, or names that
/// only later releases have; in the newest known minor also names that no release has, if they are
/// formed like its names. What cannot come of a newer suite, such as fewer core tests or a name that
/// only earlier releases have, speaks against it.
pub fn is_shown(cx: &ReportContext<'_>, release: &Release, found: &[Mismatch<'_, '_>]) -> bool {
    let newest = cx.registry.newest().map(|newest| newest.version().minor());
    let is_newest = newest == Some(release.version().minor());
    let forms = is_newest.then(|| NameForms::of(cx.registry));
    let mut is_shown = false;
    for found in found {
        if let SuiteMismatch::CoreTotal { reported, expected } = &found.difference {
            let profile = found.claim.and_then(|at| cx.report.profiles.get(at));
            let name = profile.map_or("", Profile::name_or_empty);
            // More tests than any suite has are for report/results-of-other-profile.
            if exceeded_core_tests(cx, name, *reported).is_some() {
                continue;
            }
            if expected.iter().all(|expected| reported <= expected) {
                return false;
            }
            is_shown = true;
        }
        let (kind, names) = found.difference.unexpected_names();
        for name in names {
            match name.at_home_in.first() {
                Some(first) if first.version() > release.version() => is_shown = true,
                None if cx.registry.since(kind, name.name).is_none() => {
                    is_shown |= forms.as_ref().is_some_and(|forms| forms.fit(name.name));
                }
                _ => return false,
            }
        }
    }
    is_shown
}

/// How names of features and tests begin: with the kind that they are about.
pub struct NameForms<'r>(BTreeSet<&'r str>);

impl<'r> NameForms<'r> {
    /// Those of the newest release.
    pub fn of(registry: &'r Registry) -> Self {
        let newest = registry.newest().into_iter();
        let features = newest.flat_map(Release::features);
        Self(
            features
                .filter_map(|feature| feature.resource.as_deref())
                .collect(),
        )
    }

    /// True for an unknown name that a newer suite may have, wherever it is listed.
    pub fn are_of_newer_suite(&self, unknown: &UnknownName<'_>) -> bool {
        let mut names = unknown.places.iter().map(|(_, name)| name.value);
        unknown.similar.is_none() && names.all(|name| self.fit(name))
    }

    /// True for letters and digits that begin with a kind and go on.
    fn fit(&self, name: &str) -> bool {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric());
        let mut kinds = self.0.iter();
        is_plain && kinds.any(|kind| name.len() > kind.len() && name.starts_with(kind))
    }
}

/// The release with which the unexpected names of a report begin, when all of them begin with the
/// same one.
fn first_with_all<'a>(recomputed: &Recomputed<'a>) -> Option<&'a Release> {
    let mut begin: Option<&Release> = None;
    for found in &recomputed.found {
        let (_, names) = found.difference.unexpected_names();
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
