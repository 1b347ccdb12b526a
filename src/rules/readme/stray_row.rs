//! `readme/stray-row`

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/stray-row",
    severity: Severity::Warning,
    legacy: Some(Severity::Warning),
    strict: false,
    doc: include_str!("stray_row.md"),
    check: Check::Readme(check),
};

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
    }
}
