//! `resource/condition-repeated`: GEP-1364, "Background: Kubernetes API conventions"

use std::collections::BTreeMap;

use super::{Kind, ResourceContext};
use crate::diagnostic::in_code;
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/condition-repeated",
    include_str!("condition_repeated.md"),
    Check::Resource(&[Kind::WITH_STATUS], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for status in cx.cluster.statuses() {
        let mut seen = BTreeMap::new();
        for condition in &status.conditions {
            let name = condition.name();
            if name.is_empty() {
                continue;
            }
            if let Some(first) = seen.insert(name, condition) {
                let message = format!(
                    "{} has the condition `{name}` twice",
                    status.title,
                    name = in_code(&name)
                );
                out.at(condition.place(), message)
                    .label(first.place(), "the first one");
            }
        }
    }
}
