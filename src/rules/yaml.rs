//! Rules about a file as YAML: one for each kind of flaw that the loader names.

pub mod ambiguous_scalar;
pub mod duplicate_key;
pub mod empty;
pub mod several_documents;
pub mod syntax;
pub mod too_complex;
pub mod unexpected_syntax;

use super::Rule;
use crate::yaml::FlawKind;

/// The rule that names flaws of a kind.
pub fn rule_of(kind: FlawKind) -> &'static Rule {
    match kind {
        FlawKind::Syntax => &syntax::RULE,
        FlawKind::DuplicateKey => &duplicate_key::RULE,
        FlawKind::SeveralDocuments => &several_documents::RULE,
        FlawKind::EmptyDocument => &empty::RULE,
        FlawKind::TooDeep | FlawKind::TooManyNodes => &too_complex::RULE,
        FlawKind::AmbiguousScalar => &ambiguous_scalar::RULE,
        FlawKind::Anchor
        | FlawKind::Alias
        | FlawKind::Tag
        | FlawKind::MergeKey
        | FlawKind::ComplexKey
        | FlawKind::Directive => &unexpected_syntax::RULE,
    }
}
