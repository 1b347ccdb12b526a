//! Shapes that are more than one value: two mirrors, two listeners on one port, a Service behind a Route.

use std::collections::BTreeMap;

use super::Place;
use super::collect::{Certainty, Collector, Parents};
use super::walk::Part::{self, Item, Name};
use crate::message::Message;
use crate::registry::{How, Shape};
use crate::resource::{self, Cluster, Kind, Listener, Node, Object, Text};

/// How many listeners of an object are compared with each other: what the API allows.
const MAX_LISTENERS: usize = 64;

/// Adds the features whose shapes an object has.
pub(super) fn add<'a>(
    collector: &mut Collector<'_, 'a>,
    cluster: &Cluster<'a>,
    at: usize,
    parents: Parents,
) {
    let object = &cluster.objects[at];
    let listeners: Vec<Listener<'a>> = match object.kind_name {
        "Gateway" | "ListenerSet" | "XListenerSet" => {
            let mut all = resource::listeners(object);
            all.truncate(MAX_LISTENERS);
            all
        }
        "HTTPRoute" | "TLSRoute" => Vec::new(),
        _ => return,
    };
    if object.kind_name == "HTTPRoute" {
        app_protocols(collector, cluster, object, parents);
    }
    for (name, entry) in &collector.registry.needs().features {
        let Some(shape) = entry.shape else { continue };
        let certainty = match entry.how {
            How::Perhaps => Certainty::Perhaps,
            _ => Certainty::Certain,
        };
        let mut found = |certainty, place: Place<'a>| {
            collector.feature(name, certainty, parents, || place.clone());
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
                        let certainty = match for_tls_routes(listener, cluster) {
                            Some(true) => certainty,
                            Some(false) => continue,
                            None => Certainty::Perhaps,
                        };
                        found(certainty, of_listener(listener, nth, at, None));
                    }
                }
            }
            (Shape::TlsMixed, _) => pairs(&listeners, at, mixed, &mut |place| {
                found(certainty, place);
            }),
            (Shape::NestedHostnames, _) => pairs(&listeners, at, nested, &mut |place| {
                found(certainty, place);
            }),
            (Shape::HttpsOnOnePort, _) => pairs(&listeners, at, both_https, &mut |place| {
                found(certainty, place);
            }),
            _ => {}
        }
    }
}

/// Of each rule with two mirrors, the second one.
fn two_mirrors<'a>(route: &Object<'a>, at: usize, found: &mut dyn FnMut(Place<'a>)) {
    let spec = route.at(&["spec"]).into_iter();
    for (rule_at, rule) in spec.flat_map(|spec| spec.items_at("rules")).enumerate() {
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

/// The ports of a Service that have an `appProtocol`: its place among the ports, by port.
pub(super) type Ports<'a> = BTreeMap<&'a str, (usize, Text<'a>)>;

/// Adds the features that the `appProtocol` of Services behind an HTTPRoute shows; each port once.
fn app_protocols<'a>(
    collector: &mut Collector<'_, 'a>,
    cluster: &Cluster<'a>,
    route: &Object<'a>,
    parents: Parents,
) {
    let backends = resource::backends(route);
    for backend in backends.all.iter().take(backends.of_rules) {
        if (backend.group, backend.kind) != ("", "Service") {
            continue;
        }
        let Some(service) = cluster.find("", "Service", backend.namespace, backend.name) else {
            let name = (backend.namespace, backend.name);
            collector.services_not_there.insert(name);
            continue;
        };
        let ports = collector.ports.entry(service);
        let ports = ports.or_insert_with(|| ports_of(&cluster.objects[service]));
        // What is taken out is not found again.
        let Some((nth, protocol)) = ports.remove(backend.node.str_at("port")) else {
            continue;
        };
        let trail = [Name("spec"), Name("ports"), Item(nth), Name("appProtocol")];
        let place = || {
            let mut place = Place::at(protocol.node, service, &trail);
            place.value = Some(super::short(protocol.value).to_owned());
            place
        };
        let table = collector.registry.needs().features.iter();
        let shown = table.filter(|(_, entry)| {
            let mut values = entry.values.iter();
            entry.shape == Some(Shape::AppProtocol) && values.any(|value| value == protocol.value)
        });
        for (name, _) in shown {
            collector.feature(name, Certainty::Certain, parents, place);
        }
    }
}

fn ports_of<'a>(service: &Object<'a>) -> Ports<'a> {
    let spec = service.at(&["spec"]).into_iter();
    let ports = spec.flat_map(|spec| spec.items_at("ports")).enumerate();
    let mut by_port = Ports::new();
    for (nth, port) in ports {
        if let Some(protocol) = port.text_at("appProtocol") {
            by_port
                .entry(port.str_at("port"))
                .or_insert((nth, protocol));
        }
    }
    by_port
}

