use super::{Advice, NeedsContext};
use crate::needs::{LossKind, Lost, Target};
use crate::rules::{Findings, rule};
use gwconform_base::text::letters;
use gwconform_base::text::message::Message;

rule! {
    "uncovered.md", NeedsContext(check), Text, Advice;
    Field { field: Message } => "no test covers {field}, because it belongs to no feature",
    Named { field: Message, name: Message } => "no test covers {field} ({name}), because it belongs to no feature",
    Route { name: Message } => "no test covers {name}, because it belongs to no profile",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    // The rule about channels reports experimental fields.
    let is_standard = cx.to.is_some_and(Target::is_standard);
    let losses = cx.losses(LossKind::Untested);
    for (loss, place) in losses.filter(|(loss, _)| !(is_standard && loss.is_experimental())) {
        let (field, name) = (place.title(), loss.title.clone());
        let text = match loss.lost {
            Lost::Field { is_route: true, .. } => Text::Route { name },
            _ if letters(&loss.name) == letters(&place.field) => Text::Field { field },
            _ => Text::Named { field, name },
        };
        out.at(place.anchor(), text).help(Advice::LookUp);
    }
}
