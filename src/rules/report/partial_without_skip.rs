//! `report/partial-without-skip`

use super::levels::{self, expected_result};
use crate::message::{Message, Words, texts};
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "report/partial-without-skip",
    include_str!("partial_without_skip.md"),
    Check::Report(check),
)
.sources(&["reports README, Reports rules"])
.texts(&[Text::TEMPLATES, levels::Text::TEMPLATES]);

texts! {
    enum Text {
        NoSkip { profile: Message, level: Words } => "{profile}: the {level} result is `partial`, but no test was skipped",
        Explain => "run the suite again, or describe in README.md, under Reproduce, the steps that the suite does not expect",
    }
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for profile in &cx.report.profiles {
        for (level, status) in profile.levels() {
            let (Some(result), Some(statistics)) = (status.result, status.statistics) else {
                continue;
            };
            if result.value == "partial" && expected_result(statistics) == Some("success") {
                let text = Text::NoSkip {
                    profile: levels::profile_name(profile),
                    level: Words(level),
                };
                out.at(cx.value(result.node), text).help(Text::Explain);
            }
        }
    }
}
