//! `report/unknown-profile`

use super::rerun_with;
use crate::diagnostic::Severity;
use crate::registry::{Kind, Release};
use crate::rules::{Check, Findings, ReportContext, Rule, words};

/// The rule.
pub static RULE: Rule = Rule {
    id: "report/unknown-profile",
    severity: Severity::Error,
    legacy: Some(Severity::Warning),
    strict: false,
    doc: include_str!("unknown_profile.md"),
    check: Check::Report(check),
};

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some((release, _)) = cx.facts() else {
        return;
    };
    if release.extended_when().is_none() {
        return;
    }
    for name in cx.report.profiles.iter().filter_map(|profile| profile.name) {
        let mut known = release.profiles();
        if name.value.is_empty() || known.any(|profile| profile.report_name == name.value) {
            continue;
        }
        let (why, run) = explain(cx, release, name.value);
        let message = format!(
            "`{}` is no profile of {}: {why}",
            name.value,
            words::facts_of(cx, release)
        );
        let finding = words::by_facts(cx, out, cx.value(name.node), message);
        finding.help(rerun_with("conformance-profiles", &run));
    }
}

/// What is wrong with a profile's name, and the profile to run in its place.
fn explain(cx: &ReportContext<'_>, release: &Release, name: &str) -> (String, String) {
    // The suite writes another name for it (MESH-GRPC in v1.1.x).
    if let Some(profile) = release.profile(name) {
        let written = &profile.report_name;
        return (
            format!("its suite writes `{written}` for it"),
            name.to_owned(),
        );
    }
    let here = |name: &str| release.profile(name).is_some();
    let older = cx.registry.renamed_from(Kind::Profile, name);
    let newer = cx.registry.renamed_to(Kind::Profile, name);
    let called = older.into_iter().chain(newer).map(|(other, _)| other);
    if let Some(other) = called.into_iter().find(|other| here(other)) {
        return (format!("it is `{other}` there"), other.to_owned());
    }
    let elsewhere = cx.registry.known_in(Kind::Profile, name);
    let names: Vec<_> = release
        .profiles()
        .map(|profile| profile.name.as_str())
        .collect();
    let all = names.join(",");
    if !elsewhere.is_empty() {
        let releases = words::releases(cx.registry, &elsewhere);
        return (format!("it is one of {releases}"), all);
    }
    match crate::suggest::nearest(name, names.iter().copied()) {
        Some(near) => (format!("did you mean `{near}`?"), near.to_owned()),
        None => (format!("expected one of {}", names.join(", ")), all),
    }
}
