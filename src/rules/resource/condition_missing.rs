//! `resource/condition-missing`: GEP-1364, "Should conditions always be added?"

use super::{Kind, ResourceContext};
use crate::resource::types;
use crate::rules::{Check, words};
use crate::rules::{Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/condition-missing",
    include_str!("condition_missing.md"),
    Check::Resource(&[Kind::WITH_STATUS], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        let required = types(status.subject)
            .iter()
            .filter(|(_, known)| known.required);
        let missing = required.filter(|(name, _)| status.find(name).is_none());
        let missing: Vec<&str> = missing.map(|(name, _)| name.as_str()).collect();
        if missing.is_empty() {
            continue;
        }
        let noun = match missing.len() {
            1 => "condition",
            _ => "conditions",
        };
        let message = format!("{} has no {noun} {}", status.title, words::names(missing));
        out.at(status.list.head(), message).help(
            "write it with the first update of the status; Unknown where that is not known yet",
        );
    }
}
