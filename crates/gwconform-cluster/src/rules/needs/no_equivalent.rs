use super::NeedsContext;
use crate::needs::LossKind;
use crate::rules::{Findings, rule};
use gwconform_base::text::message::Message;

rule! {
    "no_equivalent.md", NeedsContext(check), Text;
    Missing { what: Message } => "{what}, which has no equivalent in the API",
    Change => "change the application or its clients so that they do not depend on it",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    for (loss, place) in cx.losses(LossKind::NoEquivalent) {
        let what = loss.title.clone();
        out.at(place.anchor(), Text::Missing { what })
            .help(Text::Change);
    }
}
