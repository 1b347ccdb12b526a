//! `report/unknown-release`

use crate::diagnostic::Severity;
use crate::registry::Match;
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "report/unknown-release",
    severity: Severity::Info,
    legacy: Some(Severity::Info),
    strict: false,
    doc: include_str!("unknown_release.md"),
    check: Check::Report(check),
};

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let (Some(field), Some(version)) = (cx.report.gateway_api_version, &cx.release.version) else {
        return;
    };
    let Some(newest) = cx.registry.newest() else {
        return;
    };
    const NOT_CHECKED: &str = "what the suite of that release must have reported is not checked";
    let (message, help) = match cx.registry.release(version) {
        Match::Exact(_) => return,
        Match::NearestLowerPatch(release) => (
            format!(
                "{version} is not known here; compared with {}, the nearest patch below it",
                release.version()
            ),
            "what differs from that patch is an info; a newer gwconform may know this one"
                .to_owned(),
        ),
        _ if version.pre().is_some() => (
            format!("{version} is a prerelease of the Gateway API"),
            format!("{NOT_CHECKED}; reports are best made with a release"),
        ),
        Match::NewerThanKnown => (
            format!(
                "{version} is newer than {}, the newest release known here",
                newest.version()
            ),
            format!("{NOT_CHECKED}; a newer gwconform may know it"),
        ),
        Match::Unknown => (
            format!("{version} is no release known here"),
            format!("{NOT_CHECKED}; run the suite of a release"),
        ),
    };
    out.at(cx.value(field.node), message).help(help);
}
