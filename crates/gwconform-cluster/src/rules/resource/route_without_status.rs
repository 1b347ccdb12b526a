use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{ParentRef, Value, parent_refs};
use gwconform_base::text::message::Message;

resource_rule! {
    "route_without_status.md", &[Kind::ROUTES, &[Kind::Gateway], &[Kind::GatewayClass]], check, Text<'a>;
    Missing { route: Message, gateway: Message, controller: &'a str } => "{route} attaches to {gateway}, but its status has no parent with controller {controller}",
    Add => "add a parent for each `parentRef`, with this controller and the same `parentRef`",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    if cx.cluster.is_partial() {
        return;
    }
    let mut gateways = BTreeMap::new();
    for (at, route) in cx.living(Kind::ROUTES) {
        let parents = parent_refs(route);
        let named: BTreeSet<_> = parents.iter().map(ParentRef::key).collect();
        let (mut entries, mut found) = (BTreeSet::new(), BTreeSet::new());
        let statuses = cx.cluster.statuses_of(at).iter();
        for entry in statuses.filter_map(|status| status.entry) {
            let Some(reference) = entry.get("parentRef") else {
                continue;
            };
            let controller = entry.str_at("controllerName");
            let parent = ParentRef::read(reference, route);
            if named.contains(&parent.key()) {
                _ = entries.insert((controller, parent.key()));
            } else {
                _ = found.insert((controller, parent.object()));
            }
        }
        for parent in parents {
            let Some(at) = cx.cluster.gateway_of(&parent) else {
                continue;
            };
            let gateway = gateways
                .entry(at)
                .or_insert_with(|| GatewayState::new(cx, at));
            let Some(controller) = gateway.controller else {
                continue;
            };
            let has_status = entries.contains(&(controller, parent.key()))
                || found.contains(&(controller, parent.object()));
            if !gateway.takes(route.kind_name) || has_status {
                continue;
            }
            out.at(
                parent.node.head(),
                Text::Missing {
                    route: route.title(),
                    gateway: cx.cluster.objects[at].title(),
                    controller,
                },
            )
            .help(Text::Add);
        }
    }
}

struct GatewayState<'a> {
    controller: Option<&'a str>,
    /// Route kinds that listeners report. Empty if no listener reports kinds.
    kinds: BTreeSet<&'a str>,
}

impl<'a> GatewayState<'a> {
    fn new(cx: &ResourceContext<'a>, at: usize) -> Self {
        let gateway = &cx.cluster.objects[at];
        let is_accepted = cx
            .cluster
            .own_status(at)
            .is_some_and(|status| status.value("Accepted") == Some(Value::True));
        let class = cx.cluster.class_of(gateway).and_then(|(_, index)| index);
        let controller = class.and_then(|class| cx.cluster.controller(class));
        let listeners = cx
            .cluster
            .statuses_of(at)
            .iter()
            .filter_map(|status| status.entry);
        let kinds = listeners.flat_map(|entry| entry.items_at("supportedKinds"));
        Self {
            controller: controller
                .filter(|_| is_accepted && !gateway.is_deleted)
                .map(|name| name.value),
            kinds: kinds.map(|kind| kind.str_at("kind")).collect(),
        }
    }

    fn takes(&self, kind: &str) -> bool {
        self.kinds.is_empty() || self.kinds.contains(kind)
    }
}
