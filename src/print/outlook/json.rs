//! An outlook as JSON.

use std::collections::BTreeMap;
use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use crate::api::{Channel, Family, Kind, Level};
use crate::certify::{Certified, Standing};
use crate::outlook::{
    FamilyOutlook, FlagName, ImplementationOutlook, NewRun, NewTest, Outcome, Outlook,
    ProfileOutlook, Renamed,
};
use crate::report::schema;

/// What `gwconform outlook --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "What a release means for implementations", transform = schema::with_id("outlook"))]
pub struct Document {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    version: u32,
    /// The release.
    release: String,
    /// False for a prerelease, and for facts without a date.
    released: bool,
    /// The minor that the newest minors are counted from now; null when there is none.
    newest_minor: Option<String>,
    /// The minor at whose review the verdicts `then` are given.
    review_after: String,
    /// By organization and project.
    implementations: Vec<OneImplementation>,
}

/// What the release means for an implementation.
#[derive(Debug, Serialize, JsonSchema)]
struct OneImplementation {
    /// Its part of addresses.
    slug: String,
    /// As in its reports.
    organization: String,
    /// As in its reports.
    project: String,
    /// The name to show.
    name: String,
    /// What it means in each family that it has profiles of.
    families: Vec<OneFamily>,
}

/// What the release means for an implementation in a family.
#[derive(Debug, Serialize, JsonSchema)]
struct OneFamily {
    /// `gateway` or `mesh`.
    family: Family,
    /// Its verdict now.
    now: Verdict,
    /// Its verdict at the review after the release, when nothing is submitted.
    then: Verdict,
    /// What a new run must do; null when all its reports are for newer or unknown releases.
    run: Option<Run>,
}

/// A verdict.
#[derive(Debug, Serialize, JsonSchema)]
struct Verdict {
    /// What it is.
    standing: Standing,
    /// Why.
    reason: String,
    /// The verdict is dropped at the review after this minor unless a newer report is submitted.
    falls_out_after: Option<String>,
}

/// What a run of the suite of the release must do, compared with the last report.
#[derive(Debug, Serialize, JsonSchema)]
struct Run {
    /// Path of the last report: relative to the working directory, absolute outside of it, always
    /// with `/`.
    path: String,
    /// Which document of that file it is, from 0.
    document: usize,
    /// The release that it is for.
    release: Option<String>,
    /// The release whose suite it is recomputed with; null when nothing is known of its suite.
    recomputed_with: Option<String>,
    /// The profiles of the last report in the family, in its order.
    profiles: Vec<OneProfile>,
    /// Other profiles of the family that are new in the release.
    new_profiles: Vec<String>,
    /// Names in these profiles that changed.
    renamed: Vec<OneRenamed>,
    /// Features that these profiles list and that the release does not have.
    features_gone: Vec<String>,
    /// Extended features that are new to its profiles and that it does not name.
    features_to_decide: Vec<OneUndecided>,
    /// The flags of the suite that change, for all families of the last report. Those that are not
    /// here stay as they were.
    flags: Vec<OneFlag>,
}

/// A profile of the last report.
#[derive(Debug, Serialize, JsonSchema)]
struct OneProfile {
    /// Its name in the last report.
    name: String,
    /// Its names in the release: several where a suite reported two profiles by one name, none where
    /// the release does not have it.
    names_now: Vec<String>,
    /// How many core tests the suite of the last report recorded.
    core_tests: usize,
    /// How many core tests the new run records, without provisional ones that have not run yet.
    core_tests_now: usize,
    /// Core tests that are new to it.
    core_tests_new: Vec<OneTest>,
    /// Tests that are core tests of it no longer, by their names in the last report.
    core_tests_gone: Vec<String>,
    /// Extended tests of claimed features that are new to it.
    extended_tests_new: Vec<OneTest>,
    /// Tests that failed or were skipped, by their names now.
    not_passed: BTreeMap<String, Outcome>,
    /// Tests that ran only after the last report was written, so that their results are unknown, by
    /// their names now.
    result_unknown: Vec<String>,
}

/// A test that is new to a profile.
#[derive(Debug, Serialize, JsonSchema)]
struct OneTest {
    /// Its short name.
    name: String,
    /// The features that it needs and that are not core.
    needs: Vec<String>,
    /// It may be left out, and counts only when it ran.
    provisional: bool,
    /// Its level in the profile before; null for a test that the profile did not have.
    level_before: Option<Level>,
}

/// A name that changed.
#[derive(Debug, Serialize, JsonSchema)]
struct OneRenamed {
    /// Of what.
    kind: Kind,
    /// In the last report.
    old: String,
    /// In the release.
    new: String,
}

