//! What the CRDs of a release serve: which versions of a kind, in which channel, and which fields are
//! in one channel only. Facts of `schema/registry/served.json`, which
//! [`super::import::served`] writes from the CRDs of tags (`config/crd`).
//!
//! Releases of which no CRDs were read are not known here: a patch can change what is served.

use crate::api::SUBJECT;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::needs::{Condition, Pattern};
use super::{Channel, Minor, Version};

/// The group of the Gateway API.
pub const GROUP: &str = SUBJECT.group;

/// The group of its experiments.
pub const X_GROUP: &str = "gateway.networking.x-k8s.io";

/// What the CRDs of all releases serve, as far as they were read; by version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Served(pub(super) Vec<ServedRelease>);

/// The CRDs of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedRelease {
    /// The release.
    pub version: Version,
    /// By kind.
    pub kinds: BTreeMap<String, ServedKind>,
}

/// The CRDs of a kind: those of both channels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct ServedKind {
    /// Its group; absent for [`GROUP`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) group: Option<String>,
    /// The kind that became this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub renamed_from: Option<String>,
    /// Its versions in the standard channel; absent where that does not have the kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) standard: Option<Versions>,
    /// Its versions in the experimental channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) experimental: Option<Versions>,
    /// Fields below `spec` that only the experimental channel has, where both have the kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub experimental_fields: Vec<String>,
    /// Fields that the release before, of those that are known here, has in no channel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<String>,
    /// Fields that the release before has, and this one in no channel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
}

/// The versions of a kind in the CRD of a channel. Each of the lists has the most stable first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
pub struct Versions {
    /// Those that the API server takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub served: Vec<String>,
    /// Those that the CRD still lists, and the API server refuses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unserved: Vec<String>,
    /// Those that the CRD declares as deprecated, with the version that its warning names instead.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub deprecated: BTreeMap<String, Option<String>>,
}

/// CRDs that manifests are meant for.
#[derive(Clone, Copy, Debug)]
pub struct Crds<'s> {
    served: &'s Served,
    /// The release.
    pub release: &'s ServedRelease,
    /// The channel.
    pub channel: Channel,
}

/// A kind and a version to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write<'s> {
    /// The kind.
    pub kind: &'s str,
    /// `gateway.networking.k8s.io/v1`
    pub api_version: String,
    /// The channel that serves it: the one that was asked about, where that has the kind.
    pub channel: Channel,
}

/// What CRDs do with an object of an apiVersion and kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Object<'s> {
    /// The apiVersion is not of a group of the Gateway API.
    NotOfTheApi,
    /// They serve it.
    Served,
    /// They serve it, and the API server warns.
    Deprecated {
        /// What to write instead, where they serve it.
        write: Option<Write<'s>>,
    },
    /// They have the kind, and do not serve the version.
    VersionNotServed {
        /// What to write instead; `None` where the kind has no version that is served.
        write: Option<Write<'s>>,
    },
    /// Only the other channel has the kind.
    OtherChannel {
        /// The channel that has it.
        channel: Channel,
        /// The first minor after this one in which the channel has it that was asked about.
        since: Option<Minor>,
    },
    /// Neither channel has the kind any more.
    Gone {
        /// The last minor that has it.
        until: Minor,
        /// The kind that it became, with the minor since which it is that one.
        now: Option<(Minor, Write<'s>)>,
    },
    /// Neither channel has the kind yet.
    NotYet {
        /// The first minor that has it.
        since: Minor,
        /// What it was before.
        before: Option<Write<'s>>,
    },
    /// No known release has the kind.
    Unknown,
}

/// Why CRDs do not have a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// It is only in the experimental channel; the first later minor whose standard channel has it.
    Experimental(Option<Minor>),
    /// No channel has it any more; the last minor that has it.
    Gone(Minor),
    /// No channel has it yet; the first minor that has it.
    NotYet(Minor),
}

impl Served {
    /// The releases whose CRDs are known, by version.
    pub fn releases(&self) -> &[ServedRelease] {
        &self.0
    }

    /// The CRDs of a release.
    pub fn release(&self, version: &Version) -> Option<&ServedRelease> {
        self.0.iter().find(|release| release.version == *version)
    }

