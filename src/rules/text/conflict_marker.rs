//! `text/conflict-marker`

use memchr::memmem;

use crate::rules::{Check, Findings, Rule, TextContext};
use crate::source::Span;

/// The rule.
pub static RULE: Rule = Rule::error(
    "text/conflict-marker",
    include_str!("conflict_marker.md"),
    Check::Text(check),
);

/// What git writes at the start of a line, and nothing else does: seven times one character, then a
/// space. The `=======` between the sides is left out, since it underlines headings in Markdown.
const MARKERS: [&str; 3] = ["<<<<<<< ", "||||||| ", ">>>>>>> "];

fn check(cx: &TextContext<'_>, out: &mut Findings) {
    let text = cx.source.text().as_bytes();
    if !MARKERS
        .iter()
        .any(|marker| memmem::find(text, marker.as_bytes()).is_some())
    {
        return;
    }
    let mut start = 0;
    for line in cx.source.text().split_inclusive('\n') {
        if MARKERS.iter().any(|marker| line.starts_with(marker)) {
            let span = Span::new(start, start + line.trim_end().len());
            out.at(cx.span(span), "a merge conflict was left in the file")
                .help(if cx.is_report {
                    "submit the file as the suite wrote it"
                } else {
                    "resolve it, and remove git's marks"
                });
        }
        start += line.len();
    }
}
