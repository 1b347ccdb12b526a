use crate::rules::{Findings, ReadmeContext, rule};
use gwconform_base::text::diagnostic::Fix;
use gwconform_base::text::source::Span;

rule! {
    "stray_row.md", ReadmeContext(check), Text;
    NotInTable => "the line is not part of a table, so it is displayed as text",
    RemoveComment => "remove the comment above it, which ends the table",
    RemoveBlankLine => "remove the blank line above it, which ends the table",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    if cx.listing.contents.table.is_none() {
        // Handled by readme/table-missing.
        return;
    }
    for &row in &cx.readme.stray_rows {
        let anchor = cx.about(row, format!("row {}", cx.source.slice(row).trim()));
        let finding = out.at(anchor, Text::NotInTable);
        let above = cx.source.text()[..row.start as usize].trim_end();
        finding.help(if above.ends_with("-->") {
            Text::RemoveComment
        } else {
            Text::RemoveBlankLine
        });
        finding.fix_with(|| fix(cx, row));
    }
}

/// A fix is offered only if blank lines alone separate the row from the table.
fn fix(cx: &ReadmeContext<'_>, row: Span) -> Option<Fix> {
    let table = cx
        .readme
        .tables
        .iter()
        .rev()
        .find(|one| one.span.end <= row.start)?;
    let gap = Span::new(table.span.end as usize, row.start as usize);
    let between = cx.source.slice(gap);
    let is_blank = between
        .chars()
        .all(|c| matches!(c, ' ' | '\t' | '\r' | '\n'));
    if table.nested || !is_blank {
        return None;
    }
    let fix = Fix::safe("remove the blank line above the row");
    fix.replace(cx.source, gap, "\n")
}
