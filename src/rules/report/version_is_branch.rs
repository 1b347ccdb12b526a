//! `report/version-is-branch`

use super::rerun_like;
use crate::diagnostic::{Severity, in_code};
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "report/version-is-branch",
    severity: Severity::Error,
    legacy: Some(Severity::Warning),
    strict: false,
    fixes: None,
    doc: include_str!("version_is_branch.md"),
    check: Check::Report(check),
};

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(version) = cx.report.implementation.version else {
        return;
    };
    if is_branch(version.value) {
        out.at(
            cx.value(version.node),
            format!(
                "`{}` moves, expected a snapshot of the project: a release, a tag or a commit",
                in_code(&version.value)
            ),
        )
        .help(rerun_like("version", "<release>"));
    }
}

/// Names that move: branches as projects name them, and tags of images that follow them.
const MOVING: [&str; 16] = [
    "canary",
    "dev",
    "devel",
    "develop",
    "development",
    "edge",
    "head",
    "latest",
    "main",
    "master",
    "next",
    "nightly",
    "stable",
    "tip",
    "trunk",
    "unstable",
];

/// True for what names a branch: a usual name of one, `release-1.2`, `release/1.2`, `1.2.x`,
/// `refs/heads/…`.
pub fn is_branch(version: &str) -> bool {
    let version = version.trim().to_ascii_lowercase();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_dotted = |text: &str| text.split('.').all(is_number);
    let of_series = |text: &str| text.strip_suffix(".x").is_some_and(is_dotted);
    let bare = version.strip_prefix('v').unwrap_or(&version);
    let release = version
        .strip_prefix("release")
        .and_then(|rest| rest.strip_prefix(['-', '/']));
    let release = release.map(|rest| rest.strip_prefix('v').unwrap_or(rest));
    MOVING.contains(&version.as_str())
        || version.starts_with("refs/heads/")
        || version.starts_with("origin/")
        || of_series(bare)
        || release.is_some_and(|rest| {
            of_series(rest) || (is_dotted(rest) && rest.matches('.').count() < 2)
        })
}

#[cfg(test)]
mod tests {
    use super::is_branch;

    #[test]
    fn branches_are_told_from_snapshots() {
        for branch in [
            "main",
            "latest",
            "HEAD",
            "release-1.2",
            "release/v1.2",
            "release-1.2.x",
            "v1.2.x",
            "refs/heads/fix",
            "Nightly",
        ] {
            assert!(is_branch(branch), "{branch}");
        }
        for snapshot in [
            "v1.2.3",
            "1.20",
            "release-1.2.3",
            "v2.1.0-main",
            "f6c112e",
            "enterprise-2.18",
            "v1.2.0-alpha2",
            "x",
            "",
        ] {
            assert!(!is_branch(snapshot), "{snapshot}");
        }
    }
}
