//! `report/kind`

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "report/kind",
    severity: Severity::Error,
    legacy: Some(Severity::Error),
    strict: false,
    doc: include_str!("kind.md"),
    check: Check::Report(check),
};

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    if cx.report.is_recognizable() {
        return;
    }
    let (place, message) = match cx.report.kind {
        Some(kind) if !kind.value.is_empty() => (
            cx.value(kind.node),
            format!("this is a `{}`, expected a `ConformanceReport`", kind.value),
        ),
        _ => (
            cx.head(cx.root),
            "this is not a ConformanceReport".to_owned(),
        ),
    };
    out.at(place, message)
        .help("every YAML file of a submission is read as a report; keep others elsewhere and link to them");
}
