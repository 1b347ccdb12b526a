use super::invisible::invisible;
use crate::rules::{Findings, Remedy, ReportContext, message_parts, rule};
use gwconform_base::api::NameKind;
use gwconform_base::release::Release;
use gwconform_base::text::message::Message;

rule! {
    "unknown_profile.md", ReportContext(check), Text<'a>, Remedy;
    Unknown { profile: &'a str, facts: Message, advice: Message } => "unknown profile {profile} for {facts}; {advice}",
    WrittenAs { written: &'a str } => "its suite writes {written}",
    Renamed { other: &'a str } => "expected {other}",
    Elsewhere { releases: Message } => "it is one of {releases}",
    Misspelled { near: &'a str } => "did you mean {near}?",
    Expected { profiles: Message } => "expected one of {profiles}",
    Choose { profiles: Message } => "run the suite again with one or more of {profiles} after `--conformance-profiles=` and submit the new report",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some((release, _)) = cx.facts() else {
        return;
    };
    if release.extended_when().is_none() {
        return;
    }
    for name in cx.report.profiles.iter().filter_map(|profile| profile.name) {
        // Reported by report/empty-value or report/invisible-character.
        let is_for_others = name.value.is_empty() || invisible(name.value).is_some();
        if is_for_others || release.reports_profile(name.value) {
            continue;
        }
        let (advice, run) = explain(cx, release, name.value);
        let text = Text::Unknown {
            profile: name.value,
            facts: message_parts::facts_of(cx, release),
            advice: advice.into(),
        };
        let finding = message_parts::by_facts(cx, out, cx.value(name.node), text);
        match run.as_slice() {
            [only] => finding.help(Remedy::with("conformance-profiles", only)),
            several => finding.help(Text::Choose {
                profiles: all_of(several),
            }),
        };
    }
}

fn all_of(names: &[&str]) -> Message {
    Message::list(names.iter().map(Message::code), ", ", ", ")
}

fn explain<'a>(
    cx: &ReportContext<'a>,
    release: &'a Release,
    profile: &'a str,
) -> (Text<'a>, Vec<&'a str>) {
    // Reported under another name, as MESH-GRPC in v1.1.x.
    if let Some(named) = release.profile(profile) {
        let written = &named.report_name;
        return (Text::WrittenAs { written }, vec![profile]);
    }
    let older = cx.registry.renamed_from(NameKind::Profile, profile);
    let newer = cx.registry.renamed_to(NameKind::Profile, profile);
    let other_names = older.into_iter().chain(newer).map(|(other, _)| other);
    let is_here = |name: &&str| release.profile(name).is_some();
    if let Some(other) = other_names.into_iter().find(is_here) {
        return (Text::Renamed { other }, vec![other]);
    }
    let elsewhere = cx.registry.known_in(NameKind::Profile, profile);
    let names: Vec<&str> = release
        .profiles()
        .map(|profile| profile.name.as_str())
        .collect();
    let choice = of_family(&names, profile);
    if !elsewhere.is_empty() {
        let releases = message_parts::releases(cx.registry, &elsewhere);
        return (Text::Elsewhere { releases }, choice);
    }
    match gwconform_base::text::suggest::nearest(profile, names.iter().copied()) {
        Some(near) => (Text::Misspelled { near }, vec![near]),
        None => {
            let profiles = all_of(&names);
            (Text::Expected { profiles }, choice)
        }
    }
}

fn of_family<'a>(names: &[&'a str], name: &str) -> Vec<&'a str> {
    let family = |name: &str| name.split('-').next().unwrap_or_default().to_owned();
    let is_of_family = |known: &&&str| family(known).eq_ignore_ascii_case(&family(name));
    let of_family: Vec<&str> = names.iter().filter(is_of_family).copied().collect();
    if of_family.is_empty() {
        names.to_vec()
    } else {
        of_family
    }
}
