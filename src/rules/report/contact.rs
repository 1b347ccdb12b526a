//! `report/contact`

use std::sync::LazyLock;

use regex::Regex;

use super::url::is_web_address;
use super::{rerun_like, rerun_with};
use crate::diagnostic::{Severity, in_code};
use crate::rules::{Check, Findings, ReportContext, Rule};
use crate::yaml::Kind;

/// The rule.
pub static RULE: Rule = Rule {
    id: "report/contact",
    severity: Severity::Warning,
    legacy: Some(Severity::Warning),
    strict: false,
    fixes: None,
    doc: include_str!("contact.md"),
    check: Check::Report(check),
};

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(contact) = &cx.report.implementation.contact else {
        return;
    };
    // The flag takes all of them, separated by commas.
    let all: Vec<String> = contact
        .items
        .iter()
        .map(|item| completed(item.value))
        .collect();
    for item in &contact.items {
        let value = item.value;
        let is_text = matches!(cx.yaml.kind(item.node), Kind::Str(_));
        if value.is_empty() || !is_text || is_contact(value) {
            // The schema refuses what is empty or no text.
            continue;
        }
        out.at(cx.value(item.node), format!("`{value}` is no contact, expected @name, @org/team, an e-mail address or a URL with its scheme", value = in_code(&value)))
            .help(match all.as_slice() {
                [only] if only == PLACEHOLDER => rerun_like("contact", only),
                all => rerun_with("contact", &all.join(",")),
            });
    }
}

/// What stands for a contact that is not known.
const PLACEHOLDER: &str = "<@org/team>";

/// What a contact was probably meant to be.
fn completed(value: &str) -> String {
    let address = format!("https://{value}");
    let handle = format!("@{value}");
    let scheme = value.split_once(':').map(|(scheme, _)| scheme);
    let has_scheme = scheme.is_some_and(|scheme| !scheme.contains('.'));
    if is_contact(value) {
        value.to_owned()
    } else if has_scheme || value.contains('@') || value.contains(char::is_whitespace) {
        // A URL of another kind, a handle or a sentence: what was meant is not known.
        PLACEHOLDER.to_owned()
    } else if value.contains('.') && is_web_address(&address) {
        address
    } else if is_contact(&handle) {
        handle
    } else {
        "<@org/team>".to_owned()
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
    use super::{completed, is_contact};

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

    #[test]
    fn a_contact_is_completed_to_what_the_flag_takes() {
        for (written, meant) in [
            ("acme", "@acme"),
            ("acme/operator-team", "@acme/operator-team"),
            ("acme.example/new", "https://acme.example/new"),
            ("@acme", "@acme"),
            ("the team at acme", "<@org/team>"),
            ("ftp://x.y", "<@org/team>"),
            ("@a-b-/x_y.z", "<@org/team>"),
            ("acme.example/the team", "<@org/team>"),
            ("mailto:acme.example", "<@org/team>"),
            ("acme.example:8080/new", "https://acme.example:8080/new"),
            ("", "<@org/team>"),
        ] {
            assert_eq!(completed(written), meant);
        }
    }
}
