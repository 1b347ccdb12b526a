//! `resource/condition-retired`: GEP-1364, "New and Updated Conditions"

use super::{Kind, ResourceContext};
use crate::diagnostic::{Severity, in_code};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/condition-retired",
    include_str!("condition_retired.md"),
    Check::Resource(&[Kind::WITH_STATUS], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        for (condition, known) in status.known() {
            let Some(successor) = known.retired.as_deref() else {
                continue;
            };
            let name = condition.name();
            let message = format!(
                "`{name}` of {} is retired; `{successor}` took its place",
                status.title,
                name = in_code(&name),
                successor = in_code(&successor)
            );
            let is_there = status.find(successor).is_some();
            let finding = out.at(condition.place(), message);
            finding.help(match name {
                "Detached" => "publish `Accepted`, which is True where Detached was False",
                "Ready" => "publish `Programmed`; Ready is kept for traffic that flows at once",
                _ => "publish `Accepted`",
            });
            // Both are published while users move over (GEP-1364, "Proposed changes summary").
            if is_there {
                finding.severity = Severity::Info;
            }
        }
    }
}
