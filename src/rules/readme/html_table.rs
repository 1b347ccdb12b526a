//! `readme/html-table`

use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/html-table",
    include_str!("html_table.md"),
    Check::Readme(check),
);

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let Some(html) = cx.readme.html_table else {
        return;
    };
    if cx.listing.contents.table.is_some() {
        return;
    }
    out.at(
        cx.span(html),
        "the table of contents is written in HTML: its rows were not checked",
    )
    .help("write it as a Markdown table, with pipes between the cells");
}
