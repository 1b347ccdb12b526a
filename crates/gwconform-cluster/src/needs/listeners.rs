use std::collections::{BTreeMap, HashSet};

use super::collector::{Certainty, Collector};
use super::families::Families;
use super::walk::Part::{Item, Name};
use super::{MAX_NAME, Place, short};
use crate::{Cluster, Kind, Listener, Node, is_gateway_api, parent_refs};
use gwconform_base::api::Channel;
use gwconform_base::release::{How, Shape};
use gwconform_base::text::message::Message;

struct Located<'a> {
    listener: Listener<'a>,
    object: usize,
    nth: usize,
}

pub(super) fn add<'a>(collector: &mut Collector<'_, 'a>, cluster: &Cluster<'a>) {
    let ports: Vec<Vec<Located<'a>>> = groups(cluster)
        .iter()
        .flat_map(|objects| by_port(cluster, objects))
        .filter(|listeners| listeners.len() > 1)
        .collect();
    for (name, entry) in &collector.registry.needs().features {
        let relation: fn(&[Located<'_>]) -> Vec<(usize, Message)> = match entry.shape {
            Some(Shape::TlsMixed) => mixed,
            Some(Shape::NestedHostnames) => nested,
            Some(Shape::HttpsOnOnePort) => later_https,
            _ => continue,
        };
        let certainty = match entry.how {
            How::Perhaps => Certainty::Perhaps,
            _ => Certainty::Certain,
        };
        for listeners in &ports {
            for (at, note) in relation(listeners) {
                let Some(one) = listeners.get(at) else {
                    continue;
                };
                let place = || one.place(note.clone());
                let of = (Some(Families::GATEWAY), Channel::Standard);
                collector.feature(name, certainty, of, place);
            }
        }
    }
}

/// Groups Gateways with their ListenerSets. A duplicate Gateway, such as in another overlay, gets
/// its own group.
fn groups(cluster: &Cluster<'_>) -> Vec<Vec<usize>> {
    let mut of_gateways: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    let mut alone = Vec::new();
    for (at, object) in cluster.of(&[Kind::Gateway, Kind::ListenerSet]) {
        let (group, kind) = (object.group, object.kind_name);
        let is_first = cluster.find(group, kind, object.namespace, object.name()) == Some(at);
        let parents = parent_refs(object);
        let gateway = match object.kind {
            Some(Kind::Gateway) => Some((object.namespace, object.name())),
            _ => parents
                .first()
                .filter(|parent| is_gateway_api(parent.group) && parent.kind == "Gateway")
                .map(|parent| (parent.namespace, parent.name)),
        };
        match gateway.filter(|(_, name)| is_first && !name.is_empty()) {
            Some(gateway) => of_gateways.entry(gateway).or_default().push(at),
            None => alone.push(vec![at]),
        }
    }
    let mut groups: Vec<Vec<usize>> = of_gateways.into_values().chain(alone).collect();
    for group in &mut groups {
        group.sort_unstable();
    }
    groups.sort_unstable();
    groups
}

fn by_port<'a>(cluster: &Cluster<'a>, objects: &[usize]) -> Vec<Vec<Located<'a>>> {
    let mut ports: BTreeMap<&str, Vec<Located<'a>>> = BTreeMap::new();
    for &object in objects {
        let listeners = crate::listeners(&cluster.objects[object]);
        for (nth, listener) in listeners.into_iter().enumerate() {
            let port = listener.port();
            if !port.is_empty() {
                ports.entry(port).or_default().push(Located {
                    listener,
                    object,
                    nth,
                });
            }
        }
    }
    ports.into_values().collect()
}

impl<'a> Located<'a> {
    fn place(&self, note: Message) -> Place<'a> {
        let hostname = self.listener.node.text_at("hostname");
        let mut trail = vec![Name("spec"), Name("listeners"), Item(self.nth)];
        let node: Node<'a> = match hostname {
            Some(hostname) => {
                trail.push(Name("hostname"));
                hostname.node
            }
            None => self.listener.node,
        };
        let mut place = Place::at(node, self.object, &trail);
        place.note = Some(note);
        place
    }
}

fn mixed(listeners: &[Located<'_>]) -> Vec<(usize, Message)> {
    let all = listeners.iter().enumerate();
    let of_tls = all.filter(|(_, one)| one.listener.protocol == "TLS");
    let (terminating, passing): (Vec<_>, Vec<_>) =
        of_tls.partition(|(_, one)| one.listener.terminates_tls());
    if passing.is_empty() {
        return Vec::new();
    }
    let mixed = terminating.into_iter().map(|(at, one)| {
        let mut note = Message::words("sharing port ");
        note.push_code(short(one.listener.port()));
        note.push_words(" between Terminate and Passthrough".into());
        (at, note)
    });
    mixed.collect()
}

fn later_https(listeners: &[Located<'_>]) -> Vec<(usize, Message)> {
    let all = listeners.iter().enumerate();
    let of_https = all.filter(|(_, one)| one.listener.protocol == "HTTPS");
    of_https
        .skip(1)
        .map(|(at, one)| (at, on_port("two HTTPS listeners", &one.listener)))
        .collect()
}

fn nested(listeners: &[Located<'_>]) -> Vec<(usize, Message)> {
    let mut found = Vec::new();
    for protocol in ["HTTP", "HTTPS"] {
        let all = listeners.iter().enumerate();
        let of_protocol: Vec<_> = all
            .filter(|(_, one)| one.listener.protocol == protocol)
            .collect();
        let hostnames: HashSet<&str> = of_protocol
            .iter()
            .map(|(_, one)| one.listener.hostname())
            .collect();
        for (at, one) in of_protocol {
            let hostname = one.listener.hostname();
            if let Some(wider) = wider(hostname, &hostnames) {
                let mut note = Message::code(hostname);
                note.push_words(" and ".into());
                match wider {
                    "" => note.push_words("a listener for all hostnames".into()),
                    wider => note.push_code(wider),
                }
                note.push(on_port("", &one.listener));
                found.push((at, note));
            }
        }
    }
    found
}

/// Most specific other hostname that includes `hostname`. An empty hostname matches all.
fn wider<'h>(hostname: &str, hostnames: &HashSet<&'h str>) -> Option<&'h str> {
    if hostname.is_empty() || hostname.len() > MAX_NAME {
        return None;
    }
    let suffixes = hostname.match_indices('.').map(|(at, _)| &hostname[at..]);
    let wildcards = suffixes.map(|suffix| format!("*{suffix}"));
    wildcards
        .filter(|wildcard| wildcard != hostname)
        .chain([String::new()])
        .find_map(|wildcard| hostnames.get(wildcard.as_str()).copied())
}

fn on_port(what: &'static str, listener: &Listener<'_>) -> Message {
    let mut note = Message::words(what);
    note.push_words(" share port ".into());
    note.push_code(short(listener.port()));
    note
}
