//! `change/deleted-report`

use crate::diagnostic::Place;
use crate::rules::tree::identity_in_words;
use crate::rules::{ChangeContext, Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "change/deleted-report",
    include_str!("deleted_report.md"),
    Check::Change(check),
)
.strict();

fn check(cx: &ChangeContext<'_>, out: &mut Findings) {
    for pair in cx.pairs {
        let (Some(before), None) = (pair.before, pair.after) else {
            continue;
        };
        if !before.is_report {
            continue;
        }
        let whose = before
            .identity()
            .map(|identity| identity_in_words(&identity));
        let of = whose
            .map(|whose| format!(" of {whose}"))
            .unwrap_or_default();
        out.at(
            Place::path(&before.path),
            format!("the report{of} was accepted and is deleted"),
        )
        .help("keep it: what a version has shown stays true; a report that moves keeps its text");
    }
}
