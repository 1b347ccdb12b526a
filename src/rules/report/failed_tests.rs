//! `report/failed-tests`

use crate::model::{Level, TestResult};
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/failed-tests",
    include_str!("failed_tests.md"),
    Check::Report(check),
);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for profile in &cx.report.profiles {
        let name = profile.name.map_or("a profile", |name| name.value);
        for (level, status) in profile.levels() {
            let result = status.result.known_at();
            let Some(result) = result.filter(|result| result.value == TestResult::Failure) else {
                continue;
            };
            let finding = out.at(cx.value(result.node), format!("{name} failed {level} tests; a report is accepted with `success` or `partial` only"));
            if let Some(failed) = &status.failed_tests {
                finding.label(cx.head(failed.node), "these tests");
            }
            finding.help(match level {
                Level::Core => "mend what fails and run the suite again; core features cannot be left out",
                Level::Extended => "mend what fails, or do not claim the feature (`--supported-features`, `--exempt-features`), and run the suite again",
            });
        }
    }
}
