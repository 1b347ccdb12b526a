use super::NeedsContext;
use crate::needs::LossKind;
use crate::rules::{Findings, rule};
use gwconform_base::text::message::Message;

rule! {
    "beyond.md", NeedsContext(check), Text;
    Beyond { what: Message } => "{what}, which is not part of the API: no conformance report covers it",
    Replace => "remove it, or use the target implementation's equivalent",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    let losses = cx.losses(LossKind::Beyond);
    for (loss, place) in losses.filter(|(loss, _)| cx.is_lost(loss)) {
        let what = loss.title.clone();
        out.at(place.anchor(), Text::Beyond { what })
            .help(Text::Replace);
    }
}
