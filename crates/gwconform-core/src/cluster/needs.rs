//! What manifests need of an implementation: features, and what no feature covers.
//!
//! Detection takes the objects of [`Cluster`] and the table of the [`Registry`], and nothing else: no
//! files, no clock. Which values show a feature is data, `schema/registry/needs.json`; what is
//! more than one value is a function of `shapes`. Who supports it all is for the module `needs`.

mod beyond;
mod collect;
mod collector;
pub mod crds;
mod families;
mod listeners;
mod shapes;
mod target;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use crate::api::{Channel, Family, Level};
use crate::cluster::{Cluster, Node};
use crate::release::{Profile, Registry, Release};
use crate::text::diagnostic::Anchor;
use crate::text::message::Message;
use collector::Collector;
use walk::{Match, Part};

pub use beyond::full_name;
pub use beyond::{Beyond, BeyondKind};
pub use families::Families;
pub use target::{Listed, Standing, Support, Target};

/// How many places of one need are kept, and the first of each family; the others are counted.
pub const MAX_PLACES: usize = 100;

/// How many listeners of an object are looked at: what the API allows.
const MAX_LISTENERS: usize = 64;

/// Everything that some manifests need.
#[derive(Debug)]
pub struct Needs<'a> {
    /// The features that they need for sure, by name.
    pub certain: Vec<Need<'a>>,
    /// The features that they may rely on, by name.
    pub perhaps: Vec<Need<'a>>,
    /// Extended fields that no feature covers, by name.
    pub uncovered: Vec<Uncovered<'a>>,
    /// What the API leaves to each implementation, or does not know.
    pub beyond: Vec<Beyond<'a>>,
    /// How many things beyond the API are not kept.
    pub beyond_left_out: usize,
    /// The kinds of Routes, each with a family of its parents.
    pub routes: BTreeMap<(&'static str, Family), Places<'a>>,
    /// How many Services an HTTPRoute sends requests to are not in the input: their `appProtocol` is
    /// not known.
    pub services_not_there: usize,
    /// The policies of other groups that target an object of the input, by their place in
    /// [`Cluster::objects`].
    pub policies: BTreeSet<usize>,
}

/// A feature that is needed.
#[derive(Debug)]
pub struct Need<'a> {
    /// Its name.
    pub feature: String,
    /// Core or extended, as the newest release has it.
    pub level: Level,
    /// The channel of the CRDs that its fields are in.
    pub channel: Channel,
    /// Why it is only perhaps needed.
    pub because: Option<String>,
    /// True for a convenience of the suite, which is listed apart.
    pub is_apart: bool,
    /// Where it shows.
    pub places: Places<'a>,
}

impl Need<'_> {
    /// True for a core feature that a report on the profiles proves as such: it is core in one of
    /// them, or extended in no profile. (BackendTLSPolicy is a core feature, and extended in
    /// GATEWAY-HTTP.)
    pub fn is_proved_by(&self, profiles: &[&Profile], registry: &Registry) -> bool {
        let feature = self.feature.as_str();
        let mut all = registry.newest().into_iter().flat_map(Release::profiles);
        profiles.iter().any(|profile| profile.is_core(feature))
            || self.level == Level::Core && !all.any(|profile| profile.is_extended(feature))
    }

    /// Core or extended in some profiles: a core feature that no report on them proves as such is asked
    /// about like an extended one.
    pub fn level_in(&self, profiles: &[&Profile], registry: &Registry) -> Level {
        match self.is_proved_by(profiles, registry) {
            true => self.level,
            false => Level::Extended,
        }
    }
}

/// An extended field that no feature covers, or Routes that no profile covers.
#[derive(Debug)]
pub struct Uncovered<'a> {
    /// Its name for people.
    pub name: String,
    /// True where only the experimental channel has it.
    pub is_experimental: bool,
    /// True for Routes of a kind that no profile of their family is about.
    pub is_route: bool,
    /// Where it is.
    pub places: Places<'a>,
}

/// Places, in the order of the files.
#[derive(Debug, Clone, Default)]
pub struct Places<'a> {
    /// The first [`MAX_PLACES`], the first of each family, and the first of an experimental field.
    pub kept: Vec<Place<'a>>,
    /// How many there are.
    pub count: usize,
    /// The families of those that are kept.
    families: Families,
    /// True if one of them is of an experimental field.
    has_experimental: bool,
}

