use super::{Kind, ResourceContext, is_domain_prefixed};
use crate::rules::Findings;
use crate::{StatusKind, homes, types};
use gwconform_base::text::message::{Message, Words};
use gwconform_base::text::suggest;

resource_rule! {
    "condition_type.md", &[Kind::WITH_STATUS], check, Text<'a>;
    Missing { owner: &'a Message } => "a condition of {owner} has no type",
    Unknown { name: &'a str, kind: Words } => "{name} is not a condition of {kind}, and has no domain prefix",
    Misspelled { name: &'a str, kind: Words, meant: &'a str } => "{name} is not a condition of {kind}, and has no domain prefix; did you mean {meant}?",
    OfOthers { name: &'a str, others: Message, kind: Words } => "{name} is a condition of {others}, not of {kind}",
    Prefix => "prefix your own condition types with a domain, such as `acme.example/Ready`",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let statuses = cx.cluster.statuses();
    for status in statuses.filter(|status| status.kind.is_defined()) {
        let written = status.conditions.iter();
        for condition in written.filter(|condition| !condition.is_default) {
            let name = condition.name();
            if types(status.kind).contains_key(name) || is_domain_prefixed(name) {
                continue;
            }
            out.at(condition.place(), text(name, status.kind, &status.title()))
                .help(Text::Prefix);
        }
    }
}

fn text<'a>(name: &'a str, status: StatusKind, owner: &'a Message) -> Text<'a> {
    let kind = Words(status.as_words());
    if name.is_empty() {
        return Text::Missing { owner };
    }
    let homes = homes(name);
    if !homes.is_empty() {
        let owners = homes.iter().map(|home| Message::words(home.as_words()));
        let others = Message::list(owners, ", ", " and ");
        return Text::OfOthers { name, others, kind };
    }
    let known = types(status).keys().map(String::as_str);
    match suggest::similar(name, known).filter(|near| near.typo) {
        Some(near) => Text::Misspelled {
            name,
            kind,
            meant: near.name,
        },
        None => Text::Unknown { name, kind },
    }
}
