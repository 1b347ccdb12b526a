use std::collections::BTreeSet;

use crate::rules::{Findings, ReadmeContext, rule};
use gwconform_base::text::source::Span;

rule! {
    "placeholder.md", ReadmeContext(check), Text;
    Leftover => "placeholder text from the template",
    Replace => "replace it with your own text, or remove it",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    // Nested sections contain the same placeholder.
    let sections = cx.readme.sections.iter();
    let found: BTreeSet<_> = sections.filter_map(|section| section.placeholder).collect();
    for span in found {
        let is_in = |own: Span| own.start <= span.start && span.end <= own.end;
        let section = cx
            .readme
            .sections
            .iter()
            .position(|section| is_in(section.own));
        let heading = section.map_or("", |section| cx.heading_text(section));
        let subject = format!("section {heading}: {}", cx.source.slice(span));
        out.at(cx.about(span, subject), Text::Leftover)
            .help(Text::Replace);
    }
}
