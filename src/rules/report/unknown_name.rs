//! `report/unknown-name`

use super::invisible_character::unseen;
use crate::diagnostic::in_code;
use crate::rules::{Check, Findings, ReportContext, Rule, words};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "report/unknown-name",
    include_str!("unknown_name.md"),
    Check::Report(check),
)
.strict();

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(newest) = cx.registry.newest() else {
        return;
    };
    for unknown in cx.unknown_names() {
        // A misspelled name has a rule of its own.
        if unknown.meant().is_some() {
            continue;
        }
        let Some(&(field, name)) = unknown.places.first() else {
            continue;
        };
        // As has one with what nobody sees in it.
        if unseen(name.value).is_some() {
            continue;
        }
        let near = unknown.similar.map_or(String::new(), |similar| {
            format!("; the nearest name is `{}`", in_code(&similar.name))
        });
        let message = format!(
            "{field} names `{}`, which no release up to {} knows as a {}{near}",
            in_code(&name.value),
            newest.version(),
            words::noun(unknown.kind).0
        );
        words::by_facts(cx, out, cx.value(name.node), message).help(words::rerun_release(cx));
    }
}
