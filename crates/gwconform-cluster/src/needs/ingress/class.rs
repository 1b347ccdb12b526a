use std::collections::HashMap;

use super::is_class;
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
        Self {
            table: registry.controllers(),
            prefix: &registry.ingress().prefix,
            controllers,
            default,
        }
    }

    /// Class of an Ingress, or the default class; empty without either.
    pub(super) fn name_of(&self, object: &Object<'a>) -> &'a str {
        match name(object) {
            "" => self.default.unwrap_or_default(),
            name => name,
        }
    }

    /// Controller of an Ingress. If neither class nor annotations show it, it is ingress-nginx.
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
        let by_class = table
            .iter()
            .find(|one| one.classes.iter().any(|own| own == name));
        // Several controllers use the class `nginx`.
        let by_class = by_class.filter(|one| one.name != NGINX);
        let own = by_class.or_else(|| self.by_annotation(object));
        own.map_or(Controller::Nginx, Controller::of)
    }

    /// Controller of the first annotation, unless ingress-nginx has one too.
    fn by_annotation(&self, object: &Object<'_>) -> Option<&'r IngressController> {
        let all = object.at(&["metadata", "annotations"]);
        let keys: Vec<&str> = (all.into_iter().flat_map(Node::entries))
            .map(|(key, _)| key.value)
            .collect();
        if keys.iter().any(|key| key.starts_with(self.prefix)) {
            return None;
        }
        keys.iter().find_map(|key| self.table.controller_with(key))
    }
}
