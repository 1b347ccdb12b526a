//! Losses that no conformance report decides: settings beyond the API, differences, and input that
//! was not read.

use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::families::{Families, Parents};
use super::walk::Match;
use super::walk::Part::{self, Item, Name};
use super::{MAX_PLACES, Place, Places, short};
use crate::{
    Cluster, GROUP, Node, Object, Text, is_gateway_api, kinds_of_protocol, listeners, parameters,
};
use gwconform_base::api::{Channel, closed_set};
use gwconform_base::release::ReferenceFields;
use gwconform_base::release::ingress::Controllers;
use gwconform_base::release::served::X_GROUP;
use gwconform_base::text::counted;
use gwconform_base::text::message::Message;

/// Maximum distinct losses of a category.
const MAX_LOSSES: usize = 10_000;

/// Backends that features cover. Others are implementation-specific (`HTTPRouteRule.backendRefs`).
/// Some manifests use `core` for the core group.
const BACKENDS: [(&str, &str); 4] = [
    ("", "Service"),
    ("core", "Service"),
    ("multicluster.x-k8s.io", "ServiceImport"),
    (X_GROUP, "XBackend"),
];

const EXTERNAL_NAME: &str = "ExternalName";

const COMMON_ANNOTATIONS: &str = "kubectl.kubernetes.io";

/// Kind of a loss that no report decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossKind {
    /// Setting whose meaning each implementation defines, or object of another project.
    Beyond,
    /// Setting of an Ingress that the API does not have.
    NoEquivalent,
    /// Setting of an Ingress whose equivalent in the API has a different effect.
    Approximate,
    /// Annotations, objects or parts of files that were not read.
    NotRead,
    /// Annotation, kind, field or value that is not known.
    Unknown,
    /// Extended field or Route kind that no feature or profile covers.
    Untested,
}

closed_set! {
    /// Category of a setting outside the API.
    pub enum BeyondKind {
        /// Annotation with a domain.
        Annotation = "annotation",
        /// Backend kind outside the API.
        Backend = "backend",
        /// Implementation-specific filter.
        ExtensionRef = "extension-ref",
        /// API value with an implementation-specific meaning.
        Field = "field",
        /// Implementation-specific parameters.
        ParametersRef = "parameters-ref",
        /// Policy in another API group.
        Policy = "policy",
        /// Listener protocol outside the API.
        Protocol = "protocol",
        /// Setting of an Ingress that the API leaves to each implementation.
        Ingress = "ingress",
        /// Setting of an Ingress that the API does not have.
        NoEquivalent = "no-equivalent",
        /// Reference to a kind that the API does not allow in this field.
        Reference = "reference",
    }
}

/// Category of a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lost {
    /// Setting that the API leaves to each implementation or does not have.
    Setting(BeyondKind),
    /// Extended field or Route kind without tests.
    Field {
        /// Whether only the experimental channel has the field.
        is_experimental: bool,
        /// Whether this is a Route kind without a profile.
        is_route: bool,
    },
    /// Annotation whose equivalent has a different effect.
    Difference,
    /// Annotation of ingress-nginx that is not known.
    Annotation,
    /// Annotations and Ingresses of another controller.
    Controller,
    /// Part of a file.
    Part {
        /// Whether the part is a template that must be rendered first.
        is_template: bool,
    },
    /// Kind or version that no known release has.
    Kind,
    /// Field or value that no known release has.
    FieldOrValue,
    /// Route without parents, or Ingress whose controller is not known.
    Unserved,
    /// Objects of a kind that is not evaluated.
    Objects,
}

/// Loss that no conformance report decides.
#[derive(Debug)]
pub struct Loss<'a> {
    /// Category.
    pub lost: Lost,
    /// Name of the setting, field, annotation, controller or kind, or the reason.
    pub name: String,
    /// Difference, similar annotation, provider of ingress2gateway or API group, by category.
    pub rest: String,
    /// What is lost, such as ``ExtensionRef to `SnippetsFilter.gateway.acme.example` ``.
    pub title: Message,
    /// Third-party API group or annotation domain, if any.
    pub group: Option<String>,
    /// Whether ingress-nginx enforces the setting for security or correctness.
    pub is_enforced: bool,
    /// Places that use the setting.
    pub places: Places<'a>,
}

