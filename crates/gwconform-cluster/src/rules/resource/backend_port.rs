use std::collections::{BTreeMap, BTreeSet};

use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{Node, Value, backends};
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

resource_rule! {
    "backend_port.md", &[Kind::ROUTES, &[Kind::Service]], check, Text<'a>;
    Missing { owner: &'a Message, service: Message } => "`ResolvedRefs` of {owner} is True, but the reference to {service} has no port",
    NotServed { owner: &'a Message, service: Message, port: &'a str } => "`ResolvedRefs` of {owner} is True, but {service} has no port {port}",
    Reference => "this backend",
    Ports => "its ports",
    Resolve => "set `ResolvedRefs` to False until each backend names a port of its Service",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let mut known: BTreeMap<usize, Option<(Node<'_>, BTreeSet<&str>)>> = BTreeMap::new();
    for (at, route) in cx.living(Kind::ROUTES) {
        let statuses = cx.cluster.statuses_of(at).iter();
        let resolved = statuses.filter(|status| !status.is_outdated(route));
        let resolved: Vec<_> = resolved
            .filter_map(|status| Some((status, status.find("ResolvedRefs")?)))
            .filter(|(_, found)| found.value == Some(Value::True))
            .collect();
        if resolved.is_empty() {
            continue;
        }
        let wrong = backends(route).all.into_iter().find_map(|backend| {
            let service =
                cx.cluster
                    .find(backend.group, backend.kind, backend.namespace, backend.name)?;
            if cx.cluster.objects[service].kind != Some(Kind::Service) {
                return None;
            }
            let ports = known.entry(service).or_insert_with(|| ports(cx, service));
            let port = backend.node.str_at("port");
            let (node, ports) = ports.as_ref()?;
            (!ports.contains(port)).then_some((backend, port, *node))
        });
        let Some((backend, port, ports)) = wrong else {
            continue;
        };
        for (status, resolved) in resolved {
            let (owner, service) = (&status.title(), backend.title());
            let text = match port {
                "" => Text::Missing { owner, service },
                port => Text::NotServed {
                    owner,
                    service,
                    port,
                },
            };
            let finding = out.at(resolved.status_place(), text);
            // No sentence of the API requires a condition for a port that the Service lacks.
            if !port.is_empty() {
                finding.severity = finding.severity.min(Severity::Warning);
            }
            finding
                .label(backend.node.head(), Text::Reference)
                .label(ports.head(), Text::Ports)
                .help(Text::Resolve);
        }
    }
}

/// `None` for a Service that may have any port.
fn ports<'a>(cx: &ResourceContext<'a>, at: usize) -> Option<(Node<'a>, BTreeSet<&'a str>)> {
    let spec = cx.cluster.objects[at].at(&["spec"])?;
    let node = spec.get("ports")?;
    let ports: BTreeSet<_> = node.items().map(|port| port.str_at("port")).collect();
    let is_fixed = spec.str_at("type") != "ExternalName" && !ports.is_empty();
    is_fixed.then_some((node, ports))
}
