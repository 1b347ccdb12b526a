//! The data of a single release: features, profiles and tests.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::Version;
use crate::api::{Channel, Family, Level, NameKind, closed_set};

pub(super) type Named<T> = BTreeMap<String, Arc<T>>;

closed_set! {
    /// Which tests of a profile a suite treats as extended.
    pub enum ExtendedWhen {
        /// Tests with a feature that is not core in the profile (since v1.1).
        AnyNotCore = "any-not-core",
        /// Tests with a feature that is extended in the profile (v0.8 to v1.0).
        AnyExtended = "any-extended",
    }
}

/// A feature in one release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// `HTTPRouteCORS`; GEP-2162 defines the syntax.
    pub name: String,
    /// Level. A profile may list a core feature as extended.
    pub level: Level,
    /// Channel of its fields.
    pub channel: Channel,
    /// Kind. Absent for one feature in v0.7 and v0.8.
    pub resource: Option<String>,
    /// Description in one sentence.
    pub meaning: Option<String>,
    /// Previous name, if renamed in this release.
    pub renamed_from: Option<String>,
}

/// A profile in one release. Feature lists are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// `GATEWAY-HTTP`.
    pub name: String,
    /// Ingress or mesh.
    pub family: Family,
    /// Name in reports; differs only by mistake.
    pub report_name: String,
    /// Required features.
    pub core: Vec<String>,
    /// Optional features.
    pub extended: Vec<String>,
    /// Previous name, if renamed in this release.
    pub renamed_from: Option<String>,
}

impl Profile {
    /// True for a core feature of the profile.
    pub fn is_core(&self, feature: &str) -> bool {
        holds(&self.core, feature)
    }

    /// True for an extended feature, which can also be core (TCPRoute in v1.6).
    pub fn is_extended(&self, feature: &str) -> bool {
        holds(&self.extended, feature)
    }

    /// True for a core or extended feature of the profile.
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

/// Names share prefixes but rarely lengths, so equality checks are faster than a binary search.
fn holds(names: &[String], name: &str) -> bool {
    names.iter().any(|held| held == name)
}

/// A test in one release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// ShortName: `HTTPRouteCORS`.
    pub name: String,
    /// Required features, in the suite's order.
    pub features: Vec<String>,
    /// Counts only if it ran.
    pub provisional: bool,
    /// True if the suite writes the report before the test finishes. The test is reported as passed
    /// (v1.6.0, v1.6.1).
    pub parallel: bool,
    /// Previous name, if renamed in this release.
    pub renamed_from: Option<String>,
}

/// A test of a profile.
#[derive(Clone, Debug)]
pub struct Member {
    /// Test.
    pub test: Arc<Test>,
    /// Level in the profile.
    pub level: Level,
    /// Required features that are not core in the profile.
    pub needs: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) report_api_version: Option<String>,
    pub(super) extended_when: Option<ExtendedWhen>,
    pub(super) crds: BTreeMap<Channel, Vec<String>>,
    pub(super) features: Named<Feature>,
    pub(super) profiles: Named<Profile>,
    pub(super) tests: Named<Test>,
}

/// A release.
#[derive(Clone, Debug)]
pub struct Release {
    pub(super) version: Version,
    pub(super) date: Option<jiff::civil::Date>,
    pub(super) same_as: Option<Version>,
    pub(super) notes: Vec<String>,
    pub(super) content: Arc<Content>,
    /// In the order of [`Release::profiles`].
    pub(super) members: OnceLock<Vec<Vec<Member>>>,
}

impl serde::Serialize for Release {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.version)
    }
}

impl Release {
    /// Version.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// Date of the tag, if any. Not in version order: v1.1.1 is newer than v1.2.0.
    pub fn date(&self) -> Option<jiff::civil::Date> {
        self.date
    }

    /// False for prereleases and undated releases, which never count as the newest release or
    /// expire verdicts.
    pub fn is_released(&self) -> bool {
        self.date.is_some() && self.version.pre().is_none()
    }

    /// The release with identical data.
    pub fn same_as(&self) -> Option<&Version> {
        self.same_as.as_ref()
    }

    /// Remarks, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// `apiVersion` of reports; `None` for releases without profiles.
    pub fn report_api_version(&self) -> Option<&str> {
        self.content.report_api_version.as_deref()
    }

    /// Rule for extended tests; `None` for releases without profiles.
    pub fn extended_when(&self) -> Option<ExtendedWhen> {
        self.content.extended_when
    }

    /// Plural names of CRDs.
    pub fn crds(&self, channel: Channel) -> &[String] {
        self.content.crds.get(&channel).map_or(&[], Vec::as_slice)
    }

    /// Features, by name.
    pub fn features(&self) -> impl Iterator<Item = &Feature> {
        self.content.features.values().map(Arc::as_ref)
    }

    /// Looks up a feature.
    pub fn feature(&self, name: &str) -> Option<&Feature> {
        self.content.features.get(name).map(Arc::as_ref)
    }

    /// Profiles, by name.
    pub fn profiles(&self) -> impl Iterator<Item = &Profile> {
        self.content.profiles.values().map(Arc::as_ref)
    }

    /// Looks up a profile.
    pub fn profile(&self, name: &str) -> Option<&Profile> {
        self.content.profiles.get(name).map(Arc::as_ref)
    }

    /// True if reports use this profile name.
    pub fn reports_profile(&self, name: &str) -> bool {
        self.profiles().any(|profile| profile.report_name == name)
    }

    /// Tests, by name.
    pub fn tests(&self) -> impl Iterator<Item = &Test> {
        self.content.tests.values().map(Arc::as_ref)
    }

    /// Looks up a test.
    pub fn test(&self, name: &str) -> Option<&Test> {
        self.content.tests.get(name).map(Arc::as_ref)
    }

    /// Level of a test in a profile; `None` if the profile does not include it.
    pub fn level(&self, profile: &Profile, test: &Test) -> Option<Level> {
        profile.level(test, self.extended_when()?)
    }

    /// Tests of a profile, by name.
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

    /// Tests that require a feature, by name.
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