impl Loss<'_> {
    /// Name and number, such as `2 annotations of Traefik` or `1 document (a Helm template)`.
    pub(crate) fn in_short(&self) -> String {
        let title = self.title.to_string().replace('`', "");
        let before = |end: &str| title.split(end).next().unwrap_or_default().to_owned();
        let count = self.places.count;
        match self.lost {
            Lost::Controller => {
                let is_annotation =
                    |place: &&Place<'_>| place.pointer.starts_with("/metadata/annotations");
                match self.places.kept.iter().filter(is_annotation).count() {
                    0 => format!("Ingresses of {} ({count})", self.name),
                    count => format!("{} of {}", counted(count, "annotation"), self.name),
                }
            }
            Lost::Annotation => self.name.clone(),
            Lost::Objects => format!("{title} ({count})"),
            Lost::Part { .. } if title.starts_with("duplicate key") => before(": "),
            Lost::Part { .. } => format!("{} ({})", counted(count, "document"), before(": ")),
            Lost::Difference => before(": "),
            _ => before("; "),
        }
    }

    /// Provider of ingress2gateway that converts the Ingresses or objects.
    pub fn provider<'l>(&'l self, controllers: &'l Controllers) -> Option<&'l str> {
        match self.lost {
            Lost::Controller => Some(self.rest.as_str()).filter(|name| !name.is_empty()),
            Lost::Objects => {
                let kind = controllers.kinds.get(&full_name(&self.rest, &self.name))?;
                kind.as_deref()
            }
            _ => None,
        }
    }

    /// Whether this is a field that only the experimental channel has.
    pub fn is_experimental(&self) -> bool {
        matches!(
            self.lost,
            Lost::Field {
                is_experimental: true,
                ..
            }
        )
    }

    /// Kind of the loss.
    pub fn kind(&self) -> LossKind {
        match self.lost {
            Lost::Setting(BeyondKind::NoEquivalent) => LossKind::NoEquivalent,
            Lost::Setting(_) => LossKind::Beyond,
            Lost::Field { .. } => LossKind::Untested,
            Lost::Difference => LossKind::Approximate,
            Lost::Annotation | Lost::Kind | Lost::FieldOrValue | Lost::Unserved => {
                LossKind::Unknown
            }
            Lost::Controller | Lost::Part { .. } | Lost::Objects => LossKind::NotRead,
        }
    }
}

#[derive(Default)]
pub(super) struct Collected<'a> {
    found: BTreeMap<(Lost, String, String), Loss<'a>>,
    counts: BTreeMap<Lost, usize>,
    left_out: usize,
    /// Families of the current object.
    pub(super) families: Option<Families>,
    pub(super) policies: BTreeSet<usize>,
    /// ConfigMaps of ingress-nginx.
    pub(super) read: BTreeSet<usize>,
    /// Annotations of tools that work with any gateway, by tool.
    pub(super) kept: BTreeMap<String, Places<'a>>,
}

/// Whether an API group belongs to a project outside Kubernetes.
pub fn is_own(group: &str) -> bool {
    let is_of_kubernetes = [".k8s.io", ".x-k8s.io"]
        .iter()
        .any(|end| group.ends_with(end));
    group.contains('.') && !is_of_kubernetes
}

/// Kind with its API group, such as `SnippetsFilter.gateway.acme.example`.
pub fn full_name(group: &str, kind: &str) -> String {
    match group {
        "" => short(kind).to_owned(),
        group => format!("{}.{}", short(kind), short(group)),
    }
}

impl<'a> Collected<'a> {
    pub(super) fn field(&mut self, name: &str, mut place: impl FnMut() -> Place<'a>) {
        let key = (
            Lost::Setting(BeyondKind::Field),
            name.to_owned(),
            String::new(),
        );
        let mut title = |name: &str, _: &str| Message::words(name.to_owned());
        self.add(key, None, &mut title, &mut place);
    }

    /// Extended field or Route kind that no feature or profile covers.
    pub(super) fn untested(
        &mut self,
        name: String,
        (is_experimental, is_route): (bool, bool),
        mut place: impl FnMut() -> Place<'a>,
    ) {
        let lost = Lost::Field {
            is_experimental,
            is_route,
        };
        let mut title = |name: &str, _: &str| Message::words(name.to_owned());
        self.add((lost, name, String::new()), None, &mut title, &mut place);
    }

