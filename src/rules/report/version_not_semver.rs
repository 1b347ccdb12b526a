//! `report/version-not-semver`

use crate::formats::is_branch;
use crate::message::texts;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "report/version-not-semver",
    include_str!("version_not_semver.md"),
    Check::Report(check),
)
.not_legacy()
.sources(&[
    "reports README, Table of Contents",
    "reports README, Reports rules",
    "GEP-1709",
])
.related(&["report/version-is-branch"])
.texts(&[Text::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text<'a> {
        Commit { value: &'a str } => "{value} is a commit; expected a release",
        NotSemver { value: &'a str } => "{value} is not a semantic version; expected one such as `v1.2.3`",
    }
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(version) = cx.report.implementation.version else {
        return;
    };
    let value = version.value;
    if value.trim().is_empty() || is_branch(value) || is_semver(value) {
        return;
    }
    let text = if is_commit(value) {
        Text::Commit { value }
    } else {
        Text::NotSemver { value }
    };
    out.at(cx.value(version.node), text)
        .help(Remedy::like("version", "<release>"));
}

/// True for a semantic version, with or without a leading `v`: tags have one.
fn is_semver(version: &str) -> bool {
    semver::Version::parse(version.strip_prefix('v').unwrap_or(version)).is_ok()
}

/// True for what git would take for a commit, full or abbreviated. A run of digits alone is more
/// likely a number.
fn is_commit(version: &str) -> bool {
    let is_hex = version
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'));
    let has_letter = version.bytes().any(|byte| byte.is_ascii_lowercase());
    is_hex && has_letter && (7..=64).contains(&version.len())
}
