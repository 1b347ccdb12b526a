//! What manifests need, with paths and lines: nothing of their texts is needed any more.

use super::unread::{NotRead, Unknown, Unread, not_read, objects_of_the_api, unknown, unread};
use crate::api::{Channel, Kind, Level};
use crate::cluster::needs::{BeyondKind, MAX_PLACES, Need, Needs, Place, Places};
use crate::cluster::{Cluster, Counts};
use crate::release::{Profile, Registry};
use crate::text::counted;
use crate::text::message::Message;

/// What manifests need.
#[derive(Debug)]
pub struct NeedsReport {
    /// How much was looked at.
    pub counts: Counts,
    /// The features that are needed for sure, by name.
    pub certain: Vec<FeatureNeed>,
    /// The features that may be relied on, by name.
    pub perhaps: Vec<FeatureNeed>,
    /// Extended fields that no feature covers, by name.
    pub uncovered: Vec<NamedPlaces>,
    /// What the API leaves to each implementation, or does not know.
    pub beyond: Vec<BeyondNeed>,
    /// How many things beyond the API are not kept.
    pub beyond_left_out: usize,
    /// How many Services behind HTTPRoutes are not in the input.
    pub services_not_there: usize,
    /// What could not be read, by file and place.
    pub unread: Vec<Unread>,
    /// Objects of the API that no known release has, by file and place.
    pub unknown: Vec<Unknown>,
    /// Objects of other groups that are not read, by kind.
    pub not_read: Vec<NotRead>,
    /// Number of kinds that `not_read` leaves out.
    pub kinds_left_out: usize,
    /// Number of objects whose kind a release of the API defines.
    pub objects: usize,
}

/// A feature that is needed.
#[derive(Debug)]
pub struct FeatureNeed {
    /// Its name.
    pub feature: String,
    /// Core or extended, in the profiles that the Routes need.
    pub level: Level,
    /// The first release that has it.
    pub since: Option<String>,
    /// The channel of its fields.
    pub channel: Channel,
    /// Why it is only perhaps needed.
    pub because: Option<String>,
    /// True for a convenience of the suite, which is listed apart.
    pub is_apart: bool,
    /// Where.
    pub places: ResolvedPlaces,
}

/// Something with a name and places.
#[derive(Debug)]
pub struct NamedPlaces {
    /// Its name for people.
    pub name: String,
    /// True where only the experimental channel has it.
    pub is_experimental: bool,
    /// Where.
    pub places: ResolvedPlaces,
}

/// Something beyond the API.
#[derive(Debug)]
pub struct BeyondNeed {
    /// What it is.
    pub kind: BeyondKind,
    /// The same in words.
    pub title: Message,
    /// The group of somebody's own, if it has one.
    pub group: Option<String>,
    /// Where.
    pub places: ResolvedPlaces,
}

/// Places with their lines.
#[derive(Debug)]
pub struct ResolvedPlaces {
    /// The first ones, in the order of the files.
    pub kept: Vec<ResolvedPlace>,
    /// How many there are.
    pub count: usize,
}

/// A place with its line.
#[derive(Debug)]
pub struct ResolvedPlace {
    /// The file as it is printed.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// The object, as kind, namespace and name.
    pub resource: String,
    /// JSON pointer, from the object.
    pub pointer: String,
    /// The value, where it is what counts.
    pub value: Option<String>,
    /// What is there.
    pub title: Message,
}

