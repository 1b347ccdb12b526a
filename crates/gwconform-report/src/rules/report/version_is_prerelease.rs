use crate::report::formats::{is_no_snapshot, is_prerelease};
use crate::rules::{Findings, ReportContext, rule};

rule! {
    "version_is_prerelease.md", ReportContext(check), Text<'a>;
    Prerelease { value: &'a str } => "{value} is a prerelease of the implementation",
    SubmitRelease => "also submit a report for the final release",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(version) = cx.report.implementation.version else {
        return;
    };
    let value = version.value;
    if is_prerelease(value) && !is_no_snapshot(value) {
        out.at(cx.value(version.node), Text::Prerelease { value })
            .help(Text::SubmitRelease);
    }
}
