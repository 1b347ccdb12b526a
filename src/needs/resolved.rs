//! What manifests need, with paths and lines: nothing of their texts is needed any more.

use serde::Serialize;

use super::unread::{NotRead, Unknown, Unread, not_read, objects_of_the_api, unknown, unread};
use crate::api::{Channel, Level, NameKind, Version};
use crate::cluster::needs::{BeyondKind, MAX_PLACES, Need, Needs, Place, Places};
use crate::cluster::{Cluster, Counts};
use crate::release::{How, Profile, Registry};
use crate::text::counted;
use crate::text::message::Message;

/// What manifests need.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NeedsReport {
    /// How much was looked at.
    #[serde(skip)]
    pub counts: Counts,
    /// The features that are needed for sure, by name.
    #[serde(rename = "needs")]
    pub certain: Vec<FeatureNeed>,
    /// The features that may be relied on, by name; none of them excludes a report.
    pub perhaps: Vec<FeatureNeed>,
    /// Extended fields that no feature covers, by name: no test shows who has them.
    pub uncovered: Vec<NamedPlaces>,
    /// What the API leaves to each implementation, or does not know.
    pub beyond: Vec<BeyondNeed>,
    /// How many more things beyond the API there are.
    pub beyond_left_out: usize,
    /// How many Services behind HTTPRoutes are not in the input: their `appProtocol` is not known.
    pub services_not_there: usize,
    /// What could not be read.
    pub unread: Vec<Unread>,
    /// Kinds and versions of the API that no known release has: what they need is not known.
    pub unknown: Vec<Unknown>,
    /// Kinds of other groups that are not read, such as Ingress, by name; the first 20.
    pub not_read: Vec<NotRead>,
    /// Number of kinds that `not_read` leaves out.
    pub kinds_left_out: usize,
    /// Number of objects whose kind a release of the API defines.
    #[serde(skip)]
    pub objects: usize,
}

/// A feature that is needed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FeatureNeed {
    /// Its name.
    pub feature: String,
    /// How sure it is: `certain` or `perhaps`.
    pub how: How,
    /// Core or extended, in the profiles that the Routes need.
    pub level: Level,
    /// The first release that has it.
    pub since: Option<Version>,
    /// The channel of the CRDs that its fields are in.
    pub channel: Channel,
    /// Why it is only perhaps needed; null for what is certain.
    pub because: Option<String>,
    /// True for a convenience of the suite: no implementation is asked for it.
    #[serde(rename = "apart")]
    pub is_apart: bool,
    /// Where.
    #[serde(flatten)]
    pub places: ResolvedPlaces,
}

/// An extended field that no feature covers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NamedPlaces {
    /// Its name.
    pub name: String,
    /// The channel of the CRDs that has it.
    pub channel: Channel,
    /// Where.
    #[serde(flatten)]
    pub places: ResolvedPlaces,
}

/// Something beyond the API.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BeyondNeed {
    /// What it is.
    pub kind: BeyondKind,
    /// The same in words.
    #[serde(rename = "text")]
    pub title: Message,
    /// The group of somebody's own, if it has one.
    pub group: Option<String>,
    /// Where.
    #[serde(flatten)]
    pub places: ResolvedPlaces,
}

/// Places with their lines.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ResolvedPlaces {
    /// How many places there are.
    pub count: usize,
    /// The first 100 places, in the order of the files.
    #[serde(rename = "places")]
    pub kept: Vec<ResolvedPlace>,
}

/// Where something is.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ResolvedPlace {
    /// The file as it is printed.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// The object: `HTTPRoute/shop/web`.
    pub resource: String,
    /// JSON pointer of the value, from its object.
    pub pointer: String,
    /// The value, where it is what counts.
    pub value: Option<String>,
    /// What is there, in words.
    #[serde(rename = "text")]
    pub title: Message,
}

impl NeedsReport {
    /// What is needed by Routes of some profiles, with paths and lines.
    pub(super) fn new(
        needs: &Needs<'_>,
        cluster: &Cluster<'_>,
        profiles: &[String],
        registry: &Registry,
    ) -> Self {
        let profiles: Vec<&Profile> = profiles
            .iter()
            .filter_map(|name| registry.profile(name))
            .collect();
        let features = |how, needs: &[Need<'_>]| {
            let need = |need: &Need<'_>| FeatureNeed {
                feature: need.feature.clone(),
                how,
                level: need.level_in(&profiles, registry),
                since: registry
                    .since(NameKind::Feature, &need.feature)
                    .map(|release| release.version().clone()),
                channel: need.channel,
                because: need.because.clone(),
                is_apart: need.is_apart,
                places: resolved(&need.places, cluster),
            };
            needs.iter().map(need).collect()
        };
        let uncovered = needs.uncovered.iter().map(|field| NamedPlaces {
            name: field.name.clone(),
            channel: match field.is_experimental {
                true => Channel::Experimental,
                false => Channel::Standard,
            },
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
            certain: features(How::Certain, &needs.certain),
            perhaps: features(How::Perhaps, &needs.perhaps),
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
