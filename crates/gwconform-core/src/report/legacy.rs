//! The report as the suites up to v1.0.x wrote it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Implementation, Kind, Statistics, TestResult};

/// What an implementation reported about one run of the Gateway API conformance suite of v1.0.x
/// or older: no channel, no mode, a summary for each support level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Gateway API ConformanceReport, up to v1.0.x")]
pub struct LegacyReport {
    /// Version of the report's own format.
    pub api_version: LegacyApiVersion,
    /// Always `ConformanceReport`.
    pub kind: Kind,
    /// When the report was made, RFC 3339.
    #[schemars(extend("format" = "date-time", "examples" = ["2023-11-03T05:34:35Z"]))]
    pub date: String,
    /// Version of the installed CRDs (`gateway.networking.k8s.io/bundle-version`).
    #[serde(rename = "gatewayAPIVersion")]
    #[schemars(extend("examples" = ["v1.0.0"]))]
    pub gateway_api_version: String,
    /// Which implementation ran the suite.
    pub implementation: Implementation,
    /// One entry for each conformance profile that was run.
    #[schemars(length(min = 1))]
    pub profiles: Vec<LegacyProfile>,
}

/// Version of the format of a report, up to v1.0.x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum LegacyApiVersion {
    /// The only one.
    #[serde(rename = "gateway.networking.k8s.io/v1alpha1")]
    V1Alpha1,
}

/// The result of one conformance profile, up to v1.0.x.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LegacyProfile {
    /// The tests of the profile's core features.
    pub core: LegacyCore,
    /// The tests of the extended features that were claimed. Absent when none was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LegacyExtended")]
    pub extended: Option<LegacyExtended>,
    /// Name of the profile: `HTTP`, `TLS` or `MESH`.
    #[schemars(length(min = 1), extend("examples" = ["HTTP"]))]
    pub name: String,
}

/// Result of the core tests of a profile, up to v1.0.x.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LegacyCore {
    /// Short names of the tests that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub failed_tests: Option<Vec<String>>,
    /// `failure` when a test failed, else `partial` when one was skipped, else `success`.
    pub result: TestResult,
    /// Short names of the tests that were skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub skipped_tests: Option<Vec<String>>,
    /// How many tests had which outcome.
    pub statistics: Statistics,
    /// The result in words.
    pub summary: String,
}

/// Result of the extended tests of a profile, up to v1.0.x.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LegacyExtended {
    /// Short names of the tests that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub failed_tests: Option<Vec<String>>,
    /// `failure` when a test failed, else `partial` when one was skipped, else `success`.
    pub result: TestResult,
    /// Short names of the tests that were skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub skipped_tests: Option<Vec<String>>,
    /// How many tests had which outcome.
    pub statistics: Statistics,
    /// The result in words.
    pub summary: String,
    /// Extended features of the profile that the implementation claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub supported_features: Option<Vec<String>>,
    /// Extended features of the profile that the implementation does not claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub unsupported_features: Option<Vec<String>>,
}
