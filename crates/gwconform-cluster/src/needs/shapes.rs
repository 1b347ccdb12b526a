//! Detects features that depend on a combination of values.

use std::collections::{HashMap, HashSet};

use super::Place;
use super::collector::{Certainty, Collector, Port, Ports, Routed, RuleTarget};
use super::families::{Families, Parents};
use super::walk::Part::{self, Item, Name};
use crate::{Cluster, Kind, Listener, Node, Object, Text, is_gateway_api};
use gwconform_base::api::Channel;
use gwconform_base::release::{How, Shape};
use gwconform_base::text::message::Message;

pub(super) fn add<'a>(
    collector: &mut Collector<'_, 'a>,
    cluster: &Cluster<'a>,
    at: usize,
    parents: &Parents,
) {
    let object = &cluster.objects[at];
    let listeners: Vec<Listener<'a>> = match object.kind_name {
        "Gateway" | "ListenerSet" | "XListenerSet" => crate::listeners(object),
        "TCPRoute" => return on_tls_listeners(collector, cluster, at),
        "GRPCRoute" | "HTTPRoute" | "TLSRoute" => Vec::new(),
        _ => return,
    };
    if object.kind_name == "HTTPRoute" {
        app_protocols(collector, cluster, object, parents.all);
    }
    let routed = collector.routed.get(&at).copied().unwrap_or_default();
    for (name, entry) in &collector.registry.needs().features {
        let Some(shape) = entry.shape else { continue };
        let certainty = match entry.how {
            How::Perhaps => Certainty::Perhaps,
            _ => Certainty::Certain,
        };
        let mut found = |certainty, place: Place<'a>| {
            let channel = Channel::Standard;
            collector.feature(name, certainty, (parents.all, channel), || place.clone());
        };
        match (shape, object.kind_name) {
            (Shape::TwoMirrors, "HTTPRoute") => {
                two_mirrors(object, at, &mut |place| found(certainty, place));
            }
            (Shape::TlsTerminate, "TLSRoute") => {
                unknown_gateway(object, cluster, at, &mut |place| {
                    found(Certainty::Perhaps, place);
                });
            }
            (Shape::TlsTerminate, _) => {
                for (nth, listener) in listeners.iter().enumerate() {
                    if listener.protocol == "TLS" && listener.terminates_tls() {
                        let certainty = match for_tls_routes(listener, routed) {
                            Some(true) => certainty,
                            Some(false) => continue,
                            None => Certainty::Perhaps,
                        };
                        found(certainty, of_listener(listener, nth, at, None));
                    }
                }
            }
            (Shape::TargetedRule, "HTTPRoute" | "GRPCRoute")
                if name.starts_with(object.kind_name) =>
            {
                for place in targeted_rules(object, at, &collector.targets) {
                    collector.feature(
                        name,
                        Certainty::Certain,
                        (parents.all, Channel::Standard),
                        || place.clone(),
                    );
                }
            }
            _ => {}
        }
    }
}

/// Rules that policies of the input target.
pub(super) fn rule_targets<'a>(cluster: &Cluster<'a>) -> HashSet<RuleTarget<'a>> {
    let policies = cluster.objects.iter().filter(|object| !object.is_route());
    let targets = policies.flat_map(|policy| {
        let namespace = match policy.namespace {
            "" => "default",
            namespace => namespace,
        };
        let targets = policy.targets();
        targets.map(move |target| {
            let text = |name| target.str_at(name);
            (text("kind"), namespace, text("name"), text("sectionName"))
        })
    });
    targets.filter(|target| !target.3.is_empty()).collect()
}

fn targeted_rules<'a>(
    route: &Object<'a>,
    at: usize,
    targets: &HashSet<RuleTarget<'a>>,
) -> Vec<Place<'a>> {
    let rules = route.items(&["spec", "rules"]).enumerate();
    let named = rules.filter_map(|(nth, rule)| Some((nth, rule.text_at("name")?)));
    let targeted = named.filter(|(_, name)| {
        targets.contains(&(route.kind_name, route.namespace, route.name(), name.value))
    });
    let place = |(nth, name): (usize, Text<'a>)| {
        let trail = [Name("spec"), Name("rules"), Item(nth), Name("name")];
        Place::at(name.node, at, &trail)
    };
    targeted.map(place).collect()
}

