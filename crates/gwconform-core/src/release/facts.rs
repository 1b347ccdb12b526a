//! What a release declares: features, profiles and tests.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::Version;
use crate::api::{Channel, Family, Level, NameKind, closed_set};

/// Facts by name.
pub(super) type Named<T> = BTreeMap<String, Arc<T>>;

closed_set! {
    /// How the suite of a release separates the extended tests of a profile from its core tests.
    pub enum ExtendedWhen {
        /// A test is extended when a feature of it is not core in the profile (v1.1 on).
        AnyNotCore = "any-not-core",
        /// A test is extended when a feature of it is extended in the profile (v0.8 to v1.0).
        AnyExtended = "any-extended",
    }
}

/// A feature, as one release declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// `HTTPRouteCORS`; GEP-2162 has the rules for names.
    pub name: String,
    /// Its level; a profile can hold a core feature as an extended one.
    pub level: Level,
    /// The channel its fields are in.
    pub channel: Channel,
    /// The kind it belongs to; absent for one feature of v0.7 and v0.8.
    pub resource: Option<String>,
    /// What it means, one sentence of ours.
    pub meaning: Option<String>,
    /// Its name in the releases before.
    pub renamed_from: Option<String>,
}

/// A profile, as one release declares it. Lists of features are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// `GATEWAY-HTTP`.
    pub name: String,
    /// What it is about.
    pub family: Family,
    /// The name that the suite writes into reports; another one only where the suite errs.
    pub report_name: String,
    /// Features that it needs.
    pub core: Vec<String>,
    /// Features that it knows besides.
    pub extended: Vec<String>,
    /// Its name in the releases before.
    pub renamed_from: Option<String>,
}

impl Profile {
    /// True for a core feature of the profile.
    pub fn is_core(&self, feature: &str) -> bool {
        holds(&self.core, feature)
    }

    /// True for an extended feature of the profile; a feature can be both (TCPRoute in v1.6).
    pub fn is_extended(&self, feature: &str) -> bool {
        holds(&self.extended, feature)
    }

    /// True for a feature of the profile, core or extended.
    pub fn has(&self, feature: &str) -> bool {
        self.is_core(feature) || self.is_extended(feature)
    }

    fn level(&self, test: &Test, when: ExtendedWhen) -> Option<Level> {
        let mut level = Level::Core;
        for feature in &test.features {
            let (core, extended) = (self.is_core(feature), self.is_extended(feature));
            if !core && !extended {
                return None;
            }
            let makes_extended = match when {
                ExtendedWhen::AnyNotCore => !core,
                ExtendedWhen::AnyExtended => extended,
            };
            if makes_extended {
                level = Level::Extended;
            }
        }
        Some(level)
    }
}

/// Names begin alike: their lengths tell most of them apart, and a search by their order compares all that
/// they have in common.
fn holds(names: &[String], name: &str) -> bool {
    names.iter().any(|held| held == name)
}

/// A test, as one release declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The ShortName: `HTTPRouteCORS`.
    pub name: String,
    /// All the features it needs, in the suite's order.
    pub features: Vec<String>,
    /// It may be left out, and counts only when it ran.
    pub provisional: bool,
    /// The report is written before it has finished: it shows as passed, and its result is not seen (v1.6.0, v1.6.1).
    pub parallel: bool,
    /// Its name in the releases before.
    pub renamed_from: Option<String>,
}

/// A test of a profile.
#[derive(Clone, Debug)]
pub struct Member {
    /// The test.
    pub test: Arc<Test>,
    /// Its level in the profile.
    pub level: Level,
    /// The features that it needs and that are not core in the profile, in the suite's order.
    pub needs: Vec<String>,
}

/// The facts that several releases can share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) report_api_version: Option<String>,
    pub(super) extended_when: Option<ExtendedWhen>,
    pub(super) crds: BTreeMap<Channel, Vec<String>>,
    pub(super) features: Named<Feature>,
    pub(super) profiles: Named<Profile>,
    pub(super) tests: Named<Test>,
}

/// One release.
#[derive(Clone, Debug)]
pub struct Release {
    pub(super) version: Version,
    pub(super) date: Option<jiff::civil::Date>,
    pub(super) same_as: Option<Version>,
    pub(super) notes: Vec<String>,
    pub(super) content: Arc<Content>,
    /// The tests of each profile, in the order of [`Release::profiles`]; found on first use.
    pub(super) members: OnceLock<Vec<Vec<Member>>>,
}

/// JSON has its version.
impl serde::Serialize for Release {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.version)
    }
}

impl Release {
    /// Its version.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// The day its tag was made; `None` where its facts are of sources without a tag. Not ordered by
    /// version: v1.1.1 is younger than v1.2.0.
    pub fn date(&self) -> Option<jiff::civil::Date> {
        self.date
    }

