use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{Value, parent_refs};
use gwconform_base::text::message::Message;

resource_rule! {
    "attached_listener_sets.md", &[&[Kind::Gateway], &[Kind::ListenerSet]], check, Text;
    Count { gateway: Message, stated: i64, accepted: i64 } => "`attachedListenerSets` of {gateway} is {stated}; expected {accepted}, the number of accepted ListenerSets in the input that refer to it",
    Recount => "count the ListenerSets that refer to the Gateway and have `Accepted` True",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    if cx.cluster.is_partial() {
        return;
    }
    let mut accepted: BTreeMap<usize, i64> = BTreeMap::new();
    let mut undecided = BTreeSet::new();
    let mut namespaces = BTreeSet::new();
    for (at, set) in cx.cluster.of(&[Kind::ListenerSet]) {
        namespaces.insert(set.namespace);
        let parents = parent_refs(set).into_iter().take(1);
        for gateway in parents.filter_map(|parent| cx.cluster.gateway_of(&parent)) {
            let status = cx.cluster.own_status(at);
            let value = status.and_then(|status| status.value("Accepted"));
            match value.filter(|_| cx.cluster.is_current(at)) {
                Some(Value::True) => *accepted.entry(gateway).or_default() += 1,
                Some(Value::False) => {}
                _ => _ = undecided.insert(gateway),
            }
        }
    }
    let is_listed = cx.cluster.is_listed(Kind::ListenerSet) || namespaces.len() > 1;
    for (at, gateway) in cx.living(&[Kind::Gateway]) {
        let status = gateway.at(&["status"]);
        let Some((stated, node)) =
            status.and_then(|status| status.number_at("attachedListenerSets"))
        else {
            continue;
        };
        let accepted = accepted.get(&at).copied().unwrap_or_default();
        let is_wrong = stated < accepted || (is_listed && stated > accepted);
        if is_wrong && cx.cluster.is_current(at) && !undecided.contains(&at) {
            let text = Text::Count {
                gateway: gateway.title(),
                stated,
                accepted,
            };
            let value = format!("{stated}/{accepted}");
            out.at(node.place().with_value(&value), text)
                .help(Text::Recount);
        }
    }
}
