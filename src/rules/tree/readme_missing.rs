//! `tree/readme-missing`

use crate::diagnostic::Place;
use crate::rules::{Check, Findings, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/readme-missing",
    include_str!("readme_missing.md"),
    Check::Submission(check),
);

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let submission = cx.submission;
    if submission.folder.is_none() || submission.readme.is_some() {
        return;
    }
    out.at(Place::path(cx.path), "this submission has no README.md")
        .help("add one with a title, `## Table of contents` with a row for each report, and `## Reproduce`");
}
