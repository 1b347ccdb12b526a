use crate::rules::{Findings, Remedy, ReportContext, message_parts, rule};
use gwconform_base::text::message::Message;

rule! {
    "api_version.md", ReportContext(check), Text<'a>, Remedy;
    OfOtherReleases { found: &'a str, writers: Message, expected: &'a str, facts: Message } => "`apiVersion`: {found} is written by the suites of {writers}; expected {expected} for {facts}",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let (Some(field), Some((release, _))) = (cx.report.api_version, cx.facts()) else {
        return;
    };
    let Some(expected) = release.report_api_version() else {
        return;
    };
    let writers: Vec<_> = cx
        .registry
        .released()
        .filter(|other| other.report_api_version() == Some(field.value))
        .collect();
    // The schema already rejects values that no suite writes.
    if field.value == expected || writers.is_empty() {
        return;
    }
    let text = Text::OfOtherReleases {
        found: field.value,
        writers: message_parts::releases(cx.registry, &writers),
        expected,
        facts: message_parts::facts_of(cx, release),
    };
    message_parts::by_facts(cx, out, cx.value(field.node), text)
        .help(message_parts::rerun_release(cx));
}
