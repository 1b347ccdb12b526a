use crate::report::facts::ReportFacts;
use crate::rules::{Findings, ReadmeContext, rule};
use gwconform_base::text::diagnostic::{Fix, Place};
use gwconform_base::text::source::Span;

rule! {
    "title_missing.md", ReadmeContext(check), Text;
    Empty => "the title is empty; expected the name of the implementation",
    WriteTitle => "write `# <name of the implementation>`",
    Missing => "the README has no title",
    StartWithTitle => "start the README with `# <name of the implementation>`",
}

const TITLE: &str = "title";

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    if let Some(title) = cx.readme.title() {
        if title.text.is_empty() {
            let fix = Fix::safe("write the name of the project");
            let fix =
                name(cx).and_then(|name| fix.replace(cx.source, title.block, format!("# {name}")));
            out.at(cx.about(title.block, TITLE), Text::Empty)
                .help(Text::WriteTitle)
                .fix(fix);
        }
        return;
    }
    if cx.is_empty() {
        // Reported by readme/table-missing.
        return;
    }
    let is_html = |heading: Span| cx.source.slice(heading).eq_ignore_ascii_case("<h1");
    if cx.readme.html_heading.is_some_and(is_html) {
        return;
    }
    let anchor = cx.whole(Place::path(cx.source.path())).about(TITLE);
    out.at(anchor, Text::Missing)
        .help(Text::StartWithTitle)
        .fix(name(cx).and_then(|name| {
            let start = if cx.source.text().starts_with('\u{feff}') {
                3
            } else {
                0
            };
            let fix = Fix::safe("write the name of the project above it");
            fix.replace(cx.source, Span::at(start), format!("# {name}\n\n"))
        }));
}

fn name<'a>(cx: &ReadmeContext<'a>) -> Option<&'a str> {
    let mut reports = cx.reports?.iter();
    let name = |report: &'a ReportFacts| Some(report.project.as_ref()?.value.as_str());
    let first = name(reports.next()?)?;
    let are_same = reports.all(|report| name(report) == Some(first));
    let is_text = first
        .chars()
        .all(|c| c.is_alphanumeric() || " -.".contains(c));
    (are_same && is_text && first.starts_with(char::is_alphabetic) && first.len() <= 100)
        .then_some(first)
}
