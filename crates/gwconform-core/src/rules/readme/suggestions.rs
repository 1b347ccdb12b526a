//! Rows that list no report of the submission, and the reports that they may be meant for.

use std::collections::{BTreeSet, HashMap};

use super::listing::ListedRow;
use super::version::expected_file_name;
use crate::rules::ReadmeContext;
use crate::text::suggest::nearest;
use crate::tree::readme::Target;

/// Rows for which a file with nearly the linked name is looked for, and files that are looked at.
const MAX_SUGGESTIONS: usize = 100;

/// A report that a row may be about.
#[derive(Clone, Copy)]
pub enum Suggestion<'c> {
    /// Its name is nearly the one that the row links.
    Near(&'c str),
    /// It is the only report without a row.
    Only(&'c str),
    /// The row links the place where it should be; it is in a folder or has another extension.
    Elsewhere(&'c str),
    /// The row links the name that follows from the report's fields; its file has another name.
    Misnamed(&'c str),
}

/// The reports that are suggested for rows without one.
pub fn suggested<'c>(cx: &'c ReadmeContext<'_>) -> BTreeSet<&'c str> {
    let suggestions = rows_without(cx).into_iter();
    suggestions
        .filter_map(|(_, suggestion)| match suggestion? {
            Suggestion::Near(file)
            | Suggestion::Only(file)
            | Suggestion::Elsewhere(file)
            | Suggestion::Misnamed(file) => Some(file),
        })
        .collect()
}

/// The rows without a report, each with the report that it may be about. When the reports are not
/// known, these are the rows that link a website.
pub fn rows_without<'c, 'a>(
    cx: &'c ReadmeContext<'a>,
) -> Vec<(&'c ListedRow<'a>, Option<Suggestion<'c>>)> {
    let is_known = cx.reports.is_some();
    let unlisted: Vec<&str> = cx.listing.unlisted().take(MAX_SUGGESTIONS).collect();
    let reports = unlisted
        .iter()
        .filter_map(|file| Some((*file, (*cx.listing.files.get(*file)?)?)));
    let mut misnamed: HashMap<String, &str> = HashMap::new();
    for (file, report) in reports {
        let expected = expected_file_name(report);
        if let Some(name) = expected.filter(|name| name != file_name(file)) {
            misnamed.entry(name).or_insert(file);
        }
    }
    let is_concerned = |row: &&ListedRow<'_>| row.file.is_none() && (is_known || is_website(row));
    let suggestion = |nth: usize, row: &ListedRow<'_>| {
        let target = row.link.map_or("", |link| link.target.as_str());
        let wanted = match is_website(row) {
            true => file_name(target),
            false => target.trim_start_matches("./"),
        };
        let known = unlisted.iter().copied().filter(|_| nth < MAX_SUGGESTIONS);
        let is_elsewhere = |file: &&str| *file != wanted && right_place(file) == wanted;
        let mut elsewhere = known.clone().filter(is_elsewhere);
        if let Some(file) = elsewhere.next() {
            return Some(Suggestion::Elsewhere(file));
        }
        // Also in an address that has to be corrected, the name is right.
        if let Some(file) = misnamed.get(file_name(target)) {
            return Some(Suggestion::Misnamed(file));
        }
        match (nearest(wanted, known), unlisted.as_slice()) {
            (Some(near), _) => Some(Suggestion::Near(near)),
            (None, &[only]) => Some(Suggestion::Only(only)),
            _ => None,
        }
    };
    let rows = cx.listing.rows.iter().filter(is_concerned).enumerate();
    rows.map(|(nth, row)| (row, suggestion(nth, row))).collect()
}

/// Where a report should be: beside the README, with the extension `.yaml`.
fn right_place(file: &str) -> String {
    let name = file_name(file);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    format!("{stem}.yaml")
}

/// True when the row ends before the column of reports.
pub fn is_short(row: &ListedRow<'_>) -> bool {
    let is_empty = row.row.cells.iter().all(|cell| cell.span.is_empty());
    row.columns.report.is_some() && row.cell(row.columns.report).is_none() && !is_empty
}

pub fn is_website(row: &ListedRow<'_>) -> bool {
    row.link
        .is_some_and(|link| matches!(link.classify(), Target::Url { .. }))
}

/// The name that the path of a URL ends in.
pub fn file_name(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    path.rsplit('/').next().unwrap_or(path)
}
