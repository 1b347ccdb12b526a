use super::NeedsContext;
use crate::needs::Need;
use crate::rules::{Findings, rule};
use gwconform_base::text::message::Message;

rule! {
    "possibly.md", NeedsContext(check), Text<'a>;
    Possibly { field: Message, feature: &'a str, because: Message } => "{field} possibly needs {feature}: {because}",
    Default { field: Message, feature: &'a str, alternative: Message } => "{field} needs {feature} only by default, and the target does not prove it; the alternative is {alternative}",
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
    for need in cx.needs.certain.iter().filter(|need| is_unproved(cx, need)) {
        let unwritten = need.places(false);
        for place in unwritten.filter(|place| cx.covers(place)) {
            let text = Text::Default {
                field: place.title(),
                feature: &need.feature,
                alternative: Message::words(need.alternative.clone().unwrap_or_default()),
            };
            out.at(place.anchor(), text);
        }
    }
}

/// Whether a target does not prove a feature.
fn is_unproved(cx: &NeedsContext<'_>, need: &Need<'_>) -> bool {
    let feature = need.feature.as_str();
    let mut listed = cx.listed.iter();
    let is_asked = cx.from.is_none_or(|from| from.proves(feature));
    cx.to.is_some_and(|to| is_asked && !to.proves(feature))
        || listed.any(|listed| !listed.features.contains(feature))
}
