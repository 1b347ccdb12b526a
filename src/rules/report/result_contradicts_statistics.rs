//! `report/result-contradicts-statistics`

use crate::diagnostic::in_code;
use crate::report::view::Statistics;
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/result-contradicts-statistics",
    include_str!("result_contradicts_statistics.md"),
    Check::Report(check),
);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for profile in &cx.report.profiles {
        let name = profile.name.map_or("a profile", |name| name.value);
        for (level, status) in profile.levels() {
            let (Some(result), Some(statistics)) = (status.result, status.statistics) else {
                continue;
            };
            let Some(expected) = expected_result(statistics) else {
                continue;
            };
            let is_known = matches!(result.value, "success" | "partial" | "failure");
            // Partial without a skip is allowed: "steps unexpected by the suite".
            let is_tolerated = result.value == "partial" && expected == "success";
            if !is_known || is_tolerated || result.value == expected {
                continue;
            }
            let (failed, skipped) = (
                statistics.failed.map_or(0, |n| n.value),
                statistics.skipped.map_or(0, |n| n.value),
            );
            let message = format!(
                "{name}: the {level} result is `{}`, but with {failed} failed and {skipped} skipped the suite writes `{expected}`",
                in_code(&result.value),
                expected = in_code(&expected)
            );
            let finding = out.at(cx.value(result.node), message);
            let number = if failed > 0 {
                statistics.failed
            } else {
                statistics.skipped
            };
            if let Some(number) = number {
                finding.label(cx.node(number.node), "as counted here");
            }
            finding.help("the suite never contradicts itself: submit the report as it was written, or run it again");
        }
    }
}

/// The result that the suite writes for its statistics; `None` when a number is missing.
pub fn expected_result(statistics: Statistics) -> Option<&'static str> {
    let (failed, skipped) = (statistics.failed?.value, statistics.skipped?.value);
    Some(match (failed, skipped) {
        (0, 0) => "success",
        (0, _) => "partial",
        _ => "failure",
    })
}
