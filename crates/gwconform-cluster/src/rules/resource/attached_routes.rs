use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, ResourceContext, WITH_LISTENERS, listeners_with_status};
use crate::rules::Findings;
use crate::{ParentRef, RouteKind, Status, Value, parent_refs, uses_default_gateways};
use gwconform_base::text::message::Message;

resource_rule! {
    "attached_routes.md", &[WITH_LISTENERS, Kind::ROUTES], check, Text<'a>;
    TooMany { owner: &'a Message, attached: i64, most: usize } => "`attachedRoutes` of {owner} is {attached}; expected at most {most}, the number of accepted Routes in the input that refer to it",
    Count => "count only Routes that refer to the listener and have `Accepted` True; check a dump of all Routes (`kubectl get -A`)",
}

type Attached<'a> = (&'a str, &'a str);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    if cx.cluster.is_partial() {
        return;
    }
    let attached = attached(cx);
    let routes = || cx.living(Kind::ROUTES);
    let namespaces: BTreeSet<&str> = routes().map(|(_, route)| route.namespace).collect();
    for (at, object) in cx.living(WITH_LISTENERS) {
        for (listener, status) in listeners_with_status(cx, at, object) {
            let Some(entry) = status.entry else { continue };
            // Several namespaces suggest a complete dump.
            let are_listed = Kind::ROUTES.iter().all(|&kind| cx.cluster.is_listed(kind));
            let is_complete =
                are_listed || listener.allowed_namespaces() == "Same" || namespaces.len() > 1;
            let kinds: Vec<_> = entry
                .items_at("supportedKinds")
                .map(RouteKind::read)
                .collect();
            let are_dumped = kinds.iter().all(|kind| {
                Kind::of(kind.group, kind.kind)
                    .is_some_and(|kind| cx.cluster.is_listed(kind) || cx.cluster.has(&[kind]))
            });
            let Some((count, node)) = entry.number_at("attachedRoutes") else {
                continue;
            };
            if !is_complete || !are_dumped || kinds.is_empty() {
                continue;
            }
            let (name, port) = (listener.name, listener.port());
            let is_here = |to: &&Attached<'_>| {
                (to.0.is_empty() || to.0 == name) && (to.1.is_empty() || to.1 == port)
            };
            let routes = attached.get(&at).into_iter().flatten();
            let most = routes.filter(|to| to.iter().any(|to| is_here(&to))).count();
            if usize::try_from(count).is_ok_and(|count| count > most) {
                let text = Text::TooMany {
                    owner: &status.title(),
                    attached: count,
                    most,
                };
                let value = format!("{count}>{most}");
                out.at(node.place().with_value(&value), text)
                    .help(Text::Count);
            }
        }
    }
}

fn attached<'a>(cx: &ResourceContext<'a>) -> BTreeMap<usize, Vec<Vec<Attached<'a>>>> {
    let mut attached: BTreeMap<usize, Vec<Vec<Attached<'a>>>> = BTreeMap::new();
    for (at, route) in cx.cluster.of(Kind::ROUTES) {
        let statuses = cx.cluster.statuses_of(at).iter();
        let is_refused = |status: &Status<'a>| {
            status.value("Accepted") == Some(Value::False) && !status.is_outdated(route)
        };
        let accepted: BTreeSet<usize> = statuses
            .filter(|status| !is_refused(status))
            .filter_map(|status| status.entry?.get("parentRef"))
            .filter_map(|node| cx.cluster.listening_parent(&ParentRef::read(node, route)))
            .collect();
        let mut named: BTreeMap<usize, Vec<Attached<'a>>> = BTreeMap::new();
        for parent in parent_refs(route) {
            if let Some(to) = cx.cluster.listening_parent(&parent)
                && accepted.contains(&to)
            {
                named
                    .entry(to)
                    .or_default()
                    .push((parent.section, parent.port));
            }
        }
        if uses_default_gateways(route) {
            for to in accepted {
                named.entry(to).or_default().push(("", ""));
            }
        }
        for (to, sections) in named {
            attached.entry(to).or_default().push(sections);
        }
    }
    attached
}
