//! `report/suite-facts`

use crate::diagnostic::Place;
use crate::message::{Message, texts};
use crate::rules::differences::{self, Part, part};
use crate::rules::recomputed::Recomputed;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule, words};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "report/suite-facts",
    include_str!("suite_facts.md"),
    Check::Report(check),
)
.strict()
.texts(&[
    Text::TEMPLATES,
    differences::Text::TEMPLATES,
    Remedy::TEMPLATES,
]);

texts! {
    enum Text {
        Several { subject: Message, facts: Message, differences: Message } => "{subject} differs from what the suite of {facts} writes: {differences}",
        Fits { releases: Message, remedy: Message } => "{remedy}; the report matches {releases} instead",
        MatchesNone { remedy: Message } => "{remedy}; the report matches no release",
    }
}

/// The differences of one profile, or of the report.
#[derive(Default)]
struct Group {
    claim: Option<usize>,
    parts: Vec<Part>,
    identities: Vec<String>,
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let recomputed = cx.recomputed().filter(|report| !report.is_newer_suite);
    let Some(recomputed) = recomputed else {
        return;
    };
    // One cause affects several numbers and lists: one finding for each profile names them all.
    let mut groups: Vec<Group> = Vec::new();
    for found in &recomputed.found {
        let Some(part) = part(cx, recomputed, found) else {
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
    let help = help(cx, recomputed);
    for group in groups {
        let (parts, identities) = (group.parts, group.identities);
        let [first, others @ ..] = parts.as_slice() else {
            continue;
        };
        let message = message(cx, recomputed, first, &parts);
        // Every difference is part of the subject: one more makes another finding.
        let anchor = first.anchor.clone().and(identities.join("; "));
        let finding = words::by_facts(cx, out, anchor, message);
        let mut seen: Vec<&Place> = vec![&first.anchor.place];
        for part in others {
            if !seen.contains(&&part.anchor.place) {
                finding.label(part.anchor.clone(), part.short.clone());
                seen.push(&part.anchor.place);
            }
        }
        finding.help(help.clone());
    }
}

fn message(
    cx: &ReportContext<'_>,
    recomputed: &Recomputed<'_>,
    first: &Part,
    parts: &[Part],
) -> Message {
    if parts.len() == 1 {
        return first.long.clone();
    }
    let text = Text::Several {
        subject: first.subject.clone(),
        facts: words::facts_of(cx, recomputed.release),
        differences: Message::list(parts.iter().map(|part| part.short.clone()), "; ", "; "),
    };
    text.into()
}

/// What to do, and what the report matches instead.
fn help(cx: &ReportContext<'_>, recomputed: &Recomputed<'_>) -> Message {
    let remedy = words::rerun_release(cx).into();
    let fits = recomputed.fits(cx);
    let text = if !fits.is_empty() {
        let releases = words::releases(cx.registry, &fits);
        Text::Fits { releases, remedy }
    } else {
        Text::MatchesNone { remedy }
    };
    text.into()
}
