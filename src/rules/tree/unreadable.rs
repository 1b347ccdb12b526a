//! `tree/unreadable`

use crate::rules::{Check, EntryContext, Findings, Rule};
use crate::text::diagnostic::Place;

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/unreadable",
    include_str!("unreadable.md"),
    Check::Entry(check),
)
.texts(&[super::NotRead::TEMPLATES]);

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    if let Some(reason) = cx.unexpected.kind.why_not_read() {
        super::not_read(Place::path(cx.path()), &reason, out);
    }
}
