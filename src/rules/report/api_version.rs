//! `report/api-version`

use crate::diagnostic::in_code;
use crate::rules::{Check, Findings, ReportContext, Rule, words};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "report/api-version",
    include_str!("api_version.md"),
    Check::Report(check),
)
.not_legacy()
.strict();

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let (Some(field), Some((release, _))) = (cx.report.api_version, cx.facts()) else {
        return;
    };
    let Some(expected) = release.report_api_version() else {
        return;
    };
    let releases = cx.registry.releases().iter();
    let writers: Vec<_> = releases
        .filter(|other| other.report_api_version() == Some(field.value))
        .collect();
    // What no suite writes, the schema refuses.
    if field.value == expected || writers.is_empty() {
        return;
    }
    let message = format!(
        "`{}` is written by the suites of {}; that of {} writes `{expected}`",
        in_code(&field.value),
        words::releases(cx.registry, &writers),
        words::facts_of(cx, release),
        expected = in_code(&expected)
    );
    words::by_facts(cx, out, cx.value(field.node), message).help(words::rerun_release(cx));
}
