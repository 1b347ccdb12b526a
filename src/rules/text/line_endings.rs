//! `text/line-endings`

use memchr::memmem;

use crate::diagnostic::Fix;
use crate::rules::{Check, Findings, Fixes, Rule, TextContext};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::warning(
    "text/line-endings",
    include_str!("line_endings.md"),
    Check::Text(check),
)
.fixes(Fixes::Safe);

fn check(cx: &TextContext<'_>, out: &mut Findings) {
    let text = cx.source.text();
    let Some(first) = memmem::find(text.as_bytes(), b"\r\n") else {
        return carriage_returns(cx, out);
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
        })
        .fix(with_line_feeds(cx));
}

/// A CR without LF ends a line for readers of YAML and Markdown, and none for most other tools.
fn carriage_returns(cx: &TextContext<'_>, out: &mut Findings) {
    let text = cx.source.text();
    let Some(first) = memchr::memchr(b'\r', text.as_bytes()) else {
        return;
    };
    let alone = memchr::memchr_iter(b'\r', text.as_bytes()).count();
    let all = alone + memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let message = if alone == all {
        "lines end with CR alone, expected LF".to_owned()
    } else {
        format!("{alone} of {all} lines end with CR alone, expected LF")
    };
    out.at(cx.span(Span::new(first, first + 1)), message)
        .help(if cx.is_report {
            "the suite writes LF: submit the file as it was written"
        } else {
            "save the file with LF line endings"
        })
        .fix(with_line_feeds(cx));
}

/// One edit from the first CR to the last: a file with CRLF has as many as it has lines.
fn with_line_feeds(cx: &TextContext<'_>) -> Option<Fix> {
    let text = cx.source.text();
    let first = memchr::memchr(b'\r', text.as_bytes())?;
    let last = memchr::memrchr(b'\r', text.as_bytes())?;
    // The LF of a last CRLF stays where it is.
    let is_last_crlf = text[last + 1..].starts_with('\n');
    let end = last + 1 + usize::from(is_last_crlf);
    let lines = text[first..end].replace("\r\n", "\n").replace('\r', "\n");
    Fix::safe("end the lines with LF").replace(cx.source, Span::new(first, end), lines)
}
