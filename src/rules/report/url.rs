//! `report/url`

use super::{rerun_like, rerun_with};
use crate::diagnostic::{Severity, in_code};
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "report/url",
    severity: Severity::Warning,
    legacy: Some(Severity::Warning),
    strict: false,
    fixes: None,
    doc: include_str!("url.md"),
    check: Check::Report(check),
};

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
            ("has no scheme", rerun_with("url", &completed))
        } else {
            (
                "is not the address of a website",
                rerun_like("url", "<https://…>"),
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

/// True for an http or https URL with a host, and a port that exists.
pub fn is_web_address(text: &str) -> bool {
    let Ok(uri) = fluent_uri::Uri::parse(text) else {
        return false;
    };
    let is_web = ["http", "https"]
        .iter()
        .any(|scheme| uri.scheme().as_str().eq_ignore_ascii_case(scheme));
    let Some(authority) = uri.authority() else {
        return false;
    };
    let has_port = authority
        .port()
        .is_none_or(|port| port.as_str().is_empty() || port.as_str().parse::<u16>().is_ok());
    is_web && !authority.host().is_empty() && has_port
}

#[cfg(test)]
mod tests {
    use super::is_web_address;

    #[test]
    fn a_web_address_has_scheme_and_host() {
        for url in [
            "https://acme.example",
            "http://acme.example:8080/a?b#c",
            "HTTPS://[::1]/",
        ] {
            assert!(is_web_address(url), "{url}");
        }
        for url in [
            "github.com/acme/operator",
            "https://",
            "https:///x",
            "https://a:99999",
            "ftp://a",
            "mailto:a@b.c",
            "https://a b",
            "",
        ] {
            assert!(!is_web_address(url), "{url}");
        }
    }
}
