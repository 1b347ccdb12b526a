//! `readme/row-mode`

use super::anchors::Column;
use super::cells::is_spelled;
use super::fixes::plain;
use super::listing::{ListedRow, is_x};
use crate::diagnostic::Fix;
use crate::message::{Message, texts};
use crate::model::Mode;
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Remedy, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "readme/row-mode",
    include_str!("row_mode.md"),
    Check::Readme(check),
)
.not_legacy()
.strict()
.fixes(Fixes::SafeOrUnsafe)
.sources(&["reports README, Table of Contents"])
.related(&[
    "readme/row-spelling",
    "readme/x-cell",
    "readme/mode-not-described",
])
.texts(&[Text::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text<'a> {
        Empty { expected: &'a str } => "the mode is empty; expected {expected} as in the report",
        Differs { text: &'a str, expected: &'a str } => "mode {text} differs from the report; expected {expected}",
        OfReport => "mode of the report",
        Write { expected: &'a str } => "write {expected}, or link the report that the row is for",
        WriteOr { expected: &'a str, remedy: Message } => "write {expected}; if the mode in the row is the tested one, {remedy}",
    }
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (row, report) in cx.listing.rows_with_reports() {
        let column = row.columns.mode;
        let (Some(text), Some(mode)) = (row.text(column), &report.mode) else {
            continue;
        };
        let expected = &mode.value;
        if is_x(text) || expected.is_empty() || text == expected || is_spelled(text, expected) {
            continue;
        }
        let message = match text.is_empty() {
            true => Text::Empty { expected },
            false => Text::Differs { text, expected },
        };
        let is_default = Mode::from_text(expected) == Some(Mode::Default);
        let help = if text.is_empty() || !is_default {
            Text::Write { expected }
        } else {
            let remedy = Remedy::with("mode", text).into();
            Text::WriteOr { expected, remedy }
        };
        let anchor = cx
            .cell(row, Column::Mode)
            .and(format_args!("expected {expected}"));
        out.at(anchor, message)
            .label(mode.place.clone(), Text::OfReport)
            .help(help)
            .fix_with(|| fix(cx, row, expected));
    }
}

/// The mode in the row may be the tested one, and the one in the report wrong.
fn fix(cx: &ReadmeContext<'_>, row: &ListedRow<'_>, expected: &str) -> Option<Fix> {
    let title = "write the report's mode";
    let column = row.columns.mode;
    let fix = match row.text(column) {
        Some("") => Fix::safe(title),
        _ => Fix::unsafe_(title),
    };
    cx.fix_cell(fix, row.cell(column), plain(expected)?)
}
