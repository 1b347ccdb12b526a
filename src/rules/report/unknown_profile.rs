//! `report/unknown-profile`

use super::invisible_character::unseen;
use crate::diagnostic::{Severity, in_code};
use crate::registry::{Kind, Release};
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule, words};

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/unknown-profile",
    include_str!("unknown_profile.md"),
    Check::Report(check),
)
.legacy(Severity::Warning);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some((release, _)) = cx.facts() else {
        return;
    };
    if release.extended_when().is_none() {
        return;
    }
    for name in cx.report.profiles.iter().filter_map(|profile| profile.name) {
        let mut known = release.profiles();
        // A blank around it has a rule of its own.
        let is_left = name.value.is_empty() || unseen(name.value).is_some();
        if is_left || known.any(|profile| profile.report_name == name.value) {
            continue;
        }
        let (why, run) = explain(cx, release, name.value);
        let message = format!(
            "`{}` is no profile of {}: {why}",
            in_code(&name.value),
            words::facts_of(cx, release)
        );
        let finding = words::by_facts(cx, out, cx.value(name.node), message);
        finding.help(match run.as_slice() {
            [only] => crate::message::Message::from(Remedy::with("conformance-profiles", only)).to_string(),
            several => format!(
                "run the suite again with one or more of {} after `--conformance-profiles=`; a report is submitted as the suite wrote it",
                several.join(", ")
            ),
        });
    }
}

/// What is wrong with a profile's name, and the profiles to choose from in its place.
fn explain(cx: &ReportContext<'_>, release: &Release, name: &str) -> (String, Vec<String>) {
    // The suite writes another name for it (MESH-GRPC in v1.1.x).
    if let Some(profile) = release.profile(name) {
        let written = &profile.report_name;
        return (
            format!(
                "its suite writes `{written}` for it",
                written = in_code(&written)
            ),
            vec![name.to_owned()],
        );
    }
    let here = |name: &str| release.profile(name).is_some();
    let older = cx.registry.renamed_from(Kind::Profile, name);
    let newer = cx.registry.renamed_to(Kind::Profile, name);
    let called = older.into_iter().chain(newer).map(|(other, _)| other);
    if let Some(other) = called.into_iter().find(|other| here(other)) {
        return (
            format!("it is `{other}` there", other = in_code(&other)),
            vec![other.to_owned()],
        );
    }
    let elsewhere = cx.registry.known_in(Kind::Profile, name);
    let names: Vec<_> = release
        .profiles()
        .map(|profile| profile.name.as_str())
        .collect();
    // No project runs all of them: those of the family that is named come into question.
    let family = name.split('-').next().unwrap_or_default();
    let is_of_family = |known: &&&str| {
        let known = known.split('-').next().unwrap_or_default();
        known.eq_ignore_ascii_case(family)
    };
    let of_family: Vec<&str> = names.iter().filter(is_of_family).copied().collect();
    let choice = if of_family.is_empty() {
        &names
    } else {
        &of_family
    };
    let all = choice.iter().map(ToString::to_string).collect();
    if !elsewhere.is_empty() {
        let releases = words::releases(cx.registry, &elsewhere);
        return (format!("it is one of {releases}"), all);
    }
    match crate::suggest::nearest(name, names.iter().copied()) {
        Some(near) => (
            format!("did you mean `{near}`?", near = in_code(&near)),
            vec![near.to_owned()],
        ),
        None => (format!("expected one of {}", names.join(", ")), all),
    }
}
