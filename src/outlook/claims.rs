//! What a report says of features, in the names of another release, and the flags that follow.

use std::collections::{BTreeMap, BTreeSet};

use super::{Renamed, name_in};
use crate::api::NameKind;
use serde::Serialize;

use crate::api::closed_set;
use crate::release::{Registry, Release};
use crate::report::facts::{Profile, ReportFacts};

/// A feature that a report names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Named<'r> {
    /// As the registry spells the name that the report has; `None` for a name of no release.
    known: Option<&'r str>,
    /// Its name in the release; `None` for what the release does not have.
    now: Option<&'r str>,
}

/// The features of all profiles of a report.
#[derive(Debug)]
pub(super) struct Claims<'f, 'r> {
    supported: BTreeMap<&'f str, Named<'r>>,
    /// Those that no profile lists as supported.
    unsupported: BTreeMap<&'f str, Named<'r>>,
}

closed_set! {
    /// A flag of the suite that has names.
    pub enum FlagName {
        /// The profiles to run.
        ConformanceProfiles = "conformance-profiles",
        /// The features that are supported.
        SupportedFeatures = "supported-features",
        /// The features that are not, together with `--all-features`: the other way to say which
        /// are.
        ExemptFeatures = "exempt-features",
    }
}

/// A flag of the suite that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Flag<'r> {
    /// Its name. `exempt-features` goes with `--all-features`.
    #[serde(rename = "flag")]
    pub name: FlagName,
    /// All its names in a new run that claims the same; features to decide on are exempt.
    pub names: BTreeSet<&'r str>,
}

impl<'f, 'r> Claims<'f, 'r> {
    pub(super) fn new(
        report: &'f ReportFacts,
        registry: &'r Registry,
        release: &'r Release,
    ) -> Self {
        let named = |name: &'f str| {
            let known = registry.feature(name).map(|feature| feature.name.as_str());
            let now = name_in(release, registry, NameKind::Feature, name);
            (name, Named { known, now })
        };
        let profiles = || report.profiles.iter();
        let supported: BTreeMap<_, _> = profiles().flat_map(supported).map(named).collect();
        let unsupported = profiles()
            .flat_map(unsupported)
            .filter(|name| !supported.contains_key(name))
            .map(named)
            .collect();
        Self {
            supported,
            unsupported,
        }
    }

    /// What a run with the same claims supports in a profile, by the names of the report: what any
    /// profile lists as supported, without what this one lists as unsupported.
    pub(super) fn of_profile(&self, profile: &Profile) -> BTreeSet<&'f str> {
        let not: BTreeSet<&str> = unsupported(profile).collect();
        let supported = self.supported.keys().copied();
        supported.filter(|name| !not.contains(name)).collect()
    }

    /// The same by the names of the release, without what it does not have.
    pub(super) fn of_profile_now(&self, profile: &Profile) -> BTreeSet<&'r str> {
        let supported = self.of_profile(profile).into_iter();
        supported
            .filter_map(|name| self.supported.get(name)?.now)
            .collect()
    }

    /// True for a feature of the release that the report names.
    pub(super) fn names(&self, feature: &str) -> bool {
        self.all().any(|(_, named)| named.now == Some(feature))
    }

    /// The features that a profile lists and that have another name in the release.
    pub(super) fn renamed(&self, profile: &Profile) -> BTreeSet<Renamed<'r>> {
        let renamed = self.listed(profile).filter_map(|(name, named)| {
            let new = named.now.filter(|now| *now != name)?;
            Some(Renamed {
                kind: NameKind::Feature,
                old: name.to_owned(),
                new,
            })
        });
        renamed.collect()
    }

    /// The known features that a profile lists and that the release does not have.
    pub(super) fn gone(&self, profile: &Profile) -> BTreeSet<&'r str> {
        let gone = self.listed(profile);
        gone.filter(|(_, named)| named.now.is_none())
            .filter_map(|(_, named)| named.known)
            .collect()
    }

    /// The features that a profile lists.
    fn listed<'s>(&'s self, profile: &'s Profile) -> impl Iterator<Item = (&'s str, Named<'r>)> {
        let names = supported(profile).chain(unsupported(profile));
        names.filter_map(|name| {
            let named = self.supported.get(name).or(self.unsupported.get(name))?;
            Some((name, *named))
        })
    }

    /// The flags about features that are not what they were. None for a report that lists no
    /// features: it does not tell what they were.
    pub(super) fn flags(
        &self,
        report: &ReportFacts,
        undecided: &BTreeSet<&'r str>,
    ) -> Vec<Flag<'r>> {
        let mut profiles = report.profiles.iter();
        if !profiles.any(|profile| profile.extended.is_some()) {
            return Vec::new();
        }
        let now = |named: &BTreeMap<&str, Named<'r>>| -> BTreeSet<&'r str> {
            named.values().filter_map(|named| named.now).collect()
        };
        let supported = now(&self.supported);
        let unsupported = now(&self.unsupported).into_iter();
        let exempt = unsupported
            .chain(undecided.iter().copied())
            .filter(|name| !supported.contains(name));
        let flags = [
            (
                FlagName::SupportedFeatures,
                &self.supported,
                supported.clone(),
            ),
            (
                FlagName::ExemptFeatures,
                &self.unsupported,
                exempt.collect(),
            ),
        ];
        flags
            .into_iter()
            .filter(|(_, before, names)| !before.keys().eq(names.iter()))
            .map(|(name, _, names)| Flag { name, names })
            .collect()
    }

    fn all(&self) -> impl Iterator<Item = (&&'f str, &Named<'r>)> {
        self.supported.iter().chain(&self.unsupported)
    }
}

fn supported(profile: &Profile) -> impl Iterator<Item = &str> {
    let extended = profile.extended.as_ref();
    let list = extended.and_then(|extended| extended.supported_features.as_ref());
    list.into_iter().flatten().map(AsRef::as_ref)
}

fn unsupported(profile: &Profile) -> impl Iterator<Item = &str> {
    let extended = profile.extended.as_ref();
    let list = extended.and_then(|extended| extended.unsupported_features.as_ref());
    list.into_iter().flatten().map(AsRef::as_ref)
}
