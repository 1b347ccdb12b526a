//! `report/contact`

use std::sync::LazyLock;

use regex::Regex;

use super::rerun_with;
use super::url::is_web_address;
use crate::diagnostic::Severity;
use crate::rules::{Check, Findings, ReportContext, Rule};

/// The rule.
pub static RULE: Rule = Rule {
    id: "report/contact",
    severity: Severity::Warning,
    legacy: Some(Severity::Warning),
    strict: false,
    doc: include_str!("contact.md"),
    check: Check::Report(check),
};

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(contact) = &cx.report.implementation.contact else {
        return;
    };
    for item in &contact.items {
        let value = item.value;
        if is_contact(value) {
            continue;
        }
        let completed = if is_web_address(&format!("https://{value}")) && value.contains('.') {
            format!("https://{value}")
        } else if is_contact(&format!("@{value}")) {
            format!("@{value}")
        } else {
            "@org/team".to_owned()
        };
        out.at(cx.value(item.node), format!("`{value}` is no contact, expected @name, @org/team, an e-mail address or a URL with its scheme"))
            .help(rerun_with("contact", &completed));
    }
}

/// True for a GitHub user or team, an e-mail address or a URL (reports README, "Reports rules").
pub fn is_contact(text: &str) -> bool {
    static HANDLE_OR_MAIL: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let handle =
            r"@[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?(?:/[A-Za-z0-9][A-Za-z0-9._-]*)?";
        let mail = r"(?:mailto:)?[^\s@<>()]+@[^\s@<>().]+(?:\.[^\s@<>().]+)+";
        Regex::new(&format!("^(?:{handle}|{mail})$")).ok()
    });
    HANDLE_OR_MAIL
        .as_ref()
        .is_some_and(|shape| shape.is_match(text))
        || is_web_address(text)
}

#[cfg(test)]
mod tests {
    use super::is_contact;

    #[test]
    fn the_four_forms_are_contacts() {
        for contact in [
            "@acme",
            "@acme/operator-team",
            "team@acme.example",
            "mailto:team@acme.example",
            "https://acme.example/new",
        ] {
            assert!(is_contact(contact), "{contact}");
        }
        for contact in [
            "acme",
            "@",
            "@-acme",
            "github.com/acme/new",
            "team at acme",
            "@acme/",
            "a@b",
            "",
        ] {
            assert!(!is_contact(contact), "{contact}");
        }
    }
}
