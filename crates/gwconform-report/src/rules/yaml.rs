//! Rules that check YAML syntax, with one rule per kind of parser issue.

rules! {
    RULES: Rule<YamlContext> {
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
}

pub use syntax::RULE as SYNTAX;

use super::{Findings, Remedy, Rule, YamlContext, rules};
use gwconform_base::text::message::Template;
use gwconform_yaml::YamlIssueKind;

/// Messages about valid YAML that tools may read differently.
pub struct IssueText;

impl IssueText {
    /// Message templates that the YAML parser uses for issues in valid YAML.
    pub const TEMPLATES: &[Template] = gwconform_yaml::ISSUE_TEXTS;
}

/// Messages about YAML that cannot be parsed.
pub struct SyntaxText;

impl SyntaxText {
    /// Message templates that the YAML parser uses for syntax errors.
    pub const TEMPLATES: &[Template] = gwconform_yaml::SYNTAX_TEXTS;
}

fn plain(rule: &'static Rule<YamlContext<'static>>, cx: &YamlContext<'_>, out: &mut Findings) {
    let issues = cx.yaml.issues.iter();
    for issue in issues.filter(|issue| std::ptr::eq(rule_of(issue.kind), rule)) {
        out.at(cx.issue(issue), &issue.message)
            .help(Remedy::SubmitUnmodified);
    }
}

/// Rule that reports issues of a kind.
pub fn rule_of(kind: YamlIssueKind) -> &'static Rule<YamlContext<'static>> {
    match kind {
        // Reports are not checked for templates.
        YamlIssueKind::Syntax | YamlIssueKind::Template | YamlIssueKind::GoTemplate => {
            &syntax::RULE
        }
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
        | YamlIssueKind::Directive
        | YamlIssueKind::Tab
        | YamlIssueKind::OtherReading => &unexpected_syntax::RULE,
    }
}
