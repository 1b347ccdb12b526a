//! gwconform checks, certifies and shows Kubernetes Gateway API conformance reports.

pub mod source;
pub mod diagnostic;
pub mod suggest;
pub mod yaml;
pub mod registry;
pub mod suite;
pub mod report;
pub mod readme;
pub mod tree;
pub mod release;
pub mod facts;
pub mod rules;
pub mod config;
pub mod check;
pub mod render;
#[cfg(feature = "cli")]
pub mod cli;
