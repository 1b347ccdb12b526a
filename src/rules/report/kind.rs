//! `report/kind`

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, ReportContext, Rule};
use crate::yaml::Kind;

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
        // What is no text at all is for report/wrong-type, and no kind for report/missing-field.
        if let Some(kind) = cx.report.kind
            && matches!(cx.yaml.kind(kind.node), Kind::Str(_))
            && kind.value != "ConformanceReport"
        {
            let is = if kind.value.is_empty() {
                "is empty".to_owned()
            } else {
                format!("is `{}`", kind.value)
            };
            out.at(
                cx.value(kind.node),
                format!("`kind` {is}, expected `ConformanceReport`"),
            )
            .help("the rest reads like a report; the suite writes its kind by itself: submit the report as it was written");
        }
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
