//! `yaml/syntax`

use crate::rules::{Check, Findings, Rule, YamlContext};
use crate::yaml::{YamlIssueKind, libyaml_reads};

/// The rule.
pub static RULE: Rule = Rule::error("yaml/syntax", include_str!("syntax.md"), Check::Yaml(check));

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for issue in cx.issues(&[YamlIssueKind::Syntax]) {
        let help = "submit the file as the suite wrote it; what follows was not checked";
        let finding = out.at(cx.span(issue.span), format!("not YAML: {}", issue.message));
        finding.help(if libyaml_reads(cx.source.text()) {
            format!("Kubernetes' tools read it all the same, other readers do not: {help}")
        } else {
            help.to_owned()
        });
    }
}
