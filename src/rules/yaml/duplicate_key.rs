//! `yaml/duplicate-key`

use crate::rules::{Check, Findings, Rule, YamlContext};
use crate::yaml::YamlIssueKind;

/// The rule.
pub static RULE: Rule = Rule::error(
    "yaml/duplicate-key",
    include_str!("duplicate_key.md"),
    Check::Yaml(check),
);

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::DuplicateKey]) {
        let finding = out.at(cx.span(issue.span), issue.message.to_string());
        if let Some(first) = issue.other {
            finding.label(cx.span(first), "the first one");
        }
        finding.help("the suite writes each field once: submit the file as it was written");
    }
}
