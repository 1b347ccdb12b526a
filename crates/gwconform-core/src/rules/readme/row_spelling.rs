use super::anchors::Column;
use super::cells::channel_in;
use super::fixes::adds_no_information;
use super::version::{Likeness, LinkMatch, cell_likeness, is_row_right, named_by_link};
use super::version_link_differs::may_be_a_release;
use super::{Write, letters};
use crate::report::facts::Fact;
use crate::rules::{Findings, ReadmeContext};
use crate::text::diagnostic::Fix;
use crate::text::message::{Line, Words};
use crate::tree::readme::Link;

rule! {
    "row_spelling.md", Readme(check), Text<'a>, Write;
    Differs { noun: Words, text: &'a str, expected: &'a str } => "{noun} {text} is spelled differently in the report; expected {expected}",
    InReport => "spelling in the report",
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
                _ => "version",
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
            // Reported by readme/version-link.
            && (!cell.links.is_empty() || cell.bare_url.is_some())
            && !cell.bracketed_without_link
            && cell_likeness(cell, &version.value) == Likeness::Spelled
            && !is_row_right(&cell.text, &version.value)
        {
            let target = cell
                .links
                .first()
                .map(|link| link.target.as_str())
                .or(cell.bare_url.map(|url| cx.source.slice(url)))
                .unwrap_or_default();
            if named_by_link(target, &version.value) == LinkMatch::Other {
                // Reported by readme/version-link-differs.
                continue;
            }
            let is_elsewhere = |link: &Link| !may_be_a_release(&link.target, report);
            if !cell.links.is_empty() && cell.links.iter().all(is_elsewhere) {
                continue;
            }
            let expected = format!("[{}]({target})", version.value);
            let is_safe = adds_no_information(cell.text.trim(), &version.value);
            let fix = || {
                let titled = fix(is_safe, "spell the version as the report does");
                let fix = cx.fix_version(titled, cell, &version.value)?;
                cx.with_link_text(fix, row, &version.value)
            };
            report_cell(Column::Version, &cell.text, version, expected, &fix);
        }
    }
}
