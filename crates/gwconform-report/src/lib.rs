//! Lower layers of gwconform. The `gwconform` crate re-exports them and documents the architecture.

pub mod tree;
pub mod report;
pub mod statement;
pub mod rules;
pub mod certify;
pub mod review;
