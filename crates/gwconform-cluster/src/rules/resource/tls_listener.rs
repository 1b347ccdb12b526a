use std::collections::BTreeMap;

use super::{ResourceContext, WITH_LISTENERS};
use crate::rules::Findings;
use crate::{Node, Object, Value, listeners, parent_refs};
use gwconform_base::text::message::Message;

resource_rule! {
    "tls_listener.md", &[WITH_LISTENERS], check, Text<'a>;
    Programmed { owner: &'a Message } => "{owner} is programmed without a certificate; expected `Programmed` False with reason `InvalidTLSConfig`",
    Listener => "neither `certificateRefs` nor `options` here",
    Set => "set `Programmed` to False until the listener has a certificate",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    let mut annotated = BTreeMap::new();
    let mut is_annotated = |at: usize| {
        let object = &cx.cluster.objects[at];
        *annotated.entry(at).or_insert_with(|| has_extension(object))
    };
    for (at, object) in cx.living(WITH_LISTENERS) {
        let parent = parent_refs(object)
            .into_iter()
            .next()
            .and_then(|reference| cx.cluster.gateway_of(&reference));
        if is_annotated(at) || parent.is_some_and(&mut is_annotated) {
            continue;
        }
        let statuses = cx
            .cluster
            .statuses_of(at)
            .iter()
            .filter(|status| !status.is_outdated(object));
        let by_name: BTreeMap<&str, _> = statuses
            .filter_map(|status| Some((status.entry?.str_at("name"), status)))
            .collect();
        for listener in listeners(object) {
            let has_tls =
                listener.certificate_refs().next().is_some() || listener.options().next().is_some();
            if has_tls || !listener.terminates_tls() {
                continue;
            }
            let Some(status) = by_name.get(listener.name) else {
                continue;
            };
            let programmed = status
                .find("Programmed")
                .filter(|found| found.value == Some(Value::True));
            if let Some(programmed) = programmed {
                let owner = &status.title();
                out.at(programmed.status_place(), Text::Programmed { owner })
                    .label(listener.node.head(), Text::Listener)
                    .help(Text::Set);
            }
        }
    }
}

/// True if annotations may configure an extension that provides the certificate.
fn has_extension(object: &Object<'_>) -> bool {
    object
        .at(&["metadata", "annotations"])
        .into_iter()
        .flat_map(Node::entries)
        .map(|(name, _)| name.value)
        .any(|name| !name.starts_with("kubectl.kubernetes.io/"))
}
