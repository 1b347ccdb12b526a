//! What an implementation publishes in a cluster: CRDs, GatewayClasses, meshes, and the statuses of
//! Gateways, Routes and policies, as `kubectl get -o yaml` prints them or people write them.
//!
//! Views are lenient: what is missing or of another type is absent, and each value keeps its
//! [`Node`], so that every finding has a place. A [`Cluster`] is all objects of all files, with the
//! indexes that make each question one look-up.

use crate::api::SUBJECT;

pub mod needs;
mod attachment;
mod index;
mod conditions;
mod crds;
mod features;
mod gateway;
mod health;
mod node;
mod object;
mod references;
mod status;

pub use attachment::{Refusal, hostnames_meet, refusal};
pub use conditions::{ConditionType, StatusKind, Value, homes, named_value, types};
pub use crds::{CHANNEL, Crd, Crds, VERSION};
pub use features::FeatureList;
pub use gateway::{
    ClassState, Listener, ParentRef, RouteKind, is_gateway_api, kinds_of_protocol, listeners,
    parent_refs, uses_default_gateways,
};
pub use health::{Health, Trouble};
pub use index::{Cluster, Counts, Presence};
pub use node::{File, Node, Text};
pub use object::{Kind, Object};
pub use references::{
    Backends, Reference, backends, certificates, parameters, policy_certificates, policy_targets,
};
pub use status::{Condition, Status};

/// How many nodes and documents one file of resources may hold: those of
/// [`crate::text::source::MAX_DUMP_BYTES`] as `kubectl` prints them.
pub const MAX_NODES: usize = 28_000_000;

/// The group of the Gateway API.
pub const GROUP: &str = SUBJECT.group;

/// The group of its experiments, whose kinds begin with X.
pub const X_GROUP: &str = "gateway.networking.x-k8s.io";
