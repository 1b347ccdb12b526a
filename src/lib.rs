//! gwconform.
pub mod diagnostic;
pub mod registry;
pub mod source;
pub mod suite;
