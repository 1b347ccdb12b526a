//! `readme/row-mode`

use super::cells::is_spelled;
use super::fixes::plain;
use super::listing::{ListedRow, is_x};
use super::quoted;
use crate::diagnostic::Fix;
use crate::model::Mode;
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Rule};
use crate::text::shell;

/// The rule.
pub static RULE: Rule = Rule::warning(
    "readme/row-mode",
    include_str!("row_mode.md"),
    Check::Readme(check),
)
.not_legacy()
.strict()
.fixes(Fixes::SafeOrUnsafe);

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (row, report) in cx.listing.rows_with_reports() {
        let column = row.columns.mode;
        let (Some(text), Some(mode)) = (row.text(column), &report.mode) else {
            continue;
        };
        let stated = &mode.value;
        if is_x(text) || stated.is_empty() || text == stated || is_spelled(text, stated) {
            continue;
        }
        let message = if text.is_empty() {
            format!("the row has no mode, the report says {}", quoted(stated))
        } else {
            format!(
                "the row says {}, the report says {}",
                quoted(text),
                quoted(stated)
            )
        };
        let help = if text.is_empty() || Mode::from_text(stated) != Some(Mode::Default) {
            format!(
                "write {}, if this is the report that was meant",
                quoted(stated)
            )
        } else {
            let mode = shell::flag("mode", text).unwrap_or_else(|| "--mode".to_owned());
            format!(
                "write `default`, or run the suite again with `{mode}` if that is how it was deployed"
            )
        };
        out.at(cx.cell(row.row, column), message)
            .label(mode.place.clone(), "the mode of the report")
            .help(help)
            .fix_with(|| fix(cx, row, stated));
    }
}

/// A mode that was written says how it was deployed: perhaps it is the report that has it wrong.
fn fix(cx: &ReadmeContext<'_>, row: &ListedRow<'_>, stated: &str) -> Option<Fix> {
    let title = "write the report's mode";
    let column = row.columns.mode;
    let fix = match row.text(column) {
        Some("") => Fix::safe(title),
        _ => Fix::unsafe_(title),
    };
    cx.fix_cell(fix, row.cell(column), plain(stated)?)
}
