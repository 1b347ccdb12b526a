use crate::rules::{Findings, Remedy, TextContext, rule};
use gwconform_base::text::diagnostic::Fix;
use gwconform_base::text::message::Message;
use gwconform_base::text::source::Span;

rule! {
    "byte_order_mark.md", TextContext(check), Text, Remedy;
    Found => "the file starts with a byte order mark; expected UTF-8 without one",
    SaveWithout => "save the file as UTF-8 without a byte order mark",
}

fn check(cx: &TextContext<'_>, out: &mut Findings) {
    if cx.source.text().starts_with('\u{FEFF}') {
        let mark = Span::new(0, 3);
        out.at(cx.span(mark), Text::Found)
            .help(if cx.is_report {
                Message::from(Remedy::SubmitUnmodified)
            } else {
                Text::SaveWithout.into()
            })
            .fix(Fix::safe("remove the byte order mark").replace(cx.source, mark, ""));
    }
}
