use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Channel, TestResult};

/// Result of one conformance suite run (v1.1.0 or newer), written with `--report-output` and
/// submitted unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Gateway API ConformanceReport, from v1.1.0 on")]
pub struct ConformanceReport {
    /// Report format: `v1alpha1` in suites v1.1.x, `v1` from v1.2.0 on.
    pub api_version: ApiVersion,
    /// Always `ConformanceReport`.
    pub kind: Kind,
    /// When the report was generated, RFC 3339.
    #[schemars(extend("format" = "date-time", "examples" = ["2026-03-20T10:15:30Z"]))]
    pub date: String,
    /// Channel of the installed CRDs. `UNDEFINED`, which `--allow-crds-mismatch` causes, is not
    /// accepted.
    #[serde(rename = "gatewayAPIChannel")]
    pub gateway_api_channel: Channel,
    /// Version of the installed CRDs (`gateway.networking.k8s.io/bundle-version`).
    #[serde(rename = "gatewayAPIVersion")]
    #[schemars(extend("examples" = ["v1.5.1"]))]
    pub gateway_api_version: String,
    /// Tested implementation.
    pub implementation: Implementation,
    /// Deployment mode (`--mode`), usually `default`.
    #[schemars(length(min = 1), extend("examples" = ["default"]))]
    pub mode: String,
    /// One entry per profile that was run.
    #[schemars(length(min = 1))]
    pub profiles: Vec<Profile>,
    /// Short names of passed provisional tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub succeeded_provisional_tests: Option<Vec<String>>,
}

/// Version of the report format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ApiVersion {
    /// Up to v1.1.x.
    #[serde(rename = "gateway.networking.k8s.io/v1alpha1")]
    V1Alpha1,
    /// From v1.2.0 on.
    #[serde(rename = "gateway.networking.k8s.io/v1")]
    V1,
}

/// Document kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Kind {
    /// The only kind.
    ConformanceReport,
}

/// Tested implementation and version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Implementation {
    /// Responsible party: `@name`, `@org/team`, email address or support URL (`--contact`).
    #[schemars(length(min = 1), inner(length(min = 1)), extend("examples" = [["@acme/maintainers"]]))]
    pub contact: Vec<String>,
    /// Organization, company or person behind the project (`--organization`).
    #[schemars(length(min = 1), extend("examples" = ["acme"]))]
    pub organization: String,
    /// Project name, unique within the organization (`--project`).
    #[schemars(length(min = 1), extend("examples" = ["operator"]))]
    pub project: String,
    /// Project website (`--url`).
    #[schemars(length(min = 1), extend("examples" = ["https://acme.example"]))]
    pub url: String,
    /// Release, tag or commit, never a branch (`--version`).
    #[schemars(length(min = 1), extend("examples" = ["v2.14.0"]))]
    pub version: String,
}

/// Result of one conformance profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Profile {
    /// Result of the core tests.
    pub core: Core,
    /// Result of the extended tests; absent if none ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Extended")]
    pub extended: Option<Extended>,
    /// Profile name, such as `GATEWAY-HTTP` or `MESH-HTTP`.
    #[schemars(length(min = 1), extend("examples" = ["GATEWAY-HTTP"]))]
    pub name: String,
    /// Both results as text.
    #[schemars(extend("examples" = ["Core tests succeeded. Extended tests succeeded."]))]
    pub summary: String,
}

/// Result of a profile's core tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Core {
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
}

/// Result of a profile's extended tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Extended {
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
    /// Supported extended features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)), extend("examples" = [["HTTPRouteCORS"]]))]
    pub supported_features: Option<Vec<String>>,
    /// Unsupported extended features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)), extend("examples" = [["HTTPRouteRetry"]]))]
    pub unsupported_features: Option<Vec<String>>,
}

/// Number of tests by outcome. Keys are capitalized because the suite's Go type has no JSON tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct Statistics {
    /// Failed tests.
    #[schemars(range(max = 4_294_967_295_u32))]
    pub failed: u32,
    /// Passed tests.
    #[schemars(range(max = 4_294_967_295_u32))]
    pub passed: u32,
    /// Skipped tests.
    #[schemars(range(max = 4_294_967_295_u32))]
    pub skipped: u32,
}
