use super::{Kind, ResourceContext, is_camel_case};
use crate::rules::Findings;
use crate::{Value, named_value, types};
use gwconform_base::text::message::{Message, Words};

resource_rule! {
    "condition_own_reason.md", &[Kind::WITH_STATUS], check, Text<'a>;
    NotOfTheApi { reason: &'a str, name: &'a str, value: Words, reasons: Message } => "the API does not define the reason {reason} for {name} {value}; it defines {reasons}",
    Prefer => "use a reason of the API if possible, because tools recognize those",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        for (condition, known) in status.known() {
            let reason = condition.reason();
            let Some(value) = condition.value.filter(|_| is_camel_case(reason)) else {
                continue;
            };
            // Reported by resource/condition-polarity.
            if known.negative && value == Value::False {
                continue;
            }
            let Some(reasons) = known.reasons(value) else {
                continue;
            };
            // Accept reasons of other conditions, such as BackendNotFound for a TCPRoute.
            let mut all = types(status.kind).values();
            if all.any(|known| !named_value(known, reason).is_empty()) {
                continue;
            }
            out.at(
                condition.reason_place(),
                Text::NotOfTheApi {
                    reason,
                    name: condition.name(),
                    value: Words(value.as_str()),
                    reasons: Message::list(reasons.iter().map(Message::code), ", ", " and "),
                },
            )
            .help(Text::Prefer);
        }
    }
}
