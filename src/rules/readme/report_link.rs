//! `readme/report-link`

use super::fixes::report_link;
use super::listing::{ListedRow, is_x};
use super::quoted;
use super::version::{Spelling, words};
use crate::diagnostic::Fix;
use crate::formats::is_branch;
use crate::readme::Target;
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "readme/report-link",
    include_str!("report_link.md"),
    Check::Readme(check),
)
.not_legacy()
.fixes(Fixes::SafeOrUnsafe);

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for row in &cx.listing.rows {
        let column = row.columns.report;
        let Some(cell) = row.cell(column) else {
            continue;
        };
        let place = || cx.cell(row.row, column);
        let expected = || expected(row);
        let Some(link) = row.link else {
            if row.file.is_some() {
                out.at(place(), "the report is named, but not linked")
                    .help(format!("write {}", expected()))
                    .fix_with(|| fix(cx, row, &cell.text));
            }
            continue;
        };
        // A link to a website is for readme/row-without-report.
        let is_website = matches!(link.classify(), Target::Url { .. });
        if !is_website && !is_text_fine(&cell.text, row) {
            let text = quoted(&format!("{} report", version(row).unwrap_or("<version>")));
            let message = format!("the link says {}, expected {text}", quoted(&link.text));
            out.at(place(), message)
                .help(format!("write {}", expected()))
                .fix_with(|| fix(cx, row, &cell.text));
        }
    }
}

/// Safe where the text says nothing that the row does not: `link`, `Report`, the name of the file.
fn fix(cx: &ReadmeContext<'_>, row: &ListedRow<'_>, shown: &str) -> Option<Fix> {
    const SAY_NOTHING: [&str; 12] = [
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
    let link = report_link(version(row)?, file)?;
    let says_nothing = |word: &str| {
        let word = word.to_lowercase();
        SAY_NOTHING.contains(&word.trim_matches(|c: char| !c.is_alphanumeric()))
    };
    let is_name = shown.trim().trim_start_matches("./") == file;
    let title = "name the version in the link of the report";
    let fix = if is_name || shown.split_whitespace().all(says_nothing) {
        Fix::safe(title)
    } else {
        Fix::unsafe_(title)
    };
    // What else stands in the cell stays.
    let span = row.link.map_or(cell.span, |link| link.span);
    cx.fix(fix, span, &link)
}

/// `[<version> report](./<file>)`, as exact as the row allows.
fn expected(row: &ListedRow<'_>) -> String {
    let version = version(row).unwrap_or("<version>");
    let target = match (&row.file, row.link) {
        (Some(file), _) => format!("./{file}"),
        (None, Some(link)) => link.target.clone(),
        (None, None) => "./<file>".to_owned(),
    };
    quoted(&format!("[{version} report]({target})"))
}

/// The version of the report; of the row when the report has none that can be shown.
fn version<'r>(row: &'r ListedRow<'_>) -> Option<&'r str> {
    let stated = row.report.and_then(|report| report.version.as_ref());
    let stated = stated.map(|version| version.value.as_str());
    let stated = stated.filter(|version| !version.is_empty() && !is_branch(version));
    let shown = row.text(row.columns.version);
    stated.or_else(|| shown.filter(|version| !version.is_empty() && !is_x(version)))
}

/// True when the text has the word `report` and the version, or the first numbers of it.
fn is_text_fine(text: &str, row: &ListedRow<'_>) -> bool {
    let is_report = text.to_ascii_lowercase().contains("report");
    let Some(version) = version(row) else {
        return is_report;
    };
    let shown = row.text(row.columns.version).unwrap_or(version);
    let versions = [version, shown].map(Spelling::of);
    let names = |word: &str| {
        let word = Spelling::of(word);
        versions
            .iter()
            .any(|version| word.is_same(version) || word.is_near(version))
    };
    is_report && words(text).any(names)
}
