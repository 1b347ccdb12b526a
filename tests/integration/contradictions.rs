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
