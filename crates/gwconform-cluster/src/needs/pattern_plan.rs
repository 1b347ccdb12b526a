use std::collections::BTreeMap;

use super::Place;
use super::collector::{Certainty, Collector};
use super::families::Parents;
use super::shapes;
use super::unknown_fields;
use super::walk::{Part, walk};
use crate::{Cluster, is_gateway_api};
use gwconform_base::api::{Channel, Family};
use gwconform_base::release::served::ServedRelease;
use gwconform_base::release::{Pattern, ReferenceFields, Registry, UncoveredField, Where};

pub(super) const ROUTES: &[&str] = &["GRPCRoute", "HTTPRoute", "TCPRoute", "TLSRoute", "UDPRoute"];

#[derive(Clone, Copy)]
enum Shows<'r> {
    Feature(&'r str, Certainty),
    Untested(&'r UncoveredField),
    Beyond(&'r str),
    Reference(&'r ReferenceFields),
}

pub(super) type Plan<'r> = BTreeMap<&'r str, Vec<Job<'r>>>;

pub(super) struct Job<'r> {
    shows: Shows<'r>,
    pattern: &'r Pattern,
    channel: Channel,
}

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
        add(&field.fields, Shows::Untested(field));
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

pub(super) fn object<'r, 'a>(
    collector: &mut Collector<'r, 'a>,
    plan: &Plan<'r>,
    cluster: &Cluster<'a>,
    at: usize,
) {
    let object = &cluster.objects[at];
    let controllers = collector.registry.controllers();
    let parents = Parents::new(object);
    collector.losses.families = parents.all;
    collector.losses.object(controllers, cluster, at);
    if !is_gateway_api(object.group) {
        return;
    }
    unknown_fields::object(&mut collector.losses, collector.registry, object, at);
    if let Some(kind) = ROUTES.iter().find(|kind| **kind == object.kind_name) {
        let families = parents.all.unwrap_or_default();
        for family in [Family::Gateway, Family::Mesh] {
            if families.has(family) {
                let node = object.root.get("kind").unwrap_or(object.root);
                let place = || Place::at(node, at, &[Part::Name("kind")]);
                collector
                    .routes
                    .entry((kind, family))
                    .or_default()
                    .add(place);
            }
        }
    }
    for job in plan.get(object.kind_name).into_iter().flatten() {
        walk(object, job.pattern, &mut |found| match job.shows {
            Shows::Feature(..) | Shows::Untested(_) if parents.is_foreign(found.trail) => {}
            Shows::Feature(name, certainty) => {
                let certainty = if found.is_sure {
                    certainty
                } else {
                    Certainty::Perhaps
                };
                let families = parents.at(found.trail);
                let place = || Place::of(found, at);
                collector.feature(name, certainty, (families, job.channel), place);
            }
            Shows::Untested(field) => {
                let how = (field.is_experimental, false);
                let place = || Place::of(found, at);
                collector.losses.untested(field.name.clone(), how, place);
            }
            Shows::Beyond(name) => collector.losses.field(name, || Place::of(found, at)),
            Shows::Reference(fields) => collector.losses.reference(fields, found, &parents, at),
        });
    }
    shapes::add(collector, cluster, at, &parents);
}
