//! `tree/unreadable`

use crate::diagnostic::{Place, Severity};
use crate::rules::{Check, EntryContext, Findings, Rule};
use crate::tree::{MAX_DEPTH, OddityKind};

/// The rule.
pub static RULE: Rule = Rule {
    id: "tree/unreadable",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    doc: include_str!("unreadable.md"),
    check: Check::Entry(check),
};

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    let reason = match &cx.oddity.kind {
        OddityKind::Unreadable { reason } => reason.clone(),
        OddityKind::Special => "it is a pipe, a socket or a device".to_owned(),
        OddityKind::TooDeep => {
            format!("it is nested more than {MAX_DEPTH} folders deep in its submission")
        }
        _ => return,
    };
    report(Place::path(cx.path()), &reason, out);
}

/// Reports a file that could not be read; `reason` is a clause.
pub fn report(place: Place, reason: &str, out: &mut Findings) {
    out.at(place, format!("not read: {reason}"))
        .help("a submission holds README.md and reports, as regular files of some kilobytes");
}
