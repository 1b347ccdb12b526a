use super::NeedsContext;
use crate::rules::Findings;
use crate::text::message::Message;

rule! {
    "possibly.md", Needs(check), Text<'a>;
    Possibly { field: Message, feature: &'a str, because: Message } => "{field} possibly needs {feature}: {because}",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    for need in &cx.needs.perhaps {
        for place in need.places.kept.iter().filter(|place| cx.covers(place)) {
            let text = Text::Possibly {
                field: place.title(),
                feature: &need.feature,
                because: Message::words(need.because.clone().unwrap_or_default()),
            };
            out.at(place.anchor(), text);
        }
    }
}
