//! `readme/alias-link`

use super::quoted;
use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, ReadmeContext, Rule};
use crate::tree::Lead;

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/alias-link",
    severity: Severity::Warning,
    legacy: Some(Severity::Warning),
    strict: false,
    doc: include_str!("alias_link.md"),
    check: Check::Readme(check),
};

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (link, lead) in cx.links() {
        let Lead::Inside {
            alias: Some(alias), ..
        } = lead
        else {
            continue;
        };
        let (name, release) = (&alias.name, &alias.release);
        let direct = link.target.replacen(name.as_str(), release, 1);
        out.at(
            cx.span(link.target_span),
            format!("the link goes through `{name}`, which only stands for the folder `{release}`"),
        )
        .help(format!("link to {}", quoted(&direct)));
    }
}
