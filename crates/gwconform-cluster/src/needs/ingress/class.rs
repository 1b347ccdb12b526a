use std::collections::{BTreeMap, HashMap};

use super::{is_class, is_ingress};
use crate::{Cluster, Node, Object};
use gwconform_base::release::Registry;
use gwconform_base::release::ingress::{Controllers, IngressController};

const CLASS: &str = "kubernetes.io/ingress.class";
const DEFAULT: &str = "ingressclass.kubernetes.io/is-default-class";
const NGINX: &str = "ingress-nginx";

/// Controller that serves an Ingress.
pub(super) enum Controller<'c> {
    Nginx,
    /// Name, and provider of ingress2gateway.
    Other(&'c str, Option<&'c str>),
    Unknown,
}

impl<'c> Controller<'c> {
    fn of(one: &'c IngressController) -> Self {
        if one.name == NGINX {
            Self::Nginx
        } else {
            Self::Other(&one.name, one.provider.as_deref())
        }
    }
}

pub(super) struct Classes<'r, 'a> {
    table: &'r Controllers,
    prefix: &'r str,
    controllers: HashMap<&'a str, &'a str>,
    default: Option<&'a str>,
    /// Names of controllers by class, as the annotations of its Ingresses show. Empty if they differ.
    seen: BTreeMap<&'a str, &'r str>,
    /// Controller whose kinds are in the input. `None` if there are several.
    of_kinds: Option<&'r IngressController>,
    has_nginx: bool,
}

/// Name of the class; empty without a class.
pub(super) fn name<'a>(object: &Object<'a>) -> &'a str {
    let spec = object
        .at(&["spec"])
        .map(|spec| spec.str_at("ingressClassName"));
    match spec.unwrap_or_default() {
        "" => annotation(object, CLASS),
        name => name,
    }
}

fn annotation<'a>(object: &Object<'a>, name: &str) -> &'a str {
    let all = object.at(&["metadata", "annotations"]);
    all.map_or("", |all| all.str_at(name))
}

/// True for a Deployment, Service or ConfigMap of ingress-nginx, as its Helm chart names them.
fn is_nginx(object: &Object<'_>) -> bool {
    object.name().ends_with("ingress-nginx-controller")
}

/// The controller, if all are the same.
fn only<'r>(mut all: impl Iterator<Item = &'r IngressController>) -> Option<&'r IngressController> {
    let first = all.next()?;
    all.all(|one| one.name == first.name).then_some(first)
}

impl<'r, 'a> Classes<'r, 'a> {
    pub(super) fn read(cluster: &Cluster<'a>, registry: &'r Registry) -> Self {
        let classes = cluster.objects.iter().filter(|object| is_class(object));
        let mut controllers = HashMap::new();
        let mut default = None;
        for class in classes {
            let controller = class
                .at(&["spec"])
                .map_or("", |spec| spec.str_at("controller"));
            controllers.insert(class.name(), controller);
            if annotation(class, DEFAULT) == "true" {
                default = Some(class.name());
            }
        }
        let table = registry.controllers();
        let groups = cluster.objects.iter().map(|object| object.group);
        let of_kinds = groups.filter_map(|group| table.controller_of_group(group));
        let mut all = Self {
            table,
            prefix: &registry.ingress().prefix,
            controllers,
            default,
            seen: BTreeMap::new(),
            of_kinds: only(of_kinds),
            has_nginx: cluster.objects.iter().any(is_nginx),
        };
        for ingress in cluster.objects.iter().filter(|object| is_ingress(object)) {
            if let Some(own) = all.by_annotation(ingress) {
                let seen = all.seen.entry(all.name_of(ingress)).or_insert(&own.name);
                if *seen != own.name {
                    *seen = "";
                }
            }
        }
        all
    }

    /// Class of an Ingress, or the default class; empty without either.
    pub(super) fn name_of(&self, object: &Object<'a>) -> &'a str {
        match name(object) {
            "" => self.default.unwrap_or_default(),
            name => name,
        }
    }

    /// Controller of an Ingress: that of its IngressClass, of a well-known class, of its
    /// annotations, of the annotations of its class, or of kinds in the input.
    pub(super) fn controller_of<'c>(&'c self, object: &Object<'a>) -> Controller<'c> {
        let name = self.name_of(object);
        let table = &self.table.ingress;
        match self.controllers.get(name).copied().unwrap_or_default() {
            "" => {}
            controller if controller.contains(NGINX) => return Controller::Nginx,
            controller => {
                let has =
                    |one: &&IngressController| one.controllers.iter().any(|own| own == controller);
                let own = table.iter().find(has).map(Controller::of);
                return own.unwrap_or(Controller::Other(controller, None));
            }
        }
        let mut by_class = table.iter();
        let by_class = by_class.find(|one| one.classes.iter().any(|own| own == name));
        let mut words = name.split(|other: char| !other.is_ascii_alphanumeric());
        // Several controllers use the class `nginx`, and many classes of ingress-nginx contain it.
        let is_nginx =
            by_class.is_some_and(|one| one.name == NGINX) || words.any(|word| word == "nginx");
        let known = by_class.filter(|_| !is_nginx);
        let known = known.or_else(|| self.by_annotation(object));
        let seen = self.seen.get(name).and_then(|seen| self.named(seen));
        match known.or(seen) {
            Some(own) => Controller::of(own),
            None if is_nginx => Controller::Nginx,
            None if name.is_empty() && self.has_nginx && self.of_kinds.is_none() => {
                Controller::Nginx
            }
            None => self.of_kinds.map_or(Controller::Unknown, Controller::of),
        }
    }

    fn named(&self, name: &str) -> Option<&'r IngressController> {
        self.table.ingress.iter().find(|one| one.name == name)
    }

    /// Controller of the annotations; ingress-nginx if one of them is its own.
    fn by_annotation(&self, object: &Object<'_>) -> Option<&'r IngressController> {
        let all = object.at(&["metadata", "annotations"]);
        let keys: Vec<&str> = (all.into_iter().flat_map(Node::entries))
            .map(|(key, _)| key.value)
            .collect();
        if keys.iter().any(|key| key.starts_with(self.prefix)) {
            return self.named(NGINX);
        }
        keys.iter().find_map(|key| self.table.controller_with(key))
    }
}
