//! Projects whose reports have a similar format, and the fields that identify these reports.

/// Project with its own conformance reports.
struct Sibling {
    name: &'static str,
    /// Field with the version of the project's API, or another field that identifies its reports.
    field: &'static str,
    /// Profiles of the project, for reports without the field.
    profiles: &'static [&'static str],
}

const SIBLINGS: [Sibling; 4] = [
    Sibling {
        name: "Gateway API Inference Extension",
        field: "GatewayAPIInferenceExtensionVersion",
        profiles: &["Gateway"],
    },
    Sibling {
        name: "Kube Agentic Networking project",
        field: "GatewayLayerVersion",
        profiles: &["Gateway"],
    },
    Sibling {
        name: "Network Policy API",
        field: "networkPolicyV2APIVersion",
        profiles: &["AdminNetworkPolicy", "BaselineAdminNetworkPolicy"],
    },
    Sibling {
        name: "Multi-Cluster Services API",
        field: GROUPS,
        profiles: &[],
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

/// Names of the projects that have the profile.
pub fn by_profile(profile: &str) -> impl Iterator<Item = &'static str> {
    let all = SIBLINGS.iter();
    all.filter(move |one| one.profiles.contains(&profile))
        .map(|one| one.name)
}
