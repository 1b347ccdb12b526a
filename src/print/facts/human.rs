//! Facts of a release as text: a line for each name, and its details below it.

use std::io::{self, Write};

use super::{
    FeatureFacts, Features, PlaceInProfile, Profiles, ReleaseHeader, Support, TestCounts, Tests,
};
use crate::certify::catalog::StateKind;
use crate::text::{counted, visible};

/// Most tests of a feature that are listed by name.
const MAX_TESTS: usize = 12;

/// Writes features: name, level, channel and first release on a line; below it what the feature
/// means, its resource, the profiles it is in and the tests that prove it.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_features(listed: &Features, out: &mut dyn Write) -> io::Result<()> {
    heading(
        &listed.shown,
        &counted(listed.features.len(), "feature"),
        out,
    )?;
    legend(
        "feature, level of its resource, channel, first release",
        out,
    )?;
    let names = listed.features.iter().map(|feature| feature.name.len());
    let width = names.max().unwrap_or_default();
    for feature in &listed.features {
        writeln!(out)?;
        write_one(feature, width, MAX_TESTS, out)?;
    }
    Ok(())
}

/// Writes one feature with all its tests, and who supports it where that is known.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_feature(listed: &Features, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "In {}", visible(&listed.shown.release))?;
    if let Some(note) = &listed.shown.note {
        writeln!(out, "{}", visible(note))?;
    }
    for feature in &listed.features {
        writeln!(out, "\n{}", visible(&feature.name))?;
        let since = feature.since.as_deref().unwrap_or_default();
        let columns = [
            ("level: ", feature.level),
            ("channel: ", feature.channel),
            ("since: ", since),
        ];
        let columns = columns.map(|(label, text)| (label, text.to_owned()));
        let meaning = feature.meaning.iter().map(|meaning| ("", meaning.clone()));
        let details = details(feature, usize::MAX);
        for (label, text) in meaning.chain(columns).chain(details) {
            paragraph(label, &text, out)?;
        }
    }
    let Some(implementations) = &listed.implementations else {
        return Ok(());
    };
    for (title, kinds) in SUPPORT {
        let is_of_it = |one: &&Support| {
            let best = one.profiles.first();
            best.is_some_and(|best| kinds.contains(&best.state))
        };
        let found: Vec<&Support> = implementations.iter().filter(is_of_it).collect();
        writeln!(out, "\n{title}: {}", found.len())?;
        for one in found {
            let release = one.release.as_deref().unwrap_or("release unknown");
            let states = visible(&in_words(one));
            writeln!(out, "  {} ({release}): {states}", visible(&one.name))?;
        }
    }
    Ok(())
}

