use super::anchors::Column;
use super::cells::channel_in;
use super::listing::{ListedRow, is_x};
use crate::api::Channel;
use crate::report::facts::ReportFacts;
use crate::report::naming::channel_in_file_name;
use crate::rules::{Findings, ReadmeContext};
use crate::text::diagnostic::Fix;
use crate::text::message::Line;

rule! {
    "row_channel.md", Readme(check), Text<'a>;
    Empty { expected: &'a str } => "the channel is empty; expected {expected} as in the report",
    Differs { text: &'a str, expected: &'a str } => "channel {text} differs from the report; expected {expected}",
    OfReport => "channel of the tested CRDs",
    WriteOrLink { line: Line } => "write {line}, or link the report of this row",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (row, report) in cx.listing.rows_with_reports() {
        let column = row.columns.channel;
        let (Some(text), Some(channel)) = (row.text(column), &report.channel) else {
            continue;
        };
        if is_x(text) || !is_known(&channel.value) || channel_in(text) == Some(&channel.value) {
            continue;
        }
        let expected = &channel.value;
        let message = match text.is_empty() {
            true => Text::Empty { expected },
            false => Text::Differs { text, expected },
        };
        let anchor = cx
            .cell(row, Column::Channel)
            .and(format_args!("expected {expected}"));
        out.at(anchor, message)
            .label(channel.place.clone(), Text::OfReport)
            .help(Text::WriteOrLink {
                line: Line(expected.clone()),
            })
            .fix_with(|| cx.fix_cell(fix(cx, row, report), row.cell(column), expected));
    }
}

/// The fix is safe if the row cannot belong to another report. Either the cell is empty, or the
/// file name contains the report's channel and no report has the channel in the cell.
fn fix(cx: &ReadmeContext<'_>, row: &ListedRow<'_>, report: &ReportFacts) -> Fix {
    let title = "write the report's channel";
    let written = row.text(row.columns.channel).and_then(channel_in);
    let reports = cx.reports.into_iter().flatten();
    let mut channels = reports.filter_map(|other| other.channel.as_ref());
    let is_meant = match written {
        None => row.text(row.columns.channel) == Some(""),
        Some(written) => {
            let in_name = channel_in_file_name(&report.file_name);
            let channel = report.channel.as_ref();
            in_name == channel.map(|channel| channel.value.as_str())
                && !channels.any(|channel| channel.value == written)
        }
    };
    if is_meant {
        Fix::safe(title)
    } else {
        Fix::unsafe_(title)
    }
}

fn is_known(text: &str) -> bool {
    Channel::from_text(text).is_some()
}
