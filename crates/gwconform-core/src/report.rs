//! The ConformanceReport, twice: as strict types, which are its JSON Schema and this library's
//! data type, and as the lenient [`view`] that rules read.
//!
//! The suite writes a report through Kubernetes' YAML library, keys sorted. Its shape goes by the
//! release of the suite, not by `apiVersion`: up to v1.0.x ([`legacy`]) it has no channel, no mode,
//! and a summary for each support level; from v1.1.0 on it has all three, the summary per profile.

pub mod facts;
pub mod fit;
pub mod formats;
mod json;
pub mod legacy;
pub mod model;
pub mod naming;
pub mod schema;
pub mod suite;
pub mod view;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use crate::api::{Channel, TestResult};

/// What an implementation reported about one run of the Gateway API conformance suite of v1.1.0
/// or newer. The suite writes this file (`--report-output`); it is submitted as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(title = "Gateway API ConformanceReport, from v1.1.0 on")]
pub struct ConformanceReport {
    /// Version of the report's own format. The suites of v1.1.x write `v1alpha1`, those from
    /// v1.2.0 on `v1`.
    pub api_version: ApiVersion,
    /// Always `ConformanceReport`.
    pub kind: Kind,
    /// When the report was made, RFC 3339.
    #[schemars(extend("format" = "date-time", "examples" = ["2026-03-20T10:15:30Z"]))]
    pub date: String,
    /// Channel of the installed CRDs (`gateway.networking.k8s.io/channel`). The suite writes
    /// `UNDEFINED` when it runs with `--allow-crds-mismatch`; such a report is not accepted.
    #[serde(rename = "gatewayAPIChannel")]
    pub gateway_api_channel: Channel,
    /// Version of the installed CRDs (`gateway.networking.k8s.io/bundle-version`).
    #[serde(rename = "gatewayAPIVersion")]
    #[schemars(extend("examples" = ["v1.5.1"]))]
    pub gateway_api_version: String,
    /// Which implementation ran the suite.
    pub implementation: Implementation,
    /// How the implementation was deployed (`--mode`); `default` unless it has several modes.
    #[schemars(length(min = 1), extend("examples" = ["default"]))]
    pub mode: String,
    /// One entry for each conformance profile that was run (`--conformance-profiles`).
    #[schemars(length(min = 1))]
    pub profiles: Vec<Profile>,
    /// Short names of provisional tests that were run and succeeded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)))]
    pub succeeded_provisional_tests: Option<Vec<String>>,
}

/// Version of the format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ApiVersion {
    /// Written by the suites up to v1.1.x.
    #[serde(rename = "gateway.networking.k8s.io/v1alpha1")]
    V1Alpha1,
    /// Written by the suites from v1.2.0 on.
    #[serde(rename = "gateway.networking.k8s.io/v1")]
    V1,
}

/// Kind of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Kind {
    /// The only kind.
    ConformanceReport,
}

/// Who made what was tested, and which version of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Implementation {
    /// Who is responsible for this report: `@name`, `@org/team`, an e-mail address or a support
    /// URL (`--contact`).
    #[schemars(length(min = 1), inner(length(min = 1)), extend("examples" = [["@acme/maintainers"]]))]
    pub contact: Vec<String>,
    /// The open source organization, company or person behind the project (`--organization`).
    #[schemars(length(min = 1), extend("examples" = ["acme"]))]
    pub organization: String,
    /// The project, unique within its organization (`--project`).
    #[schemars(length(min = 1), extend("examples" = ["operator"]))]
    pub project: String,
    /// Where to read about the project (`--url`).
    #[schemars(length(min = 1), extend("examples" = ["https://acme.example"]))]
    pub url: String,
    /// A snapshot of the project: a release, a tag or a commit, never a branch (`--version`).
    #[schemars(length(min = 1), extend("examples" = ["v2.14.0"]))]
    pub version: String,
}

/// The result of one conformance profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Profile {
    /// The tests of the profile's core features.
    pub core: Core,
    /// The tests of the extended features that were claimed. Absent when none was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Extended")]
    pub extended: Option<Extended>,
    /// Name of the profile: `GATEWAY-HTTP`, `MESH-HTTP`, …
    #[schemars(length(min = 1), extend("examples" = ["GATEWAY-HTTP"]))]
    pub name: String,
    /// Both results in words.
    #[schemars(extend("examples" = ["Core tests succeeded. Extended tests succeeded."]))]
    pub summary: String,
}

/// Result of the core tests of a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Core {
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
}

/// Result of the extended tests of a profile, and the features they stand for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Extended {
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
    /// Extended features of the profile that the implementation claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)), extend("examples" = [["HTTPRouteCORS"]]))]
    pub supported_features: Option<Vec<String>>,
    /// Extended features of the profile that the implementation does not claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>", inner(length(min = 1)), extend("examples" = [["HTTPRouteRetry"]]))]
    pub unsupported_features: Option<Vec<String>>,
}

/// How many tests had which outcome. The names are capitalized: the suite's type gives them no
/// others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct Statistics {
    /// Tests that failed.
    #[schemars(range(max = 4_294_967_295_u32))]
    pub failed: u32,
    /// Tests that passed.
    #[schemars(range(max = 4_294_967_295_u32))]
    pub passed: u32,
    /// Tests that were skipped.
    #[schemars(range(max = 4_294_967_295_u32))]
    pub skipped: u32,
}
