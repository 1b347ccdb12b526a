use crate::rules::{Findings, ReadmeContext};

rule! {
    "surplus_cells.md", Readme(check), Text;
    Surplus => "the row has more cells than the table has columns, so this part is not displayed",
    Remove => "remove it, or write a pipe within a cell as `\\|`",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    for row in &cx.listing.rows {
        let (Some(first), Some(last)) = (row.row.surplus.first(), row.row.surplus.last()) else {
            continue;
        };
        let mut surplus = *first;
        surplus.end = last.end;
        if cx.source.slice(surplus).trim().is_empty() {
            continue;
        }
        out.at(cx.row(row, surplus), Text::Surplus)
            .help(Text::Remove);
    }
}
