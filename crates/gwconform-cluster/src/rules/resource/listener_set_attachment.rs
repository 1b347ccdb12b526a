use std::collections::BTreeMap;

use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{Value, allows, parent_refs};
use gwconform_base::text::message::Message;

resource_rule! {
    "listener_set_attachment.md", &[&[Kind::ListenerSet], &[Kind::Gateway]], check, Text<'a>;
    NotAllowed { set: Message, gateway: Message, namespace: &'a str } => "{set} is accepted, but `allowedListeners` of {gateway} does not allow ListenerSets of namespace {namespace}; expected `Accepted` False with reason `NotAllowed`",
    Allowed { set: Message, gateway: Message } => "`Accepted` of {set} is False with reason `NotAllowed`, but `allowedListeners` of {gateway} allows it",
    Accepted { set: Message, gateway: Message } => "`Accepted` of {set} is False with reason `ParentNotAccepted`, but {gateway} is accepted",
    NotAccepted { set: Message, gateway: Message } => "{set} is accepted, but {gateway} is not; expected `Accepted` False with reason `ParentNotAccepted`",
    Gateway => "this Gateway",
    Accept => "judge the ListenerSet again when its Gateway changes",
    Refuse => "accept a ListenerSet only if its Gateway allows it",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let mut current = BTreeMap::new();
    for (at, set) in cx.living(&[Kind::ListenerSet]) {
        let status = cx.cluster.own_status(at);
        let accepted = status.and_then(|status| status.find("Accepted"));
        let Some((accepted, value)) = accepted.and_then(|found| Some((found, found.value?))) else {
            continue;
        };
        let parent = parent_refs(set).into_iter().next();
        let Some(to) = parent.and_then(|parent| cx.cluster.gateway_of(&parent)) else {
            continue;
        };
        let is_current = |at| cx.cluster.is_current(at);
        if !is_current(at) || !*current.entry(to).or_insert_with(|| is_current(to)) {
            continue;
        }
        let gateway = &cx.cluster.objects[to];
        let namespaces = gateway.at(&["spec", "allowedListeners", "namespaces"]);
        // The default is None.
        let is_allowed = match namespaces.filter(|one| !one.str_at("from").is_empty()) {
            None => Some(false),
            found => allows(found, set, gateway, cx.cluster.namespace(set.namespace)),
        };
        let of_gateway = cx.cluster.own_status(to);
        let of_gateway = of_gateway.and_then(|status| status.value("Accepted"));
        let place = namespaces.map_or_else(|| gateway.place(), |node| node.head());
        let (namespace, set, gateway) = (set.namespace, set.title(), gateway.title());
        let (text, help) = match (value, accepted.reason(), is_allowed, of_gateway) {
            (Value::True, _, Some(false), _) => {
                let text = Text::NotAllowed {
                    set,
                    gateway,
                    namespace,
                };
                (text, Text::Refuse)
            }
            (Value::True, _, _, Some(Value::False)) => {
                (Text::NotAccepted { set, gateway }, Text::Refuse)
            }
            (Value::False, "NotAllowed", Some(true), _) => {
                (Text::Allowed { set, gateway }, Text::Accept)
            }
            (Value::False, "ParentNotAccepted", _, Some(Value::True)) => {
                (Text::Accepted { set, gateway }, Text::Accept)
            }
            _ => continue,
        };
        out.at(accepted.status_place(), text)
            .label(place, Text::Gateway)
            .help(help);
    }
}
