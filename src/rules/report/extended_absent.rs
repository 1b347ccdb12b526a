//! `report/extended-absent`

use crate::rules::{Check, Findings, ReportContext, Rule, words};
use crate::suite::SuiteMismatch;

/// The rule.
pub static RULE: Rule = Rule::warning(
    "report/extended-absent",
    include_str!("extended_absent.md"),
    Check::Report(check),
)
.strict();

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(recomputed) = cx.recomputed() else {
        return;
    };
    for found in &recomputed.found {
        let (Some(at), SuiteMismatch::ExtendedAbsent { features }) =
            (found.claim, &found.difference)
        else {
            continue;
        };
        let profile = &cx.report.profiles[at];
        let place = profile
            .name
            .map_or_else(|| cx.head(profile.node), |name| cx.value(name.node));
        let message = format!(
            "{} has no `extended`, but another profile supports {}, which the suite of {} tests here too",
            recomputed.report.profiles[at].name().unwrap_or_default(),
            words::names(features.iter().copied()),
            words::facts_of(cx, recomputed.release),
        );
        words::by_facts(cx, out, place, message).help(words::rerun_release(cx));
    }
}
