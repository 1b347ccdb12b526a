//! `readme/row-version`

use super::quoted;
use super::version::{Likeness, cell_likeness};
use crate::diagnostic::Severity;
use crate::readme::Cell;
use crate::rules::report::rerun_with;
use crate::rules::report::version_is_branch::is_branch;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/row-version",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    doc: include_str!("row_version.md"),
    check: Check::Readme(check),
};

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (row, report) in cx.listing.rows_with_reports() {
        let column = row.columns.version;
        let (Some(text), Some(version)) = (row.text(column), &report.version) else {
            continue;
        };
        let stated = &version.value;
        let is_other = |cell: &Cell| cell_likeness(cell, stated) == Likeness::Different;
        if stated.is_empty() || !row.cell(column).is_none_or(is_other) {
            continue;
        }
        let message = if text.is_empty() {
            format!("the row has no version, the report says {}", quoted(stated))
        } else {
            format!(
                "the row says {}, the report says {}",
                quoted(text),
                quoted(stated)
            )
        };
        let write = format!(
            "write {}, with the address of its release page",
            quoted(&format!("[{stated}](https://…)"))
        );
        let help = if text.is_empty() || is_branch(text) {
            write
        } else if is_branch(stated) {
            rerun_with("version", quoted(text).trim_matches('`'))
        } else {
            format!("{write}, or link the report of {}", quoted(text))
        };
        out.at(cx.cell(row.row, column), message)
            .label(version.place.clone(), "the version that was tested")
            .help(help);
    }
}
