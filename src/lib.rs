//! gwconform.
pub mod source;
pub mod diagnostic;
pub mod readme;
