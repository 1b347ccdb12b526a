//! `yaml/too-complex`

use crate::rules::{Check, Findings, Remedy, Rule, YamlContext};
use gwconform_yaml::{ISSUE_TEXTS, YamlIssueKind};

/// The rule.
pub static RULE: Rule = Rule::error(
    "yaml/too-complex",
    include_str!("too_complex.md"),
    Check::Yaml(check),
)
.texts(&[ISSUE_TEXTS, Remedy::TEMPLATES]);

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::TooDeep, YamlIssueKind::TooManyNodes]) {
        out.at(cx.issue(issue), &issue.message)
            .help(Remedy::SubmitUnmodified);
    }
}
