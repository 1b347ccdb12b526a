use crate::rules::{Findings, ReadmeContext, rule};
use crate::tree::readme::says_reproduce;
use gwconform_base::text::diagnostic::Fix;
use gwconform_base::text::source::Span;

rule! {
    "reproduce_missing.md", ReadmeContext(check), Text<'a>;
    Missing => "the README has no section `## Reproduce`",
    Add => "add one with the steps that reproduce the reports: how to install the implementation and run the suite",
    HidesRest => "everything after this comment is hidden",
    NoSpace { marks: &'a str } => "not a heading: a space is missing after {marks}",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    if cx.readme.find_reproduce().is_some() || has_html_heading(cx) || cx.is_empty() {
        return;
    }
    let finding = out.at(
        cx.whole(cx.title()).about("section Reproduce"),
        Text::Missing,
    );
    finding.help(Text::Add);
    if let Some((heading, marks)) = unspaced_heading(cx.source.text()) {
        let fix = Fix::safe("put a space before the heading's text");
        let at = Span::at(heading.start as usize + marks.len());
        finding
            .label(cx.place(heading), Text::NoSpace { marks })
            .fix(fix.replace(cx.source, at, " "));
    }
    if let Some(comment) = cx.readme.unclosed_comment {
        finding.label(cx.place(comment), Text::HidesRest);
    }
}

fn unspaced_heading(text: &str) -> Option<(Span, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').find_map(|line| {
        let at = start;
        start += line.len();
        let line = line.trim_end();
        let title = line.trim_start_matches('#');
        let (marks, is_unspaced) = (
            &line[..line.len() - title.len()],
            title.starts_with(|c: char| c.is_alphabetic()),
        );
        let is_heading = (1..=6).contains(&marks.len()) && is_unspaced && says_reproduce(title);
        is_heading.then(|| (Span::new(at, at + line.len()), marks))
    })
}

/// The Markdown parser ignores HTML headings.
fn has_html_heading(cx: &ReadmeContext<'_>) -> bool {
    cx.readme.html_heading.is_some_and(|heading| {
        let below = &cx.source.text()[heading.start as usize..];
        below.to_ascii_lowercase().contains("reproduc")
    })
}
