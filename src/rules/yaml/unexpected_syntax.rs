//! `yaml/unexpected-syntax`

use crate::rules::yaml::IssueText;
use crate::rules::{Findings, Remedy, YamlContext};
use gwconform_yaml::YamlIssueKind;

rule!("unexpected_syntax.md", Yaml(check), IssueText, Remedy);

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
