//! Maps the claims of a report to another release, and derives suite flags.

use std::collections::{BTreeMap, BTreeSet};

use super::{Renamed, name_in};
use gwconform_base::api::NameKind;
use serde::Serialize;

use gwconform_base::api::closed_set;
use gwconform_base::release::{Registry, Release};
use gwconform_report::report::facts::{Profile, ReportFacts};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Named<'r> {
    /// `None` if no release has the name.
    known: Option<&'r str>,
    /// `None` if the target release does not have the feature.
    now: Option<&'r str>,
}

#[derive(Debug)]
pub(super) struct Claims<'f, 'r> {
    supported: BTreeMap<&'f str, Named<'r>>,
    unsupported: BTreeMap<&'f str, Named<'r>>,
}

closed_set! {
    /// Suite flag that accepts a list of names.
    pub enum FlagName {
        /// Profiles to run.
        ConformanceProfiles = "conformance-profiles",
        /// Features that the implementation supports.
        SupportedFeatures = "supported-features",
        /// Features to exclude, used with `--all-features`.
        ExemptFeatures = "exempt-features",
    }
}

/// Suite flag that must change for a new run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Flag<'r> {
    /// Flag name. `exempt-features` is used together with `--all-features`.
    #[serde(rename = "flag")]
    pub name: FlagName,
    /// All names for a new run with the same claims. Features that the report does not mention are
    /// exempt.
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

    /// Features that any profile supports, except those that this profile lists as unsupported.
    pub(super) fn of_profile(&self, profile: &Profile) -> BTreeSet<&'f str> {
        let not: BTreeSet<&str> = unsupported(profile).collect();
        let supported = self.supported.keys().copied();
        supported.filter(|name| !not.contains(name)).collect()
    }

    pub(super) fn of_profile_now(&self, profile: &Profile) -> BTreeSet<&'r str> {
        let supported = self.of_profile(profile).into_iter();
        supported
            .filter_map(|name| self.supported.get(name)?.now)
            .collect()
    }

    pub(super) fn names(&self, feature: &str) -> bool {
        self.all().any(|(_, named)| named.now == Some(feature))
    }

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

    pub(super) fn gone(&self, profile: &Profile) -> BTreeSet<&'r str> {
        let gone = self.listed(profile);
        gone.filter(|(_, named)| named.now.is_none())
            .filter_map(|(_, named)| named.known)
            .collect()
    }

    fn listed<'s>(&'s self, profile: &'s Profile) -> impl Iterator<Item = (&'s str, Named<'r>)> {
        let names = supported(profile).chain(unsupported(profile));
        names.filter_map(|name| {
            let named = self.supported.get(name).or(self.unsupported.get(name))?;
            Some((name, *named))
        })
    }

    /// If the report has no feature lists, the previous flags are unknown.
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
