//! The lower half of gwconform: everything from texts to rules. The library `gwconform` re-exports all of it, and its
//! documentation describes the architecture.

pub mod text;
pub mod api;
pub mod tree;
pub mod release;
pub mod report;
pub mod cluster;
pub mod evidence;
pub mod rules;
