//! The API that reports are about. Reports of another project of the ecosystem, such as the Inference
//! Extension, have another one.

use super::Family;

/// What is particular to an API in its reports, its CRDs and its sources.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The group of `apiVersion`: of reports, and of the kinds of the standard channel.
    pub group: &'static str,
    /// The field of a report that names the release.
    pub release_field: &'static str,
    /// The field of a report that names the channel.
    pub channel_field: &'static str,
    /// The annotation of a CRD with its release.
    pub release_annotation: &'static str,
    /// The annotation of a CRD with its channel.
    pub channel_annotation: &'static str,
    /// The path of the Go module with the suite.
    pub module: &'static str,
    /// What the names of profiles begin with, by family: `GATEWAY-HTTP`.
    pub profiles: [(Family, &'static str); 2],
}

/// The Gateway API.
pub const SUBJECT: Subject = Subject {
    group: "gateway.networking.k8s.io",
    release_field: "gatewayAPIVersion",
    channel_field: "gatewayAPIChannel",
    release_annotation: "gateway.networking.k8s.io/bundle-version",
    channel_annotation: "gateway.networking.k8s.io/channel",
    module: "sigs.k8s.io/gateway-api",
    profiles: [(Family::Gateway, "GATEWAY-"), (Family::Mesh, "MESH-")],
};

impl Subject {
    /// A profile's family by its name, and its name within that: `HTTP` for `GATEWAY-HTTP`. `None` for
    /// a name without a family, such as `HTTP` up to v1.0.x.
    pub fn profile(self, name: &str) -> Option<(Family, &str)> {
        let mut families = self.profiles.into_iter();
        families.find_map(|(family, prefix)| Some((family, name.strip_prefix(prefix)?)))
    }
}
