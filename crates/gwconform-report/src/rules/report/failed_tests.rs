use super::profiles;
use crate::rules::{Findings, ReportContext, rule};
use gwconform_base::api::{Level, TestResult};
use gwconform_base::text::message::{Message, Words};

rule! {
    "failed_tests.md", ReportContext(check), Text, profiles::Text;
    Failed { profile: Message, count: u64, total: u64, level: Words, tests: Message } => "{profile}: {count} of {total} {level} tests failed: {tests}",
    FailedUncounted { profile: Message, level: Words, tests: Message } => "{profile}: {level} tests failed: {tests}",
    TestsHere => "failed tests",
    FixCore => "fix the failing tests and run the suite again; core features cannot be excluded",
    FixExtended => "fix the failing tests and run the suite again, or exclude the feature with `--supported-features` or `--exempt-features`",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    for profile in &cx.report.profiles {
        for (level, status) in profile.levels() {
            let result = status.result.known_at();
            let Some(result) = result.filter(|result| result.value == TestResult::Failure) else {
                continue;
            };
            let count = profiles::count(status.statistics.and_then(|counts| counts.failed));
            let total = profiles::total(status);
            let tests = profiles::tests(status.failed_tests.as_ref());
            let (profile, words) = (profiles::name(profile), Words(level.as_str()));
            let text = match count {
                0 => Text::FailedUncounted {
                    profile,
                    level: words,
                    tests,
                },
                _ => Text::Failed {
                    profile,
                    count,
                    total,
                    level: words,
                    tests,
                },
            };
            let failed = status.failed_tests.iter().flat_map(|list| &list.items);
            let names: Vec<&str> = failed.map(|test| test.value).collect();
            let finding = out.at(cx.value(result.node).and(names.join(" ")), text);
            if let Some(failed) = &status.failed_tests {
                finding.label(cx.head(failed.node), Text::TestsHere);
            }
            finding.help(match level {
                Level::Core => Text::FixCore,
                Level::Extended => Text::FixExtended,
            });
        }
    }
}
