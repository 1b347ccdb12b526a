//! `readme/table-missing`

use crate::diagnostic::{Place, Severity};
use crate::readme::Columns;
use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "readme/table-missing",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    fixes: None,
    doc: include_str!("table_missing.md"),
    check: Check::Readme(check),
};

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let contents = &cx.listing.contents;
    if contents.table.is_some() || cx.readme.html_table.is_some() {
        return;
    }
    if cx.is_empty() {
        out.at(Place::path(cx.source.path()), "the README is empty")
            .help("write a title, `## Table of contents` with a row for each report, and `## Reproduce`");
        return;
    }
    let heading = contents
        .section
        .and_then(|section| cx.readme.heading_of(section));
    let place = heading.map_or_else(|| cx.title(), |heading| cx.span(heading.block));
    let finding = out.at(place, "the README has no table of contents");
    finding.help(format!(
        "write `## Table of contents` and below it | {} |, a line |---|---|---|---| and a row for each report",
        Columns::NAMES.join(" | ")
    ));
    if let Some(&row) = cx.readme.stray_rows.first() {
        finding.label(
            cx.span(row),
            "this is no table: below the header there must be |---| for each of its columns",
        );
    }
    if let Some(comment) = cx.readme.unclosed_comment {
        finding.label(cx.span(comment), "what follows this comment is not shown");
    }
}
