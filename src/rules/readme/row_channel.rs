//! `readme/row-channel`

use super::cells::channel_in;
use crate::model::Channel;
use super::listing::{ListedRow, is_x};
use super::quoted;
use crate::diagnostic::{Fix, in_code};
use crate::facts::ReportFacts;
use crate::naming::channel_in_file_name;
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/row-channel",
    include_str!("row_channel.md"),
    Check::Readme(check),
)
.fixes(Fixes::SafeOrUnsafe);

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for (row, report) in cx.listing.rows_with_reports() {
        let column = row.columns.channel;
        let (Some(text), Some(channel)) = (row.text(column), &report.channel) else {
            continue;
        };
        // A channel that does not exist is the report's fault.
        if is_x(text) || !is_known(&channel.value) || channel_in(text) == Some(&channel.value) {
            continue;
        }
        let message = if text.is_empty() {
            format!(
                "the row has no channel, the report says `{}`",
                in_code(&channel.value)
            )
        } else {
            format!(
                "the row says {}, the report says `{}`",
                quoted(text),
                in_code(&channel.value)
            )
        };
        out.at(cx.cell(row.row, column), message)
            .label(
                channel.place.clone(),
                "the channel of the CRDs that were tested",
            )
            .help(format!(
                "write `{}`, if this is the report that was meant",
                in_code(&channel.value)
            ))
            .fix_with(|| cx.fix_cell(fix(cx, row, report), row.cell(column), &channel.value));
    }
}

/// Safe where nobody can have meant another report: the cell names no channel, or the name of the
/// file has the report's and no report of the submission has the one in the cell.
fn fix(cx: &ReadmeContext<'_>, row: &ListedRow<'_>, report: &ReportFacts) -> Fix {
    let title = "write the report's channel";
    let written = row.text(row.columns.channel).and_then(channel_in);
    let others = cx.reports.into_iter().flatten();
    let mut others = others.filter_map(|other| other.channel.as_ref());
    let is_meant = match written {
        None => row.text(row.columns.channel) == Some(""),
        Some(written) => {
            let in_name = channel_in_file_name(&report.file_name);
            let stated = report.channel.as_ref();
            in_name == stated.map(|stated| stated.value.as_str())
                && !others.any(|other| other.value == written)
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
