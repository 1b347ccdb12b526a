//! `yaml/duplicate-key`

use crate::rules::{Check, Findings, Remedy, Rule, YamlContext};
use crate::text::message::texts;
use gwconform_yaml::{ISSUE_TEXTS, YamlIssueKind};

/// The rule.
pub static RULE: Rule = Rule::error(
    "yaml/duplicate-key",
    include_str!("duplicate_key.md"),
    Check::Yaml(check),
)
.related(&["report/field-case"])
.blocks_verdict()
.texts(&[ISSUE_TEXTS, Text::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text {
        First => "first occurrence",
    }
}

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::DuplicateKey]) {
        let finding = out.at(cx.issue(issue), &issue.message);
        if let Some(first) = issue.other {
            finding.label(cx.place(first), Text::First);
        }
        finding.help(Remedy::SubmitUnmodified);
    }
}
