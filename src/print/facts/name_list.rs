//! Renders release data: one line per name, with details below.

use super::{FeatureFacts, Features, Profiles, Scope, Support, TestCounts};
use crate::print::page::{Inline, Page};
use gwconform_base::release::Test;
use gwconform_base::text::counted;
use gwconform_report::certify::catalog::StateKind;
use gwconform_report::document::{ProfileLevel, ReportRef};

const MAX_TESTS: usize = 12;

/// Renders features with details about meaning, resource, profiles and tests.
pub fn features_page(listed: &Features<'_>) -> Page {
    if listed.implementations.is_some() || listed.is_one {
        return feature_page(listed);
    }
    let count = counted(listed.features.len(), "feature");
    let mut page = headed(
        &listed.scope,
        &count,
        "feature, level of its resource, channel, first release",
    );
    let names = listed.features.iter().map(|one| one.declared.name.len());
    let width = names.max().unwrap_or_default();
    for feature in &listed.features {
        let since = feature.since_in_words();
        let declared = feature.declared;
        let line = format!(
            "{:width$}  {:8}  {:12}  {since}",
            declared.name, declared.level, declared.channel,
        );
        let meaning = declared.meaning.iter().cloned();
        let lines = meaning.chain(details(feature, MAX_TESTS));
        page.entry(line.trim_end(), lines.map(Inline::from).collect());
    }
    page
}

fn feature_page(listed: &Features<'_>) -> Page {
    let mut page = of_one(&listed.scope);
    for feature in &listed.features {
        let since = feature.since_in_words();
        let declared = feature.declared;
        let columns = [
            format!("level: {}", declared.level),
            format!("channel: {}", declared.channel),
            format!("since: {since}"),
        ];
        let meaning = declared.meaning.iter().cloned();
        let lines = meaning.chain(columns).chain(details(feature, usize::MAX));
        page.entry(declared.name.as_str(), lines.map(Inline::from).collect());
    }
    for (title, kinds) in SUPPORT {
        let Some(implementations) = &listed.implementations else {
            break;
        };
        let is_of_it = |one: &&Support| {
            let best = one.profiles.first();
            best.is_some_and(|best| kinds.contains(&best.state.state))
        };
        let found: Vec<&Support> = implementations.iter().filter(is_of_it).collect();
        page.heading(3, format!("{title}: {}", found.len()));
        for one in found {
            let report = &one.report;
            let version = report.implementation_version.as_deref().unwrap_or_default();
            let name = format!("{} {version}", one.implementation.name);
            let release = release_in_words(report);
            let run = [
                Some(&release),
                report.channel.as_ref(),
                report.mode.as_ref(),
            ];
            let run: Vec<&str> = run.into_iter().flatten().map(String::as_str).collect();
            page.item(format!(
                "{} ({}): {}",
                name.trim_end(),
                run.join(", "),
                in_words(one)
            ));
        }
    }
    page
}

const SUPPORT: [(&str, &[StateKind]); 3] = [
    (
        "Supported, proved by tests",
        &[StateKind::Proved, StateKind::ProvedByLog],
    ),
    (
        "Claimed, not fully proved",
        &[
            StateKind::PartlySeen,
            StateKind::NotSeen,
            StateKind::Skipped,
            StateKind::NoTest,
            StateKind::Claimed,
            StateKind::Failed,
        ],
    ),
    (
        "Unsupported or not stated",
        &[
            StateKind::Unsupported,
            StateKind::NotClaimed,
            StateKind::NotStated,
        ],
    ),
];

fn in_words(support: &Support) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for one in &support.profiles {
        match groups.last_mut() {
            Some((text, profiles)) if *text == one.state.text => profiles.push(&one.profile),
            _ => groups.push((&one.state.text, vec![&one.profile])),
        }
    }
    let texts: Vec<String> = groups
        .iter()
        .map(|(text, profiles)| format!("{}: {text}", profiles.join(", ")))
        .collect();
    let mut text = texts.join("; ");
    if let Some(older) = &support.older {
        let version = older.implementation_version.as_deref();
        let version = version.unwrap_or("an older report");
        let release = release_in_words(older);
        text.push_str(&format!("; proved by {version} ({release})"));
    }
    text
}

pub(super) fn release_in_words(report: &ReportRef) -> String {
    let release = report.release.as_ref();
    release.map_or_else(|| "release unknown".to_owned(), ToString::to_string)
}

