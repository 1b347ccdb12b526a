//! `yaml/unexpected-syntax`

use crate::rules::{Check, Findings, Rule, YamlContext};
use crate::yaml::YamlIssueKind;

/// The rule.
pub static RULE: Rule = Rule::error(
    "yaml/unexpected-syntax",
    include_str!("unexpected_syntax.md"),
    Check::Yaml(check),
);

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
        out.at(cx.span(issue.span), issue.message.to_string())
            .help("the suite does not write this: submit the file as it was written");
    }
}
