//! Collects what objects need, one after the other.

use std::collections::{BTreeMap, BTreeSet};

use super::beyond;
use super::shapes;
use super::walk::{Part, walk};
use super::{Need, Needs, Place, Places, Uncovered};
use crate::registry::{Channel, Family, Level, NeedsTable, Pattern, Registry, Where};
use crate::resource::{self, Cluster, Object, is_gateway_api};

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
}

/// The patterns to look for, by kind.
pub(super) type Plan<'r> = BTreeMap<&'r str, Vec<Job<'r>>>;

/// A pattern to look for.
pub(super) struct Job<'r> {
    shows: Shows<'r>,
    pattern: &'r Pattern,
}

/// The patterns of a table.
pub(super) fn plan(table: &NeedsTable) -> Plan<'_> {
    let mut plan = Plan::new();
    for (name, entry) in &table.features {
        add(
            &mut plan,
            &entry.certain,
            Shows::Feature(name, Certainty::Certain),
        );
        add(
            &mut plan,
            &entry.perhaps,
            Shows::Feature(name, Certainty::Perhaps),
        );
    }
    for field in &table.uncovered {
        add(&mut plan, &field.fields, Shows::Uncovered(&field.name));
    }
    for (name, fields) in &table.beyond {
        add(&mut plan, fields, Shows::Beyond(name));
    }
    plan
}

fn add<'r>(plan: &mut Plan<'r>, places: &'r [Where], shows: Shows<'r>) {
    for Where { kind, pattern } in places {
        let one = [kind.as_str()];
        let kinds: &[&'r str] = if kind == "Route" { ROUTES } else { &one };
        for kind in kinds {
            plan.entry(kind).or_default().push(Job { shows, pattern });
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
    routes: BTreeMap<(&'static str, Family), Place<'a>>,
    /// Namespaces and names of Services that an HTTPRoute names and that are not there.
    pub(super) services_not_there: BTreeSet<(&'a str, &'a str)>,
    /// By Service: its ports with an `appProtocol` that no Route has named yet.
    pub(super) ports: BTreeMap<usize, shapes::Ports<'a>>,
}

/// The parents of a Route.
#[derive(Clone, Copy, Default)]
pub(super) struct Parents {
    has_service: bool,
    has_other: bool,
}

impl Parents {
    pub(super) fn of(object: &Object<'_>) -> Self {
        let mut parents = Self::default();
        for parent in resource::parent_refs(object) {
            match parent.kind {
                "Service" => parents.has_service = true,
                _ => parents.has_other = true,
            }
        }
        parents
    }
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
        let parents = Parents::of(object);
        if let Some(kind) = ROUTES.iter().find(|kind| **kind == object.kind_name) {
            let families = [
                (Family::Mesh, parents.has_service),
                (Family::Gateway, parents.has_other || !parents.has_service),
            ];
            for (family, _) in families.into_iter().filter(|(_, has)| *has) {
                let node = object.root.get("kind").unwrap_or(object.root);
                let place = || Place::at(node, at, &[Part::Name("kind")]);
                self.routes.entry((kind, family)).or_insert_with(place);
            }
        }
        for job in plan.get(object.kind_name).into_iter().flatten() {
            walk(object, job.pattern, &mut |found| match job.shows {
                Shows::Feature(name, certainty) => {
                    self.feature(name, certainty, parents, || Place::of(found, at));
                }
                Shows::Uncovered(name) => {
                    let places = self.uncovered.entry(name).or_default();
                    places.add(|| Place::of(found, at));
                }
                Shows::Beyond(name) => self.beyond.field(name, || Place::of(found, at)),
            });
        }
        shapes::add(self, cluster, at, parents);
    }

    /// Adds a place where a feature shows, under the name that it has for the parents of the Route.
    pub(super) fn feature(
        &mut self,
        name: &'r str,
        certainty: Certainty,
        parents: Parents,
        place: impl Fn() -> Place<'a>,
    ) {
        let table = self.registry.needs();
        let mesh = table.mesh_name(name).filter(|_| parents.has_service);
        let own = (mesh.is_none() || parents.has_other).then_some(name);
        let found = match certainty {
            Certainty::Certain => &mut self.certain,
            Certainty::Perhaps => &mut self.perhaps,
        };
        for name in own.into_iter().chain(mesh) {
            found.entry(name).or_default().add(&place);
        }
    }

    /// Everything together, in the order of names and files.
    pub(super) fn finish(self) -> Needs<'a> {
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
                places,
            })
        });
        Needs {
            certain: needs(certain, registry, Certainty::Certain),
            perhaps: needs(perhaps, registry, Certainty::Perhaps),
            uncovered: uncovered.collect(),
            beyond,
            beyond_left_out,
            routes: self.routes,
            services_not_there: self.services_not_there.len(),
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
            places,
        }
    };
    found.into_iter().map(need).collect()
}
