use super::{Kind, ResourceContext, is_camel_case};
use crate::rules::Findings;
use crate::{Condition, Status, named_value};
use gwconform_base::text::message::{Message, Words};

resource_rule! {
    "condition_reason.md", &[Kind::WITH_STATUS], check, Text<'a>;
    Missing { name: &'a str, owner: &'a Message } => "{name} of {owner} has no reason; expected one word in CamelCase",
    NotAWord { reason: &'a str } => "{reason} is not a valid reason; expected one word in CamelCase",
    Contradicts { name: &'a str, owner: &'a Message, value: Words, reason: &'a str, meant: Message } => "{name} of {owner} is {value} with reason {reason}, which the API defines for {meant}",
    Shorten => "give the reason in one CamelCase word, and details in the message",
    Agree => "use a reason that matches the status",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        let written = status.conditions.iter();
        for condition in written.filter(|condition| !condition.is_default) {
            form(condition, status, out);
        }
        for (condition, known) in status.known() {
            let Some(value) = condition.value else {
                continue;
            };
            let named = named_value(known, condition.reason());
            if named.is_empty() || named.contains(&value) {
                continue;
            }
            let meant = named.iter().map(|value| Message::words(value.as_str()));
            out.at(
                condition.reason_place(),
                Text::Contradicts {
                    name: condition.name(),
                    owner: &status.title(),
                    value: Words(value.as_str()),
                    reason: condition.reason(),
                    meant: Message::list(meant, ", ", " and "),
                },
            )
            .help(Text::Agree);
        }
    }
}

fn form(condition: &Condition<'_>, status: &Status<'_>, out: &mut Findings) {
    let text = match condition.reason() {
        "" => Text::Missing {
            name: condition.name(),
            owner: &status.title(),
        },
        reason if is_camel_case(reason) => return,
        reason => Text::NotAWord { reason },
    };
    out.at(condition.reason_place(), text).help(Text::Shorten);
}
