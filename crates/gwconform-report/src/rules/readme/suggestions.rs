use std::collections::{BTreeSet, HashMap};

use super::listing::ListedRow;
use super::version::expected_file_name;
use crate::rules::{MAX_FINDINGS, ReadmeContext, SubmissionContext};
use crate::tree::LinkTarget;
use crate::tree::readme::Target;
use gwconform_base::text::suggest::nearest;

#[derive(Clone, Copy)]
pub enum Suggestion<'c> {
    Near(&'c str),
    Only(&'c str),
    /// File that must be moved or needs another extension.
    Elsewhere(&'c str),
    /// File that must be renamed, because the link already uses its correct name.
    Misnamed(&'c str),
}

pub fn suggested<'c>(cx: &'c ReadmeContext<'_>) -> BTreeSet<&'c str> {
    rows_without(cx)
        .into_iter()
        .filter_map(|(_, suggestion)| match suggestion? {
            Suggestion::Near(file)
            | Suggestion::Only(file)
            | Suggestion::Elsewhere(file)
            | Suggestion::Misnamed(file) => Some(file),
        })
        .collect()
}

/// Reports whose only mistake is their name: a row already links to the right one.
pub(crate) fn linked_by_right_name(cx: &SubmissionContext<'_>) -> BTreeSet<String> {
    let rows = cx.readme.into_iter().flat_map(rows_without);
    rows.filter_map(|(row, suggestion)| match suggestion? {
        Suggestion::Misnamed(file) if has_right_link(row) => Some(file.to_owned()),
        _ => None,
    })
    .collect()
}

/// True if the row links to a file name next to the README, not to another folder or host.
pub(crate) fn has_right_link(row: &ListedRow<'_>) -> bool {
    let target = row.link.map_or("", |link| link.target.as_str());
    let own = match row.link_target {
        Some(LinkTarget::Inside { own, .. }) => own.as_deref(),
        _ => None,
    };
    own == Some(file_name(target))
}

/// Rows without a report, with suggested files. If the reports are unknown, only rows that link a
/// website are returned.
pub(crate) fn rows_without<'c, 'a>(
    cx: &'c ReadmeContext<'a>,
) -> Vec<(&'c ListedRow<'a>, Option<Suggestion<'c>>)> {
    let is_known = cx.reports.is_some();
    let unlisted: Vec<&str> = cx.listing.unlisted().take(MAX_FINDINGS).collect();
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
        let wanted = if is_website(row) {
            file_name(target)
        } else {
            target.trim_start_matches("./")
        };
        let known = unlisted.iter().copied().filter(|_| nth < MAX_FINDINGS);
        let is_elsewhere = |file: &&str| *file != wanted && right_place(file) == wanted;
        let mut elsewhere = known.clone().filter(is_elsewhere);
        if let Some(file) = elsewhere.next() {
            return Some(Suggestion::Elsewhere(file));
        }
        // Only the folder or host of the link may be wrong.
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

fn right_place(file: &str) -> String {
    let name = file_name(file);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    format!("{stem}.yaml")
}

/// True if the row ends before the Report column.
pub fn is_short(row: &ListedRow<'_>) -> bool {
    let is_empty = row.row.cells.iter().all(|cell| cell.span.is_empty());
    row.columns.report.is_some() && row.cell(row.columns.report).is_none() && !is_empty
}

pub(crate) fn is_website(row: &ListedRow<'_>) -> bool {
    row.link
        .is_some_and(|link| matches!(link.classify(), Target::Url { .. }))
}

pub fn file_name(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    path.rsplit('/').next().unwrap_or(path)
}
