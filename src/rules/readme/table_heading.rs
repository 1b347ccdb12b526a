//! `readme/table-heading`

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/table-heading",
    severity: Severity::Warning,
    legacy: None,
    strict: false,
    doc: include_str!("table_heading.md"),
    check: Check::Readme(check),
};

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let contents = &cx.listing.contents;
    let Some(table) = contents.table.map(|table| &cx.readme.tables[table]) else {
        return;
    };
    // Of headings in HTML the text is not read: one of them may be it.
    if contents.under_heading || cx.readme.html_heading.is_some() {
        return;
    }
    let heading = contents
        .section
        .and_then(|section| cx.readme.heading_of(section));
    let own = cx
        .readme
        .heading_of(table.section)
        .filter(|own| own.level > 1);
    let message = "the table of contents does not stand under `## Table of contents`";
    let finding = out.at(cx.span(table.header.span), message);
    match (heading, own) {
        (Some(heading), _) => finding
            .label(cx.span(heading.block), "the heading")
            .help("move the table below the heading"),
        (None, Some(own)) => finding
            .label(cx.span(own.block), "it stands under this heading")
            .help("name that heading `## Table of contents`"),
        (None, None) => finding.help("add that heading above the table"),
    };
}
