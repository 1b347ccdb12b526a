//! `readme/placeholder`

use std::collections::BTreeSet;

use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "readme/placeholder",
    include_str!("placeholder.md"),
    Check::Readme(check),
)
.not_legacy();

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    // A section's text is also that of the sections around it.
    let sections = cx.readme.sections.iter();
    let found: BTreeSet<_> = sections.filter_map(|section| section.placeholder).collect();
    for span in found {
        out.at(cx.span(span), "this is left over from a template")
            .help("write what belongs here, or remove it");
    }
}
