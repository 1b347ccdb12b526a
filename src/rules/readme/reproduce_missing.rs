//! `readme/reproduce-missing`

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/reproduce-missing",
    severity: Severity::Error,
    legacy: None,
    strict: false,
    doc: include_str!("reproduce_missing.md"),
    check: Check::Readme(check),
};

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    if cx.readme.find_reproduce().is_some() || has_html_heading(cx) {
        return;
    }
    let finding = out.at(cx.title(), "the README has no section `## Reproduce`");
    finding.help("add one with the steps that reproduce the reports: how to install the implementation and run the suite");
    if let Some(comment) = cx.readme.unclosed_comment {
        finding.label(cx.span(comment), "what follows this comment is not shown");
    }
}

/// True when a heading in HTML may be the one: its text is not read.
fn has_html_heading(cx: &ReadmeContext<'_>) -> bool {
    cx.readme.html_heading.is_some_and(|heading| {
        let below = &cx.source.text()[heading.start as usize..];
        below.to_ascii_lowercase().contains("reproduc")
    })
}
