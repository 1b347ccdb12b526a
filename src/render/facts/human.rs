//! Facts of a release as text: a line for each name, and its details below it.

use std::io::{self, Write};

use super::{FeatureFacts, Features, PlaceInProfile, Profiles, ReleaseHeader, TestCounts, Tests};
use crate::text::{counted, visible};

/// Widest line, for what is not a single long word.
const WIDTH: usize = 100;

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
        let since = feature.since.as_deref().unwrap_or_default();
        let line = format!(
            "{:width$}  {:8}  {:12}  {since}",
            feature.name, feature.level, feature.channel,
        );
        writeln!(out, "{}", visible(line.trim_end()))?;
        for (label, text) in details(feature) {
            paragraph(label, &text, out)?;
        }
    }
    Ok(())
}

fn details(feature: &FeatureFacts) -> Vec<(&'static str, String)> {
    let mut details = Vec::new();
    if let Some(meaning) = &feature.meaning {
        details.push(("", meaning.clone()));
    }
    if let Some(resource) = &feature.resource {
        details.push(("resource: ", resource.clone()));
    }
    if let Some(until) = &feature.until {
        details.push(("until: ", until.clone()));
    }
    if let Some(older) = &feature.renamed_from {
        details.push(("renamed from: ", older.clone()));
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
        tests if tests.len() > MAX_TESTS => {
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

/// A text below a name: indented, broken at spaces.
fn paragraph(label: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    let text = visible(&format!("{label}{text}"));
    let mut line = String::new();
    for word in words(&text) {
        if !line.is_empty() && 5 + line.chars().count() + word.chars().count() > WIDTH {
            writeln!(out, "    {line}")?;
            // Continuation lines of a label are indented by two more.
            line = if label.is_empty() { "" } else { " " }.to_owned();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(out, "    {line}")
}

/// The words of a text; what is in parentheses stays with the word before it.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(' ') {
        let is_open = text[start..at].matches('(').count() > text[start..at].matches(')').count();
        if !is_open && !text[at + 1..].starts_with('(') {
            words.push(&text[start..at]);
            start = at + 1;
        }
    }
    words.push(&text[start..]);
    words
}