    /// False for a prerelease and for facts without a date: reports may be compared with them, but
    /// they are not the newest release, and no verdict expires because of them.
    pub fn is_released(&self) -> bool {
        self.date.is_some() && self.version.pre().is_none()
    }

    /// The release whose facts it repeats.
    pub fn same_as(&self) -> Option<&Version> {
        self.same_as.as_ref()
    }

    /// What a reader of its facts should know, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The apiVersion of the reports its suite writes; `None` while there were no profiles.
    pub fn report_api_version(&self) -> Option<&str> {
        self.content.report_api_version.as_deref()
    }

    /// How its suite separates extended tests; `None` while there were no profiles.
    pub fn extended_when(&self) -> Option<ExtendedWhen> {
        self.content.extended_when
    }

    /// The plural names of the CRDs of a channel, as it lists them.
    pub fn crds(&self, channel: Channel) -> &[String] {
        self.content.crds.get(&channel).map_or(&[], Vec::as_slice)
    }

    /// Its features by name.
    pub fn features(&self) -> impl Iterator<Item = &Feature> {
        self.content.features.values().map(Arc::as_ref)
    }

    /// One of its features.
    pub fn feature(&self, name: &str) -> Option<&Feature> {
        self.content.features.get(name).map(Arc::as_ref)
    }

    /// Its profiles by name.
    pub fn profiles(&self) -> impl Iterator<Item = &Profile> {
        self.content.profiles.values().map(Arc::as_ref)
    }

    /// One of its profiles.
    pub fn profile(&self, name: &str) -> Option<&Profile> {
        self.content.profiles.get(name).map(Arc::as_ref)
    }

    /// True when its suite writes a profile's name into reports.
    pub fn reports_profile(&self, name: &str) -> bool {
        self.profiles().any(|profile| profile.report_name == name)
    }

    /// Its tests by name.
    pub fn tests(&self) -> impl Iterator<Item = &Test> {
        self.content.tests.values().map(Arc::as_ref)
    }

    /// One of its tests.
    pub fn test(&self, name: &str) -> Option<&Test> {
        self.content.tests.get(name).map(Arc::as_ref)
    }

    /// The level of a test in a profile; `None` when the test is not one of the profile's, or when
    /// the release has no profiles.
    pub fn level(&self, profile: &Profile, test: &Test) -> Option<Level> {
        profile.level(test, self.extended_when()?)
    }

    /// The tests of one of its profiles, by name.
    pub fn members(&self, profile: &Profile) -> &[Member] {
        let of_all = self.members.get_or_init(|| {
            self.profiles()
                .map(|profile| self.find_members(profile))
                .collect()
        });
        let at = self
            .content
            .profiles
            .keys()
            .position(|name| *name == profile.name);
        at.and_then(|at| of_all.get(at)).map_or(&[], Vec::as_slice)
    }

    fn find_members(&self, profile: &Profile) -> Vec<Member> {
        let tests = self.content.tests.values();
        let member = |test: &Arc<Test>| {
            let needs = test.features.iter();
            Some(Member {
                level: self.level(profile, test)?,
                needs: needs
                    .filter(|feature| !profile.is_core(feature))
                    .cloned()
                    .collect(),
                test: Arc::clone(test),
            })
        };
        tests.filter_map(member).collect()
    }

    /// The tests that need a feature, by name. Which of them a profile runs: see `suite`.
    pub fn tests_of(&self, feature: &str) -> impl Iterator<Item = &Test> {
        self.tests()
            .filter(move |test| test.features.iter().any(|needed| needed == feature))
    }

    pub(super) fn has(&self, kind: NameKind, name: &str) -> bool {
        match kind {
            NameKind::Feature => self.content.features.contains_key(name),
            NameKind::Profile => self.content.profiles.contains_key(name),
            NameKind::Test => self.content.tests.contains_key(name),
        }
    }

    pub(super) fn names(&self, kind: NameKind) -> Vec<&str> {
        match kind {
            NameKind::Feature => self.content.features.keys().map(String::as_str).collect(),
            NameKind::Profile => self.content.profiles.keys().map(String::as_str).collect(),
            NameKind::Test => self.content.tests.keys().map(String::as_str).collect(),
        }
    }

    pub(super) fn renamed_from(&self, kind: NameKind, name: &str) -> Option<&str> {
        match kind {
            NameKind::Feature => self.feature(name)?.renamed_from.as_deref(),
            NameKind::Profile => self.profile(name)?.renamed_from.as_deref(),
            NameKind::Test => self.test(name)?.renamed_from.as_deref(),
        }
    }
}
