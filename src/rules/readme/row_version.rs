//! `readme/row-version`

use super::fixes::{link, report_link};
use super::listing::ListedRow;
use super::quoted;
use super::version::{Likeness, cell_likeness, is_same, words};
use crate::diagnostic::Fix;
use crate::facts::ReportFacts;
use crate::formats::is_branch;
use crate::message::Message;
use crate::readme::{Cell, Link};
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Remedy, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/row-version",
    include_str!("row_version.md"),
    Check::Readme(check),
)
.fixes(Fixes::SafeOrUnsafe);

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (row, report) in cx.listing.rows_with_reports() {
        let column = row.columns.version;
        let (Some(text), Some(version)) = (row.text(column), &report.version) else {
            continue;
        };
        let stated = &version.value;
        let is_other = |cell: &Cell| cell_likeness(cell, stated) == Likeness::Different;
        if stated.is_empty() || !row.cell(column).is_none_or(is_other) {
            continue;
        }
        let message = if text.is_empty() {
            format!("the row has no version, the report says {}", quoted(stated))
        } else {
            format!(
                "the row says {}, the report says {}",
                quoted(text),
                quoted(stated)
            )
        };
        let write = format!(
            "write {}, with the address of its release page",
            quoted(&format!("[{stated}](https://…)"))
        );
        let help = if text.is_empty() || is_branch(text) {
            write
        } else if is_branch(stated) {
            Message::from(Remedy::with("version", text)).to_string()
        } else {
            format!("{write}, or link the report of {}", quoted(text))
        };
        out.at(cx.cell(row.row, column), message)
            .label(version.place.clone(), "the version that was tested")
            .help(help)
            .fix_with(|| fix(cx, row, report, stated));
    }
}

/// Which of two versions is right only a person knows; where there is just one, it is written with
/// the address of its page.
fn fix(
    cx: &ReadmeContext<'_>,
    row: &ListedRow<'_>,
    report: &ReportFacts,
    stated: &str,
) -> Option<Fix> {
    let title = "write the report's version";
    if is_branch(stated) {
        return None;
    }
    let cell = row.cell(row.columns.version)?;
    let page = || cx.release_page(report, stated);
    let shown = cell.text.trim();
    if shown.is_empty() {
        return cx.fix(Fix::safe(title), cell.span, &link(stated, &page()?)?);
    }
    let fix = match page() {
        // The address of the other version goes with it.
        Some(page) => cx.fix(Fix::unsafe_(title), cell.span, &link(stated, &page)?),
        None => cx.fix_version(Fix::unsafe_(title), cell, stated),
    };
    // So does the text of the report's link.
    let names_it = |link: &&Link| words(&link.text).any(|word| is_same(word, stated));
    match row.link.filter(|link| !names_it(link)) {
        Some(link) => cx.fix(fix?, link.span, &report_link(stated, row.file.as_deref()?)?),
        None => fix,
    }
}
