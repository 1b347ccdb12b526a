//! Where features and tests can be looked up: facts of `schema/registry/references.json`, which
//! `.ci/references.py` finds in the sources of the releases.

use std::collections::BTreeMap;

use super::Version;

/// The repository of the Gateway API.
const REPOSITORY: &str = "https://github.com/kubernetes-sigs/gateway-api";
/// Its website.
const WEBSITE: &str = "https://gateway-api.sigs.k8s.io";

/// Where to look up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    /// The enhancement proposals (GEPs) that fields and tests of a feature name, or that a test announced for
    /// it, by feature.
    pub(super) proposals: BTreeMap<String, Vec<u32>>,
    /// The entry of the API reference, by kind.
    pub(super) reference: BTreeMap<String, String>,
    /// The newest known source, by test.
    pub(super) tests: BTreeMap<String, TestSource>,
}

/// The source of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestSource {
    /// The newest release whose sources were read that has the test.
    pub tag: Version,
    /// Below `conformance/tests`, with `/`.
    pub file: String,
}

impl References {
    /// The numbers of the proposals that fields and tests of a feature name or announce, and the address of
    /// each.
    pub fn proposals(&self, feature: &str) -> Vec<(u32, String)> {
        let numbers = self.proposals.get(feature).into_iter().flatten();
        numbers
            .map(|number| (*number, format!("{WEBSITE}/geps/gep-{number}/")))
            .collect()
    }

    /// The address of a kind in the API reference.
    pub fn reference(&self, kind: &str) -> Option<String> {
        let entry = self.reference.get(kind)?;
        Some(format!("{WEBSITE}/reference/spec/#{entry}"))
    }

    /// The source of a test.
    pub fn test(&self, name: &str) -> Option<&TestSource> {
        self.tests.get(name)
    }

    /// The tests whose newest known source is that of a release: name and source.
    pub fn tests_of(&self, release: &Version) -> impl Iterator<Item = (&str, &TestSource)> {
        let all = self.tests.iter();
        all.filter(move |(_, source)| source.tag == *release)
            .map(|(name, source)| (name.as_str(), source))
    }
}

impl TestSource {
    /// Its path in the repository.
    pub fn path(&self) -> String {
        format!("conformance/tests/{}", self.file)
    }

    /// Its address, at the tag of the release.
    pub fn address(&self) -> String {
        format!("{REPOSITORY}/blob/{}/{}", self.tag, self.path())
    }
}
