use super::beyond::is_of_others;
use super::{Advice, NeedsContext};
use crate::rules::Findings;
use crate::text::message::Message;

rule! {
    "implementation_specific.md", Needs(check), Text<'a>, Advice;
    Specific { what: Message, target: &'a str } => "{what}: each implementation defines its meaning, and the report of {target} does not cover it",
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
