//! `needs/uncovered`

use super::{Advice, NeedsContext};
use crate::message::{Message, texts};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::info(
    "needs/uncovered",
    include_str!("uncovered.md"),
    Check::Needs(check),
)
.sources(&["GEP-2162"])
.related(&["needs/not-stated"])
.texts(&[Advice::TEMPLATES, Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        Uncovered { field: Message, name: &'a str } => "no test shows who supports {field} ({name}): no feature covers it",
    }
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    if cx.to.is_none() {
        return;
    }
    for uncovered in &cx.needs.uncovered {
        for place in &uncovered.places.kept {
            let text = Text::Uncovered {
                field: place.title(),
                name: &uncovered.name,
            };
            out.at(place.anchor(), text).help(Advice::LookUp);
        }
    }
}
