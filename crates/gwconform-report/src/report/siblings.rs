//! Projects whose reports have a similar format, and the fields that identify these reports.

/// Project with its own conformance reports.
struct Sibling {
    name: &'static str,
    /// Field with the version of the project's API, or another field that identifies its reports.
    field: &'static str,
    /// Profiles of the project, for reports without the field.
    profiles: &'static [&'static str],
    /// Go module of its suite.
    module: &'static str,
}

const SIBLINGS: [Sibling; 4] = [
    Sibling {
        name: "Gateway API Inference Extension",
        field: "GatewayAPIInferenceExtensionVersion",
        profiles: &["Gateway"],
        module: "sigs.k8s.io/gateway-api-inference-extension",
    },
    Sibling {
        name: "Kube Agentic Networking project",
        field: "GatewayLayerVersion",
        profiles: &["Gateway"],
        module: "sigs.k8s.io/kube-agentic-networking",
    },
    Sibling {
        name: "Network Policy API",
        field: "networkPolicyV2APIVersion",
        profiles: &["AdminNetworkPolicy", "BaselineAdminNetworkPolicy"],
        module: "sigs.k8s.io/network-policy-api",
    },
    Sibling {
        name: "Multi-Cluster Services API",
        field: GROUPS,
        profiles: &[],
        module: "sigs.k8s.io/mcs-api",
    },
];

/// Results of the Multi-Cluster Services API, which has no field for its version.
pub(super) const GROUPS: &str = "groups";

/// Names of the projects whose reports have the field.
pub(crate) fn by_field(field: &str) -> Option<&'static str> {
    let mut all = SIBLINGS.iter();
    let found = all.find(|one| one.field.eq_ignore_ascii_case(field))?;
    Some(found.name)
}

/// Name of the project whose suite is in a Go package.
pub fn by_package(package: &str) -> Option<&'static str> {
    let is_in = |one: &&Sibling| {
        let below = package.strip_prefix(one.module);
        below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
    };
    SIBLINGS.iter().find(is_in).map(|one| one.name)
}

/// Names of the projects that have the profile.
pub fn by_profile(profile: &str) -> impl Iterator<Item = &'static str> {
    let all = SIBLINGS.iter();
    all.filter(move |one| one.profiles.contains(&profile))
        .map(|one| one.name)
}
