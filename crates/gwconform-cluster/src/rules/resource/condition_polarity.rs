use super::{Kind, ResourceContext};
use crate::Value;
use crate::rules::Findings;
use gwconform_base::text::message::{Message, Words};

resource_rule! {
    "condition_polarity.md", &[Kind::WITH_STATUS], check, Text<'a>;
    OtherReason { name: &'a str, owner: &'a Message, reason: &'a str, expected: Message } => "{name} of {owner} is False with reason {reason}; expected {expected}",
    NotTrue { name: &'a str, owner: &'a Message, value: Words } => "{name} of {owner} is {value}; expected the condition only if it is True",
    Remove => "remove the condition when the error is gone",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        for (condition, known) in status.known() {
            let Some(value) = condition.value.filter(|_| known.negative) else {
                continue;
            };
            let (name, owner) = (condition.name(), &status.title());
            let Some(reasons) = known.reasons(value) else {
                out.at(
                    condition.status_place(),
                    Text::NotTrue {
                        name,
                        owner,
                        value: Words(value.as_str()),
                    },
                )
                .help(Text::Remove);
                continue;
            };
            let reason = condition.reason();
            if value != Value::False || reasons.iter().any(|known| known == reason) {
                continue;
            }
            let expected = Message::list(reasons.iter().map(Message::code), ", ", " or ");
            out.at(
                condition.reason_place(),
                Text::OtherReason {
                    name,
                    owner,
                    reason,
                    expected,
                },
            );
        }
    }
}