/// A feature to decide on.
#[derive(Debug, Serialize, JsonSchema)]
struct OneUndecided {
    /// Its name.
    name: String,
    /// The channel that its fields are in.
    channel: Channel,
    /// What it means, in one sentence.
    meaning: Option<String>,
    /// The profiles that it is new to.
    profiles: Vec<String>,
    /// The tests of these profiles that need it.
    tests: Vec<String>,
}

/// A flag of the suite.
#[derive(Debug, Serialize, JsonSchema)]
struct OneFlag {
    /// Its name. `exempt-features` goes with `--all-features`.
    flag: FlagName,
    /// All its names in a new run that claims the same; features to decide on are exempt.
    names: Vec<String>,
}

/// Writes an outlook as one JSON document.
///
/// # Errors
/// When `out` cannot be written to.
pub fn write(outlook: &Outlook<'_>, out: &mut dyn Write) -> io::Result<()> {
    crate::text::json::to_writer_pretty(&mut *out, &document(outlook))?;
    out.write_all(b"\n")
}

fn document(outlook: &Outlook<'_>) -> Document {
    Document {
        version: 1,
        release: outlook.release.version().to_string(),
        released: outlook.release.is_released(),
        newest_minor: outlook.newest.map(|minor| minor.to_string()),
        review_after: outlook.minor().to_string(),
        implementations: outlook.implementations.iter().map(implementation).collect(),
    }
}

fn implementation(one: &ImplementationOutlook<'_>) -> OneImplementation {
    OneImplementation {
        slug: one.slug.clone(),
        organization: one.organization.clone(),
        project: one.project.clone(),
        name: one.name.clone(),
        families: one.families.iter().map(family).collect(),
    }
}

fn family(family: &FamilyOutlook<'_>) -> OneFamily {
    OneFamily {
        family: family.family,
        now: verdict(&family.now),
        then: verdict(&family.then),
        run: family.run.as_ref().map(run),
    }
}

fn verdict(certified: &Certified) -> Verdict {
    Verdict {
        standing: certified.standing,
        reason: certified.reason.clone(),
        falls_out_after: certified.until.map(|minor| minor.to_string()),
    }
}

fn run(run: &NewRun<'_>) -> Run {
    let last = &run.last;
    Run {
        path: last.path.clone(),
        document: last.document,
        release: last.version.as_ref().map(ToString::to_string),
        recomputed_with: last.facts.map(|release| release.version().to_string()),
        profiles: run.profiles.iter().map(profile).collect(),
        new_profiles: owned(&run.new_profiles),
        renamed: run.renamed.iter().map(renamed).collect(),
        features_gone: owned(&run.gone),
        features_to_decide: run
            .undecided
            .values()
            .map(|one| OneUndecided {
                name: one.feature.name.clone(),
                channel: one.feature.channel,
                meaning: one.feature.meaning.clone(),
                profiles: owned(&one.profiles),
                tests: owned(&one.tests),
            })
            .collect(),
        flags: run
            .flags
            .iter()
            .map(|flag| OneFlag {
                flag: flag.name,
                names: owned(&flag.names),
            })
            .collect(),
    }
}

fn profile(profile: &ProfileOutlook<'_>) -> OneProfile {
    let [core_tests, core_tests_now] = profile.core_tests;
    let not_passed = profile.not_passed.iter();
    OneProfile {
        name: profile.name.clone(),
        names_now: owned(&profile.now),
        core_tests,
        core_tests_now,
        core_tests_new: profile.core_new.iter().map(test).collect(),
        core_tests_gone: owned(&profile.core_gone),
        extended_tests_new: profile.extended_new.iter().map(test).collect(),
        not_passed: not_passed
            .map(|(name, outcome)| ((*name).to_owned(), *outcome))
            .collect(),
        result_unknown: owned(&profile.not_proved),
    }
}

fn test(new: &NewTest<'_>) -> OneTest {
    OneTest {
        name: new.test.name.clone(),
        needs: owned(&new.needs),
        provisional: new.test.provisional,
        level_before: new.before,
    }
}

fn renamed(renamed: &Renamed<'_>) -> OneRenamed {
    OneRenamed {
        kind: renamed.kind,
        old: renamed.old.clone(),
        new: renamed.new.to_owned(),
    }
}

fn owned<'n>(names: impl IntoIterator<Item = &'n &'n str>) -> Vec<String> {
    names.into_iter().map(|name| (*name).to_owned()).collect()
}
