use super::NeedsContext;
use crate::needs::Support;
use crate::rules::{Findings, rule};
use gwconform_base::text::message::Message;

rule! {
    "unsupported.md", NeedsContext(check), Text<'a>;
    Unsupported { field: Message, feature: &'a str, target: &'a str, words: Message } => "{field} needs {feature}, which {target} does not support: {words}",
    Remove => "remove it, or choose an implementation that supports it: `gwconform needs --in TREE` lists them",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    for (need, to, standing) in cx.needs_with(Support::Lacking) {
        for place in need.places(true) {
            let text = Text::Unsupported {
                field: place.title(),
                feature: &need.feature,
                target: &to.name,
                words: standing.words.clone(),
            };
            out.at(place.anchor(), text).help(Text::Remove);
        }
    }
}
