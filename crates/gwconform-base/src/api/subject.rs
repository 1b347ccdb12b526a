//! Describes the API under test. Reports of another API, such as the Inference Extension, need
//! their own [`Subject`].

use super::Family;

/// Names that an API uses in its reports, CRDs and sources.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// API group of reports and standard kinds.
    pub group: &'static str,
    /// Report field for the release, such as `gatewayAPIVersion`.
    pub release_field: &'static str,
    /// Report field for the channel, such as `gatewayAPIChannel`.
    pub channel_field: &'static str,
    /// CRD annotation for the release, such as `gateway.networking.k8s.io/bundle-version`.
    pub release_annotation: &'static str,
    /// CRD annotation for the channel, such as `gateway.networking.k8s.io/channel`.
    pub channel_annotation: &'static str,
    /// Go module path of the suite.
    pub module: &'static str,
    /// Profile name prefix of each family, such as `GATEWAY-`.
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
    /// Splits `GATEWAY-HTTP` into family and `HTTP`. Returns `None` without a known prefix, as for
    /// `HTTP` up to v1.0.
    pub fn profile(self, name: &str) -> Option<(Family, &str)> {
        let mut families = self.profiles.into_iter();
        families.find_map(|(family, prefix)| Some((family, name.strip_prefix(prefix)?)))
    }
}
