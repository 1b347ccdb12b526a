//! `readme/html-table`

use super::anchors::TABLE_OF_CONTENTS;
use crate::rules::{Check, Findings, ReadmeContext, Rule};
use crate::text::message::texts;

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/html-table",
    include_str!("html_table.md"),
    Check::Readme(check),
)
.related(&["readme/table-missing"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text {
        Html => "the table of contents is an HTML table, whose rows are not checked; expected a Markdown table",
        WriteMarkdown => "write it as a Markdown table, with pipes between the cells",
    }
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
