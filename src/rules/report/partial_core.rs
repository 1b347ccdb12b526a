//! `report/partial-core`

use crate::model::TestResult;
use crate::rules::{Check, Findings, ReportContext, Rule};
use crate::text::counted;

/// The rule.
pub static RULE: Rule = Rule::warning(
    "report/partial-core",
    include_str!("partial_core.md"),
    Check::Report(check),
)
.strict();

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let minor = cx.release.version.as_ref().map(|version| version.minor());
    let most = minor.and_then(|minor| cx.registry.most_core_skips(minor));
    for profile in &cx.report.profiles {
        let name = profile.name.map_or("a profile", |name| name.value);
        let Some(core) = &profile.core else { continue };
        let result = core.result.known_at();
        let Some(result) = result.filter(|result| result.value == TestResult::Partial) else {
            continue;
        };
        let skipped = core.statistics.and_then(|statistics| statistics.skipped);
        let count = skipped.map_or(0, |skipped| skipped.value);
        // Partial without a skip has a rule of its own.
        if count == 0 {
            continue;
        }
        let tests = counted(count, "core test");
        let beyond = most.filter(|&most| count > u64::from(most));
        let beyond = beyond.map_or(String::new(), |most| {
            format!(", more than the {most} that a partially conformant implementation may skip")
        });
        let finding = out.at(
            cx.value(result.node),
            format!("{name}: the core result is `partial`, {tests} skipped{beyond}"),
        );
        if let Some(list) = &core.skipped_tests {
            finding.label(cx.head(list.node), "these");
        }
        finding.help("make these tests pass and run the suite again without `--skip-tests`; what is core, every implementation of the profile supports");
    }
}
