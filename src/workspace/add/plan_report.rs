//! Checks a report to add, and plans its place.

use std::path::PathBuf;

use super::{
    AddError, Input, Options, PlannedReport, SubmissionTarget, file_place, reason,
    reproduce_commands,
};
use gwconform_base::api::FolderRelease;
use gwconform_base::api::{SUBJECT, Version};
use gwconform_base::release::stated::may_exist;
use gwconform_base::text::diagnostic::{Diagnostic, Severity};
use gwconform_base::text::source::{Source, is_invisible};
use gwconform_report::report::facts::ReportFacts;
use gwconform_report::rules::check::{CheckReport, Placement, Settings, check_lone};
use gwconform_report::tree::Submission;
use gwconform_report::tree::load::Loaded;

/// Checks a report, and determines its place in the tree.
pub(super) fn plan_report(
    input: Input,
    target: &SubmissionTarget<'_>,
    options: &Options,
) -> Result<PlannedReport, AddError> {
    let shown = input.shown.as_str();
    let version = stated_release(check(&input, None, target.settings, target), shown, target)?;
    let (release_name, release) = file_place::release_folder(target.tree, &version);
    let strict = target.settings.strict();
    let [mut outcome, strict] =
        [target.settings, &strict].map(|one| check(&input, Some(release.clone()), one, target));
    outcome
        .findings
        .retain(|finding| finding.severity > Severity::Info);
    let mut facts = outcome.reports.swap_remove(0);
    if outcome.findings.iter().any(is_error) && !options.is_forced {
        let name = file_place::file_name(&facts, &release).ok();
        return Err(AddError::Errors {
            shown: shown.to_owned(),
            command: reproduce_commands::corrected(
                &facts,
                name.as_deref(),
                &outcome.findings,
                target.registry,
            ),
            findings: outcome.findings,
            can_be_forced: true,
        });
    }
    check_texts(&facts).map_err(|text| reason(shown, text))?;
    let name = file_place::file_name(&facts, &release).map_err(|text| reason(shown, text))?;
    let release_path = target.tree.root.join(release_name);
    let folder = file_place::submission_folder(&release_path, &facts, target)
        .map_err(|text| reason(shown, text))?;
    let there =
        file_place::look(&folder, &name, &facts, target).map_err(|text| reason(shown, text))?;
    let (name, is_there) = match there {
        Some(name) => (name, true),
        None => (name, false),
    };
    facts.path = target.tree.display(&folder.join(&name));
    facts.file_name.clone_from(&name);
    facts.submission.clone_from(&folder);
    Ok(PlannedReport {
        shown: input.shown,
        bytes: input.bytes,
        facts,
        folder,
        release,
        name,
        is_there,
        findings: outcome.findings,
        rejected: strict.count(Severity::Error),
    })
}

fn check(
    input: &Input,
    release: Option<FolderRelease>,
    settings: &Settings,
    target: &SubmissionTarget<'_>,
) -> CheckReport {
    let shown = input.shown.as_str();
    let submission = Submission {
        path: PathBuf::from(shown),
        release,
        ..Submission::default()
    };
    let loaded = Loaded::Report {
        source: Source::new(shown, input.bytes.clone()),
        name: String::new(),
    };
    let (placement, loaded) = (Placement::Alone, vec![loaded]);
    check_lone(&submission, placement, loaded, settings, target.registry)
}

/// Release in a file that contains exactly one report.
fn stated_release(
    first: CheckReport,
    shown: &str,
    target: &SubmissionTarget<'_>,
) -> Result<Version, AddError> {
    let is_one = first.reports.len() == 1;
    let release = first
        .reports
        .first()
        .filter(|report| report.is_report)
        .and_then(|report| report.release.version.clone());
    let may_exist = |version: &Version| may_exist(version, target.registry);
    if let Some(version) = release.filter(|version| is_one && may_exist(version)) {
        return Ok(version);
    }
    if first.reports.len() > 1 {
        let count = first.reports.len();
        let text = format!("the file holds {count} documents; expected one report in each file");
        return Err(reason(shown, text));
    }
    if !first.findings.iter().any(is_error) {
        let field = SUBJECT.release_field;
        let text = format!("the file is not a single report with a {field}");
        return Err(reason(shown, text));
    }
    Err(AddError::Errors {
        shown: shown.to_owned(),
        findings: first.findings,
        command: None,
        can_be_forced: false,
    })
}

fn is_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
}

fn check_texts(facts: &ReportFacts) -> Result<(), String> {
    let fields: [(&str, Option<&str>); 6] = [
        ("organization", facts.organization()),
        ("project", facts.project()),
        ("version", facts.version()),
        ("mode", facts.mode()),
        ("url", facts.url()),
        ("contact", None),
    ];
    let contacts = facts
        .contact
        .iter()
        .map(|text| ("contact", Some(text.as_str())));
    for (field, text) in fields.into_iter().chain(contacts) {
        let text = text.unwrap_or_default();
        if text.chars().any(is_invisible) {
            return Err(format!(
                "`{field}` contains invisible characters; run the suite again with another `--{field}`"
            ));
        }
    }
    Ok(())
}
