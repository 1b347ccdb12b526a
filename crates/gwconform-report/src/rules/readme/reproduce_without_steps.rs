use crate::rules::{Findings, ReadmeContext, rule};

rule! {
    "reproduce_without_steps.md", ReadmeContext(check), Text;
    NoSteps => "the section contains no command, no numbered step and no path of a workflow",
    WriteSteps => "write the commands that install the implementation and run the suite, or the path of the workflow that does",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let sections = cx.readme.reproduce_sections();
    let bodies = sections.iter().map(|at| &cx.readme.sections[*at]);
    let text = |span| cx.source.slice(span);
    if bodies.clone().any(|section| has_steps(text(section.body))) {
        return;
    }
    // Other rules report empty sections and placeholders.
    let mut filled = bodies.filter(|section| !section.content_is_empty);
    let Some(section) = filled
        .next()
        .filter(|section| section.placeholder.is_none())
    else {
        return;
    };
    let heading = section.heading.and_then(|at| cx.readme.headings.get(at));
    if let Some(heading) = heading {
        let anchor = cx.about(heading.span, format!("section {}", heading.text));
        out.at(anchor, Text::NoSteps).help(Text::WriteSteps);
    }
}

fn has_steps(text: &str) -> bool {
    const CODE: [&str; 4] = ["```", "~~~", "<code", "<pre"];
    let has_code = CODE.iter().any(|code| text.contains(code)) || text.matches('`').count() >= 2;
    has_code || text.contains(".github/workflows/") || text.lines().any(is_step)
}

/// Also accepts an indented code block.
fn is_step(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_whitespace() || c == '>');
    let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < rest.len() && number.starts_with(['.', ')']);
    let is_indented = line.starts_with("    ") || line.starts_with('\t');
    is_numbered || is_indented && !rest.is_empty()
}
