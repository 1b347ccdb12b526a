use std::collections::BTreeMap;

use super::{Kind, ResourceContext, status_of};
use crate::rules::Findings;
use crate::{Condition, Object, Presence, Reference, Status, Value, backends, listeners};
use gwconform_base::text::diagnostic::in_code;
use gwconform_base::text::message::Message;

resource_rule! {
    "reference_not_permitted.md", &[WITH_REFERENCES, &[Kind::ReferenceGrant]], check, Text<'a>;
    Resolved { owner: &'a Message, status: Message, kind: Message, namespace: &'a str, target: Message } => "`ResolvedRefs` of {owner} is {status}, but no ReferenceGrant permits {kind} objects of namespace {namespace} to refer to {target}; expected False with reason `RefNotPermitted`",
    OtherReason { owner: &'a Message, reason: &'a str, kind: Message, namespace: &'a str, target: Message } => "`ResolvedRefs` of {owner} is False with reason {reason}, but no ReferenceGrant permits {kind} objects of namespace {namespace} to refer to {target}; expected reason `RefNotPermitted`",
    AllPermitted { owner: &'a Message } => "`ResolvedRefs` of {owner} has reason `RefNotPermitted`, but all its references are permitted",
    Refused { owner: &'a Message, target: Message } => "{owner} is not accepted because its reference to {target} is not permitted; expected `Accepted` True and `ResolvedRefs` False",
    Reference => "this reference",
    Resolve => "set `ResolvedRefs` to True: a ReferenceGrant permits each reference into another namespace",
}

const WITH_REFERENCES: &[Kind] = &[
    Kind::HttpRoute,
    Kind::GrpcRoute,
    Kind::TlsRoute,
    Kind::TcpRoute,
    Kind::UdpRoute,
    Kind::Gateway,
    Kind::ListenerSet,
];

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, object) in cx.living(WITH_REFERENCES) {
        let statuses = cx.cluster.statuses_of(at).iter();
        let statuses =
            statuses.filter(|status| status.entry.is_some() && !status.is_outdated(object));
        if object.is_route() {
            let backends = backends(object);
            let mut judged = ReferenceVerdicts::new(cx, object, &backends.all, out);
            judged.has_extension = backends.has_extension;
            for status in statuses {
                judged.compare(object, status, out);
            }
            continue;
        }
        let listeners = listeners(object);
        let mut by_name: BTreeMap<&str, _> = listeners
            .iter()
            .map(|listener| (listener.name, listener))
            .collect();
        for status in statuses {
            let name = status.entry.map_or("", |entry| entry.str_at("name"));
            // Status names are unique.
            let Some(listener) = by_name.remove(name) else {
                continue;
            };
            let references = listener.certificates(object);
            ReferenceVerdicts::new(cx, object, &references, out).compare(object, status, out);
        }
    }
}

struct ReferenceVerdicts<'a> {
    refused: Option<Reference<'a>>,
    are_permitted: bool,
    are_found: bool,
    /// True if an implementation-specific filter may be the problem.
    has_extension: bool,
}

impl<'a> ReferenceVerdicts<'a> {
    fn new(
        cx: &ResourceContext<'a>,
        object: &Object<'a>,
        all: &[Reference<'a>],
        out: &mut Findings,
    ) -> Self {
        let mut judged = Self {
            refused: None,
            are_permitted: true,
            are_found: true,
            has_extension: false,
        };
        for reference in all {
            judged.are_found &= cx.cluster.presence(reference) == Presence::There;
            if reference.namespace == object.namespace {
                continue;
            }
            match cx.cluster.permits(object, reference) {
                Some(true) => {}
                Some(false) => {
                    judged.refused.get_or_insert(*reference);
                    judged.are_permitted = false;
                }
                None => {
                    judged.are_permitted = false;
                    out.leave_out(format!(
                        "{}: references into namespace `{}`: the input has nothing of it",
                        RULE.about().id,
                        in_code(&reference.namespace)
                    ));
                }
            }
        }
        judged
    }

    fn compare(&self, object: &Object<'_>, status: &Status<'_>, out: &mut Findings) {
        let resolved = status.find("ResolvedRefs");
        let Some(resolved) = resolved.filter(|found| found.value != Some(Value::Unknown)) else {
            return;
        };
        let (owner, reason) = (&status.title(), resolved.reason());
        let is_false = resolved.value == Some(Value::False);
        let is_named = is_false && reason == "RefNotPermitted";
        let Some(refused) = &self.refused else {
            if is_named && self.are_permitted && !self.has_extension {
                out.at(resolved.reason_place(), Text::AllPermitted { owner })
                    .help(Text::Resolve);
            }
            return;
        };
        let accepted = status.find("Accepted");
        if let Some(accepted) = accepted.filter(|found| is_refused_for_it(object, found)) {
            let target = refused.title();
            out.at(accepted.status_place(), Text::Refused { owner, target })
                .label(refused.node.head(), Text::Reference);
        }
        // The condition reports only one of several problems.
        if is_named || (is_false && (!self.are_found || self.has_extension)) {
            return;
        }
        let (kind, target) = (object.kind_title(), refused.title());
        let namespace = object.namespace;
        let text = if is_false {
            Text::OtherReason {
                owner,
                reason,
                kind,
                namespace,
                target,
            }
        } else {
            Text::Resolved {
                owner,
                status: status_of(resolved),
                kind,
                namespace,
                target,
            }
        };
        out.at(resolved.status_place(), text)
            .label(refused.node.head(), Text::Reference);
    }
}

fn is_refused_for_it(object: &Object<'_>, accepted: &Condition<'_>) -> bool {
    matches!(object.kind, Some(Kind::HttpRoute | Kind::GrpcRoute))
        && accepted.value == Some(Value::False)
        && accepted.reason() == "RefNotPermitted"
}
