use crate::report::formats::{is_branch, is_placeholder_version};
use crate::rules::{Findings, Remedy, ReportContext, rule};

rule! {
    "version_is_branch.md", ReportContext(check), Text<'a>, Remedy;
    Branch { value: &'a str } => "{value} is a branch or a moving tag; expected a release, a fixed tag or a commit",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(version) = cx.report.implementation.version else {
        return;
    };
    let value = version.value;
    // Reported by report/placeholder.
    if is_branch(value) && !is_placeholder_version(value) {
        out.at(cx.value(version.node), Text::Branch { value })
            .help(Remedy::like("version", "<release>"));
    }
}