impl NeedsReport {
    /// What is needed by Routes of some profiles, with paths and lines.
    pub(super) fn of(
        needs: &Needs<'_>,
        cluster: &Cluster<'_>,
        profiles: &[String],
        registry: &Registry,
    ) -> Self {
        let profiles: Vec<&Profile> = profiles
            .iter()
            .filter_map(|name| registry.profile(name))
            .collect();
        let features = |needs: &[Need<'_>]| features(needs, cluster, &profiles, registry);
        let uncovered = needs.uncovered.iter().map(|field| NamedPlaces {
            name: field.name.clone(),
            is_experimental: field.is_experimental,
            places: resolved(&field.places, cluster),
        });
        let beyond = needs.beyond.iter().map(|beyond| BeyondNeed {
            kind: beyond.kind,
            title: beyond.title.clone(),
            group: beyond.group.clone(),
            places: resolved(&beyond.places, cluster),
        });
        let (not_read, kinds_left_out) = not_read(cluster, needs);
        Self {
            counts: cluster.counts,
            certain: features(&needs.certain),
            perhaps: features(&needs.perhaps),
            uncovered: uncovered.collect(),
            beyond: beyond.collect(),
            beyond_left_out: needs.beyond_left_out,
            services_not_there: needs.services_not_there,
            unread: unread(cluster),
            unknown: unknown(cluster, registry.served()),
            not_read,
            kinds_left_out,
            objects: objects_of_the_api(cluster, registry.served()),
        }
    }

    /// Why there is no answer: a sentence without a full stop if the input has no object of the API.
    pub fn nothing_read(&self) -> Option<String> {
        if self.objects > 0 {
            return None;
        }
        let unread = self.unread.first();
        let unread = unread.map(|one| format!("{}:{}: {}", one.path, one.line, one.reason));
        let unknown = self.unknown.first();
        let unknown = unknown.map(|one| format!("{}:{}: {}", one.path, one.line, one.reason));
        let found = self.kinds_not_read().map(|kinds| format!("found {kinds}"));
        let mut reasons: Vec<String> = [unread, unknown, found].into_iter().flatten().collect();
        if reasons.is_empty() {
            reasons.push(match self.counts.no_objects {
                0 => "the input is empty".to_owned(),
                count => format!("{} without apiVersion and kind", counted(count, "document")),
            });
        }
        let (files, reasons) = (counted(self.counts.files, "file"), reasons.join("; "));
        Some(format!(
            "no object of the Gateway API in {files}; {reasons}"
        ))
    }

    /// The kinds that were not read: `Deployment.apps (1), Ingress.networking.k8s.io (2)`.
    pub fn kinds_not_read(&self) -> Option<String> {
        let kinds = self.not_read.iter();
        let kinds = kinds.map(|one| format!("{} ({})", one.name(), one.count));
        let mut text = kinds.collect::<Vec<_>>().join(", ");
        if let more @ 1.. = self.kinds_left_out {
            text.push_str(&format!(" and {}", counted(more, "more kind")));
        }
        (!text.is_empty()).then_some(text)
    }
}

fn features(
    needs: &[Need<'_>],
    cluster: &Cluster<'_>,
    profiles: &[&Profile],
    registry: &Registry,
) -> Vec<FeatureNeed> {
    let need = |need: &Need<'_>| FeatureNeed {
        feature: need.feature.clone(),
        level: need.level_in(profiles, registry),
        since: registry
            .since(Kind::Feature, &need.feature)
            .map(|release| release.version().to_string()),
        channel: need.channel,
        because: need.because.clone(),
        is_apart: need.is_apart,
        places: resolved(&need.places, cluster),
    };
    needs.iter().map(need).collect()
}

fn resolved(places: &Places<'_>, cluster: &Cluster<'_>) -> ResolvedPlaces {
    let place = |place: &Place<'_>| {
        let object = &cluster.objects[place.object];
        let printed = place.anchor().place;
        let start = printed.region.map(|region| region.start);
        ResolvedPlace {
            path: printed.path.to_string(),
            line: start.map_or(1, |start| start.line),
            column: start.map_or(1, |start| start.column),
            resource: object.root.subject().to_string(),
            pointer: place.pointer.clone(),
            value: place.value.clone(),
            title: place.title(),
        }
    };
    ResolvedPlaces {
        kept: places.kept.iter().take(MAX_PLACES).map(place).collect(),
        count: places.count,
    }
}
