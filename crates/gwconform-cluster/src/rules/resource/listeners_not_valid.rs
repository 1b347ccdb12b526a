use super::{Kind, ResourceContext};
use crate::Value;
use crate::rules::Findings;
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

resource_rule! {
    "listeners_not_valid.md", &[&[Kind::Gateway]], check, Text<'a>;
    Refused { gateway: Message, listener: &'a Message } => "`Accepted` of {gateway} has reason `Accepted`, but {listener} is not accepted; expected reason `ListenersNotValid`",
    Listener => "not accepted here",
    Set => "set the reason to `ListenersNotValid` while a listener is not accepted",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, gateway) in cx.living(&[Kind::Gateway]) {
        let status = cx.cluster.own_status(at);
        let accepted = status.and_then(|status| status.find("Accepted"));
        let accepted = accepted.filter(|found| found.reason() == "Accepted");
        let Some(accepted) = accepted.filter(|_| cx.cluster.is_current(at)) else {
            continue;
        };
        let listeners = cx.cluster.statuses_of(at).iter();
        let listeners = listeners.filter(|status| status.entry.is_some());
        let is_conflicted = |conflicted| conflicted == Some(Value::True);
        let refused: Vec<_> = listeners
            .filter_map(|status| Some((status, status.find("Accepted")?)))
            .filter(|(_, found)| found.value == Some(Value::False))
            .collect();
        let conflicted = refused
            .iter()
            .find(|(status, _)| is_conflicted(status.value("Conflicted")));
        if let Some((status, found)) = conflicted.or(refused.first()) {
            let text = Text::Refused {
                gateway: gateway.title(),
                listener: &status.title,
            };
            let finding = out.at(accepted.reason_place(), text);
            // The API requires the reason only for conflicts.
            if conflicted.is_none() {
                finding.severity = finding.severity.min(Severity::Warning);
            }
            finding
                .label(found.status_place(), Text::Listener)
                .help(Text::Set);
        }
    }
}
