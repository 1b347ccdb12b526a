//! What `gwconform export wizard` writes: its schema.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::api::closed_set;
use crate::report::schema;

/// The JSON of a wizard that finds implementations by features. The other keys are minors (`v1.6`),
/// the newest first: the implementations with a report of a gateway for it, each with the report
/// that its verdict within the minor rests on. Only minors are lists, because the wizard of the
/// Gateway API takes each list for a release.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Data of a wizard", transform = schema::with_id("export-wizard"))]
#[schemars(extend("additionalProperties" = false))]
#[serde(rename_all = "camelCase")]
pub struct Wizard {
    /// Which program wrote it.
    comment: String,
    /// The features that a release has, by what they are about.
    feature_definitions: FeatureDefinitions,
    /// What `conformance` of an implementation can have, with the profile that it stands for.
    conformance: BTreeMap<Conformance, String>,
    /// Every report by its `id`, each channel and mode apart.
    reports: BTreeMap<String, WizardReport>,
    /// The implementations with a report for a minor.
    #[serde(flatten)]
    minors: BTreeMap<MinorName, Vec<WizardImplementation>>,
}

/// A minor release, such as `v1.6`.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[schemars(extend("pattern" = "^v[0-9]+\\.[0-9]+$"))]
struct MinorName(String);

/// Features by what they are about.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct FeatureDefinitions {
    /// Those of Gateway.
    http_gateway: Vec<Definition>,
    /// Those of HTTPRoute.
    http_route: Vec<Definition>,
    /// Those of BackendTLSPolicy.
    http_backend_tls: Vec<Definition>,
    /// Those of GRPCRoute.
    grpc: Vec<Definition>,
    /// Those of TLSRoute.
    tls: Vec<Definition>,
    /// Those of TCPRoute.
    tcp: Vec<Definition>,
    /// Those of UDPRoute.
    udp: Vec<Definition>,
    /// Those of meshes.
    mesh: Vec<Definition>,
    /// All others.
    other: Vec<Definition>,
}

/// A feature.
#[derive(Debug, Serialize, JsonSchema)]
struct Definition {
    /// Its name in reports.
    id: String,
    /// Its name in words.
    label: String,
    /// What it means.
    description: String,
}

closed_set! {
    /// A profile of a gateway of which all tests passed.
    pub enum Conformance {
        /// HTTP.
        Core = "Core",
        /// GRPC.
        GrpcRoute = "GRPCRoute",
        /// TLS.
        TlsRoute = "TLSRoute",
        /// TCP.
        TcpRoute = "TCPRoute",
        /// UDP.
        UdpRoute = "UDPRoute",
    }
}

/// An implementation in a minor.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct WizardImplementation {
    /// The name to show.
    name: String,
    /// `implementation.organization`.
    organization: String,
    /// `implementation.project`.
    project: String,
    /// `implementation.url` of the report; null where it is not an address of HTTP or HTTPS.
    url: Option<String>,
    /// `implementation.version` of the report, always a text.
    version: Option<String>,
    /// `date` of the report.
    report_date: Option<String>,
    /// The conformant profiles of the report. One that is partially conformant is not among them.
    conformance: Vec<Conformance>,
    /// The features that the report supports and whose tests show as passed.
    features: Vec<String>,
}

/// A report.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct WizardReport {
    /// What it is called in the data of the site.
    id: String,
    /// The implementation, as it is called in addresses.
    implementation: String,
    /// The name of the implementation to show.
    name: String,
    /// `implementation.organization`.
    organization: String,
    /// `implementation.project`.
    project: String,
    /// `implementation.url`; null where it is not an address of HTTP or HTTPS.
    url: Option<String>,
    /// `implementation.version`, always a text.
    version: Option<String>,
    /// The release that it is for.
    release: Option<String>,
    /// `gatewayAPIChannel`.
    channel: Option<String>,
    /// `mode`.
    mode: Option<String>,
    /// `date`.
    report_date: Option<String>,
    /// The conformant profiles; those of meshes have their own names.
    conformance: Vec<String>,
    /// The partially conformant ones.
    partial: Vec<String>,
    /// The features that it supports and whose tests show as passed.
    features: Vec<String>,
    /// The features that it claims, with tests that were skipped, failed or did not run.
    unproved: Vec<String>,
    /// The features that it declares unsupported. All that it does not name are not stated.
    unsupported: Vec<String>,
}
