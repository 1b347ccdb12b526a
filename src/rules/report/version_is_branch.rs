//! `report/version-is-branch`

use crate::report::formats::{is_branch, is_placeholder_version};
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule};
use crate::text::diagnostic::Severity;
use crate::text::message::texts;

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/version-is-branch",
    include_str!("version_is_branch.md"),
    Check::Report(check),
)
.legacy(Severity::Warning)
.sources(&["reports README, Reports rules"])
.related(&[
    "report/placeholder",
    "report/version-is-prerelease",
    "report/version-not-semver",
])
.texts(&[Text::TEMPLATES, Remedy::TEMPLATES]);

texts! {
    enum Text<'a> {
        Branch { value: &'a str } => "{value} is a branch or a tag that moves; expected a release, a fixed tag or a commit",
    }
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(version) = cx.report.implementation.version else {
        return;
    };
    let value = version.value;
    // A placeholder is for report/placeholder.
    if is_branch(value) && !is_placeholder_version(value) {
        out.at(cx.value(version.node), Text::Branch { value })
            .help(Remedy::like("version", "<release>"));
    }
}
