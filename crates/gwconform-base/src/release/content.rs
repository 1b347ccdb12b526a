use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::Version;
use crate::api::{Channel, Family, Level, NameKind, closed_set};

pub(super) type Named<T> = BTreeMap<String, Arc<T>>;

closed_set! {
    /// Rule by which a suite classifies tests of a profile as extended.
    pub enum ExtendedWhen {
        /// Extended if any feature of the test is not core in the profile (since v1.1).
        AnyNotCore = "any-not-core",
        /// Extended if any feature of the test is extended in the profile (v0.8 to v1.0).
        AnyExtended = "any-extended",
    }
}

/// Feature in one release.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Feature {
    /// Feature name as in reports, such as `HTTPRouteCORS`. GEP-2162 defines the syntax.
    #[serde(rename = "feature")]
    pub name: String,
    /// Level that the feature has for its resource. A profile can include a core feature as
    /// extended.
    #[serde(rename = "declared_level")]
    pub level: Level,
    /// Channel whose CRDs include the feature's fields.
    pub channel: Channel,
    /// Kind that the feature belongs to, such as `HTTPRoute`. Null for one feature in v0.7 and v0.8.
    pub resource: Option<String>,
    /// Description in one sentence, if available.
    #[serde(rename = "description")]
    pub meaning: Option<String>,
    /// Previous name, if this release renamed the feature.
    #[serde(skip)]
    pub renamed_from: Option<String>,
}

/// Profile in one release. Feature lists are sorted.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Profile {
    /// Profile name, such as `GATEWAY-HTTP`.
    #[serde(rename = "profile")]
    pub name: String,
    /// Ingress or service mesh.
    pub family: Family,
    /// Name that the suite writes to reports. It differs only because of bugs in the suite.
    pub report_name: String,
    /// Features that a conformant implementation must support.
    #[serde(rename = "core_features")]
    pub core: Vec<String>,
    /// Features that an implementation may support.
    #[serde(rename = "extended_features")]
    pub extended: Vec<String>,
    /// Previous name, if this release renamed the profile.
    #[serde(skip)]
    pub renamed_from: Option<String>,
}

impl Profile {
    /// True if the feature is core in the profile.
    pub fn is_core(&self, feature: &str) -> bool {
        holds(&self.core, feature)
    }

    /// True if extended. TCPRoute in v1.6 is both core and extended.
    pub fn is_extended(&self, feature: &str) -> bool {
        holds(&self.extended, feature)
    }

    /// True if core or extended.
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

/// Names often share prefixes but rarely lengths, so equality checks are faster than a binary
/// search.
fn holds(names: &[String], name: &str) -> bool {
    names.iter().any(|held| held == name)
}

/// Conformance test in one release.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Test {
    /// Short test name as in reports, such as `HTTPRouteCORS`.
    #[serde(rename = "test")]
    pub name: String,
    /// Features that the test requires, in the suite's order.
    #[serde(skip)]
    pub features: Vec<String>,
    /// True if the test is optional and counts only if it ran.
    pub provisional: bool,
    /// True if the suite writes the report before the test finishes (v1.6.0, v1.6.1). The report then
    /// lists the test as passed, but the result is not seen.
    pub parallel: bool,
    /// Previous name, if this release renamed the test.
    #[serde(skip)]
    pub renamed_from: Option<String>,
}

/// Test that belongs to a profile.
#[derive(Clone, Debug)]
pub struct Member {
    /// Test that belongs to the profile.
    pub test: Arc<Test>,
    /// Level of the test in the profile.
    pub level: Level,
    /// Features that are not core in the profile.
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

/// Commit that the data of an unreleased version describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Commit hash.
    pub id: String,
    /// Date of the commit.
    pub date: jiff::civil::Date,
}

/// Gateway API release with its features, profiles and tests.
#[derive(Clone, Debug)]
pub struct Release {
    pub(super) version: Version,
    pub(super) date: Option<jiff::civil::Date>,
    pub(super) commit: Option<Commit>,
    pub(super) same_as: Option<Version>,
    pub(super) notes: Vec<String>,
    pub(super) content: Arc<Content>,
    pub(super) members: OnceLock<Vec<Vec<Member>>>,
}

impl serde::Serialize for Release {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.version)
    }
}

impl Release {
    /// Version, such as `v1.5.1`.
    pub fn version(&self) -> &Version {
        &self.version
    }

    /// Date of the tag. Not in version order, because v1.1.1 is newer than v1.2.0.
    pub fn date(&self) -> Option<jiff::civil::Date> {
        self.date
    }

    /// Commit that the data was imported from. `None` for releases.
    pub fn commit(&self) -> Option<&Commit> {
        self.commit.as_ref()
    }

    /// False for prereleases and releases without a date, which never count as newest and never
    /// cause verdicts to expire.
    pub fn is_released(&self) -> bool {
        self.date.is_some() && self.version.pre().is_none()
    }

    /// Earlier release whose data is identical, if any.
    pub fn same_as(&self) -> Option<&Version> {
        self.same_as.as_ref()
    }

    /// Remarks about the release, one sentence each.
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

    /// Plural names of the CRDs in a channel.
    pub fn crds(&self, channel: Channel) -> &[String] {
        self.content.crds.get(&channel).map_or(&[], Vec::as_slice)
    }

    /// Features, sorted by name.
    pub fn features(&self) -> impl Iterator<Item = &Feature> {
        self.content.features.values().map(Arc::as_ref)
    }

    /// Looks up a feature.
    pub fn feature(&self, name: &str) -> Option<&Feature> {
        self.content.features.get(name).map(Arc::as_ref)
    }

    /// Profiles, sorted by name.
    pub fn profiles(&self) -> impl Iterator<Item = &Profile> {
        self.content.profiles.values().map(Arc::as_ref)
    }

    /// Looks up a profile.
    pub fn profile(&self, name: &str) -> Option<&Profile> {
        self.content.profiles.get(name).map(Arc::as_ref)
    }

    /// Whether the suite writes this name in reports.
    pub fn reports_profile(&self, name: &str) -> bool {
        self.profiles().any(|profile| profile.report_name == name)
    }

    /// Tests, sorted by name.
    pub fn tests(&self) -> impl Iterator<Item = &Test> {
        self.content.tests.values().map(Arc::as_ref)
    }

    /// Looks up a test.
    pub fn test(&self, name: &str) -> Option<&Test> {
        self.content.tests.get(name).map(Arc::as_ref)
    }

    /// Level of a test; `None` if not in the profile.
    pub fn level(&self, profile: &Profile, test: &Test) -> Option<Level> {
        profile.level(test, self.extended_when()?)
    }

    /// Tests that belong to a profile, sorted by name.
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

    /// Tests that require a feature, sorted by name.
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
