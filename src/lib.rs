//! gwconform.
pub mod source;
pub mod diagnostic;
