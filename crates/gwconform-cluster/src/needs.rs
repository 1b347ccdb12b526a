//! Features that manifests require, and settings that no feature covers, detected with
//! `schema/registry/needs.json`.
//!
//! The crate-level module `needs` finds matching implementations.

mod pattern_plan;
mod collector;
pub mod absent_fields;
mod families;
mod unknown_fields;
mod ingress;
mod listeners;
mod losses;
mod shapes;
mod target_implementation;
mod unread;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use crate::{Cluster, Node};
use collector::Collector;
use gwconform_base::api::{Channel, Family, Level};
use gwconform_base::release::{Profile, Registry, Release};
use gwconform_base::text::diagnostic::{self, Anchor, Subject};
use gwconform_base::text::message::Message;
use gwconform_base::text::source::{Source, Span};
use walk::{Match, Part};

pub use families::Families;
pub use ingress::{IngressCounts, Ingresses};
pub(crate) use ingress::{is_class, is_ingress};
pub use losses::{BeyondKind, Loss, LossKind, Lost, full_name, is_own};
pub use target_implementation::{Listed, Standing, Support, Target};
pub(crate) use target_implementation::{is_owned, owners_of};

/// Maximum places stored per need.
pub(crate) const MAX_PLACES: usize = 100;

/// Features and settings that the manifests require.
#[derive(Debug)]
pub struct Needs<'a> {
    /// Required features, sorted by name.
    pub certain: Vec<Need<'a>>,
    /// Possibly required features, sorted by name.
    pub perhaps: Vec<Need<'a>>,
    /// Losses that no report decides, sorted by category and name.
    pub losses: Vec<Loss<'a>>,
    /// Number of entries dropped from `losses`.
    pub left_out: usize,
    /// Places of Routes, by Route kind and parent family.
    pub routes: BTreeMap<(&'static str, Family), Places<'a>>,
    /// Number of missing backend Services, whose `appProtocol` is unknown.
    pub services_not_there: usize,
    /// Indexes of policies of other groups that target a kind of the API, or an object of the
    /// input.
    pub policies: BTreeSet<usize>,
    /// Annotations that keep working with any gateway, by the tool that reads them.
    pub kept: BTreeMap<String, Places<'a>>,
    /// Ingresses.
    pub ingresses: Ingresses<'a>,
}

/// Feature that manifests require or possibly require.
#[derive(Debug)]
pub struct Need<'a> {
    /// Feature name, such as `HTTPRouteCORS`.
    pub feature: String,
    /// Support level in the newest release.
    pub level: Level,
    /// Channel whose CRDs include the feature.
    pub channel: Channel,
    /// Why the feature may not be required; `None` for required features.
    pub because: Option<String>,
    /// What to write instead at the places that the user did not write; `None` without such places.
    pub alternative: Option<String>,
    /// Whether only the suite uses the feature.
    pub is_apart: bool,
    /// Places that require the feature.
    pub places: Places<'a>,
}

impl<'a> Need<'a> {
    /// Whether the user wrote any of the places. Defaults and approximations are not written.
    pub fn is_written(&self) -> bool {
        self.places.has_written
    }

    /// Places that the user wrote, or did not write.
    pub fn places(&self, is_written: bool) -> impl Iterator<Item = &Place<'a>> {
        let places = self.places.kept.iter();
        places.filter(move |place| place.is_written == is_written)
    }

    /// Whether a report can prove the feature, which must be core in one of its profiles, or
    /// extended in no profile.
    pub(crate) fn is_proved_by(&self, profiles: &[&Profile], registry: &Registry) -> bool {
        let feature = self.feature.as_str();
        let mut all = registry.newest().into_iter().flat_map(Release::profiles);
        profiles.iter().any(|profile| profile.is_core(feature))
            || self.level == Level::Core && !all.any(|profile| profile.is_extended(feature))
    }

    /// Extended, unless the profiles can prove the core feature.
    pub fn level_in(&self, profiles: &[&Profile], registry: &Registry) -> Level {
        if self.is_proved_by(profiles, registry) {
            self.level
        } else {
            Level::Extended
        }
    }
}

/// Places in file order.
#[derive(Debug, Clone, Default)]
pub struct Places<'a> {
    /// First `MAX_PLACES` places, plus the first of each family, without a family, of an
    /// experimental field, and that the user wrote.
    pub kept: Vec<Place<'a>>,
    /// Number of places, including places not in `kept`.
    pub count: usize,
    families: Families,
    has_experimental: bool,
    has_written: bool,
    has_shared: bool,
}

/// Value, or part of a file that is not a value.
#[derive(Debug, Clone, Copy)]
enum Spot<'a> {
    Node(Node<'a>),
    Part(&'a Source, Span),
}

/// Place in a manifest that requires a feature.
#[derive(Debug, Clone)]
pub struct Place<'a> {
    spot: Spot<'a>,
    /// Index in [`Cluster::objects`], or the number of objects for a part that is not an object.
    pub object: usize,
    /// JSON pointer within the object.
    pub pointer: String,
    /// Field for messages, such as `filters[0].type`.
    pub field: String,
    /// Value that determines the need, such as `CORS`.
    pub value: Option<String>,
    /// Description to print instead of the field.
    pub note: Option<Message>,
    /// Families that require the feature; `None` for objects that both families may read.
    pub families: Option<Families>,
    /// Whether the user wrote the need. Defaults and approximations are not written.
    pub is_written: bool,
    /// Annotation that determines the need; empty for other fields.
    pub annotation: &'a str,
    /// Channel; experimental only if the standard channel lacks the field.
    pub channel: Channel,
}

