use super::profiles;
use crate::rules::{Findings, ReportContext, rule};
use gwconform_base::api::TestResult;
use gwconform_base::text::message::{Message, Words};

rule! {
    "partial_without_skip.md", ReportContext(check), Text, profiles::Text;
    NoSkip { profile: Message, level: Words } => "{profile}: the {level} result is `partial`, but no test was skipped",
    Explain => "run the suite again, or describe in README.md, under Reproduce, the steps that the suite does not expect",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for profile in &cx.report.profiles {
        for (level, status) in profile.levels() {
            let (Some(result), Some(statistics)) = (status.result.known_at(), status.statistics)
            else {
                continue;
            };
            if result.value == TestResult::Partial
                && statistics.result() == Some(TestResult::Success)
            {
                let text = Text::NoSkip {
                    profile: profiles::name(profile),
                    level: Words(level.as_str()),
                };
                out.at(cx.value(result.node), text).help(Text::Explain);
            }
        }
    }
}
