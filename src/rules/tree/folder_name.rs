//! `tree/folder-name`

use crate::diagnostic::Anchor;
use crate::message::texts;
use crate::naming::Name;
use crate::rules::{Check, Findings, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "tree/folder-name",
    include_str!("folder_name.md"),
    Check::Submission(check),
)
.sources(&["reports README, How this folder is structured"])
.related(&["tree/project-spelling"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        Differs { implementation: String, expected: &'a str } => "the folder name differs from {implementation}; expected {expected}",
        Rename { expected: &'a str } => "rename the folder to {expected}, at the latest with the next submission",
    }
}

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let Some(folder) = &cx.submission.folder else {
        return;
    };
    let names: Vec<_> = cx.reports.iter().filter_map(Name::of).collect();
    let Some(first) = names.first() else { return };
    if names.iter().any(|name| name.is_named_by(folder)) {
        return;
    }
    let expected = &first.folder();
    let implementation = format!("{}/{}", first.organization, first.project);
    let message = Text::Differs {
        implementation,
        expected,
    };
    out.at(Anchor::path(cx.path), message)
        .help(Text::Rename { expected });
}
