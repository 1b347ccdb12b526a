//! Reads the output of `tools/facts`, which documents the fields.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use crate::api::{Channel, Family, Level, SUBJECT};
use crate::release::content::{Content, Named};
use crate::release::load::read_json;
use crate::release::references::{References, TestSource};
use crate::release::{ExtendedWhen, Feature, FileError, NeedsTable, Profile, Test, Version};

const MESH: &str = "Mesh";
/// Digest of the suite's `isTestExtended` since v1.1, which follows [`ExtendedWhen::AnyNotCore`].
const IS_TEST_EXTENDED: &str =
    "sha256:c605cdfe19ec9a26836d8bcad017c4c820080eea58439b07907fe1f99c56f1b5";

/// Fields of reports that the rules know.
const FIELDS: [&str; 25] = [
    "contact",
    "core",
    "date",
    "extended",
    "Failed",
    "failedTests",
    SUBJECT.channel_field,
    SUBJECT.release_field,
    "implementation",
    "mode",
    "name",
    "organization",
    "Passed",
    "profiles",
    "project",
    "result",
    "Skipped",
    "skippedTests",
    "statistics",
    "succeededProvisionalTests",
    "summary",
    "supportedFeatures",
    "unsupportedFeatures",
    "url",
    "version",
];

/// Facts of a release, as its sources declare them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "an object")]
pub struct SourceFacts {
    bundle_version: String,
    report_api_version: String,
    report_fields: Vec<String>,
    is_test_extended: String,
    crds: BTreeMap<Channel, BTreeMap<Name, String>>,
    field_proposals: BTreeMap<Name, BTreeMap<String, Vec<u32>>>,
    features: BTreeMap<Name, FeatureFacts>,
    profiles: BTreeMap<Name, ProfileFacts>,
    tests: BTreeMap<Name, TestFacts>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "an object")]
struct FeatureFacts {
    level: Level,
    channel: Channel,
    resource: Option<Name>,
    meaning: Option<String>,
    #[serde(default)]
    proposals: Vec<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "an object")]
struct ProfileFacts {
    report_name: Name,
    core: Vec<Name>,
    extended: Vec<Name>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "an object")]
struct TestFacts {
    features: Vec<Name>,
    #[serde(default)]
    provisional: bool,
    #[serde(default)]
    parallel: bool,
    source: String,
}

/// Names follow GEP-2162, because they are inserted into pull requests. Those of profiles also have
/// hyphens.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
struct Name(String);

impl TryFrom<String> for Name {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        if (1..=128).contains(&text.len()) && text.bytes().all(is_plain) {
            return Ok(Self(text));
        }
        Err("expected a name of at most 128 letters, digits and hyphens".to_owned())
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

fn texts(names: &[Name]) -> Vec<String> {
    names.iter().map(|name| name.0.clone()).collect()
}

impl SourceFacts {
    /// Parses the output of `tools/facts`. `name` is the name of the file in errors.
    ///
    /// # Errors
    /// The first error, with line and column.
    pub fn parse(name: &str, text: &str) -> Result<Self, FileError> {
        read_json(name, text)
    }

    /// Release that the CRDs name.
    pub fn bundle_version(&self) -> &str {
        &self.bundle_version
    }

