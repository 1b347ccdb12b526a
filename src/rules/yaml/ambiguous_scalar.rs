//! `yaml/ambiguous-scalar`

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, Rule, YamlContext};
use crate::yaml::YamlIssueKind;

/// The rule.
pub static RULE: Rule = Rule {
    id: "yaml/ambiguous-scalar",
    severity: Severity::Warning,
    legacy: Some(Severity::Warning),
    strict: false,
    fixes: None,
    doc: include_str!("ambiguous_scalar.md"),
    check: Check::Yaml(check),
};

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::AmbiguousScalar]) {
        out.at(cx.span(issue.span), issue.message.clone())
            .help("the suite quotes such a value: submit the file as it was written");
    }
}
