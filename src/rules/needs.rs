//! Rules about manifests: what they need, and whether an implementation, a class or the CRDs of a
//! release have it (`gwconform needs`).

rules! {
    field_gone,
    field_not_in_channel,
    kind_gone,
    kind_not_in_channel,
    version_deprecated,
    version_not_served,
}

mod shared;

use crate::needs::crds::Crds;
use crate::needs::{Listed, Needs, Target};
use crate::registry::Registry;
use crate::resource::Cluster;

/// Manifests, and what they are compared with. A rule finds nothing without the part that it needs.
#[derive(Debug)]
pub struct NeedsContext<'a> {
    /// The objects.
    pub cluster: &'a Cluster<'a>,
    /// What they need.
    pub needs: &'a Needs<'a>,
    /// Facts of the releases.
    pub registry: &'a Registry,
    /// The report they are to run with.
    pub to: Option<&'a Target>,
    /// The report they ran with so far.
    pub from: Option<&'a Target>,
    /// The GatewayClasses and meshes they are to run with.
    pub listed: &'a [Listed],
    /// The CRDs they are to be applied with.
    pub crds: Option<&'a Crds<'a>>,
}
