//! `config/unused-ignore`

use crate::rules::{Check, ConfigContext, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "config/unused-ignore",
    include_str!("unused_ignore.md"),
    Check::Config(check),
);

fn check(cx: &ConfigContext<'_>, out: &mut Findings) {
    for ignore in cx.unused_ignores {
        // Nothing is known of a rule that was not run, and what those about changes find differs
        // with each change.
        let was_run = |rule: &&Rule| rule.id == ignore.rule && rule.check.scope() != "change";
        if cx.selected.iter().any(was_run) {
            let message = format!("this entry leaves out no finding of {}", ignore.rule);
            let finding = out.at(ignore.place.clone(), message);
            finding.help(if leads_outside(ignore.path) {
                "a path outside of this file's folder never matches: write it from that folder on"
            } else {
                "remove it: what it was for is gone"
            });
        }
    }
}

/// True for an absolute path and for one with `..`, which is never resolved.
fn leads_outside(path: &str) -> bool {
    path.starts_with('/') || path.split('/').any(|name| name == "..")
}
