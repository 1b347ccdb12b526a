//! Documentation and test sources, from `schema/registry/references.json`, which `gwconform
//! registry import` generates.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::Version;

const REPOSITORY: &str = "https://github.com/kubernetes-sigs/gateway-api";
const WEBSITE: &str = "https://gateway-api.sigs.k8s.io";

/// Links for features, kinds and tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    pub(super) proposals: BTreeMap<String, Vec<u32>>,
    pub(super) reference: BTreeMap<String, String>,
    /// Sources of each test, in the order of their releases.
    pub(super) tests: BTreeMap<String, Vec<TestSource>>,
}

/// Location of a test's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestSource {
    /// Newest imported release with the test in this file.
    pub tag: Version,
    /// Path relative to `conformance/tests`, with `/`.
    pub file: String,
}

impl References {
    /// GEPs that define a feature.
    pub fn proposals(&self, feature: &str) -> Vec<(u32, String)> {
        let numbers = self.proposals.get(feature).into_iter().flatten();
        numbers
            .map(|number| (*number, Self::proposal(*number)))
            .collect()
    }

    /// URL of a GEP.
    pub fn proposal(number: u32) -> String {
        format!("{WEBSITE}/geps/gep-{number}/")
    }

    /// URL of a kind in the API reference.
    pub fn reference(&self, kind: &str) -> Option<String> {
        let entry = self.reference.get(kind)?;
        Some(format!("{WEBSITE}/reference/spec/#{entry}"))
    }

    /// Newest location of a test's source.
    pub fn test(&self, name: &str) -> Option<&TestSource> {
        self.tests.get(name)?.last()
    }

    /// Location of a test's source in a release that has the test.
    pub fn test_in(&self, name: &str, release: &Version) -> Option<TestSource> {
        let sources = self.tests.get(name)?;
        let own = sources.iter().find(|source| source.tag >= *release);
        Some(TestSource {
            tag: release.clone(),
            file: own.or(sources.last())?.file.clone(),
        })
    }

    /// Newest release with test sources.
    pub(super) fn newest(&self) -> Option<&Version> {
        self.tests
            .values()
            .flatten()
            .map(|source| &source.tag)
            .max()
    }

    /// Tests and sources that a release is the newest with.
    pub fn tests_of(&self, release: &Version) -> impl Iterator<Item = (&str, &TestSource)> {
        self.sources()
            .filter(move |(_, source)| source.tag == *release)
    }

    fn sources(&self) -> impl Iterator<Item = (&str, &TestSource)> {
        let all = self.tests.iter();
        all.flat_map(|(name, sources)| sources.iter().map(move |source| (name.as_str(), source)))
    }

    /// Adds the source of a test in a release that is newer than the known ones.
    pub(super) fn add_test(&mut self, name: &str, source: TestSource) {
        let sources = self.tests.entry(name.to_owned()).or_default();
        sources.retain(|known| known.file != source.file);
        sources.push(source);
    }
}

impl TestSource {
    /// Path of the test's source file in the Gateway API repository.
    pub fn path(&self) -> String {
        format!("conformance/tests/{}", self.file)
    }

    /// URL of the test's source file at the release tag.
    pub fn address(&self) -> String {
        format!("{REPOSITORY}/blob/{}/{}", self.tag, self.path())
    }
}

/// Text of `references.json`. `kinds` are references to kinds, in the order of the file.
pub fn text<'a>(all: &'a References, kinds: impl Iterator<Item = &'a str>) -> String {
    let mut tests: BTreeMap<&Version, BTreeMap<&str, &str>> = BTreeMap::new();
    for (name, source) in all.sources() {
        let of_tag = tests.entry(&source.tag).or_default();
        of_tag.insert(name, &source.file);
    }
    let file = File {
        proposals: &all.proposals,
        reference: InOrder(
            kinds
                .filter_map(|entry| Some((entry.rsplit_once('.')?.1, entry)))
                .collect(),
        ),
        tests: InOrder(
            tests
                .into_iter()
                .map(|(tag, tests)| (tag.to_string(), tests))
                .collect(),
        ),
    };
    serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct File<'a> {
    proposals: &'a BTreeMap<String, Vec<u32>>,
    reference: InOrder<&'a str, &'a str>,
    tests: InOrder<String, BTreeMap<&'a str, &'a str>>,
}

struct InOrder<K, V>(Vec<(K, V)>);

impl<K: Serialize, V: Serialize> Serialize for InOrder<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}
