//! `report/suite-facts`

use crate::diagnostic::Place;
use crate::registry::Release;
use crate::rules::differences::{Part, part};
use crate::rules::recomputed::Recomputed;
use crate::rules::{Check, Findings, ReportContext, Rule, words};
use crate::suite::SuiteMismatch;

/// The rule.
pub static RULE: Rule = Rule::warning(
    "report/suite-facts",
    include_str!("suite_facts.md"),
    Check::Report(check),
)
.strict();

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(recomputed) = cx.recomputed() else {
        return;
    };
    // One cause shows in several numbers and lists: one finding for each profile tells them all.
    let mut groups: Vec<(Option<usize>, Vec<Part>)> = Vec::new();
    for found in &recomputed.found {
        let Some(part) = part(cx, recomputed, found) else {
            continue;
        };
        match groups.last_mut() {
            Some((claim, parts)) if *claim == found.claim => parts.push(part),
            _ => groups.push((found.claim, vec![part])),
        }
    }
    if groups.is_empty() {
        return;
    }
    let help = help(cx, recomputed);
    for (_, parts) in &groups {
        let [first, others @ ..] = parts.as_slice() else {
            continue;
        };
        let finding = words::by_facts(cx, out, first.place.clone(), message(cx, recomputed, parts));
        let mut seen: Vec<&Place> = vec![&first.place.place];
        for part in others {
            if !seen.contains(&&part.place.place) {
                finding.label(part.place.clone(), part.short.clone());
                seen.push(&part.place.place);
            }
        }
        finding.help(help.clone());
    }
}

fn message(cx: &ReportContext<'_>, recomputed: &Recomputed<'_>, parts: &[Part]) -> String {
    match parts {
        [only] => only.long.clone(),
        several => {
            let short: Vec<_> = several.iter().map(|part| part.short.as_str()).collect();
            let facts = words::facts_of(cx, recomputed.release);
            format!(
                "{} differs from what the suite of {facts} writes: {}",
                parts[0].subject,
                short.join("; ")
            )
        }
    }
}

/// What the report fits instead, or where its names come from, and what to do.
fn help(cx: &ReportContext<'_>, recomputed: &Recomputed<'_>) -> String {
    let rerun = crate::message::Message::from(words::rerun_release(cx));
    let fits = recomputed.fits(cx);
    if !fits.is_empty() {
        let releases = words::releases(cx.registry, &fits);
        return format!("the report fits {releases} instead: {rerun}");
    }
    match newest_beginning(recomputed) {
        Some(release) => format!(
            "no release fits; what it names too early came with {}: {rerun}",
            release.version()
        ),
        None => format!("no release fits: {rerun}"),
    }
}

/// The release with which the strange names of a report begin, when all of them are newer than the
/// release it is for and begin with the same one.
fn newest_beginning<'a>(recomputed: &Recomputed<'a>) -> Option<&'a Release> {
    let mut begin: Option<&Release> = None;
    for found in &recomputed.found {
        let unexpected_names = match &found.difference {
            SuiteMismatch::FeaturesUnexpected { features } => features.as_slice(),
            SuiteMismatch::TestNotInProfile { test } | SuiteMismatch::NotProvisional { test } => {
                std::slice::from_ref(test)
            }
            _ => &[],
        };
        for unexpected_name in unexpected_names {
            let first = unexpected_name.at_home_in.first()?;
            let is_same = begin.is_none_or(|begin| begin.version() == first.version());
            if !is_same || first.version() <= recomputed.release.version() {
                return None;
            }
            begin = Some(first);
        }
    }
    begin
}
