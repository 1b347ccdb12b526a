//! JSON output of `plan`.

use serde::Serialize;

use crate::outlook::plan::{Plan, ProfilePlan, Source, command};
use gwconform_base::api::Family;
use gwconform_base::release::Test;

/// Output of `gwconform plan --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Tests that the suite of a release runs"))]
pub struct Content<'p> {
    /// Release that the plan is for, such as `v1.5.1`.
    release: String,
    /// Release of the suite that defines the flags. Differs from `release` if that suite is not
    /// available.
    suite: String,
    /// Origin of the list of supported features.
    features: &'p Source,
    /// Core and extended features that the implementation supports, sorted by name.
    supported: Vec<&'p str>,
    /// Notes on the plan, one sentence each.
    notes: &'p [String],
    /// Profiles in the requested order.
    profiles: Vec<OneProfile<'p>>,
    /// Tests that run, but that no profile of the plan counts.
    uncounted: Vec<OneTest<'p>>,
    /// Shell command that runs the suite; null if a name contains an invisible character.
    command: Option<String>,
}

/// Tests and features of one profile in the plan.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneProfile<'p> {
    /// Profile name, such as `GATEWAY-HTTP`.
    name: &'p str,
    /// Name that the suite writes to reports. The name differs only because of bugs in the suite.
    report_name: &'p str,
    /// `gateway` or `mesh`.
    family: Family,
    /// Core tests that run. The report counts all of these tests.
    core: Vec<OneTest<'p>>,
    /// Extended tests that run. The report counts all of these tests.
    extended: Vec<OneTest<'p>>,
    /// Tests in `--skip-tests`. The report counts all of these tests as skipped.
    left_out: Vec<OneTest<'p>>,
    /// Tests that the report does not count, with reasons.
    skipped: Vec<OneSkipped<'p>>,
    /// Extended features that `supportedFeatures` in the report must list.
    supported: &'p [&'p str],
    /// Extended features that `unsupportedFeatures` in the report must list.
    unsupported: &'p [&'p str],
}

/// A test that runs, or that `--skip-tests` excludes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneTest<'p> {
    /// Short test name, as in reports.
    name: &'p str,
    /// True if the test is optional and counts only if it ran.
    provisional: bool,
    /// True if the test can finish after the report is written. The report then lists the test as
    /// passed, but the result is not seen.
    parallel: bool,
}

/// A test that the report does not count.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneSkipped<'p> {
    /// Short test name, as in reports.
    name: &'p str,
    /// Required features that are not supported, so the test does not run. Empty for a provisional
    /// test with `--skip-provisional-tests`, which runs but counts only if it fails.
    needs: &'p [&'p str],
}

impl<'p> Content<'p> {
    /// Creates the document from a plan.
    pub fn new(plan: &'p Plan<'_>) -> Self {
        Self {
            release: plan.release.version().to_string(),
            suite: plan.suite.version.to_string(),
            features: &plan.source,
            supported: plan.supported.iter().map(String::as_str).collect(),
            notes: &plan.notes,
            profiles: plan.profiles.iter().map(OneProfile::new).collect(),
            uncounted: tests(&plan.uncounted),
            command: command(plan),
        }
    }
}

fn tests<'p>(tests: &[&'p Test]) -> Vec<OneTest<'p>> {
    let tests = tests.iter().map(|test| OneTest {
        name: &test.name,
        provisional: test.provisional,
        parallel: test.parallel,
    });
    tests.collect()
}

impl<'p> OneProfile<'p> {
    fn new(one: &'p ProfilePlan<'_>) -> Self {
        let skipped = one.skipped.iter().map(|skipped| OneSkipped {
            name: &skipped.test.name,
            needs: &skipped.needs,
        });
        Self {
            name: &one.profile.name,
            report_name: &one.profile.report_name,
            family: one.profile.family,
            core: tests(&one.core),
            extended: tests(&one.extended),
            left_out: tests(&one.left_out),
            skipped: skipped.collect(),
            supported: &one.supported,
            unsupported: &one.unsupported,
        }
    }
}
