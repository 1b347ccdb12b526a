//! `readme/title-missing`

use crate::diagnostic::{Place, Severity};
use crate::rules::{Check, Findings, ReadmeContext, Rule};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/title-missing",
    severity: Severity::Warning,
    legacy: None,
    strict: false,
    doc: include_str!("title_missing.md"),
    check: Check::Readme(check),
};

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    if let Some(title) = cx.readme.title() {
        if title.text.is_empty() {
            out.at(cx.span(title.block), "the title is empty")
                .help("write `# ` and the name of the implementation");
        }
        return;
    }
    if cx.is_empty() {
        // That is for readme/table-missing.
        return;
    }
    let is_html = |heading: Span| cx.source.slice(heading).eq_ignore_ascii_case("<h1");
    if cx.readme.html_heading.is_some_and(is_html) {
        return;
    }
    out.at(Place::path(cx.source.path()), "the README has no title")
        .help("start it with `# ` and the name of the implementation");
}
