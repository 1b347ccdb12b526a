//! `yaml/syntax`

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, Rule, YamlContext};
use crate::yaml::FlawKind;

/// The rule.
pub static RULE: Rule = Rule {
    id: "yaml/syntax",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    doc: include_str!("syntax.md"),
    check: Check::Yaml(check),
};

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for flaw in cx.flaws(&[FlawKind::Syntax]) {
        out.at(cx.span(flaw.span), format!("not YAML: {}", flaw.message))
            .help("submit the file as the suite wrote it; what follows was not checked");
    }
}
