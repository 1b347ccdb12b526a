use std::collections::BTreeSet;

use super::{Kind, ResourceContext};
use crate::rules::Findings;
use crate::{ParentRef, Presence, Reference, Value, parent_refs};
use gwconform_base::text::diagnostic::Severity;
use gwconform_base::text::message::Message;

resource_rule! {
    "parent_not_found.md", &[WITH_PARENTS], check, Text<'a>;
    Accepted { owner: &'a Message, parent: Message } => "{owner} is accepted, but {parent} does not exist",
    Named { object: Message, parent: Message } => "{object} refers to {parent}, which does not exist",
    Remove => "remove the entry when its parent or ancestor is deleted",
    Name => "name an existing parent, or add all parents to the dump",
}

const WITH_PARENTS: &[Kind] = &[
    Kind::HttpRoute,
    Kind::GrpcRoute,
    Kind::TlsRoute,
    Kind::TcpRoute,
    Kind::UdpRoute,
    Kind::ListenerSet,
    Kind::Policy,
    Kind::AnyPolicy,
    Kind::InferencePool,
];

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    if !cx.cluster.has_status() {
        return;
    }
    for (at, object) in cx.living(WITH_PARENTS) {
        let mut reported = BTreeSet::new();
        for status in cx.cluster.statuses_of(at) {
            let accepted = status.find("Accepted");
            let accepted = accepted.filter(|found| found.value == Some(Value::True));
            let node = status
                .entry
                .and_then(|entry| entry.get("parentRef").or_else(|| entry.get("ancestorRef")));
            let Some((accepted, node)) = accepted.zip(node) else {
                continue;
            };
            let parent = ParentRef::read(node, object);
            let to = parent.to_reference();
            if is_missing(cx, &to) && reported.insert(parent.object()) {
                let (owner, parent) = (&status.title(), to.title());
                out.at(accepted.status_place(), Text::Accepted { owner, parent })
                    .help(Text::Remove);
            }
        }
        for parent in &parent_refs(object) {
            let to = parent.to_reference();
            if is_missing(cx, &to) && reported.insert(parent.object()) {
                let (object, parent) = (object.title(), to.title());
                let finding = out.at(to.node.head(), Text::Named { object, parent });
                finding.severity = finding.severity.min(Severity::Warning);
                finding.help(Text::Name);
            }
        }
    }
}

fn is_missing(cx: &ResourceContext<'_>, to: &Reference<'_>) -> bool {
    let kind = Kind::of(to.group, to.kind);
    matches!(
        kind,
        Some(Kind::Gateway | Kind::ListenerSet | Kind::Service)
    ) && cx.cluster.presence(to) == Presence::Missing
}
