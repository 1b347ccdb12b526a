use super::Write;
use super::anchors::Column;
use super::report_link::{expected, fix};
use crate::rules::{Findings, ReadmeContext};

rule! {
    "report_not_linked.md", Readme(check), Text, Write;
    NotLinked => "the report is named but not linked",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for row in &cx.listing.rows {
        let Some(cell) = row.cell(row.columns.report) else {
            continue;
        };
        if row.link.is_none() && row.file.is_some() {
            let line = expected(row);
            out.at(cx.cell(row, Column::Report), Text::NotLinked)
                .help(Write::Line { line })
                .fix_with(|| fix(cx, row, &cell.text));
        }
    }
}
