//! `readme/report-link`

use super::listing::{ListedRow, is_x};
use super::quoted;
use super::version::{Spelling, words};
use crate::diagnostic::Severity;
use crate::readme::Target;
use crate::rules::report::version_is_branch::is_branch;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/report-link",
    severity: Severity::Warning,
    legacy: None,
    strict: false,
    doc: include_str!("report_link.md"),
    check: Check::Readme(check),
};

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
                    .help(format!("write {}", expected()));
            }
            continue;
        };
        if let (Some(file), Target::Url { .. }) = (&row.file, link.classify()) {
            out.at(
                place(),
                format!("the link leads to a website, expected `./{file}`"),
            )
            .help(format!("write {}", expected()));
        } else if !is_text_fine(&cell.text, row) {
            let text = quoted(&format!("{} report", version(row).unwrap_or("<version>")));
            let message = format!("the link says {}, expected {text}", quoted(&link.text));
            out.at(place(), message)
                .help(format!("write {}", expected()));
        }
    }
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
