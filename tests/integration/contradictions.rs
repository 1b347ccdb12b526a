//! Tests contradictions in a cluster dump, and cases that only look like contradictions.

use crate::resources::findings;

fn condition(name: &str, status: &str, seen: u32) -> String {
    format!("{{type: {name}, status: '{status}', reason: {name}, observedGeneration: {seen}}}")
}

fn good(generation: u32) -> String {
    let names = ["Accepted", "Programmed", "ResolvedRefs"];
    names
        .map(|name| condition(name, "True", generation))
        .join(", ")
}

fn class() -> String {
    format!(
        "---
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {{name: acme, generation: 1}}
spec: {{controllerName: acme.example/gateway}}
status: {{conditions: [{}]}}
",
        condition("Accepted", "True", 1)
    )
}

fn gateway(fields: &str) -> String {
    format!(
        "---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {{name: edge, namespace: infra, generation: 2}}
spec: {{gatewayClassName: acme, listeners: [{{name: web, port: 80, protocol: HTTP{fields}}}]}}
status:
  conditions: [{}, {}]
  listeners: [{{name: web, attachedRoutes: ATTACHED, supportedKinds: [{{kind: HTTPRoute}}], conditions: [{}]}}]
",
        condition("Accepted", "True", 2),
        condition("Programmed", "True", 2),
        good(2)
    )
    .replace("ATTACHED", "1")
}

fn route(namespace: &str, parent: &str, spec: &str, observed: u32) -> String {
    let parent = format!("{{name: edge, namespace: infra{parent}}}");
    format!(
        "---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {{name: web, namespace: {namespace}, generation: 2}}
spec: {{parentRefs: [{parent}]{spec}}}
status: {{parents: [{{controllerName: acme.example/gateway, parentRef: {parent}, conditions: [{}, {}]}}]}}
",
        condition("Accepted", "True", observed),
        condition("ResolvedRefs", "True", observed)
    )
}

fn of(rule: &str, text: &str) -> Vec<String> {
    findings(text, &format!("--select resource/{rule}"))
}

fn count(rule: &str, text: &str) -> usize {
    of(rule, text).len()
}

#[test]
fn a_route_is_accepted_only_where_a_listener_takes_it() {
    let found = |fields: &str, namespace: &str, parent: &str, spec: &str| {
        let text = gateway(fields) + &route(namespace, parent, spec, 2);
        let found = of("route-attachment", &text);
        let reason = |text: &String| text.rsplit('`').nth(1).unwrap().to_owned();
        found.iter().map(reason).collect::<Vec<_>>().concat()
    };
    let all = ", allowedRoutes: {namespaces: {from: All}}";
    let same = ", allowedRoutes: {namespaces: {from: Same}}";
    let selected = ", allowedRoutes: {namespaces: {from: Selector, selector: {}}}";
    let grpc = ", allowedRoutes: {kinds: [{kind: GRPCRoute}]}";
    let host = ", hostname: '*.shop.example'";
    // Without fields, the API server fills in the default, so its absence means incomplete input.
    // The labels of namespaces are not evaluated. One matching hostname is sufficient.
    for (fields, namespace, parent, spec, expected) in [
        ("", "infra", "", "", ""),
        ("", "infra", ", sectionName: web, port: 80", "", ""),
        ("", "infra", ", sectionName: wbe", "", "NoMatchingParent"),
        ("", "infra", ", port: 81", "", "NoMatchingParent"),
        (same, "shop", "", "", "NotAllowedByListeners"),
        ("", "shop", "", "", ""),
        (all, "shop", "", "", ""),
        (selected, "shop", "", "", ""),
        (grpc, "infra", "", "", "NotAllowedByListeners"),
        (host, "infra", "", "", ""),
        (host, "infra", "", "a.b.shop.example", ""),
        (host, "infra", "", "'*.example'", ""),
        (host, "infra", "", "a.example", "NoMatchingListenerHostname"),
        (host, "infra", "", "a.example, a.shop.example", ""),
    ] {
        let names = if spec.is_empty() {
            String::new()
        } else {
            format!(", hostnames: [{spec}]")
        };
        let found = found(fields, namespace, parent, &names);
        assert_eq!(found, expected, "{fields} {namespace} {parent} {spec}");
    }
    // Listeners with an implementation-specific protocol are not checked.
    let own = gateway("").replace("protocol: HTTP", "protocol: acme.example/own");
    // Outdated status on either side is ignored.
    let wrong = ", sectionName: wbe";
    let changed = gateway("").replace("generation: 2}\nspec", "generation: 3}\nspec");
    for text in [
        own + &route("infra", "", "", 2),
        gateway("") + &route("infra", wrong, "", 1),
        changed + &route("infra", wrong, "", 2),
        route("infra", wrong, "", 2),
    ] {
        assert_eq!(count("route-attachment", &text), 0, "{text}");
    }
}

