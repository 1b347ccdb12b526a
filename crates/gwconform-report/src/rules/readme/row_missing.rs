use std::collections::HashMap;

use super::fixes::cells;
use super::suggestions::suggested;
use crate::report::facts::{Fact, ReportFacts};
use crate::rules::{Findings, ReadmeContext, rule};
use crate::tree::readme::{Bound, Table, formatting};
use gwconform_base::text::diagnostic::{Edit, Fix};
use gwconform_base::text::message::Line;
use gwconform_base::text::shell::word;
use gwconform_base::text::source::Span;

rule! {
    "row_missing.md", ReadmeContext(check), Text<'a>;
    NotListed { file: &'a str } => "{file} is not listed in the table of contents",
    Add { row: Line } => "add {row}",
    NotInTable => "not a part of the table",
    AddOrRun { row: Line, command: &'a str } => "add {row}, or run {command}",
    Join => "join this line to the table",
    AddWithPage { row: Line } => "add {row} with the URL of the release page",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let listing = &cx.listing;
    let Some(table) = listing.contents.table.map(|table| &cx.readme.tables[table]) else {
        return;
    };
    let is_cut = |bound: &Bound| !matches!(bound, Bound::Headings);
    if cx.readme.truncated.iter().any(is_cut) {
        // The row may be in the truncated part.
        return;
    }
    // Handled by readme/row-without-report.
    let meant = suggested(cx);
    let stray = files_in_stray_rows(cx);
    for file in listing.unlisted().filter(|file| !meant.contains(file)) {
        let facts = listing.files.get(file).copied().flatten();
        let anchor = cx.about(table.header.span, format!("row {file}"));
        let finding = out.at(anchor, Text::NotListed { file });
        if let Some(row) = stray.get(file) {
            // Fixed by readme/stray-row.
            finding
                .label(cx.place(*row), Text::NotInTable)
                .help(Text::Join);
            continue;
        }
        finding.fix_with(|| fix(cx, table, file, facts?));
        let command = command(cx, file);
        let help = match (finding.fix.as_ref().and_then(added), &command) {
            (Some(row), Some(command)) => Text::AddOrRun { row, command },
            (Some(row), None) => Text::Add { row },
            (None, _) => Text::AddWithPage {
                row: row(file, facts),
            },
        };
        finding.help(help);
    }
}

/// Command that adds the row, in a reports tree.
fn command(cx: &ReadmeContext<'_>, file: &str) -> Option<String> {
    cx.submission.release.as_ref()?;
    let readme = cx.source.path();
    let folder = readme.rfind('/').map_or("", |slash| &readme[..=slash]);
    Some(format!(
        "gwconform add {}",
        word(&format!("{folder}{file}"))?
    ))
}

fn files_in_stray_rows<'c>(cx: &'c ReadmeContext<'_>) -> HashMap<&'c str, Span> {
    let is_end = |c: char| c.is_whitespace() || "()<>[]|/".contains(c);
    let names = |row: &Span| {
        let row = *row;
        cx.source
            .slice(row)
            .split(is_end)
            .map(move |name| (name, row))
    };
    cx.readme.stray_rows.iter().flat_map(names).collect()
}

fn fix(cx: &ReadmeContext<'_>, table: &Table, file: &str, facts: &ReportFacts) -> Option<Fix> {
    if table.nested {
        return None;
    }
    let row = cx.row_for(file, facts)?;
    let cells = cells(table, &row.cells);
    let (span, text) = formatting::with_row(cx.source.text(), table, &cells);
    row.page
        .fix(format!("add a row for {file}"))
        .replace(cx.source, span, text)
}

fn added(fix: &Fix) -> Option<Line> {
    match fix.edits.as_slice() {
        [Edit::Replace { text, .. }] => Line::printable(text.trim_matches(['\r', '\n'])),
        _ => None,
    }
}

pub(super) fn target(file: &str) -> String {
    let needs_brackets = file.contains(|c: char| c.is_whitespace() || "()<>".contains(c));
    if needs_brackets {
        format!("<./{file}>")
    } else {
        format!("./{file}")
    }
}

fn row(file: &str, report: Option<&ReportFacts>) -> Line {
    let is_legacy = report.is_some_and(|report| report.release.is_legacy());
    let unknown = if is_legacy { "x" } else { "…" };
    let value = |fact: fn(&ReportFacts) -> &Option<Fact>, unknown: &str| {
        let fact = report.and_then(|report| fact(report).as_ref());
        let value = fact.map_or(unknown, |fact| fact.value.as_str());
        value.replace('|', "\\|")
    };
    let channel = value(|report| &report.channel, unknown);
    let version = value(|report| &report.version, "…");
    let mode = value(|report| &report.mode, unknown);
    let target = target(file);
    Line(format!(
        "| {channel} | [{version}](https://…) | {mode} | [{version} report]({target}) |"
    ))
}
