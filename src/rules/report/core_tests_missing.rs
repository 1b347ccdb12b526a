//! `report/core-tests-missing`

use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, ReportContext, Rule, words};
use crate::suite::SuiteMismatch;
use crate::text::counted;

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/core-tests-missing",
    include_str!("core_tests_missing.md"),
    Check::Report(check),
)
.legacy(Severity::Warning);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(recomputed) = cx.recomputed() else {
        return;
    };
    for found in &recomputed.found {
        let (Some(at), SuiteMismatch::CoreTotal { reported, .. }) =
            (found.claim, &found.difference)
        else {
            continue;
        };
        let Some(least) = recomputed.least_core_tests(at) else {
            continue;
        };
        if *reported >= least {
            continue;
        }
        let profile = &cx.report.profiles[at];
        let Some(statistics) = profile.core.as_ref().and_then(|core| core.statistics) else {
            continue;
        };
        let message = format!(
            "{} counts {}; the suite of {} has {least}, provisional ones left aside",
            recomputed.report.profiles[at].name().unwrap_or_default(),
            counted(*reported, "core test"),
            words::facts_of(cx, recomputed.release),
        );
        let finding = words::by_facts(cx, out, cx.head(statistics.node), message);
        finding.help(format!(
            "a test that is left out with `--skip-tests` is counted as skipped; {}",
            crate::message::Message::from(words::rerun_release(cx))
        ));
    }
}
