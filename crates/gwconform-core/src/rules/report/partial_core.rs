use super::profiles;
use crate::api::TestResult;
use crate::rules::{Findings, ReportContext};
use crate::text::message::Message;

rule! {
    "partial_core.md", Report(check), Text, profiles::Text;
    Partial { profile: Message, count: u64 } => "{profile}: the core result is `partial`; core tests skipped: {count}",
    TooPartial { profile: Message, count: u64, most: u32 } => "{profile}: the core result is `partial`; core tests skipped: {count}, more than the {most} that a partially conformant implementation may skip",
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
        let skipped = core.statistics.and_then(|statistics| statistics.skipped);
        let count = skipped.map_or(0, |skipped| skipped.value);
        // Reported by report/partial-without-skip.
        if count == 0 {
            continue;
        }
        let profile = profiles::name(profile);
        let text = match most.filter(|&most| count > u64::from(most)) {
            Some(most) => Text::TooPartial {
                profile,
                count,
                most,
            },
            None => Text::Partial { profile, count },
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
