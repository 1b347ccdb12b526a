//! `report/unknown-release`

use crate::registry::Match;
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::info(
    "report/unknown-release",
    include_str!("unknown_release.md"),
    Check::Report(check),
);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let (Some(field), Some(version)) = (cx.report.gateway_api_version, &cx.release.version) else {
        return;
    };
    let Some(newest) = cx.registry.newest() else {
        return;
    };
    let message = match cx.registry.release(version) {
        Match::Exact(_) => return,
        Match::NearestLowerPatch(release) => {
            format!(
                "{version} is not known here; compared with {}, the nearest patch below it",
                release.version()
            )
        }
        Match::NewerThanKnown => {
            format!(
                "{version} is newer than {}, the newest release known here",
                newest.version()
            )
        }
        Match::Unknown if version.pre().is_some() => {
            format!("{version} is a prerelease, of which nothing is known here")
        }
        Match::Unknown => format!("{version} is no release known here"),
    };
    let is_patch = matches!(cx.registry.release(version), Match::NearestLowerPatch(_));
    out.at(cx.value(field.node), message).help(if is_patch {
        "a patch can change tests and profiles; a newer gwconform may know it"
    } else {
        "what the suite of that release must have reported is not checked; a newer gwconform may know it"
    });
}
