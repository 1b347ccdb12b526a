//! Reads Ingresses with `schema/registry/ingress-nginx.json`: the features that their hosts, paths
//! and annotations require once they are Gateways and Routes.

mod class;
mod summary;
mod paths;
mod ingress_object;

use std::collections::{BTreeSet, HashSet};

use super::collector::{Certainty, Collector};
use super::families::Families;
use super::losses::BeyondKind;
use super::walk::Part::{self, Item, Name};
use super::{Place, short};
use crate::{Cluster, Node, Object, Text};
use class::{Classes, Controller};
use gwconform_base::api::{Channel, Family};
use gwconform_base::release::ingress::{
    IngressCase, IngressRow, IngressTable, Outcome, ValueMatch,
};
use gwconform_base::text::suggest;
use ingress_object::{annotations, has_tls, tls_hosts};
pub use summary::{IngressCounts, Ingresses};

/// True for an Ingress of any API version.
pub(crate) fn is_ingress(object: &Object<'_>) -> bool {
    object.is_ingress()
}

/// True for an IngressClass, which names the controller of Ingresses.
pub(crate) fn is_class(object: &Object<'_>) -> bool {
    object.kind_name == "IngressClass" && object.group == "networking.k8s.io"
}

pub(super) fn add<'a>(collector: &mut Collector<'_, 'a>, cluster: &Cluster<'a>) {
    let all = cluster.objects.iter().enumerate();
    let ingresses: Vec<(usize, &Object<'a>)> =
        all.filter(|(_, object)| is_ingress(object)).collect();
    if ingresses.is_empty() {
        return;
    }
    let registry = collector.registry;
    let classes = Classes::read(cluster, registry);
    let own = |(_, object): &&(usize, &Object<'a>)| {
        matches!(classes.controller_of(object), Controller::Nginx)
    };
    let hosts: HashSet<&str> = (ingresses.iter().filter(own))
        .flat_map(|(_, object)| tls_hosts(object))
        .collect();
    for (at, object) in ingresses {
        let reader = Reader {
            table: registry.ingress(),
            object,
            at,
            annotations: annotations(object),
            has_tls: has_tls(object, &hosts),
            route: "HTTPRoute",
            flags: Flags::default(),
            features: BTreeSet::new(),
        };
        reader.read(collector, cluster, &classes.controller_of(object));
    }
}

#[derive(Clone, Copy, Default)]
struct Flags {
    is_extended: bool,
    is_beyond: bool,
    has_no_equivalent: bool,
    is_unknown: bool,
}

struct Reader<'r, 'o, 'a> {
    table: &'r IngressTable,
    object: &'o Object<'a>,
    at: usize,
    annotations: Vec<(Text<'a>, Node<'a>)>,
    has_tls: bool,
    route: &'static str,
    flags: Flags,
    features: BTreeSet<&'r str>,
}

