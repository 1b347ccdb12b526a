use super::NeedsContext;
use crate::cluster::needs::{Need, Support};
use crate::rules::Findings;
use crate::text::message::Message;

rule! {
    "possibly.md", Needs(check), Text<'a>;
    Possibly { field: Message, feature: &'a str, because: Message } => "{field} possibly needs {feature}: {because}",
    Default { field: Message, feature: &'a str, alternative: Message } => "{field} needs {feature} only by default, and the target does not prove it; the alternative is {alternative}",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    let defaults = cx.needs.certain.iter().filter(|need| is_unproved(cx, need));
    for need in cx.needs.perhaps.iter().chain(defaults) {
        let feature = need.feature.as_str();
        for place in need.places.kept.iter().filter(|place| cx.covers(place)) {
            let field = place.title();
            let text = match (&need.alternative, &need.because) {
                (Some(alternative), _) => Text::Default {
                    field,
                    feature,
                    alternative: Message::words(alternative.clone()),
                },
                (None, because) => Text::Possibly {
                    field,
                    feature,
                    because: Message::words(because.clone().unwrap_or_default()),
                },
            };
            out.at(place.anchor(), text);
        }
    }
}

/// Whether a target does not prove a feature that the user did not write.
fn is_unproved(cx: &NeedsContext<'_>, need: &Need<'_>) -> bool {
    let feature = need.feature.as_str();
    let is_unproved = |support| support != Some(Support::Proved);
    let mut listed = cx.listed.iter();
    need.alternative.is_some()
        && (cx.to.is_some_and(|to| is_unproved(to.support(feature)))
            || listed.any(|listed| !listed.features.contains(feature)))
}
