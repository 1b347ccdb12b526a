//! `report/partial-without-skip`

use crate::model::TestResult;
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "report/partial-without-skip",
    include_str!("partial_without_skip.md"),
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
            if result.value == TestResult::Partial
                && statistics.result() == Some(TestResult::Success)
            {
                out.at(cx.value(result.node), format!("{name}: the {level} result is `partial`, but no test was skipped"))
                    .help("accepted when the run needed steps that the suite does not expect: say in README.md, under Reproduce, which; else run the suite again");
            }
        }
    }
}
