//! One object of a cluster.

use super::node::{Node, Text};
use super::{GROUP, X_GROUP};
use crate::text::diagnostic::Anchor;
use crate::text::message::Message;
use crate::text::source::Span;

/// The kinds that something is known of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `CustomResourceDefinition`
    Crd,
    /// `GatewayClass`
    GatewayClass,
    /// `Gateway`
    Gateway,
    /// `ListenerSet`, and `XListenerSet` before it.
    ListenerSet,
    /// `HTTPRoute`
    HttpRoute,
    /// `GRPCRoute`
    GrpcRoute,
    /// `TLSRoute`
    TlsRoute,
    /// `TCPRoute`
    TcpRoute,
    /// `UDPRoute`
    UdpRoute,
    /// `ReferenceGrant`
    ReferenceGrant,
    /// `BackendTLSPolicy`, `XBackendTrafficPolicy`
    Policy,
    /// Any other policy: its status has `ancestors`, as GEP-713 has it.
    AnyPolicy,
    /// `InferencePool`
    InferencePool,
    /// `XMesh`, or `Mesh` as it will be called.
    Mesh,
    /// `Service`
    Service,
    /// `Secret`
    Secret,
}

/// The groups of the Gateway API Inference Extension.
const INFERENCE_GROUP: &str = "inference.networking.k8s.io";
const X_INFERENCE_GROUP: &str = "inference.networking.x-k8s.io";

/// The kinds by group and name.
const KINDS: &[(&str, &str, Kind)] = &[
    (
        "apiextensions.k8s.io",
        "CustomResourceDefinition",
        Kind::Crd,
    ),
    (GROUP, "GatewayClass", Kind::GatewayClass),
    (GROUP, "Gateway", Kind::Gateway),
    (GROUP, "ListenerSet", Kind::ListenerSet),
    (X_GROUP, "XListenerSet", Kind::ListenerSet),
    (GROUP, "HTTPRoute", Kind::HttpRoute),
    (GROUP, "GRPCRoute", Kind::GrpcRoute),
    (GROUP, "TLSRoute", Kind::TlsRoute),
    (GROUP, "TCPRoute", Kind::TcpRoute),
    (GROUP, "UDPRoute", Kind::UdpRoute),
    (GROUP, "ReferenceGrant", Kind::ReferenceGrant),
    (GROUP, "BackendTLSPolicy", Kind::Policy),
    (X_GROUP, "XBackendTrafficPolicy", Kind::Policy),
    (INFERENCE_GROUP, "InferencePool", Kind::InferencePool),
    (X_INFERENCE_GROUP, "InferencePool", Kind::InferencePool),
    (X_GROUP, "XMesh", Kind::Mesh),
    (GROUP, "Mesh", Kind::Mesh),
    // Wrong pairs, which `resource/mesh-api-version` reports.
    (GROUP, "XMesh", Kind::Mesh),
    (X_GROUP, "Mesh", Kind::Mesh),
    ("", "Service", Kind::Service),
    ("", "Secret", Kind::Secret),
];

impl Kind {
    /// All Routes.
    pub const ROUTES: &[Self] = &[
        Self::HttpRoute,
        Self::GrpcRoute,
        Self::TlsRoute,
        Self::TcpRoute,
        Self::UdpRoute,
    ];

    /// What has status conditions of the Gateway API.
    pub const WITH_STATUS: &[Self] = &[
        Self::GatewayClass,
        Self::Gateway,
        Self::ListenerSet,
        Self::HttpRoute,
        Self::GrpcRoute,
        Self::TlsRoute,
        Self::TcpRoute,
        Self::UdpRoute,
        Self::Policy,
        Self::AnyPolicy,
        Self::InferencePool,
        Self::Mesh,
    ];

    /// The kind of a group and name.
    pub fn of(group: &str, kind: &str) -> Option<Self> {
        let mut kinds = KINDS.iter();
        kinds
            .find(|known| (known.0, known.1) == (group, kind))
            .map(|known| known.2)
    }