#[test]
fn attached_routes_are_judged_where_all_routes_are_in_the_input() {
    let found = |fields: &str, attached: &str, routes: &str| {
        let text =
            gateway(fields).replace("attachedRoutes: 1", &format!("attachedRoutes: {attached}"));
        count("attached-routes", &(text + routes))
    };
    let same = ", allowedRoutes: {namespaces: {from: Same}}";
    let one = route("infra", "", "", 2);
    let all = ", allowedRoutes: {namespaces: {from: All}}";
    let two = one.clone() + &route("shop", "", "", 2);
    let refused = one.replace("Accepted, status: 'True'", "Accepted, status: 'False'");
    // The Gateway may have counted a Route whose refusal is outdated.
    let changed = refused.replace("generation: 2}\nspec", "generation: 3}\nspec");
    // A Route can use a default Gateway without naming it.
    let default = route("infra", "", ", useDefaultGateways: All", 2);
    let default = default.replacen("{name: edge, namespace: infra}", "{name: other}", 1);
    let no_default = default.replace("All", "None");
    let other = route("infra", ", sectionName: other", "", 2);
    for (fields, attached, routes, expected) in [
        (same, "1", &one, 0),
        (same, "0", &one, 0),
        (same, "2", &one, 1),
        // The input may not include Routes of other namespaces.
        (all, "2", &one, 0),
        (all, "3", &two, 1),
        (all, "2", &two, 0),
        (same, "1", &refused, 1),
        (same, "1", &other, 1),
        (same, "1", &changed, 0),
        (same, "1", &default, 0),
        (same, "2", &default, 1),
        (same, "1", &no_default, 1),
    ] {
        let found = found(fields, attached, routes);
        assert_eq!(found, expected, "{fields} {attached}\n{routes}");
    }
    // The input has no Routes of a kind that the listener supports.
    let both = gateway(same).replace("{kind: HTTPRoute}", "{kind: HTTPRoute}, {kind: GRPCRoute}");
    let text = both.replace("attachedRoutes: 1", "attachedRoutes: 9") + &one;
    assert_eq!(count("attached-routes", &text), 0);
}

#[test]
fn parents_that_a_route_has_left_are_reported_once_its_controller_has_seen_it() {
    let with = |name: &str, observed: u32| {
        let entry = format!(
            "{{controllerName: acme.example/gateway, parentRef: {{name: {name}, namespace: infra, sectionName: a}}, conditions: [{}, {}]}}",
            condition("Accepted", "True", observed),
            condition("ResolvedRefs", "True", observed)
        );
        let start = format!("status: {{parents: [{entry}, ");
        route("infra", "", "", 2).replace("status: {parents: [", &start)
    };
    assert_eq!(count("former-parent", &with("former", 2)), 1);
    assert_eq!(count("former-parent", &with("former", 1)), 1);
    assert_eq!(count("former-parent", &with("edge", 2)), 0);
    // Some controllers write the section name that they resolved.
    let text = format!("{}{}{}", class(), gateway(""), route("infra", "", "", 2));
    let edge = "parentRef: {name: edge, namespace: infra";
    let found = text.replace(&format!("{edge}}}"), &format!("{edge}, sectionName: web}}"));
    assert_ne!(found, text);
    assert_eq!(count("route-without-status", &found), 0);
    assert_eq!(count("former-parent", &found), 0);
    // The status has another section or port than the spec, or none.
    for (spec, status, expected) in [
        (", sectionName: web", "", 1),
        (", sectionName: web", ", sectionName: api", 1),
        (", sectionName: web", ", sectionName: web", 0),
        (", port: 80", "", 1),
        (", port: 80", ", port: 80, sectionName: web", 0),
    ] {
        let text = route("infra", spec, "", 2);
        let found = text.replace(&format!("{edge}{spec}}}"), &format!("{edge}{status}}}"));
        assert_eq!(count("former-parent", &found), expected, "{found}");
    }
    let other = text.replace("parentRef: {name: edge,", "parentRef: {name: other,");
    assert_eq!(count("route-without-status", &other), 1);
    let both = text.replace(
        "spec: {parentRefs: [{name: edge, namespace: infra}]",
        "spec: {parentRefs: [{name: edge, namespace: infra}, {name: edge, namespace: infra, sectionName: web}]",
    );
    assert_ne!(both, text);
    assert_eq!(count("route-without-status", &both), 1);
    // The parent can be a default Gateway, which the spec does not name.
    let default = with("former", 2).replace("spec: {", "spec: {useDefaultGateways: All, ");
    assert_eq!(count("former-parent", &default), 0);
    // The controller has not observed this generation.
    let unseen = with("former", 1).replace("observedGeneration: 2", "observedGeneration: 1");
    assert_eq!(count("former-parent", &unseen), 0);
}

