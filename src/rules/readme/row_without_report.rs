//! `readme/row-without-report`

use std::collections::BTreeSet;

use super::cells::channel_in;
use super::cells::is_spelled;
use super::fixes::report_link;
use super::listing::{ListedRow, is_x};
use super::quoted;
use super::version::{Likeness, cell_likeness};
use crate::diagnostic::{Fix, in_code};
use crate::facts::Fact;
use crate::readme::Target;
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Rule};
use crate::source::Span;
use crate::suggest::nearest;
use crate::tree::LinkTarget;

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/row-without-report",
    include_str!("row_without_report.md"),
    Check::Readme(check),
)
.fixes(Fixes::Safe);

/// Rows for which a file with nearly the linked name is looked for, and files that are looked at.
const MAX_SUGGESTIONS: usize = 100;

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (row, suggestion) in rows_without(cx) {
        let place = match row.link {
            Some(link) => cx.span(link.target_span),
            None => cx.cell(row.row, row.columns.report),
        };
        let help = match suggestion {
            _ if is_short(row) => {
                "write a cell for each column: nothing between two pipes is an empty one".to_owned()
            }
            Some(Suggestion::Near(file)) => {
                format!("did you mean `./{file}`?", file = in_code(&file))
            }
            Some(Suggestion::Only(file)) => {
                format!(
                    "did you mean `./{file}`? It is the only report without a row",
                    file = in_code(&file)
                )
            }
            None if is_website(row) => "link the file beside the README, as `./<file>`".to_owned(),
            None => "correct the link, add the report, or remove the row".to_owned(),
        };
        out.at(place, reason(row))
            .help(help)
            .fix_with(|| fix(cx, row, suggestion));
    }
}

/// Removes an empty row; links the report that is suggested, where the row says of it what is so.
fn fix(
    cx: &ReadmeContext<'_>,
    row: &ListedRow<'_>,
    suggestion: Option<Suggestion<'_>>,
) -> Option<Fix> {
    let text = cx.source.text();
    if row.row.cells.iter().all(|cell| cell.span.is_empty()) && row.row.surplus.is_empty() {
        let end = row.row.span.end as usize;
        let start = text[..row.row.span.start as usize].rfind('\n')?;
        let end = text[end..].find('\n').map_or(text.len(), |at| end + at);
        return Fix::safe("remove the empty row").replace(cx.source, Span::new(start, end), "");
    }
    let (Suggestion::Near(file) | Suggestion::Only(file)) = suggestion?;
    let report = (*cx.listing.files.get(file)?)?;
    let cell = row.cell(row.columns.report)?;
    let says =
        |column: Option<usize>, fact: &Option<Fact>, is_same: &dyn Fn(&str, &str) -> bool| {
            let text = row
                .text(column)
                .filter(|text| !text.is_empty() && !is_x(text));
            match (text, fact) {
                (Some(text), Some(fact)) => is_same(text, &fact.value),
                (None, _) | (_, None) => true,
            }
        };
    let columns = &row.columns;
    let version = row.cell(columns.version)?;
    let is_version = |_: &str, stated: &str| cell_likeness(version, stated) != Likeness::Different;
    let is_so = says(columns.channel, &report.channel, &|text, stated| {
        channel_in(text) == Some(stated)
    }) && says(columns.mode, &report.mode, &is_spelled)
        && !version.text.trim().is_empty()
        && says(columns.version, &report.version, &is_version);
    let link = report_link(&report.version.as_ref()?.value, file)?;
    let span = row.link.map_or(cell.span, |link| link.span);
    is_so.then(|| cx.fix(Fix::safe("link the report"), span, &link))?
}

/// A report that a row may be about.
#[derive(Clone, Copy)]
enum Suggestion<'c> {
    /// Its name is nearly the one that the row links.
    Near(&'c str),
    /// It is the only report without a row.
    Only(&'c str),
}

/// The reports that this rule suggests for rows without one.
pub fn suggested<'c>(cx: &'c ReadmeContext<'_>) -> BTreeSet<&'c str> {
    let suggestions = rows_without(cx).into_iter();
    suggestions
        .filter_map(|(_, suggestion)| match suggestion? {
            Suggestion::Near(file) | Suggestion::Only(file) => Some(file),
        })
        .collect()
}

/// The rows without a report, each with the report that it may be about. When the reports are not
/// known, these are the rows that link a website.
fn rows_without<'c, 'a>(
    cx: &'c ReadmeContext<'a>,
) -> Vec<(&'c ListedRow<'a>, Option<Suggestion<'c>>)> {
    let is_known = cx.reports.is_some();
    let unlisted: Vec<&str> = cx.listing.unlisted().take(MAX_SUGGESTIONS).collect();
    let rows = cx.listing.rows.iter();
    let rows = rows.filter(|row| row.file.is_none() && (is_known || is_website(row)));
    let suggestion = |nth: usize, row: &ListedRow<'_>| {
        let target = row.link.map_or("", |link| link.target.as_str());
        let wanted = match is_website(row) {
            true => file_name(target),
            false => target.trim_start_matches("./"),
        };
        let known = unlisted.iter().copied();
        let near = if nth < MAX_SUGGESTIONS {
            nearest(wanted, known)
        } else {
            None
        };
        match (near, unlisted.as_slice()) {
            (Some(near), _) => Some(Suggestion::Near(near)),
            (None, &[only]) => Some(Suggestion::Only(only)),
            _ => None,
        }
    };
    let rows = rows.enumerate();
    rows.map(|(nth, row)| (row, suggestion(nth, row))).collect()
}

/// True when the row ends before the column of reports.
fn is_short(row: &ListedRow<'_>) -> bool {
    let is_empty = row.row.cells.iter().all(|cell| cell.span.is_empty());
    row.columns.report.is_some() && row.cell(row.columns.report).is_none() && !is_empty
}

fn is_website(row: &ListedRow<'_>) -> bool {
    row.link
        .is_some_and(|link| matches!(link.classify(), Target::Url { .. }))
}

/// The name that the path of a URL ends in.
fn file_name(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    path.rsplit('/').next().unwrap_or(path)
}

fn reason(row: &ListedRow<'_>) -> String {
    let Some(link) = row.link else {
        return reason_without_link(row);
    };
    let target = quoted(&link.target);
    match row.link_target {
        _ if is_website(row) => {
            format!("{target} is on a website, and no report of this submission")
        }
        Some(LinkTarget::OutOfTree) => format!("{target} leads out of the reports tree"),
        Some(LinkTarget::Inside { exists: false, .. }) => format!("there is no report {target}"),
        _ => format!("{target} is no report of this submission"),
    }
}

fn reason_without_link(row: &ListedRow<'_>) -> String {
    if row.row.cells.iter().all(|cell| cell.span.is_empty()) {
        return "the row is empty".to_owned();
    }
    if is_short(row) {
        let noun = if row.row.cells.len() == 1 {
            "cell"
        } else {
            "cells"
        };
        return format!(
            "the row has {} {noun}, the table {} columns",
            row.row.cells.len(),
            row.column_count
        );
    }
    match row.text(row.columns.report).and_then(undefined_label) {
        Some(label) => format!(
            "the row links no report: {} is defined nowhere",
            quoted(label)
        ),
        None => "the row links no report".to_owned(),
    }
}

/// The label of `[text][label]`, which is shown as text when nothing defines the label.
fn undefined_label(text: &str) -> Option<&str> {
    let (before, label) = text.strip_suffix(']')?.rsplit_once("][")?;
    (before.contains('[') && !label.is_empty()).then_some(label)
}
