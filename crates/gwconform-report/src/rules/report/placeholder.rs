use crate::report::formats::{is_placeholder_contact, is_placeholder_url, is_placeholder_version};
use crate::rules::{Findings, Remedy, ReportContext, rule};

rule! {
    "placeholder.md", ReportContext(check), Text<'a>, Remedy;
    Placeholder { field: &'a str, value: &'a str } => "{field}: {value} is a placeholder; expected the value of the tested implementation",
}

fn check(cx: &ReportContext<'_>, out: &mut Findings) {
    let implementation = &cx.report.implementation;
    let version = implementation
        .version
        .filter(|version| is_placeholder_version(version.value));
    let url = implementation
        .url
        .filter(|url| is_placeholder_url(url.value));
    let contacts = implementation.contact.iter().flat_map(|list| &list.items);
    let contacts = contacts.filter(|contact| is_placeholder_contact(contact.value));
    let of_fields = [("version", version), ("url", url)];
    let found = of_fields
        .into_iter()
        .filter_map(|(field, text)| Some((field, text?)))
        .chain(contacts.map(|contact| ("contact", *contact)));
    for (field, text) in found {
        let value = text.value;
        out.at(cx.value(text.node), Text::Placeholder { field, value })
            .help(Remedy::of_field(field));
    }
}
