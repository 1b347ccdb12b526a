//! `report/version-is-branch`

use crate::diagnostic::{Severity, in_code};
use crate::formats::is_branch;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/version-is-branch",
    include_str!("version_is_branch.md"),
    Check::Report(check),
)
.legacy(Severity::Warning);

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
        .help(Remedy::like("version", "<release>"));
    }
}
