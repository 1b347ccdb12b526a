//! `tree/readme-missing`

use crate::rules::readme::Outline;
use crate::rules::{Check, Findings, Rule, SubmissionContext};
use crate::text::diagnostic::Anchor;
use crate::text::message::texts;

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/readme-missing",
    include_str!("readme_missing.md"),
    Check::Submission(check),
)
.sources(&["reports README, Rules"])
.related(&["tree/stray-file", "readme/table-missing"])
.texts(&[Text::TEMPLATES, Outline::TEMPLATES]);

texts! {
    enum Text {
        Missing => "the submission has no README.md",
    }
}

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let submission = cx.submission;
    if submission.folder.is_none() || submission.readme.is_some() {
        return;
    }
    out.at(Anchor::path(cx.path), Text::Missing)
        .help(Outline::Write);
}
