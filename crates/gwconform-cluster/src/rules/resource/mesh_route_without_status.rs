use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{ParentRef, parent_refs};
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

resource_rule! {
    "mesh_route_without_status.md", &[Kind::ROUTES], check, Text<'a>;
    Missing { route: Message, parent: Message, controller: &'a str } => "{route} refers to {parent}, but its status has no such parent, although {controller} has written the status of another mesh Route",
    Add => "add a parent for each `parentRef` that names a Service of the mesh",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    if cx.cluster.is_partial() || !Kind::ROUTES.iter().all(|&kind| cx.cluster.is_listed(kind)) {
        return;
    }
    let mut controllers: BTreeMap<&str, BTreeSet<(&str, &str)>> = BTreeMap::new();
    for (at, route) in cx.living(Kind::ROUTES) {
        for entry in cx
            .cluster
            .statuses_of(at)
            .iter()
            .filter_map(|one| one.entry)
        {
            let Some(reference) = entry.get("parentRef") else {
                continue;
            };
            let parent = ParentRef::read(reference, route);
            if is_service(&parent) {
                let written = controllers
                    .entry(entry.str_at("controllerName"))
                    .or_default();
                written.insert((route.kind_name, parent.namespace));
            }
        }
    }
    // With several meshes, the input does not say which one the Service belongs to.
    let mut all = controllers.iter();
    let (Some((controller, written)), None) = (all.next(), all.next()) else {
        return;
    };
    let kinds: BTreeSet<&str> = written.iter().map(|(kind, _)| *kind).collect();
    for (at, route) in cx.living(Kind::ROUTES) {
        if !kinds.contains(route.kind_name) {
            continue;
        }
        let statuses = cx.cluster.statuses_of(at).iter();
        let found: BTreeSet<_> = statuses
            .filter_map(|status| status.entry?.get("parentRef"))
            .map(|node| ParentRef::read(node, route).object())
            .collect();
        for parent in &parent_refs(route) {
            let to = parent.to_reference();
            let is_here = cx.cluster.find(to.group, to.kind, to.namespace, to.name);
            if !is_service(parent) || found.contains(&parent.object()) || is_here.is_none() {
                continue;
            }
            let text = Text::Missing {
                route: route.title(),
                parent: to.title(),
                controller,
            };
            let finding = out.at(parent.node.head(), text);
            // The mesh may not include the other namespace.
            if !written.contains(&(route.kind_name, parent.namespace)) {
                finding.severity = finding.severity.min(Severity::Warning);
            }
            finding.help(Text::Add);
        }
    }
}

fn is_service(parent: &ParentRef<'_>) -> bool {
    (parent.group, parent.kind) == ("", "Service")
}
