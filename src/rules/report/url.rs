//! `report/url`

use crate::diagnostic::in_code;
use crate::formats::is_web_address;
use crate::rules::{Check, Findings, Remedy, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning("report/url", include_str!("url.md"), Check::Report(check));

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(url) = cx.report.implementation.url else {
        return;
    };
    let value = url.value;
    if value.is_empty() || is_web_address(value) {
        return;
    }
    let completed = format!("https://{value}");
    let (why, help) =
        if !value.contains("://") && !value.contains('@') && is_web_address(&completed) {
            ("has no scheme", Remedy::with("url", &completed))
        } else {
            (
                "is not the address of a website",
                Remedy::like("url", "<https://…>"),
            )
        };
    out.at(
        cx.value(url.node),
        format!(
            "`{value}` {why}, expected a URL with http or https",
            value = in_code(&value)
        ),
    )
    .help(help);
}
