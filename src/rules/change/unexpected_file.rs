//! `change/unexpected-file`

use crate::diagnostic::Place;
use crate::rules::{ChangeContext, Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::info(
    "change/unexpected-file",
    include_str!("unexpected_file.md"),
    Check::Change(check),
);

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    // A change without a submission is about something else, and may touch what it likes.
    if cx.implementations.is_empty() {
        return;
    }
    for path in cx.others {
        out.at(
            Place::path(*path),
            "this file belongs to no submission, and the change touches it",
        )
        .help("where it has nothing to do with the reports, make a change of its own for it");
    }
}
