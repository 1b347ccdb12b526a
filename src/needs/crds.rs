//! The CRDs that manifests are held against: those of a release and a channel.

use crate::registry::{Channel, Release};

/// The CRDs of a release and a channel: `v1.6.1/standard`.
#[derive(Debug, Clone, Copy)]
pub struct Crds<'r> {
    /// The release.
    pub release: &'r Release,
    /// The channel.
    pub channel: Channel,
}
