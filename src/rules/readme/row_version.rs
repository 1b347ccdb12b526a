//! `readme/row-version`

use super::Write;
use super::anchors::Column;
use super::fixes::{link, report_link};
use super::listing::ListedRow;
use super::version::{Likeness, cell_likeness, is_row_right, is_same, words};
use super::version_link_differs::may_be_a_release;
use crate::diagnostic::Fix;
use crate::facts::ReportFacts;
use crate::formats::is_no_snapshot;
use crate::message::{Line, Message, texts};
use crate::readme::{Cell, Link};
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Remedy, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/row-version",
    include_str!("row_version.md"),
    Check::Readme(check),
)
.fixes(Fixes::SafeOrUnsafe)
.sources(&["reports README, Table of Contents"])
.related(&["readme/row-spelling", "readme/version-link-differs"])
.texts(&[Text::TEMPLATES, Write::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text<'a> {
        Empty { expected: &'a str } => "the version is empty; expected {expected} as in the report",
        Differs { text: &'a str, expected: &'a str } => "version {text} differs from the report; expected {expected}",
        OfReport => "tested version",
        WriteOr { line: Line, text: &'a str } => "write {line}, or link the report of {text}",
        WritePageOr { line: Line, text: &'a str } => "write {line} with the URL of the release page, or link the report of {text}",
    }
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (row, report) in cx.listing.rows_with_reports() {
        let column = row.columns.version;
        let (Some(text), Some(version)) = (row.text(column), &report.version) else {
            continue;
        };
        let expected = &version.value;
        let is_other = |cell: &Cell| cell_likeness(cell, expected) == Likeness::Different;
        if expected.is_empty() || !row.cell(column).is_none_or(is_other) {
            continue;
        }
        if is_row_right(text, expected) {
            // The report has rules of its own about its version.
            continue;
        }
        let message = match text.is_empty() {
            true => Text::Empty { expected },
            false => Text::Differs { text, expected },
        };
        let anchor = cx
            .cell(row, Column::Version)
            .and(format_args!("expected {expected}"));
        let finding = out.at(anchor, message);
        finding
            .label(version.place.clone(), Text::OfReport)
            .fix_with(|| fix(cx, row, report, expected));
        let line = Line(format!("[{expected}](https://…)"));
        let has_one = !text.is_empty() && !is_no_snapshot(text);
        let help = match (&finding.fix, has_one) {
            (None, true) if is_no_snapshot(expected) => Remedy::with("version", text).into(),
            (None, true) => Text::WritePageOr { line, text }.into(),
            (None, false) => Message::from(Write::LinkToPage { line }),
            (Some(_), true) => Text::WriteOr { line, text }.into(),
            (Some(_), false) => Write::Line { line }.into(),
        };
        finding.help(help);
    }
}

/// Which of two versions is right only a person knows; where there is just one, it is written with
/// the address of its page.
fn fix(
    cx: &ReadmeContext<'_>,
    row: &ListedRow<'_>,
    report: &ReportFacts,
    expected: &str,
) -> Option<Fix> {
    let title = "write the report's version";
    if is_no_snapshot(expected) {
        return None;
    }
    let cell = row.cell(row.columns.version)?;
    let page = || cx.release_page(report, expected);
    let text = cell.text.trim();
    if text.is_empty() {
        return cx.fix(Fix::safe(title), cell.span, &link(expected, &page()?)?);
    }
    let is_kept = |link: &Link| may_be_a_release(&link.target, report);
    let fix = match page() {
        // The address of the other version goes with it.
        Some(page) => cx.fix(Fix::unsafe_(title), cell.span, &link(expected, &page)?),
        // Without a link it would be half of a cell.
        None if cell.links.is_empty() && cell.bare_url.is_none() => None,
        // Nor is what the link leads to a page of the version.
        None if !cell.links.iter().all(is_kept) => None,
        None => cx.fix_version(Fix::unsafe_(title), cell, expected),
    };
    // So does the text of the report's link.
    let names_it = |link: &&Link| words(&link.text).any(|word| is_same(word, expected));
    match row.link.filter(|link| !names_it(link)) {
        Some(link) => cx.fix(
            fix?,
            link.span,
            &report_link(expected, row.file.as_deref()?)?,
        ),
        None => fix,
    }
}
