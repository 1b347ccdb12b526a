//! `yaml/several-documents`

use crate::rules::{Check, Findings, Rule, YamlContext};
use crate::yaml::YamlIssueKind;

/// The rule.
pub static RULE: Rule = Rule::error(
    "yaml/several-documents",
    include_str!("several_documents.md"),
    Check::Yaml(check),
);

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    if !cx.is_in_tree {
        return;
    }
    for issue in cx.issues(&[YamlIssueKind::SeveralDocuments]) {
        let count = cx
            .yaml
            .documents
            .iter()
            .filter(|document| document.root.is_some())
            .count();
        if count < 2 {
            out.at(
                cx.span(issue.span),
                "a second document starts here, expected one report",
            )
            .help("the suite writes one document: submit the file as it was written");
            continue;
        }
        out.at(
            cx.span(issue.span),
            format!(
                "{count} documents stand in this file, expected one report; the second starts here"
            ),
        )
        .help("submit each report in a file of its own, with its own row in README.md");
    }
}
