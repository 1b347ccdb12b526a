//! Requirements of manifests, with paths and line numbers.

use std::fmt;

use serde::Serialize;

use super::ingresses::IngressNeeds;
use super::resolved_places::{ResolvedPlaces, resolved};
use crate::needs::{
    BeyondKind, Loss, LossKind, Lost, Need, Needs, full_name, is_class, is_ingress,
};
use crate::{Cluster, Counts, Object};
use gwconform_base::api::{Channel, Level, NameKind, Version};
use gwconform_base::release::served::Served;
use gwconform_base::release::{Profile, Registry};
use gwconform_base::text::message::Message;
use gwconform_base::text::{listed, listed_briefly};

/// Features, fields and settings that manifests require, and input that could not be evaluated.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct NeedsReport {
    /// Numbers of objects and entries.
    pub counts: InputCounts,
    /// Numbers of the input as read.
    #[serde(skip)]
    pub read: Counts,
    /// Required features, sorted by name.
    #[serde(rename = "needs")]
    pub certain: Vec<FeatureNeed>,
    /// Features that may be required, sorted by name. Reports without these features still match.
    pub perhaps: Vec<FeatureNeed>,
    /// Extended fields without a feature, sorted by name. No test proves support for these fields.
    pub uncovered: Vec<UncoveredField>,
    /// Settings that are implementation-specific or unknown to the API.
    pub beyond: Vec<BeyondNeed>,
    /// Annotations of tools that keep working with any gateway, sorted by tool.
    pub kept: Vec<KeptAnnotations>,
    /// What Ingresses need. Null without Ingresses.
    pub ingresses: Option<IngressNeeds>,
    /// Parts of files that could not be read.
    pub unread: Vec<Unread>,
    /// Kinds and versions that no known release has. Their requirements are unknown.
    pub unknown: Vec<Unknown>,
    /// Fields and values that no known release has, Routes without parents, and Ingresses whose
    /// controller is not known.
    pub unknown_fields: Vec<Unknown>,
    /// Features of the release data that `needs.json` does not have. Manifests do not show them.
    pub without_entry: Vec<String>,
    /// Kinds of other groups that are not evaluated, such as VirtualService. Sorted by name.
    pub not_read: Vec<NotRead>,
    /// Names and numbers of what was not read.
    #[serde(skip)]
    in_short: Vec<String>,
    /// Number of Ingresses, of objects whose kind a release of the API defines, and of policies.
    #[serde(skip)]
    pub objects: usize,
}

/// Numbers of objects in the input, and of entries.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct InputCounts {
    /// Objects whose kind gwconform knows.
    pub resources: usize,
    /// Other objects, and documents that are not objects.
    pub passed_over: usize,
    /// Services behind HTTPRoutes that are not in the input. Their `appProtocol` is unknown.
    pub services_not_there: usize,
    /// Entries omitted from all lists, because a list has 10,000 entries.
    pub omitted: usize,
}

/// Feature that the manifests require.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct FeatureNeed {
    /// Feature name, such as `HTTPRouteRequestTimeout`.
    pub feature: String,
    /// Level of the feature in the profiles that the Routes require.
    pub level: Level,
    /// First release with the feature. Null if unknown.
    pub since: Option<Version>,
    /// First release whose standard channel has the feature, if it was experimental before.
    pub standard_since: Option<Version>,
    /// Channel whose CRDs contain the feature's fields.
    pub channel: Channel,
    /// Reason why the requirement is uncertain. Null if it is certain.
    pub reason: Option<String>,
    /// What to write instead, such as `301`, if only defaults of the source or approximations
    /// require the feature. Null if the user requests it.
    pub alternative: Option<String>,
    /// True if only the suite uses the feature. Implementations are not required to support such
    /// features.
    #[serde(rename = "apart")]
    pub is_apart: bool,
    /// Places that require the feature.
    #[serde(flatten)]
    pub places: ResolvedPlaces,
}

/// Extended field that no feature covers.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct UncoveredField {
    /// Name of the field, such as `session persistence`.
    pub field: String,
    /// Channel whose CRDs contain the field.
    pub channel: Channel,
    /// Places that use the field.
    #[serde(flatten)]
    pub places: ResolvedPlaces,
}

