//! `tree/folder-name`

use crate::diagnostic::{Place, in_code};
use crate::naming::Name;
use crate::rules::{Check, Findings, Rule, SubmissionContext};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "tree/folder-name",
    include_str!("folder_name.md"),
    Check::Submission(check),
);

fn check(cx: &SubmissionContext<'_>, out: &mut Findings) {
    let Some(folder) = &cx.submission.folder else {
        return;
    };
    let names: Vec<_> = cx.reports.iter().filter_map(Name::of).collect();
    let Some(first) = names.first() else { return };
    if names.iter().any(|name| name.is_named_by(folder)) {
        return;
    }
    let expected = first.folder();
    out.at(
        Place::path(cx.path),
        format!(
            "the folder of {}/{} is expected to be named `{expected}`",
            in_code(&first.organization),
            in_code(&first.project),
            expected = in_code(&expected)
        ),
    )
    .help(format!(
        "name it {expected}, from the next submission on at the latest"
    ));
}
