//! `text/byte-order-mark`

use crate::diagnostic::{Fix, Severity};
use crate::rules::{Check, Findings, Fixes, Rule, TextContext};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule {
    id: "text/byte-order-mark",
    severity: Severity::Warning,
    legacy: Some(Severity::Warning),
    strict: false,
    fixes: Some(Fixes::Safe),
    doc: include_str!("byte_order_mark.md"),
    check: Check::Text(check),
};

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
