//! What the objects need, as far as they were read.

use std::collections::{BTreeMap, BTreeSet};

use super::beyond;
use super::families::Families;
use super::{Need, Needs, Place, Places, Uncovered};
use crate::api::{Channel, Family, Level};
use crate::cluster::Text;
use crate::release::Registry;

/// How sure it is that a feature is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    /// A value shows it.
    Certain,
    /// Something may rely on it.
    Perhaps,
}

/// The ports of a Service that have an `appProtocol`.
pub(super) type Ports<'a> = BTreeMap<&'a str, Port<'a>>;

/// A port of a Service that has an `appProtocol`.
pub(super) struct Port<'a> {
    /// Its place among the ports.
    pub(super) nth: usize,
    pub(super) protocol: Text<'a>,
    /// The families of the Routes that named it; `None` before the first of them.
    pub(super) named_by: Option<Families>,
}

/// What was found so far.
pub(super) struct Collector<'r, 'a> {
    pub(super) registry: &'r Registry,
    certain: BTreeMap<&'r str, Places<'a>>,
    perhaps: BTreeMap<&'r str, Places<'a>>,
    pub(super) uncovered: BTreeMap<&'r str, Places<'a>>,
    pub(super) beyond: beyond::Collected<'a>,
    pub(super) routes: BTreeMap<(&'static str, Family), Places<'a>>,
    /// Namespaces and names of Services that an HTTPRoute names and that are not there.
    pub(super) services_not_there: BTreeSet<(&'a str, &'a str)>,
    /// By Service: its ports with an `appProtocol` that no Route has named yet.
    pub(super) ports: BTreeMap<usize, Ports<'a>>,
}

impl<'r, 'a> Collector<'r, 'a> {
    pub(super) fn new(registry: &'r Registry) -> Self {
        Self {
            registry,
            certain: BTreeMap::new(),
            perhaps: BTreeMap::new(),
            uncovered: BTreeMap::new(),
            beyond: beyond::Collected::default(),
            routes: BTreeMap::new(),
            services_not_there: BTreeSet::new(),
            ports: BTreeMap::new(),
        }
    }

    /// Adds a place where a feature shows, under the name that it has for each of the families. The channel
    /// is that of the field.
    pub(super) fn feature(
        &mut self,
        name: &'r str,
        certainty: Certainty,
        (families, channel): (Option<Families>, Channel),
        place: impl Fn() -> Place<'a>,
    ) {
        let found = match certainty {
            Certainty::Certain => &mut self.certain,
            Certainty::Perhaps => &mut self.perhaps,
        };
        let mut add = |name: &'r str, families| {
            let places = found.entry(name).or_default();
            places.add_of(families, channel, &place);
        };
        let mesh = self.registry.needs().mesh_name(name);
        let of_mesh = families.is_some_and(|families| families.has(Family::Mesh));
        let Some(mesh) = mesh.filter(|_| of_mesh) else {
            return add(name, families);
        };
        add(mesh, Some(Families::MESH));
        let others = families.map(|families| families.without(Families::MESH));
        if others.is_some_and(|others| !others.is_empty()) {
            add(name, others);
        }
    }

    /// Everything together, in the order of names and files.
    pub(super) fn finish(mut self) -> Needs<'a> {
        let policies = std::mem::take(&mut self.beyond.policies);
        let Self {
            registry,
            certain,
            mut perhaps,
            uncovered,
            ..
        } = self;
        perhaps.retain(|name, _| !certain.contains_key(name));
        let (beyond, beyond_left_out) = self.beyond.finish();
        let table = registry.needs();
        let uncovered = table.uncovered.iter().filter_map(|field| {
            let mut places = uncovered.get(field.name.as_str())?.clone();
            places.sort();
            Some(Uncovered {
                name: field.name.clone(),
                is_experimental: field.is_experimental,
                is_route: false,
                places,
            })
        });
        let routes = self.routes.iter();
        let of_no_profile =
            routes.filter(|((kind, family), _)| !registry.has_profile_of(kind, *family));
        let of_no_profile = of_no_profile.map(|((kind, family), places)| Uncovered {
            name: match family {
                Family::Gateway => format!("{kind} of a Gateway"),
                Family::Mesh => format!("{kind} of a mesh"),
            },
            is_experimental: false,
            is_route: true,
            places: places.clone(),
        });
        Needs {
            certain: needs(certain, registry, Certainty::Certain),
            perhaps: needs(perhaps, registry, Certainty::Perhaps),
            uncovered: uncovered.chain(of_no_profile).collect(),
            beyond,
            beyond_left_out,
            routes: self.routes,
            services_not_there: self.services_not_there.len(),
            policies,
        }
    }
}

fn needs<'a>(
    found: BTreeMap<&str, Places<'a>>,
    registry: &Registry,
    certainty: Certainty,
) -> Vec<Need<'a>> {
    let need = |(name, mut places): (&str, Places<'a>)| {
        places.sort();
        let feature = registry.feature(name);
        let entry = registry.needs().features.get(name);
        let because = entry.and_then(|entry| entry.because.clone());
        Need {
            feature: name.to_owned(),
            level: feature.map_or(Level::Extended, |feature| feature.level),
            channel: feature.map_or(Channel::Standard, |feature| feature.channel),
            because: because.filter(|_| certainty == Certainty::Perhaps),
            is_apart: entry.is_some_and(|entry| entry.is_apart),
            places,
        }
    };
    found.into_iter().map(need).collect()
}
