use std::collections::BTreeMap;

use super::anchors;
use super::cells::Column;
use crate::rules::{Findings, ReadmeContext, rule};
use gwconform_base::text::diagnostic::Anchor;

rule! {
    "row_repeated.md", ReadmeContext(check), Text<'a>;
    Twice { file: &'a str } => "{file} is listed twice; expected one row for each report",
    First => "first listed here",
    LinkOther { path: String } => "link {path}, which is not listed, or remove this row",
    RemoveOne => "remove one of the rows, or link another report",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let unlisted: Vec<&str> = cx.listing.unlisted().take(2).collect();
    let mut first: BTreeMap<&str, _> = BTreeMap::new();
    for row in &cx.listing.rows {
        let Some(file) = row.file.as_deref() else {
            continue;
        };
        let Some(&other) = first.get(file) else {
            first.insert(file, row.row.span);
            continue;
        };
        let anchor = Anchor {
            subject: anchors::row(row),
            ..cx.cell(row, Column::Report)
        };
        let finding = out.at(anchor, Text::Twice { file });
        finding.label(cx.place(other), Text::First);
        let is_same = cx.source.slice(other) == cx.source.slice(row.row.span);
        finding.fix_with(|| {
            is_same.then(|| cx.without_row("remove the row, which is there twice", row.row.span))?
        });
        match unlisted.as_slice() {
            [only] => finding.help(Text::LinkOther {
                path: format!("./{only}"),
            }),
            _ => finding.help(Text::RemoveOne),
        };
    }
}
