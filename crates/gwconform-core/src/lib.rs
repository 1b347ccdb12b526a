//! The lower half of gwconform, from text handling to rules. The `gwconform` crate re-exports it
//! and documents the architecture.

pub mod text;
pub mod api;
pub mod tree;
pub mod release;
pub mod report;
pub mod cluster;
pub mod evidence;
pub mod rules;