#[test]
fn kinds_certificates_and_listeners_are_compared_with_the_status() {
    let allowed = |kinds: &str| gateway(&format!(", allowedRoutes: {{kinds: [{kinds}]}}"));
    assert_eq!(count("supported-kinds", &allowed("{kind: HTTPRoute}")), 0);
    assert_eq!(count("supported-kinds", &allowed("{kind: GRPCRoute}")), 2);
    let refused = allowed("{kind: GRPCRoute}").replace(
        "ResolvedRefs, status: 'True'",
        "ResolvedRefs, status: 'False'",
    );
    // HTTPRoute remains in `supportedKinds`, although the listener does not allow it.
    assert_eq!(count("supported-kinds", &refused), 1);
    // Listeners that differ only in their hostname are distinct.
    let two = |hostname: &str| {
        let second = format!("}}, {{name: api, port: 80, protocol: HTTP{hostname}");
        let text = gateway(&second);
        let entry = "listeners: [{name: web, ";
        let good = good(2);
        let status = format!(
            "listeners: [{{name: api, attachedRoutes: 0, supportedKinds: [], conditions: [{good}]}}, {{name: web, "
        );
        text.replace(
            &format!("  {entry}attached"),
            &format!("  {status}attached"),
        )
    };
    assert_eq!(count("listener-conflict", &two("")), 2);
    assert_eq!(count("listener-conflict", &two(", hostname: a.example")), 0);
    assert_eq!(count("listener-status", &two("")), 0);
    let more = gateway("}, {name: api, port: 81, protocol: HTTP");
    assert_eq!(count("listener-status", &more), 1);
    let other = gateway("").replace("[{name: web, port", "[{name: api, port");
    assert_eq!(count("listener-status", &other), 2);
    // Without any Secret of the namespace, the input may be incomplete.
    let tls = gateway(", tls: {certificateRefs: [{name: web}]}");
    let secret = |name: &str| {
        format!("---\napiVersion: v1\nkind: Secret\nmetadata: {{name: {name}, namespace: infra}}\n")
    };
    assert_eq!(count("certificate-missing", &tls), 0);
    let other = tls.clone() + &secret("other");
    assert_eq!(count("certificate-missing", &other), 1);
    assert_eq!(count("certificate-missing", &(tls + &secret("web"))), 0);
}

