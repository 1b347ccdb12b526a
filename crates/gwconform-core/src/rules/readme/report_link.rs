use super::Write;
use super::anchors::Column;
use super::listing::{ListedRow, is_x};
use super::markup::report_link;
use super::report_link_version::other_version;
use super::version::{Likeness, Spelling, cell_likeness, right_version, words};
use crate::report::formats::is_no_snapshot;
use crate::rules::{Findings, ReadmeContext};
use crate::text::diagnostic::Fix;
use crate::text::message::Line;
use crate::tree::readme::{Cell, Target};

rule! {
    "report_link.md", Readme(check), Text<'a>, Write;
    OtherText { text: &'a str, expected: String } => "the link text is {text}; expected {expected}",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for row in &cx.listing.rows {
        let column = row.columns.report;
        let Some(cell) = row.cell(column) else {
            continue;
        };
        let Some(link) = row.link else {
            continue;
        };
        let is_website = matches!(link.classify(), Target::Url { .. });
        // Reported by readme/report-link-version.
        let names_other = row
            .report
            .is_some_and(|report| other_version(&cell.text, row, report).is_some());
        if is_website || names_other || is_text_fine(&cell.text, row) {
            continue;
        }
        let message = Text::OtherText {
            text: &link.text,
            expected: format!("{} report", version(row).unwrap_or("<version>")),
        };
        let line = expected(row);
        out.at(cx.cell(row, Column::Report), message)
            .help(Write::Line { line })
            .fix_with(|| fix(cx, row, &cell.text));
    }
}

/// The fix is safe if the text adds no information, for example `Report`.
pub fn fix(cx: &ReadmeContext<'_>, row: &ListedRow<'_>, text: &str) -> Option<Fix> {
    const FILLERS: [&str; 12] = [
        "",
        "link",
        "report",
        "reports",
        "here",
        "view",
        "see",
        "file",
        "yaml",
        "conformance",
        "the",
        "results",
    ];
    let file = row.file.as_deref()?;
    let cell = row.cell(row.columns.report)?;
    let version = version(row)?;
    // Handled by readme/row-version.
    let is_other = |cell: &Cell| {
        !cell.text.trim().is_empty() && cell_likeness(cell, version) == Likeness::Different
    };
    if row.cell(row.columns.version).is_some_and(is_other) {
        return None;
    }
    let link = report_link(version, file)?;
    let is_filler = |word: &str| {
        let word = word.to_lowercase();
        FILLERS.contains(&word.trim_matches(|c: char| !c.is_alphanumeric()))
    };
    let is_name = text.trim().trim_start_matches("./") == file;
    let title = "name the version in the link of the report";
    let fix = if is_name || text.split_whitespace().all(is_filler) {
        Fix::safe(title)
    } else {
        Fix::unsafe_(title)
    };
    let span = row.link.map_or(cell.span, |link| link.span);
    cx.fix(fix, span, &link)
}

pub fn expected(row: &ListedRow<'_>) -> Line {
    let version = version(row).unwrap_or("<version>");
    let target = match (&row.file, row.link) {
        (Some(file), _) => format!("./{file}"),
        (None, Some(link)) => link.target.clone(),
        (None, None) => "./<file>".to_owned(),
    };
    Line(format!("[{version} report]({target})"))
}

fn version<'r>(row: &'r ListedRow<'_>) -> Option<&'r str> {
    let fact = row.report.and_then(|report| report.version.as_ref());
    let of_report = fact
        .map(|version| version.value.as_str())
        .filter(|version| !version.is_empty() && !is_no_snapshot(version));
    let of_row = row.text(row.columns.version);
    let of_row = of_row.filter(|version| !version.is_empty() && !is_x(version));
    match (of_row, of_report) {
        (Some(of_row), Some(of_report)) => Some(right_version(of_row, of_report)),
        (of_row, of_report) => of_report.or(of_row),
    }
}

fn is_text_fine(text: &str, row: &ListedRow<'_>) -> bool {
    let is_report = text.to_ascii_lowercase().contains("report");
    let Some(version) = version(row) else {
        return is_report;
    };
    let of_row = row.text(row.columns.version).unwrap_or(version);
    let versions = [version, of_row].map(Spelling::new);
    let names = |word: &str| {
        let word = Spelling::new(word);
        versions
            .iter()
            .any(|version| word.is_same(version) || word.is_near(version))
    };
    is_report && words(text).any(names)
}
