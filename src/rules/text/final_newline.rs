//! `text/final-newline`

use crate::diagnostic::Fix;
use crate::rules::{Check, Findings, Fixes, Rule, TextContext};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::warning(
    "text/final-newline",
    include_str!("final_newline.md"),
    Check::Text(check),
)
.fixes(Fixes::Safe);

fn check(cx: &TextContext<'_>, out: &mut Findings) {
    let text = cx.source.text();
    if text.is_empty() || text.ends_with('\n') {
        return;
    }
    let last = text.chars().next_back().map_or(0, char::len_utf8);
    let place = cx.span(Span::new(text.len() - last, text.len()));
    let finding = out.at(place, "the last line does not end with a newline");
    if cx.is_report {
        finding.help("the suite ends a report with one: submit the file as it was written");
    } else {
        let fix = Fix::safe("end the file with a newline");
        finding.help("end the file with a newline").fix(fix.replace(
            cx.source,
            Span::at(text.len()),
            "\n",
        ));
    }
}
