use super::node::{Node, Text};
use super::{GROUP, X_GROUP};
use gwconform_base::release::Registry;
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;
use gwconform_base::text::source::Span;

/// Kinds that are checked, or that checked objects reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `CustomResourceDefinition`
    Crd,
    /// `GatewayClass`
    GatewayClass,
    /// `Gateway`
    Gateway,
    /// `ListenerSet` or `XListenerSet`
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
    /// `BackendTLSPolicy` or `XBackendTrafficPolicy`
    Policy,
    /// Policy of another API group, recognized by `status.ancestors` (GEP-713).
    AnyPolicy,
    /// `InferencePool`
    InferencePool,
    /// `XMesh` or `Mesh`
    Mesh,
    /// `Service`
    Service,
    /// `Secret`
    Secret,
    /// `Namespace`
    Namespace,
    /// `ValidatingAdmissionPolicy`
    AdmissionPolicy,
    /// `ValidatingAdmissionPolicyBinding`
    AdmissionBinding,
}

const INFERENCE_GROUP: &str = "inference.networking.k8s.io";
const X_INFERENCE_GROUP: &str = "inference.networking.x-k8s.io";

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
    // Wrong API versions, which `resource/mesh-api-version` reports.
    (GROUP, "XMesh", Kind::Mesh),
    (X_GROUP, "Mesh", Kind::Mesh),
    ("", "Service", Kind::Service),
    ("", "Secret", Kind::Secret),
    ("", "Namespace", Kind::Namespace),
    (
        "admissionregistration.k8s.io",
        "ValidatingAdmissionPolicy",
        Kind::AdmissionPolicy,
    ),
    (
        "admissionregistration.k8s.io",
        "ValidatingAdmissionPolicyBinding",
        Kind::AdmissionBinding,
    ),
];

impl Kind {
    /// Kinds of Routes.
    pub const ROUTES: &[Self] = &[
        Self::HttpRoute,
        Self::GrpcRoute,
        Self::TlsRoute,
        Self::TcpRoute,
        Self::UdpRoute,
    ];

    /// Kinds whose status has conditions defined by Gateway API.
    pub(crate) const WITH_STATUS: &[Self] = &[
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

    /// Returns the kind with this API group and kind name; `None` if gwconform does not know the
    /// kind.
    pub fn of(group: &str, kind: &str) -> Option<Self> {
        KINDS
            .iter()
            .find(|known| (known.0, known.1) == (group, kind))
            .map(|known| known.2)
    }

    pub(super) fn title(group: &str, kind: &str) -> Message {
        let mut kinds = KINDS.iter();
        match kinds.find(|known| (known.0, known.1) == (group, kind)) {
            Some(known) => Message::words(known.1),
            None => Message::code(kind),
        }
    }

    /// Kinds whose absence counts in a complete dump.
    pub const LISTED: &[Self] = &[
        Self::Crd,
        Self::GatewayClass,
        Self::Gateway,
        Self::ListenerSet,
        Self::HttpRoute,
        Self::GrpcRoute,
        Self::TlsRoute,
        Self::TcpRoute,
        Self::UdpRoute,
        Self::ReferenceGrant,
        Self::Policy,
        Self::InferencePool,
        Self::Mesh,
        Self::Service,
        Self::Secret,
        Self::Namespace,
        Self::AdmissionPolicy,
        Self::AdmissionBinding,
    ];

    fn is_cluster_scoped(self) -> bool {
        matches!(
            self,
            Self::Crd
                | Self::GatewayClass
                | Self::Mesh
                | Self::Namespace
                | Self::AdmissionPolicy
                | Self::AdmissionBinding
        )
    }

    /// Name of the kind. Policies have several kinds and are named `policy`.
    pub fn as_str(self) -> &'static str {
        let known = KINDS.iter().find(|known| known.2 == self);
        known.map_or("policy", |known| known.1)
    }
}

/// Parts of annotation names whose values may contain credentials, such as `auth-snippet` and
/// `last-applied-configuration`, which repeats the other annotations.
const SECRET_ANNOTATIONS: [&str; 6] = [
    "snippet",
    "auth",
    "secret",
    "header",
    "token",
    "last-applied",
];

/// Kubernetes object in a file.
#[derive(Debug)]
pub struct Object<'a> {
    /// Root node of the object.
    pub root: Node<'a>,
    /// API group; empty for the core group.
    pub group: &'a str,
    /// `kind` as written.
    pub kind_name: &'a str,
    /// Known kind; `None` for other objects.
    pub kind: Option<Kind>,
    /// `metadata.name`; `None` if the name is generated.
    pub name: Option<Text<'a>>,
    /// Namespace as written. If missing, `default` for known namespaced kinds. Empty for
    /// cluster-scoped kinds.
    pub namespace: &'a str,
    /// `metadata.generation` and its node.
    pub generation: Option<(i64, Node<'a>)>,
    /// `spec.controllerName` of a GatewayClass or a mesh.
    pub controller: Option<Text<'a>>,
    /// Deletion has started, so controllers no longer update the status.
    pub is_deleted: bool,
}

impl<'a> Object<'a> {
    /// Reads an object or list item. Items of typed lists such as `HTTPRouteList` inherit
    /// `apiVersion` and `kind`. Returns `None` unless each key exists once.
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
                // Ingresses have no [`Kind`], because only `needs` reads them.
                if kind_name != "Ingress" {
                    Kind::of(list.group, kind_name)?;
                }
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

