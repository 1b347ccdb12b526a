//! API versions and fields in the CRDs of releases, from `schema/registry/served.json`, which
//! [`super::import::served`] generates.
//!
//! Patches can change CRDs, so API versions and fields are unknown for releases without imported
//! CRDs.

use crate::api::SUBJECT;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::need_patterns::{Condition, Pattern};
use super::{Channel, Minor, Version};

/// API group of the standard kinds.
pub const GROUP: &str = SUBJECT.group;

/// API group of the experimental kinds.
pub const X_GROUP: &str = "gateway.networking.x-k8s.io";

/// CRDs of each release whose CRDs were imported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served(pub Vec<ServedRelease>);

/// CRDs of one release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedRelease {
    /// Release that contains the CRDs.
    pub version: Version,
    /// CRDs by kind, such as `HTTPRoute`.
    pub kinds: BTreeMap<String, ServedKind>,
}

/// CRDs of a kind in both channels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct ServedKind {
    /// API group of the kind; `None` for [`GROUP`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) group: Option<String>,
    /// Previous name of the kind, such as `XListenerSet`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) standard: Option<Versions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) experimental: Option<Versions>,
    /// Fields below `spec` that only the experimental channel has. Empty unless both channels have
    /// the kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub experimental_fields: Vec<String>,
    /// Fields that neither channel had in the previous release.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// Fields that this release removed from both channels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
}

/// API versions of a kind in one channel, most stable first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Versions {
    /// Versions accepted by the API server.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub served: Vec<String>,
    /// Listed in the CRD but rejected by the API server.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unserved: Vec<String>,
    /// Deprecated versions, with the recommended replacement if any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub deprecated: BTreeMap<String, Option<String>>,
}

impl Versions {
    /// True if the CRD lists the version, even if not served.
    pub fn lists(&self, version: &str) -> bool {
        let mut all = self.served.iter().chain(&self.unserved);
        all.any(|known| known == version)
    }
}

/// CRDs of one release and channel.
#[derive(Clone, Copy, Debug)]
pub struct Crds<'s> {
    served: &'s Served,
    /// Release of the CRDs.
    pub release: &'s ServedRelease,
    /// Channel of the CRDs.
    pub channel: Channel,
}

/// Recommended kind and API version for a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write<'s> {
    /// Kind, such as `ListenerSet`.
    pub kind: &'s str,
    /// Group and version, such as `gateway.networking.k8s.io/v1`.
    pub api_version: String,
    /// Channel that serves the version.
    pub channel: Channel,
}

/// Availability of a kind and version in the target CRDs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Object<'s> {
    /// The group does not belong to the Gateway API.
    NotOfTheApi,
    /// The version is served.
    Served,
    /// The version is served with a deprecation warning.
    Deprecated {
        /// Replacement, if served.
        write: Option<Write<'s>>,
    },
    /// The kind exists, but the version is not served.
    VersionNotServed {
        /// Recommended version; `None` if no version is served.
        write: Option<Write<'s>>,
    },
    /// Only the other channel has the kind.
    OtherChannel {
        /// Channel that has the kind.
        channel: Channel,
        /// First later minor whose requested channel has the kind.
        since: Option<Minor>,
    },
    /// Both channels removed the kind.
    Gone {
        /// Last minor that has the kind.
        until: Minor,
        /// Successor, and the minor that introduced the successor.
        now: Option<(Minor, Write<'s>)>,
    },
    /// Neither channel has the kind yet.
    NotYet {
        /// First minor that has the kind.
        since: Minor,
        /// Predecessor of the kind, if served.
        before: Option<Write<'s>>,
    },
    /// No known release has the kind.
    Unknown,
}

/// Reason why CRDs do not have a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// Only in the experimental channel. The minor is the first later one with the field in the
    /// standard channel.
    Experimental(Option<Minor>),
    /// Removed. The minor is the last with the field.
    Gone(Minor),
    /// Not yet added. The minor is the first with the field.
    NotYet(Minor),
}

impl Served {
    /// Releases with known CRDs, sorted by version.
    pub fn releases(&self) -> &[ServedRelease] {
        &self.0
    }

    /// CRDs of a release; `None` if not imported.
    pub fn release(&self, version: &Version) -> Option<&ServedRelease> {
        self.0.iter().find(|release| release.version == *version)
    }

    /// Newest patch with known CRDs.
    pub fn newest_patch_of(&self, minor: Minor) -> Option<&ServedRelease> {
        let mut newest_first = self.0.iter().rev();
        newest_first.find(|release| release.version.minor() == minor)
    }

    /// Selects the CRDs of a release and channel.
    pub fn crds<'s>(&'s self, release: &'s ServedRelease, channel: Channel) -> Crds<'s> {
        Crds {
            served: self,
            release,
            channel,
        }
    }

    fn before<'s>(&'s self, version: &Version) -> Option<&'s ServedRelease> {
        self.0
            .iter()
            .rev()
            .find(|release| release.version < *version)
    }
}

