//! `tree/unreadable`

use crate::diagnostic::{Place, Severity};
use crate::rules::{Check, EntryContext, Findings, Rule};
use crate::tree::{EntryIssue, MAX_DEPTH};

/// The rule.
pub static RULE: Rule = Rule {
    id: "tree/unreadable",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    fixes: None,
    doc: include_str!("unreadable.md"),
    check: Check::Entry(check),
};

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    if let Some(reason) = reason(&cx.unexpected.kind) {
        report(Place::path(cx.path()), &reason, out);
    }
}

/// Why what has such a name was not read, as a clause; `None` for what was.
pub fn reason(kind: &EntryIssue) -> Option<String> {
    Some(match kind {
        EntryIssue::Unreadable { reason } => reason.clone(),
        EntryIssue::Special => "it is a pipe, a socket or a device".to_owned(),
        EntryIssue::TooDeep => {
            format!("it is nested more than {MAX_DEPTH} folders deep in its submission")
        }
        _ => return None,
    })
}

/// Reports a file that could not be read; `reason` is a clause.
pub fn report(place: Place, reason: &str, out: &mut Findings) {
    out.at(place, format!("not read: {reason}"))
        .help("a submission holds README.md and reports, as regular files of some kilobytes");
}
