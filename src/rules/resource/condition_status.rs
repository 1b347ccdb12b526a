//! `resource/condition-status`: GEP-1364, "Background: Kubernetes API conventions"

use super::{Kind, ResourceContext};
use crate::diagnostic::in_code;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/condition-status",
    include_str!("condition_status.md"),
    Check::Resource(&[Kind::WITH_STATUS], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        for condition in &status.conditions {
            if condition.value.is_some() {
                continue;
            }
            let name = condition.name();
            let message = match condition.status.map(|status| status.value) {
                None | Some("") => format!(
                    "`{name}` of {} has no status, expected True, False or Unknown",
                    status.title,
                    name = in_code(&name)
                ),
                Some(written) => format!(
                    "`{written}` is no status of a condition, expected True, False or Unknown",
                    written = in_code(&written)
                ),
            };
            out.at(condition.status_place(), message)
                .help("readers take an empty status for Unknown; a controller never writes it");
        }
    }
}