#[test]
fn policies_of_any_kind_and_inference_pools_are_judged_by_the_common_rules() {
    let policy = |controller: &str, conditions: &str| {
        format!(
            "apiVersion: acme.example/v1\nkind: RatePolicy\nmetadata: {{name: slow, namespace: shop, generation: 2}}\nspec: {{options: {{own: x}}}}\nstatus: {{ancestors: [{{ancestorRef: {{name: edge}}, controllerName: {controller}, conditions: [{conditions}]}}]}}\n"
        )
    };
    let own = "{type: Overridden, status: 'True', reason: ByAnother, observedGeneration: 2}";
    let accepted = condition("Accepted", "True", 2);
    let nothing: [&str; 0] = [];
    let both = format!("{accepted}, {own}");
    assert_eq!(findings(&policy("a.example/b", &both), ""), nothing);
    assert!(findings(&policy("a.example/b", own), "")[0].contains("condition-missing"));
    assert!(findings(&policy("bare", &accepted), "")[0].contains("controller-name"));
    let old = condition("Accepted", "True", 1);
    assert!(findings(&policy("a.example/b", &old), "")[0].contains("status-outdated"));
    let pool = |conditions: &str| {
        format!(
            "apiVersion: inference.networking.k8s.io/v1\nkind: InferencePool\nmetadata: {{name: llm, namespace: shop, generation: 2}}\nstatus: {{parents: [{{parentRef: {{name: edge}}, controllerName: a.example/b, conditions: [{conditions}]}}]}}\n"
        )
    };
    assert_eq!(findings(&pool(&accepted), ""), nothing);
    assert!(findings(&pool(&old), "")[0].contains("status-outdated"));
    let waiting = "{type: Accepted, status: Unknown, reason: Pending, lastTransitionTime: '1970-01-01T00:00:00Z'}";
    assert_eq!(findings(&pool(waiting), ""), nothing);
}

/// The text with a condition that is False with `reason`, or True.
fn with(text: &str, name: &str, reason: &str) -> String {
    let old = condition(name, "True", 2);
    assert!(text.contains(&old), "{name}\n{text}");
    let new = match reason {
        "" => old.clone(),
        reason => old
            .replace("'True'", "'False'")
            .replace(&format!("reason: {name}"), &format!("reason: {reason}")),
    };
    // The status of the last object is the one that is judged.
    let at = text.rfind(&old).unwrap();
    format!("{}{new}{}", &text[..at], &text[at + old.len()..])
}

fn listener_set() -> String {
    format!(
        "---
apiVersion: gateway.networking.k8s.io/v1
kind: ListenerSet
metadata: {{name: more, namespace: infra, generation: 2}}
spec: {{parentRef: {{name: edge}}, listeners: [{{name: api, port: 81, protocol: HTTP}}]}}
status:
  listeners: [{{name: api, attachedRoutes: 0, supportedKinds: [], conditions: [{}]}}]
  conditions: [{}, {}]
",
        good(2),
        condition("Accepted", "True", 2),
        condition("Programmed", "True", 2)
    )
}