    /// The name of a kind in a text: words where it is known, else the value of the file.
    pub(super) fn title(group: &str, kind: &str) -> Message {
        let mut kinds = KINDS.iter();
        match kinds.find(|known| (known.0, known.1) == (group, kind)) {
            Some(known) => Message::words(known.1),
            None => Message::code(kind),
        }
    }

    /// True when its objects have no namespace.
    fn is_cluster_scoped(self) -> bool {
        matches!(self, Self::Crd | Self::GatewayClass | Self::Mesh)
    }

    /// How it is called when several kinds are named.
    pub fn as_str(self) -> &'static str {
        let known = KINDS.iter().find(|known| known.2 == self);
        known.map_or("policy", |known| known.1)
    }
}

/// How many targets of a policy are looked at: what the API allows.
const MAX_TARGETS: usize = 16;

/// One object.
#[derive(Debug)]
pub struct Object<'a> {
    /// The whole object.
    pub root: Node<'a>,
    /// The part of `apiVersion` before the slash; empty for the core group.
    pub group: &'a str,
    /// `kind`, as it is written.
    pub kind_name: &'a str,
    /// The kind, if something is known of it.
    pub kind: Option<Kind>,
    /// `metadata.name`.
    pub name: Option<Text<'a>>,
    /// `metadata.namespace`; of a namespaced object without one `default`, as `kubectl` has it, and
    /// empty for all others.
    pub namespace: &'a str,
    /// `metadata.generation`.
    pub generation: Option<(i64, Node<'a>)>,
    /// `spec.controllerName` of a GatewayClass or a mesh.
    pub controller: Option<Text<'a>>,
    /// True while it is being deleted: no controller updates its status any more.
    pub is_deleted: bool,
}

impl<'a> Object<'a> {
    /// Reads an object, or an item of a list: the API leaves out `apiVersion` and `kind` of those that
    /// the kind of their list tells (`HTTPRouteList`). `None` where there is not one of each.
    pub fn read(root: Node<'a>, list: Option<&Self>) -> Option<Self> {
        let is = |key: &str, name: &str| key.trim().eq_ignore_ascii_case(name);
        let count = |name| {
            root.entries()
                .filter(|(key, _)| is(key.value, name))
                .count()
        };
        let (group, kind_name) = match (count("apiVersion"), count("kind"), list) {
            (1, 1, _) => {
                let (api_version, kind_name) = (root.str_at("apiVersion"), root.str_at("kind"));
                if api_version.is_empty() || kind_name.is_empty() {
                    return None;
                }
                let group = api_version.rsplit_once('/').map_or("", |(group, _)| group);
                (group, kind_name)
            }
            (0, 0, Some(list)) => {
                let kind_name = list.kind_name.strip_suffix("List")?;
                Kind::of(list.group, kind_name)?;
                (list.group, kind_name)
            }
            _ => return None,
        };
        let kind =
            Kind::of(group, kind_name).or_else(|| has_ancestors(root).then_some(Kind::AnyPolicy));
        let metadata = root.get("metadata");
        let text = |name| metadata.and_then(|metadata| metadata.text_at(name));
        let written = text("namespace").map(|text| text.value);
        let namespace = match kind {
            Some(kind) if kind.is_cluster_scoped() => "",
            Some(_) => written.filter(|name| !name.is_empty()).unwrap_or("default"),
            None => written.unwrap_or_default(),
        };
        let has_controller = matches!(kind, Some(Kind::GatewayClass | Kind::Mesh));
        let controller = root
            .get("spec")
            .filter(|_| has_controller)
            .and_then(|spec| spec.text_at("controllerName"));
        Some(Self {
            controller,
            root,
            group,
            kind_name,
            kind,
            name: text("name"),
            namespace,
            generation: metadata.and_then(|metadata| metadata.number_at("generation")),
            is_deleted: text("deletionTimestamp").is_some(),
        })
    }

