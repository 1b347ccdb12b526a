//! `yaml/unexpected-syntax`

use crate::rules::{Check, Findings, Remedy, Rule, YamlContext};
use gwconform_yaml::{ISSUE_TEXTS, YamlIssueKind};

/// The rule.
pub static RULE: Rule = Rule::error(
    "yaml/unexpected-syntax",
    include_str!("unexpected_syntax.md"),
    Check::Yaml(check),
)
.blocks_verdict()
.texts(&[ISSUE_TEXTS, Remedy::TEMPLATES]);

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
        out.at(cx.issue(issue), &issue.message)
            .help(Remedy::SubmitUnmodified);
    }
}
