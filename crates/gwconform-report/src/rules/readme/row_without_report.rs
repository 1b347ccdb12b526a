use super::anchors;
use super::cells::Column;
use super::cells::{channel_in, is_spelled};
use super::listing::{ListedRow, is_x};
use super::markup::report_link;
use super::row_missing::target;
use super::suggestions::{
    Suggestion, file_name, has_right_link, is_short, is_website, rows_without,
};
use super::version::{names_version, right_version};
use crate::report::facts::Fact;
use crate::rules::file_renames::Renames;
use crate::rules::{Findings, ReadmeContext, rule};
use crate::tree::LinkTarget;
use gwconform_base::text::diagnostic::{Anchor, Fix};

rule! {
    "row_without_report.md", ReadmeContext(check), Text<'a>;
    OnWebsite { target: &'a str } => "{target} is on a website; expected a link to a report of this submission",
    OutOfTree { target: &'a str } => "{target} points outside the reports tree; expected a report of this submission",
    NoSuchReport { target: &'a str } => "report {target} does not exist",
    OtherTarget { target: &'a str } => "{target} is not a report of this submission",
    Empty => "the row is empty",
    OneCell { columns: usize } => "the row has 1 cell, the table has {columns} columns",
    TooShort { count: usize, columns: usize } => "the row has {count} cells, the table has {columns} columns",
    UndefinedLabel { label: &'a str } => "the row does not link a report: label {label} is not defined",
    NotLinked => "the row does not link a report",
    WriteCells => "write a cell for each column; an empty cell is written as `| |`",
    Similar { path: String } => "did you mean {path}?",
    OnlyUnlisted { path: String } => "did you mean {path}, the only report that is not listed?",
    Misnamed { file: &'a str, expected: &'a str } => "the row has the name that follows from the fields of the report: rename {file} to {expected}",
    LinkFile => "link the file next to the README, as `./<file>`",
    Correct => "correct the link, add the report, or remove the row",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (row, suggestion) in rows_without(cx) {
        let anchor = match row.link {
            Some(link) => cx.row(row, link.target_span),
            None => Anchor {
                subject: anchors::row(row),
                ..cx.cell(row, Column::Report)
            },
        };
        let help = match suggestion {
            // Handled by tree/report-extension or tree/misplaced-report.
            Some(Suggestion::Elsewhere(_)) => continue,
            _ if is_short(row) => Text::WriteCells,
            Some(Suggestion::Misnamed(file)) => Text::Misnamed {
                file,
                expected: row.link.map_or("", |link| file_name(&link.target)),
            },
            Some(Suggestion::Near(file)) => Text::Similar { path: target(file) },
            Some(Suggestion::Only(file)) => Text::OnlyUnlisted { path: target(file) },
            None if is_website(row) => Text::LinkFile,
            None => Text::Correct,
        };
        out.at(anchor, reason(row))
            .help(help)
            .fix_with(|| fix(cx, row, suggestion));
    }
}

/// Links the suggested report only if the other cells match it.
fn fix(
    cx: &ReadmeContext<'_>,
    row: &ListedRow<'_>,
    suggestion: Option<Suggestion<'_>>,
) -> Option<Fix> {
    if row.row.cells.iter().all(|cell| cell.span.is_empty()) && row.row.surplus.is_empty() {
        return cx.without_row("remove the empty row", row.row.span);
    }
    let file = match suggestion? {
        Suggestion::Near(file) | Suggestion::Only(file) => file,
        Suggestion::Misnamed(file) if has_right_link(row) => {
            let report = (*cx.listing.files.get(file)?)?;
            return Renames::next_to_readme(cx).fix(report, file_name(&row.link?.target));
        }
        Suggestion::Misnamed(_) | Suggestion::Elsewhere(_) => return None,
    };
    let report = (*cx.listing.files.get(file)?)?;
    let cell = row.cell(row.columns.report)?;
    let matches =
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
    let is_version = |_: &str, expected: &str| names_version(version, expected);
    let do_match = matches(columns.channel, &report.channel, &|text, expected| {
        channel_in(text) == Some(expected)
    }) && matches(columns.mode, &report.mode, &is_spelled)
        && !version.text.trim().is_empty()
        && matches(columns.version, &report.version, &is_version);
    let of_report = &report.version.as_ref()?.value;
    let link = report_link(right_version(&version.text, of_report), file)?;
    let span = row.link.map_or(cell.span, |link| link.span);
    do_match.then(|| cx.fix(Fix::safe("link the report"), span, &link))?
}

fn reason<'r>(row: &'r ListedRow<'_>) -> Text<'r> {
    let Some(link) = row.link else {
        return reason_without_link(row);
    };
    let target = &link.target;
    match row.link_target {
        _ if is_website(row) => Text::OnWebsite { target },
        Some(LinkTarget::OutOfTree) => Text::OutOfTree { target },
        Some(LinkTarget::Inside { exists: false, .. }) => Text::NoSuchReport { target },
        _ => Text::OtherTarget { target },
    }
}

fn reason_without_link<'r>(row: &'r ListedRow<'_>) -> Text<'r> {
    if row.row.cells.iter().all(|cell| cell.span.is_empty()) {
        return Text::Empty;
    }
    if is_short(row) {
        let columns = row.column_count;
        return match row.row.cells.len() {
            1 => Text::OneCell { columns },
            count => Text::TooShort { count, columns },
        };
    }
    match row.text(row.columns.report).and_then(undefined_label) {
        Some(label) => Text::UndefinedLabel { label },
        None => Text::NotLinked,
    }
}

fn undefined_label(text: &str) -> Option<&str> {
    let (before, label) = text.strip_suffix(']')?.rsplit_once("][")?;
    (before.contains('[') && !label.is_empty()).then_some(label)
}