    /// The data, and notes about changes that are not in `base`.
    pub(super) fn content(&self, base: &Content) -> (Content, Vec<String>) {
        let mut notes = Vec::new();
        let mut extended_when = Some(ExtendedWhen::AnyNotCore);
        if self.is_test_extended != IS_TEST_EXTENDED {
            extended_when = base.extended_when;
            notes.push(
                "The function isTestExtended of the suite changed: compare it with testIsExtendedWhen."
                    .to_owned(),
            );
        }
        let features = self.features.iter().map(|(name, feature)| Feature {
            name: name.0.clone(),
            level: feature.level,
            channel: feature.channel,
            resource: feature.resource.as_ref().map(|name| name.0.clone()),
            meaning: feature.meaning.clone(),
            renamed_from: None,
        });
        let mut profiles = Named::new();
        for (name, facts) in &self.profiles {
            let profile = facts.profile(&name.0);
            let before = base.profiles.get(&name.0);
            notes.extend(profile_notes(&profile, before.map(Arc::as_ref)));
            profiles.insert(name.0.clone(), Arc::new(profile));
        }
        let tests = self.tests.iter().map(|(name, test)| Test {
            name: name.0.clone(),
            features: texts(&test.features),
            provisional: test.provisional,
            parallel: test.parallel,
            renamed_from: None,
        });
        let crds = self.crds.iter();
        let content = Content {
            report_api_version: Some(self.report_api_version.clone()),
            extended_when,
            crds: crds
                .map(|(&channel, crds)| (channel, crds.keys().map(|name| name.0.clone()).collect()))
                .collect(),
            features: features
                .map(|feature| (feature.name.clone(), Arc::new(feature)))
                .collect(),
            profiles,
            tests: tests
                .map(|test| (test.name.clone(), Arc::new(test)))
                .collect(),
        };
        (content, notes)
    }

    pub(super) fn warnings(&self, release: &Version) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.bundle_version != release.to_string() {
            warnings.push(format!(
                "the sources have the bundle version {}; expected {release}",
                self.bundle_version
            ));
        }
        let unknown = self.report_fields.iter();
        let unknown = unknown.filter(|name| !FIELDS.contains(&name.as_str()));
        warnings.extend(unknown.map(|name| format!("reports have an unknown field `{name}`")));
        warnings
    }

    pub(super) fn source_of(&self, test: &str) -> Option<&str> {
        Some(&self.tests.get(test)?.source)
    }

    /// Kinds of the standard channel by plural name, such as `gateway.networking.k8s.io/v1.Gateway`.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &str> {
        let kinds = self.crds.get(&Channel::Standard).into_iter().flatten();
        let kinds = kinds.map(|(_, kind)| kind.as_str());
        kinds.filter(|kind| kind.split('/').next() == Some(SUBJECT.group))
    }

    /// Adds the tests and proposals. A proposal belongs to a feature if its comment, one of its
    /// tests, or the description of a field that requires the feature mentions it.
    pub(super) fn refer(&self, all: &mut References, needs: &NeedsTable, release: &Version) {
        for (name, test) in &self.tests {
            let source = TestSource {
                tag: release.clone(),
                file: test.source.clone(),
            };
            all.add_test(&name.0, source);
        }
        for (name, feature) in &self.features {
            let mut numbers = feature.proposals.clone();
            let entry = needs.features.get(&name.0);
            for place in entry.iter().flat_map(|entry| &entry.certain) {
                let fields = self.field_proposals.get(place.kind.as_str());
                let found = fields.and_then(|fields| fields.get(&place.pattern.field()));
                numbers.extend(found.into_iter().flatten());
            }
            numbers.extend(all.proposals.remove(&name.0).into_iter().flatten());
            numbers.sort_unstable();
            numbers.dedup();
            if !numbers.is_empty() {
                all.proposals.insert(name.0.clone(), numbers);
            }
        }
    }
}

impl ProfileFacts {
    fn profile(&self, name: &str) -> Profile {
        let is_mesh = self.core.iter().any(|feature| feature.0 == MESH);
        Profile {
            name: name.to_owned(),
            family: if is_mesh {
                Family::Mesh
            } else {
                Family::Gateway
            },
            report_name: self.report_name.0.clone(),
            core: texts(&self.core),
            extended: texts(&self.extended),
            renamed_from: None,
        }
    }
}

fn profile_notes(profile: &Profile, before: Option<&Profile>) -> Vec<String> {
    let name = &profile.name;
    let mut notes = Vec::new();
    for feature in &profile.core {
        let was = before.is_some_and(|old| old.is_core(feature) && old.is_extended(feature));
        if profile.is_extended(feature) && !was {
            notes.push(format!("{feature} is both core and extended in {name}."));
        }
    }
    let report_name = &profile.report_name;
    if report_name != name && before.map(|old| &old.report_name) != Some(report_name) {
        notes.push(format!(
            "Reports use the name {report_name} for {name}: the name of the profile differs from its key."
        ));
    }
    notes
}
