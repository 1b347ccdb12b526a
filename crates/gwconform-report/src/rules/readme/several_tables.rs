use crate::rules::{Findings, ReadmeContext, rule};

rule! {
    "several_tables.md", ReadmeContext(check), Text;
    Several => "reports are listed in more than one table; expected one table of contents",
    Contents => "table of contents",
    MoveRows => "move all rows into one table",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let Some(table) = cx.listing.contents.table else {
        return;
    };
    let contents = &cx.readme.tables[table];
    for &index in &cx.listing.more_tables {
        let other = &cx.readme.tables[index];
        if contents.rows.is_empty() || other.rows.is_empty() {
            continue;
        }
        let heading = cx.heading_text(other.section);
        let anchor = cx.about(other.header.span, format!("table in section {heading}"));
        out.at(anchor, Text::Several)
            .label(cx.place(contents.header.span), Text::Contents)
            .help(Text::MoveRows);
    }
}
