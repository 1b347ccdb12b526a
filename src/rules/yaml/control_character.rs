//! `yaml/control-character`

use crate::rules::{Check, Findings, Remedy, Rule, YamlContext};
use gwconform_yaml::{ISSUE_TEXTS, YamlIssueKind};

/// The rule.
pub static RULE: Rule = Rule::error(
    "yaml/control-character",
    include_str!("control_character.md"),
    Check::Yaml(check),
)
.related(&["report/invisible-character"])
.blocks_verdict()
.texts(&[ISSUE_TEXTS, Remedy::TEMPLATES]);

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::ControlCharacter]) {
        out.at(cx.issue(issue), &issue.message)
            .help(Remedy::SubmitUnmodified);
    }
}
