//! `readme/row-missing`

use super::fixes::cells;
use super::row_without_report;
use crate::diagnostic::{Fix, in_code};
use crate::facts::{Fact, ReportFacts};
use crate::readme::{Bound, Table, manner};
use crate::rules::{Check, Findings, Fixes, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/row-missing",
    include_str!("row_missing.md"),
    Check::Readme(check),
)
.fixes(Fixes::Safe);

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let listing = &cx.listing;
    let Some(table) = listing.contents.table.map(|table| &cx.readme.tables[table]) else {
        return;
    };
    let is_cut = |bound: &Bound| !matches!(bound, Bound::Headings);
    if cx.readme.truncated.iter().any(is_cut) {
        // The row may stand in what was left out, which is said elsewhere.
        return;
    }
    // A row with a slip in its link is for readme/row-without-report, which names the file.
    let meant = row_without_report::suggested(cx);
    for file in listing.unlisted().filter(|file| !meant.contains(file)) {
        let facts = listing.files.get(file).copied().flatten();
        out.at(
            cx.span(table.header.span),
            format!("no row is about `{file}`", file = in_code(&file)),
        )
        .help(format!("add {}", row(file, facts)))
        .fix_with(|| fix(cx, table, file, facts?));
    }
}

fn fix(cx: &ReadmeContext<'_>, table: &Table, file: &str, facts: &ReportFacts) -> Option<Fix> {
    if table.nested {
        return None;
    }
    let cells = cells(table, &cx.row_for(file, facts)?);
    let (span, text) = manner::with_row(cx.source.text(), table, &cells);
    Fix::safe(format!("add a row for {file}")).replace(cx.source, span, text)
}

/// The row that a report should have.
fn row(file: &str, report: Option<&ReportFacts>) -> String {
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
    let needs_brackets = file.contains(|c: char| c.is_whitespace() || "()<>".contains(c));
    let target = if needs_brackets {
        format!("<./{file}>")
    } else {
        format!("./{file}")
    };
    format!(
        "`| {channel} | [{version}](https://…) | {mode} | [{version} report]({target}) |`, with the address of its release page",
        channel = in_code(&channel),
        version = in_code(&version),
        mode = in_code(&mode),
        target = in_code(&target)
    )
}