    /// `metadata.name`; empty if missing.
    pub fn name(&self) -> &'a str {
        self.name.map_or("", |name| name.value)
    }

    /// Whether `metadata.namespace` is set.
    pub(crate) fn has_written_namespace(&self) -> bool {
        let written = self.at(&["metadata"]);
        written.is_some_and(|metadata| !metadata.str_at("namespace").is_empty())
    }

    /// True for an Ingress of any API version. Ingresses have no [`Kind`], because only `needs`
    /// reads them.
    pub(crate) fn is_ingress(&self) -> bool {
        self.kind_name == "Ingress" && matches!(self.group, "networking.k8s.io" | "extensions")
    }

    /// False for Secrets and unknown kinds, which messages must not quote.
    pub fn is_quotable(&self) -> bool {
        self.kind.is_some_and(|kind| kind != Kind::Secret)
    }

    /// Parts that messages may quote. For unknown kinds, only `apiVersion`, `kind` and target
    /// kinds, and for ConfigMaps the keys that ingress-nginx defines.
    pub(super) fn quotable_parts(&self) -> Vec<Span> {
        if self.is_quotable() {
            return vec![self.root.span()];
        }
        if self.kind.is_some() {
            return Vec::new();
        }
        if self.is_ingress() {
            return self.without_secret_annotations();
        }
        let head = ["apiVersion", "kind"].into_iter();
        let head = head.filter_map(|name| self.root.text_at(name));
        let targets = self.targets().filter_map(|target| target.text_at("kind"));
        let is_map = (self.group, self.kind_name) == ("", "ConfigMap");
        let data = self.at(&["data"]).filter(|_| is_map).into_iter();
        let keys = data.flat_map(Node::entries).map(|(key, _)| key);
        let keys = keys.filter(|key| Registry::embedded().ingress().rows.contains_key(key.value));
        let named = head.chain(targets).chain(keys);
        let mut parts: Vec<Span> = named.map(|text| text.node.span()).collect();
        // Exclude aliases, which could expose text outside the object.
        let whole = self.root.span();
        parts.retain(|part| whole.start <= part.start && part.end <= whole.end);
        parts.sort_by_key(|part| part.start);
        parts
    }

    /// Parts of an Ingress besides annotations that may contain credentials.
    fn without_secret_annotations(&self) -> Vec<Span> {
        let annotations = self.at(&["metadata", "annotations"]).into_iter();
        let entries = annotations.flat_map(Node::entries);
        let secret = entries.filter(|(name, _)| {
            let name = name.value.to_ascii_lowercase();
            SECRET_ANNOTATIONS.iter().any(|part| name.contains(part))
        });
        let whole = self.root.span();
        let mut secret: Vec<Span> = secret.map(|(_, value)| value.span()).collect();
        // Exclude aliases, whose text is outside of the object.
        secret.retain(|part| whole.start <= part.start && part.end <= whole.end);
        secret.sort_by_key(|part| part.start);
        let mut parts = Vec::new();
        let mut start = whole.start;
        for part in secret {
            if part.start > start {
                parts.push(Span {
                    start,
                    end: part.start,
                });
            }
            start = start.max(part.end);
        }
        parts.push(Span {
            start,
            end: whole.end,
        });
        parts
    }

    /// `spec.targetRef`, and the first 64 of `spec.targetRefs` and of `spec.targetSelectors`.
    /// Selectors have no name.
    pub fn targets(&self) -> impl Iterator<Item = Node<'a>> + use<'a> {
        let spec = self.root.get("spec");
        let lists = ["targetRefs", "targetSelectors"].into_iter();
        let many = lists.flat_map(move |list| {
            let all = spec.into_iter().flat_map(move |spec| spec.items_at(list));
            all.take(super::MAX_ITEMS)
        });
        let one = spec.and_then(|spec| spec.get("targetRef"));
        many.chain(one)
    }

    /// Whether the kind is one of [`Kind::ROUTES`].
    pub(crate) fn is_route(&self) -> bool {
        self.kind.is_some_and(|kind| Kind::ROUTES.contains(&kind))
    }

    /// Value at a path; `None` if missing or null.
    pub fn at(&self, path: &[&str]) -> Option<Node<'a>> {
        self.root.at(path)
    }

    /// Items at a path; none if missing.
    pub fn items(&self, path: &[&str]) -> impl Iterator<Item = Node<'a>> {
        self.at(path).into_iter().flat_map(Node::items)
    }

    /// Kind for messages, printed as code if unknown.
    pub(crate) fn kind_title(&self) -> Message {
        Kind::title(self.group, self.kind_name)
    }

    /// Position of the object, for a finding about a field that may be missing.
    pub(crate) fn place_of(&self, path: &str) -> Anchor {
        let Anchor { place, subject } = self.place();
        Anchor::new(place, subject.child(path))
    }

    /// Position of the name or, if missing, of the first key.
    pub fn place(&self) -> Anchor {
        let at_name = self.name.map(|name| name.node.place());
        let place = at_name.unwrap_or_else(|| self.root.head()).place;
        Anchor::new(place, self.root.subject())
    }

    /// Title, such as ``HTTPRoute `shop/web` ``.
    pub fn title(&self) -> Message {
        title(self.group, self.kind_name, self.namespace, self.name())
    }
}

fn has_ancestors(root: Node<'_>) -> bool {
    let ancestors = root.at(&["status", "ancestors"]).into_iter();
    let mut ancestors = ancestors.flat_map(Node::items).peekable();
    ancestors.peek().is_some() && ancestors.all(|entry| entry.get("ancestorRef").is_some())
}

pub(super) fn title(group: &str, kind: &str, namespace: &str, name: &str) -> Message {
    let mut title = Kind::title(group, kind);
    title.push_words(" ".into());
    match namespace {
        "" => title.push_code(name),
        namespace => title.push(Message::code(format_args!("{namespace}/{name}"))),
    }
    title
}
