//! `tree/no-reports`

use crate::rules::{Check, Findings, Rule, SubmissionContext};
use crate::text::diagnostic::Anchor;
use crate::text::message::texts;

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/no-reports",
    include_str!("no_reports.md"),
    Check::Submission(check),
)
.related(&["tree/misplaced-report"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text {
        Missing => "the submission has no report",
        Add => "add the file that the suite wrote (`--report-output`), or remove the folder",
    }
}

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    if cx.submission.folder.is_some() && cx.submission.reports.is_empty() {
        out.at(Anchor::path(cx.path), Text::Missing).help(Text::Add);
    }
}