fn two_mirrors<'a>(route: &Object<'a>, at: usize, found: &mut dyn FnMut(Place<'a>)) {
    for (rule_at, rule) in route.items(&["spec", "rules"]).enumerate() {
        let filters = rule.items_at("filters").enumerate();
        let mut mirrors = filters
            .filter_map(|(nth, filter)| Some((nth, filter.text_at("type")?)))
            .filter(|(_, kind)| kind.value == "RequestMirror");
        if let Some((nth, kind)) = mirrors.nth(1) {
            let trail = [
                Name("spec"),
                Name("rules"),
                Item(rule_at),
                Name("filters"),
                Item(nth),
                Name("type"),
            ];
            let mut place = Place::at(kind.node, at, &trail);
            place.value = Some("RequestMirror".to_owned());
            found(place);
        }
    }
}

/// Finds `appProtocol` values of backend ports. Each Service port counts once per family.
fn app_protocols<'a>(
    collector: &mut Collector<'_, 'a>,
    cluster: &Cluster<'a>,
    route: &Object<'a>,
    families: Option<Families>,
) {
    let backends = crate::backends(route);
    for backend in backends.all.iter().take(backends.of_rules) {
        if !matches!((backend.group, backend.kind), ("" | "core", "Service")) {
            continue;
        }
        let named = (backend.namespace, backend.name);
        if let Some(service) = cluster.find("", "Service", named.0, named.1) {
            let port = backend.node.str_at("port");
            app_protocol(collector, cluster, (service, port), families);
        } else {
            collector.services_not_there.insert(named);
        }
    }
}

/// Finds the `appProtocol` of a port of the Service with this index. Returns whether it requires a
/// feature.
pub(super) fn app_protocol<'a>(
    collector: &mut Collector<'_, 'a>,
    cluster: &Cluster<'a>,
    (service, port): (usize, &str),
    families: Option<Families>,
) -> bool {
    let ports = collector.ports.entry(service);
    let ports = ports.or_insert_with(|| ports_of(&cluster.objects[service]));
    let Some(port) = ports.get_mut(port) else {
        return false;
    };
    let (nth, protocol) = (port.nth, port.protocol);
    let table = collector.registry.needs().features.iter();
    let shown = table.filter(|(_, entry)| {
        let mut values = entry.values.iter();
        entry.shape == Some(Shape::AppProtocol) && values.any(|value| value == protocol.value)
    });
    let shown: Vec<_> = shown.map(|(name, _)| name).collect();
    let families = families.unwrap_or_default();
    let new = families.without(port.named_by.unwrap_or_default());
    if port.named_by.is_some() && new.is_empty() {
        return !shown.is_empty();
    }
    port.named_by = Some(port.named_by.unwrap_or_default().and(new));
    let trail = [Name("spec"), Name("ports"), Item(nth), Name("appProtocol")];
    let place = || {
        let mut place = Place::at(protocol.node, service, &trail);
        place.value = Some(super::short(protocol.value).to_owned());
        place
    };
    for name in &shown {
        let of = (Some(new), Channel::Standard);
        collector.feature(name, Certainty::Certain, of, place);
    }
    !shown.is_empty()
}

fn ports_of<'a>(service: &Object<'a>) -> Ports<'a> {
    let ports = service.items(&["spec", "ports"]).enumerate();
    let mut by_port = Ports::new();
    for (nth, port) in ports {
        if let Some(protocol) = port.text_at("appProtocol") {
            by_port.entry(port.str_at("port")).or_insert(Port {
                nth,
                protocol,
                named_by: None,
            });
        }
    }
    by_port
}

const TCP_ON_TLS: &str = "TCPRoutes on TLS listeners";

