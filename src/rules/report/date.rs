//! `report/date`

use std::sync::LazyLock;

use regex::Regex;

use crate::diagnostic::{Severity, in_code};
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "report/date",
    severity: Severity::Error,
    legacy: Some(Severity::Warning),
    strict: false,
    fixes: None,
    doc: include_str!("date.md"),
    check: Check::Report(check),
};

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

/// True for a date and time as RFC 3339 has it. jiff alone takes more (`+0000`, `[UTC]`), a shape
/// alone takes the 31st of February.
pub fn is_rfc3339(text: &str) -> bool {
    static SHAPE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let shape = r"^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$";
        Regex::new(shape).ok()
    });
    SHAPE.as_ref().is_some_and(|shape| shape.is_match(text))
        && text.parse::<jiff::Timestamp>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_rfc3339;

    #[test]
    fn only_rfc_3339_is_a_date() {
        for date in [
            "2026-03-20T10:15:30Z",
            "2023-08-06T12:21:32+10:00",
            "2024-02-29T23:59:59.25-05:30",
            "2024-02-29t00:00:00z",
        ] {
            assert!(is_rfc3339(date), "{date}");
        }
        for date in [
            "",
            "-",
            "2026-03-20",
            "2023-02-28 20:29:41+00:00",
            "2026-03-20T10:15:30",
            "2026-03-20T10:15:30+0000",
            "2026-03-20T10:15:30+25:00",
            "2026-03-20T10:15:30Z[UTC]",
            "2026-02-30T10:15:30Z",
            "2026-13-01T10:15:30Z",
            "2026-03-20T25:15:30Z",
            " 2026-03-20T10:15:30Z",
            "2026-03-20T10:15:30Z\n",
            "٢٠٢٦-03-20T10:15:30Z",
        ] {
            assert!(!is_rfc3339(date), "{date}");
        }
    }
}
