use crate::rules::{Findings, Remedy, TextContext};
use crate::text::message::Message;
use crate::text::source::Span;

rule! {
    "encoding.md", Text(check), Text, Remedy;
    Nul => "the file contains a NUL character, as UTF-16 text does; expected UTF-8",
    Invalid => "invalid UTF-8, so the file was not checked from here on; expected UTF-8",
    SaveAsUtf8 => "save the file as UTF-8",
}

fn check(cx: &TextContext<'_>, out: &mut Findings) {
    let text = cx.source.text();
    let valid = cx.source.valid_len();
    let help = || match cx.is_report {
        true => Message::from(Remedy::SubmitUnmodified),
        false => Text::SaveAsUtf8.into(),
    };
    if let Some(at) = memchr::memchr(0, &text.as_bytes()[..valid]) {
        let nul = Span::new(at, at + 1);
        out.at(cx.span(nul).about("NUL"), Text::Nul).help(help());
    }
    if let Some(bad) = text[valid..].chars().next() {
        let span = Span::new(valid, valid + bad.len_utf8());
        out.at(cx.span(span).about("invalid UTF-8"), Text::Invalid)
            .help(help());
    }
}