impl<'a> Needs<'a> {
    /// Detects the features and settings that objects require.
    pub fn new(cluster: &Cluster<'a>, registry: &Registry) -> Self {
        let mut collector = Collector::new(registry);
        collector.routed = shapes::routed(cluster);
        collector.terminating = shapes::terminating(cluster);
        add_objects(&mut collector, cluster, 0..cluster.objects.len());
        ingress::add(&mut collector, cluster);
        listeners::add(&mut collector, cluster);
        unread::add(&mut collector.losses, cluster, registry);
        collector.finish()
    }

    /// Detects what some Routes require.
    pub(crate) fn of_routes(
        cluster: &Cluster<'a>,
        registry: &Registry,
        routes: impl IntoIterator<Item = usize>,
    ) -> Self {
        let mut collector = Collector::new(registry);
        add_objects(&mut collector, cluster, routes);
        collector.finish()
    }

    /// Names of the required features.
    pub fn features(&self) -> impl Iterator<Item = &str> {
        self.certain.iter().map(|need| need.feature.as_str())
    }

    /// Families of the required features.
    pub fn families(&self) -> Families {
        let places = self.certain.iter().map(|need| need.places.families);
        places.fold(Families::default(), Families::and)
    }

    /// Losses of one kind.
    pub fn of_kind(&self, kind: LossKind) -> impl Iterator<Item = &Loss<'a>> {
        self.losses.iter().filter(move |loss| loss.kind() == kind)
    }

    /// Whether any feature or field requires the experimental channel.
    pub fn is_experimental(&self) -> bool {
        let mut certain = self.certain.iter();
        let mut losses = self.losses.iter();
        certain.any(|need| need.places.has_experimental)
            || losses.any(|loss| loss.is_experimental())
    }
}

fn add_objects<'a>(
    collector: &mut Collector<'_, 'a>,
    cluster: &Cluster<'a>,
    objects: impl IntoIterator<Item = usize>,
) {
    let plan = pattern_plan::plan(collector.registry);
    collector.targets = shapes::rule_targets(cluster);
    for at in objects {
        pattern_plan::object(collector, &plan, cluster, at);
    }
}

const MAX_NAME: usize = 253;

/// Truncates a name or value to 253 bytes.
pub fn short(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_NAME)]
}

impl<'a> Place<'a> {
    fn of(found: &Match<'_, 'a>, object: usize) -> Self {
        let is_kind = found.trail == [Part::Name("kind")];
        let kind = found.node.text().filter(|_| is_kind);
        let kind = kind.map(|kind| kind.value);
        Self {
            pointer: walk::pointer(found.trail),
            field: walk::field(found.trail),
            value: found.value.or(kind).map(|value| short(value).to_owned()),
            ..Self::new(Spot::Node(found.node), object)
        }
    }

    fn new(spot: Spot<'a>, object: usize) -> Self {
        Self {
            spot,
            object,
            pointer: String::new(),
            field: String::new(),
            value: None,
            note: None,
            families: None,
            is_written: true,
            annotation: "",
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

    fn of_part(source: &'a Source, span: Span, object: usize, note: Message) -> Self {
        Self {
            note: Some(note),
            ..Self::new(Spot::Part(source, span), object)
        }
    }

    /// The place without its value, which may be long or secret.
    fn unvalued(&self) -> Self {
        Self {
            value: None,
            ..self.clone()
        }
    }

    /// Annotation, or `spec.tls` for the TLS of an Ingress.
    fn key(&self) -> &'a str {
        match self.annotation {
            "" => "spec.tls",
            annotation => annotation,
        }
    }

    /// Position of the value or, for a collection, of its key.
    pub fn anchor(&self) -> Anchor {
        match self.spot {
            Spot::Node(node) => match node.text() {
                Some(text) => text.node.place(),
                None => node.head(),
            },
            Spot::Part(source, span) => {
                Anchor::new(diagnostic::Place::span(source, span), Subject::whole())
            }
        }
    }

    /// Note, or else field and value, such as `filters[0].type: CORS`.
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
    /// Families that require the feature.
    pub fn families(&self) -> Families {
        self.families
    }

    fn add(&mut self, mut place: impl FnMut() -> Place<'a>) {
        self.add_of(None, Channel::Standard, &mut place);
    }

    fn add_of(
        &mut self,
        families: Option<Families>,
        channel: Channel,
        place: &mut dyn FnMut() -> Place<'a>,
    ) {
        self.count += 1;
        let new = families.unwrap_or_default().without(self.families);
        let is_experimental = channel == Channel::Experimental;
        let is_first = !new.is_empty()
            || is_experimental && !self.has_experimental
            || families.is_none() && !self.has_shared;
        if self.kept.len() < MAX_PLACES || is_first || !self.has_written {
            let place = Place {
                families,
                channel,
                ..place()
            };
            self.families = self.families.and(new);
            self.has_experimental |= is_experimental;
            self.has_shared |= families.is_none();
            let is_first = is_first || place.is_written && !self.has_written;
            self.has_written |= place.is_written;
            if self.kept.len() < MAX_PLACES || is_first {
                self.kept.push(place);
            }
        }
    }

    fn retain(&mut self, is_kept: impl Fn(&Place<'a>) -> bool) {
        let before = self.kept.len();
        self.kept.retain(is_kept);
        self.count -= before - self.kept.len();
    }

    fn sort(&mut self) {
        self.kept.sort_by_key(|place| {
            let span = match place.spot {
                Spot::Node(node) => node.span(),
                Spot::Part(_, span) => span,
            };
            (place.object, span.start)
        });
    }
}
