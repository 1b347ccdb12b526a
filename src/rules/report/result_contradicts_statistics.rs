//! `report/result-contradicts-statistics`

use crate::diagnostic::in_code;
use crate::model::TestResult;
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
            let (Some(result), Some(statistics)) = (status.result.known_at(), status.statistics)
            else {
                continue;
            };
            let Some(expected) = statistics.result() else {
                continue;
            };
            // Partial without a skip is allowed: "steps unexpected by the suite".
            let is_tolerated =
                result.value == TestResult::Partial && expected == TestResult::Success;
            if is_tolerated || result.value == expected {
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
