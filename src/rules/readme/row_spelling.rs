//! `readme/row-spelling`

use super::anchors::Column;
use super::cells::{channel_in, is_same_mode, is_spelled};
use super::fixes::{adds_no_information, plain};
use super::version::{Likeness, LinkMatch, cell_likeness, named_by_link};
use super::{Write, letters};
use crate::diagnostic::Fix;
use crate::facts::Fact;
use crate::message::{Line, Words, texts};
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "readme/row-spelling",
    include_str!("row_spelling.md"),
    Check::Readme(check),
)
.not_legacy()
.strict()
.fixes(Fixes::SafeOrUnsafe)
.related(&[
    "readme/row-channel",
    "readme/row-version",
    "readme/row-mode",
])
.texts(&[Text::TEMPLATES, Write::TEMPLATES]);

texts! {
    enum Text<'a> {
        Differs { noun: Words, text: &'a str, expected: &'a str } => "{noun} {text} is spelled differently in the report; expected {expected}",
        InReport => "spelling in the report",
    }
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (row, report) in cx.listing.rows_with_reports() {
        let columns = &row.columns;
        let mut report_cell = |column: Column,
                               text: &str,
                               fact: &Fact,
                               line: String,
                               fix: &dyn Fn() -> Option<Fix>| {
            let noun = match column {
                Column::Channel => "channel",
                Column::Version => "version",
                Column::Mode => "mode",
                Column::Report => "report",
            };
            let message = Text::Differs {
                noun: Words(noun),
                text,
                expected: &fact.value,
            };
            let anchor = cx
                .cell(row, column)
                .and(format_args!("expected {}", fact.value));
            out.at(anchor, message)
                .label(fact.place.clone(), Text::InReport)
                .help(Write::Line { line: Line(line) })
                .fix_with(fix);
        };
        let fix = |is_safe: bool, title: &str| match is_safe {
            true => Fix::safe(title),
            false => Fix::unsafe_(title),
        };
        if let (Some(text), Some(channel)) = (row.text(columns.channel), &report.channel)
            && text != channel.value
            && channel_in(text) == Some(&channel.value)
        {
            let is_safe = letters(text).trim_end_matches("channel") == channel.value;
            let fix = || {
                let titled = fix(is_safe, "spell the channel as the report does");
                cx.fix_cell(titled, row.cell(columns.channel), &channel.value)
            };
            let line = channel.value.clone();
            report_cell(Column::Channel, text, channel, line, &fix);
        }
        if let (Some(cell), Some(version)) = (row.cell(columns.version), &report.version)
            // Brackets without a target are reported by readme/version-link.
            && !cell.bracketed_without_link
            && cell_likeness(cell, &version.value) == Likeness::Spelled
        {
            let target = cell
                .links
                .first()
                .map(|link| link.target.as_str())
                .or(cell.bare_url.map(|url| cx.source.slice(url)));
            let names_another =
                |target: &&str| named_by_link(target, &version.value) == LinkMatch::Other;
            let expected = match target.filter(|target| !names_another(target)) {
                Some(target) => format!("[{}]({target})", version.value),
                None => version.value.clone(),
            };
            let is_safe = adds_no_information(cell.text.trim(), &version.value);
            let fix = || {
                let titled = fix(is_safe, "spell the version as the report does");
                cx.fix_version(titled, cell, &version.value)
            };
            report_cell(Column::Version, &cell.text, version, expected, &fix);
        }
        if let (Some(text), Some(mode)) = (row.text(columns.mode), &report.mode)
            && text != mode.value
            && is_spelled(text, &mode.value)
        {
            let is_safe = is_same_mode(text, &mode.value);
            let fix = || {
                let titled = fix(is_safe, "spell the mode as the report does");
                cx.fix_cell(titled, row.cell(columns.mode), plain(&mode.value)?)
            };
            report_cell(Column::Mode, text, mode, mode.value.clone(), &fix);
        }
    }
}
