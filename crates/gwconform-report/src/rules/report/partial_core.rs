use super::profiles;
use crate::rules::{Findings, ReportContext, rule};
use gwconform_base::api::TestResult;
use gwconform_base::text::message::Message;

rule! {
    "partial_core.md", ReportContext(check), Text, profiles::Text;
    Partial { profile: Message, count: u64, total: u64, tests: Message } => "{profile}: {count} of {total} core tests skipped: {tests}",
    TooPartial { profile: Message, count: u64, total: u64, most: u32, tests: Message } => "{profile}: {count} of {total} core tests skipped, more than the {most} that a partially conformant implementation may skip: {tests}",
    TestsHere => "skipped tests",
    Rerun => "make the skipped tests pass and run the suite again without `--skip-tests`; every implementation of a profile supports its core features",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let minor = cx.release.version.as_ref().map(|version| version.minor());
    let most = minor.and_then(|minor| cx.registry.most_core_skips(minor));
    for profile in &cx.report.profiles {
        let Some(core) = &profile.core else { continue };
        let result = core.result.known_at();
        let Some(result) = result.filter(|result| result.value == TestResult::Partial) else {
            continue;
        };
        let Some(counts) = core.statistics else {
            continue;
        };
        let (count, total) = (profiles::count(counts.skipped), profiles::total(core));
        // Reported by report/partial-without-skip.
        if count == 0 {
            continue;
        }
        let profile = profiles::name(profile);
        let tests = profiles::tests(core.skipped_tests.as_ref());
        let text = match most.filter(|&most| count > u64::from(most)) {
            Some(most) => Text::TooPartial {
                profile,
                count,
                total,
                most,
                tests,
            },
            None => Text::Partial {
                profile,
                count,
                total,
                tests,
            },
        };
        let finding = out.at(
            cx.value(result.node).and(format_args!("{count} skipped")),
            text,
        );
        if let Some(list) = &core.skipped_tests {
            finding.label(cx.head(list.node), Text::TestsHere);
        }
        finding.help(Text::Rerun);
    }
}