fn details(feature: &FeatureFacts<'_>, most_tests: usize) -> Vec<String> {
    let mut details = Vec::new();
    let (declared, lifetime) = (feature.declared, &feature.lifetime);
    let facts = [
        ("resource", declared.resource.as_deref()),
        ("until", lifetime.until.as_deref()),
        ("renamed from", lifetime.renamed_from),
        ("renamed to", lifetime.renamed_to),
    ];
    for (label, value) in facts {
        details.extend(value.map(|value| format!("{label}: {value}")));
    }
    let profiles = match feature.profiles.as_slice() {
        [] => "none".to_owned(),
        counted => places(counted),
    };
    details.push(format!("profiles: {profiles}"));
    let tests: Vec<_> = feature
        .tests
        .iter()
        .map(|test| test.name.clone() + marks(test))
        .collect();
    let tests = match tests.as_slice() {
        [] => "none: a claim cannot be verified".to_owned(),
        // If nearly every test requires a feature, no single test proves the feature.
        tests if tests.len() > most_tests => {
            format!("{} (listed by `gwconform tests`)", tests.len())
        }
        tests => tests.join(", "),
    };
    details.push(format!("tests: {tests}"));
    details
}

/// Renders profiles with details about features and tests.
pub fn profiles_page(listed: &Profiles<'_>) -> Page {
    let count = counted(listed.profiles.len(), "profile");
    let mut page = headed(&listed.scope, &count, "profile, family, first release");
    for one in &listed.profiles {
        let (profile, lifetime) = (one.declared, &one.lifetime);
        let extended = match profile.extended.as_slice() {
            [] => "none".to_owned(),
            features => features.join(", "),
        };
        let older = lifetime.renamed_from;
        let reported = (profile.report_name != profile.name).then_some(&profile.report_name);
        let lines = [
            older.map(|older| format!("renamed from: {older}")),
            reported.map(|name| format!("reported as: {name}")),
            Some(format!("core tests: {}", counts(&one.core_test_counts))),
            Some(format!(
                "extended tests: {}",
                counts(&one.extended_test_counts)
            )),
            Some(format!("core: {}", profile.core.join(", "))),
            Some(format!("extended: {extended}")),
        ];
        page.entry(
            format!(
                "{:14}  {:8}  {}",
                profile.name, profile.family, lifetime.since
            ),
            lines.into_iter().flatten().map(Inline::from).collect(),
        );
    }
    page
}

fn counts(counts: &TestCounts) -> String {
    let mut text = counts.fixed.to_string();
    if counts.provisional > 0 {
        text.push_str(&format!(", and {} provisional", counts.provisional));
    }
    if counts.parallel > 0 {
        let parallel = counts.parallel;
        text.push_str(&format!("; results of {parallel} of them not seen"));
    }
    text
}

pub(super) fn headed(scope: &Scope<'_>, count: &str, columns: &str) -> Page {
    let release = scope.release;
    let of = scope.profile.map_or_else(
        || release.to_string(),
        |profile| format!("{profile} in {release}"),
    );
    let others = scope.same_facts.iter().filter(|other| **other != release);
    let others: Vec<String> = others.map(ToString::to_string).collect();
    let same = if others.is_empty() {
        String::new()
    } else {
        format!(" (the same in {})", others.join(", "))
    };
    let mut page = Page::default();
    page.heading(1, format!("{count} of {of}{same}"));
    for note in &scope.notes {
        page.paragraph(note.as_str());
    }
    page.paragraph(format!("Columns: {columns}."));
    page.paragraph(
        "provisional: counted only if it runs; parallel: finishes after the report is written, so its result is not seen.",
    );
    page
}

/// Start of a page about one name.
pub(super) fn of_one(scope: &Scope<'_>) -> Page {
    let mut page = Page::default();
    page.paragraph(format!("In {}", scope.release));
    for note in &scope.notes {
        page.paragraph(note.as_str());
    }
    page
}

pub(super) fn places(places: &[ProfileLevel<'_>]) -> String {
    let names: Vec<_> = places
        .iter()
        .map(|place| format!("{} {}", place.profile, place.level))
        .collect();
    names.join(", ")
}

pub(super) fn marks(test: &Test) -> &'static str {
    match (test.provisional, test.parallel) {
        (true, true) => " (provisional, parallel)",
        (true, false) => " (provisional)",
        (false, true) => " (parallel)",
        (false, false) => "",
    }
}
