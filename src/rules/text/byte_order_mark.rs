//! `text/byte-order-mark`

use crate::diagnostic::Fix;
use crate::rules::{Check, Findings, Fixes, Rule, TextContext};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::warning(
    "text/byte-order-mark",
    include_str!("byte_order_mark.md"),
    Check::Text(check),
)
.fixes(Fixes::Safe);

fn check(cx: &TextContext<'_>, out: &mut Findings) {
    if cx.source.text().starts_with('\u{FEFF}') {
        out.at(
            cx.span(Span::new(0, 3)),
            "the file starts with a byte order mark",
        )
        .help(if cx.is_report {
            "the suite writes none: submit the file as it was written"
        } else {
            "save it as UTF-8 without a byte order mark"
        })
        .fix(Fix::safe("remove the byte order mark").replace(cx.source, Span::new(0, 3), ""));
    }
}
