//! `readme/column-missing`

use crate::rules::{Check, Findings, ReadmeContext, Rule};
use crate::text::diagnostic::Severity;
use crate::text::message::{Message, texts};
use crate::tree::readme::Columns;

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/column-missing",
    include_str!("column_missing.md"),
    Check::Readme(check),
)
.legacy(Severity::Warning)
.sources(&["reports README, Table of Contents", "GEP-1709"])
.related(&["readme/table-missing"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text {
        Column { name: &'static str } => "column {name} is missing from the table of contents",
        Columns { names: Message } => "columns {names} are missing from the table of contents",
        WriteHeader { header: String } => "write the header as {header}",
    }
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let contents = &cx.listing.contents;
    let Some(table) = contents.table.map(|table| &cx.readme.tables[table]) else {
        return;
    };
    let missing = contents.columns.missing();
    let message = match missing.as_slice() {
        [] => return,
        [name] => Text::Column { name },
        names => Text::Columns {
            names: Message::list(names.iter().map(Message::code), ", ", " and "),
        },
    };
    let subject = format!("column {}", missing.join(", "));
    let header = format!("| {} |", Columns::NAMES.join(" | "));
    out.at(cx.about(table.header.span, subject), message)
        .help(Text::WriteHeader { header });
}
