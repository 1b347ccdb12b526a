use super::{Advice, NeedsContext};
use crate::needs::Support;
use crate::rules::{Findings, rule};
use gwconform_base::text::message::Message;

rule! {
    "not_stated.md", NeedsContext(check), Text<'a>, Advice;
    NotStated { field: Message, feature: &'a str, target: &'a str, words: Message } => "{field} needs {feature}, but the report of {target} does not mention it: {words}",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    for (need, to, standing) in cx.needs_with(Support::Unknown) {
        for place in need.places(true) {
            let text = Text::NotStated {
                field: place.title(),
                feature: &need.feature,
                target: &to.name,
                words: standing.words.clone(),
            };
            out.at(place.anchor(), text).help(Advice::Try);
        }
    }
}