/// Finds TCPRoutes whose listener terminates TLS. No test covers them.
fn on_tls_listeners<'a>(collector: &mut Collector<'_, 'a>, cluster: &Cluster<'a>, at: usize) {
    let route = &cluster.objects[at];
    let mut table = collector.registry.needs().uncovered.iter();
    let Some(field) = table.find(|field| field.name == TCP_ON_TLS) else {
        return;
    };
    for (nth, parent) in crate::parent_refs(route).iter().enumerate() {
        let Some(gateway) = cluster.listening_parent(parent) else {
            continue;
        };
        let section = parent.node.str_at("sectionName");
        let listener = (gateway, section, parent.node.str_at("port"));
        if collector.terminating.contains(&listener) {
            let trail = [Name("spec"), Name("parentRefs"), Item(nth)];
            let how = (field.is_experimental, false);
            let place = || Place::at(parent.node, at, &trail);
            collector.losses.untested(field.name.clone(), how, place);
        }
    }
}

/// Listeners that terminate TLS, by the index of their Gateway, name and port. An empty name or port
/// stands for all of them.
pub(super) fn terminating<'a>(cluster: &Cluster<'a>) -> HashSet<(usize, &'a str, &'a str)> {
    let mut all = HashSet::new();
    for (at, gateway) in cluster.of(&[Kind::Gateway, Kind::ListenerSet]) {
        for listener in crate::listeners(gateway) {
            if listener.protocol == "TLS" && listener.terminates_tls() {
                let (name, port) = (listener.name, listener.port());
                all.extend([
                    (at, "", ""),
                    (at, name, ""),
                    (at, "", port),
                    (at, name, port),
                ]);
            }
        }
    }
    all
}

/// Finds Gateways missing from the input, whose TLS mode is therefore unknown.
fn unknown_gateway<'a>(
    route: &Object<'a>,
    cluster: &Cluster<'a>,
    at: usize,
    found: &mut dyn FnMut(Place<'a>),
) {
    for (nth, parent) in crate::parent_refs(route).iter().enumerate() {
        let is_gateway = matches!(parent.kind, "Gateway" | "ListenerSet" | "XListenerSet");
        let is_gateway = is_gateway && is_gateway_api(parent.group);
        if is_gateway && cluster.listening_parent(parent).is_none() {
            let trail = [Name("spec"), Name("parentRefs"), Item(nth)];
            found(Place::at(parent.node, at, &trail));
        }
    }
}

/// Kinds of Routes by the index of their Gateway.
pub(super) fn routed(cluster: &Cluster<'_>) -> HashMap<usize, Routed> {
    let mut all: HashMap<usize, Routed> = HashMap::new();
    for (_, route) in cluster.of(&[Kind::TlsRoute, Kind::TcpRoute]) {
        for parent in crate::parent_refs(route) {
            if let Some(gateway) = cluster.listening_parent(&parent) {
                let routed = all.entry(gateway).or_default();
                routed.has_tls |= route.kind == Some(Kind::TlsRoute);
                routed.has_tcp |= route.kind == Some(Kind::TcpRoute);
            }
        }
    }
    all
}

/// Without `allowedRoutes.kinds`, TCPRoutes can attach too, so the result is `None` unless a
/// TLSRoute or a TCPRoute of the input names the Gateway.
fn for_tls_routes(listener: &Listener<'_>, routed: Routed) -> Option<bool> {
    let mut kinds = listener.allowed_kinds().peekable();
    if kinds.peek().is_some() {
        return Some(kinds.any(|kind| kind.kind == "TLSRoute"));
    }
    match routed {
        Routed { has_tls: true, .. } => Some(true),
        Routed { has_tcp: true, .. } => Some(false),
        Routed { .. } => None,
    }
}

fn of_listener<'a>(
    listener: &Listener<'a>,
    nth: usize,
    at: usize,
    note: Option<Message>,
) -> Place<'a> {
    let mode = listener.tls.and_then(|tls| tls.text_at("mode"));
    let protocol = listener.node.text_at("protocol");
    let (text, rest): (_, &[Part<'_>]) = match mode {
        Some(mode) => (Some(mode), &[Name("tls"), Name("mode")]),
        None => (protocol, &[Name("protocol")]),
    };
    let mut trail = vec![Name("spec"), Name("listeners"), Item(nth)];
    trail.extend(rest);
    let node: Node<'a> = text.map_or(listener.node, |text| text.node);
    let mut place = Place::at(node, at, &trail);
    place.value = text.map(|text| super::short(text.value).to_owned());
    place.note = note;
    place
}
