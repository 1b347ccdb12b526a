use super::profiles;
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::api::TestResult;
use gwconform_base::text::message::{Message, Words};

rule! {
    "result_contradicts_statistics.md", ReportContext(check), Text<'a>, profiles::Text, Remedy;
    Contradicts { profile: Message, level: Words, result: &'a str, expected: &'a str, failed: u64, skipped: u64 } => "{profile}: the {level} result is {result}; expected {expected} with {failed} failed and {skipped} skipped",
    CountedHere => "counted here",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for profile in &cx.report.profiles {
        for (level, status) in profile.levels() {
            let (Some(result), Some(statistics)) = (status.result.known_at(), status.statistics)
            else {
                continue;
            };
            let Some(expected) = statistics.result() else {
                continue;
            };
            // The reports README allows `partial` without skips, for "steps unexpected by the
            // suite".
            let is_tolerated =
                result.value == TestResult::Partial && expected == TestResult::Success;
            if is_tolerated || result.value == expected {
                continue;
            }
            let (failed, skipped) = (
                statistics.failed.map_or(0, |n| n.value),
                statistics.skipped.map_or(0, |n| n.value),
            );
            let text = Text::Contradicts {
                profile: profiles::name(profile),
                level: Words(level.as_str()),
                result: result.value.as_str(),
                expected: expected.as_str(),
                failed,
                skipped,
            };
            let finding = out.at(
                cx.value(result.node)
                    .and(format_args!("{failed} failed, {skipped} skipped")),
                text,
            );
            let number = if failed > 0 {
                statistics.failed
            } else {
                statistics.skipped
            };
            if let Some(number) = number {
                finding.label(cx.node(number.node), Text::CountedHere);
            }
            finding.help(Remedy::SubmitUnmodified);
        }
    }
}
