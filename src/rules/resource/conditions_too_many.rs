//! `resource/conditions-too-many`: MaxItems of each list of conditions (GEP-2162, "API"; GEP-3949, MeshStatus)

use super::{Kind, ResourceContext};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/conditions-too-many",
    include_str!("conditions_too_many.md"),
    Check::Resource(&[Kind::WITH_STATUS], check),
);

/// GEP-2162, "API": MaxItems.
const MOST: usize = 8;

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        let Some(first) = status.conditions.get(MOST) else {
            continue;
        };
        let message = format!(
            "{} has {} conditions, expected {MOST} at most; this is the first beyond",
            status.title,
            status.conditions.len()
        );
        out.at(first.place(), message)
            .help("the API server refuses the whole status");
    }
}