    /// Setting of an Ingress, such as ``rate limits: `limit-rps` ``.
    pub(super) fn setting(
        &mut self,
        of: BeyondKind,
        what: &str,
        (annotation, is_enforced): (&str, bool),
        mut place: impl FnMut() -> Place<'a>,
    ) {
        let key = (Lost::Setting(of), what.to_owned(), annotation.to_owned());
        let mut title = |what: &str, annotation: &str| {
            let mut title = Message::words(format!("{what}: "));
            title.push_code(annotation);
            title
        };
        if let Some(added) = self.add(key, None, &mut title, &mut place) {
            added.is_enforced |= is_enforced;
        }
    }

    /// Difference between an annotation and its equivalent.
    pub(super) fn difference(&mut self, place: &Place<'a>, difference: &str) {
        let key = (
            Lost::Difference,
            place.key().to_owned(),
            difference.to_owned(),
        );
        let mut title = |name: &str, difference: &str| {
            let mut title = Message::code(name.rsplit('/').next().unwrap_or_default());
            title.push_words(format!(": {difference}").into());
            title
        };
        self.add(key, None, &mut title, &mut || place.clone());
    }

    /// Annotation of ingress-nginx that the table does not have. Many of them are not misspelled, so
    /// only the first are compared with known ones.
    pub(super) fn unknown<'s>(
        &mut self,
        similar: impl FnOnce() -> Option<&'s str>,
        place: Place<'a>,
    ) {
        let key = (Lost::Annotation, place.field.clone(), String::new());
        let is_new = !self.found.contains_key(&key);
        let has_room = self.counts.get(&Lost::Annotation) < Some(&MAX_PLACES);
        let similar = (is_new && has_room).then(similar).flatten();
        let mut title = |name: &str, _: &str| {
            let mut title = Message::words("unknown annotation ");
            title.push_code(name);
            if let Some(similar) = similar {
                title.push_words("; did you mean ".into());
                title.push_code(similar);
                title.push_words("?".into());
            }
            title
        };
        let loss = self.add(key, None, &mut title, &mut || place.clone());
        if let (Some(loss), Some(similar)) = (loss, similar) {
            similar.clone_into(&mut loss.rest);
        }
    }

    /// Ingress whose controller is not known. The class may be empty.
    pub(super) fn class(&mut self, class: &str, place: Place<'a>) {
        let key = (Lost::Unserved, short(class).to_owned(), String::new());
        let mut title = |class: &str, _: &str| {
            let mut title = Message::words("Ingresses ");
            match class {
                "" => title.push_words("without a class".into()),
                class => {
                    title.push_words("of the class ".into());
                    title.push_code(class);
                }
            }
            title.push_words(
                ": controller unknown; pass the IngressClass, for example from ".into(),
            );
            title.push_code("kubectl get ingressclass -o yaml");
            title
        };
        self.add(key, None, &mut title, &mut || place.clone());
    }

    /// Ingress or annotation of another controller.
    pub(super) fn controller(&mut self, name: &str, provider: Option<&str>, place: Place<'a>) {
        let provider = provider.unwrap_or_default().to_owned();
        let key = (Lost::Controller, short(name).to_owned(), provider);
        let mut title = |name: &str, _: &str| Message::words(format!("settings of {name}"));
        self.add(key, None, &mut title, &mut || place.clone());
    }

    /// Part of a file that was not read.
    pub(super) fn part(
        &mut self,
        is_template: bool,
        reason: &str,
        mut place: impl FnMut() -> Place<'a>,
    ) {
        let key = (Lost::Part { is_template }, reason.to_owned(), String::new());
        let mut title = |reason: &str, _: &str| Message::of_text(reason);
        self.add(key, None, &mut title, &mut place);
    }

    /// Object of a kind that is not evaluated.
    pub(super) fn objects(&mut self, object: &Object<'a>, mut place: impl FnMut() -> Place<'a>) {
        let (kind, group) = (short(object.kind_name), short(object.group));
        let key = (Lost::Objects, kind.to_owned(), group.to_owned());
        let mut title = |kind: &str, group: &str| Message::code(full_name(group, kind));
        self.add(key, Some(object.group), &mut title, &mut place);
    }

    pub(super) fn object(&mut self, controllers: &Controllers, cluster: &Cluster<'a>, at: usize) {
        let object = &cluster.objects[at];
        if !is_gateway_api(object.group) {
            if is_own(object.group) {
                self.policy(cluster, at);
            }
            return;
        }
        self.parameters(object, at);
        if object.is_route() {
            self.rules(cluster, at);
        }
        let has_listeners = matches!(object.kind_name, "Gateway" | "ListenerSet" | "XListenerSet");
        if has_listeners {
            self.protocols(object, at);
            self.addresses(object, at);
        }
        if has_listeners || object.is_route() {
            self.annotations(controllers, object, at);
        }
    }

    pub(super) fn reference(
        &mut self,
        fields: &ReferenceFields,
        found: &Match<'_, 'a>,
        parents: &Parents,
        at: usize,
    ) {
        let reference = found.node;
        let or = |name, other| reference.text_at(name).map_or(other, |text| text.value);
        let default = fields.kinds.first().map_or("", String::as_str);
        let (group, kind) = (or("group", ""), or("kind", default));
        let is_of_the_api = !group.contains('.') || is_gateway_api(group);
        let is_known = is_of_the_api && fields.kinds.iter().any(|known| known == kind);
        // If the API allows the kind, only its group is implementation-specific.
        let group = match (is_known, reference.text_at("group")) {
            (false, _) => group,
            (true, None) => GROUP,
            (true, Some(_)) if group.is_empty() => "core",
            (true, Some(_)) => group,
        };
        if (!is_known || parents.is_foreign(found.trail)) && reference.is_map() {
            let place = || Place::of(found, at);
            let words = format!("{} of kind ", fields.name);
            self.named(BeyondKind::Reference, words, (group, kind), place);
        }
    }

    fn protocols(&mut self, object: &Object<'a>, at: usize) {
        for (nth, listener) in listeners(object).iter().enumerate() {
            let Some(protocol) = listener.node.text_at("protocol") else {
                continue;
            };
            if protocol.value.is_empty() || kinds_of_protocol(protocol.value).is_some() {
                continue;
            }
            let trail = [Name("spec"), Name("listeners"), Item(nth), Name("protocol")];
            let place = || Place::at(protocol.node, at, &trail);
            self.value(BeyondKind::Protocol, "protocol ", protocol.value, place);
        }
    }

    fn addresses(&mut self, object: &Object<'a>, at: usize) {
        for (nth, address) in object.items(&["spec", "addresses"]).enumerate() {
            let Some(kind) = address.text_at("type") else {
                continue;
            };
            if !["", "IPAddress", "Hostname"].contains(&kind.value) {
                let trail = [Name("spec"), Name("addresses"), Item(nth), Name("type")];
                let place = || Place::at(kind.node, at, &trail);
                self.value(BeyondKind::Field, "address of type ", kind.value, place);
            }
        }
    }

    fn value(
        &mut self,
        of: BeyondKind,
        words: &'static str,
        value: &str,
        mut place: impl FnMut() -> Place<'a>,
    ) {
        let domain = value.split_once('/').map(|(domain, _)| domain);
        let name = format!("{words}{}", short(value));
        let key = (Lost::Setting(of), name, String::new());
        let mut title = |_: &str, _: &str| {
            let mut title = Message::words(words);
            title.push_code(short(value));
            title
        };
        self.add(key, domain, &mut title, &mut place);
    }

    fn rules(&mut self, cluster: &Cluster<'a>, at: usize) {
        let route = &cluster.objects[at];
        for (rule_at, rule) in route.items(&["spec", "rules"]).enumerate() {
            let trail = vec![Name("spec"), Name("rules"), Item(rule_at)];
            self.filters(cluster, rule, at, &trail);
            for (nth, backend) in rule.items_at("backendRefs").enumerate() {
                let mut trail = trail.clone();
                trail.extend([Name("backendRefs"), Item(nth)]);
                self.backend(cluster, backend, at, &trail);
                self.filters(cluster, backend, at, &trail);
            }
        }
    }

    fn filters(&mut self, cluster: &Cluster<'a>, owner: Node<'a>, at: usize, trail: &[Part<'_>]) {
        for (nth, filter) in owner.items_at("filters").enumerate() {
            let mut trail = trail.to_vec();
            trail.extend([Name("filters"), Item(nth)]);
            for name in ["requestMirror", "externalAuth"] {
                if let Some(backend) = filter.at(&[name, "backendRef"]) {
                    let rest = [Name(name), Name("backendRef")];
                    self.backend(cluster, backend, at, &[trail.as_slice(), &rest].concat());
                }
            }
            if filter.str_at("type") != "ExtensionRef" {
                continue;
            }
            let Some(extension) = filter.get("extensionRef") else {
                continue;
            };
            trail.push(Name("extensionRef"));
            let (group, kind) = (extension.str_at("group"), extension.str_at("kind"));
            let place = || Place::at(extension, at, &trail);
            self.named(
                BeyondKind::ExtensionRef,
                "ExtensionRef to ",
                (group, kind),
                place,
            );
        }
    }

    fn backend(&mut self, cluster: &Cluster<'a>, backend: Node<'a>, at: usize, trail: &[Part<'_>]) {
        let (group, kind) = (backend.str_at("group"), backend.str_at("kind"));
        let kind = if kind.is_empty() { "Service" } else { kind };
        if !BACKENDS.contains(&(group, kind)) {
            let place = || Place::at(backend, at, trail);
            self.named(
                BeyondKind::Backend,
                "backend of kind ",
                (group, kind),
                place,
            );
        } else if kind == "Service" {
            let place = || Place::at(backend, at, trail);
            let own = cluster.objects[at].namespace;
            let named = backend.text_at("namespace");
            let namespace = named.map_or(own, |text| text.value);
            self.service(cluster, (namespace, backend.str_at("name")), place);
        }
    }

    /// Finds a backend Service that the API leaves to each implementation
    /// (`BackendObjectReference.kind`). Returns whether it is one.
    pub(super) fn service(
        &mut self,
        cluster: &Cluster<'a>,
        (namespace, name): (&str, &str),
        place: impl FnMut() -> Place<'a>,
    ) -> bool {
        let service = cluster.find("", "Service", namespace, name);
        let spec = service.and_then(|at| cluster.objects[at].at(&["spec"]));
        let is_external = spec.is_some_and(|spec| spec.str_at("type") == EXTERNAL_NAME);
        if is_external {
            let words = "backend Service of type ";
            self.value(BeyondKind::Backend, words, EXTERNAL_NAME, place);
        }
        is_external
    }

    fn parameters(&mut self, object: &Object<'a>, at: usize) {
        let of_class = parameters(object).map(|reference| (reference.node, &["spec"][..]));
        let of_gateway = object
            .at(&["spec", "infrastructure", "parametersRef"])
            .map(|node| (node, &["spec", "infrastructure"][..]));
        for (node, path) in of_class.into_iter().chain(of_gateway) {
            let mut trail: Vec<Part<'_>> = path.iter().copied().map(Name).collect();
            trail.push(Name("parametersRef"));
            let named = (node.str_at("group"), node.str_at("kind"));
            let place = || Place::at(node, at, &trail);
            self.named(BeyondKind::ParametersRef, "parametersRef to ", named, place);
        }
    }

    fn annotations(&mut self, controllers: &Controllers, object: &Object<'a>, at: usize) {
        let annotations = object.at(&["metadata", "annotations"]).into_iter();
        for (key, _) in annotations.flat_map(Node::entries) {
            self.annotation(controllers, key, at);
        }
    }

    /// Returns whether the annotation is beyond the API. Those of common tools keep working with
    /// any gateway.
    pub(super) fn annotation(
        &mut self,
        controllers: &Controllers,
        key: Text<'a>,
        at: usize,
    ) -> bool {
        let Some((domain, _)) = key.value.split_once('/') else {
            return false;
        };
        if domain == COMMON_ANNOTATIONS || domain.is_empty() {
            return false;
        }
        let trail = [
            Name("metadata"),
            Name("annotations"),
            Name(short(key.value)),
        ];
        let mut place = || {
            let mut place = Place::at(key.node, at, &trail);
            place.field = "metadata.annotations".to_owned();
            place
        };
        if let Some(tool) = controllers.kept_by(key.value) {
            self.kept.entry(tool.to_owned()).or_default().add(place);
            return false;
        }
        let key = (
            Lost::Setting(BeyondKind::Annotation),
            short(domain).to_owned(),
            String::new(),
        );
        let mut title = |domain: &str, _: &str| {
            let mut title = Message::words("annotations of ");
            title.push_code(domain);
            title
        };
        self.add(key, Some(domain), &mut title, &mut place);
        true
    }

    fn policy(&mut self, cluster: &Cluster<'a>, at: usize) {
        let policy = &cluster.objects[at];
        for target in policy.targets() {
            let or = |name, other| target.text_at(name).map_or(other, |text| text.value);
            let (kind, name) = (target.str_at("kind"), target.str_at("name"));
            let is_of_the_api = kind.ends_with("Route") || kind.starts_with("Gateway");
            let default = if name.is_empty() || is_of_the_api {
                GROUP
            } else {
                ""
            };
            let group = match or("group", default) {
                // Some policies use `core` for the core group.
                "core" => "",
                group => group,
            };
            // The target is in the policy's namespace, or cluster-scoped.
            let namespaces = [or("namespace", policy.namespace), "", "default"];
            // Any object may have the labels of a selector.
            let is_there = |namespace: &&str| match name {
                "" => cluster.includes(group, kind, namespace),
                name => cluster.find(group, kind, namespace, name).is_some(),
            };
            // Routes send requests to Services, which need not be in the input.
            let is_target = is_gateway_api(group) || (group, kind) == ("", "Service");
            if kind.is_empty() || !is_target && !namespaces.iter().any(is_there) {
                continue;
            }
            self.policies.insert(at);
            let key = (
                Lost::Setting(BeyondKind::Policy),
                full_name(policy.group, policy.kind_name),
                format!("{} {}", short(kind), short(name)),
            );
            let mut title = |policy: &str, target: &str| {
                let mut title = Message::code(policy);
                title.push_words(" targets ".into());
                title.push_code(target.trim_end());
                if name.is_empty() {
                    title.push_words(" by label".into());
                }
                title
            };
            let node = policy.root.get("kind").unwrap_or(policy.root);
            let mut place = || Place::at(node, at, &[Name("kind")]);
            self.add(key, Some(policy.group), &mut title, &mut place);
        }
    }

    pub(super) fn named(
        &mut self,
        of: BeyondKind,
        words: impl Into<Cow<'static, str>>,
        (group, kind): (&str, &str),
        mut place: impl FnMut() -> Place<'a>,
    ) {
        let words = words.into();
        let key = (Lost::Setting(of), full_name(group, kind), words.to_string());
        let mut title = |name: &str, _: &str| {
            let mut title = Message::words(words.clone());
            title.push_code(name);
            title
        };
        self.add(key, Some(group), &mut title, &mut place);
    }

    pub(super) fn add(
        &mut self,
        key: (Lost, String, String),
        group: Option<&str>,
        title: &mut dyn FnMut(&str, &str) -> Message,
        place: &mut dyn FnMut() -> Place<'a>,
    ) -> Option<&mut Loss<'a>> {
        let count = self.counts.entry(key.0).or_default();
        let is_full = *count >= MAX_LOSSES;
        let loss = match self.found.entry(key) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(_) if is_full => {
                self.left_out += 1;
                return None;
            }
            Entry::Vacant(new) => {
                *count += 1;
                let (lost, name, rest) = new.key().clone();
                let group = group.filter(|group| is_own(group));
                new.insert(Loss {
                    lost,
                    title: title(&name, &rest),
                    name,
                    rest,
                    group: group.map(|group| short(group).to_owned()),
                    is_enforced: false,
                    places: Places::default(),
                })
            }
        };
        (loss.places).add_of(self.families, Channel::Standard, place);
        Some(loss)
    }

    pub(super) fn finish(self) -> (Vec<Loss<'a>>, usize) {
        let found = self.found.into_values().map(|mut loss| {
            loss.places.sort();
            loss
        });
        (found.collect(), self.left_out)
    }
}
