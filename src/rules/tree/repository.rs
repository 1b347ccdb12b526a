//! `tree/repository`

use crate::diagnostic::Place;
use crate::rules::{Check, EntryContext, Findings, Rule};
use crate::tree::{EntryIssue, name_of};

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/repository",
    include_str!("repository.md"),
    Check::Entry(check),
);

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    let EntryIssue::Repository { is_walked } = cx.unexpected.kind else {
        return;
    };
    let name = name_of(&cx.unexpected.path);
    let message = if is_walked {
        format!("git takes `{name}` for a repository, by files in it such as `HEAD`")
    } else {
        format!("`{name}` makes a git repository of the folder it is in, and was not read")
    };
    out.at(Place::path(cx.path()), message).help(
        "remove it: git obeys the configuration of a repository, which can name programs to run",
    );
}
