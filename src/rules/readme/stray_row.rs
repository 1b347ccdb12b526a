//! `readme/stray-row`

use crate::diagnostic::Fix;
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Rule};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::warning(
    "readme/stray-row",
    include_str!("stray_row.md"),
    Check::Readme(check),
)
.fixes(Fixes::Safe);

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    if cx.listing.contents.table.is_none() {
        // Then there is no table that they are cut off from; readme/table-missing points at them.
        return;
    }
    for &row in &cx.readme.stray_rows {
        let finding = out.at(
            cx.span(row),
            "this line looks like a row, but belongs to no table: it is shown as text",
        );
        let above = cx.source.text()[..row.start as usize].trim_end();
        finding.help(if above.ends_with("-->") {
            "remove the comment above it: it ends the table"
        } else {
            "remove the blank line above it, so that it continues the table"
        });
        finding.fix_with(|| fix(cx, row));
    }
}

/// Closes the gap to a table, where nothing but blank lines is in it.
fn fix(cx: &ReadmeContext<'_>, row: Span) -> Option<Fix> {
    let mut tables = cx.readme.tables.iter().rev();
    let table = tables.find(|table| table.span.end <= row.start)?;
    let gap = Span::new(table.span.end as usize, row.start as usize);
    let between = cx.source.slice(gap);
    let is_blank = between
        .chars()
        .all(|c| matches!(c, ' ' | '\t' | '\r' | '\n'));
    if table.nested || !is_blank {
        return None;
    }
    let fix = Fix::safe("remove the blank line above the row");
    fix.replace(cx.source, gap, "\n")
}
