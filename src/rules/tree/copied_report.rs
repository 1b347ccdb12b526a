//! `tree/copied-report`

use super::{Copy, copies};
use crate::diagnostic::{Anchor, Place};
use crate::message::texts;
use crate::rules::{Check, Findings, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/copied-report",
    include_str!("copied_report.md"),
    Check::Submission(check),
)
.related(&[
    "tree/shared-run",
    "tree/copied-elsewhere",
    "tree/same-identity",
])
.texts(&[Text::TEMPLATES, Copy::TEMPLATES]);

texts! {
    enum Text {
        SubmitOnce => "submit each run of the suite once: remove one of the two files and its row in README.md",
    }
}

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    for (copy, original) in copies(cx.reports, cx.names) {
        out.at(
            Anchor::path(&copy.path).about(format!("copy of {}", original.path)),
            Copy::of(copy, original, &original.file_name),
        )
        .label(Place::path(&original.path), Copy::Original)
        .help(Text::SubmitOnce);
    }
}
