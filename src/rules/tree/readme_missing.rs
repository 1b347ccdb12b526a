//! `tree/readme-missing`

use crate::diagnostic::{Place, Severity};
use crate::rules::{Check, Findings, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule {
    id: "tree/readme-missing",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    fixes: None,
    doc: include_str!("readme_missing.md"),
    check: Check::Submission(check),
};

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let submission = cx.submission;
    if submission.folder.is_none() || submission.readme.is_some() {
        return;
    }
    out.at(Place::path(cx.path), "this submission has no README.md")
        .help("add one with a title, `## Table of contents` with a row for each report, and `## Reproduce`");
}
