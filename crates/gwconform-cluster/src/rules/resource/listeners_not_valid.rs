use super::{Kind, ResourceContext, listeners_with_status};
use crate::rules::Findings;
use crate::{Status, Value};
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

resource_rule! {
    "listeners_not_valid.md", &[&[Kind::Gateway]], check, Text<'a>;
    Refused { gateway: Message, listener: &'a Message } => "`Accepted` of {gateway} has reason `Accepted`, but {listener} is not accepted; expected reason `ListenersNotValid`",
    AllValid { gateway: Message } => "`Accepted` of {gateway} has reason `ListenersNotValid`, but all its listeners are accepted, programmed and resolved",
    Listener => "not accepted here",
    Set => "set the reason to `ListenersNotValid` while a listener is not accepted",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, gateway) in cx.living(&[Kind::Gateway]) {
        let status = cx.cluster.own_status(at);
        let accepted = status.and_then(|status| status.find("Accepted"));
        let reasons = ["Accepted", "ListenersNotValid"];
        let accepted = accepted.filter(|found| reasons.contains(&found.reason()));
        let Some(accepted) = accepted.filter(|_| cx.cluster.is_current(at)) else {
            continue;
        };
        let listeners = cx.cluster.statuses_of(at).iter();
        let listeners = listeners.filter(|status| status.entry.is_some());
        if accepted.reason() == "ListenersNotValid" {
            // The reason can concern listeners of ListenerSets.
            let has_sets = gateway.at(&["spec", "allowedListeners"]).is_some();
            let valid = listeners_with_status(cx, at, gateway);
            let valid = valid.iter().filter(|(_, status)| is_valid(status)).count();
            if valid == crate::listeners(gateway).len() && !has_sets {
                let gateway = gateway.title();
                out.at(accepted.reason_place(), Text::AllValid { gateway });
            }
            continue;
        }
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
                listener: &status.title(),
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

fn is_valid(status: &Status<'_>) -> bool {
    let names = ["Accepted", "Programmed", "ResolvedRefs"];
    names
        .iter()
        .all(|name| status.value(name) == Some(Value::True))
        && status.value("Conflicted") != Some(Value::True)
}
