//! `report/misspelled-name`

use super::invisible_character::unseen;
use crate::diagnostic::{Severity, in_code};
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule, words};

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/misspelled-name",
    include_str!("misspelled_name.md"),
    Check::Report(check),
)
.legacy(Severity::Warning);

/// Most other places of a name that a finding points at.
const MAX_LABELS: usize = 5;

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for unknown in cx.unknown_names() {
        let (Some(meant), [(field, name), others @ ..]) =
            (unknown.meant(), unknown.places.as_slice())
        else {
            continue;
        };
        // A name that is right but for a blank has a rule of its own.
        if unseen(name.value).is_some() {
            continue;
        }
        let noun = words::noun(unknown.kind).0;
        let message = format!(
            "{field} names `{}`, which is no {noun} of any release; did you mean `{meant}`?",
            in_code(&name.value),
            meant = in_code(&meant)
        );
        let finding = words::by_facts(cx, out, cx.value(name.node), message);
        for (_, other) in others.iter().take(MAX_LABELS) {
            finding.label(cx.value(other.node), "and here");
        }
        finding.help(Remedy::SubmitUnmodified);
    }
}
