//! Documentation and test sources, from `schema/registry/references.json`, which
//! `.ci/references.py` generates.

use std::collections::BTreeMap;

use super::Version;

const REPOSITORY: &str = "https://github.com/kubernetes-sigs/gateway-api";
const WEBSITE: &str = "https://gateway-api.sigs.k8s.io";

/// Links for features, kinds and tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    pub(super) proposals: BTreeMap<String, Vec<u32>>,
    pub(super) reference: BTreeMap<String, String>,
    pub(super) tests: BTreeMap<String, TestSource>,
}

/// Location of a test's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestSource {
    /// Newest imported release with the test.
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

    /// Location of a test's source.
    pub fn test(&self, name: &str) -> Option<&TestSource> {
        self.tests.get(name)
    }

    /// Tests whose newest source is in a release.
    pub fn tests_of(&self, release: &Version) -> impl Iterator<Item = (&str, &TestSource)> {
        let all = self.tests.iter();
        all.filter(move |(_, source)| source.tag == *release)
            .map(|(name, source)| (name.as_str(), source))
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
