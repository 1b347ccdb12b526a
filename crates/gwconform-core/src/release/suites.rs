//! Flags of each release's suite and how it selects features. The source,
//! `schema/registry/suites.json`, is hand-maintained from `conformance/utils/{flags,suite}` of each
//! tag.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::Version;

/// The suite of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// Release.
    pub version: Version,
    /// Behavior.
    pub facts: SuiteFacts,
}

/// Behavior of a suite.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "an object")]
pub struct SuiteFacts {
    /// Test function for `go test -run`.
    pub test: String,
    /// True if it infers features from GatewayClass and XMesh without flags
    /// (`shouldInferSupportedFeatures`).
    pub infers: bool,
    /// Effect of `--all-features`.
    pub all_features: AllFeatures,
    /// Features missing from its variable `AllFeatures`.
    #[serde(default)]
    pub not_in_all_features: BTreeSet<String>,
    /// Names of flags.
    pub flags: BTreeSet<String>,
}

/// The effect of `--all-features`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AllFeatures {
    /// Supports all features except `--exempt-features`.
    WithoutExempt,
    /// Supports all features, including `--exempt-features` (v1.4).
    All,
    /// Omits the feature Gateway and its tests, and writes no feature lists (up to v1.0).
    Incomplete,
}

impl SuiteFacts {
    /// True if the suite has a flag.
    pub fn has(&self, flag: &str) -> bool {
        self.flags.contains(flag)
    }
}
