use super::Write;
use super::anchors::Column;
use super::listing::ListedRow;
use super::markup::{link, report_link};
use super::version::{
    Likeness, LinkMatch, cell_likeness, is_less_exact, is_row_right, is_same, named_by_link, words,
};
use super::version_link_differs::{address_with, may_be_a_release};
use crate::report::facts::ReportFacts;
use crate::report::formats::is_no_snapshot;
use crate::rules::{Findings, ReadmeContext, Remedy};
use crate::text::diagnostic::Fix;
use crate::text::message::{Line, Message};
use crate::tree::readme::{Cell, Link};

rule! {
    "row_version.md", Readme(check), Text<'a>, Write, Remedy;
    Empty { expected: &'a str } => "the version is empty; expected {expected} as in the report",
    Differs { text: &'a str, expected: &'a str } => "version {text} differs from the report; expected {expected}",
    OfReport => "tested version",
    WriteOr { line: Line, text: &'a str } => "write {line}, or link the report of {text}",
    WritePageOr { line: Line, text: &'a str } => "write {line} with the URL of the release page, or link the report of {text}",
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

/// If the row and the report have a version, only the author knows the correct one.
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
    let own = || match cell.links.as_slice() {
        [link] => address_with(&link.target, cell.text.trim(), expected),
        _ => None,
    };
    let text = cell.text.trim();
    if text.is_empty() {
        let page = cx.release_page(report, expected)?;
        let fix = page.fix(title);
        return cx.fix(fix, cell.span, &link(expected, &page.address)?);
    }
    let page = || {
        let page = cx.release_page(report, expected);
        page.map(|page| page.address).or_else(own)
    };
    if is_less_exact(expected, text) {
        return None;
    }
    let bare = cell.bare_url.map(|url| cx.source.slice(url));
    let linked = cell.links.iter().map(|link| link.target.as_str());
    let mut linked = linked.chain(bare).peekable();
    let is_kept = |url: &str| {
        named_by_link(url, expected) != LinkMatch::Other && may_be_a_release(url, report)
    };
    let fix = match page() {
        Some(page) => cx.fix(Fix::unsafe_(title), cell.span, &link(expected, &page)?),
        None if linked.peek().is_none() => None,
        None if !linked.all(is_kept) => None,
        None => cx.fix_version(Fix::unsafe_(title), cell, expected),
    };
    let names_it = |link: &&Link| words(&link.text).any(|word| is_same(word, expected));
    let file = row.file.as_deref();
    let span = match (row.link, row.cell(row.columns.report), file) {
        (Some(link), ..) if names_it(&link) => None,
        (Some(link), ..) => Some(link.span),
        (None, Some(cell), Some(_)) => Some(cell.span),
        (None, ..) => None,
    };
    match span {
        Some(span) => cx.fix(fix?, span, &report_link(expected, file?)?),
        None => fix,
    }
}
