use crate::report::suite::{self, Mismatch, UnexpectedName};
use crate::rules::differences::{self, DescribedDifference, described};
use crate::rules::recomputed::Recomputed;
use crate::rules::{Findings, Remedy, ReportContext, message_parts, rule};
use gwconform_base::api::Version;
use gwconform_base::release::Release;
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

rule! {
    "newer_suite.md", ReportContext(check), Text<'a>, differences::Text, Remedy;
    Newer { subject: Message, facts: Message, differences: Message } => "{subject}: made with a suite newer than {facts}: {differences}",
    Of { subject: Message, releases: Message, facts: Message, differences: Message } => "{subject}: made with the suite of {releases}, newer than {facts}: {differences}",
    Unknown { field: &'a str, names: Message } => "{names} in {field}, of no known release",
    ListedSince { version: &'a Version, remedy: Message } => "{remedy}; suites list the unexpected names only since {version}",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(recomputed) = cx.recomputed() else {
        return;
    };
    for &claim in &recomputed.of_newer_suite {
        let explained = recomputed.explained(cx.registry, claim);
        let mut parts = Vec::new();
        let mut identities = Vec::new();
        for found in &explained {
            parts.extend(described(cx, recomputed, found));
            parts.extend(unknown_names(cx, recomputed, found));
            identities.push(found.difference.identity());
        }
        let Some(first) = parts.first() else {
            continue;
        };
        // Include every difference in the finding's identity, so that a baseline does not accept
        // new ones.
        let anchor = first.anchor.clone().and(identities.join("; "));
        let finding =
            message_parts::by_facts(cx, out, anchor, message(cx, recomputed, claim, &parts));
        for (anchor, text) in parts.iter().flat_map(|part| &part.labels) {
            finding.label_once(anchor.clone(), text.clone());
        }
        let remedy = message_parts::rerun_release(cx);
        match first_with_all(&explained) {
            Some(release) => finding.help(Text::ListedSince {
                version: release.version(),
                remedy: remedy.into(),
            }),
            None => finding.help(remedy),
        };
    }
}

fn message(
    cx: &ReportContext<'_>,
    recomputed: &Recomputed<'_>,
    claim: usize,
    parts: &[DescribedDifference],
) -> Message {
    let subject = parts[0].subject.clone();
    let facts = message_parts::facts_of(cx, recomputed.release);
    let differences = parts.iter().map(|part| part.short.clone());
    let differences = Message::short_list(differences, "; ", "; ");
    let fits = suite::later_that_fit(cx.registry, recomputed.release, cx.report, claim);
    if fits.is_empty() {
        let text = Text::Newer {
            subject,
            facts,
            differences,
        };
        return text.into();
    }
    let text = Text::Of {
        subject,
        releases: message_parts::releases(cx.registry, &fits),
        facts,
        differences,
    };
    text.into()
}

fn unknown_names(
    cx: &ReportContext<'_>,
    recomputed: &Recomputed<'_>,
    found: &Mismatch<'_, '_>,
) -> Option<DescribedDifference> {
    let claim = cx.report.profiles.get(found.claim?)?;
    let (kind, names) = found.difference.unexpected_names();
    let unknown = names
        .iter()
        .filter(|name| cx.registry.since(kind, name.name).is_none());
    let places: Vec<_> = unknown
        .filter_map(|name| differences::find(claim, kind, name.name))
        .collect();
    let (field, first) = *places.first()?;
    let names = message_parts::names(places.iter().map(|(_, name)| name.value));
    let labels = places.iter().map(|(field, name)| {
        let names = message_parts::names([name.value]);
        (cx.value(name.node), Text::Unknown { field, names }.into())
    });
    let profile = recomputed.report.profiles.get(found.claim?)?;
    Some(DescribedDifference {
        anchor: cx.value(first.node),
        subject: Message::code(profile.name_or_empty()),
        long: Message::default(),
        short: Text::Unknown { field, names }.into(),
        labels: labels.collect::<Vec<(Anchor, Message)>>(),
    })
}

fn first_with_all<'a>(found: &[&Mismatch<'_, 'a>]) -> Option<&'a Release> {
    let mut begin: Option<&Release> = None;
    for found in found {
        let (_, names): (_, &[UnexpectedName<'_, 'a>]) = found.difference.unexpected_names();
        for name in names {
            let first = *name.at_home_in.first()?;
            if begin.is_some_and(|begin| begin.version() != first.version()) {
                return None;
            }
            begin = Some(first);
        }
    }
    begin
}
