use super::{Advice, NeedsContext};
use crate::cluster::needs::Uncovered;
use crate::rules::Findings;
use crate::text::letters;
use crate::text::message::Message;

rule! {
    "uncovered.md", Needs(check), Text, Advice;
    Field { field: Message } => "no test covers {field}, because it belongs to no feature",
    Named { field: Message, name: Message } => "no test covers {field} ({name}), because it belongs to no feature",
    Route { name: Message } => "no test covers {name}, because it belongs to no profile",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    let Some(to) = cx.to else { return };
    let is_in_channel = |field: &&Uncovered<'_>| !(field.is_experimental && to.is_standard());
    for uncovered in cx.needs.uncovered.iter().filter(is_in_channel) {
        for place in &uncovered.places.kept {
            let name = Message::words(uncovered.name.clone());
            let field = place.title();
            let text = match letters(&uncovered.name) == letters(&place.field) {
                _ if uncovered.is_route => Text::Route { name },
                true => Text::Field { field },
                false => Text::Named { field, name },
            };
            out.at(place.anchor(), text).help(Advice::LookUp);
        }
    }
}
