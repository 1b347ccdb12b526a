use std::collections::BTreeMap;

use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{Value, allows, parent_refs};
use gwconform_base::text::message::Message;

resource_rule! {
    "listener_set_attachment.md", &[&[Kind::ListenerSet], &[Kind::Gateway]], check, Text<'a>;
    NotAllowed { set: Message, gateway: Message, namespace: &'a str } => "{set} is accepted, but `allowedListeners` of {gateway} does not allow ListenerSets of namespace {namespace}; expected `Accepted` False with reason `NotAllowed`",
    Gateway => "this Gateway",
    Refuse => "accept a ListenerSet only if its Gateway allows it",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let mut current = BTreeMap::new();
    for (at, set) in cx.living(&[Kind::ListenerSet]) {
        let status = cx.cluster.own_status(at);
        let accepted = status.and_then(|status| status.find("Accepted"));
        let Some(accepted) = accepted.filter(|found| found.value == Some(Value::True)) else {
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
        if is_allowed == Some(false) {
            let text = Text::NotAllowed {
                set: set.title(),
                gateway: gateway.title(),
                namespace: set.namespace,
            };
            let place = namespaces.map_or_else(|| gateway.place(), |node| node.head());
            out.at(accepted.status_place(), text)
                .label(place, Text::Gateway)
                .help(Text::Refuse);
        }
    }
}
