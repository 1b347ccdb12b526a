//! References from one object to another.

use super::node::Node;
use super::object::{self, Kind, Object};
use crate::text::message::Message;

/// A reference and what it names.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// The whole of it.
    pub node: Node<'a>,
    /// The group of what it names; empty for the core group.
    pub group: &'a str,
    /// The kind of what it names.
    pub kind: &'a str,
    /// The namespace of what it names; empty for none.
    pub namespace: &'a str,
    /// Its name.
    pub name: &'a str,
}

impl<'a> Reference<'a> {
    /// Reads a reference of an object, with the kind that it names by default; `None` without a name.
    pub fn read(node: Node<'a>, object: &Object<'a>, kind: &'a str) -> Option<Self> {
        let or = |name, other| node.text_at(name).map_or(other, |text| text.value);
        Some(Self {
            node,
            group: or("group", ""),
            kind: or("kind", kind),
            namespace: or("namespace", object.namespace),
            name: node.text_at("name")?.value,
        })
    }

    /// ``Service `shop/web` ``
    pub fn title(&self) -> Message {
        object::title(self.group, self.kind, self.namespace, self.name)
    }
}

/// Where a Route sends requests.
#[derive(Debug, Default)]
pub struct Backends<'a> {
    /// Each backend, of rules and of filters that send requests.
    pub all: Vec<Reference<'a>>,
    /// How many of them, from the first on, take the requests themselves.
    pub of_rules: usize,
    /// True with filters that refer to something else besides: that can be missing too.
    pub has_extension: bool,
}

/// The backends that a Route names.
pub fn backends<'a>(route: &Object<'a>) -> Backends<'a> {
    let mut backends = Backends::default();
    let mut filters = Vec::new();
    for rule in route.items(&["spec", "rules"]) {
        filters.extend(rule.items_at("filters"));
        for node in rule.items_at("backendRefs") {
            backends.all.extend(Reference::read(node, route, "Service"));
            filters.extend(node.items_at("filters"));
        }
    }
    backends.of_rules = backends.all.len();
    for filter in filters {
        for kind in ["requestMirror", "externalAuth"] {
            let node = filter.at(&[kind, "backendRef"]).into_iter();
            let read = node.filter_map(|node| Reference::read(node, route, "Service"));
            backends.all.extend(read);
        }
        backends.has_extension |= filter.get("extensionRef").is_some();
    }
    backends
}

/// The certificates that a listener of an object names.
pub fn certificates<'a>(object: &Object<'a>, listener: &super::Listener<'a>) -> Vec<Reference<'a>> {
    let nodes = listener.certificate_refs();
    nodes
        .filter_map(|node| Reference::read(node, object, "Secret"))
        .collect()
}

/// What the `parametersRef` of a GatewayClass or a mesh names; `None` when it names nothing whole.
pub fn parameters<'a>(object: &Object<'a>) -> Option<Reference<'a>> {
    let cluster_scoped = [Kind::GatewayClass, Kind::Mesh];
    if !object
        .kind
        .is_some_and(|kind| cluster_scoped.contains(&kind))
    {
        return None;
    }
    let node = object.at(&["spec", "parametersRef"])?;
    let read = Reference::read(node, object, "")?;
    (!read.kind.is_empty()).then_some(read)
}

/// What a BackendTLSPolicy applies to.
pub fn policy_targets<'a>(policy: &Object<'a>) -> Vec<Reference<'a>> {
    let nodes = policy.items(&["spec", "targetRefs"]);
    nodes
        .filter_map(|node| Reference::read(node, policy, "Service"))
        .collect()
}

/// The CA certificates that a BackendTLSPolicy names.
pub fn policy_certificates<'a>(policy: &Object<'a>) -> Vec<Reference<'a>> {
    let nodes = policy.items(&["spec", "validation", "caCertificateRefs"]);
    nodes
        .filter_map(|node| Reference::read(node, policy, "ConfigMap"))
        .collect()
}
