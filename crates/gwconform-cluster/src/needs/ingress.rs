//! Reads Ingresses with `schema/registry/ingress-nginx.json`: the features that their hosts, paths
//! and annotations require once they are Gateways and Routes.

mod class;
mod config_maps;
mod hosts;
mod summary;
mod paths;
mod ingress_object;

use std::collections::BTreeSet;

use super::collector::{Certainty, Collector};
use super::families::Families;
use super::losses::BeyondKind;
use super::walk::Part::{self, Item, Name};
use super::{Place, shapes, short};
use crate::{Cluster, Node, Object, Text};
use class::{Classes, Controller};
use config_maps::{REDIRECT_CODE, Setting};
use gwconform_base::api::{Channel, Family};
use gwconform_base::release::ingress::{
    IngressCase, IngressRow, IngressShape, IngressTable, Outcome, ValueMatch,
};
use gwconform_base::text::suggest;
use hosts::Hosts;
use ingress_object::{IngressPath, annotations};
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
    let registry = collector.registry;
    let classes = Classes::read(cluster, registry);
    let all = cluster.objects.iter().enumerate();
    let readers = all.filter(|(_, object)| is_ingress(object));
    let readers = readers.map(|(at, object)| Reader {
        table: registry.ingress(),
        object,
        at,
        class: classes.name_of(object),
        controller: classes.controller_of(object),
        annotations: annotations(object),
        defaults: Vec::new(),
        repeated: Vec::new(),
        paths: ingress_object::paths(object),
        has_tls: object.items(&["spec", "tls"]).next().is_some(),
        route: "HTTPRoute",
        flags: Flags::default(),
        features: BTreeSet::new(),
    });
    let mut readers: Vec<Reader<'_, '_, 'a>> = readers.collect();
    if readers.is_empty() || readers.iter().any(Reader::is_nginx) {
        let settings = config_maps::read(collector, cluster, !readers.is_empty());
        for reader in readers.iter_mut().filter(|reader| reader.is_nginx()) {
            let is_default = |setting: &&Setting<'a>| reader.key(setting.key.value).is_none();
            reader.defaults = settings.iter().filter(is_default).cloned().collect();
        }
    }
    let hosts = Hosts::read(&mut readers);
    for reader in readers {
        reader.read(collector, cluster, &hosts);
    }
}

/// Number of the Service port that a backend names by its number or name.
fn port_of<'a>(service: &Object<'a>, backend: Node<'a>) -> &'a str {
    let port = match backend.at(&["service", "port"]) {
        Some(port) if port.get("number").is_some() => port.str_at("number"),
        Some(port) => port.str_at("name"),
        None => backend.str_at("servicePort"),
    };
    let mut ports = service.items(&["spec", "ports"]);
    let named = ports.find(|one| !port.is_empty() && one.str_at("name") == port);
    named.map_or(port, |one| one.str_at("port"))
}

fn trimmed(value: Node<'_>) -> &str {
    value.text().map_or("", |text| text.value.trim())
}

/// Kind of the Routes that an Ingress with these cases becomes.
fn route_of(cases: &[Case<'_, '_>]) -> &'static str {
    match cases.iter().find_map(|(_, _, case)| case.route.as_deref()) {
        Some("GRPCRoute") => "GRPCRoute",
        Some("TLSRoute") => "TLSRoute",
        _ => "HTTPRoute",
    }
}

/// Adds a Gateway, and a Route of this kind that it serves.
fn add_route<'a>(collector: &mut Collector<'_, 'a>, kind: &'static str, place: &Place<'a>) {
    let channel = (collector.registry.feature(kind)).map_or(Channel::Standard, |one| one.channel);
    for (name, channel) in [("Gateway", Channel::Standard), (kind, channel)] {
        let of = (Some(Families::GATEWAY), channel);
        collector.feature(name, Certainty::Certain, of, || place.clone());
    }
    let routes = collector.routes.entry((kind, Family::Gateway));
    routes.or_default().add(|| place.clone());
}

