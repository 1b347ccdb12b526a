//! `resource/status-outdated`: the implementer's guide, "Standard Status Fields and Conditions"

use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, ResourceContext};
use crate::diagnostic::in_code;
use crate::resource::{ParentRef, Status, parent_refs};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::warning(
    "resource/status-outdated",
    include_str!("status_outdated.md"),
    Check::Resource(&[Kind::WITH_STATUS], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let mut parents = BTreeMap::new();
    for status in cx.cluster.statuses() {
        let object = cx.object(status);
        let Some((now, _)) = object.generation else {
            continue;
        };
        let older = status.conditions.iter().find_map(|condition| {
            let (observed, node) = condition.observed?;
            (observed < now).then_some((condition, observed, node))
        });
        let Some((condition, observed, node)) = older else {
            continue;
        };
        // What a Route says of a former parent is nobody's to update.
        let keys = parents.entry(status.object).or_insert_with(|| {
            let refs = parent_refs(object);
            refs.iter().map(ParentRef::key).collect::<BTreeSet<_>>()
        });
        if is_of_former_parent(cx, status, keys) {
            continue;
        }
        let message = format!(
            "`{}` of {} is about generation {observed}, and the object is at {now}",
            in_code(&condition.name()),
            status.title
        );
        out.at(node.place(), message)
            .help("dump it again when the controller had time; if it stays, the controller does not update what it does not change");
    }
}

fn is_of_former_parent(
    cx: &ResourceContext<'_>,
    status: &Status<'_>,
    parents: &BTreeSet<[&str; 6]>,
) -> bool {
    let object = cx.object(status);
    let reference = status.entry.and_then(|entry| entry.get("parentRef"));
    reference.is_some_and(|node| {
        object.is_route() && !parents.contains(&ParentRef::read(node, object).key())
    })
}
