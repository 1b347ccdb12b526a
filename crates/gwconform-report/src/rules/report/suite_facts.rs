use std::collections::BTreeSet;

use crate::report::suite::{self, SuiteMismatch};
use crate::rules::differences::{self, DescribedDifference, described};
use crate::rules::recomputed::Recomputed;
use crate::rules::{Findings, Remedy, ReportContext, message_parts, rule};
use gwconform_base::text::message::Message;

rule! {
    "suite_facts.md", ReportContext(check), Text<'a>, differences::Text, Remedy;
    Several { subject: Message, facts: Message, differences: Message } => "{subject} differs from what the suite of {facts} writes: {differences}",
    Edited { message: Message, features: Message } => "{message}; the counts fit without {features}, so the feature lists were edited",
    Moved { message: Message, feature: &'a str } => "{message}; all of it fits with {feature} as a supported feature, so the feature was moved to the unsupported ones after the run",
    Fits { releases: Message, remedy: Message } => "{remedy}; the report matches {releases} instead",
    MatchesNone { remedy: Message } => "{remedy}; the report matches no release",
}

#[derive(Default)]
struct Group {
    claim: Option<usize>,
    parts: Vec<DescribedDifference>,
    identities: Vec<String>,
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(recomputed) = cx.recomputed() else {
        return;
    };
    let mut groups: Vec<Group> = Vec::new();
    let unexplained = recomputed.found.iter();
    let unexplained = unexplained.filter(|found| !recomputed.is_explained(cx.registry, found));
    for found in unexplained {
        let Some(part) = described(cx, recomputed, found) else {
            continue;
        };
        if groups.last().is_none_or(|group| group.claim != found.claim) {
            groups.push(Group {
                claim: found.claim,
                ..Group::default()
            });
        }
        if let Some(group) = groups.last_mut() {
            group.parts.push(part);
            group.identities.push(found.difference.identity());
        }
    }
    if groups.is_empty() {
        return;
    }
    let moved = |claim: Option<usize>| {
        let report = &*recomputed.report;
        suite::fits_with(cx.registry, recomputed.release, report, claim?)
    };
    let moved: Vec<_> = groups.iter().map(|group| moved(group.claim)).collect();
    let features: BTreeSet<&str> = moved.iter().copied().flatten().collect();
    let help = help(cx, &features);
    for (group, moved) in groups.into_iter().zip(moved) {
        let (parts, identities) = (group.parts, group.identities);
        let [first, others @ ..] = parts.as_slice() else {
            continue;
        };
        let edited = group.claim.and_then(|claim| edited(cx, recomputed, claim));
        let message = message(cx, recomputed, first, &parts);
        let message = match (edited, moved) {
            (_, Some(feature)) => Text::Moved { message, feature }.into(),
            (Some(features), None) => Text::Edited { message, features }.into(),
            (None, None) => message,
        };
        // Include every difference in the finding's identity, so that a baseline does not accept
        // new ones.
        let anchor = first.anchor.clone().and(identities.join("; "));
        let finding = message_parts::by_facts(cx, out, anchor, message);
        let own = first.labels.iter().skip(1);
        for (anchor, text) in own.chain(others.iter().flat_map(|part| &part.labels)) {
            finding.label_once(anchor.clone(), text.clone());
        }
        finding.help(help.clone());
    }
}

/// Detects lists that were edited after the run: the counts lack the tests of one feature, or only
/// names differ.
fn edited(cx: &ReportContext<'_>, recomputed: &Recomputed<'_>, claim: usize) -> Option<Message> {
    let found = recomputed.found.iter();
    let found: Vec<_> = found.filter(|found| found.claim == Some(claim)).collect();
    let has = |is: fn(&SuiteMismatch<'_, '_>) -> bool| found.iter().any(|one| is(&one.difference));
    if has(
        |one| matches!(one, SuiteMismatch::ExtendedTotal { reported, expected } if reported < expected),
    ) {
        let feature = suite::fits_without(recomputed.release, &*recomputed.report, claim)?;
        return Some(message_parts::names([feature]));
    }
    let are_counts = |one: &SuiteMismatch<'_, '_>| {
        matches!(
            one,
            SuiteMismatch::CoreTotal { .. } | SuiteMismatch::ExtendedTotal { .. }
        )
    };
    if has(are_counts) || recomputed.of_newer_suite.contains(&claim) {
        return None;
    }
    let extended = recomputed.report.profiles.get(claim)?.extended.as_ref()?;
    let supported = extended.supported_features.as_ref()?;
    let added = found.iter().flat_map(|one| match &one.difference {
        SuiteMismatch::FeaturesUnexpected { features } => features.as_slice(),
        _ => &[],
    });
    let of_later = added.filter(|name| {
        let first = name.at_home_in.first();
        let is_later = first.is_some_and(|first| first.version() > recomputed.release.version());
        is_later && cx.registry.feature(name.name).is_some()
    });
    let listed: Vec<&str> = of_later
        .map(|name| name.name)
        .filter(|name| supported.items.iter().any(|one| one.value == *name))
        .collect();
    (!listed.is_empty()).then(|| message_parts::names(listed))
}

fn message(
    cx: &ReportContext<'_>,
    recomputed: &Recomputed<'_>,
    first: &DescribedDifference,
    parts: &[DescribedDifference],
) -> Message {
    if parts.len() == 1 {
        return first.long.clone();
    }
    let text = Text::Several {
        subject: first.subject.clone(),
        facts: message_parts::facts_of(cx, recomputed.release),
        differences: Message::list(parts.iter().map(|part| part.short.clone()), "; ", "; "),
    };
    text.into()
}

fn help(cx: &ReportContext<'_>, moved: &BTreeSet<&str>) -> Message {
    if !moved.is_empty() {
        let features: Vec<&str> = moved.iter().copied().collect();
        return Remedy::with("exempt-features", &features.join(",")).into();
    }
    let remedy = message_parts::rerun_release(cx).into();
    let fits = suite::fits(cx.registry, cx.report);
    let text = if !fits.is_empty() {
        let releases = message_parts::releases(cx.registry, &fits);
        Text::Fits { releases, remedy }
    } else {
        Text::MatchesNone { remedy }
    };
    text.into()
}
