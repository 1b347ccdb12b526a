//! `resource/condition-reason`: GEP-1364, "Background: Kubernetes API conventions"

use super::{Kind, ResourceContext, is_camel_case};
use crate::diagnostic::in_code;
use crate::resource::named_value;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/condition-reason",
    include_str!("condition_reason.md"),
    Check::Resource(&[Kind::WITH_STATUS], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        for condition in status
            .conditions
            .iter()
            .filter(|condition| !condition.is_default)
        {
            let reason = condition.reason();
            if is_camel_case(reason) {
                continue;
            }
            let message = match reason {
                "" => format!(
                    "`{}` of {} has no reason",
                    in_code(&condition.name()),
                    status.title
                ),
                _ => format!(
                    "`{reason}` is no reason, expected one word in CamelCase",
                    reason = in_code(&reason)
                ),
            };
            out.at(condition.reason_place(), message)
                .help("put sentences into the message");
        }
        for (condition, known) in status.known() {
            let Some(value) = condition.value else {
                continue;
            };
            let named = named_value(known, condition.reason());
            if named.is_empty() || named.contains(&value) {
                continue;
            }
            let meant: Vec<&str> = named.iter().map(|value| value.as_str()).collect();
            let message = format!(
                "`{}` of {} is {} with the reason `{}`, which the API has for {}",
                in_code(&condition.name()),
                status.title,
                value.as_str(),
                in_code(&condition.reason()),
                meant.join(" and ")
            );
            out.at(condition.reason_place(), message);
        }
    }
}
