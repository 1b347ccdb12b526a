//! `yaml/unexpected-syntax`

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, Rule, YamlContext};
use crate::yaml::YamlIssueKind;

/// The rule.
pub static RULE: Rule = Rule {
    id: "yaml/unexpected-syntax",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    fixes: None,
    doc: include_str!("unexpected_syntax.md"),
    check: Check::Yaml(check),
};

/// YAML that the suite never writes.
const UNEXPECTED: &[YamlIssueKind] = &[
    YamlIssueKind::Anchor,
    YamlIssueKind::Alias,
    YamlIssueKind::Tag,
    YamlIssueKind::MergeKey,
    YamlIssueKind::ComplexKey,
    YamlIssueKind::Directive,
];

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(UNEXPECTED) {
        out.at(cx.span(issue.span), issue.message.clone())
            .help("the suite does not write this: submit the file as it was written");
    }
}
