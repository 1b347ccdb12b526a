//! Rules about a file as YAML: one for each kind of flaw that the loader names.

pub mod ambiguous_scalar;
pub mod duplicate_key;
pub mod empty;
pub mod several_documents;
pub mod syntax;
pub mod too_complex;
pub mod unexpected_syntax;