    /// The CRDs of the newest patch of a minor of which they are known.
    pub fn newest_patch_of(&self, minor: Minor) -> Option<&ServedRelease> {
        let mut newest_first = self.0.iter().rev();
        newest_first.find(|release| release.version.minor() == minor)
    }

    /// The CRDs of a release and channel, to ask them.
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
    /// A kind by its group and name.
    pub fn kind(&self, group: &str, kind: &str) -> Option<&ServedKind> {
        let found = self.kinds.get(kind)?;
        (found.group() == group).then_some(found)
    }

    /// True for a kind that the standard channel has.
    pub fn is_standard(&self, kind: &str) -> bool {
        let found = self.kinds.get(kind);
        found.is_some_and(|found| found.standard.is_some())
    }
}

impl ServedRelease {
    /// The channel of the CRDs that have a kind, the field that a pattern names, and the fields that its
    /// conditions require: standard unless only the experimental channel has all of them.
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
        match found.standard.is_none() || fields.iter().any(is_only_there) {
            true => Channel::Experimental,
            false => Channel::Standard,
        }
    }
}

impl ServedKind {
    /// Its group.
    pub fn group(&self) -> &str {
        self.group.as_deref().unwrap_or(GROUP)
    }

    /// True where a channel has a version, served or not.
    pub fn has_version(&self, version: &str) -> bool {
        let channels = [&self.standard, &self.experimental].into_iter().flatten();
        let mut versions =
            channels.flat_map(|versions| versions.served.iter().chain(&versions.unserved));
        versions.any(|known| known == version)
    }

    /// The most stable version that it serves, in the standard channel where that has it.
    pub fn newest_version(&self) -> Option<&str> {
        let mut channels = [&self.standard, &self.experimental].into_iter().flatten();
        channels.find_map(|versions| versions.served.first().map(String::as_str))
    }

    /// Its versions in a channel; `None` where the channel does not have the kind.
    pub fn versions(&self, channel: Channel) -> Option<&Versions> {
        match channel {
            Channel::Standard => self.standard.as_ref(),
            Channel::Experimental => self.experimental.as_ref(),
        }
    }

    /// What to write for the kind in a channel, or in the other one where it is only there.
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
    /// What they do with an object.
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

    /// What they do with a kind that a reference names, which has no version.
    pub fn kind(&self, group: &str, kind: &str) -> Object<'s> {
        self.find(group, kind)
            .map_or_else(|why| why, |_| Object::Served)
    }

    /// A kind and its versions in the channel; else why it is not there.
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

    /// The releases after this one.
    fn later(&self) -> impl Iterator<Item = &'s ServedRelease> {
        let version = &self.release.version;
        let releases = self.served.0.iter();
        releases.filter(move |release| release.version > *version)
    }

    /// Why neither channel has a kind.
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

    /// What a kind is called in this release, with the minor that renamed it.
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

    /// The fields of a kind that these CRDs do not have, and CRDs of another channel or release do:
    /// `spec.rules[].retry`. What is below them is absent as well, and not named. Fields that no known
    /// release has are not known here either.
    pub fn absent_fields(&self, kind: &str) -> BTreeMap<&'s str, Absent> {
        let mut absent = BTreeMap::new();
        // Later events first: of each field the one that is nearest to the release stays.
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
    /// The first later minor whose standard channel has a field that is experimental here.
    fn standard_since(&self, kind: &str, field: &str) -> Option<Minor> {
        let graduated = self.later().find(|release| {
            release.kinds.get(kind).is_some_and(|found| {
                let is_of = |other: &String| is_or_is_below(field, other);
                found.standard.is_some() && !found.experimental_fields.iter().any(is_of)
            })
        });
        // What was taken out again never became standard.
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

/// True for a field, and for what is below it.
fn is_or_is_below(field: &str, other: &str) -> bool {
    let rest = field.strip_prefix(other);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Sorts versions as `kubectl` does: those without a suffix first, then beta, then alpha; of each the
/// highest first.
pub(super) fn most_stable_first(versions: &mut [String]) {
    versions.sort_by_key(|version| Reverse(rank(version)));
}

/// (stability, number, number of the prerelease); `v1beta1` is `(1, 1, 1)`.
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
