//! `tree/misplaced-report`

use crate::diagnostic::Place;
use crate::rules::{Check, EntryContext, Findings, Rule};
use crate::tree::EntryIssue;

/// The rule.
pub static RULE: Rule = Rule::error(
    "tree/misplaced-report",
    include_str!("misplaced_report.md"),
    Check::Entry(check),
);

fn check(cx: &EntryContext<'_>, out: &mut Findings) {
    let place = Place::path(cx.path());
    match cx.unexpected.kind {
        EntryIssue::NoSubmission => {
            out.at(place, "this report stands in no submission").help(
                "move it to <release>/<organization>-<project>/, beside a README.md that lists it",
            );
        }
        EntryIssue::Nested => {
            out.at(place, "this report stands in a folder below its submission")
                .help("move it up, beside README.md");
        }
        _ => {}
    }
}
