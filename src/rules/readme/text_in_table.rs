//! `readme/text-in-table`

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/text-in-table",
    severity: Severity::Warning,
    legacy: Some(Severity::Warning),
    strict: false,
    doc: include_str!("text_in_table.md"),
    check: Check::Readme(check),
};

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let tables = cx
        .listing
        .contents
        .table
        .iter()
        .chain(&cx.listing.more_tables);
    let rows = tables.flat_map(|&table| &cx.readme.tables[table].rows);
    for row in rows.filter(|row| row.has_no_pipe()) {
        out.at(
            cx.span(row.span),
            "this text follows the table without a blank line: it is shown as a row",
        )
        .help("put a blank line between the table and the text");
    }
}
