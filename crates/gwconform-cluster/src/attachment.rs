use super::conditions::Value;
use super::gateway::{Listener, ParentRef, RouteKind, kinds_of_protocol};
use super::node::Node;
use super::object::{Kind, Object};
use super::status::Status;
use super::{GROUP, MAX_ITEMS, X_GROUP};

/// Reason why no listener accepts a Route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No listener has the section name.
    Section,
    /// No listener has the port.
    Port,
    /// No listener allows the Route kind.
    Kind,
    /// No listener allows the Route's namespace.
    Namespace,
    /// No listener's hostname matches.
    Hostname,
}

/// Returns why no listener accepts a Route. `None` if a listener accepts it, or if the
/// labels of an unknown namespace or an implementation-specific protocol decide. `namespace` is the
/// Namespace of the Route.
pub fn refusal(
    route: &Object<'_>,
    parent: &ParentRef<'_>,
    owner: &Object<'_>,
    listeners: &[Listener<'_>],
    namespace: Option<&Object<'_>>,
) -> Option<Refusal> {
    let mut left: Vec<&Listener<'_>> = listeners.iter().collect();
    let mut keep = |takes: &dyn Fn(&Listener<'_>) -> bool, why: Refusal| {
        left.retain(|listener| takes(listener));
        left.is_empty().then_some(why)
    };
    let hostnames = hostnames(route);
    keep(
        &|listener| parent.section.is_empty() || listener.name == parent.section,
        Refusal::Section,
    )
    .or_else(|| {
        keep(
            &|listener| parent.port.is_empty() || listener.port() == parent.port,
            Refusal::Port,
        )
    })
    .or_else(|| keep(&|listener| takes_kind(listener, route), Refusal::Kind))
    .or_else(|| {
        keep(
            &|listener| {
                let namespaces = listener.node.at(&["allowedRoutes", "namespaces"]);
                allows(namespaces, route, owner, namespace) != Some(false)
            },
            Refusal::Namespace,
        )
    })
    .or_else(|| {
        keep(
            &|listener| has_hostname(listener, &hostnames),
            Refusal::Hostname,
        )
    })
}

/// Whether a listener certainly accepts a Route. `status` is the status of the listener, whose
/// `supportedKinds` decide about the kind.
pub(crate) fn takes(
    route: &Object<'_>,
    parent: &ParentRef<'_>,
    owner: &Object<'_>,
    (listener, status): (&Listener<'_>, &Status<'_>),
    namespace: Option<&Object<'_>>,
) -> bool {
    let is_valid = status.value("Accepted") == Some(Value::True)
        && status.value("Conflicted") != Some(Value::True)
        && ["Programmed", "ResolvedRefs"].map(|name| status.value(name)) == [Some(Value::True); 2];
    let kinds = status.entry.into_iter();
    let mut kinds = kinds.flat_map(|entry| entry.items_at("supportedKinds").map(RouteKind::read));
    let namespaces = listener.node.at(&["allowedRoutes", "namespaces"]);
    is_valid
        && (parent.section.is_empty() || listener.name == parent.section)
        && (parent.port.is_empty() || listener.port() == parent.port)
        && kinds_of_protocol(listener.protocol).is_some()
        && kinds.any(|kind| (kind.group, kind.kind) == (route.group, route.kind_name))
        && takes_kind(listener, route)
        && allows(namespaces, route, owner, namespace) == Some(true)
        && has_hostname(listener, &hostnames(route))
}

/// Whether `namespaces` (`from` and `selector`) allows objects of a namespace. `None` if unknown.
pub fn allows(
    namespaces: Option<Node<'_>>,
    object: &Object<'_>,
    owner: &Object<'_>,
    namespace: Option<&Object<'_>>,
) -> Option<bool> {
    let namespaces = namespaces?;
    match namespaces.str_at("from") {
        "All" => Some(true),
        "Same" => Some(object.namespace == owner.namespace),
        "None" => Some(false),
        "Selector" => selects(namespaces.get("selector")?, namespace?),
        _ => None,
    }
}

/// Whether a label selector selects a Namespace. `None` if the Namespace has no labels, which the
/// API server sets, or if the selector is invalid or too large.
fn selects(selector: Node<'_>, namespace: &Object<'_>) -> Option<bool> {
    let labels = namespace.at(&["metadata", "labels"])?;
    let (equal, others) = (
        selector.get("matchLabels"),
        selector.get("matchExpressions"),
    );
    let most = MAX_ITEMS + 1;
    let equal: Vec<_> = equal
        .into_iter()
        .flat_map(Node::entries)
        .take(most)
        .collect();
    let others: Vec<_> = others
        .into_iter()
        .flat_map(Node::items)
        .take(most)
        .collect();
    let sizes = [
        labels.entries().take(most).count(),
        equal.len(),
        others.len(),
    ];
    if sizes.contains(&most) {
        return None;
    }
    let label = |name: &str| labels.text_at(name).map(|label| label.value);
    let mut is_selected = equal
        .iter()
        .all(|(name, value)| label(name.value) == Some(value.text().map_or("", |text| text.value)));
    for requirement in others {
        let found = label(requirement.str_at("key"));
        let values: Vec<_> = requirement.items_at("values").take(most).collect();
        if values.len() == most {
            return None;
        }
        let mut values = values.into_iter().filter_map(Node::text);
        is_selected &= match requirement.str_at("operator") {
            "In" => values.any(|value| found == Some(value.value)),
            "NotIn" => !values.any(|value| found == Some(value.value)),
            "Exists" => found.is_some(),
            "DoesNotExist" => found.is_none(),
            _ => return None,
        };
    }
    Some(is_selected)
}

fn takes_kind(listener: &Listener<'_>, route: &Object<'_>) -> bool {
    let mut allowed = listener.allowed_kinds().take(MAX_ITEMS).peekable();
    if allowed.peek().is_some() {
        return allowed.any(|kind| (kind.group, kind.kind) == (route.group, route.kind_name));
    }
    // Accept TLSRoutes on HTTPS listeners and other Routes on TLS listeners, because
    // implementations disagree about them.
    let has_tls = matches!(listener.protocol, "TLS" | "HTTPS");
    let Some(kinds) = kinds_of_protocol(listener.protocol) else {
        return true;
    };
    has_tls || ![GROUP, X_GROUP].contains(&route.group) || kinds.contains(&route.kind_name)
}

fn hostnames<'a>(route: &Object<'a>) -> Vec<&'a str> {
    let has_hostnames = matches!(
        route.kind,
        Some(Kind::HttpRoute | Kind::GrpcRoute | Kind::TlsRoute)
    );
    let spec = route.at(&["spec"]).filter(|_| has_hostnames).into_iter();
    let items = spec.flat_map(|spec| spec.items_at("hostnames"));
    let texts = items.filter_map(|item| Some(item.text()?.value));
    texts.take(MAX_ITEMS).collect()
}

