use memchr::memmem;

use crate::rules::{Findings, Remedy, TextContext, rule};
use gwconform_base::text::message::Message;
use gwconform_base::text::source::Span;

rule! {
    "conflict_marker.md", TextContext(check), Text, Remedy;
    Found => "unresolved merge conflict",
    Resolve => "resolve the conflict and remove its markers",
}

/// `=======` is omitted, because it also underlines Markdown headings.
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
            let marker = cx.span(span).about(line.trim_end());
            out.at(marker, Text::Found).help(if cx.is_report {
                Message::from(Remedy::SubmitUnmodified)
            } else {
                Text::Resolve.into()
            });
        }
        start += line.len();
    }
}
