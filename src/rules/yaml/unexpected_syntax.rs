//! `yaml/unexpected-syntax`

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, Rule, YamlContext};
use crate::yaml::FlawKind;

/// The rule.
pub static RULE: Rule = Rule {
    id: "yaml/unexpected-syntax",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    fixes: None,
    doc: include_str!("unexpected_syntax.md"),
    check: Check::Yaml(check),
};

/// YAML that the suite never writes.
const UNEXPECTED: &[FlawKind] = &[
    FlawKind::Anchor,
    FlawKind::Alias,
    FlawKind::Tag,
    FlawKind::MergeKey,
    FlawKind::ComplexKey,
    FlawKind::Directive,
];

fn check(cx: &YamlContext<'_>, out: &mut Findings) {
    for flaw in cx.flaws(UNEXPECTED) {
        out.at(cx.span(flaw.span), flaw.message.clone())
            .help("the suite does not write this: submit the file as it was written");
    }
}