fn has_hostname(listener: &Listener<'_>, hostnames: &[&str]) -> bool {
    let own = listener.hostname();
    let is_matched = matches!(listener.protocol, "HTTP" | "HTTPS" | "TLS");
    !is_matched
        || own.is_empty()
        || hostnames.is_empty()
        || hostnames.iter().any(|name| hostnames_meet(own, name))
}

/// Whether two hostnames overlap. A wildcard (`*.`) matches one or more labels.
pub(crate) fn hostnames_meet(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(str::to_ascii_lowercase);
    let covers = |wildcard: &str, name: &str| {
        let suffix = wildcard
            .strip_prefix('*')
            .filter(|suffix| suffix.starts_with('.'));
        suffix.is_some_and(|suffix| name.len() > suffix.len() && name.ends_with(suffix))
    };
    one == other || covers(&one, &other) || covers(&other, &one)
}

#[cfg(test)]
mod tests {
    use super::hostnames_meet;

    #[test]
    fn wildcards_stand_for_one_label_or_more() {
        for (one, other) in [
            ("a.example", "A.example"),
            ("*.example", "a.example"),
            ("*.example", "a.b.example"),
            ("a.b.example", "*.example"),
            ("*.example", "*.b.example"),
            ("*.example", "*.example"),
        ] {
            assert!(hostnames_meet(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("a.example", "b.example"),
            ("*.example", "example"),
            ("*.a.example", "*.b.example"),
            ("*.example", "anexample"),
            ("*", "a"),
        ] {
            assert!(!hostnames_meet(one, other), "{one} {other}");
        }
    }
}
