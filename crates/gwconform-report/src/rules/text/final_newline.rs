use crate::rules::{Findings, Remedy, TextContext, rule};
use gwconform_base::text::diagnostic::Fix;
use gwconform_base::text::source::Span;

rule! {
    "final_newline.md", TextContext(check), Text, Remedy;
    Missing => "the last line does not end with a newline",
    Add => "end the file with a newline",
}

fn check(cx: &TextContext<'_>, out: &mut Findings) {
    let text = cx.source.text();
    if text.is_empty() || text.ends_with('\n') {
        return;
    }
    let last = text.chars().next_back().map_or(0, char::len_utf8);
    let place = cx.span(Span::new(text.len() - last, text.len()));
    let finding = out.at(place, Text::Missing);
    if cx.is_report {
        finding.help(Remedy::SubmitUnmodified);
    } else {
        let fix = Fix::safe("end the file with a newline");
        let end = Span::at(text.len());
        finding
            .help(Text::Add)
            .fix(fix.replace(cx.source, end, "\n"));
    }
}
