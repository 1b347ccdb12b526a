//! `readme/reproduce-empty`

use crate::rules::{Check, Findings, ReadmeContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "readme/reproduce-empty",
    include_str!("reproduce_empty.md"),
    Check::Readme(check),
)
.not_legacy();

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
    out.at(
        cx.span(heading.span),
        "nothing stands under this heading, expected the steps that reproduce the reports",
    )
    .help("write the commands that install the implementation and run the suite, for each version that needs its own");
}
