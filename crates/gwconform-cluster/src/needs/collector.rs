use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::families::Families;
use super::ingress::Ingresses;
use super::losses;
use super::{Need, Needs, Place, Places};
use crate::Text;
use gwconform_base::api::{Channel, Family, Level};
use gwconform_base::release::Registry;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Certainty {
    Certain,
    Perhaps,
}

pub(super) type Ports<'a> = BTreeMap<&'a str, Port<'a>>;

pub(super) struct Port<'a> {
    pub(super) nth: usize,
    pub(super) protocol: Text<'a>,
    /// Families of the Routes that use the port; `None` before the first Route.
    pub(super) named_by: Option<Families>,
}

/// Kind, namespace and name of a Route, and the name of one of its rules.
pub(super) type RuleTarget<'a> = (&'a str, &'a str, &'a str, &'a str);

/// Kinds of Routes that name a Gateway as parent.
#[derive(Clone, Copy, Default)]
pub(super) struct Routed {
    pub(super) has_tls: bool,
    pub(super) has_tcp: bool,
}

pub(super) struct Collector<'r, 'a> {
    pub(super) registry: &'r Registry,
    certain: BTreeMap<&'r str, Places<'a>>,
    perhaps: BTreeMap<&'r str, Places<'a>>,
    /// Objects that certainly need a feature.
    needed_by: HashSet<(&'r str, usize)>,
    pub(super) losses: losses::Collected<'a>,
    pub(super) routes: BTreeMap<(&'static str, Family), Places<'a>>,
    pub(super) services_not_there: BTreeSet<(&'a str, &'a str)>,
    pub(super) ports: BTreeMap<usize, Ports<'a>>,
    /// Reasons of features that are only possibly required, instead of those of the table.
    pub(super) because: BTreeMap<&'r str, &'r str>,
    /// Alternatives of features with places that the user did not write.
    pub(super) defaults: BTreeMap<&'r str, &'r str>,
    /// Kinds of Routes by the index of their Gateway.
    pub(super) routed: HashMap<usize, Routed>,
    /// See [`terminating`](super::shapes::terminating).
    pub(super) terminating: HashSet<(usize, &'a str, &'a str)>,
    /// Rules of Routes that policies target.
    pub(super) targets: HashSet<RuleTarget<'a>>,
    pub(super) ingresses: Ingresses<'a>,
}

impl<'r, 'a> Collector<'r, 'a> {
    pub fn new(registry: &'r Registry) -> Self {
        Self {
            registry,
            certain: BTreeMap::new(),
            perhaps: BTreeMap::new(),
            needed_by: HashSet::new(),
            losses: losses::Collected::default(),
            routes: BTreeMap::new(),
            services_not_there: BTreeSet::new(),
            ports: BTreeMap::new(),
            because: BTreeMap::new(),
            defaults: BTreeMap::new(),
            routed: HashMap::new(),
            terminating: HashSet::new(),
            targets: HashSet::new(),
            ingresses: Ingresses::default(),
        }
    }

    /// Records a feature, which may have a different name for meshes.
    pub(super) fn feature(
        &mut self,
        name: &'r str,
        certainty: Certainty,
        (families, channel): (Option<Families>, Channel),
        place: impl Fn() -> Place<'a>,
    ) {
        let (certain, perhaps, needed_by) =
            (&mut self.certain, &mut self.perhaps, &mut self.needed_by);
        let mut add = |name: &'r str, families| {
            let found = match certainty {
                Certainty::Certain => &mut *certain,
                Certainty::Perhaps => &mut *perhaps,
            };
            let places = found.entry(name).or_default();
            places.add_of(families, channel, &mut || {
                let place = place();
                if certainty == Certainty::Certain {
                    needed_by.insert((name, place.object));
                }
                place
            });
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

    pub(super) fn finish(mut self) -> Needs<'a> {
        let registry = self.registry;
        for (name, places) in &mut self.perhaps {
            let needed_by = &self.needed_by;
            places.retain(|place| !needed_by.contains(&(*name, place.object)));
        }
        self.perhaps.retain(|_, places| !places.kept.is_empty());
        for ((kind, family), places) in &self.routes {
            if !registry.has_profile_of(kind, *family) {
                let of = match family {
                    Family::Gateway => "a Gateway",
                    Family::Mesh => "a mesh",
                };
                for place in &places.kept {
                    let name = format!("{kind} of {of}");
                    self.losses.families = Some(Families::of(*family));
                    self.losses.untested(name, (false, true), || place.clone());
                }
            }
        }
        let policies = std::mem::take(&mut self.losses.policies);
        let kept = std::mem::take(&mut self.losses.kept);
        let (losses, left_out) = self.losses.finish();
        Needs {
            certain: needs(self.certain, registry, None, &self.defaults),
            perhaps: needs(
                self.perhaps,
                registry,
                Some(&self.because),
                &BTreeMap::new(),
            ),
            losses,
            left_out,
            routes: self.routes,
            services_not_there: self.services_not_there.len(),
            policies,
            kept,
            ingresses: self.ingresses,
        }
    }
}

fn needs<'a>(
    found: BTreeMap<&str, Places<'a>>,
    registry: &Registry,
    reasons: Option<&BTreeMap<&str, &str>>,
    defaults: &BTreeMap<&str, &str>,
) -> Vec<Need<'a>> {
    let need = |(name, mut places): (&str, Places<'a>)| {
        places.sort();
        let feature = registry.feature(name);
        let entry = registry.needs().features.get(name);
        let because = reasons.and_then(|reasons| match reasons.get(name) {
            Some(because) => Some((*because).to_owned()),
            None => entry?.because.clone(),
        });
        Need {
            feature: name.to_owned(),
            level: feature.map_or(Level::Extended, |feature| feature.level),
            channel: feature.map_or(Channel::Standard, |feature| feature.channel),
            because,
            alternative: defaults.get(name).map(|text| (*text).to_owned()),
            is_apart: entry.is_some_and(|entry| entry.is_apart),
            places,
        }
    };
    found.into_iter().map(need).collect()
}
