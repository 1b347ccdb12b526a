//! gwconform.
pub mod diagnostic;
pub mod registry;
pub mod source;
