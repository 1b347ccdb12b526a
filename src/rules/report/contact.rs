//! `report/contact`

use super::{rerun_like, rerun_with};
use crate::diagnostic::{Severity, in_code};
use crate::formats::{CONTACT_PLACEHOLDER, completed_contact, is_contact};
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
        .map(|item| completed_contact(item.value))
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
                [only] if only == CONTACT_PLACEHOLDER => rerun_like("contact", only),
                all => rerun_with("contact", &all.join(",")),
            });
    }
}
