//! `readme/row-repeated`

use std::collections::BTreeMap;

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/row-repeated",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    doc: include_str!("row_repeated.md"),
    check: Check::Readme(check),
};

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let unlisted: Vec<&str> = cx.listing.unlisted().take(2).collect();
    let mut first: BTreeMap<&str, _> = BTreeMap::new();
    for row in &cx.listing.rows {
        let Some(file) = row.file.as_deref() else {
            continue;
        };
        let Some(&other) = first.get(file) else {
            first.insert(file, row.row.span);
            continue;
        };
        let finding = out.at(
            cx.cell(row.row, row.columns.report),
            format!("two rows are about `{file}`"),
        );
        finding.label(cx.span(other), "the other one");
        match unlisted.as_slice() {
            [only] => finding.help(format!(
                "link `./{only}`, which has no row, or remove this row"
            )),
            _ => finding.help("remove one of them, or link another report"),
        };
    }
}
