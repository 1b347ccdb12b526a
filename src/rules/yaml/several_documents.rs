//! `yaml/several-documents`

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, Rule, YamlContext};
use crate::yaml::FlawKind;

/// The rule.
pub static RULE: Rule = Rule {
    id: "yaml/several-documents",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    doc: include_str!("several_documents.md"),
    check: Check::Yaml(check),
};

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    if !cx.is_in_tree {
        return;
    }
    for flaw in cx.flaws(&[FlawKind::SeveralDocuments]) {
        let count = cx.yaml.documents.len();
        out.at(
            cx.span(flaw.span),
            format!("the file holds {count} documents, expected one report"),
        )
        .help("submit each report in a file of its own, with its own row in README.md");
    }
}
