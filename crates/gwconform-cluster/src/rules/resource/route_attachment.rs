use std::collections::BTreeMap;

use super::{Kind, ResourceContext, listeners_with_status};
use crate::rules::Findings;
use crate::{MAX_ITEMS, ParentRef, Refusal, Value, listeners, refusal, takes};
use gwconform_base::text::message::Message;

resource_rule! {
    "route_attachment.md", &[Kind::ROUTES, super::WITH_LISTENERS], check, Text<'a>;
    Section { owner: &'a Message, section: &'a str, gateway: Message } => "{owner} is accepted, but {gateway} has no listener {section}; expected `Accepted` False with reason `NoMatchingParent`",
    Port { owner: &'a Message, port: &'a str, gateway: Message } => "{owner} is accepted, but no such listener of {gateway} has port {port}; expected `Accepted` False with reason `NoMatchingParent`",
    Kind { owner: &'a Message, kind: Message, gateway: Message } => "{owner} is accepted, but no such listener of {gateway} accepts Routes of kind {kind}; expected `Accepted` False with reason `NotAllowedByListeners`",
    Namespace { owner: &'a Message, namespace: &'a str, gateway: Message } => "{owner} is accepted, but no such listener of {gateway} allows Routes of namespace {namespace}; expected `Accepted` False with reason `NotAllowedByListeners`",
    Hostname { owner: &'a Message, gateway: Message } => "{owner} is accepted, but shares no hostname with such a listener of {gateway}; expected `Accepted` False with reason `NoMatchingListenerHostname`",
    Allowed { owner: &'a Message, reason: &'a str, listener: Message } => "{owner} is not accepted with reason {reason}, but {listener} allows it",
    Listener => "this listener",
    Accept => "judge the Route again when a listener changes",
    Refuse => "accept a Route only if a listener it refers to allows it",
}

/// Reasons that concern only the listeners.
const REASONS: [&str; 3] = [
    "NotAllowedByListeners",
    "NoMatchingListenerHostname",
    "NoMatchingParent",
];

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let mut known = BTreeMap::new();
    for (at, route) in cx.living(Kind::ROUTES) {
        for status in cx.cluster.statuses_of(at) {
            let accepted = status.find("Accepted");
            let accepted = accepted.filter(|found| {
                found.value == Some(Value::True)
                    || (found.value == Some(Value::False) && REASONS.contains(&found.reason()))
            });
            let reference = status.entry.and_then(|entry| entry.get("parentRef"));
            let Some((accepted, reference)) = accepted.zip(reference) else {
                continue;
            };
            let parent = ParentRef::read(reference, route);
            let Some(to) = cx.cluster.listening_parent(&parent) else {
                continue;
            };
            let object = &cx.cluster.objects[to];
            // Controllers may not have processed later changes of the Gateway.
            let listeners = known.entry(to).or_insert_with(|| {
                let is_current = cx.cluster.is_current(to);
                let listeners = is_current.then(|| listeners(object));
                listeners.filter(|listeners| (1..=MAX_ITEMS).contains(&listeners.len()))
            });
            let Some(listeners) = listeners else { continue };
            if status.is_outdated(route) {
                continue;
            }
            let namespace = cx.cluster.namespace(route.namespace);
            if accepted.value == Some(Value::False) {
                let own = cx.cluster.own_status(to);
                let is_accepted = own.and_then(|own| own.value("Accepted")) == Some(Value::True);
                let with_status = listeners_with_status(cx, to, object);
                let taking = with_status.iter().find(|(listener, status)| {
                    is_accepted && takes(route, &parent, object, (listener, status), namespace)
                });
                if let Some((listener, taking)) = taking {
                    let text = Text::Allowed {
                        owner: &status.title(),
                        reason: accepted.reason(),
                        listener: taking.title(),
                    };
                    out.at(accepted.reason_place(), text)
                        .label(listener.node.head(), Text::Listener)
                        .help(Text::Accept);
                }
                continue;
            }
            let Some(why) = refusal(route, &parent, object, listeners, namespace) else {
                continue;
            };
            let (owner, gateway) = (&status.title(), object.title());
            let text = match why {
                Refusal::Section => Text::Section {
                    owner,
                    section: parent.section,
                    gateway,
                },
                Refusal::Port => Text::Port {
                    owner,
                    port: parent.port,
                    gateway,
                },
                Refusal::Kind => Text::Kind {
                    owner,
                    kind: route.kind_title(),
                    gateway,
                },
                Refusal::Namespace => Text::Namespace {
                    owner,
                    namespace: route.namespace,
                    gateway,
                },
                Refusal::Hostname => Text::Hostname { owner, gateway },
            };
            out.at(accepted.status_place(), text).help(Text::Refuse);
        }
    }
}