/// Setting that the API does not define.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct BeyondNeed {
    /// Kind of setting, such as an annotation.
    pub kind: BeyondKind,
    /// Description of the setting.
    #[serde(rename = "text")]
    pub title: Message,
    /// API group of another project. Null for other settings.
    pub group: Option<String>,
    /// True for a setting that ingress-nginx enforces for security or correctness.
    #[serde(rename = "enforced")]
    pub is_enforced: bool,
    /// Places that use the setting.
    #[serde(flatten)]
    pub places: ResolvedPlaces,
}

/// Annotations that keep working with any gateway.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct KeptAnnotations {
    /// Tool that reads the annotations, such as `cert-manager`.
    pub tool: String,
    /// Places that use the annotations.
    #[serde(flatten)]
    pub places: ResolvedPlaces,
}

/// Part of a file that could not be read.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Unread {
    /// Printed path of the file.
    pub path: String,
    /// Line where reading stopped, from 1.
    pub line: u32,
    /// True for a Helm or Go template, or a file with a templated value. Such files must be rendered
    /// first.
    #[serde(rename = "template")]
    pub is_template: bool,
    /// Reason why the part could not be read.
    pub reason: String,
}

/// Kind, version, field or value that no known release has. `kubectl apply` rejects or drops it.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct Unknown {
    /// Explanation that names the kind, version, field or value.
    pub reason: String,
    /// Places that use it.
    #[serde(flatten)]
    pub places: ResolvedPlaces,
}

/// Objects of a kind that is not evaluated.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub struct NotRead {
    /// Kind of the objects, such as `VirtualService`.
    pub kind: String,
    /// API group. Empty for the core group.
    pub group: String,
    /// Provider of ingress2gateway that converts the kind. Null if no provider converts it.
    pub provider: Option<String>,
    /// The objects.
    #[serde(flatten)]
    pub places: ResolvedPlaces,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, line) = self.places.first();
        write!(f, "{path}:{line}: {}", self.reason)
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.reason)
    }
}

impl NotRead {
    /// Full name, such as `VirtualService.networking.istio.io`.
    pub fn name(&self) -> String {
        full_name(&self.group, &self.kind)
    }
}

