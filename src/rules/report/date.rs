//! `report/date`

use crate::diagnostic::{Severity, in_code};
use crate::formats::is_rfc3339;
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error("report/date", include_str!("date.md"), Check::Report(check))
    .legacy(Severity::Warning);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(date) = cx.report.date else { return };
    if is_rfc3339(date.value) {
        return;
    }
    let shown = if date.value.is_empty() {
        "the date is empty".to_owned()
    } else {
        format!("`{}` is not a date", in_code(&date.value))
    };
    out.at(
        cx.value(date.node),
        format!("{shown}, expected one like 2026-03-20T10:15:30Z (RFC 3339)"),
    )
    .help("the suite writes the time of its run: submit the report as it was written");
}
