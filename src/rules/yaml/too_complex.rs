//! `yaml/too-complex`

use crate::rules::{Check, Findings, Rule, YamlContext};
use crate::yaml::YamlIssueKind;

/// The rule.
pub static RULE: Rule = Rule::error(
    "yaml/too-complex",
    include_str!("too_complex.md"),
    Check::Yaml(check),
);

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::TooDeep, YamlIssueKind::TooManyNodes]) {
        out.at(cx.span(issue.span), issue.message.to_string())
            .help("no suite writes such a report; what follows was not checked");
    }
}