impl<'r, 'a> Reader<'r, '_, 'a> {
    fn read(
        mut self,
        collector: &mut Collector<'r, 'a>,
        cluster: &Cluster<'a>,
        controller: &Controller<'_>,
    ) {
        let table = self.table;
        collector.losses.families = Some(Families::GATEWAY);
        let found = &mut collector.ingresses;
        let mut cases: Vec<(&'r str, Place<'a>, &'r IngressCase)> = Vec::new();
        if let Controller::Other(name, provider) = controller {
            let controllers = collector.registry.controllers();
            let is_its = |(key, _): &(Text<'a>, Node<'a>)| {
                controllers
                    .controller_with(key.value)
                    .is_some_and(|own| own.name == *name)
            };
            // Annotations show the controller too.
            if !self.annotations.iter().any(is_its) {
                collector.losses.controller(name, *provider, self.kind());
            }
        } else {
            *found.nginx.entry(class::name(self.object)).or_default() += 1;
            cases = self.cases(found);
            let route = cases.iter().find_map(|(_, _, case)| case.route.as_deref());
            self.route = match route {
                Some("GRPCRoute") => "GRPCRoute",
                Some("TLSRoute") => "TLSRoute",
                _ => "HTTPRoute",
            };
        }
        self.route(collector);
        self.backends(collector, cluster);
        // Annotations that only refine others come last, so that places name the main one. After
        // them, those with defaults, so that a written need counts as written.
        cases.sort_by_key(|(_, _, case)| (!case.defaults.is_empty(), !case.with.is_empty()));
        for (name, place, case) in cases {
            self.case(collector, name, &place, case);
        }
        for (key, _) in self.annotations.clone() {
            let is_nginx = matches!(controller, Controller::Nginx);
            let is_own = is_nginx && key.value.starts_with(&table.prefix);
            if is_own {
                self.unknown(collector, key);
            } else {
                self.of_others(collector, key);
            }
        }
        self.count(collector);
    }

    fn count(&self, collector: &mut Collector<'r, 'a>) {
        let counts = &mut collector.ingresses.counts;
        let Flags {
            is_extended,
            is_beyond,
            has_no_equivalent,
            is_unknown,
        } = self.flags;
        let is_core = !(is_extended || is_beyond || has_no_equivalent || is_unknown);
        counts.ingresses += 1;
        counts.core += usize::from(is_core);
        counts.extended += usize::from(is_extended);
        counts.beyond += usize::from(is_beyond);
        counts.no_equivalent += usize::from(has_no_equivalent);
        counts.unknown += usize::from(is_unknown);
    }

    /// Matching cases in file order, without those that another annotation turns off.
    fn cases(&self, found: &mut Ingresses<'a>) -> Vec<(&'r str, Place<'a>, &'r IngressCase)> {
        let table = self.table;
        let alone = table.alone.iter().find(|alone| {
            let value = self.value(&alone.annotation);
            value.is_some_and(|value| alone.value.matches(value))
        });
        let is_kept =
            |name: &str| alone.is_none_or(|alone| alone.keeps.iter().any(|one| one == name));
        let mut cases = Vec::new();
        if let Some(row) = table
            .tls
            .as_ref()
            .filter(|_| self.has_tls && is_kept("tls"))
            && let Some(case) = self.matching(row, "tls")
        {
            cases.push(("tls", self.tls(), case));
        }
        for (key, value) in &self.annotations {
            let Some(name) = key.value.strip_prefix(&table.prefix) else {
                continue;
            };
            let Some((name, row)) = table.rows.get_key_value(name) else {
                continue;
            };
            let text = value.text().map_or("", |text| text.value);
            let Some(case) = self.matching(row, text) else {
                continue;
            };
            let place = self.annotation(*key, *value);
            match alone.filter(|_| !is_kept(name)) {
                None => cases.push((name.as_str(), place, case)),
                Some(_) if case.is_default() => {}
                Some(alone) => {
                    let key = (alone.annotation.clone(), place.annotation);
                    let places = found.ignored.entry(key).or_default();
                    places.add(|| place.unvalued());
                }
            }
        }
        cases
    }

    fn matching(&self, row: &'r IngressRow, value: &str) -> Option<&'r IngressCase> {
        let holds = |(name, wanted): &(String, ValueMatch)| {
            self.value(name).is_some_and(|value| wanted.matches(value))
        };
        row.cases.iter().find(|case| {
            case.value.matches(value)
                && (!case.needs_tls || self.has_tls)
                && case.with.iter().all(holds)
                && !case.without.iter().any(holds)
        })
    }

    /// Value of an annotation of ingress-nginx.
    fn value(&self, name: &str) -> Option<&'a str> {
        let mut all = self.annotations.iter();
        let (_, value) =
            all.find(|(key, _)| key.value.strip_prefix(&self.table.prefix) == Some(name))?;
        Some(value.text().map_or("", |text| text.value))
    }

    fn route(&self, collector: &mut Collector<'r, 'a>) {
        let place = self.kind();
        for name in ["Gateway", self.route] {
            let of = (Some(Families::GATEWAY), Channel::Standard);
            collector.feature(name, Certainty::Certain, of, || place.clone());
        }
        let routes = collector.routes.entry((self.route, Family::Gateway));
        routes.or_default().add(|| place.clone());
    }

    fn backends(&mut self, collector: &mut Collector<'r, 'a>, cluster: &Cluster<'a>) {
        let mut found = Vec::new();
        let spec = self.object.at(&["spec"]);
        for name in ["defaultBackend", "backend"] {
            let backend = spec.and_then(|spec| spec.get(name));
            found.extend(backend.map(|backend| (backend, vec![Name("spec"), Name(name)])));
        }
        for (nth, rule) in self.object.items(&["spec", "rules"]).enumerate() {
            let paths = rule
                .at(&["http", "paths"])
                .into_iter()
                .flat_map(Node::items);
            for (path_at, path) in paths.enumerate() {
                let mut trail = vec![Name("spec"), Name("rules"), Item(nth)];
                trail.extend([Name("http"), Name("paths"), Item(path_at), Name("backend")]);
                found.extend(path.get("backend").map(|backend| (backend, trail)));
            }
        }
        for (backend, mut trail) in found {
            let Some(resource) = backend.get("resource") else {
                let (name, field) = match backend.get("service") {
                    Some(service) => (service.str_at("name"), "service"),
                    None => (backend.str_at("serviceName"), "serviceName"),
                };
                trail.push(Name(field));
                let node = backend.get(field).unwrap_or(backend);
                let named = match self.object.namespace {
                    "" => ("default", name),
                    namespace => (namespace, name),
                };
                let place = || Place::at(node, self.at, &trail);
                self.flags.is_beyond |= collector.losses.service(cluster, named, place);
                continue;
            };
            trail.push(Name("resource"));
            let (group, kind) = (resource.str_at("apiGroup"), resource.str_at("kind"));
            let place = || Place::at(resource, self.at, &trail);
            let (of, words) = (BeyondKind::Backend, "backend of kind ");
            collector.losses.named(of, words, (group, kind), place);
            self.flags.is_beyond = true;
        }
    }

    fn case(
        &mut self,
        collector: &mut Collector<'r, 'a>,
        name: &'r str,
        place: &Place<'a>,
        case: &'r IngressCase,
    ) {
        if let Some(difference) = &case.approximate {
            collector.losses.difference(place, difference);
        }
        match &case.outcome {
            Outcome::Core(_) => {}
            Outcome::Extended(features) => {
                for feature in features {
                    let alternative = case.defaults.get(feature);
                    self.feature(collector, (feature, alternative), name, place);
                }
            }
            Outcome::Beyond(what) => self.beyond(collector, what, (name, case.is_enforced), place),
            Outcome::NoEquivalent(what) => {
                self.flags.has_no_equivalent = true;
                let of = BeyondKind::NoEquivalent;
                let setting = (name, case.is_enforced);
                collector
                    .losses
                    .setting(of, what, setting, || place.unvalued());
            }
            Outcome::Shape(shape) => {
                let shown = paths::shown(*shape, self.object, place, self.value("rewrite-target"));
                for feature in shown.features {
                    self.feature(collector, (feature, None), name, place);
                }
                for what in shown.beyond {
                    self.beyond(collector, what, (name, false), place);
                }
                if let Some(difference) = shown.approximate {
                    collector.losses.difference(place, difference);
                }
            }
        }
        if let Some((features, because)) = &case.perhaps {
            for feature in features.iter().filter(|_| self.route == "HTTPRoute") {
                collector.because.insert(feature, because);
                let of = (Some(Families::GATEWAY), Channel::Standard);
                collector.feature(feature, Certainty::Perhaps, of, || place.clone());
            }
        }
    }

    /// Each Ingress counts once per feature. A GRPCRoute has no fields for features of HTTPRoutes.
    fn feature(
        &mut self,
        collector: &mut Collector<'r, 'a>,
        (feature, alternative): (&'r str, Option<&'r String>),
        name: &'r str,
        place: &Place<'a>,
    ) {
        if self.route == "GRPCRoute" && feature.starts_with("HTTPRoute") {
            let what = "settings of HTTPRoutes for gRPC";
            return self.beyond(collector, what, (name, false), place);
        }
        self.flags.is_extended = true;
        if self.features.insert(feature) {
            let of = (Some(Families::GATEWAY), Channel::Standard);
            collector.feature(feature, Certainty::Certain, of, || Place {
                is_written: alternative.is_none(),
                ..place.clone()
            });
            if let Some(alternative) = alternative {
                collector.defaults.insert(feature, alternative);
            }
        }
    }

    fn beyond(
        &mut self,
        collector: &mut Collector<'r, 'a>,
        what: &'r str,
        setting: (&'r str, bool),
        place: &Place<'a>,
    ) {
        self.flags.is_beyond = true;
        let is_field = (collector.registry.needs().beyond.iter()).any(|(field, _)| field == what);
        if is_field && !setting.1 {
            return collector.losses.field(what, || place.unvalued());
        }
        let of = BeyondKind::Ingress;
        (collector.losses).setting(of, what, setting, || place.unvalued());
    }

    fn unknown(&mut self, collector: &mut Collector<'r, 'a>, key: Text<'a>) {
        let Some(name) = key.value.strip_prefix(&self.table.prefix) else {
            return;
        };
        if self.table.rows.contains_key(name) {
            return;
        }
        self.flags.is_unknown = true;
        let names = self.table.rows.keys().map(String::as_str);
        let similar = || suggest::nearest(name, names);
        collector.losses.unknown(similar, self.named(key));
    }

    fn of_others(&mut self, collector: &mut Collector<'r, 'a>, key: Text<'a>) {
        let controllers = collector.registry.controllers();
        let domain = key.value.split_once('/').map_or("", |(domain, _)| domain);
        match controllers.controller_with(key.value) {
            Some(owner) => {
                self.flags.is_unknown = true;
                let (name, provider) = (&owner.name, owner.provider.as_deref());
                collector.losses.controller(name, provider, self.named(key));
            }
            None if domain == "kubernetes.io" => {}
            None => {
                let is_beyond = collector.losses.annotation(controllers, key, self.at);
                self.flags.is_beyond |= is_beyond;
            }
        }
    }

    fn kind(&self) -> Place<'a> {
        let node = self.object.root.get("kind").unwrap_or(self.object.root);
        Place::at(node, self.at, &[Name("kind")])
    }

    fn tls(&self) -> Place<'a> {
        let own = self.object.at(&["spec", "tls"]);
        let trail: &[Part<'_>] = &[Name("spec"), Name("tls")];
        match own {
            Some(node) => Place::at(node, self.at, trail),
            None => self.kind(),
        }
    }

    fn named(&self, key: Text<'a>) -> Place<'a> {
        let trail = [
            Name("metadata"),
            Name("annotations"),
            Name(short(key.value)),
        ];
        let mut place = Place::at(key.node, self.at, &trail);
        place.field = short(key.value).to_owned();
        place
    }

    fn annotation(&self, key: Text<'a>, value: Node<'a>) -> Place<'a> {
        let mut place = self.named(key);
        place.annotation = short(key.value);
        place.field = place.field.replacen(&self.table.prefix, "", 1);
        place.value = value.text().map(|text| short(text.value).to_owned());
        place
    }
}
