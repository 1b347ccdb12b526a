//! Plans the addition of reports to a tree. Reports are copied byte for byte, and files are never
//! overwritten. Additions with new errors are refused. Report values in paths and READMEs must
//! consist of plain characters.

mod reproduce_commands;
mod details;
mod plan_report;
mod proposal;
mod outcome;
mod other_readmes;
mod file_place;
mod previous_readme;
mod readme;
mod template;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use gwconform_base::api::FolderRelease;
use gwconform_base::release::Registry;
use gwconform_base::release::stated::release_of_prerelease;
use gwconform_base::text::change::ChangeSet;
use gwconform_base::text::diagnostic::Diagnostic;
use gwconform_report::certify::details::Details;
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::rules::check::Settings;
use gwconform_report::rules::configuration::Config;
use gwconform_report::tree::Tree;

use outcome::{Outcome, PlannedSubmission};
use plan_report::plan_report;
pub use proposal::Proposal;

pub use reproduce_commands::command;

/// Report file to add.
#[derive(Debug)]
pub struct Input {
    /// Printed path.
    pub shown: String,
    /// Content of the report file, which is copied unchanged.
    pub bytes: Vec<u8>,
}

/// Tree and settings for added reports.
pub struct SubmissionTarget<'a> {
    /// Complete tree to add reports to.
    pub tree: &'a Tree,
    /// Facts of the reports in the tree.
    pub reports: &'a [ReportFacts],
    /// Folder and entries of the implementation list next to the tree.
    pub list: Option<(PathBuf, Vec<Details>)>,
    /// Release data for checks.
    pub registry: &'a Registry,
    /// Configuration with implementation names.
    pub config: &'a Config,
    /// Selected rules and their severities.
    pub settings: &'a Settings,
    /// Reads a file of the tree.
    pub read: &'a dyn Fn(&Path) -> Option<Vec<u8>>,
    /// Removes findings that the configuration ignores.
    pub ignore: &'a dyn Fn(&mut Vec<Diagnostic>),
}

/// Options of `gwconform add`.
#[derive(Debug, Default)]
pub struct Options {
    /// URL of the implementation's release page. By default, it is derived from existing README
    /// rows.
    pub release_url: Option<String>,
    /// True to add reports with errors.
    pub is_forced: bool,
}

/// Planned changes and remaining steps.
#[derive(Debug, Default)]
pub struct Plan {
    /// Files to create and change.
    pub changes: ChangeSet,
    /// Printed paths of the reports. True if the tree already contains the report.
    pub filed: Vec<(String, bool)>,
    /// Remaining manual steps, as sentences.
    pub to_do: Vec<String>,
    /// Warnings and accepted errors of the new reports.
    pub findings: Vec<Diagnostic>,
    /// Number of findings in the new reports that are errors with `check --strict`.
    pub rejected: usize,
    /// Suggested branch, commit and pull request.
    pub proposal: Proposal,
}

/// Reason why no reports are added.
#[derive(Debug)]
pub enum AddError {
    /// The report itself has errors.
    Errors {
        /// Printed path.
        shown: String,
        /// Findings in the report.
        findings: Vec<Diagnostic>,
        /// Commands to run the suite again, with placeholders for wrong values.
        command: Option<String>,
        /// False if the report does not determine its destination.
        can_be_forced: bool,
    },
    /// The changed tree would have new errors.
    Submission {
        /// Printed paths of the reports.
        shown: String,
        /// The new errors.
        findings: Vec<Diagnostic>,
    },
    /// The report cannot be added for another reason.
    Reason {
        /// Printed path.
        shown: String,
        /// Reason, with a solution.
        reason: String,
    },
}

struct PlannedReport {
    shown: String,
    bytes: Vec<u8>,
    facts: ReportFacts,
    folder: PathBuf,
    release: FolderRelease,
    name: String,
    is_there: bool,
    findings: Vec<Diagnostic>,
    rejected: usize,
}

impl PlannedReport {
    fn path(&self) -> PathBuf {
        self.folder.join(&self.name)
    }
}

