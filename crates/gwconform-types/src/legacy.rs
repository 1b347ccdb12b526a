use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Implementation, Kind, Statistics, TestResult};

/// Result of one conformance suite run (v1.0.x or older).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Gateway API ConformanceReport, up to v1.0.x")]
pub struct LegacyReport {
    /// Version of the report format.
    pub api_version: LegacyApiVersion,
    /// Always `ConformanceReport`.
    pub kind: Kind,
    /// When the report was generated, RFC 3339.
    #[schemars(extend("format" = "date-time", "examples" = ["2023-11-03T05:34:35Z"]))]
    pub date: String,
    /// Version of the installed CRDs (`gateway.networking.k8s.io/bundle-version`).
    #[serde(rename = "gatewayAPIVersion")]
    #[schemars(extend("examples" = ["v1.0.0"]))]
    pub gateway_api_version: String,
    /// Tested implementation.
    pub implementation: Implementation,
    /// One entry per profile that was run.
    #[schemars(length(min = 1))]
    pub profiles: Vec<LegacyProfile>,
}

/// Report format, up to v1.0.x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum LegacyApiVersion {
    /// The only version.
    #[serde(rename = "gateway.networking.k8s.io/v1alpha1")]
    V1Alpha1,
}

/// Result of one profile, up to v1.0.x.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LegacyProfile {
    /// Result of the core tests.
    pub core: LegacyCore,
    /// Result of the extended tests; absent if none ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LegacyExtended")]
    pub extended: Option<LegacyExtended>,
    /// Profile name: `HTTP`, `TLS` or `MESH`.
    #[schemars(length(min = 1), extend("examples" = ["HTTP"]))]
    pub name: String,
}

/// Result of core tests, up to v1.0.x.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LegacyCore {
    /// Short names of failed tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub failed_tests: Option<Vec<String>>,
    /// `failure` if a test failed, `partial` if one was skipped, otherwise `success`.
    pub result: TestResult,
    /// Short names of skipped tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub skipped_tests: Option<Vec<String>>,
    /// Number of tests by outcome.
    pub statistics: Statistics,
    /// Result as text.
    pub summary: String,
}

/// Result of extended tests, up to v1.0.x.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LegacyExtended {
    /// Short names of failed tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub failed_tests: Option<Vec<String>>,
    /// `failure` if a test failed, `partial` if one was skipped, otherwise `success`.
    pub result: TestResult,
    /// Short names of skipped tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub skipped_tests: Option<Vec<String>>,
    /// Number of tests by outcome.
    pub statistics: Statistics,
    /// Result as text.
    pub summary: String,
    /// Supported extended features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub supported_features: Option<Vec<String>>,
    /// Unsupported extended features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub unsupported_features: Option<Vec<String>>,
}
