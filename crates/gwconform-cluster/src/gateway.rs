use super::node::{Node, Text};
use super::object::{Kind, Object};
use super::references::Reference;
use super::{GROUP, X_GROUP};

/// Whether a GatewayClass is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassState {
    /// `Accepted` is True.
    Accepted,
    /// `Accepted` is False.
    Refused,
    /// `Accepted` is Unknown or missing.
    Undecided,
}

/// Listener of a Gateway or a ListenerSet.
#[derive(Debug)]
pub struct Listener<'a> {
    /// Node of the entry in `listeners`.
    pub node: Node<'a>,
    /// Listener name.
    pub name: &'a str,
    /// Protocol, such as `HTTPS`.
    pub protocol: &'a str,
    /// TLS settings.
    pub tls: Option<Node<'a>>,
}

impl<'a> Listener<'a> {
    /// Whether the listener terminates TLS.
    pub(crate) fn terminates_tls(&self) -> bool {
        let mode = self.tls.map_or("", |tls| tls.str_at("mode"));
        matches!(self.protocol, "HTTPS" | "TLS") && mode != "Passthrough"
    }

    /// Entries of `tls.certificateRefs`.
    pub(crate) fn certificate_refs(&self) -> impl Iterator<Item = Node<'a>> {
        let tls = self.tls.into_iter();
        tls.flat_map(|tls| tls.items_at("certificateRefs"))
    }

    /// Certificates of the listener, which `object` contains.
    pub fn certificates(&self, object: &Object<'a>) -> Vec<Reference<'a>> {
        let nodes = self.certificate_refs();
        nodes
            .filter_map(|node| Reference::read(node, object, "Secret"))
            .collect()
    }

    /// Entries of `tls.options`.
    pub fn options(&self) -> impl Iterator<Item = (Text<'a>, Node<'a>)> {
        self.tls
            .and_then(|tls| tls.get("options"))
            .into_iter()
            .flat_map(Node::entries)
    }
}

impl<'a> Listener<'a> {
    /// `port` as written; empty if missing.
    pub fn port(&self) -> &'a str {
        self.node.str_at("port")
    }

    /// `hostname` field. An empty hostname matches all.
    pub fn hostname(&self) -> &'a str {
        self.node.str_at("hostname")
    }

    /// `allowedRoutes.namespaces.from`. Empty only in manifests, because the API server sets a
    /// default.
    pub(crate) fn allowed_namespaces(&self) -> &'a str {
        let namespaces = self.node.at(&["allowedRoutes", "namespaces"]);
        namespaces.map_or("", |namespaces| namespaces.str_at("from"))
    }

    /// Entries of `allowedRoutes.kinds`. If empty, all kinds of the protocol are allowed.
    pub(crate) fn allowed_kinds(&self) -> impl Iterator<Item = RouteKind<'a>> {
        let allowed = self.node.get("allowedRoutes").into_iter();
        let kinds = allowed.flat_map(|allowed| allowed.items_at("kinds"));
        kinds.filter(|node| node.is_map()).map(RouteKind::read)
    }
}

/// Entry of `allowedRoutes.kinds` or `supportedKinds`.
#[derive(Clone, Copy, Debug)]
pub struct RouteKind<'a> {
    /// Node of the list entry, with the fields `group` and `kind`.
    pub node: Node<'a>,
    /// `group`; defaults to Gateway API.
    pub group: &'a str,
    /// Kind, such as `HTTPRoute`.
    pub kind: &'a str,
}

impl<'a> RouteKind<'a> {
    /// Reads an entry of `allowedRoutes.kinds` or `supportedKinds`.
    pub fn read(node: Node<'a>) -> Self {
        Self {
            node,
            group: node.text_at("group").map_or(GROUP, |group| group.value),
            kind: node.str_at("kind"),
        }
    }
}

/// Route kinds that a protocol supports; `None` if implementation-specific.
pub(crate) fn kinds_of_protocol(protocol: &str) -> Option<&'static [&'static str]> {
    Some(match protocol {
        "HTTP" | "HTTPS" => &["HTTPRoute", "GRPCRoute"],
        "TLS" => &["TLSRoute", "TCPRoute"],
        "TCP" => &["TCPRoute"],
        "UDP" => &["UDPRoute"],
        _ => return None,
    })
}