impl NeedsReport {
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
        let features = |needs: &[Need<'_>]| {
            let need = |need: &Need<'_>| FeatureNeed {
                feature: need.feature.clone(),
                level: need.level_in(&profiles, registry),
                since: registry
                    .since(NameKind::Feature, &need.feature)
                    .map(|release| release.version().clone()),
                standard_since: registry
                    .standard_since(&need.feature)
                    .map(|release| release.version().clone()),
                channel: need.channel,
                reason: need.because.clone(),
                alternative: need.alternative.clone().filter(|_| !need.is_written()),
                is_apart: need.is_apart,
                places: resolved(&need.places, cluster),
            };
            needs.iter().map(need).collect()
        };
        let kept = needs.kept.iter().map(|(tool, places)| KeptAnnotations {
            tool: tool.clone(),
            places: resolved(places, cluster),
        });
        let read = counts(cluster);
        let mut report = Self {
            counts: InputCounts {
                resources: read.known,
                passed_over: read.passed_over + read.no_objects,
                services_not_there: needs.services_not_there,
                omitted: needs.left_out,
            },
            read,
            certain: features(&needs.certain),
            perhaps: features(&needs.perhaps),
            uncovered: Vec::new(),
            beyond: Vec::new(),
            kept: kept.collect(),
            ingresses: IngressNeeds::new(&needs.ingresses, cluster),
            unread: Vec::new(),
            unknown: Vec::new(),
            unknown_fields: Vec::new(),
            without_entry: without_entry(registry),
            not_read: Vec::new(),
            in_short: (needs.of_kind(LossKind::NotRead))
                .map(Loss::in_short)
                .collect(),
            // ConfigMaps of ingress-nginx have needs, too.
            objects: objects_of_the_api(cluster, registry.served())
                + needs.policies.len()
                + needs.certain.len(),
        };
        for loss in &needs.losses {
            let provider = loss.provider(registry.controllers());
            report.add(loss, provider, resolved(&loss.places, cluster));
        }
        for unknown in [&mut report.unknown, &mut report.unknown_fields] {
            unknown
                .sort_by(|a, b| (a.places.first(), &a.reason).cmp(&(b.places.first(), &b.reason)));
        }
        (report.unread).sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        report
    }

    /// Adds a loss to the list of its category.
    fn add(&mut self, loss: &Loss<'_>, provider: Option<&str>, places: ResolvedPlaces) {
        let (name, reason) = (loss.name.clone(), loss.title.to_string());
        match loss.lost {
            Lost::Setting(kind) => self.beyond.push(BeyondNeed {
                kind,
                title: loss.title.clone(),
                group: loss.group.clone(),
                is_enforced: loss.is_enforced,
                places,
            }),
            Lost::Field {
                is_experimental, ..
            } => self.uncovered.push(UncoveredField {
                field: name,
                channel: if is_experimental {
                    Channel::Experimental
                } else {
                    Channel::Standard
                },
                places,
            }),
            Lost::Part { is_template } => {
                let places = places.kept.into_iter().map(|one| one.place);
                self.unread.extend(places.map(|place| Unread {
                    path: place.path,
                    line: place.line,
                    is_template,
                    reason: reason.clone(),
                }));
            }
            Lost::Kind => self.unknown.push(Unknown { reason, places }),
            Lost::FieldOrValue | Lost::Unserved => {
                self.unknown_fields.push(Unknown { reason, places });
            }
            Lost::Objects => self.not_read.push(NotRead {
                kind: name,
                group: loss.rest.clone(),
                provider: provider.map(str::to_owned),
                places,
            }),
            Lost::Difference | Lost::Annotation | Lost::Controller => {
                if let Some(ingresses) = &mut self.ingresses {
                    ingresses.add(loss, places);
                }
            }
        }
    }

    /// Reason why nothing was evaluated, without a full stop. `None` if the input contains objects
    /// of the API.
    pub fn nothing_read(&self) -> Option<String> {
        if self.objects > 0 {
            return None;
        }
        let unread = self.unread.first().map(ToString::to_string);
        let unknown = self.unknown.first().map(ToString::to_string);
        let found = self.kinds_not_read().map(|kinds| format!("found {kinds}"));
        let reasons = [unread, unknown, found].into_iter().flatten();
        Some(self.read.nothing_read(reasons.collect()))
    }

    /// Input that was not read, such as `not read: 2 documents (a Helm template), Deployment.apps
    /// (1)`. `None` if everything was read.
    pub fn not_read_in_short(&self) -> Option<String> {
        let is_whole = self.in_short.is_empty();
        (!is_whole).then(|| format!("not read: {}", listed_briefly(&self.in_short)))
    }

    /// Kinds with counts, such as `Deployment.apps (1), Ingress.networking.k8s.io (2)`.
    pub fn kinds_not_read(&self) -> Option<String> {
        let kinds = self.not_read.iter().map(|one| {
            let convert = one.provider.as_ref().map_or_else(String::new, |provider| {
                format!("; convert with `ingress2gateway print --providers {provider}`")
            });
            format!("{} ({}{convert})", one.name(), one.places.count)
        });
        let kinds: Vec<_> = kinds.collect();
        (!kinds.is_empty()).then(|| listed(&kinds))
    }
}

fn objects_of_the_api(cluster: &Cluster<'_>, served: &Served) -> usize {
    let is_defined = |object: &&Object<'_>| {
        let mut releases = served.releases().iter();
        is_ingress(object)
            || releases.any(|release| release.kind(object.group, object.kind_name).is_some())
    };
    cluster.objects.iter().filter(is_defined).count()
}

fn without_entry(registry: &Registry) -> Vec<String> {
    let entries = &registry.needs().features;
    let names = registry.names(NameKind::Feature).into_iter();
    let missing = names.filter(|name| !entries.contains_key(*name));
    missing.map(str::to_owned).collect()
}

/// Counts Ingresses and their classes as read.
fn counts(cluster: &Cluster<'_>) -> Counts {
    let objects = cluster.objects.iter();
    let read = objects.filter(|object| is_ingress(object) || is_class(object));
    let read = read.count();
    Counts {
        known: cluster.counts.known + read,
        passed_over: cluster.counts.passed_over.saturating_sub(read),
        ..cluster.counts
    }
}
