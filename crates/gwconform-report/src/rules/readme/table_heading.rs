use super::anchors::TABLE_OF_CONTENTS;
use super::letters;
use crate::rules::{Findings, ReadmeContext, rule};
use crate::tree::readme::{Heading, Table};
use gwconform_base::text::diagnostic::Fix;
use gwconform_base::text::source::Span;

rule! {
    "table_heading.md", ReadmeContext(check), Text;
    Elsewhere => "the table of contents is not in a section `## Table of contents`",
    Heading => "the heading",
    MoveTable => "move the table below the heading",
    OtherHeading => "the table is in this section",
    RenameHeading => "change this heading to `## Table of contents`",
    AddHeading => "add the heading above the table",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let contents = &cx.listing.contents;
    let Some(table) = contents.table.map(|table| &cx.readme.tables[table]) else {
        return;
    };
    if contents.under_heading || cx.readme.html_heading.is_some() {
        return;
    }
    let heading = contents
        .section
        .and_then(|section| cx.readme.heading_of(section));
    let own = cx
        .readme
        .heading_of(table.section)
        .filter(|heading| heading.level > 1);
    let anchor = cx.about(table.header.span, TABLE_OF_CONTENTS);
    let finding = out.at(anchor, Text::Elsewhere);
    match (heading, own) {
        (Some(heading), _) => finding
            .label(cx.place(heading.block), Text::Heading)
            .help(Text::MoveTable),
        (None, Some(own)) => finding
            .label(cx.place(own.block), Text::OtherHeading)
            .help(Text::RenameHeading)
            .fix(fix(cx, table, Some(own))),
        (None, None) => finding.help(Text::AddHeading).fix(fix(cx, table, None)),
    };
}

/// A fix is offered only if the heading announces reports.
fn fix(cx: &ReadmeContext<'_>, table: &Table, own: Option<&Heading>) -> Option<Fix> {
    const PLAIN_NAMES: [&str; 7] = [
        "contents",
        "conformancereports",
        "indexofreports",
        "listofreports",
        "reports",
        "reportslist",
        "toc",
    ];
    if table.nested {
        return None;
    }
    let text = cx.source.text();
    if let Some(own) = own
        && PLAIN_NAMES.contains(&letters(&own.text).as_str())
    {
        let fix = Fix::safe("name the heading `Table of contents`");
        return fix.replace(cx.source, own.span, "Table of contents");
    }
    let level = own.map_or(2, |own| usize::from(own.level) + 1);
    let header = table.header.span.start as usize;
    let start = text[..header].rfind('\n').map_or(0, |newline| newline + 1);
    let is_indented = !text[start..header]
        .trim_start_matches('\u{feff}')
        .is_empty();
    if level > 6 || is_indented {
        return None;
    }
    let blank = if text[..header].trim_end_matches(' ').ends_with("\n\n") || start == 0 {
        ""
    } else {
        "\n"
    };
    let heading = format!("{blank}{} Table of contents\n\n", "#".repeat(level));
    let fix = Fix::safe("put the heading above the table");
    fix.replace(cx.source, Span::at(header), heading)
}
