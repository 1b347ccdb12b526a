use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{ParentRef, Status, parent_refs};
use gwconform_base::text::diagnostic::Anchor;
use gwconform_base::text::message::Message;

resource_rule! {
    "status_outdated.md", &[Kind::WITH_STATUS], check, Text<'a>;
    Outdated { name: &'a str, owner: &'a Message, observed: i64, generation: i64 } => "{name} of {owner} is for generation {observed}, but the object is at {generation}",
    Update => "dump the object again; if that does not help, update `observedGeneration` with every reconciliation",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let mut parents = BTreeMap::new();
    for status in cx.cluster.statuses() {
        let object = cx.object(status);
        let Some((generation, _)) = object.generation else {
            continue;
        };
        let older = status.conditions.iter().find_map(|condition| {
            let (observed, node) = condition.observed?;
            (observed < generation).then_some((condition, observed, node))
        });
        let Some((condition, observed, node)) = older else {
            continue;
        };
        // Controllers do not update the statuses of former parents.
        let keys = parents.entry(status.object).or_insert_with(|| {
            let refs = parent_refs(object);
            refs.iter().map(ParentRef::key).collect::<BTreeSet<_>>()
        });
        if is_of_former_parent(cx, status, keys) {
            continue;
        }
        let anchor = Anchor::new(node.place().place, status.list.subject());
        out.at(
            anchor,
            Text::Outdated {
                name: condition.name(),
                owner: &status.title(),
                observed,
                generation,
            },
        )
        .help(Text::Update);
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
