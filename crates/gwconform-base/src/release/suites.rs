//! Flags of each release's suite. The source, `schema/registry/suites.json`, is hand-maintained
//! from `conformance/utils/{flags,suite}` of each tag.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::Version;

/// Suite of one release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// Release that contains the suite.
    pub version: Version,
    /// Flags and behavior of the suite.
    pub facts: SuiteFacts,
}

/// Flags and behavior of a suite.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "an object")]
pub struct SuiteFacts {
    /// Name of the test function, for `go test -run`.
    pub test: String,
    /// Whether the suite, without flags, infers features from GatewayClass and XMesh
    /// (`shouldInferSupportedFeatures`).
    pub infers: bool,
    /// Names of flags, without hyphens.
    pub flags: BTreeSet<String>,
}

impl SuiteFacts {
    /// True if the suite accepts a flag.
    pub fn has(&self, flag: &str) -> bool {
        self.flags.contains(flag)
    }
}
