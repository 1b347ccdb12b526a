use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::api::Version;
use gwconform_base::release::stated::{lenient_version, release_of_prerelease};

rule! {
    "prerelease.md", ReportContext(check), Text<'a>, Remedy;
    IsOut { version: &'a Version, release: &'a Version } => "{version} is a prerelease of {release}, which has been released; expected a report for a release",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(field) = cx.report.stated_release else {
        return;
    };
    let Some(version) = &lenient_version(field.value) else {
        return;
    };
    let Some(release) = release_of_prerelease(version, cx.registry) else {
        return;
    };
    let text = Text::IsOut {
        version,
        release: release.version(),
    };
    let newest = cx.registry.newest_patch_of(version.minor());
    let tag = newest.unwrap_or(release).version().clone();
    out.at(cx.value(field.node), text)
        .help(Remedy::RerunFromTag { tag });
}