impl ServedRelease {
    /// Looks up a kind by API group and name.
    pub fn kind(&self, group: &str, kind: &str) -> Option<&ServedKind> {
        let found = self.kinds.get(kind)?;
        (found.group() == group).then_some(found)
    }

    /// True if the standard channel has the kind.
    pub fn is_standard(&self, kind: &str) -> bool {
        let found = self.kinds.get(kind);
        found.is_some_and(|found| found.standard.is_some())
    }
}

impl ServedRelease {
    /// Experimental if only that channel has the kind or a field of the pattern.
    pub fn channel(&self, kind: &str, pattern: &Pattern) -> Channel {
        let Some(found) = self.kinds.get(kind) else {
            return Channel::Standard;
        };
        let mut fields = vec![pattern.field()];
        let mut names = Vec::new();
        for step in &pattern.steps {
            names.push(step.name.as_str());
            fields.extend(
                step.conditions
                    .iter()
                    .filter_map(|condition| match condition {
                        Condition::Has(name) => Some(format!("{}/{name}", names.join("/"))),
                        _ => None,
                    }),
            );
        }
        let only_there = found.experimental_fields.iter();
        let only_there: Vec<String> = only_there.map(|field| field.replace("[]", "")).collect();
        let is_only_there = |field: &String| {
            let field = field.replace('/', ".");
            only_there.iter().any(|other| is_or_is_below(&field, other))
        };
        if found.standard.is_none() || fields.iter().any(is_only_there) {
            Channel::Experimental
        } else {
            Channel::Standard
        }
    }
}

impl ServedKind {
    /// API group of the kind.
    pub fn group(&self) -> &str {
        self.group.as_deref().unwrap_or(GROUP)
    }

    /// True if either channel lists the version, even if not served.
    pub fn has_version(&self, version: &str) -> bool {
        let mut channels = [&self.standard, &self.experimental].into_iter().flatten();
        channels.any(|versions| versions.lists(version))
    }

    /// Most stable served version, preferably in the standard channel.
    pub fn newest_version(&self) -> Option<&str> {
        let mut channels = [&self.standard, &self.experimental].into_iter().flatten();
        channels.find_map(|versions| versions.served.first().map(String::as_str))
    }

    /// API versions in a channel; `None` if the channel lacks the kind.
    pub fn versions(&self, channel: Channel) -> Option<&Versions> {
        match channel {
            Channel::Standard => self.standard.as_ref(),
            Channel::Experimental => self.experimental.as_ref(),
        }
    }

    fn write<'s>(&self, kind: &'s str, channel: Channel) -> Option<Write<'s>> {
        let (channel, versions) = [channel, other(channel)]
            .into_iter()
            .find_map(|channel| Some((channel, self.versions(channel)?)))?;
        let version = versions.served.first()?;
        Some(Write {
            kind,
            api_version: format!("{}/{version}", self.group()),
            channel,
        })
    }
}

fn other(channel: Channel) -> Channel {
    match channel {
        Channel::Standard => Channel::Experimental,
        Channel::Experimental => Channel::Standard,
    }
}

