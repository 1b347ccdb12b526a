//! `readme/several-tables`

use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "readme/several-tables",
    include_str!("several_tables.md"),
    Check::Readme(check),
)
.not_legacy();

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let Some(table) = cx.listing.contents.table else {
        return;
    };
    for &other in &cx.listing.more_tables {
        out.at(
            cx.span(cx.readme.tables[other].header.span),
            "reports are listed in more than one table",
        )
        .label(cx.span(cx.readme.tables[table].header.span), "another one")
        .help("move all rows into one table of contents");
    }
}