/// Where something is needed.
#[derive(Debug, Clone)]
pub struct Place<'a> {
    /// The value.
    pub node: Node<'a>,
    /// Which of the objects it is in, by its place in [`Cluster::objects`].
    pub object: usize,
    /// JSON pointer of the value, from its object.
    pub pointer: String,
    /// Its field as people name it: `filters[0].type`.
    pub field: String,
    /// The value, where it is what counts: `CORS`.
    pub value: Option<String>,
    /// What is there in words, where a field does not tell.
    pub note: Option<Message>,
    /// Whose features are needed there; `None` for an object that both families may read.
    pub families: Option<Families>,
    /// The channel of the CRDs that have the field: standard unless only the experimental channel has it.
    pub channel: Channel,
}

impl<'a> Needs<'a> {
    /// What the objects of a cluster, or of manifests, need.
    pub fn new(cluster: &Cluster<'a>, registry: &Registry) -> Self {
        let plan = collect::plan(registry);
        let mut collector = Collector::new(registry);
        for at in 0..cluster.objects.len() {
            collect::object(&mut collector, &plan, cluster, at);
        }
        listeners::add(&mut collector, cluster);
        collector.finish()
    }

    /// The features that are needed for sure.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        self.certain.iter().map(|need| need.feature.as_str())
    }

    /// The families that what is needed for sure is needed of: those of Routes' parents, and gateways
    /// where there is one.
    pub fn families(&self) -> Families {
        let places = self.certain.iter().map(|need| need.places.families);
        places.fold(Families::default(), Families::and)
    }

    /// True where a place asks a family for its feature. An object that both may read asks those that
    /// Routes ask, and both without a Route.
    pub fn asks(&self, family: Family, place: &Place<'_>) -> bool {
        match place.families {
            Some(families) => families.has(family),
            None => self.routes.is_empty() || self.routes.keys().any(|(_, of)| *of == family),
        }
    }

    /// True if a feature is certainly needed because of a field that only the experimental channel has.
    pub fn is_experimental(&self) -> bool {
        let mut certain = self.certain.iter();
        let mut uncovered = self.uncovered.iter();
        certain.any(|need| need.places.has_experimental)
            || uncovered.any(|field| field.is_experimental)
    }
}

/// Longest name or value that is kept, in bytes: what Kubernetes takes as a name.
const MAX_NAME: usize = 253;

/// A name or value as far as it is kept.
pub fn short(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_NAME)]
}

impl<'a> Place<'a> {
    fn of(found: &Match<'_, 'a>, object: usize) -> Self {
        // A kind counts by its value.
        let is_kind = found.trail == [Part::Name("kind")];
        let kind = found.node.text().filter(|_| is_kind);
        let kind = kind.map(|kind| kind.value);
        Self {
            node: found.node,
            object,
            pointer: walk::pointer(found.trail),
            field: walk::field(found.trail),
            value: found.value.or(kind).map(|value| short(value).to_owned()),
            note: None,
            families: None,
            channel: Channel::Standard,
        }
    }

    fn at(node: Node<'a>, object: usize, trail: &[Part<'_>]) -> Self {
        Self::of(
            &Match {
                node,
                trail,
                value: None,
                is_sure: true,
            },
            object,
        )
    }

    /// Where a finding points at: the value, or the key of a list or mapping.
    pub fn anchor(&self) -> Anchor {
        match self.node.text() {
            Some(text) => text.node.place(),
            None => self.node.head(),
        }
    }

    /// `filters[0].type: CORS`, or what is there in words.
    pub fn title(&self) -> Message {
        if let Some(note) = &self.note {
            return note.clone();
        }
        match &self.value {
            Some(value) => Message::code(format_args!("{}: {value}", self.field)),
            None => Message::code(&self.field),
        }
    }
}

impl<'a> Places<'a> {
    fn add(&mut self, place: impl FnOnce() -> Place<'a>) {
        self.add_of(None, Channel::Standard, place);
    }

    fn add_of(
        &mut self,
        families: Option<Families>,
        channel: Channel,
        place: impl FnOnce() -> Place<'a>,
    ) {
        self.count += 1;
        let new = families.unwrap_or_default().without(self.families);
        let is_experimental = channel == Channel::Experimental;
        let is_first = !new.is_empty() || is_experimental && !self.has_experimental;
        if self.kept.len() < MAX_PLACES || is_first {
            self.families = self.families.and(new);
            self.has_experimental |= is_experimental;
            self.kept.push(Place {
                families,
                channel,
                ..place()
            });
        }
    }

    fn sort(&mut self) {
        self.kept
            .sort_by_key(|place| (place.object, place.node.span().start));
    }
}
