use crate::report::formats::{is_commit, is_no_snapshot, is_semver};
use crate::rules::{Findings, Remedy, ReportContext, rule};

rule! {
    "version_not_semver.md", ReportContext(check), Text<'a>, Remedy;
    Commit { value: &'a str } => "{value} is a commit; expected a release",
    NotSemver { value: &'a str } => "{value} is not a semantic version; expected a version such as `v1.2.3`",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(version) = cx.report.implementation.version else {
        return;
    };
    let value = version.value;
    if is_no_snapshot(value) || is_semver(value) {
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
