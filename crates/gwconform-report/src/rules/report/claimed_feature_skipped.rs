use std::collections::BTreeSet;

use crate::report::suite::{self, Ran};
use crate::report::view::Profile;
use crate::rules::recomputed::Recomputed;
use crate::rules::{Findings, ReportContext, message_parts, rule};
use gwconform_base::text::message::Message;

rule! {
    "claimed_feature_skipped.md", ReportContext(check), Text<'a>;
    Skipped { profile: &'a str, feature: &'a str, tests_were: Message } => "{profile}: {feature} is supported, but none of its tests ran: {tests_were} skipped",
    SkippedHere => "skipped here",
    Rerun => "run the suite again with these tests, or exclude the feature with `--exempt-features`",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(recomputed) = cx.recomputed() else {
        return;
    };
    for (profile, claim) in cx.report.profiles.iter().zip(&recomputed.report.profiles) {
        let level = profile.extended.as_ref();
        let supported = level.and_then(|level| level.supported_features.as_ref());
        let Some(supported) = supported else {
            continue;
        };
        let skipped: BTreeSet<&str> = claim
            .levels()
            .flat_map(|(_, level)| &level.skipped_tests)
            .flatten()
            .copied()
            .collect();
        if skipped.is_empty() {
            continue;
        }
        let tests = tests_run(recomputed, claim);
        for (item, feature) in supported.items.iter().zip(features(claim)) {
            let of_feature: BTreeSet<&str> = tests
                .iter()
                .filter(|(_, features)| features.iter().any(|needed| needed == feature))
                .map(|(name, _)| *name)
                .collect();
            if of_feature.is_empty() || !of_feature.is_subset(&skipped) {
                continue;
            }
            let text = Text::Skipped {
                profile: claim.name_or_empty(),
                feature,
                tests_were: message_parts::names_were(of_feature.iter().copied()),
            };
            let finding = message_parts::by_facts(cx, out, cx.value(item.node), text);
            let lists = level
                .and_then(|level| level.skipped_tests.as_ref())
                .into_iter()
                .chain(
                    profile
                        .core
                        .as_ref()
                        .and_then(|core| core.skipped_tests.as_ref()),
                );
            for test in lists
                .flat_map(|list| &list.items)
                .filter(|test| of_feature.contains(test.value))
                .take(5)
            {
                finding.label(cx.value(test.node), Text::SkippedHere);
            }
            finding.help(Text::Rerun);
        }
    }
}

fn tests_run<'a>(recomputed: &Recomputed<'a>, claim: &Profile<'a>) -> Vec<(&'a str, &'a [String])> {
    let ran = Ran {
        supported: features(claim).collect(),
        provisional: recomputed.report.named_tests(),
    };
    let possible = suite::expected(recomputed.release, claim.name_or_empty(), &ran);
    let tests = possible
        .into_iter()
        .flat_map(|one| one.core.into_iter().chain(one.extended));
    tests
        .map(|test| (test.name.as_str(), test.features.as_slice()))
        .collect()
}

fn features<'a>(claim: &Profile<'a>) -> impl Iterator<Item = &'a str> {
    let extended = claim.extended.as_ref();
    let list = extended.and_then(|extended| extended.supported_features.as_ref());
    list.into_iter().flatten().copied()
}
