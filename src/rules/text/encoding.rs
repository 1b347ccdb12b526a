//! `text/encoding`

use crate::rules::{Check, Findings, Rule, TextContext};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::error(
    "text/encoding",
    include_str!("encoding.md"),
    Check::Text(check),
);

fn check(cx: &TextContext<'_>, out: &mut Findings) {
    let text = cx.source.text();
    let valid = cx.source.valid_len();
    if let Some(nul) = memchr::memchr(0, &text.as_bytes()[..valid]) {
        out.at(
            cx.span(Span::new(nul, nul + 1)),
            "the file holds a NUL character",
        )
        .help(if cx.is_report {
            "was it saved as UTF-16? The suite writes UTF-8: submit the file as it was written"
        } else {
            "a text file has none; was it saved as UTF-16? Save it as UTF-8"
        });
    }
    if let Some(bad) = text[valid..].chars().next() {
        let span = Span::new(valid, valid + bad.len_utf8());
        out.at(cx.span(span), "this is not UTF-8")
            .help(if cx.is_report {
                "the suite writes UTF-8: submit the file as it was written; what follows was not checked"
            } else {
                "save the file as UTF-8; what follows was not checked"
            });
    }
}