/// The states of a feature in three groups, with their titles.
const SUPPORT: [(&str, &[StateKind]); 3] = [
    (
        "Supported, proved by tests",
        &[StateKind::Proved, StateKind::ProvedByLog],
    ),
    (
        "Claimed, not or not fully proved",
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

/// `GATEWAY-HTTP, GATEWAY-TLS: supported, 2 tests passed; GATEWAY-GRPC: declared unsupported`
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
    texts.join("; ")
}

/// A line with the columns of the legend, and its details below it.
fn write_one(
    feature: &FeatureFacts,
    width: usize,
    most_tests: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let since = feature.since.as_deref().unwrap_or_default();
    let line = format!(
        "{:width$}  {:8}  {:12}  {since}",
        feature.name, feature.level, feature.channel,
    );
    writeln!(out, "{}", visible(line.trim_end()))?;
    let meaning = feature.meaning.iter().map(|meaning| ("", meaning.clone()));
    for (label, text) in meaning.chain(details(feature, most_tests)) {
        paragraph(label, &text, out)?;
    }
    Ok(())
}

fn details(feature: &FeatureFacts, most_tests: usize) -> Vec<(&'static str, String)> {
    let mut details = Vec::new();
    if let Some(resource) = &feature.resource {
        details.push(("resource: ", resource.clone()));
    }
    if let Some(until) = &feature.until {
        details.push(("until: ", until.clone()));
    }
    if let Some(older) = &feature.renamed_from {
        details.push(("renamed from: ", older.clone()));
    }
    if let Some(newer) = &feature.renamed_to {
        details.push(("renamed to: ", newer.clone()));
    }
    let profiles = match feature.profiles.as_slice() {
        [] => "none".to_owned(),
        counted => places(counted),
    };
    details.push(("profiles: ", profiles));
    let tests: Vec<_> = feature
        .tests
        .iter()
        .map(|test| test.name.clone() + &marks(test.provisional, test.parallel))
        .collect();
    let tests = match tests.as_slice() {
        [] => "none: a claim cannot be verified".to_owned(),
        // A feature that nearly every test needs is not proved by a single one.
        tests if tests.len() > most_tests => {
            format!("{} (listed by `gwconform tests`)", tests.len())
        }
        tests => tests.join(", "),
    };
    details.push(("tests: ", tests));
    details
}

/// Writes profiles: name, family and first release on a line; below it features and tests.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_profiles(listed: &Profiles, out: &mut dyn Write) -> io::Result<()> {
    heading(
        &listed.shown,
        &counted(listed.profiles.len(), "profile"),
        out,
    )?;
    legend("profile, family, first release", out)?;
    for profile in &listed.profiles {
        writeln!(out)?;
        let since = profile.since.as_deref().unwrap_or_default();
        let line = format!("{:14}  {:8}  {since}", profile.name, profile.family);
        writeln!(out, "{}", visible(&line))?;
        if let Some(older) = &profile.renamed_from {
            paragraph("renamed from: ", older, out)?;
        }
        if profile.report_name != profile.name {
            paragraph("reported as: ", &profile.report_name, out)?;
        }
        paragraph("core tests: ", &counts(&profile.core_tests), out)?;
        paragraph("extended tests: ", &counts(&profile.extended_tests), out)?;
        paragraph("core: ", &profile.core.join(", "), out)?;
        let extended = match profile.extended.as_slice() {
            [] => "none".to_owned(),
            features => features.join(", "),
        };
        paragraph("extended: ", &extended, out)?;
    }
    Ok(())
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

/// Writes tests: name, first release and marks on a line; below it the features that it needs and
/// the profiles that count it.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write_tests(listed: &Tests, out: &mut dyn Write) -> io::Result<()> {
    heading(&listed.shown, &counted(listed.tests.len(), "test"), out)?;
    legend("test, first release", out)?;
    let names = listed.tests.iter().map(|test| test.name.len());
    let width = names.max().unwrap_or_default();
    for test in &listed.tests {
        writeln!(out)?;
        let since = test.since.as_deref().unwrap_or_default();
        let marks = marks(test.provisional, test.parallel);
        let line = format!("{:width$}  {since:6} {marks}", test.name);
        writeln!(out, "{}", visible(line.trim_end()))?;
        if let Some(older) = &test.renamed_from {
            paragraph("renamed from: ", older, out)?;
        }
        paragraph("needs: ", &test.features.join(", "), out)?;
        let profiles = match test.profiles.as_slice() {
            [] => "not counted".to_owned(),
            counted => places(counted),
        };
        paragraph("profiles: ", &profiles, out)?;
    }
    Ok(())
}

fn heading(shown: &ReleaseHeader, count: &str, out: &mut dyn Write) -> io::Result<()> {
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
    writeln!(out, "{}", visible(&format!("{count} of {of}{same}")))?;
    if let Some(note) = &shown.note {
        writeln!(out, "{}", visible(note))?;
    }
    Ok(())
}

/// The legend: the parts of the line of each name, and the meaning of the marks of tests.
fn legend(columns: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "Columns: {columns}.")?;
    writeln!(
        out,
        "provisional: counts only when it ran; parallel: ends after the report is written, so not seen."
    )
}

/// `GATEWAY-HTTP core, GATEWAY-TLS extended`.
fn places(places: &[PlaceInProfile]) -> String {
    let names: Vec<_> = places
        .iter()
        .map(|place| format!("{} {}", place.profile, place.level))
        .collect();
    names.join(", ")
}

fn marks(provisional: bool, parallel: bool) -> String {
    match (provisional, parallel) {
        (false, false) => String::new(),
        (true, false) => " (provisional)".to_owned(),
        (false, true) => " (parallel)".to_owned(),
        (true, true) => " (provisional, parallel)".to_owned(),
    }
}

/// A text below a name.
fn paragraph(label: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "    {}", visible(&format!("{label}{text}")))
}