/// Reads the listeners of a Gateway or a ListenerSet.
pub fn listeners<'a>(object: &Object<'a>) -> Vec<Listener<'a>> {
    let listeners = object
        .at(&["spec"])
        .into_iter()
        .flat_map(|spec| spec.items_at("listeners"))
        .filter(|node| node.is_map());
    let read = |node: Node<'a>| Listener {
        node,
        name: node.str_at("name"),
        protocol: node.str_at("protocol"),
        tls: node.get("tls"),
    };
    listeners.map(read).collect()
}

/// Parent reference in a spec or status.
#[derive(Clone, Debug)]
pub struct ParentRef<'a> {
    /// Node of the parent reference.
    pub node: Node<'a>,
    /// API group; defaults to Gateway API.
    pub group: &'a str,
    /// Parent kind; defaults to `Gateway`.
    pub kind: &'a str,
    /// `namespace`; defaults to the Route's namespace.
    pub namespace: &'a str,
    /// Name of the parent.
    pub name: &'a str,
    /// Listener name (`sectionName`); empty for all listeners.
    pub section: &'a str,
    /// `port` as written; empty for all ports.
    pub port: &'a str,
}

impl<'a> ParentRef<'a> {
    /// Reads a reference and applies the API's defaults.
    pub fn read(node: Node<'a>, object: &Object<'a>) -> Self {
        let or = |name, other| node.text_at(name).map_or(other, |text| text.value);
        Self {
            node,
            group: or("group", GROUP),
            kind: or("kind", "Gateway"),
            namespace: or("namespace", object.namespace),
            name: node.str_at("name"),
            section: node.str_at("sectionName"),
            port: node.str_at("port"),
        }
    }

    /// The referenced object, without section and port.
    pub(crate) fn to_reference(&self) -> Reference<'a> {
        Reference {
            node: self.node,
            group: self.group,
            kind: self.kind,
            namespace: self.namespace,
            name: self.name,
        }
    }

    /// All fields, to compare spec and status.
    pub fn key(&self) -> [&'a str; 6] {
        [
            self.group,
            self.kind,
            self.namespace,
            self.name,
            self.section,
            self.port,
        ]
    }

    /// Whether a reference in a status corresponds to this one of the spec. Some controllers write
    /// the section and port that they resolved, if the spec does not set them.
    pub(crate) fn corresponds_to(&self, status: &Self) -> bool {
        let is_same = |spec: &str, status: &str| spec.is_empty() || spec == status;
        self.object() == status.object()
            && is_same(self.section, status.section)
            && is_same(self.port, status.port)
    }

    /// Key without section and port.
    pub fn object(&self) -> [&'a str; 4] {
        [self.group, self.kind, self.namespace, self.name]
    }
}

/// Reads the parent references in an object's spec.
pub(crate) fn parent_refs<'a>(object: &Object<'a>) -> Vec<ParentRef<'a>> {
    let Some(spec) = object.at(&["spec"]) else {
        return Vec::new();
    };
    let one = spec.get("parentRef").into_iter();
    let nodes = spec
        .items_at("parentRefs")
        .chain(one)
        .filter(|node| node.is_map());
    nodes.map(|node| ParentRef::read(node, object)).collect()
}

/// Whether a Route also attaches to default Gateways (GEP-3793).
pub(crate) fn uses_default_gateways(route: &Object<'_>) -> bool {
    let scope = route
        .at(&["spec"])
        .map_or("", |spec| spec.str_at("useDefaultGateways"));
    !["", "None"].contains(&scope)
}

/// Whether the group belongs to Gateway API.
pub(crate) fn is_gateway_api(group: &str) -> bool {
    [GROUP, X_GROUP].contains(&group)
}

pub(super) fn class_name<'a>(object: &Object<'a>) -> Option<Text<'a>> {
    if object.kind != Some(Kind::Gateway) {
        return None;
    }
    object.at(&["spec"])?.text_at("gatewayClassName")
}
