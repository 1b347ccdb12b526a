//! `readme/unclosed-comment`

use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/unclosed-comment",
    include_str!("unclosed_comment.md"),
    Check::Readme(check),
);

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let Some(comment) = cx.readme.unclosed_comment else {
        return;
    };
    let mut start = comment;
    start.end = start.end.min(start.start + 4);
    out.at(
        cx.span(start),
        "the comment that begins here does not end: nothing after it is shown",
    )
    .help("end it with -->");
}
