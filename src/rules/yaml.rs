//! Rules about a file as YAML: one for each kind of issue that the loader names.

pub mod ambiguous_scalar;
pub mod duplicate_key;
pub mod empty;
pub mod several_documents;
pub mod syntax;
pub mod too_complex;
pub mod unexpected_syntax;

use super::Rule;
use crate::yaml::YamlIssueKind;

/// The rule that names issues of a kind.
pub fn rule_of(kind: YamlIssueKind) -> &'static Rule {
    match kind {
        YamlIssueKind::Syntax => &syntax::RULE,
        YamlIssueKind::DuplicateKey => &duplicate_key::RULE,
        YamlIssueKind::SeveralDocuments => &several_documents::RULE,
        YamlIssueKind::EmptyDocument => &empty::RULE,
        YamlIssueKind::TooDeep | YamlIssueKind::TooManyNodes => &too_complex::RULE,
        YamlIssueKind::AmbiguousScalar => &ambiguous_scalar::RULE,
        YamlIssueKind::Anchor
        | YamlIssueKind::Alias
        | YamlIssueKind::Tag
        | YamlIssueKind::MergeKey
        | YamlIssueKind::ComplexKey
        | YamlIssueKind::Directive => &unexpected_syntax::RULE,
    }
}
