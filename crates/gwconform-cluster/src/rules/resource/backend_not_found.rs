use super::{Kind, ResourceContext, status_of};
use crate::rules::Findings;
use crate::{
    Backends, Condition, Object, Presence, Reference, Status, StatusKind, Value, backends,
    endpoint_picker, is_backend, named_value, types,
};
use gwconform_base::text::diagnostic::{Severity, in_code};
use gwconform_base::text::message::Message;

resource_rule! {
    "backend_not_found.md", &[Kind::ROUTES], check, Text<'a>;
    Resolved { owner: &'a Message, status: Message, backend: Message } => "`ResolvedRefs` of {owner} is {status}, but {backend} does not exist; expected False with reason `BackendNotFound`",
    OtherReason { owner: &'a Message, reason: &'a str, backend: Message } => "`ResolvedRefs` of {owner} is False with reason {reason}, but {backend} does not exist; expected reason `BackendNotFound`",
    AllExist { owner: &'a Message } => "`ResolvedRefs` of {owner} has reason `BackendNotFound`, but all its backends exist",
    AllServices { owner: &'a Message } => "`ResolvedRefs` of {owner} has reason `InvalidKind`, but all its backends are Services",
    Support => "Service is a core kind of backend; use another reason",
    Refused { owner: &'a Message, backend: Message } => "{owner} is not accepted because {backend} does not exist; expected `Accepted` True and `ResolvedRefs` False",
    AcceptedWithout { owner: &'a Message } => "{owner} is accepted, but none of its backends exists; expected `Accepted` False",
    Backend => "this backend",
    Resolve => "set `ResolvedRefs` to True as soon as all references resolve",
    Accept => "accept the Route: the data plane answers requests for a missing backend with 500",
    RefuseTcp => "set `Accepted` to False: a TCPRoute without a backend programs nothing",
    RefuseUdp => "set `Accepted` to False: a UDPRoute without a backend programs nothing",
}

fn check(cx: &ResourceContext<'_>, out: &mut Findings) {
    for (at, route) in cx.living(Kind::ROUTES) {
        let backends = backends(route);
        let mut missing = Vec::new();
        let mut is_sure = !backends.has_extension;
        for (nth, reference) in backends.all.iter().enumerate() {
            match cx.cluster.presence(reference) {
                _ if !is_backend(reference) => is_sure = false,
                // Some implementations treat a pool without its endpoint picker as missing.
                Presence::There => is_sure &= has_picker(cx, reference),
                Presence::Missing => missing.push((nth, reference)),
                Presence::NotDumped => {
                    is_sure = false;
                    out.leave_out(format!(
                        "{}: backends of kind {} in namespace `{}`: the input has none",
                        RULE.about().id,
                        reference.kind,
                        in_code(&reference.namespace)
                    ));
                }
            }
        }
        let of_rules = missing.iter().filter(|(nth, _)| *nth < backends.of_rules);
        let are_all = backends.of_rules > 0 && of_rules.count() == backends.of_rules;
        let are_permitted = backends.all.iter().all(|one| {
            one.namespace == route.namespace || cx.cluster.permits(route, one) != Some(false)
        });
        let statuses = cx.cluster.statuses_of(at).iter();
        for status in statuses.filter(|status| !status.is_outdated(route)) {
            let resolved = status.find("ResolvedRefs");
            let Some(resolved) = resolved.filter(|found| found.value != Some(Value::Unknown))
            else {
                continue;
            };
            match missing.first() {
                Some((_, first)) => {
                    of_missing(route, status, resolved, (first, &backends), out);
                    if are_all {
                        of_connections(route, status, first, out);
                    }
                }
                // Reported by resource/reference-not-permitted.
                None if are_permitted && is_sure && is_false_for(resolved, "BackendNotFound") => {
                    let owner = &status.title();
                    out.at(resolved.reason_place(), Text::AllExist { owner })
                        .help(Text::Resolve);
                }
                None => {}
            }
            let all = &backends.all;
            let is_service = |one: &Reference<'_>| (one.group, one.kind) == ("", "Service");
            if is_false_for(resolved, "InvalidKind")
                && missing.is_empty()
                && !backends.has_extension
                && !all.is_empty()
                && all.iter().all(is_service)
            {
                let owner = &status.title();
                out.at(resolved.reason_place(), Text::AllServices { owner })
                    .help(Text::Support);
            }
        }
    }
}

fn has_picker(cx: &ResourceContext<'_>, backend: &Reference<'_>) -> bool {
    let found = cx
        .cluster
        .find(backend.group, backend.kind, backend.namespace, backend.name);
    let pool = found.map(|at| &cx.cluster.objects[at]);
    let pool = pool.filter(|pool| pool.kind == Some(Kind::InferencePool));
    pool.is_none_or(|pool| {
        let picker = endpoint_picker(pool);
        picker.is_some_and(|picker| cx.cluster.presence(&picker) == Presence::There)
    })
}

fn is_false_for(condition: &Condition<'_>, reason: &str) -> bool {
    condition.value == Some(Value::False) && condition.reason() == reason
}

fn of_missing(
    route: &Object<'_>,
    status: &Status<'_>,
    resolved: &Condition<'_>,
    (missing, all): (&Reference<'_>, &Backends<'_>),
    out: &mut Findings,
) {
    let owner = &status.title();
    let backend = missing.title();
    let is_http = matches!(route.kind, Some(Kind::HttpRoute | Kind::GrpcRoute));
    let refused = status
        .find("Accepted")
        .filter(|found| found.value == Some(Value::False));
    if is_http && let Some(accepted) = refused {
        if is_for_references(accepted) {
            out.at(accepted.status_place(), Text::Refused { owner, backend })
                .label(missing.node.head(), Text::Backend)
                .help(Text::Accept);
        }
        return;
    }
    let reason = resolved.reason();
    let is_other = |one: &Reference<'_>| one.namespace != route.namespace || one.kind != "Service";
    let has_others = || all.has_extension || all.all.iter().any(is_other);
    let (anchor, text) = match resolved.value {
        Some(Value::False) if has_others() || reason == "BackendNotFound" => return,
        Some(Value::False) => (
            resolved.reason_place(),
            Text::OtherReason {
                owner,
                reason,
                backend,
            },
        ),
        _ => (
            resolved.status_place(),
            Text::Resolved {
                owner,
                status: status_of(resolved),
                backend,
            },
        ),
    };
    out.at(anchor, text)
        .label(missing.node.head(), Text::Backend);
}

fn is_for_references(accepted: &Condition<'_>) -> bool {
    let known = types(StatusKind::Route).get("ResolvedRefs");
    known.is_some_and(|known| named_value(known, accepted.reason()).contains(&Value::False))
}

/// TCP and UDP cannot report a missing backend to clients. The suite's
/// TLSRouteInvalidBackendRefNonexistent expects TLSRoutes to be accepted.
fn of_connections(
    route: &Object<'_>,
    status: &Status<'_>,
    missing: &Reference<'_>,
    out: &mut Findings,
) {
    let help = match route.kind {
        Some(Kind::TcpRoute) => Text::RefuseTcp,
        Some(Kind::UdpRoute) => Text::RefuseUdp,
        _ => return,
    };
    let Some(accepted) = status
        .find("Accepted")
        .filter(|found| found.value == Some(Value::True))
    else {
        return;
    };
    let owner = &status.title();
    let finding = out.at(accepted.status_place(), Text::AcceptedWithout { owner });
    finding.label(missing.node.head(), Text::Backend).help(help);
    // GEP-1364 uses TCP as its example.
    if route.kind == Some(Kind::UdpRoute) {
        finding.severity = finding.severity.min(Severity::Warning);
    }
}
