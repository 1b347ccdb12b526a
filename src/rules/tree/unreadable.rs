//! `tree/unreadable`

use crate::diagnostic::{Place, Severity};
use crate::rules::{Check, EntryContext, Findings, Rule};

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
    if let Some(reason) = cx.unexpected.kind.why_not_read() {
        super::not_read(Place::path(cx.path()), &reason, out);
    }
}
