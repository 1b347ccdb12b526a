use super::node::Node;
use super::object::{self, Kind, Object};
use gwconform_base::text::message::Message;

/// Reference to an object, with defaults applied.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// Mapping that contains the reference.
    pub node: Node<'a>,
    /// API group; empty for the core group.
    pub group: &'a str,
    /// Kind, such as `Service`.
    pub kind: &'a str,
    /// Namespace; empty if cluster-scoped.
    pub namespace: &'a str,
    /// Name of the referenced object.
    pub name: &'a str,
}

impl<'a> Reference<'a> {
    /// Reads a reference whose kind and namespace are optional. Returns `None` without a name.
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

    /// Title, such as ``Service `shop/web` ``.
    pub fn title(&self) -> Message {
        object::title(self.group, self.kind, self.namespace, self.name)
    }
}

/// Backends that a Route references.
#[derive(Debug, Default)]
pub struct Backends<'a> {
    /// Backends of rules, then those of filters.
    pub all: Vec<Reference<'a>>,
    /// Number of entries in `all` that belong to rules.
    pub of_rules: usize,
    /// Whether any filter references an extension.
    pub has_extension: bool,
}

/// Reads the backends of a Route.
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

/// Kinds that a Route can forward to, with a meaning that a specification defines.
const BACKENDS: [(&str, &str); 5] = [
    ("", "Service"),
    ("multicluster.x-k8s.io", "ServiceImport"),
    (super::X_GROUP, "XBackend"),
    ("inference.networking.k8s.io", "InferencePool"),
    ("inference.networking.x-k8s.io", "InferencePool"),
];

/// Whether a missing backend of this kind is `BackendNotFound`. Other kinds can have special
/// meanings, such as HTTPRoutes named `*` for delegation.
pub(crate) fn is_backend(backend: &Reference<'_>) -> bool {
    BACKENDS.contains(&(backend.group, backend.kind))
}

/// Endpoint picker of an InferencePool.
pub(crate) fn endpoint_picker<'a>(pool: &Object<'a>) -> Option<Reference<'a>> {
    let spec = pool.at(&["spec"])?;
    let node = spec.get("endpointPickerRef");
    let node = node.or_else(|| spec.get("extensionRef"))?;
    Reference::read(node, pool, "Service")
}

/// Reads `parametersRef`. Returns `None` if the reference is incomplete.
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

/// Reads the targets of a BackendTLSPolicy.
pub(crate) fn policy_targets<'a>(policy: &Object<'a>) -> Vec<Reference<'a>> {
    let nodes = policy.items(&["spec", "targetRefs"]);
    nodes
        .filter_map(|node| Reference::read(node, policy, "Service"))
        .collect()
}

/// Reads the CA certificate references of a BackendTLSPolicy.
pub(crate) fn policy_certificates<'a>(policy: &Object<'a>) -> Vec<Reference<'a>> {
    let nodes = policy.items(&["spec", "validation", "caCertificateRefs"]);
    nodes
        .filter_map(|node| Reference::read(node, policy, "ConfigMap"))
        .collect()
}
