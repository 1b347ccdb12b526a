//! A plan as JSON.

use serde::Serialize;

use super::{PlanView, ReportView};
use crate::api::Family;
use crate::outlook::plan::{ProfilePlan, Source, command};
use crate::release::Test;

/// What `gwconform plan --format json` prints.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "Tests that the suite of a release runs"))]
pub struct Document<'p> {
    /// Version of this format.
    #[cfg_attr(test, schemars(extend("const" = 1)))]
    version: u32,
    /// The release.
    release: String,
    /// The release whose suite the flags are of: another one where that of the release was not read.
    suite: String,
    /// Where the supported features come from.
    features: &'p Source,
    /// All features that are supported, core ones among them, sorted.
    supported: Vec<&'p str>,
    /// What to know, one sentence each.
    notes: &'p [String],
    /// In the order of the request.
    profiles: Vec<OneProfile<'p>>,
    /// Tests that run and that no profile of the plan counts.
    uncounted: Vec<OneTest<'p>>,
    /// The command that runs the suite like this, for a shell; null where a name holds a character that
    /// cannot be seen.
    command: Option<String>,
    /// The report that was compared with the plan; null without one.
    report: Option<OneReport<'p>>,
}

/// A profile.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneProfile<'p> {
    /// Its name.
    name: &'p str,
    /// The name that the suite writes into reports; another one only where the suite errs.
    report_name: &'p str,
    /// `gateway` or `mesh`.
    family: Family,
    /// The core tests that run. The report counts all of them.
    core: Vec<OneTest<'p>>,
    /// The extended tests that run. The report counts all of them.
    extended: Vec<OneTest<'p>>,
    /// The tests of `--skip-tests` that would run. The report counts all of them as skipped.
    left_out: Vec<OneTest<'p>>,
    /// The tests that do not run, and are not counted.
    skipped: Vec<OneSkipped<'p>>,
    /// Its extended features that are supported: `supportedFeatures` of the report.
    supported: &'p [&'p str],
    /// Its other extended features: `unsupportedFeatures` of the report.
    unsupported: &'p [&'p str],
}

/// A test that runs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneTest<'p> {
    /// Its short name.
    name: &'p str,
    /// It may be left out, and counts only when it ran.
    provisional: bool,
    /// The report is written before it has finished: it shows as passed, and its result is not seen.
    parallel: bool,
}

/// A test that does not count.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneSkipped<'p> {
    /// Its short name.
    name: &'p str,
    /// The features that it needs and that are not supported, so it does not run; none for a
    /// provisional test, which runs and counts only if it fails (`--skip-provisional-tests`).
    needs: &'p [&'p str],
}

/// A report compared with the plan.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneReport<'p> {
    /// Its path.
    path: &'p str,
    /// True without differences.
    fits: bool,
    /// In the order of the report.
    differences: Vec<OneDifference<'p>>,
}

/// A difference.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OneDifference<'p> {
    /// The profile of the report; null for the report itself.
    profile: Option<&'p str>,
    /// 1-based.
    line: u32,
    /// 1-based, in characters.
    column: u32,
    /// The names on the way there.
    subject: &'p str,
    /// What differs.
    message: String,
}

impl<'p> Document<'p> {
    /// A plan as a document.
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
