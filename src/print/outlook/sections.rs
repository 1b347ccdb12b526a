//! Lists the requirements for a new run by topic.

use std::collections::BTreeMap;

use crate::outlook::{FlagName, NewRun, NewTest, ProfileOutlook};
use gwconform_base::api::{Channel, Level};
use gwconform_base::text::{counted, shell};

/// A titled list. Items can contain names from reports, which the caller must escape.
pub(crate) struct Section {
    /// Profile name; `None` if the section applies to the whole run.
    pub(crate) profile: Option<String>,
    pub(crate) title: String,
    pub(crate) items: Vec<String>,
}

pub(crate) struct FlagLine {
    pub(crate) when: &'static str,
    pub(crate) arguments: String,
}

pub(crate) fn sections(run: &NewRun<'_>) -> Vec<Section> {
    let profiles = run.profiles.iter().flat_map(of_profile);
    let renamed = run.renamed.iter();
    let renamed = renamed.map(|one| format!("{} {}: now {}", one.kind, one.old, one.new));
    let gone = run.removed_features.iter().map(|name| (*name).to_owned());
    let undecided = run.features_to_decide.values().map(|one| {
        let mut notes = vec![counted(one.tests.len(), "test")];
        if one.channel == Channel::Experimental {
            notes.push("experimental channel".to_owned());
        }
        notes.push(one.profiles.join(", "));
        let meaning = one
            .description
            .map_or_else(String::new, |meaning| format!(": {meaning}"));
        format!("{} ({}){meaning}", one.feature, notes.join("; "))
    });
    let new_profiles = run.new_profiles.iter().map(|name| (*name).to_owned());
    let all = [
        section("Renamed", renamed),
        section("Removed features (remove them from the flags)", gone),
        section("Features that need a decision", undecided),
        section("New profiles", new_profiles),
    ];
    profiles.chain(all.into_iter().flatten()).collect()
}

fn of_profile<'s>(profile: &'s ProfileOutlook<'_>) -> impl Iterator<Item = Section> + 's {
    let names =
        |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_owned()).collect() };
    let core_new = profile
        .new_core_tests
        .iter()
        .map(|new| new_test(new, Level::Core));
    let extended = profile.new_extended_tests.iter();
    let extended = extended.map(|new| new_test(new, Level::Extended));
    let failed = profile.failed_tests.iter().map(|test| (*test, "failed"));
    let skipped = profile.skipped_tests.iter().map(|test| (*test, "skipped"));
    let not_passed: BTreeMap<&str, &str> = failed.chain(skipped).collect();
    let not_passed = not_passed.into_iter();
    let not_passed = not_passed.map(|(test, result)| format!("{test} ({result})"));
    let lists = [
        section("New core tests", core_new),
        section(
            "No longer core tests",
            names(&profile.removed_core_tests).into_iter(),
        ),
        section("New tests of claimed features", extended),
        section("Failed or skipped in the last report", not_passed),
        section(
            "Result unknown: they ran after the last report was written",
            names(&profile.not_seen_tests).into_iter(),
        ),
    ];
    lists.into_iter().flatten().map(|section| Section {
        profile: Some(profile.profile.clone()),
        ..section
    })
}

fn section(title: &str, items: impl Iterator<Item = String>) -> Option<Section> {
    let items: Vec<String> = items.collect();
    (!items.is_empty()).then(|| Section {
        profile: None,
        title: format!("{title}: {}", items.len()),
        items,
    })
}

fn new_test(new: &NewTest<'_>, level: Level) -> String {
    let mut notes = Vec::new();
    if !new.features.is_empty() {
        notes.push(format!("needs {}", new.features.join(", ")));
    }
    match new.previous_level {
        Some(before) if before != level => notes.push(format!("was {before}")),
        Some(_) => notes.push("was not run before".to_owned()),
        None => {}
    }
    if new.provisional {
        notes.push("provisional: --skip-provisional-tests skips it".to_owned());
    }
    if notes.is_empty() {
        new.test.to_owned()
    } else {
        format!("{} ({})", new.test, notes.join("; "))
    }
}

pub(crate) fn flags(run: &NewRun<'_>) -> Vec<FlagLine> {
    let lines = run.flags.iter().filter_map(|flag| {
        let names: Vec<&str> = flag.names.iter().copied().collect();
        let name = flag.name.as_str();
        let argument = || shell::word(&names.join(",")).map(|names| format!("--{name}={names}"));
        let (when, arguments) = match (flag.name, names.is_empty()) {
            (FlagName::SupportedFeatures, _) => ("with --supported-features", argument()?),
            (FlagName::ExemptFeatures, true) => {
                ("with --all-features", "--all-features".to_owned())
            }
            (FlagName::ExemptFeatures, false) => (
                "with --all-features",
                format!("--all-features {}", argument()?),
            ),
            (FlagName::ConformanceProfiles, _) => ("for every run", argument()?),
        };
        Some(FlagLine { when, arguments })
    });
    lines.collect()
}
