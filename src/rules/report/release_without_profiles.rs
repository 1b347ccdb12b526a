//! `report/release-without-profiles`

use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::info(
    "report/release-without-profiles",
    include_str!("release_without_profiles.md"),
    Check::Report(check),
);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some((release, _)) = cx.facts() else {
        return;
    };
    if release.extended_when().is_some() {
        return;
    }
    let field = cx.report.gateway_api_version;
    let message = format!(
        "the suite of {} had no profiles yet: profiles, counts and lists are not compared with it",
        release.version()
    );
    out.at(cx.value_or_root(field.map(|field| field.node)), message)
        .help("nothing is to be done: this report comes from a suite between two releases");
}
