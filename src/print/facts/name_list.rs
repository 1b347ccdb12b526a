//! Renders release data: one line per name, with details below.

use super::{FeatureFacts, Features, PlaceInProfile, Profiles, ReleaseHeader, Support, TestCounts};
use crate::print::page::{Inline, Page};
use gwconform_base::text::counted;
use gwconform_report::certify::catalog::StateKind;

const MAX_TESTS: usize = 12;

/// Renders features with details about meaning, resource, profiles and tests.
pub fn features_page(listed: &Features) -> Page {
    if listed.implementations.is_some() || listed.is_one {
        return feature_page(listed);
    }
    let count = counted(listed.features.len(), "feature");
    let mut page = headed(
        &listed.shown,
        &count,
        "feature, level of its resource, channel, first release",
    );
    let names = listed.features.iter().map(|feature| feature.name.len());
    let width = names.max().unwrap_or_default();
    for feature in &listed.features {
        let since = feature.since_in_words();
        let line = format!(
            "{:width$}  {:8}  {:12}  {since}",
            feature.name, feature.level, feature.channel,
        );
        let meaning = feature.meaning.iter().cloned();
        let lines = meaning.chain(details(feature, MAX_TESTS));
        page.entry(line.trim_end(), lines.map(Inline::from).collect());
    }
    page
}

fn feature_page(listed: &Features) -> Page {
    let mut page = Page::default();
    page.paragraph(format!("In {}", listed.shown.release));
    if let Some(note) = &listed.shown.note {
        page.paragraph(note.as_str());
    }
    for feature in &listed.features {
        let since = feature.since_in_words();
        let columns = [
            format!("level: {}", feature.level),
            format!("channel: {}", feature.channel),
            format!("since: {since}"),
        ];
        let meaning = feature.meaning.iter().cloned();
        let lines = meaning.chain(columns).chain(details(feature, usize::MAX));
        page.entry(feature.name.as_str(), lines.map(Inline::from).collect());
    }
    for (title, kinds) in SUPPORT {
        let Some(implementations) = &listed.implementations else {
            break;
        };
        let is_of_it = |one: &&Support| {
            let best = one.profiles.first();
            best.is_some_and(|best| kinds.contains(&best.state))
        };
        let found: Vec<&Support> = implementations.iter().filter(is_of_it).collect();
        page.heading(3, format!("{title}: {}", found.len()));
        for one in found {
            let release = one.release.as_deref().unwrap_or("release unknown");
            let version = one.version.as_deref().unwrap_or_default();
            let name = format!("{} {version}", one.name);
            let run = [Some(release), one.channel.as_deref(), one.mode.as_deref()];
            let run: Vec<&str> = run.into_iter().flatten().collect();
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
            Some((text, profiles)) if *text == one.text => profiles.push(&one.profile),
            _ => groups.push((&one.text, vec![&one.profile])),
        }
    }
    let texts: Vec<String> = groups
        .iter()
        .map(|(text, profiles)| format!("{}: {text}", profiles.join(", ")))
        .collect();
    let mut text = texts.join("; ");
    if let Some(older) = &support.older {
        let version = older.version.as_deref().unwrap_or("an older report");
        let release = older.release.as_deref().unwrap_or("release unknown");
        text.push_str(&format!("; proved by {version} ({release})"));
    }
    text
}

fn details(feature: &FeatureFacts, most_tests: usize) -> Vec<String> {
    let mut details = Vec::new();
    if let Some(resource) = &feature.resource {
        details.push(format!("resource: {resource}"));
    }
    if let Some(until) = &feature.until {
        details.push(format!("until: {until}"));
    }
    if let Some(older) = &feature.renamed_from {
        details.push(format!("renamed from: {older}"));
    }
    if let Some(newer) = &feature.renamed_to {
        details.push(format!("renamed to: {newer}"));
    }
    let profiles = match feature.profiles.as_slice() {
        [] => "none".to_owned(),
        counted => places(counted),
    };
    details.push(format!("profiles: {profiles}"));
    let tests: Vec<_> = feature
        .tests
        .iter()
        .map(|test| {
            test.name.clone()
                + &marks([
                    ("provisional", test.provisional),
                    ("parallel", test.parallel),
                ])
        })
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
pub fn profiles_page(listed: &Profiles) -> Page {
    let count = counted(listed.profiles.len(), "profile");
    let mut page = headed(&listed.shown, &count, "profile, family, first release");
    for profile in &listed.profiles {
        let since = profile.since.as_deref().unwrap_or_default();
        let extended = match profile.extended.as_slice() {
            [] => "none".to_owned(),
            features => features.join(", "),
        };
        let older = profile.renamed_from.as_ref();
        let reported = (profile.report_name != profile.name).then_some(&profile.report_name);
        let lines = [
            older.map(|older| format!("renamed from: {older}")),
            reported.map(|name| format!("reported as: {name}")),
            Some(format!("core tests: {}", counts(&profile.core_tests))),
            Some(format!(
                "extended tests: {}",
                counts(&profile.extended_tests)
            )),
            Some(format!("core: {}", profile.core.join(", "))),
            Some(format!("extended: {extended}")),
        ];
        page.entry(
            format!("{:14}  {:8}  {since}", profile.name, profile.family),
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

pub(super) fn headed(shown: &ReleaseHeader, count: &str, columns: &str) -> Page {
    let of = shown.profile.as_ref().map_or_else(
        || shown.release.clone(),
        |profile| format!("{profile} in {}", shown.release),
    );
    let others: Vec<_> = shown
        .same_facts
        .iter()
        .filter(|version| **version != shown.release)
        .map(String::as_str)
        .collect();
    let same = if others.is_empty() {
        String::new()
    } else {
        format!(" (the same in {})", others.join(", "))
    };
    let mut page = Page::default();
    page.heading(1, format!("{count} of {of}{same}"));
    if let Some(note) = &shown.note {
        page.paragraph(note.as_str());
    }
    page.paragraph(format!("Columns: {columns}."));
    page.paragraph(
        "provisional: counted only if it runs; parallel: finishes after the report is written, so its result is not seen.",
    );
    page
}

pub(super) fn places(places: &[PlaceInProfile]) -> String {
    let names: Vec<_> = places
        .iter()
        .map(|place| format!("{} {}", place.profile, place.level))
        .collect();
    names.join(", ")
}

pub(super) fn marks(words: [(&str, bool); 2]) -> String {
    let hold: Vec<&str> = words
        .iter()
        .filter(|(_, holds)| *holds)
        .map(|(word, _)| *word)
        .collect();
    if hold.is_empty() {
        String::new()
    } else {
        format!(" ({})", hold.join(", "))
    }
}
