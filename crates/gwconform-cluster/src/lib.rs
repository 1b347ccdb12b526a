//! Objects from a cluster dump or from manifests, indexed by [`Cluster`].
//!
//! Missing and mistyped values are treated as absent. Each value keeps its [`Node`], so every
//! finding has a position.

use gwconform_base::api::SUBJECT;

pub mod needs;
pub mod resources;
pub mod rules;
pub mod support;
mod attachment;
mod index;
mod conditions;
mod crds;
mod feature_list;
mod gateway;
mod health;
mod node;
mod object;
mod references;
mod status;

pub(crate) use attachment::takes;
pub use attachment::{Refusal, allows, refusal};
pub(crate) use conditions::named_value;
pub use conditions::{ConditionType, StatusKind, Value, homes, types};
pub use crds::{CHANNEL, Crd, Crds, VERSION};
pub use feature_list::FeatureList;
pub use gateway::{ClassState, Listener, ParentRef, RouteKind, listeners};
pub(crate) use gateway::{is_gateway_api, kinds_of_protocol, parent_refs, uses_default_gateways};
pub use health::{Health, Trouble};
pub use index::{Cluster, Counts, Presence};
pub use node::{File, Node, Text};
pub use object::{Kind, Object};
pub use references::{Backends, Reference, backends, parameters};
pub(crate) use references::{endpoint_picker, is_backend, policy_certificates, policy_targets};
pub use status::{Condition, Status};

/// Maximum nodes and documents per file, as many as `kubectl` prints in
/// [`gwconform_base::text::source::MAX_DUMP_BYTES`].
pub const MAX_NODES: usize = 28_000_000;

/// Maximum items that are read of a list in an object, where objects are compared with each other.
/// The API allows at most 64 listeners, and fewer items in the other lists.
pub(crate) const MAX_ITEMS: usize = 64;

/// API group of the stable kinds.
pub const GROUP: &str = SUBJECT.group;

/// API group of the experimental kinds.
pub const X_GROUP: &str = "gateway.networking.x-k8s.io";