/// Plans the changes for all reports.
///
/// # Errors
/// Returns all reports that cannot be added, with reasons.
pub fn plan(
    inputs: Vec<Input>,
    target: &SubmissionTarget<'_>,
    options: &Options,
) -> Result<Plan, Vec<AddError>> {
    let (mut planned, mut refusals) = (Vec::new(), Vec::new());
    for input in inputs {
        match plan_report(input, target, options) {
            Ok(report) => planned.push(report),
            Err(refusal) => refusals.push(refusal),
        }
    }
    refuse_clashes(&mut planned, &mut refusals);
    if options.release_url.is_some() {
        refuse_several_versions(&planned, &mut refusals);
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let has_new = planned.iter().any(|report| !report.is_there);
    let meant = planned.iter().filter(|report| !report.is_there || !has_new);
    let mut plan = Plan {
        proposal: proposal::proposal(meant, &target.tree.root),
        ..Plan::default()
    };
    let shown: Vec<String> = planned.iter().map(|report| report.shown.clone()).collect();
    let mut folders: BTreeMap<PathBuf, Vec<PlannedReport>> = BTreeMap::new();
    for mut report in planned {
        plan.filed
            .push((target.tree.display(&report.path()), report.is_there));
        if !report.is_there {
            plan.findings.append(&mut report.findings);
            plan.rejected += report.rejected;
            plan.to_do.extend(prerelease(&report, target));
        }
        folders
            .entry(report.folder.clone())
            .or_default()
            .push(report);
    }
    let mut outcome = Outcome::new(target);
    for (folder, planned) in folders {
        plan_folder(
            &folder,
            &planned,
            target,
            options,
            (&mut plan, &mut outcome),
        )
        .map_err(|refusal| vec![refusal])?;
    }
    let findings = outcome.finish();
    if !findings.is_empty() && !options.is_forced {
        let shown = shown.join(", ");
        return Err(vec![AddError::Submission { shown, findings }]);
    }
    let mut seen = BTreeSet::new();
    plan.to_do.retain(|to_do| seen.insert(to_do.clone()));
    Ok(plan)
}

/// Findings report prereleases of published releases.
fn prerelease(report: &PlannedReport, target: &SubmissionTarget<'_>) -> Option<String> {
    let version = report.facts.release.version.as_ref()?;
    let is_open =
        version.pre().is_some() && release_of_prerelease(version, target.registry).is_none();
    let path = target.tree.display(&report.path());
    is_open.then(|| format!("{path}: Gateway API {version} is a prerelease, so the report supports no verdict; add a report for the release when it is published"))
}

fn plan_folder(
    folder: &Path,
    planned: &[PlannedReport],
    target: &SubmissionTarget<'_>,
    options: &Options,
    (plan, outcome): (&mut Plan, &mut Outcome<'_>),
) -> Result<(), AddError> {
    for report in planned.iter().filter(|report| !report.is_there) {
        let path = target.tree.display(&report.path());
        plan.changes.create(path, report.bytes.clone());
    }
    let with = |previous: Option<&_>| readme::plan(folder, planned, previous, target, options);
    let previous =
        previous_readme::readme(folder, planned, target).filter(|_| !outcome.has_readme(folder));
    let adapted = previous.and_then(|previous| with(Some(&previous)).ok());
    let adapted = adapted.filter(|adapted| {
        !outcome.has_errors(&PlannedSubmission {
            folder,
            planned,
            readme: &adapted.text,
        })
    });
    let mut readme = adapted.map_or_else(|| with(None), Ok)?;
    plan.to_do.append(&mut readme.to_do);
    match &readme.before {
        Some(before) => {
            let edited = plan.changes.edit(&readme.shown, before, &readme.text);
            let first = planned.first().map_or("", |report| report.shown.as_str());
            edited.map_err(|error| reason(first, error.to_string()))?;
        }
        None => plan
            .changes
            .create(readme.shown.clone(), readme.text.clone()),
    }
    outcome.take(&PlannedSubmission {
        folder,
        planned,
        readme: &readme.text,
    });
    details::plan(folder, planned, target, plan);
    Ok(())
}

fn reason(shown: &str, reason: impl Into<String>) -> AddError {
    AddError::Reason {
        shown: shown.to_owned(),
        reason: reason.into(),
    }
}

fn refuse_clashes(planned: &mut Vec<PlannedReport>, refusals: &mut Vec<AddError>) {
    let mut taken: BTreeMap<(PathBuf, String), (String, Vec<u8>)> = BTreeMap::new();
    planned.retain(|report| {
        let place = (report.folder.clone(), report.name.to_lowercase());
        let Some((other, bytes)) = taken.get(&place) else {
            taken.insert(place, (report.shown.clone(), report.bytes.clone()));
            return true;
        };
        if *bytes != report.bytes {
            refusals.push(reason(
                &report.shown,
                format!("the report would get the path {}, as would {other}; run the suite again with a different `--mode` for each deployment mode", report.name),
            ));
        }
        false
    });
}

fn refuse_several_versions(planned: &[PlannedReport], refusals: &mut Vec<AddError>) {
    let first = planned.first().map(|report| report.facts.version());
    for report in planned {
        if Some(report.facts.version()) != first {
            refusals.push(reason(
                &report.shown,
                "the version differs from that of the first report, and --release-url applies to one version; add the reports one by one",
            ));
        }
    }
}
