//! Rules about a file as YAML: one for each kind of issue that the loader names.

rules! {
    ambiguous_scalar,
    control_character,
    duplicate_key,
    empty,
    json,
    several_documents,
    syntax,
    too_complex,
    unexpected_syntax,
}

pub use syntax::RULE as SYNTAX;

use super::{Findings, Remedy, Rule, YamlContext};
use crate::text::message::Template;
use gwconform_yaml::YamlIssueKind;

/// What the reader says of YAML that it reads.
pub struct IssueText;

impl IssueText {
    /// The texts, as data.
    pub const TEMPLATES: &[Template] = gwconform_yaml::ISSUE_TEXTS;
}

/// Why the reader refuses a text.
pub struct SyntaxText;

impl SyntaxText {
    /// The texts, as data.
    pub const TEMPLATES: &[Template] = gwconform_yaml::SYNTAX_TEXTS;
}

/// Reports the issues of a rule in the words of the reader: the suite never writes such YAML.
fn plain(rule: &'static Rule, cx: &YamlContext<'_>, out: &mut Findings) {
    let issues = cx.yaml.issues.iter();
    for issue in issues.filter(|issue| std::ptr::eq(rule_of(issue.kind), rule)) {
        out.at(cx.issue(issue), &issue.message)
            .help(Remedy::SubmitUnmodified);
    }
}

/// The rule that names issues of a kind.
pub fn rule_of(kind: YamlIssueKind) -> &'static Rule {
    match kind {
        // Templates are not looked for in reports.
        YamlIssueKind::Syntax | YamlIssueKind::Template => &syntax::RULE,
        YamlIssueKind::DuplicateKey => &duplicate_key::RULE,
        YamlIssueKind::SeveralDocuments => &several_documents::RULE,
        YamlIssueKind::EmptyDocument => &empty::RULE,
        YamlIssueKind::TooDeep | YamlIssueKind::TooManyNodes => &too_complex::RULE,
        YamlIssueKind::AmbiguousScalar => &ambiguous_scalar::RULE,
        YamlIssueKind::ControlCharacter => &control_character::RULE,
        YamlIssueKind::Anchor
        | YamlIssueKind::Alias
        | YamlIssueKind::Tag
        | YamlIssueKind::MergeKey
        | YamlIssueKind::ComplexKey
        | YamlIssueKind::Directive => &unexpected_syntax::RULE,
    }
}
