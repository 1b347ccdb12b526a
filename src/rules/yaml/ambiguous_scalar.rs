//! `yaml/ambiguous-scalar`

use crate::rules::{Check, Findings, Remedy, Rule, YamlContext};
use gwconform_yaml::{ISSUE_TEXTS, YamlIssueKind};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "yaml/ambiguous-scalar",
    include_str!("ambiguous_scalar.md"),
    Check::Yaml(check),
)
.texts(&[ISSUE_TEXTS, Remedy::TEMPLATES]);

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::AmbiguousScalar]) {
        out.at(cx.issue(issue), &issue.message)
            .help(Remedy::SubmitUnmodified);
    }
}
