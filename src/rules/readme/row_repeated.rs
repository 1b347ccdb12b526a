//! `readme/row-repeated`

use std::collections::BTreeMap;

use crate::diagnostic::{Fix, in_code};
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Rule};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/row-repeated",
    include_str!("row_repeated.md"),
    Check::Readme(check),
)
.fixes(Fixes::Safe);

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
            format!("two rows are about `{file}`", file = in_code(&file)),
        );
        finding.label(cx.span(other), "the other one");
        let is_same = cx.source.slice(other) == cx.source.slice(row.row.span);
        finding.fix_with(|| is_same.then(|| without(cx, row.row.span))?);
        match unlisted.as_slice() {
            [only] => finding.help(format!(
                "link `./{only}`, which has no row, or remove this row",
                only = in_code(&only)
            )),
            _ => finding.help("remove one of them, or link another report"),
        };
    }
}

/// Removes a row with its line.
fn without(cx: &ReadmeContext<'_>, row: Span) -> Option<Fix> {
    let text = cx.source.text();
    let start = text[..row.start as usize].rfind('\n')?;
    let end = row.end as usize;
    let end = text[end..].find('\n').map_or(text.len(), |at| end + at);
    Fix::safe("remove the row, which is there twice").replace(cx.source, Span::new(start, end), "")
}
