use std::collections::BTreeMap;

use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{ParentRef, Value, policy_targets};
use gwconform_base::text::message::Message;

resource_rule! {
    "policy_conflict.md", &[&[Kind::Policy]], check, Text<'a>;
    Both { owner: &'a Message, other: Message, target: Message } => "{owner} is accepted, and so is {other} for the same target {target}; expected `Accepted` False with reason `Conflicted` for one of them",
    Other => "the other policy",
    Refuse => "accept only the older policy; on a tie, the first one by namespace and name",
}

/// As in the API.
const MAX_TARGETS: usize = 16;

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let mut first = BTreeMap::new();
    for (at, policy) in cx.living(&[Kind::Policy]) {
        if policy.kind_name != "BackendTLSPolicy" {
            continue;
        }
        let targets = policy_targets(policy).into_iter().take(MAX_TARGETS);
        let targets: Vec<_> = targets.collect();
        let statuses = cx.cluster.statuses_of(at).iter().take(MAX_TARGETS);
        for status in statuses.filter(|status| !status.is_outdated(policy)) {
            let accepted = status.find("Accepted");
            let accepted = accepted.filter(|found| found.value == Some(Value::True));
            let Some((accepted, entry)) = accepted.zip(status.entry) else {
                continue;
            };
            let ancestor = entry
                .get("ancestorRef")
                .map(|node| ParentRef::read(node, policy).object());
            let mut is_reported = false;
            for target in &targets {
                let key = (
                    entry.str_at("controllerName"),
                    ancestor,
                    (policy.namespace, target.group, target.kind, target.name),
                    target.node.str_at("sectionName"),
                );
                let other = *first.entry(key).or_insert(at);
                if other != at && !is_reported {
                    is_reported = true;
                    let other = &cx.cluster.objects[other];
                    let text = Text::Both {
                        owner: &status.title(),
                        other: other.title(),
                        target: target.title(),
                    };
                    out.at(accepted.status_place(), text)
                        .label(other.place(), Text::Other)
                        .help(Text::Refuse);
                }
            }
        }
    }
}
