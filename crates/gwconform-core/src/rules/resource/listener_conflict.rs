use super::{Kind, ResourceContext, listeners_with_status};
use crate::cluster::{Listener, Value};
use crate::rules::Findings;
use crate::text::message::Message;

rule! {
    "listener_conflict.md", Resource(&[&[Kind::Gateway]], check), Text<'a>;
    Accepted { owner: &'a Message, other: &'a str } => "{owner} is accepted, but is not distinct from listener {other}; expected `Conflicted` True and `Accepted` False",
    This => "this listener",
    Other => "and this one",
    Refuse => "set `Conflicted` to True on all listeners that are not distinct, and accept none of them",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, gateway) in cx.living(&[Kind::Gateway]) {
        let listeners = listeners_with_status(cx, at, gateway);
        for (listener, status) in &listeners {
            let accepted = status.find("Accepted");
            let Some(accepted) = accepted.filter(|found| found.value == Some(Value::True)) else {
                continue;
            };
            if status.value("Conflicted") == Some(Value::True) {
                continue;
            }
            let mut others = listeners.iter().map(|(other, _)| other);
            let other =
                others.find(|other| other.name != listener.name && !are_distinct(listener, other));
            if let Some(other) = other {
                let text = Text::Accepted {
                    owner: &status.title,
                    other: other.name,
                };
                out.at(accepted.status_place(), text)
                    .label(listener.node.head(), Text::This)
                    .label(other.node.head(), Text::Other)
                    .help(Text::Refuse);
            }
        }
    }
}

/// For TCP listeners next to HTTP, HTTPS or TLS, the result depends on the implementation.
fn are_distinct(one: &Listener<'_>, other: &Listener<'_>) -> bool {
    if one.port().is_empty() || (one.port(), one.protocol) != (other.port(), other.protocol) {
        return true;
    }
    match one.protocol {
        "TCP" | "UDP" => false,
        "HTTP" | "HTTPS" | "TLS" => !one.hostname().eq_ignore_ascii_case(other.hostname()),
        _ => true,
    }
}
