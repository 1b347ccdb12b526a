use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_base::api::{Minor, SUBJECT, Version};
use gwconform_base::release::Match;
use gwconform_base::release::stated::{NO_RELEASE, is_of_branch, lenient_version, may_exist};
use gwconform_base::text::diagnostic::Severity;

rule! {
    "gateway_api_version.md", ReportContext(check), Text<'a>, Remedy;
    Empty { field: &'a str } => "{field} is empty; expected a release such as `v1.5.1`",
    NotARelease { value: &'a str } => "{value} is not a release of the Gateway API; expected a release such as `v1.5.1`",
    OfFirstSuites => "`TODO` is not a release of the Gateway API: suites up to v1.0 write it",
    OfBranch { version: &'a Version } => "{version} is not a release: suites built from a branch write it; expected a release such as `v1.5.1`",
    Unknown { version: &'a Version, newest: &'a Version } => "{version} is not a release of the Gateway API, whose newest release is {newest}",
    Swapped { version: &'a Version, product: &'a Version } => "{version} is not a release of the Gateway API, but the `version` {product} is; are `gatewayAPIVersion` and `version` swapped?",
    OtherMinor { version: &'a Version, folder: Minor } => "the report is for {version}, its folder is for {folder}",
    Move { minor: Minor, folder: Minor } => "move the submission to the folder of {minor}, or submit a report of the suite of {folder}",
    NoV { value: &'a str, expected: String } => "{value} has no leading v; expected {expected}",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(field) = cx.report.stated_release else {
        return;
    };
    let value = field.value;
    let anchor = cx.value(field.node);
    let name = SUBJECT.release_field;
    // Suites up to v1.0.x do not compare the CRDs.
    let remedy = if cx.release.is_legacy() {
        Remedy::Rerun
    } else {
        Remedy::of_field(name)
    };
    if value.is_empty() {
        out.at(anchor, Text::Empty { field: name }).help(remedy);
        return;
    }
    if let (NO_RELEASE, Some(newest)) = (value, cx.registry.newest()) {
        let tag = newest.version().clone();
        out.at(anchor, Text::OfFirstSuites)
            .help(Remedy::RerunFromTag { tag });
        return;
    }
    let Some(version) = &lenient_version(value) else {
        out.at(anchor, Text::NotARelease { value }).help(remedy);
        return;
    };
    if is_of_branch(version) {
        out.at(anchor, Text::OfBranch { version }).help(remedy);
        return;
    }
    if !may_exist(version, cx.registry) {
        let product = cx.report.implementation.version;
        let product = product.and_then(|product| lenient_version(product.value));
        let product = product.filter(|product| is_known(cx, product));
        if let Some(product) = &product {
            let finding = out.at(anchor, Text::Swapped { version, product });
            finding.help(Remedy::SubmitUnmodified).severity = Severity::Error;
        } else if let Some(newest) = cx.registry.newest() {
            let newest = newest.version();
            let finding = out.at(anchor, Text::Unknown { version, newest });
            finding.help(remedy).severity = Severity::Error;
        }
        return;
    }
    let minor = version.minor();
    let folder = cx
        .submission
        .release
        .as_ref()
        .map(|release| release.minor());
    if let Some(folder) = folder.filter(|folder| *folder != minor) {
        out.at(anchor, Text::OtherMinor { version, folder })
            .help(Text::Move { minor, folder });
    } else if Version::parse(value).is_none() {
        let expected = version.to_string();
        let finding = out.at(anchor, Text::NoV { value, expected });
        finding.help(remedy);
        // In reports up to v1.0.x, versions without a `v` are unambiguous.
        if cx.release.is_legacy() {
            finding.keep_verdict();
        }
    }
}

fn is_known(cx: &ReportContext<'_>, version: &Version) -> bool {
    matches!(cx.registry.release(version), Match::Exact(_))
}
