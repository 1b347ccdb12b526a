//! `yaml/too-complex`

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, Rule, YamlContext};
use crate::yaml::YamlIssueKind;

/// The rule.
pub static RULE: Rule = Rule {
    id: "yaml/too-complex",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    fixes: None,
    doc: include_str!("too_complex.md"),
    check: Check::Yaml(check),
};

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::TooDeep, YamlIssueKind::TooManyNodes]) {
        out.at(cx.span(issue.span), issue.message.clone())
            .help("no suite writes such a report; what follows was not checked");
    }
}
