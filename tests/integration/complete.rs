//! Tests contradictions that only a complete dump shows, and those between several objects.

use crate::resources::findings;
use crate::support::{has, rows};

fn condition(name: &str, status: &str, reason: &str) -> String {
    format!("{{type: {name}, status: '{status}', reason: {reason}, observedGeneration: 1}}")
}

fn object(kind: &str, name: &str, spec: &str, status: &str) -> String {
    format!(
        "---\napiVersion: gateway.networking.k8s.io/v1\nkind: {kind}\nmetadata: {{name: {name}, namespace: shop, generation: 1}}\nspec: {{{spec}}}\nstatus: {{{status}}}\n"
    )
}

fn accepted(name: &str) -> String {
    let conditions = ["Accepted", "ResolvedRefs"].map(|name| condition(name, "True", name));
    format!("{name}: [{}]", conditions.join(", "))
}

fn route(name: &str, parent: &str, spec: &str) -> String {
    let conditions = accepted("conditions");
    let entry = format!(
        "parents: [{{controllerName: acme.example/gateway, parentRef: {{{parent}}}, {conditions}}}]"
    );
    let spec = format!("parentRefs: [{{{parent}}}], {spec}");
    object("HTTPRoute", name, &spec, &entry)
}

fn gateway(listener: &str, status: &str) -> String {
    let spec = format!("listeners: [{{name: web, port: 80, protocol: HTTP, {listener}}}]");
    let conditions = accepted("conditions");
    let listener = format!("{{name: web, {conditions}, attachedRoutes: 3{status}}}");
    let status = format!("{conditions}, listeners: [{listener}]");
    object("Gateway", "edge", &spec, &status)
}

const NAMESPACE: &str =
    "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: shop}}\n";
const SERVICE: &str = "---\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\nspec: {ports: [{port: 80}]}\n";

fn count(rule: &str, text: &str, flag: &str) -> usize {
    findings(text, &format!("--select resource/{rule} {flag}")).len()
}

#[test]
fn absence_counts_only_in_a_complete_dump() {
    let parent = "name: lost, namespace: infra";
    let backend = "rules: [{backendRefs: [{name: web, namespace: other, port: 80}]}]";
    let mesh = "group: '', kind: Service, name: web";
    let silent = object("HTTPRoute", "b", &format!("parentRefs: [{{{mesh}}}]"), "");
    let kinds = ", supportedKinds: [{kind: HTTPRoute}]";
    let all = "allowedRoutes: {namespaces: {from: All}}";
    let meshed = format!("{SERVICE}{}{silent}", route("a", mesh, ""));
    let texts = [
        route("a", parent, ""),
        route("a", parent, backend),
        route("a", "name: edge", &backend.replace("other", "shop")),
        gateway(all, kinds) + &route("a", "name: edge", ""),
        meshed,
    ];
    let cases = "
        parent-not-found          | gateways       | services
        reference-not-permitted   | ReferenceGrant | gateways
        backend-not-found         | services       | gateways
        attached-routes           | httproutes,grpcroutes,tlsroutes,tcproutes,udproutes | httproutes
        mesh-route-without-status | httproutes,grpcroutes,tlsroutes,tcproutes,udproutes | services
    ";
    for ([rule, one_kind, other_kind], text) in rows(cases).into_iter().zip(texts) {
        let counts = |flag: &str| count(rule, &text, flag);
        assert_eq!(counts(""), 0, "{rule}");
        assert_eq!(counts("--complete"), 1, "{rule}");
        assert_eq!(counts(&format!("--complete={one_kind}")), 1, "{rule}");
        assert_eq!(counts(&format!("--complete={other_kind}")), 0, "{rule}");
    }
}

#[test]
fn a_selector_decides_only_about_known_namespaces() {
    let text = |selector: &str| {
        let listener =
            format!("allowedRoutes: {{namespaces: {{from: Selector, selector: {{{selector}}}}}}}");
        gateway(&listener, "") + &route("a", "name: edge", "")
    };
    let cases = "
        matchLabels: {team: shop} | 0
        matchLabels: {team: other} | 1
        matchExpressions: [{key: team, operator: In, values: [shop]}] | 0
        matchExpressions: [{key: team, operator: NotIn, values: [shop]}] | 1
        matchExpressions: [{key: team, operator: Exists}] | 0
        matchExpressions: [{key: team, operator: DoesNotExist}] | 1
        matchExpressions: [{key: team, operator: Odd}] | 0
        | 0
    ";
    for [selector, refused] in rows(cases) {
        let text = text(selector);
        let found = count("route-attachment", &(text.clone() + NAMESPACE), "");
        assert_eq!(found.to_string(), refused, "{selector}");
        assert_eq!(count("route-attachment", &text, ""), 0, "{selector}");
    }
}

