//! `readme/column-missing`

use crate::diagnostic::{Severity, in_code};
use crate::readme::Columns;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/column-missing",
    include_str!("column_missing.md"),
    Check::Readme(check),
)
.legacy(Severity::Warning);

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let contents = &cx.listing.contents;
    let Some(table) = contents.table.map(|table| &cx.readme.tables[table]) else {
        return;
    };
    let missing = contents.columns.missing();
    if missing.is_empty() {
        return;
    }
    let names: Vec<String> = missing
        .iter()
        .map(|name| format!("`{name}`", name = in_code(&name)))
        .collect();
    let noun = if missing.len() == 1 {
        "column"
    } else {
        "columns"
    };
    out.at(
        cx.span(table.header.span),
        format!("the table of contents has no {noun} {}", names.join(", ")),
    )
    .help(format!(
        "write the header as | {} |",
        Columns::NAMES.join(" | ")
    ));
}
