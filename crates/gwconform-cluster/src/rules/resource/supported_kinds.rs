use std::collections::BTreeSet;

use super::{Kind, ResourceContext, WITH_LISTENERS, listeners_with_status};
use crate::rules::Findings;
use crate::{Listener, RouteKind, Value, kinds_of_protocol};
use gwconform_base::text::message::Message;

resource_rule! {
    "supported_kinds.md", &[WITH_LISTENERS], check, Text<'a>;
    NotOfProtocol { owner: &'a Message, kind: &'a str, protocol: &'a str } => "{owner} supports {kind}, but its protocol is {protocol}",
    NotSupported { owner: &'a Message, kind: &'a str } => "{owner} allows {kind}, which is not in its `supportedKinds`, and `ResolvedRefs` is True; expected False with reason `InvalidRouteKinds`",
    Beyond { owner: &'a Message, kind: &'a str } => "`supportedKinds` of {owner} contains {kind}, which `allowedRoutes.kinds` does not allow",
    AllSupported { owner: &'a Message } => "`ResolvedRefs` of {owner} has reason `InvalidRouteKinds`, but `supportedKinds` contains all kinds that it allows",
    AllowedKinds => "only these kinds are allowed",
    Only => "list only the kinds that the listener allows",
    Protocol => "the protocol",
    Allowed => "allowed here",
    List => "list only the kinds that the protocol allows",
    Resolve => "set `ResolvedRefs` to False with reason `InvalidRouteKinds` while the listener allows a kind that is not supported",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, object) in cx.living(WITH_LISTENERS) {
        for (listener, status) in listeners_with_status(cx, at, object) {
            let (owner, entry) = (&status.title(), status.entry);
            let supported = entry
                .into_iter()
                .flat_map(|entry| entry.items_at("supportedKinds"));
            let supported: Vec<RouteKind<'_>> = supported.map(RouteKind::read).collect();
            let known = kinds_of_protocol(listener.protocol);
            for kind in supported.iter().filter(|kind| is_known_route(kind)) {
                if known.is_some_and(|known| !known.contains(&kind.kind)) {
                    let (kind_name, protocol) = (kind.kind, listener.protocol);
                    let text = Text::NotOfProtocol {
                        owner,
                        kind: kind_name,
                        protocol,
                    };
                    let finding = out.at(kind.node.head(), text);
                    if let Some(protocol) = listener.node.get("protocol") {
                        finding.label(protocol.place(), Text::Protocol);
                    }
                    finding.help(Text::List);
                }
            }
            beyond(&listener, owner, &supported, out);
            let resolved = status.find("ResolvedRefs");
            let Some(resolved) = resolved.filter(|found| {
                found.value == Some(Value::True)
                    || (found.value == Some(Value::False) && found.reason() == "InvalidRouteKinds")
            }) else {
                continue;
            };
            // A missing field makes no claim.
            if entry.is_none_or(|entry| entry.written("supportedKinds").is_none()) {
                continue;
            }
            let supported: BTreeSet<_> = supported.iter().map(key).collect();
            let mut allowed = listener.allowed_kinds();
            let kind = allowed.find(|kind| !supported.contains(&key(kind)));
            if resolved.value == Some(Value::False) {
                if kind.is_none() {
                    out.at(resolved.reason_place(), Text::AllSupported { owner });
                }
                continue;
            }
            if let Some(kind) = kind {
                let text = Text::NotSupported {
                    owner,
                    kind: kind.kind,
                };
                out.at(resolved.status_place(), text)
                    .label(kind.node.head(), Text::Allowed)
                    .help(Text::Resolve);
            }
        }
    }
}

fn key<'a>(kind: &RouteKind<'a>) -> (&'a str, &'a str) {
    (kind.group, kind.kind)
}

fn beyond(
    listener: &Listener<'_>,
    owner: &Message,
    supported: &[RouteKind<'_>],
    out: &mut Findings,
) {
    let allowed: Vec<RouteKind<'_>> = listener.allowed_kinds().collect();
    let allowed: BTreeSet<_> = allowed.iter().map(key).collect();
    let kinds = listener.node.at(&["allowedRoutes", "kinds"]);
    let Some(kinds) = kinds.filter(|_| !allowed.is_empty()) else {
        return;
    };
    let known = kinds_of_protocol(listener.protocol);
    for kind in supported {
        if is_known_route(kind) && known.is_some_and(|known| !known.contains(&kind.kind)) {
            continue;
        }
        if !allowed.contains(&key(kind)) {
            let text = Text::Beyond {
                owner,
                kind: kind.kind,
            };
            out.at(kind.node.head(), text)
                .label(kinds.head(), Text::AllowedKinds)
                .help(Text::Only);
        }
    }
}

fn is_known_route(kind: &RouteKind<'_>) -> bool {
    Kind::of(kind.group, kind.kind).is_some_and(|kind| Kind::ROUTES.contains(&kind))
}
