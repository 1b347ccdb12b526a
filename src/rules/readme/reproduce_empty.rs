//! `readme/reproduce-empty`

use crate::rules::{Check, Findings, ReadmeContext, Rule};
use crate::text::message::texts;

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/reproduce-empty",
    include_str!("reproduce_empty.md"),
    Check::Readme(check),
)
.not_legacy()
.sources(&[
    "reports README, Reproduce",
    "reports README, Rules exceptions",
])
.related(&["readme/reproduce-missing", "readme/placeholder"])
.texts(&[Text::TEMPLATES]);

texts! {
    enum Text {
        Empty => "the section is empty; expected the steps that reproduce the reports",
        WriteSteps => "write the commands that install the implementation and run the suite, for each version that needs different ones",
    }
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
