use std::collections::BTreeSet;

use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{Object, ParentRef, Status, parent_refs, uses_default_gateways};
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

resource_rule! {
    "former_parent.md", &[Kind::ROUTES], check, Text<'a>;
    Former { owner: &'a Message } => "the status contains {owner}, which no `parentRef` of the spec names",
    OtherSection { owner: &'a Message } => "the `parentRef` of {owner} in the status has another `sectionName` or `port` than each `parentRef` of the spec for this object",
    Named => "this reference of the spec",
    Copy => "copy the `parentRef` of the spec into the status",
    Remove => "remove the entry when the Route no longer refers to the parent",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, route) in cx.living(Kind::ROUTES) {
        let parents = parent_refs(route);
        if parents.is_empty() || uses_default_gateways(route) {
            continue;
        }
        let statuses = cx.cluster.statuses_of(at);
        let current: BTreeSet<&str> = statuses
            .iter()
            .filter(|status| is_current(status, route))
            .map(controller)
            .collect();
        for status in statuses {
            let Some(entry) = status.entry else { continue };
            let Some(reference) = entry.get("parentRef") else {
                continue;
            };
            // A controller that has not processed the current Route may still remove the status.
            let has_seen = current.contains(controller(status));
            let parent = ParentRef::read(reference, route);
            let mut named = parents.iter();
            if !has_seen || named.any(|named| named.corresponds_to(&parent)) {
                continue;
            }
            let owner = &status.title();
            let mut named = parents.iter();
            let other = named.find(|named| named.object() == parent.object());
            let Some(other) = other else {
                let finding = out.at(reference.head(), Text::Former { owner });
                finding.severity = finding.severity.min(Severity::Warning);
                finding.help(Text::Remove);
                continue;
            };
            out.at(reference.head(), Text::OtherSection { owner })
                .label(other.node.head(), Text::Named)
                .help(Text::Copy);
        }
    }
}

fn controller<'a>(status: &Status<'a>) -> &'a str {
    status
        .entry
        .map_or("", |entry| entry.str_at("controllerName"))
}

fn is_current(status: &Status<'_>, route: &Object<'_>) -> bool {
    let observed = status
        .conditions
        .iter()
        .any(|condition| condition.observed.is_some());
    observed && route.generation.is_some() && !status.is_outdated(route)
}
