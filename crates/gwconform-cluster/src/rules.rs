//! Rules about cluster resources, and about the needs of manifests.

pub mod needs;
pub mod resource;

pub use gwconform_base::rules::{
    About, Findings, Input, MAX_FINDINGS, Rule, Scope, rule, rule_of, rules,
};
pub use needs::{CrdsContext, NeedsContext};
pub use resource::{Basis, ReleaseChoice, RequestedRelease, ResourceContext};
