use std::collections::BTreeSet;

use super::NeedsContext;
use crate::needs::LossKind;
use crate::rules::{Findings, rule};
use gwconform_base::api::Channel;
use gwconform_base::text::message::Message;

rule! {
    "channel.md", NeedsContext(check), Text<'a>;
    Experimental { field: Message, target: &'a str } => "{field} is only in the experimental channel, and the report of {target} is for the standard channel",
    Choose => "use CRDs and a report of the experimental channel, or remove the field",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    let Some(to) = cx.to else { return };
    if !to.is_standard() {
        return;
    }
    let needs = cx.needs.certain.iter();
    let of_features = needs
        .flat_map(|need| &need.places.kept)
        .filter(|place| place.channel == Channel::Experimental);
    let untested = cx.losses(LossKind::Untested);
    let of_others = untested.filter(|(loss, _)| loss.is_experimental());
    let of_others = of_others.map(|(_, place)| place);
    let mut reported = BTreeSet::new();
    for place in of_features.chain(of_others) {
        if !reported.insert((place.object, place.pointer.as_str())) {
            continue;
        }
        let text = Text::Experimental {
            field: place.title(),
            target: &to.name,
        };
        out.at(place.anchor(), text).help(Text::Choose);
    }
}
