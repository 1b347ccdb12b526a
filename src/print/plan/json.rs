//! A plan as JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::{PlanView, ReportView, note};
use crate::api::Family;
use crate::outlook::plan::{Plan, ProfilePlan, Source, command};
use crate::release::Test;
use crate::report::schema;

/// What `gwconform plan --format json` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "What the suite of a release will run", transform = schema::with_id("plan"))]
pub struct Document {
    /// Version of this format.
    #[schemars(extend("const" = 1))]
    version: u32,
    /// The release.
    release: String,
    /// The release whose suite the flags are of: another one where that of the release was not read.
    suite: String,
    /// Where the supported features come from.
    features: Features,
    /// All features that are supported, core ones among them, sorted.
    supported: Vec<String>,
    /// What to know, one sentence each.
    notes: Vec<String>,
    /// In the order of the request.
    profiles: Vec<OneProfile>,
    /// Tests that run and that no profile of the plan counts.
    uncounted: Vec<OneTest>,
    /// The command that runs the suite like this, for a shell; null where a name holds a character that
    /// cannot be seen.
    command: Option<String>,
    /// The report that was compared with the plan; null without one.
    report: Option<OneReport>,
}

/// Where the supported features come from.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Features {
    /// They are listed.
    Listed(Vec<String>),
    /// All but these.
    AllExcept(Vec<String>),
    /// None; these are exempt.
    OnlyExempt(Vec<String>),
    /// The suite takes them from the status of resources.
    Inferred {
        /// The GatewayClass.
        class: Option<String>,
        /// The XMesh.
        mesh: Option<String>,
    },
}

/// A profile.
#[derive(Debug, Serialize, JsonSchema)]
struct OneProfile {
    /// Its name.
    name: String,
    /// The name that the suite writes into reports; another one only where the suite errs.
    report_name: String,
    /// `gateway` or `mesh`.
    family: Family,
    /// The core tests that run. The report counts all of them.
    core: Vec<OneTest>,
    /// The extended tests that run. The report counts all of them.
    extended: Vec<OneTest>,
    /// The tests of `--skip-tests` that would run. The report counts all of them as skipped.
    left_out: Vec<OneTest>,
    /// The tests that do not run, and are not counted.
    skipped: Vec<OneSkipped>,
    /// Its extended features that are supported: `supportedFeatures` of the report.
    supported: Vec<String>,
    /// Its other extended features: `unsupportedFeatures` of the report.
    unsupported: Vec<String>,
}

/// A test that runs.
#[derive(Debug, Serialize, JsonSchema)]
struct OneTest {
    /// Its short name.
    name: String,
    /// It may be left out, and counts only when it ran.
    provisional: bool,
    /// The report is written before it has finished: it shows as passed, and its result is not seen.
    parallel: bool,
}

/// A test that does not count.
#[derive(Debug, Serialize, JsonSchema)]
struct OneSkipped {
    /// Its short name.
    name: String,
    /// The features that it needs and that are not supported, so it does not run; none for a
    /// provisional test, which runs and counts only if it fails (`--skip-provisional-tests`).
    needs: Vec<String>,
}

/// A report compared with the plan.
#[derive(Debug, Serialize, JsonSchema)]
struct OneReport {
    /// Its path.
    path: String,
    /// True without differences.
    fits: bool,
    /// In the order of the report.
    differences: Vec<OneDifference>,
}

/// A difference.
#[derive(Debug, Serialize, JsonSchema)]
struct OneDifference {
    /// The profile of the report; null for the report itself.
    profile: Option<String>,
    /// 1-based.
    line: u32,
    /// 1-based, in characters.
    column: u32,
    /// The names on the way there.
    subject: String,
    /// What differs.
    message: String,
}

impl Document {
    /// A plan as a document.
    pub fn new(view: PlanView<'_>) -> Self {
        let plan = view.plan;
        Self {
            version: 1,
            release: plan.release.version().to_string(),
            suite: plan.suite.version.to_string(),
            features: Features::new(&plan.source),
            supported: plan.supported.iter().cloned().collect(),
            notes: notes(plan),
            profiles: plan.profiles.iter().map(OneProfile::new).collect(),
            uncounted: tests(&plan.uncounted),
            command: command(plan),
            report: view.report.map(OneReport::new),
        }
    }
}

fn notes(plan: &Plan<'_>) -> Vec<String> {
    plan.notes.iter().map(|one| note(plan, one)).collect()
}

fn tests(tests: &[&Test]) -> Vec<OneTest> {
    let tests = tests.iter().map(|test| OneTest {
        name: test.name.clone(),
        provisional: test.provisional,
        parallel: test.parallel,
    });
    tests.collect()
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

impl Features {
    fn new(source: &Source) -> Self {
        match source.clone() {
            Source::Listed(names) => Self::Listed(names.into_iter().collect()),
            Source::AllExcept(names) => Self::AllExcept(names.into_iter().collect()),
            Source::OnlyExempt(names) => Self::OnlyExempt(names.into_iter().collect()),
            Source::Inferred { class, mesh } => Self::Inferred { class, mesh },
        }
    }
}

impl OneProfile {
    fn new(one: &ProfilePlan<'_>) -> Self {
        let skipped = one.skipped.iter().map(|skipped| OneSkipped {
            name: skipped.test.name.clone(),
            needs: owned(&skipped.needs),
        });
        Self {
            name: one.profile.name.clone(),
            report_name: one.profile.report_name.clone(),
            family: one.profile.family,
            core: tests(&one.core),
            extended: tests(&one.extended),
            left_out: tests(&one.left_out),
            skipped: skipped.collect(),
            supported: owned(&one.supported),
            unsupported: owned(&one.unsupported),
        }
    }
}

impl OneReport {
    fn new(report: ReportView<'_>) -> Self {
        let differences = report.differences.iter().map(|one| {
            let at = report.source.position(one.span.start as usize);
            OneDifference {
                profile: one.profile.clone(),
                line: at.line,
                column: at.column,
                subject: one.subject.clone(),
                message: one.message.to_string(),
            }
        });
        Self {
            path: report.source.path().to_owned(),
            fits: report.differences.is_empty(),
            differences: differences.collect(),
        }
    }
}
