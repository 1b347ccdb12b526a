//! `needs/implementation-specific`

use super::beyond::is_of_others;
use super::{Advice, NeedsContext};
use crate::rules::{Check, Findings, Rule};
use crate::text::message::{Message, texts};

/// The rule.
pub static RULE: Rule = Rule::info(
    "needs/implementation-specific",
    include_str!("implementation_specific.md"),
    Check::Needs(check),
)
.sources(&["Gateway API, support levels"])
.related(&["needs/beyond"])
.texts(&[Advice::TEMPLATES, Text::TEMPLATES]);

texts! {
    enum Text<'a> {
        Specific { what: Message, target: &'a str } => "{what}: each implementation decides what it means, and the report of {target} does not tell",
    }
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    let Some(to) = cx.to else { return };
    for beyond in cx
        .needs
        .beyond
        .iter()
        .filter(|beyond| !is_of_others(beyond, to))
    {
        for place in &beyond.places.kept {
            let text = Text::Specific {
                what: beyond.title.clone(),
                target: &to.name,
            };
            out.at(place.anchor(), text).help(Advice::LookUp);
        }
    }
}