/// The parents of a TLSRoute that are not in the input: how they treat TLS is not known.
fn unknown_gateway<'a>(
    route: &Object<'a>,
    cluster: &Cluster<'a>,
    at: usize,
    found: &mut dyn FnMut(Place<'a>),
) {
    for (nth, parent) in resource::parent_refs(route).iter().enumerate() {
        let is_gateway = matches!(parent.kind, "Gateway" | "ListenerSet" | "XListenerSet");
        if is_gateway && cluster.listening_parent(parent).is_none() {
            let trail = [Name("spec"), Name("parentRefs"), Item(nth)];
            found(Place::at(parent.node, at, &trail));
        }
    }
}

/// Whether TLSRoute is among the kinds that a listener names; where it names none, `None` unless the
/// input has a TLSRoute: TCPRoutes attach to such a listener too.
fn for_tls_routes(listener: &Listener<'_>, cluster: &Cluster<'_>) -> Option<bool> {
    let mut kinds = listener.allowed_kinds().take(MAX_LISTENERS).peekable();
    if kinds.peek().is_some() {
        return Some(kinds.any(|kind| kind.kind == "TLSRoute"));
    }
    cluster.has(&[Kind::TlsRoute]).then_some(true)
}

/// Where a listener has what counts: its mode of TLS, else its protocol.
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

/// Where a listener is, with words about it and another one.
fn whole_listener<'a>(listener: &Listener<'a>, nth: usize, at: usize, note: Message) -> Place<'a> {
    let hostname = listener.node.text_at("hostname");
    let mut trail = vec![Name("spec"), Name("listeners"), Item(nth)];
    let node = match hostname {
        Some(hostname) => {
            trail.push(Name("hostname"));
            hostname.node
        }
        None => listener.node,
    };
    let mut place = Place::at(node, at, &trail);
    place.note = Some(note);
    place
}

/// Each listener that is in a relation with another one, with the first of these.
fn pairs<'a>(
    listeners: &[Listener<'a>],
    at: usize,
    relation: fn(&Listener<'_>, &Listener<'_>) -> Option<Message>,
    found: &mut dyn FnMut(Place<'a>),
) {
    for (nth, listener) in listeners.iter().enumerate() {
        let others = listeners.iter().enumerate();
        let mut on_port = others
            .filter(|(other, _)| *other != nth)
            .filter(|(_, other)| !listener.port().is_empty() && other.port() == listener.port());
        if let Some(note) = on_port.find_map(|(_, other)| relation(listener, other)) {
            found(whole_listener(listener, nth, at, note));
        }
    }
}

/// A TLS listener that terminates on the port of one that passes through.
fn mixed(listener: &Listener<'_>, other: &Listener<'_>) -> Option<Message> {
    let both = listener.protocol == "TLS" && other.protocol == "TLS";
    let is_mixed = both && listener.terminates_tls() && !other.terminates_tls();
    is_mixed.then(|| on_port("Terminate and Passthrough", listener))
}

/// Listeners of one protocol, of which the hostname of one is within that of the other.
fn nested(listener: &Listener<'_>, other: &Listener<'_>) -> Option<Message> {
    let is_http = matches!(listener.protocol, "HTTP" | "HTTPS");
    let is_nested = is_http
        && listener.protocol == other.protocol
        && is_within(listener.hostname(), other.hostname());
    is_nested.then(|| {
        let mut note = Message::code(super::short(listener.hostname()));
        note.push_words(" and ".into());
        match other.hostname() {
            "" => note.push_words("a listener for all hostnames".into()),
            hostname => note.push_code(super::short(hostname)),
        }
        note.push(on_port("", listener));
        note
    })
}

/// Two HTTPS listeners.
fn both_https(listener: &Listener<'_>, other: &Listener<'_>) -> Option<Message> {
    let is_later = listener.node.span().start > other.node.span().start;
    let is_both = listener.protocol == "HTTPS" && other.protocol == "HTTPS" && is_later;
    is_both.then(|| on_port("two HTTPS listeners", listener))
}

fn on_port(what: &'static str, listener: &Listener<'_>) -> Message {
    let mut note = Message::words(what);
    note.push_words(" share port ".into());
    note.push_code(super::short(listener.port()));
    note
}

/// True where all requests for one hostname are also for another, wider one.
fn is_within(inner: &str, outer: &str) -> bool {
    if inner.is_empty() || inner == outer {
        return false;
    }
    match outer.strip_prefix('*') {
        Some(suffix) => inner.len() > suffix.len() && inner.ends_with(suffix),
        None => outer.is_empty(),
    }
}
