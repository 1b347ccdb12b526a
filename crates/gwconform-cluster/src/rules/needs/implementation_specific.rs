use super::{Advice, NeedsContext};
use crate::needs::LossKind;
use crate::rules::{Findings, rule};
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

rule! {
    "implementation_specific.md", NeedsContext(check), Text, Advice;
    Specific { what: Message } => "{what}: each implementation defines its meaning, and no conformance report covers it",
    Own { what: Message } => "{what}: a setting of the target implementation, which no conformance report covers",
}

fn check(cx: &NeedsContext<'_>, out: &mut Findings) {
    let losses = cx.losses(LossKind::Beyond);
    for (loss, place) in losses.filter(|(loss, _)| !cx.is_lost(loss)) {
        let what = loss.title.clone();
        if cx.is_owned(loss) {
            let finding = out.at(place.anchor(), Text::Own { what });
            finding.severity = finding.severity.min(Severity::Info);
        } else {
            out.at(place.anchor(), Text::Specific { what })
                .help(Advice::LookUp);
        }
    }
}
