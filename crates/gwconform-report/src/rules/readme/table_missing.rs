use super::Outline;
use super::anchors::TABLE_OF_CONTENTS;
use crate::rules::{Findings, ReadmeContext, rule};
use crate::tree::readme::Columns;
use gwconform_base::text::diagnostic::{Anchor, Fix};
use gwconform_base::text::source::Span;

rule! {
    "table_missing.md", ReadmeContext(check), Text, Outline;
    NotClosed => "the comment is not closed, so everything after it is hidden",
    Close => "close it with `-->`",
    Html => "the table of contents is an HTML table; expected a Markdown table, because HTML rows are not checked",
    WriteMarkdown => "write it as a Markdown table, with pipes between the cells",
    Empty => "the README is empty",
    Missing => "the README has no table of contents",
    Write { header: String } => "write `## Table of contents`, and below it {header}, `|---|---|---|---|` and a row for each report",
    NotATable => "not a table: the delimiter row is missing or has the wrong number of columns",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    if let Some(comment) = cx.readme.unclosed_comment {
        // It may hide the table.
        let mut start = comment;
        start.end = start.end.min(start.start + 4);
        out.at(cx.about(start, "comment"), Text::NotClosed)
            .help(Text::Close);
        return;
    }
    let contents = &cx.listing.contents;
    if contents.table.is_some() {
        return;
    }
    if let Some(html) = cx.readme.html_table {
        out.at(cx.about(html, TABLE_OF_CONTENTS), Text::Html)
            .help(Text::WriteMarkdown);
        return;
    }
    if cx.is_empty() {
        out.at(Anchor::path(cx.source.path()), Text::Empty)
            .help(Outline::Write);
        return;
    }
    let heading = contents
        .section
        .and_then(|section| cx.readme.heading_of(section));
    let place = heading.map_or_else(|| cx.title(), |heading| cx.place(heading.block));
    let anchor = cx.whole(place).about(TABLE_OF_CONTENTS);
    let finding = out.at(anchor, Text::Missing);
    finding.help(Text::Write {
        header: format!("| {} |", Columns::NAMES.join(" | ")),
    });
    if cx.readme.stray_rows.is_empty() && cx.readme.truncated.is_empty() {
        finding.fix(fix(cx));
    }
    if let Some(&row) = cx.readme.stray_rows.first() {
        finding.label(cx.place(row), Text::NotATable);
    }
}

/// The fix is unsafe, because release page URLs are guessed.
fn fix(cx: &ReadmeContext<'_>) -> Option<Fix> {
    let mut lines = vec![
        format!("| {} |", Columns::NAMES.join(" | ")),
        "|-------------|------------------------|------|--------|".to_owned(),
    ];
    for (file, facts) in &cx.listing.files {
        let row = cx.row_for(file, facts.as_ref()?)?;
        lines.push(format!("| {} |", row.cells.join(" | ")));
    }
    if lines.len() == 2 || cx.readme.html_heading.is_some() {
        return None;
    }
    let table = lines.join("\n");
    let fix = Fix::unsafe_("write the table of contents");
    let text = cx.source.text();
    let heading_of = |section: Option<usize>| cx.readme.heading_of(section?);
    if let Some(heading) = heading_of(cx.listing.contents.section) {
        let end = cx.source.lines_around(heading.block).end as usize;
        return fix.replace(cx.source, Span::at(end), format!("\n\n{table}"));
    }
    let section = format!("## Table of contents\n\n{table}\n");
    match heading_of(cx.readme.reproduce_sections().first().copied()) {
        Some(heading) => {
            let start = cx.source.lines_around(heading.block).start as usize;
            fix.replace(cx.source, Span::at(start), format!("{section}\n"))
        }
        None => {
            let newline = if text.ends_with('\n') { "\n" } else { "\n\n" };
            fix.replace(
                cx.source,
                Span::at(text.len()),
                format!("{newline}{section}"),
            )
        }
    }
}
