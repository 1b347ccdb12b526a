//! `report/version-is-branch`

use super::rerun_like;
use crate::diagnostic::{Severity, in_code};
use crate::formats::is_branch;
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
