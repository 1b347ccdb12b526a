//! JSON for plans.

use serde::Serialize;

use super::{PlanView, ReportView};
use crate::api::Family;
use crate::outlook::plan::{ProfilePlan, Source, command};
use crate::release::Test;

/// Output of `gwconform plan --format json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Tests that the suite of a release runs"))]
pub struct Document<'p> {
    /// Format version.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    version: u32,
    /// Release of the plan.
    release: String,
    /// Release of the suite that defines the flags; differs from `release` if the suite of that
    /// release is not available.
    suite: String,
    /// Source of the supported features.
    features: &'p Source,
    /// Supported core and extended features, sorted.
    supported: Vec<&'p str>,
    /// Notes, one sentence each.
    notes: &'p [String],
    /// In the requested order.
    profiles: Vec<OneProfile<'p>>,
    /// Tests that run but that no profile of the plan counts.
    uncounted: Vec<OneTest<'p>>,
    /// Shell command to run the suite; null if a name contains an invisible character.
    command: Option<String>,
    /// Report compared with the plan; else null.
    report: Option<OneReport<'p>>,
}

/// A profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneProfile<'p> {
    /// Profile name.
    name: &'p str,
    /// Name the suite writes to reports; differs only because of suite bugs.
    report_name: &'p str,
    /// `gateway` or `mesh`.
    family: Family,
    /// Core tests that run; the report counts all of them.
    core: Vec<OneTest<'p>>,
    /// Extended tests that run; the report counts all of them.
    extended: Vec<OneTest<'p>>,
    /// Tests excluded with `--skip-tests`; the report counts all of them as skipped.
    left_out: Vec<OneTest<'p>>,
    /// Tests that do not run and are not counted.
    skipped: Vec<OneSkipped<'p>>,
    /// Supported extended features: `supportedFeatures` in the report.
    supported: &'p [&'p str],
    /// Other extended features: `unsupportedFeatures` in the report.
    unsupported: &'p [&'p str],
}

/// A test that runs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneTest<'p> {
    /// Short name.
    name: &'p str,
    /// Optional; counts only if it ran.
    provisional: bool,
    /// May finish after the report is written: shown as passed, but its result is not seen.
    parallel: bool,
}

/// A test that does not count.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneSkipped<'p> {
    /// Short name.
    name: &'p str,
    /// Required features that are not supported, so the test does not run. Empty for a provisional
    /// test, which runs but counts only if it fails (`--skip-provisional-tests`).
    needs: &'p [&'p str],
}

/// A report compared with the plan.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneReport<'p> {
    /// Report path.
    path: &'p str,
    /// True if there are no differences.
    fits: bool,
    /// In report order.
    differences: Vec<OneDifference<'p>>,
}

/// A difference.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneDifference<'p> {
    /// Profile of the report; null for the report itself.
    profile: Option<&'p str>,
    /// Line, from 1.
    line: u32,
    /// Column in characters, from 1.
    column: u32,
    /// Path of names to the value.
    subject: &'p str,
    /// Description of the difference.
    message: String,
}

impl<'p> Document<'p> {
    /// Creates the document.
    pub fn new(view: PlanView<'p>) -> Self {
        let plan = view.plan;
        Self {
            version: 1,
            release: plan.release.version().to_string(),
            suite: plan.suite.version.to_string(),
            features: &plan.source,
            supported: plan.supported.iter().map(String::as_str).collect(),
            notes: &plan.notes,
            profiles: plan.profiles.iter().map(OneProfile::new).collect(),
            uncounted: tests(&plan.uncounted),
            command: command(plan),
            report: view.report.map(OneReport::new),
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

impl<'p> OneReport<'p> {
    fn new(report: ReportView<'p>) -> Self {
        let differences = report.differences.iter().map(|one| {
            let at = report.source.position(one.span.start as usize);
            OneDifference {
                profile: one.profile.as_deref(),
                line: at.line,
                column: at.column,
                subject: &one.subject,
                message: one.message.to_string(),
            }
        });
        Self {
            path: report.source.path(),
            fits: report.differences.is_empty(),
            differences: differences.collect(),
        }
    }
}