fn tls_policy(targets: &str) -> String {
    format!(
        "---
apiVersion: v1
kind: Service
metadata: {{name: web, namespace: infra}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: BackendTLSPolicy
metadata: {{name: web, namespace: infra, generation: 2}}
spec: {{targetRefs: [{targets}], validation: {{hostname: a.example, wellKnownCACertificates: System}}}}
status: {{ancestors: [{{controllerName: acme.example/gateway, ancestorRef: {{name: edge}}, conditions: [{}, {}]}}]}}
",
        condition("Accepted", "True", 2),
        condition("ResolvedRefs", "True", 2)
    )
}

/// Each row has an object that deserves the reason, one that does not, and the rule that judges
/// both. An object that deserves the reason must have it, and the other one must not.
#[test]
fn each_reason_is_judged_in_both_directions() {
    let same = gateway(", allowedRoutes: {namespaces: {from: Same}}");
    let here = |spec: &str| same.clone() + &route("infra", "", spec, 2);
    let at = |parent: &str| same.clone() + &route("infra", parent, "", 2);
    let host = gateway(", hostname: a.example, allowedRoutes: {namespaces: {from: Same}}");
    let named =
        |name: &str| host.clone() + &route("infra", "", &format!(", hostnames: [{name}]"), 2);
    let filters = |filters: &str| here(&format!(", rules: [{{filters: [{filters}]}}]"));
    let redirect = "{type: RequestRedirect}";
    let allowed = |from: &str| {
        let spec = format!("allowedListeners: {{namespaces: {{from: {from}}}}}, gatewayClassName");
        gateway("").replace("gatewayClassName", &spec) + &listener_set()
    };
    let refused = with(&gateway(""), "Accepted", "Invalid");
    let refused = refused.replacen(
        &condition("Accepted", "True", 2),
        &condition("Accepted", "False", 2),
        1,
    );
    let both = |from: &str| format!("{{group: '', kind: Service, name: {from}}}");
    for (reason, name, rule, deserved, undeserved) in [
        (
            "NotAllowedByListeners",
            "Accepted",
            "route-attachment",
            same.clone() + &route("shop", "", "", 2),
            here(""),
        ),
        (
            "NoMatchingParent",
            "Accepted",
            "route-attachment",
            at(", sectionName: other"),
            at(", sectionName: web"),
        ),
        (
            "NoMatchingParent",
            "Accepted",
            "route-attachment",
            at(", port: 81"),
            at(", port: 80"),
        ),
        (
            "NoMatchingListenerHostname",
            "Accepted",
            "route-attachment",
            named("b.example"),
            named("a.example"),
        ),
        (
            "IncompatibleFilters",
            "Accepted",
            "incompatible-filters",
            filters(&format!("{redirect}, {{type: URLRewrite}}")),
            filters(redirect),
        ),
        (
            "NotAllowed",
            "Accepted",
            "listener-set-attachment",
            gateway("") + &listener_set(),
            allowed("Same"),
        ),
        (
            "ParentNotAccepted",
            "Accepted",
            "listener-set-attachment",
            refused.replace(
                "gatewayClassName",
                "allowedListeners: {namespaces: {from: All}}, gatewayClassName",
            ) + &listener_set(),
            allowed("All"),
        ),
        (
            "InvalidRouteKinds",
            "ResolvedRefs",
            "supported-kinds",
            gateway(", allowedRoutes: {kinds: [{kind: HTTPRoute}, {kind: GRPCRoute}]}"),
            gateway(", allowedRoutes: {kinds: [{kind: HTTPRoute}]}"),
        ),
        (
            "TargetNotFound",
            "Accepted",
            "policy-reference",
            tls_policy(&both("lost")),
            tls_policy(&both("web")),
        ),
    ] {
        let judged = |text: &str, reason: &str| of(rule, &with(text, name, reason));
        assert_eq!(judged(&deserved, reason), [""; 0], "{reason}\n{deserved}");
        assert_eq!(judged(&undeserved, ""), [""; 0], "{reason}\n{undeserved}");
        for found in [judged(&deserved, ""), judged(&undeserved, reason)] {
            assert_eq!(found.len(), 1, "{reason}: {found:?}");
            assert!(found[0].contains(&format!("`{reason}`")), "{found:?}");
        }
    }
}

#[test]
fn a_refusal_is_only_unfounded_if_a_listener_is_known_to_take_the_route() {
    let same = gateway(", allowedRoutes: {namespaces: {from: Same}}");
    let refused = with(
        &route("infra", "", "", 2),
        "Accepted",
        "NotAllowedByListeners",
    );
    let count = |gateway: &str| count("route-attachment", &(gateway.to_owned() + &refused));
    assert_eq!(count(&same), 1);
    for (old, new) in [
        // The listener has a problem of its own, and does not support the kind.
        (
            "ResolvedRefs, status: 'True'",
            "ResolvedRefs, status: 'False'",
        ),
        ("{kind: HTTPRoute}", "{kind: GRPCRoute}"),
        ("supportedKinds", "otherKinds"),
        ("from: Same", "from: Selector, selector: {}"),
        ("protocol: HTTP", "protocol: acme.example/own"),
        ("generation: 2}\nspec", "generation: 3}\nspec"),
        (
            "conditions: [{type: Accepted, status: 'True'",
            "conditions: [{type: Accepted, status: 'False'",
        ),
    ] {
        let other = same.replace(old, new);
        assert_ne!(other, same);
        assert_eq!(count(&other), 0, "{other}");
    }
}

#[test]
fn conflicts_and_invalid_listeners_need_a_listener() {
    let conflicted = gateway("").replace(
        "supportedKinds: [{kind: HTTPRoute}], conditions: [",
        "supportedKinds: [{kind: HTTPRoute}], conditions: [{type: Conflicted, status: 'True', reason: HostnameConflict, observedGeneration: 2}, ",
    );
    assert_eq!(count("listener-conflict", &conflicted), 1);
    // Implementations can merge Gateways.
    let other = gateway("").replace("name: edge", "name: other");
    assert_eq!(
        count("listener-conflict", &(conflicted.clone() + &other)),
        0
    );
    let sets = conflicted.replace("gatewayClassName", "allowedListeners: {}, gatewayClassName");
    assert_eq!(count("listener-conflict", &sets), 0);
    let invalid = gateway("").replacen("reason: Accepted", "reason: ListenersNotValid", 1);
    assert_eq!(count("listeners-not-valid", &invalid), 1);
    let listener = with(&invalid, "ResolvedRefs", "InvalidCertificateRef");
    assert_eq!(count("listeners-not-valid", &listener), 0);
}

#[test]
fn a_reason_concerns_a_field_that_is_set() {
    let address = gateway("").replacen("reason: Accepted", "reason: UnsupportedAddress", 1);
    let address = address.replacen("status: 'True'", "status: 'False'", 1);
    assert_eq!(count("reason-unfounded", &address), 1);
    let set = address.replace(
        "gatewayClassName",
        "addresses: [{value: 192.0.2.1}], gatewayClassName",
    );
    assert_eq!(count("reason-unfounded", &set), 0);
    let policy = with(
        &tls_policy("{group: '', kind: Service, name: web}"),
        "ResolvedRefs",
        "InvalidCACertificateRef",
    );
    assert_eq!(count("reason-unfounded", &policy), 1);
    let set = policy.replace(
        "wellKnownCACertificates: System",
        "caCertificateRefs: [{group: '', kind: ConfigMap, name: ca}]",
    );
    assert_eq!(count("reason-unfounded", &set), 0);
}

const POOL: &str = "---
apiVersion: inference.networking.k8s.io/v1
kind: InferencePool
metadata: {name: llama, namespace: infra, generation: 2}
spec: {endpointPickerRef: {name: picker, port: {number: 9002}}}
status: {parents: [{parentRef: {name: edge}, controllerName: acme.example/gateway, conditions: [
  {type: Accepted, status: 'True', reason: Accepted, observedGeneration: 2},
  {type: ResolvedRefs, status: 'True', reason: ResolvedRefs, observedGeneration: 2}]}]}
";

fn service(name: &str) -> String {
    format!(
        "---\napiVersion: v1\nkind: Service\nmetadata: {{name: {name}, namespace: infra}}\nspec: {{ports: [{{port: 9002}}]}}\n"
    )
}

#[test]
fn an_endpoint_picker_that_is_missing_is_reported() {
    let invalid = with(POOL, "ResolvedRefs", "InvalidExtensionRef");
    for (services, resolved, refused) in [
        (service("picker"), 0, 1),
        (service("other"), 1, 0),
        (String::new(), 0, 0),
        // The Service lacks the port.
        (service("picker").replace("9002", "80"), 0, 0),
    ] {
        let count = |pool: &str| count("endpoint-picker", &(pool.to_owned() + &services));
        assert_eq!(count(POOL), resolved, "{services}");
        assert_eq!(count(&invalid), refused, "{services}");
    }
    let complete = findings(POOL, "--complete --select resource/endpoint-picker");
    assert_eq!(complete.len(), 1);
    let old = POOL
        .replace("k8s.io/v1", "x-k8s.io/v1alpha2")
        .replace("endpointPickerRef", "extensionRef");
    assert_eq!(count("endpoint-picker", &(old + &service("other"))), 1);
}

#[test]
fn backends_of_all_defined_kinds_are_looked_up() {
    let backend = |group: &str, kind: &str, name: &str| {
        let reference = format!("{{group: {group}, kind: {kind}, name: {name}, port: 80}}");
        route(
            "infra",
            "",
            &format!(", rules: [{{backendRefs: [{reference}]}}]"),
            2,
        )
    };
    let object = |api: &str, kind: &str| {
        format!(
            "---\napiVersion: {api}\nkind: {kind}\nmetadata: {{name: llama, namespace: infra}}\n"
        )
    };
    for (group, kind, there) in [
        ("\'\'", "Service", service("llama")),
        (
            "multicluster.x-k8s.io",
            "ServiceImport",
            object("multicluster.x-k8s.io/v1alpha1", "ServiceImport"),
        ),
        (
            "gateway.networking.x-k8s.io",
            "XBackend",
            object("gateway.networking.x-k8s.io/v1alpha1", "XBackend"),
        ),
        (
            "inference.networking.k8s.io",
            "InferencePool",
            POOL.to_owned() + &service("picker"),
        ),
    ] {
        let there = there + &service("any");
        for (name, reason, expected) in [
            ("llama", "", 0),
            ("llama", "BackendNotFound", 1),
            ("lost", "", 1),
            ("lost", "BackendNotFound", 0),
        ] {
            let route = with(&backend(group, kind, name), "ResolvedRefs", reason);
            let found = of("backend-not-found", &(there.clone() + &route));
            assert_eq!(found.len(), expected, "{kind} {name} {reason}: {found:?}");
        }
    }
    // A pool without its endpoint picker may count as missing.
    let refused = with(
        &backend("inference.networking.k8s.io", "InferencePool", "llama"),
        "ResolvedRefs",
        "BackendNotFound",
    );
    let text = POOL.to_owned() + &service("other") + &refused;
    assert_eq!(count("backend-not-found", &text), 0);
    // Other kinds belong to the implementation.
    for (group, kind, expected) in [("\'\'", "Service", 1), ("acme.example", "Backend", 0)] {
        let route = with(
            &backend(group, kind, "llama"),
            "ResolvedRefs",
            "InvalidKind",
        );
        let text = service("llama") + &route;
        assert_eq!(count("backend-not-found", &text), expected, "{kind}");
    }
}

#[test]
fn the_core_group_has_no_name() {
    let backend = |group: &str| {
        let reference = format!("{{group: {group}, kind: Service, name: web, port: 80}}");
        route(
            "infra",
            "",
            &format!(", rules: [{{backendRefs: [{reference}]}}]"),
            2,
        )
    };
    assert_eq!(count("core-group", &backend("core")), 1);
    assert_eq!(count("core-group", &backend("''")), 0);
    let parent = route("infra", ", group: core, kind: Service", "", 2);
    assert_eq!(count("core-group", &parent), 1);
}

#[test]
fn accepted_routes_need_features_that_the_class_lists() {
    let listed = |names: &str| {
        let names = names.split(' ').map(|name| format!("{{name: {name}}}"));
        let names: Vec<String> = names.collect();
        class().replace(
            "status: {",
            &format!("status: {{supportedFeatures: [{}], ", names.join(", ")),
        )
    };
    let timeout = route("infra", "", ", rules: [{timeouts: {request: 1s}}]", 2);
    let refused = with(&timeout, "Accepted", "UnsupportedValue");
    let core = route("infra", "", "", 2);
    let set = listener_set() + &timeout.replace("name: edge", "kind: ListenerSet, name: more");
    let two = timeout.clone() + &timeout.replace("name: web", "name: api");
    let some = "Gateway HTTPRoute";
    let all = "Gateway HTTPRoute HTTPRouteRequestTimeout";
    for (features, routes, expected) in [
        (some, &timeout, 1),
        (all, &timeout, 0),
        (some, &refused, 0),
        (some, &core, 0),
        (some, &set, 1),
        (all, &set, 0),
        // One finding for each feature.
        (some, &two, 1),
    ] {
        let text = listed(features) + &gateway("") + routes;
        let mut found = of("feature-not-listed", &text);
        // A Route of a ListenerSet needs another feature too.
        found.retain(|finding| finding.contains("`HTTPRouteRequestTimeout`"));
        assert_eq!(found.len(), expected, "{features}\n{routes}");
    }
    // A class without a list makes no claim.
    let text = class() + &gateway("") + &timeout;
    assert_eq!(count("feature-not-listed", &text), 0);
}

#[test]
fn a_status_that_is_unknown_is_waiting() {
    let pending =
        condition("Accepted", "Unknown", 2).replace("reason: Accepted", "reason: Pending");
    let set = listener_set().replace(&condition("Accepted", "True", 2), &pending);
    let route = route("infra", "", "", 2).replace(&condition("Accepted", "True", 2), &pending);
    let text = set + &route;
    let output = crate::support::run_with_input(
        std::path::Path::new("."),
        &["resources".to_owned(), "-".to_owned()],
        text.as_bytes(),
    );
    let health: Vec<&str> = output.stdout.lines().take(2).collect();
    assert_eq!(
        health,
        [
            "Health: 1 of 1 ListenerSet waiting for a controller: ListenerSet `infra/more`",
            "        1 of 1 Route waiting for a controller: HTTPRoute `infra/web`",
        ]
    );
}