/// Case that applies, with its annotation and place.
type Case<'r, 'a> = (&'r str, Place<'a>, &'r IngressCase);

#[derive(Clone, Copy, Default)]
struct Flags {
    is_extended: bool,
    is_beyond: bool,
    has_no_equivalent: bool,
    is_unknown: bool,
    is_different: bool,
    is_of_unknown: bool,
    is_of_other: bool,
}

struct Reader<'r, 'o, 'a> {
    table: &'r IngressTable,
    object: &'o Object<'a>,
    at: usize,
    class: &'a str,
    controller: Controller<'o>,
    paths: Vec<IngressPath<'a>>,
    annotations: Vec<(Text<'a>, Node<'a>)>,
    /// Settings of the controller instead of annotations.
    defaults: Vec<Setting<'a>>,
    /// Keys of the annotations that older Ingresses set for all its hosts.
    repeated: Vec<&'a str>,
    has_tls: bool,
    route: &'static str,
    flags: Flags,
    features: BTreeSet<&'r str>,
}

impl<'r, 'a> Reader<'r, '_, 'a> {
    fn read(mut self, collector: &mut Collector<'r, 'a>, cluster: &Cluster<'a>, hosts: &Hosts<'a>) {
        collector.losses.families = Some(Families::GATEWAY);
        let mut cases: Vec<Case<'r, 'a>> = Vec::new();
        match self.controller {
            Controller::Unknown => {
                self.flags.is_of_unknown = true;
                collector.losses.class(self.class, self.class_place());
            }
            Controller::Other(name, provider) => {
                self.flags.is_of_other = true;
                let controllers = collector.registry.controllers();
                let is_its = |(key, _): &(Text<'a>, Node<'a>)| {
                    let own = controllers.controller_with(key.value);
                    own.is_some_and(|own| own.name == name)
                };
                // Annotations show the controller too.
                if !self.annotations.iter().any(is_its) {
                    collector.losses.controller(name, provider, self.kind());
                }
            }
            Controller::Nginx => cases = self.nginx_cases(collector, hosts),
        }
        add_route(collector, self.route, &self.kind());
        self.backends(collector, cluster);
        self.locations(collector, hosts);
        // Annotations that only refine others come last, so that places name the main one. After
        // them, those with defaults, so that a written need counts as written.
        cases.sort_by_key(|(_, _, case)| (!case.defaults.is_empty(), !case.with.is_empty()));
        for (name, place, case) in cases {
            self.case(collector, name, &place, case);
        }
        let table = self.table;
        for (key, value) in self.annotations.clone() {
            let why = match self.controller {
                Controller::Nginx if key.value.starts_with(&table.prefix) => {
                    self.unknown(collector, key);
                    continue;
                }
                Controller::Nginx if key.value.starts_with(&table.former_prefix) => format!(
                    "no effect: the prefix is {} since 0.9",
                    table.prefix.trim_end_matches('/')
                ),
                Controller::Other(name, _) if key.value.starts_with(&table.prefix) => {
                    format!("no effect with {}; remove it", short(name))
                }
                _ => {
                    self.of_others(collector, key);
                    continue;
                }
            };
            collector
                .ingresses
                .ignore(why, &self.annotation(key, value));
        }
        self.count(collector);
    }

    /// Matching cases in file order, after the facts of the hosts.
    fn nginx_cases(
        &mut self,
        collector: &mut Collector<'r, 'a>,
        hosts: &Hosts<'a>,
    ) -> Vec<Case<'r, 'a>> {
        let found = &mut collector.ingresses;
        *found.nginx.entry(class::name(self.object)).or_default() += 1;
        self.has_tls |= hosts.has_tls(self);
        // A canary joins the Routes of its main Ingress.
        let main = hosts.route(self).filter(|_| self.is_on("canary"));
        let cases = self.cases(found);
        self.route = main.unwrap_or_else(|| route_of(&cases));
        cases
    }

    fn is_nginx(&self) -> bool {
        matches!(self.controller, Controller::Nginx)
    }

    fn route_kind(&self) -> &'static str {
        route_of(&self.cases(&mut Ingresses::default()))
    }

    /// How ingress-nginx matches the paths. Canaries and passed-through hosts have no locations.
    fn locations(&mut self, collector: &mut Collector<'r, 'a>, hosts: &Hosts<'a>) {
        if !self.is_nginx() || self.route == "TLSRoute" || self.is_on("canary") {
            return;
        }
        let target = paths::Target::new(self.value("rewrite-target").unwrap_or_default());
        let all = self.paths.clone().into_iter();
        for path in all.filter(|path| path.path != "/" || path.kind == "Exact") {
            let place = |annotation| path.place(self.at, annotation);
            if let Some(regex) = hosts.regex(self.class, path.host) {
                let place = place(regex);
                let what = "all paths of the host are regular expressions, which match prefixes and ignore case";
                collector.losses.difference(&place, what);
                if paths::needs_regex(path.path, &target) {
                    self.flags.is_beyond = true;
                    collector
                        .losses
                        .field("path match RegularExpression", || place.clone());
                }
            } else if let Some(shorter) = path.path.strip_suffix('/')
                && !shorter.is_empty()
                && !hosts.has_path(self.class, path.host, shorter)
            {
                let what = "ingress-nginx redirects requests for the path without the slash at its end (301)";
                collector.losses.difference(&place("spec.rules"), what);
            } else {
                continue;
            }
            self.flags.is_different = true;
        }
    }

    fn count(&self, collector: &mut Collector<'r, 'a>) {
        let counts = &mut collector.ingresses.counts;
        let Flags {
            is_extended,
            is_beyond,
            has_no_equivalent,
            is_unknown,
            is_different,
            is_of_unknown,
            is_of_other,
        } = self.flags;
        let is_compared = !(is_unknown || is_of_unknown || is_of_other);
        let is_core =
            is_compared && !(is_extended || is_beyond || has_no_equivalent || is_different);
        counts.ingresses += 1;
        counts.core += usize::from(is_core);
        counts.extended += usize::from(is_extended);
        counts.beyond += usize::from(is_beyond);
        counts.no_equivalent += usize::from(has_no_equivalent);
        counts.unknown += usize::from(is_unknown);
        counts.unknown_controller += usize::from(is_of_unknown);
        counts.other_controller += usize::from(is_of_other);
    }

    /// Matching cases in file order, without those that another annotation turns off.
    fn cases(&self, found: &mut Ingresses<'a>) -> Vec<Case<'r, 'a>> {
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
        let own = self.annotations.iter().filter_map(|(key, value)| {
            let name = key.value.strip_prefix(&table.prefix)?;
            Some((name, self.annotation(*key, *value), *value))
        });
        let defaults = self.defaults.iter();
        let defaults = defaults.map(|one| (one.key.value, one.place(), one.value));
        for (name, place, value) in own.chain(defaults) {
            let Some((name, row)) = table.rows.get_key_value(name) else {
                continue;
            };
            let text = value.text().map_or("", |text| text.value);
            let removed = row.removed.as_ref().filter(|_| row.cases.is_empty());
            let why = match (self.matching(row, text), alone.filter(|_| !is_kept(name))) {
                (None, _) if let Some(when) = removed => {
                    format!("no effect: removed {when}")
                }
                (None, _) => continue,
                (Some(case), Some(_)) if case.is_default() => continue,
                (Some(_), Some(alone)) => format!("turned off by {}", alone.annotation),
                (Some(_), None) if self.repeated.contains(&place.annotation) => {
                    format!("turned off by {name} of another Ingress")
                }
                (Some(case), None) => {
                    cases.push((name.as_str(), place, case));
                    continue;
                }
            };
            found.ignore(why, &place);
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

    /// Key and value of an annotation of ingress-nginx.
    fn entry(&self, name: &str) -> Option<&(Text<'a>, Node<'a>)> {
        let mut all = self.annotations.iter();
        all.find(|(key, _)| key.value.strip_prefix(&self.table.prefix) == Some(name))
    }

    /// Keys of the annotations that apply to the whole host.
    fn settings_of_host(&self) -> Vec<&'a str> {
        let rows = self.table.rows.iter();
        let rows = rows.filter(|(_, row)| row.is_of_host);
        rows.filter_map(|(name, _)| self.key(name)).collect()
    }

    fn created(&self) -> &'a str {
        let metadata = self.object.at(&["metadata"]);
        metadata.map_or("", |one| one.str_at("creationTimestamp"))
    }

    fn key(&self, name: &str) -> Option<&'a str> {
        self.entry(name).map(|(key, _)| key.value)
    }

    /// Value of an annotation of ingress-nginx or of its default, without the spaces around it.
    fn value(&self, name: &str) -> Option<&'a str> {
        let own = self.entry(name).map(|(_, value)| trimmed(*value));
        own.or_else(|| self.setting(name))
    }

    fn setting(&self, name: &str) -> Option<&'a str> {
        let mut all = self.defaults.iter();
        let setting = all.find(|one| one.key.value == name)?;
        Some(trimmed(setting.value))
    }

    fn is_on(&self, name: &str) -> bool {
        (self.value(name)).is_some_and(|value| ValueMatch::Boolean(true).matches(value))
    }

    fn backends(&mut self, collector: &mut Collector<'r, 'a>, cluster: &Cluster<'a>) {
        let mut found = Vec::new();
        let spec = self.object.at(&["spec"]);
        for name in ["defaultBackend", "backend"] {
            let backend = spec.and_then(|spec| spec.get(name));
            found.extend(backend.map(|backend| (backend, vec![Name("spec"), Name(name)])));
        }
        for path in &self.paths {
            let (rule, nth) = path.at;
            let mut trail = vec![Name("spec"), Name("rules"), Item(rule), Name("http")];
            trail.extend([Name("paths"), Item(nth), Name("backend")]);
            found.extend(path.node.get("backend").map(|backend| (backend, trail)));
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
                let service = cluster.find("", "Service", named.0, named.1);
                if let Some(at) = service.filter(|_| self.route == "HTTPRoute") {
                    let port = (at, port_of(&cluster.objects[at], backend));
                    let of = Some(Families::GATEWAY);
                    self.flags.is_extended |= shapes::app_protocol(collector, cluster, port, of);
                }
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
                let value = place.value.as_deref().unwrap_or_default().trim();
                let shown = match shape {
                    IngressShape::Redirect => paths::redirects(value),
                    IngressShape::Rewrite => {
                        paths::rewrites(value, &self.paths, self.is_on("use-regex"))
                    }
                };
                for feature in shown.features {
                    self.feature(collector, (feature, None), name, place);
                }
                for what in shown.beyond {
                    self.beyond(collector, what, (name, false), place);
                }
                for difference in shown.differences {
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
        let code = self.setting(REDIRECT_CODE).unwrap_or_default();
        let is_code = alternative.is_some() && feature.ends_with("RedirectStatusCode");
        let feature = match self.table.redirect_codes.get(code).filter(|_| is_code) {
            Some(core) if core.is_empty() => return,
            Some(other) => other,
            None => feature,
        };
        self.flags.is_extended = true;
        if self.features.insert(feature) {
            // A TLSRoute cannot redirect, so port 80 needs a Route of its own.
            if self.route == "TLSRoute" && feature.starts_with("HTTPRoute") {
                add_route(collector, "HTTPRoute", &self.kind());
            }
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
            None if domain == "kubernetes.io" && controllers.kept_by(key.value).is_none() => {}
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

    /// Place of the class or, without one, of the kind.
    fn class_place(&self) -> Place<'a> {
        let field = self.object.at(&["spec", "ingressClassName"]);
        let named =
            field.map(|node| Place::at(node, self.at, &[Name("spec"), Name("ingressClassName")]));
        named.unwrap_or_else(|| self.kind())
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