fn set(name: &str, port: u16) -> String {
    let listener = format!("{{name: a, port: {port}, protocol: HTTP}}");
    let spec = format!("parentRef: {{name: edge}}, listeners: [{listener}]");
    let conditions = accepted("conditions");
    let status = format!("{conditions}, listeners: [{{name: a, {conditions}}}]");
    object("ListenerSet", name, &spec, &status)
}

#[test]
fn listeners_of_sets_and_gateways_are_distinct() {
    for (port, indistinct) in [(80, 1), (81, 0)] {
        let text = gateway("", "") + &set("one", port);
        assert_eq!(count("listener-conflict", &text, ""), indistinct);
    }
    let text = gateway("", "") + &set("one", 81) + &set("two", 81);
    assert_eq!(count("listener-conflict", &text, ""), 1);
}

#[test]
fn supported_kinds_are_allowed_kinds() {
    let kinds = ", supportedKinds: [{kind: HTTPRoute}, {kind: GRPCRoute}]";
    let only = "allowedRoutes: {kinds: [{kind: HTTPRoute}]}";
    assert_eq!(count("supported-kinds", &gateway(only, kinds), ""), 1);
    assert_eq!(count("supported-kinds", &gateway("", kinds), ""), 0);
}

#[test]
fn crds_of_other_projects_need_no_version() {
    let crd = "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.acme.example}\nspec: {group: acme.example}\n";
    assert_eq!(count("crd-none", crd, ""), 0);
    let own = crd.replace("acme.example}\n", "gateway.networking.k8s.io}\n");
    assert_eq!(count("crd-none", &own, ""), 1);
    let used = crd.to_owned() + &gateway("", "");
    assert_eq!(count("crd-none", &used, ""), 1);
}

#[test]
fn statuses_of_other_policies_are_recommended() {
    let policy = |api: &str, kind: &str| {
        format!(
            "apiVersion: {api}\nkind: {kind}\nmetadata: {{name: a, namespace: b}}\nspec: {{}}\nstatus: {{ancestors: [{{ancestorRef: {{name: edge}}, controllerName: a.example/b, conditions: [{{type: Odd, status: 'True', reason: Odd}}]}}]}}\n"
        )
    };
    let found = |api: &str, kind: &str| {
        let select = "--select resource/condition-missing,resource/observed-generation";
        let found = findings(&policy(api, kind), select);
        let severities = found
            .iter()
            .map(|text| text.split(' ').next().unwrap().to_owned());
        severities.collect::<Vec<_>>()
    };
    assert_eq!(found("acme.example/v1", "RatePolicy"), ["warning"; 2]);
    let own = found("gateway.networking.k8s.io/v1", "BackendTLSPolicy");
    assert_eq!(own, ["error"; 2]);
}

#[test]
fn a_refused_gateway_of_a_refused_class_is_consistent() {
    let class = "---\napiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: acme}\nspec: {controllerName: a.example/b}\nstatus: {conditions: [{type: Accepted, status: 'False', reason: InvalidParameters}]}\n";
    for (status, expected) in [("True", 1), ("False", 0), ("Unknown", 1)] {
        let conditions = condition("Accepted", status, "Pending");
        let status = format!("conditions: [{conditions}]");
        let text = object("Gateway", "edge", "gatewayClassName: acme", &status);
        let text = class.to_owned() + &text;
        assert_eq!(count("gateway-class-not-accepted", &text, ""), expected);
    }
}

#[test]
fn templates_and_unnamed_listeners_are_named_exactly() {
    let text = |tag: &str| format!("a: {{{{ {tag} }}}}\n  b: c\n");
    let found = |tag: &str| findings(&text(tag), "--select resource/unreadable").join("");
    assert!(found(".Values.a").contains("a Helm template"));
    assert!(found(".Spec.Name").contains("a Go template"));
    let status = "conditions: [], listeners: [{attachedRoutes: 0, conditions: []}]";
    let text = object("Gateway", "edge", "listeners: []", status);
    let found = findings(&text, "--select resource/condition-missing").join("\n");
    has(&found, "listener `[0]` of Gateway `shop/edge`");
}
