//! ConfigMaps of ingress-nginx: settings of all its Ingresses, and Services by port.

use super::super::Place;
use super::super::collector::Collector;
use super::super::losses::BeyondKind;
use super::super::short;
use super::super::walk::Part::Name;
use super::add_route;
use crate::{Cluster, Node, Object, Text};
use gwconform_base::release::ingress::IngressTable;

/// Status code of redirects.
pub(super) const REDIRECT_CODE: &str = "http-redirect-code";

/// Setting of the controller: [`REDIRECT_CODE`], or the default of the annotation of this name.
#[derive(Clone)]
pub(super) struct Setting<'a> {
    pub(super) key: Text<'a>,
    pub(super) value: Node<'a>,
    /// Index of the ConfigMap.
    at: usize,
}

impl<'a> Setting<'a> {
    pub(super) fn place(&self) -> Place<'a> {
        let key = short(self.key.value);
        let mut place = Place::at(self.key.node, self.at, &[Name("data"), Name(key)]);
        key.clone_into(&mut place.field);
        place.annotation = key;
        place.value = self.value.text().map(|text| short(text.value).to_owned());
        place
    }
}

/// Use of a ConfigMap: `settings`, or the kind of Routes that its entries become.
fn use_of<'t>(table: &'t IngressTable, object: &Object<'_>) -> Option<&'t str> {
    if (object.group, object.kind_name) != ("", "ConfigMap") {
        return None;
    }
    let is_named = |end: &str| {
        let start = object.name().strip_suffix(end);
        start.is_some_and(|start| start.is_empty() || start.ends_with('-'))
    };
    let mut uses = table.config_maps.iter();
    let (_, used) = uses.find(|(end, _)| is_named(end))?;
    Some(used)
}

/// Adds the Routes of TCP and UDP Services, and returns the settings. Several controllers have
/// several ConfigMaps, which are not read.
pub(super) fn read<'a>(
    collector: &mut Collector<'_, 'a>,
    cluster: &Cluster<'a>,
    has_ingresses: bool,
) -> Vec<Setting<'a>> {
    let table = collector.registry.ingress();
    let all = cluster.objects.iter().enumerate();
    let all = all.filter_map(|(at, object)| Some((at, object, use_of(table, object)?)));
    let (maps, streams): (Vec<_>, Vec<_>) = all.partition(|(_, _, used)| *used == "settings");
    let settings_of = |at, object: &Object<'a>| {
        let data = object.at(&["data"]).into_iter().flat_map(Node::entries);
        let settings = data.map(|(key, value)| Setting { key, value, at });
        settings.collect::<Vec<_>>()
    };
    for (at, object, used) in streams {
        collector.losses.read.insert(at);
        let kind = if used == "UDPRoute" {
            "UDPRoute"
        } else {
            "TCPRoute"
        };
        for setting in settings_of(at, object) {
            add_route(collector, kind, &setting.place());
        }
    }
    let [(at, object, _)] = maps[..] else {
        return Vec::new();
    };
    if !has_ingresses {
        return Vec::new();
    }
    collector.losses.read.insert(at);
    let mut known = Vec::new();
    for setting in settings_of(at, object) {
        let key = setting.key.value;
        let row = table.rows.get(key);
        if key == REDIRECT_CODE || row.is_some_and(|row| row.is_option) {
            known.push(setting);
        } else if row.is_some() {
            let why = "no effect in the ConfigMap".to_owned();
            collector.ingresses.ignore(why, &setting.place());
        } else {
            let (of, what) = (BeyondKind::Ingress, "settings of the controller");
            let place = || setting.place().unvalued();
            (collector.losses).setting(of, what, (short(key), false), place);
        }
    }
    known
}