    /// Its name; empty for one that is still to be generated.
    pub fn name(&self) -> &'a str {
        self.name.map_or("", |name| name.value)
    }

    /// True where it names its namespace: else it is in the one that it is applied to.
    pub fn has_written_namespace(&self) -> bool {
        let written = self.at(&["metadata"]);
        written.is_some_and(|metadata| !metadata.str_at("namespace").is_empty())
    }

    /// True when its text may be printed: it is of a kind that is checked, and not a Secret. What is
    /// not checked may hold secrets too.
    pub fn is_quotable(&self) -> bool {
        self.kind.is_some_and(|kind| kind != Kind::Secret)
    }

    /// The parts of its text that may be printed, in their order: all of it, or `apiVersion` and
    /// `kind` of what is not checked, and the kinds that it targets.
    pub(super) fn quotable_parts(&self) -> Vec<Span> {
        if self.is_quotable() {
            return vec![self.root.span()];
        }
        if self.kind.is_some() {
            return Vec::new();
        }
        let head = ["apiVersion", "kind"].into_iter();
        let head = head.filter_map(|name| self.root.text_at(name));
        let targets = self.targets().filter_map(|target| target.text_at("kind"));
        let values = head.chain(targets);
        let mut parts: Vec<Span> = values.map(|text| text.node.span()).collect();
        // An alias stands elsewhere than what it names, and a hostile one anywhere.
        let whole = self.root.span();
        parts.retain(|part| whole.start <= part.start && part.end <= whole.end);
        parts.sort_by_key(|part| part.start);
        parts
    }

    /// What a policy is for: `spec.targetRefs`, the first 16 of them, which the API allows, and
    /// `spec.targetRef`.
    pub fn targets(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let spec = self.root.get("spec");
        let many = spec
            .into_iter()
            .flat_map(|spec| spec.items_at("targetRefs"));
        let one = spec.and_then(|spec| spec.get("targetRef"));
        many.take(MAX_TARGETS).chain(one)
    }

    /// True for a Route.
    pub fn is_route(&self) -> bool {
        self.kind.is_some_and(|kind| Kind::ROUTES.contains(&kind))
    }

    /// The value at names that follow each other.
    pub fn at(&self, path: &[&str]) -> Option<Node<'a>> {
        self.root.at(path)
    }

    /// The items of the list at names that follow each other.
    pub fn items(&self, path: &[&str]) -> impl Iterator<Item = Node<'a>> {
        self.at(path).into_iter().flat_map(Node::items)
    }

    /// Its kind, for a text: words where it is known, else a value.
    pub fn kind_title(&self) -> Message {
        Kind::title(self.group, self.kind_name)
    }

    /// The place of the object, for something below it that need not be there: `status/conditions`.
    pub fn place_of(&self, path: &str) -> Anchor {
        let Anchor { place, subject } = self.place();
        Anchor::new(place, subject.child(path))
    }

    /// The object, at the place of its name; of its first key where it has none.
    pub fn place(&self) -> Anchor {
        let at_name = self.name.map(|name| name.node.place());
        let place = at_name.unwrap_or_else(|| self.root.head()).place;
        Anchor::new(place, self.root.subject())
    }

    /// ``HTTPRoute `shop/web` ``, ``GatewayClass `acme` ``.
    pub fn title(&self) -> Message {
        title(self.group, self.kind_name, self.namespace, self.name())
    }
}

/// True for an object with the status of a policy: each of its ancestors has a reference.
fn has_ancestors(root: Node<'_>) -> bool {
    let ancestors = root.at(&["status", "ancestors"]).into_iter();
    let mut ancestors = ancestors.flat_map(Node::items).peekable();
    ancestors.peek().is_some() && ancestors.all(|entry| entry.get("ancestorRef").is_some())
}

/// ``HTTPRoute `shop/web` ``, of an object or of a reference to one.
pub(super) fn title(group: &str, kind: &str, namespace: &str, name: &str) -> Message {
    let mut title = Kind::title(group, kind);
    title.push_words(" ".into());
    match namespace {
        "" => title.push_code(name),
        namespace => title.push(Message::code(format_args!("{namespace}/{name}"))),
    }
    title
}
