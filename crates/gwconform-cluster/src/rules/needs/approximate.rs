use super::NeedsContext;
use crate::needs::LossKind;
use crate::rules::{Findings, rule};
use gwconform_base::text::message::Message;

rule! {
    "approximate.md", NeedsContext(check), Text;
    Differs { what: Message } => "approximate equivalent of {what}",
    Check => "check that the difference does not matter before you migrate",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    for (loss, place) in cx.losses(LossKind::Approximate) {
        let what = loss.title.clone();
        out.at(place.anchor(), Text::Differs { what })
            .help(Text::Check);
    }
}
