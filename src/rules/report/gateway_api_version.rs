//! `report/gateway-api-version`

use crate::diagnostic::{Severity, in_code};
use crate::registry::Version;
use crate::release::lenient_version;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "report/gateway-api-version",
    include_str!("gateway_api_version.md"),
    Check::Report(check),
)
.legacy(Severity::Warning);

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(field) = cx.report.gateway_api_version else {
        return;
    };
    let value = field.value;
    if value.is_empty() {
        out.at(cx.value(field.node), "`gatewayAPIVersion` is empty")
            .help(Remedy::of_field("gatewayAPIVersion"));
        return;
    }
    let Some(version) = lenient_version(value) else {
        out.at(
            cx.value(field.node),
            format!(
                "`{value}` is not a release of the Gateway API, expected one like v1.5.1",
                value = in_code(&value)
            ),
        )
        .help(Remedy::of_field("gatewayAPIVersion"));
        return;
    };
    if let Some(folder) = &cx.submission.release
        && folder.minor() != version.minor()
    {
        let minor = version.minor();
        out.at(
            cx.value(field.node),
            format!(
                "the report is for {version}, its folder for {}",
                folder.minor()
            ),
        )
        .help(format!(
            "move the submission to the folder of {minor}, or submit a report of the suite of {}",
            folder.minor()
        ));
    } else if Version::parse(value).is_none() {
        out.at(
            cx.value(field.node),
            format!(
                "`{value}` lacks its v, expected `{version}`",
                value = in_code(&value),
                version = in_code(&version)
            ),
        )
        .help(Remedy::of_field("gatewayAPIVersion"));
    }
}
