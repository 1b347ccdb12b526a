use crate::report::suite::SuiteMismatch;
use crate::rules::{Findings, Remedy, ReportContext, message_parts, rule};
use gwconform_base::text::message::Message;
use gwconform_base::text::node_path::path_to;

rule! {
    "extended_absent.md", ReportContext(check), Text<'a>, Remedy;
    Absent { profile: &'a str, features: Message, facts: Message } => "{profile}: `extended` is missing; another profile supports {features}, which the suite of {facts} tests here too",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(recomputed) = cx.recomputed() else {
        return;
    };
    for found in &recomputed.found {
        let (Some(at), SuiteMismatch::ExtendedAbsent { features }) =
            (found.claim, &found.difference)
        else {
            continue;
        };
        let profile = &cx.report.profiles[at];
        let place = profile
            .name
            .map_or_else(|| cx.head(profile.node), |name| cx.value(name.node));
        let subject = format!("{}/extended", path_to(cx.yaml, profile.node));
        let text = Text::Absent {
            profile: recomputed.report.profiles[at].name_or_empty(),
            features: message_parts::names(features.iter().copied()),
            facts: message_parts::facts_of(cx, recomputed.release),
        };
        message_parts::by_facts(cx, out, place.about(subject), text)
            .help(message_parts::rerun_release(cx));
    }
}
