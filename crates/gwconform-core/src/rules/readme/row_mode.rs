use super::Write;
use super::anchors::Column;
use super::cells::{is_same_mode, is_spelled};
use super::letters;
use super::listing::{ListedRow, is_x};
use super::markup::plain;
use crate::api::Mode;
use crate::rules::{Findings, ReadmeContext, Remedy};
use crate::text::diagnostic::Fix;
use crate::text::message::{Line, Message};

rule! {
    "row_mode.md", Readme(check), Text<'a>, Write, Remedy;
    Empty { expected: &'a str } => "the mode is empty; expected {expected} as in the report",
    Differs { text: &'a str, expected: &'a str } => "mode {text} differs from the report; expected {expected}",
    Spelled { text: &'a str, expected: &'a str } => "mode {text} is spelled differently in the report; expected {expected}",
    OfReport => "mode of the report",
    WriteOrLink { line: Line } => "write {line}, or link the report of this row",
    WriteOr { line: Line, remedy: Message } => "write {line}; if the mode in the row is the tested one, {remedy}",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (row, report) in cx.listing.rows_with_reports() {
        let column = row.columns.mode;
        let (Some(text), Some(mode)) = (row.text(column), &report.mode) else {
            continue;
        };
        let expected = &mode.value;
        if is_x(text) || expected.is_empty() || text == expected {
            continue;
        }
        let is_spelled = is_spelled(text, expected);
        let message = match text {
            "" => Text::Empty { expected },
            _ if letters(text) == letters(expected) => Text::Spelled { text, expected },
            _ => Text::Differs { text, expected },
        };
        let line = Line(expected.clone());
        let is_default = Mode::from_text(expected) == Some(Mode::Default);
        let help = if is_spelled {
            Message::from(Write::Line { line })
        } else if text.is_empty() || !is_default {
            Text::WriteOrLink { line }.into()
        } else {
            let remedy = Remedy::with("mode", text).into();
            Text::WriteOr { line, remedy }.into()
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

/// If the row has another mode, the fix is unsafe, because the row may name the tested mode. The
/// suite writes `default` if no mode is set, so `default` never replaces another mode.
fn fix(cx: &ReadmeContext<'_>, row: &ListedRow<'_>, expected: &str) -> Option<Fix> {
    let title = "write the report's mode";
    let column = row.columns.mode;
    let fix = match row.text(column) {
        Some(text) if text.is_empty() || is_same_mode(text, expected) => Fix::safe(title),
        _ if Mode::from_text(expected) == Some(Mode::Default) => return None,
        _ => Fix::unsafe_(title),
    };
    cx.fix_cell(fix, row.cell(column), plain(expected)?)
}
