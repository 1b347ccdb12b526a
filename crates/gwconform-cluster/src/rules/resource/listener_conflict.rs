use std::collections::BTreeMap;

use super::{Kind, ResourceContext, WITH_LISTENERS, listeners_with_status};
use crate::rules::Findings;
use crate::{Listener, Value, listeners, parent_refs};
use gwconform_base::text::message::Message;

resource_rule! {
    "listener_conflict.md", &[&[Kind::Gateway]], check, Text<'a>;
    Accepted { owner: &'a Message, other: &'a str } => "{owner} is accepted, but is not distinct from listener {other}; expected `Conflicted` True and `Accepted` False",
    Merged { owner: &'a Message, other: Message } => "{owner} is accepted, but is not distinct from {other}, which is accepted too; expected `Conflicted` True and `Accepted` False for one of them",
    Alone { owner: &'a Message, port: &'a str } => "`Conflicted` of {owner} is True, but no other listener has port {port}",
    Clear => "set `Conflicted` to False when the other listener is gone",
    Precede => "accept the listener of the Gateway first, then that of the oldest ListenerSet",
    This => "this listener",
    Other => "and this one",
    Refuse => "set `Conflicted` to True on all listeners that are not distinct, and accept none of them",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    across_sets(cx, out);
    alone(cx, out);
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
                    owner: &status.title(),
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

/// Some implementations merge Gateways, so listeners of all Gateways count.
fn alone(cx: &ResourceContext<'_>, out: &mut Findings) {
    let mut counts = BTreeMap::new();
    for (_, owner) in cx.cluster.of(WITH_LISTENERS) {
        for listener in listeners(owner) {
            *counts.entry(listener.port()).or_insert(0) += 1;
        }
    }
    let are_sets_listed = cx.cluster.is_listed(Kind::ListenerSet);
    for (at, gateway) in cx.living(&[Kind::Gateway]) {
        if gateway.at(&["spec", "allowedListeners"]).is_some() && !are_sets_listed {
            continue;
        }
        for (listener, status) in listeners_with_status(cx, at, gateway) {
            let conflicted = status.find("Conflicted");
            let conflicted = conflicted.filter(|found| found.value == Some(Value::True));
            let port = listener.port();
            if let Some(conflicted) = conflicted
                && counts.get(port) == Some(&1)
                && !["", "0"].contains(&port)
            {
                let owner = &status.title();
                out.at(conflicted.status_place(), Text::Alone { owner, port })
                    .label(listener.node.head(), Text::This)
                    .help(Text::Clear);
            }
        }
    }
}

/// Gateways precede ListenerSets, so only listeners of ListenerSets are reported.
fn across_sets(cx: &ResourceContext<'_>, out: &mut Findings) {
    let mut first = BTreeMap::new();
    for (at, owner) in cx.living(WITH_LISTENERS) {
        let is_set = owner.kind == Some(Kind::ListenerSet);
        let gateway = if is_set {
            parent_refs(owner)
                .first()
                .and_then(|parent| cx.cluster.gateway_of(parent))
        } else {
            Some(at)
        };
        let Some(gateway) = gateway else { continue };
        for (listener, status) in listeners_with_status(cx, at, owner) {
            let accepted = status.find("Accepted");
            let accepted = accepted.filter(|found| found.value == Some(Value::True));
            let (Some(accepted), Some(key)) = (accepted, indistinct_key(&listener)) else {
                continue;
            };
            if status.value("Conflicted") == Some(Value::True) {
                continue;
            }
            let (other_at, other) = first
                .entry((gateway, key))
                .or_insert_with(|| (at, (listener.node, status)));
            if is_set && *other_at != at {
                let text = Text::Merged {
                    owner: &status.title(),
                    other: other.1.title(),
                };
                out.at(accepted.status_place(), text)
                    .label(listener.node.head(), Text::This)
                    .label(other.0.head(), Text::Other)
                    .help(Text::Precede);
            }
        }
    }
}

/// Fields that distinguish listeners. `None` if the result depends on the implementation.
fn indistinct_key<'a>(listener: &Listener<'a>) -> Option<(&'a str, &'a str, String)> {
    let hostname = match listener.protocol {
        "TCP" | "UDP" => String::new(),
        "HTTP" | "HTTPS" | "TLS" => listener.hostname().to_ascii_lowercase(),
        _ => return None,
    };
    // Port 0 lets the implementation choose the port.
    let is_fixed = !["", "0"].contains(&listener.port());
    is_fixed.then_some((listener.port(), listener.protocol, hostname))
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
