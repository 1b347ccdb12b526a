//! `tree/copied-report`

use super::{copies, copy_in_words};
use crate::diagnostic::Place;
use crate::rules::{Check, Findings, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/copied-report",
    include_str!("copied_report.md"),
    Check::Submission(check),
);

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    for (copy, original) in copies(cx.reports) {
        out.at(
            Place::path(&copy.path),
            copy_in_words(copy, original, &original.file_name),
        )
        .label(Place::path(&original.path), "the same report")
        .help("submit each run of the suite once: remove one of the two and its row in README.md");
    }
}
