use super::{Advice, NeedsContext};
use crate::needs::Support;
use crate::rules::{Findings, rule};
use gwconform_base::text::message::Message;

rule! {
    "unproved.md", NeedsContext(check), Text<'a>, Advice;
    Unproved { field: Message, feature: &'a str, target: &'a str, words: Message } => "{field} needs {feature}, which the report of {target} does not prove: {words}",
    Moved { field: Message, feature: &'a str, from: &'a str, target: &'a str, words: Message } => "{field} needs {feature}: {from} proved it, the report of {target} does not: {words}",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    for (need, to, standing) in cx.needs_with(Support::Claimed) {
        for place in need.places(true) {
            let (field, words) = (place.title(), standing.words.clone());
            let (feature, target) = (need.feature.as_str(), to.name.as_str());
            let text = match cx.from {
                Some(from) => Text::Moved {
                    field,
                    feature,
                    from: &from.name,
                    target,
                    words,
                },
                None => Text::Unproved {
                    field,
                    feature,
                    target,
                    words,
                },
            };
            out.at(place.anchor(), text).help(Advice::Try);
        }
    }
}
