//! `resource/reference-not-permitted`: GEP-1364, "Accepted"; the implementer's guide, "ReferenceGrant"

use std::collections::BTreeMap;

use super::{Kind, ResourceContext};
use crate::diagnostic::in_code;
use crate::resource::{
    Condition, Object, Presence, Reference, Status, Value, backends, certificates, listeners,
};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/reference-not-permitted",
    include_str!("reference_not_permitted.md"),
    Check::Resource(&[WITH_REFERENCES, &[Kind::ReferenceGrant]], check),
);

/// What refers to objects of other namespaces.
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
            let judged = Judged::of(cx, object, &backends.all, out);
            for status in statuses {
                judged.compare(object, status, backends.has_extension, out);
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
            // A name stands once among the statuses.
            let Some(listener) = by_name.remove(name) else {
                continue;
            };
            let references = certificates(object, listener);
            Judged::of(cx, object, &references, out).compare(object, status, false, out);
        }
    }
}

/// The references of an object, judged.
struct Judged<'a> {
    refused: Option<Reference<'a>>,
    /// True when all of them are permitted.
    are_permitted: bool,
    /// True when nothing else is wrong with any of them.
    are_found: bool,
}

impl<'a> Judged<'a> {
    fn of(
        cx: &ResourceContext<'a>,
        object: &Object<'a>,
        all: &[Reference<'a>],
        out: &mut Findings,
    ) -> Self {
        let mut judged = Self {
            refused: None,
            are_permitted: true,
            are_found: true,
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
                        "{}: references into the namespace `{}`: nothing of it is there",
                        RULE.id,
                        in_code(&reference.namespace)
                    ));
                }
            }
        }
        judged
    }

    fn compare(
        &self,
        object: &Object<'_>,
        status: &Status<'_>,
        has_extension: bool,
        out: &mut Findings,
    ) {
        let resolved = status.find("ResolvedRefs");
        // Unknown has not been decided yet.
        let Some(resolved) = resolved.filter(|found| found.value != Some(Value::Unknown)) else {
            return;
        };
        let says_so =
            resolved.value == Some(Value::False) && resolved.reason() == "RefNotPermitted";
        let Some(refused) = &self.refused else {
            if says_so && self.are_permitted && !has_extension {
                let message = format!(
                    "{} says RefNotPermitted, and all its references are permitted",
                    status.title
                );
                out.at(resolved.reason_place(), message)
                    .help("a ReferenceGrant permits them, or they stay in their namespace: set ResolvedRefs to True");
            }
            return;
        };
        let accepted = status
            .find("Accepted")
            .filter(|found| is_refused_for_it(object, found));
        if let Some(accepted) = accepted {
            let message = format!(
                "{} is not accepted because {} is not permitted; expected Accepted True and ResolvedRefs False",
                status.title,
                refused.title()
            );
            out.at(accepted.status_place(), message)
                .label(refused.node.head(), "this reference");
        }
        // Of several things that are wrong any may be named.
        let is_other_reason =
            resolved.value == Some(Value::False) && (!self.are_found || has_extension);
        if says_so || is_other_reason {
            return;
        }
        let is = match resolved.value {
            Some(Value::False) => {
                format!("False with the reason `{}`", in_code(&resolved.reason()))
            }
            _ => resolved.status.map_or("", |text| text.value).to_owned(),
        };
        let message = format!(
            "`ResolvedRefs` of {} is {is}, although no ReferenceGrant permits {}s of the namespace `{}` to refer to {}; expected False with the reason RefNotPermitted",
            status.title,
            object.kind_name,
            in_code(&object.namespace),
            refused.title()
        );
        out.at(resolved.status_place(), message)
            .label(refused.node.head(), "this reference");
    }
}

fn is_refused_for_it(object: &Object<'_>, accepted: &Condition<'_>) -> bool {
    matches!(object.kind, Some(Kind::HttpRoute | Kind::GrpcRoute))
        && accepted.value == Some(Value::False)
        && accepted.reason() == "RefNotPermitted"
}
