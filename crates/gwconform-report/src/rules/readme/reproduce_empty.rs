use crate::rules::{Findings, ReadmeContext, rule};

rule! {
    "reproduce_empty.md", ReadmeContext(check), Text;
    Empty => "the section is empty; expected the steps that reproduce the reports",
    WriteSteps => "write the commands that install the implementation and run the suite, for each version with different commands",
}

fn check(cx: &ReadmeContext<'_>, out: &mut Findings) {
    let Some(section) = cx.readme.find_reproduce() else {
        return;
    };
    if !cx.readme.sections[section].content_is_empty {
        return;
    }
    let Some(heading) = cx.readme.heading_of(section) else {
        return;
    };
    let anchor = cx.about(heading.span, format!("section {}", heading.text));
    out.at(anchor, Text::Empty).help(Text::WriteSteps);
}
