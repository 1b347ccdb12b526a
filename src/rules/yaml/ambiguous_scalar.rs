//! `yaml/ambiguous-scalar`

use crate::rules::{Check, Findings, Rule, YamlContext};
use crate::yaml::YamlIssueKind;

/// The rule.
pub static RULE: Rule = Rule::warning(
    "yaml/ambiguous-scalar",
    include_str!("ambiguous_scalar.md"),
    Check::Yaml(check),
);

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::AmbiguousScalar]) {
        out.at(cx.span(issue.span), issue.message.to_string())
            .help("the suite quotes such a value: submit the file as it was written");
    }
}
