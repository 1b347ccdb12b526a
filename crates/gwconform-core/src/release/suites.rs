//! How the suite of a release is run: its flags, and how it decides what is supported. Facts of
//! `schema/registry/suites.json`, read by people in `conformance/utils/flags` and
//! `conformance/utils/suite` of each tag.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::Version;

/// How the suite of a release is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suite {
    /// The release whose suite was read.
    pub version: Version,
    /// The facts.
    pub facts: SuiteFacts,
}

/// The facts about a suite.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", expecting = "an object")]
pub struct SuiteFacts {
    /// The function that `go test -run` names.
    pub test: String,
    /// True where it takes features from GatewayClass and XMesh when no flag chooses them
    /// (`shouldInferSupportedFeatures`).
    pub infers: bool,
    /// What `--all-features` does.
    pub all_features: AllFeatures,
    /// Features that its variable `AllFeatures` leaves out.
    #[serde(default)]
    pub not_in_all_features: BTreeSet<String>,
    /// The names of its flags.
    pub flags: BTreeSet<String>,
}

/// What `--all-features` of a suite does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AllFeatures {
    /// Supports all but those of `--exempt-features`.
    WithoutExempt,
    /// Supports all, those of `--exempt-features` too (v1.4).
    All,
    /// Leaves out the feature Gateway, so that no test of a Gateway runs, and writes no lists of
    /// features into the report (up to v1.0).
    Incomplete,
}

impl SuiteFacts {
    /// True for a suite with a flag.
    pub fn has(&self, flag: &str) -> bool {
        self.flags.contains(flag)
    }
}