impl<'s> Crds<'s> {
    /// Looks up a kind and version, as written in `apiVersion` and `kind`.
    pub fn object(&self, api_version: &str, kind: &str) -> Object<'s> {
        let Some((group, version)) = api_version.rsplit_once('/') else {
            return Object::NotOfTheApi;
        };
        let (name, found, versions) = match self.find(group, kind) {
            Ok(found) => found,
            Err(why) => return why,
        };
        let is_served = versions.served.iter().any(|served| served == version);
        if !is_served {
            let write = found.write(name, self.channel);
            return Object::VersionNotServed { write };
        }
        if !versions.deprecated.contains_key(version) {
            return Object::Served;
        }
        let better = versions
            .served
            .iter()
            .find(|served| !versions.deprecated.contains_key(*served));
        Object::Deprecated {
            write: better.map(|version| Write {
                kind: name,
                api_version: format!("{group}/{version}"),
                channel: self.channel,
            }),
        }
    }

    /// Looks up a kind without a version.
    pub fn kind(&self, group: &str, kind: &str) -> Object<'s> {
        self.find(group, kind)
            .map_or_else(|why| why, |_| Object::Served)
    }

    fn find(
        &self,
        group: &str,
        kind: &str,
    ) -> Result<(&'s str, &'s ServedKind, &'s Versions), Object<'s>> {
        if ![GROUP, X_GROUP].contains(&group) {
            return Err(Object::NotOfTheApi);
        }
        let named = self.release.kinds.get_key_value(kind);
        let Some((name, found)) = named.filter(|(_, found)| found.group() == group) else {
            return Err(self.missing(group, kind));
        };
        if let Some(versions) = found.versions(self.channel) {
            return Ok((name, found, versions));
        }
        let mut later = self.later();
        let first = later.find(|release| {
            let found = release.kind(group, kind);
            found.is_some_and(|found| found.versions(self.channel).is_some())
        });
        Err(Object::OtherChannel {
            channel: other(self.channel),
            since: first.map(|release| release.version.minor()),
        })
    }

    /// All releases with known CRDs, sorted by version.
    pub fn all_releases(&self) -> &'s [ServedRelease] {
        &self.served.0
    }

    fn later(&self) -> impl Iterator<Item = &'s ServedRelease> {
        let version = &self.release.version;
        let releases = self.served.0.iter();
        releases.filter(move |release| release.version > *version)
    }

    fn missing(&self, group: &str, kind: &str) -> Object<'s> {
        let version = &self.release.version;
        let has = |release: &&ServedRelease| release.kind(group, kind).is_some();
        let releases = &self.served.0;
        let earlier = releases
            .iter()
            .rev()
            .filter(|release| release.version < *version);
        if let Some(last) = earlier.clone().find(has) {
            return Object::Gone {
                until: last.version.minor(),
                now: self.successor(kind),
            };
        }
        let mut later = releases.iter().filter(|release| release.version > *version);
        let Some(first) = later.find(has) else {
            return Object::Unknown;
        };
        let before = first
            .kind(group, kind)
            .and_then(|found| found.renamed_from.as_deref());
        let before = before.and_then(|name| {
            let (name, found) = self.release.kinds.get_key_value(name)?;
            found.write(name, self.channel)
        });
        Object::NotYet {
            since: first.version.minor(),
            before,
        }
    }

    fn successor(&self, kind: &str) -> Option<(Minor, Write<'s>)> {
        let mut name = kind;
        let mut since = None;
        let releases = self.served.0.iter();
        for release in releases.filter(|release| release.version <= self.release.version) {
            let mut kinds = release.kinds.iter();
            let renamed = kinds.find(|(_, found)| found.renamed_from.as_deref() == Some(name));
            if let Some((newer, _)) = renamed {
                name = newer;
                since = Some(release.version.minor());
            }
        }
        let (name, found) = self.release.kinds.get_key_value(name)?;
        Some((since?, found.write(name, self.channel)?))
    }

    /// Fields of a kind that these CRDs lack but other known CRDs have, without subfields. For
    /// example, `spec.rules[].retry`.
    pub fn absent_fields(&self, kind: &str) -> BTreeMap<&'s str, Absent> {
        let mut absent = BTreeMap::new();
        // The event nearest to the target release wins.
        for release in self.served.0.iter().rev() {
            let Some(found) = release.kinds.get(kind) else {
                continue;
            };
            let minor = release.version.minor();
            if release.version > self.release.version {
                for field in &found.added {
                    absent.insert(field.as_str(), Absent::NotYet(minor));
                }
                for field in &found.removed {
                    absent.remove(field.as_str());
                }
            }
        }
        let earlier = self.served.0.iter();
        for release in earlier.filter(|release| release.version <= self.release.version) {
            let Some(found) = release.kinds.get(kind) else {
                continue;
            };
            for field in &found.added {
                absent.remove(field.as_str());
            }
            let last = self.served.before(&release.version);
            for field in &found.removed {
                if let Some(last) = last {
                    absent.insert(field.as_str(), Absent::Gone(last.version.minor()));
                }
            }
        }
        if self.channel == Channel::Standard
            && let Some(found) = self.release.kinds.get(kind)
        {
            for field in &found.experimental_fields {
                let since = self.standard_since(kind, field);
                absent.insert(field.as_str(), Absent::Experimental(since));
            }
        }
        absent
    }
}

impl Crds<'_> {
    fn standard_since(&self, kind: &str, field: &str) -> Option<Minor> {
        let graduated = self.later().find(|release| {
            release.kinds.get(kind).is_some_and(|found| {
                let is_of = |other: &String| is_or_is_below(field, other);
                found.standard.is_some() && !found.experimental_fields.iter().any(is_of)
            })
        });
        // A field that was removed again did not graduate.
        let graduated = graduated?;
        let mut until = self
            .later()
            .take_while(|release| release.version <= graduated.version);
        let is_gone = until.any(|release| {
            let removed = release.kinds.get(kind).map(|found| &found.removed);
            removed.is_some_and(|removed| removed.iter().any(|other| is_or_is_below(field, other)))
        });
        (!is_gone).then(|| graduated.version.minor())
    }
}

fn is_or_is_below(field: &str, other: &str) -> bool {
    let rest = field.strip_prefix(other);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Sorts versions as `kubectl` does: GA, beta, alpha, and the highest number first.
pub(super) fn most_stable_first(versions: &mut [String]) {
    versions.sort_by_key(|version| Reverse(rank(version)));
}

/// Stability, number and prerelease number, such as `(1, 1, 1)` for `v1beta1`.
fn rank(version: &str) -> (u8, u32, u32) {
    let number = |text: &str| text.parse().unwrap_or(0);
    let version = version.strip_prefix('v').unwrap_or(version);
    if let Some((major, pre)) = version.split_once("beta") {
        return (1, number(major), number(pre));
    }
    if let Some((major, pre)) = version.split_once("alpha") {
        return (0, number(major), number(pre));
    }
    (2, number(version), 0)
}

#[cfg(test)]
mod tests;
