use crate::report::suite::SuiteMismatch;
use crate::rules::{Findings, Remedy, ReportContext, message_parts, rule};
use gwconform_base::text::message::Message;

rule! {
    "core_tests_missing.md", ReportContext(check), Text<'a>, Remedy;
    TooFew { profile: &'a str, count: u64, least: u64, facts: Message } => "{profile}: core test count {count}; expected at least {least} for {facts}",
    SkippedCount { remedy: Message } => "{remedy}; tests excluded with `--skip-tests` are counted as skipped",
}

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
        let text = Text::TooFew {
            profile: recomputed.report.profiles[at].name_or_empty(),
            count: *reported,
            least,
            facts: message_parts::facts_of(cx, recomputed.release),
        };
        let remedy = message_parts::rerun_release(cx).into();
        let anchor = cx.head(statistics.node).with_value(&reported.to_string());
        message_parts::by_facts(cx, out, anchor, text).help(Text::SkippedCount { remedy });
    }
}
