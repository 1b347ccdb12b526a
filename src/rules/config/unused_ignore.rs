//! `config/unused-ignore`

use crate::diagnostic::Severity;
use crate::rules::{Check, ConfigContext, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "config/unused-ignore",
    severity: Severity::Warning,
    legacy: Some(Severity::Warning),
    strict: false,
    doc: include_str!("unused_ignore.md"),
    check: Check::Config(check),
};

fn check(cx: &ConfigContext<'_>, out: &mut Findings) {
    for (place, rule) in cx.unused_ignores {
        // Nothing is known of a rule that was not run.
        if cx.selected.iter().any(|selected| selected.id == *rule) {
            out.at(
                place.clone(),
                format!("this entry leaves out no finding of {rule}"),
            )
            .help("remove it: what it was for is gone");
        }
    }
}
