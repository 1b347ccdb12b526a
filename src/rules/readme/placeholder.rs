//! `readme/placeholder`

use std::collections::BTreeSet;

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/placeholder",
    severity: Severity::Warning,
    legacy: None,
    strict: false,
    fixes: None,
    doc: include_str!("placeholder.md"),
    check: Check::Readme(check),
};

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    // A section's text is also that of the sections around it.
    let sections = cx.readme.sections.iter();
    let found: BTreeSet<_> = sections.filter_map(|section| section.placeholder).collect();
    for span in found {
        out.at(cx.span(span), "this is left over from a template")
            .help("write what belongs here, or remove it");
    }
}
