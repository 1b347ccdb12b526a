//! `text/line-endings`

use memchr::memmem;

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, Rule, TextContext};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule {
    id: "text/line-endings",
    severity: Severity::Warning,
    legacy: Some(Severity::Warning),
    strict: false,
    doc: include_str!("line_endings.md"),
    check: Check::Text(check),
};

fn check(cx: &TextContext<'_>, out: &mut Findings) {
    let text = cx.source.text();
    let Some(first) = memmem::find(text.as_bytes(), b"\r\n") else {
        return;
    };
    let windows = text.matches("\r\n").count();
    let all = text.matches('\n').count();
    let place = cx.span(Span::new(first, first + 1));
    let message = if windows == all {
        "lines end with CRLF, expected LF".to_owned()
    } else {
        format!("{windows} of {all} lines end with CRLF, expected LF")
    };
    out.at(place, message)
        .help(if cx.is_report {
            "the suite writes LF: submit the file as it was written; git turns lines around unless .gitattributes says `* text=auto eol=lf`"
        } else {
            "save the file with LF line endings; git does so with `* text=auto eol=lf` in .gitattributes"
        });
}
