use std::cell::LazyCell;

use crate::report::formats::{
    CONTACT_PLACEHOLDER, completed_contact, is_contact, is_placeholder_contact,
};
use crate::rules::{Findings, Remedy, ReportContext, rule};
use gwconform_yaml::Kind;

rule! {
    "contact.md", ReportContext(check), Text<'a>, Remedy;
    NotAContact { value: &'a str } => "{value} is not a valid contact; expected `@user`, `@org/team`, an email address or an absolute URL",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let Some(contact) = &cx.report.implementation.contact else {
        return;
    };
    let items = &contact.items;
    let remedy = LazyCell::new(|| {
        let completed = items.iter().map(|item| completed_contact(item.value));
        let completed: Vec<String> = completed.collect();
        match completed.as_slice() {
            [only] if only == CONTACT_PLACEHOLDER => Remedy::like("contact", only),
            // `--contact` takes all contacts in one comma-separated value.
            all => Remedy::with("contact", &all.join(",")),
        }
    });
    for item in items {
        let value = item.value;
        let is_text = matches!(cx.yaml.kind(item.node), Kind::Str(_));
        if value.is_empty() || !is_text || is_contact(value) || is_placeholder_contact(value) {
            // Reported by schema violations or report/placeholder.
            continue;
        }
        out.at(cx.value(item.node), Text::NotAContact { value })
            .help((*remedy).clone());
    }
}
