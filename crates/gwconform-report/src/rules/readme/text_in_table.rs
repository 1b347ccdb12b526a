use crate::rules::{Findings, ReadmeContext, rule};
use crate::tree::readme::Row;
use gwconform_base::text::diagnostic::Fix;
use gwconform_base::text::source::Span;

rule! {
    "text_in_table.md", ReadmeContext(check), Text;
    ReadAsRow => "the text follows the table without a blank line, so it is displayed as a row",
    Separate => "put a blank line between the table and the text",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let tables = cx
        .listing
        .contents
        .table
        .iter()
        .chain(&cx.listing.more_tables);
    let rows = tables.flat_map(|&table| &cx.readme.tables[table].rows);
    for row in rows.filter(|row| row.has_no_pipe()) {
        let anchor = cx.about(
            row.span,
            format!("text {}", cx.source.slice(row.span).trim()),
        );
        out.at(anchor, Text::ReadAsRow)
            .help(Text::Separate)
            .fix_with(|| fix(cx, row));
    }
}

/// No fix is offered if a row of the table follows the text.
fn fix(cx: &ReadmeContext<'_>, text: &Row) -> Option<Fix> {
    let holds = |span: Span| span.start <= text.span.start && text.span.end <= span.end;
    let table = cx.readme.tables.iter().find(|one| holds(one.span))?;
    let mut below = table.rows.iter().skip_while(|row| row.span != text.span);
    if table.nested || !below.all(Row::has_no_pipe) {
        return None;
    }
    let whole = cx.source.text();
    let start = whole[..text.span.start as usize].rfind('\n')? + 1;
    let fix = Fix::safe("put a blank line between the table and the text");
    fix.replace(cx.source, Span::at(start), "\n")
}
