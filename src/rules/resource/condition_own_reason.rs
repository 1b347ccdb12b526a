//! `resource/condition-own-reason`: "Controllers should prefer to use the values of" the API (GEP-3949, MeshConditionType)

use super::{Kind, ResourceContext, is_camel_case};
use crate::diagnostic::in_code;
use crate::resource::{named_value, types};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::info(
    "resource/condition-own-reason",
    include_str!("condition_own_reason.md"),
    Check::Resource(&[Kind::WITH_STATUS], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        for (condition, known) in status.known() {
            let reason = condition.reason();
            let Some(value) = condition.value.filter(|_| is_camel_case(reason)) else {
                continue;
            };
            // False with a reason of its own is the business of condition-polarity.
            if known.negative && value.as_str() == "False" {
                continue;
            }
            let Some(reasons) = known.reasons(value) else {
                continue;
            };
            // One of another condition says the same here: BackendNotFound of a TCPRoute that is
            // not accepted.
            let mut all = types(status.subject).values();
            if all.any(|known| !named_value(known, reason).is_empty()) {
                continue;
            }
            let message = format!(
                "`{reason}` is no reason that the API has for `{}` to be {}; it has {}",
                in_code(&condition.name()),
                value.as_str(),
                reasons.join(", "),
                reason = in_code(&reason)
            );
            out.at(condition.reason_place(), message)
                .help("prefer one of them where it fits: tools know them");
        }
    }
}
