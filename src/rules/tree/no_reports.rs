//! `tree/no-reports`

use crate::diagnostic::Place;
use crate::rules::{Check, Findings, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/no-reports",
    include_str!("no_reports.md"),
    Check::Submission(check),
);

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    if cx.submission.folder.is_some() && cx.submission.reports.is_empty() {
        out.at(Place::path(cx.path), "this submission has no report")
            .help("add the file that the suite wrote (`--report-output`), or remove the folder");
    }
}
