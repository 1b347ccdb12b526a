use super::anchors::TABLE_OF_CONTENTS;
use crate::rules::{Findings, ReadmeContext};

rule! {
    "html_table.md", Readme(check), Text;
    Html => "the table of contents is an HTML table; expected a Markdown table, because HTML rows are not checked",
    WriteMarkdown => "write it as a Markdown table, with pipes between the cells",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let Some(html) = cx.readme.html_table else {
        return;
    };
    if cx.listing.contents.table.is_some() {
        return;
    }
    out.at(cx.about(html, TABLE_OF_CONTENTS), Text::Html)
        .help(Text::WriteMarkdown);
}
