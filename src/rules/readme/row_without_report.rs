//! `readme/row-without-report`

use super::listing::ListedRow;
use super::quoted;
use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, ReadmeContext, Rule};
use crate::suggest::nearest;
use crate::tree::Lead;

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/row-without-report",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    doc: include_str!("row_without_report.md"),
    check: Check::Readme(check),
};

/// Rows for which a file with nearly the linked name is looked for, and files that are looked at.
const MAX_SUGGESTIONS: usize = 100;

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    if cx.reports.is_none() {
        return;
    }
    let unlisted: Vec<&str> = cx.listing.unlisted().take(MAX_SUGGESTIONS).collect();
    let rows = cx.listing.rows.iter().filter(|row| row.file.is_none());
    for (nth, row) in rows.enumerate() {
        let place = match row.link {
            Some(link) => cx.span(link.target_span),
            None => cx.cell(row.row, row.columns.report),
        };
        let finding = out.at(place, reason(row));
        let wanted = row
            .link
            .map_or("", |link| link.target.trim_start_matches("./"));
        let known = unlisted.iter().copied();
        let near = if nth < MAX_SUGGESTIONS {
            nearest(wanted, known)
        } else {
            None
        };
        match (near, unlisted.as_slice()) {
            (Some(near), _) => finding.help(format!("did you mean `./{near}`?")),
            (None, [only]) => finding.help(format!(
                "did you mean `./{only}`? It is the only report without a row"
            )),
            _ => finding.help("correct the link, add the report, or remove the row"),
        };
    }
}

fn reason(row: &ListedRow<'_>) -> String {
    let Some(link) = row.link else {
        let is_empty = row.row.cells.iter().all(|cell| cell.span.is_empty());
        return if is_empty {
            "the row is empty".to_owned()
        } else {
            "the row links no report".to_owned()
        };
    };
    let target = quoted(&link.target);
    match row.lead {
        Some(Lead::OutOfTree) => format!("{target} leads out of the reports tree"),
        Some(Lead::Inside { exists: false, .. }) => format!("there is no report {target}"),
        _ => format!("{target} is no report of this submission"),
    }
}
