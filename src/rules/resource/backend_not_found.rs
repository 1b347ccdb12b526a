//! `resource/backend-not-found`: GEP-1364, "Accepted"

use super::{Kind, ResourceContext};
use crate::diagnostic::in_code;
use crate::resource::{
    Condition, Object, Presence, Reference, Status, Subject, Value, backends, named_value, types,
};
use crate::rules::{Check, Findings, Rule};

/// The rule.
pub static RULE: Rule = Rule::error(
    "resource/backend-not-found",
    include_str!("backend_not_found.md"),
    Check::Resource(&[Kind::ROUTES, &[Kind::Service]], check),
);

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, route) in cx.living(Kind::ROUTES) {
        let backends = backends(route);
        let mut missing = Vec::new();
        let mut is_sure = !backends.has_extension;
        for (nth, reference) in backends.all.iter().enumerate() {
            match cx.cluster.presence(reference) {
                Presence::There => {}
                Presence::Missing => missing.push((nth, reference)),
                Presence::NotDumped => {
                    is_sure = false;
                    out.leave_out(format!(
                        "{}: backends of the kind {} in the namespace `{}`: none of them is there",
                        RULE.id,
                        reference.kind,
                        in_code(&reference.namespace)
                    ));
                }
            }
        }
        let of_rules = missing.iter().filter(|(nth, _)| *nth < backends.of_rules);
        let are_all = backends.of_rules > 0 && of_rules.count() == backends.of_rules;
        let is_other =
            |one: &Reference<'_>| one.namespace != route.namespace || one.kind != "Service";
        let has_others = backends.has_extension || backends.all.iter().any(is_other);
        let statuses = cx.cluster.statuses_of(at).iter();
        for status in statuses.filter(|status| !status.is_outdated(route)) {
            let resolved = status.find("ResolvedRefs");
            // Unknown has not been decided yet.
            let Some(resolved) = resolved.filter(|found| found.value != Some(Value::Unknown))
            else {
                continue;
            };
            match missing.first() {
                Some((_, first)) => {
                    of_missing(route, status, resolved, first, has_others, out);
                    if route.kind == Some(Kind::TcpRoute) && are_all {
                        of_tcp(status, first, out);
                    }
                }
                None if is_sure && is_false_for(resolved, "BackendNotFound") => {
                    let message = format!(
                        "{} says BackendNotFound, and all its backends are there",
                        status.title
                    );
                    out.at(resolved.reason_place(), message)
                        .help("set ResolvedRefs to True when the last reference resolves");
                }
                None => {}
            }
        }
    }
}

fn is_false_for(condition: &Condition<'_>, reason: &str) -> bool {
    condition.value == Some(Value::False) && condition.reason() == reason
}

/// A backend is missing. With `has_others`, another reference may be the one that is named.
fn of_missing(
    route: &Object<'_>,
    status: &Status<'_>,
    resolved: &Condition<'_>,
    missing: &Reference<'_>,
    has_others: bool,
    out: &mut Findings,
) {
    let title = missing.title();
    let is_http = matches!(route.kind, Some(Kind::HttpRoute | Kind::GrpcRoute));
    let refused = status
        .find("Accepted")
        .filter(|found| found.value == Some(Value::False));
    // False for what the references alone are about.
    let of_refs = |found: &&Condition<'_>| {
        let known = types(Subject::Route).get("ResolvedRefs");
        known.is_some_and(|known| named_value(known, found.reason()).contains(&Value::False))
    };
    if is_http && let Some(accepted) = refused {
        if of_refs(&accepted) {
            let message = format!(
                "{} is not accepted because {title} is not there; expected Accepted True and ResolvedRefs False",
                status.title
            );
            out.at(accepted.status_place(), message)
                .label(missing.node.head(), "this backend")
                .help(
                    "the data plane answers such requests with 500, so the Route does take effect",
                );
        }
        return;
    }
    let is_named = has_others || resolved.reason() == "BackendNotFound";
    if resolved.value == Some(Value::False) && is_named {
        return;
    }
    let (place, is) = match resolved.value {
        Some(Value::False) => (
            resolved.reason_place(),
            format!("False with the reason `{}`", in_code(&resolved.reason())),
        ),
        _ => (
            resolved.status_place(),
            resolved.status.map_or("", |text| text.value).to_owned(),
        ),
    };
    let message = format!(
        "`ResolvedRefs` of {} is {is}, although {title} is not there; expected False with the reason BackendNotFound",
        status.title
    );
    out.at(place, message)
        .label(missing.node.head(), "this backend");
}

/// TCP has no way to say that something is wrong with a destination.
fn of_tcp(status: &Status<'_>, missing: &Reference<'_>, out: &mut Findings) {
    let Some(accepted) = status
        .find("Accepted")
        .filter(|found| found.value == Some(Value::True))
    else {
        return;
    };
    let message = format!(
        "{} is accepted, although none of its backends is there",
        status.title
    );
    out.at(accepted.status_place(), message)
        .label(missing.node.head(), "this backend")
        .help("without a backend a TCPRoute programs nothing: expected Accepted False");
}
