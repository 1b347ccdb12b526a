//! Collects what objects need, one after the other.

use std::collections::{BTreeMap, BTreeSet};

use super::beyond;
use super::families::{Families, Parents};
use super::shapes;
use super::walk::{Part, walk};
use super::{Need, Needs, Place, Places, Uncovered};
use crate::api::{Channel, Family, Level};
use crate::cluster::{Cluster, is_gateway_api};
use crate::release::served::ServedRelease;
use crate::release::{Pattern, ReferenceFields, Registry, Where};

/// All Routes.
pub(super) const ROUTES: &[&str] = &["GRPCRoute", "HTTPRoute", "TCPRoute", "TLSRoute", "UDPRoute"];

/// How sure it is that a feature is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    /// A value shows it.
    Certain,
    /// Something may rely on it.
    Perhaps,
}

/// What a pattern shows where it is found.
#[derive(Clone, Copy)]
enum Shows<'r> {
    Feature(&'r str, Certainty),
    Uncovered(&'r str),
    Beyond(&'r str),
    Reference(&'r ReferenceFields),
}

/// The patterns to look for, by kind.
pub(super) type Plan<'r> = BTreeMap<&'r str, Vec<Job<'r>>>;

/// A pattern to look for.
pub(super) struct Job<'r> {
    shows: Shows<'r>,
    pattern: &'r Pattern,
    /// The channel of the CRDs that have the field.
    channel: Channel,
}

/// The patterns of the registry's table.
pub(super) fn plan(registry: &Registry) -> Plan<'_> {
    let table = registry.needs();
    let mut plan = Plan::new();
    let mut add = |places, shows| {
        add(
            &mut plan,
            places,
            shows,
            registry.served().releases().last(),
        )
    };
    for (name, entry) in &table.features {
        add(&entry.certain, Shows::Feature(name, Certainty::Certain));
        add(&entry.perhaps, Shows::Feature(name, Certainty::Perhaps));
    }
    for field in &table.uncovered {
        add(&field.fields, Shows::Uncovered(&field.name));
    }
    for (name, fields) in &table.beyond {
        add(fields, Shows::Beyond(name));
    }
    for reference in &table.references {
        add(&reference.fields, Shows::Reference(reference));
    }
    plan
}

fn add<'r>(
    plan: &mut Plan<'r>,
    places: &'r [Where],
    shows: Shows<'r>,
    served: Option<&ServedRelease>,
) {
    for Where { kind, pattern } in places {
        let one = [kind.as_str()];
        let kinds: &[&'r str] = if kind == "Route" { ROUTES } else { &one };
        for kind in kinds {
            plan.entry(kind).or_default().push(Job {
                shows,
                pattern,
                channel: served.map_or(Channel::Standard, |served| served.channel(kind, pattern)),
            });
        }
    }
}

/// What was found so far.
pub(super) struct Collector<'r, 'a> {
    pub(super) registry: &'r Registry,
    certain: BTreeMap<&'r str, Places<'a>>,
    perhaps: BTreeMap<&'r str, Places<'a>>,
    uncovered: BTreeMap<&'r str, Places<'a>>,
    beyond: beyond::Collected<'a>,
    routes: BTreeMap<(&'static str, Family), Places<'a>>,
    /// Namespaces and names of Services that an HTTPRoute names and that are not there.
    pub(super) services_not_there: BTreeSet<(&'a str, &'a str)>,
    /// By Service: its ports with an `appProtocol` that no Route has named yet.
    pub(super) ports: BTreeMap<usize, shapes::Ports<'a>>,
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

    /// Adds what an object needs.
    pub(super) fn object(&mut self, plan: &Plan<'r>, cluster: &Cluster<'a>, at: usize) {
        let object = &cluster.objects[at];
        self.beyond.object(cluster, at);
        if !is_gateway_api(object.group) {
            return;
        }
        let parents = Parents::new(object);
        if let Some(kind) = ROUTES.iter().find(|kind| **kind == object.kind_name) {
            let families = parents.all.unwrap_or_default();
            for family in [Family::Gateway, Family::Mesh] {
                if families.has(family) {
                    let node = object.root.get("kind").unwrap_or(object.root);
                    let place = || Place::at(node, at, &[Part::Name("kind")]);
                    self.routes.entry((kind, family)).or_default().add(place);
                }
            }
        }
        for job in plan.get(object.kind_name).into_iter().flatten() {
            walk(object, job.pattern, &mut |found| match job.shows {
                Shows::Feature(..) | Shows::Uncovered(_) if parents.is_foreign(found.trail) => {}
                Shows::Feature(name, certainty) => {
                    let certainty = match found.is_sure {
                        true => certainty,
                        false => Certainty::Perhaps,
                    };
                    let families = parents.at(found.trail);
                    let place = || Place::of(found, at);
                    self.feature(name, certainty, (families, job.channel), place);
                }
                Shows::Uncovered(name) => {
                    let places = self.uncovered.entry(name).or_default();
                    places.add_of(None, job.channel, || Place::of(found, at));
                }
                Shows::Beyond(name) => self.beyond.field(name, || Place::of(found, at)),
                Shows::Reference(fields) => {
                    let is_foreign = parents.is_foreign(found.trail);
                    let place = || Place::of(found, at);
                    self.beyond.reference(fields, found.node, is_foreign, place);
                }
            });
        }
        shapes::add(self, cluster, at, &parents);
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
