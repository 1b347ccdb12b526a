use super::profiles;
use crate::report::view::{Level, Profile};
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::api::TestResult;
use gwconform_base::text::message::{Message, Words};

rule! {
    "summary_contradicts_result.md", ReportContext(check), Text<'a>, profiles::Text, Remedy;
    Contradicts { profile: Message, expected: &'a str } => "{profile}: the summary does not match the results; expected {expected}",
    ResultHere { level: Words } => "{level} result",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    // Up to v1.0.x, summaries were written by hand.
    if cx.release.is_legacy() || cx.release.is_newer_than_known || cx.is_cut {
        return;
    }
    for profile in &cx.report.profiles {
        let (Some(summary), Some(core)) = (profile.summary, &profile.core) else {
            continue;
        };
        let extended = profile.extended.as_ref();
        let possible = summaries(core, extended);
        let written = summary
            .value
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let Some(expected) = possible.first() else {
            continue;
        };
        if possible.contains(&written) {
            continue;
        }
        point(cx, out, profile, expected);
    }
}

fn point(cx: &ReportContext<'_>, out: &mut Findings, profile: &Profile<'_>, expected: &str) {
    let Some(summary) = profile.summary else {
        return;
    };
    let text = Text::Contradicts {
        profile: profiles::name(profile),
        expected,
    };
    let finding = out.at(cx.value(summary.node), text);
    for (level, status) in profile.levels() {
        if let Some(result) = status.result.node() {
            let text = Text::ResultHere {
                level: Words(level.as_str()),
            };
            finding.label(cx.value(result), text);
        }
    }
    finding.help(Remedy::SubmitUnmodified);
}

/// Summaries as the suite's `buildSummary` writes them, most likely first. Empty if a result or
/// number is missing.
fn summaries(core: &Level<'_>, extended: Option<&Level<'_>>) -> Vec<String> {
    let core = sentences("Core", core);
    let Some(extended) = extended.map(|extended| sentences("Extended", extended)) else {
        return core;
    };
    let both = core.iter().flat_map(|core| {
        extended
            .iter()
            .map(move |extended| format!("{core} {extended}"))
    });
    both.collect()
}

fn sentences(level: &str, status: &Level<'_>) -> Vec<String> {
    let (Some(result), Some(statistics)) = (status.result.known(), status.statistics) else {
        return Vec::new();
    };
    let (Some(skipped), Some(failed)) = (statistics.skipped, statistics.failed) else {
        return Vec::new();
    };
    let (skipped, failed) = (skipped.value, failed.value);
    let succeeded = || format!("{level} tests succeeded.");
    let partial = || format!("{level} tests partially succeeded with {skipped} test skips.");
    let failure = || format!("{level} tests failed with {failed} test failures.");
    match result {
        TestResult::Success => vec![succeeded()],
        // Also accept the summary for `success`, because only the result may have been edited to
        // `partial`.
        TestResult::Partial if skipped == 0 => vec![partial(), succeeded()],
        TestResult::Partial => vec![partial()],
        TestResult::Failure => vec![failure()],
    }
}
