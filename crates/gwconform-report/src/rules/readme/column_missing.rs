use crate::rules::{Findings, ReadmeContext, rule};
use crate::tree::readme::Columns;
use gwconform_base::text::message::Message;

rule! {
    "column_missing.md", ReadmeContext(check), Text;
    Column { name: &'static str } => "column {name} is missing from the table of contents",
    Columns { names: Message } => "columns {names} are missing from the table of contents",
    WriteHeader { header: String } => "write the header as {header}",
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
