//! `resource/condition-polarity`: GEP-1364, "Proposed changes summary" and "Condition polarity"

use super::{Kind, ResourceContext};
use crate::diagnostic::in_code;
use crate::resource::Value;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/condition-polarity",
    include_str!("condition_polarity.md"),
    Check::Resource(&[Kind::WITH_STATUS], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        for (condition, known) in status.known() {
            let Some(value) = condition.value.filter(|_| known.negative) else {
                continue;
            };
            if known.reasons(value).is_some() {
                // False is only said where the API has a reason for it.
                let is_said_otherwise = value == Value::False
                    && !known
                        .reasons(value)
                        .unwrap_or_default()
                        .iter()
                        .any(|reason| reason == condition.reason());
                if is_said_otherwise {
                    let expected = known.reasons(value).unwrap_or_default().join(" or ");
                    let message = format!(
                        "`{}` of {} is False with the reason `{}`, expected {expected}",
                        in_code(&condition.name()),
                        status.title,
                        in_code(&condition.reason())
                    );
                    out.at(condition.reason_place(), message);
                }
                continue;
            }
            let message = format!(
                "`{}` of {} is {}; it is an error, and there only while it is True",
                in_code(&condition.name()),
                status.title,
                value.as_str()
            );
            out.at(condition.status_place(), message)
                .help("remove the condition when the error is gone");
        }
    }
}
