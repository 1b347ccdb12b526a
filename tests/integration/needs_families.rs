//! Tests manifests for gateways and meshes, and resources that belong to neither.

use serde_json::Value;

use crate::support::folder::Folder;
use crate::support::{lines, words_of};

/// Returns the features that manifests need. `?` marks possible ones, `-` fields that no feature
/// covers, and `+` references beyond the API.
fn needs(text: &str) -> Vec<String> {
    let folder = Folder::new();
    folder.file("a.yaml", text);
    let json = folder.json("needs a.yaml");
    let lists = [
        lines(&json["needs"], "{feature}"),
        lines(&json["perhaps"], "{feature}?"),
        lines(&json["uncovered"], "- {field}"),
        lines(&json["beyond"], "+ {text}"),
    ];
    lists.concat()
}

fn object(kind: &str, metadata: &str, spec: &str) -> String {
    let group = match kind {
        "XListenerSet" | "XMesh" => "gateway.networking.x-k8s.io/v1alpha1",
        _ => "gateway.networking.k8s.io/v1",
    };
    format!("apiVersion: {group}\nkind: {kind}\nmetadata: {metadata}\nspec: {spec}\n---\n")
}

fn route(parents: &str, rest: &str) -> String {
    let spec = format!("{{parentRefs: [{parents}], {rest}}}");
    object("HTTPRoute", "{name: r, namespace: shop}", &spec)
}

const EDGE: &str = "{name: edge}";
const SERVICE: &str = "{kind: Service, group: '', name: s}";

fn missing(folder: &Folder, manifests: &str, option: &str) -> Vec<(String, u64)> {
    folder.file("m.yaml", manifests);
    folder.file(
        "class.yaml",
        "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: acme}\nspec: {controllerName: a.example/c}\nstatus: {supportedFeatures: [{name: Gateway}, {name: HTTPRoute}]}\n",
    );
    folder.file(
        "mesh.yaml",
        "apiVersion: gateway.networking.x-k8s.io/v1alpha1\nkind: XMesh\nmetadata: {name: acme}\nspec: {controllerName: a.example/c}\nstatus: {supportedFeatures: [{name: Mesh}, {name: HTTPRoute}]}\n",
    );
    let json = folder.json(&format!("needs m.yaml {option}"));
    let findings = json["findings"].as_array().unwrap().iter();
    findings
        .map(|one| {
            let message = one["message"].as_str().unwrap();
            let rest = message.split_once(" needs `").unwrap().1;
            let feature = rest.split('`').next().unwrap();
            (feature.to_owned(), one["line"].as_u64().unwrap())
        })
        .collect()
}

#[test]
fn a_class_answers_for_gateways_and_a_mesh_for_meshes() {
    let folder = Folder::new();
    let rule = "rules: [{timeouts: {request: 1s}, matches: [{queryParams: [{name: a}]}]}]";
    let both = format!(
        "{}{}",
        route(SERVICE, rule),
        route(EDGE, "rules: [{matches: [{method: GET}]}]")
    );
    let class = missing(&folder, &both, "--class class.yaml");
    assert_eq!(class, [("HTTPRouteMethodMatching".to_owned(), 9)]);
    let mesh = missing(&folder, &both, "--mesh mesh.yaml");
    assert_eq!(
        mesh,
        [
            ("HTTPRouteRequestTimeout".to_owned(), 4),
            ("MeshHTTPRouteQueryParamMatching".to_owned(), 4)
        ]
    );
    let one = route(&format!("{EDGE}, {SERVICE}"), rule);
    let of = |option: &str| -> Vec<String> {
        let found = missing(&folder, &one, option).into_iter();
        found.map(|(feature, _)| feature).collect()
    };
    assert_eq!(
        of("--class class.yaml"),
        ["HTTPRouteRequestTimeout", "HTTPRouteQueryParamMatching"]
    );
    assert_eq!(
        of("--mesh mesh.yaml"),
        ["HTTPRouteRequestTimeout", "MeshHTTPRouteQueryParamMatching"]
    );
    let many = route(SERVICE, "rules: [{timeouts: {request: 1s}}]").repeat(150);
    let last = format!(
        "{many}{}",
        route(EDGE, "rules: [{timeouts: {request: 1s}}]")
    );
    let class = missing(&folder, &last, "--class class.yaml");
    assert_eq!(class, [("HTTPRouteRequestTimeout".to_owned(), 754)]);
    let help = |option: &str| folder.run(&format!("needs m.yaml {option}")).stdout;
    folder.file("m.yaml", &one);
    assert!(help("--class class.yaml").contains("remove it, or use another class"));
    let mesh = help("--mesh mesh.yaml");
    assert!(mesh.contains("remove it, or use another mesh"), "{mesh}");
}

#[test]
fn a_port_of_a_service_is_asked_of_each_family_that_names_it() {
    let folder = Folder::new();
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: api, namespace: shop}\nspec: {ports: [{port: 80, appProtocol: kubernetes.io/h2c}]}\n---\n";
    let rule = "rules: [{backendRefs: [{name: api, port: 80}]}]";
    let text = format!("{service}{}{}", route(SERVICE, rule), route(EDGE, rule));
    let class = missing(&folder, &text, "--class class.yaml");
    assert_eq!(class, [("HTTPRouteBackendProtocolH2C".to_owned(), 4)]);
}

#[test]
fn parents_of_other_groups_ask_for_no_profile() {
    let foreign = "{group: networking.istio.io, kind: ServiceEntry, name: e, port: 80}";
    assert_eq!(
        needs(&route(foreign, "rules: [{matches: [{method: GET}]}]")),
        [
            "HTTPRoute",
            "HTTPRouteMethodMatching",
            "+ parent of kind `ServiceEntry.networking.istio.io`",
        ]
    );
    let gateway = "{group: acme.example, kind: Gateway, name: edge}";
    assert_eq!(
        needs(&route(gateway, "rules: []")),
        ["HTTPRoute", "+ parent of kind `Gateway.acme.example`"]
    );
    assert_eq!(
        needs(&route("{kind: Service, name: s}", "rules: []")),
        [
            "HTTPRoute",
            "+ parent of kind `Service.gateway.networking.k8s.io`"
        ]
    );
    assert_eq!(
        needs(&route("{group: '', name: s}", "rules: []")),
        ["HTTPRoute", "+ parent of kind `Gateway.core`"]
    );
    let core = "{group: core, kind: Service, name: s}";
    assert_eq!(needs(&route(core, "rules: []")), ["HTTPRoute", "Mesh"]);
    let folder = Folder::with_tree();
    folder.file("m.yaml", route(foreign, "rules: []"));
    let json = folder.json("needs m.yaml --in conformance/reports");
    assert_eq!(json["question"]["profiles"], Value::Array(Vec::new()));
}

#[test]
fn references_and_protocols_of_others_are_beyond_the_api() {
    let gateway = "{listeners: [{port: 1, protocol: example.com/foo}, {port: 2, protocol: HTTPS, tls: {certificateRefs: [{name: a}, {group: '', kind: Secret, name: a}, {group: acme.example, kind: Vault, name: v}]}}], addresses: [{type: acme.example/pool, value: a}, {type: IPAddress, value: 192.0.2.1}], tls: {frontend: {default: {validation: {caCertificateRefs: [{kind: ConfigMap, name: c}, {kind: Secret, name: s}]}}}}}";
    assert_eq!(
        needs(&object("Gateway", "{name: g}", gateway)),
        [
            "Gateway",
            "GatewayFrontendClientCertificateValidation",
            "GatewayStaticAddresses",
            "+ address of type `acme.example/pool`",
            "+ protocol `example.com/foo`",
            "+ CA certificate of kind `Secret`",
            "+ certificate of kind `Vault.acme.example`",
        ]
    );
    let policy = "{targetRefs: [{group: '', kind: Service, name: s}], validation: {caCertificateRefs: [{group: acme.example, kind: Bundle, name: b}], hostname: a}}";
    let found = needs(&object("BackendTLSPolicy", "{name: p}", policy));
    assert_eq!(
        found,
        [
            "BackendTLSPolicy",
            "+ CA certificate of kind `Bundle.acme.example`"
        ]
    );
    let mirror = "rules: [{filters: [{type: RequestMirror, requestMirror: {backendRef: {group: acme.example, kind: Sink, name: s}}}]}]";
    let found = needs(&route(EDGE, mirror));
    assert!(
        found.contains(&"+ backend of kind `Sink.acme.example`".to_owned()),
        "{found:?}"
    );
}

#[test]
fn listeners_of_sets_share_ports_with_those_of_their_gateway() {
    let gateway = object(
        "Gateway",
        "{name: edge, namespace: infra}",
        "{listeners: [{port: 80, protocol: HTTP, hostname: '*.shop.example'}, {port: 443, protocol: HTTPS, hostname: a.example}, {port: 8443, protocol: TLS, tls: {mode: Passthrough}}]}",
    );
    let listeners = "listeners: [{port: 80, protocol: HTTP, hostname: api.shop.example}, {port: 443, protocol: HTTPS, hostname: b.example}, {port: 8443, protocol: TLS, tls: {mode: Terminate}}]";
    let set = |kind: &str, parent: &str| {
        let spec = format!("{{parentRef: {parent}, {listeners}}}");
        object(kind, "{name: more, namespace: shop}", &spec)
    };
    let together = [
        "Gateway",
        "ListenerSet",
        "TLSRouteModeMixed",
        "GatewayHTTPListenerIsolation?",
        "GatewayHTTPSListenerDetectMisdirectedRequests?",
        "TLSRouteModeTerminate?",
    ];
    for kind in ["ListenerSet", "XListenerSet"] {
        let set = set(kind, "{name: edge, namespace: infra}");
        assert_eq!(needs(&format!("{gateway}{set}")), together);
        assert_eq!(needs(&format!("{set}{gateway}")), together);
    }
    // Without a namespace, the reference points to a Gateway in the namespace of the set.
    let alone = ["Gateway", "ListenerSet", "TLSRouteModeTerminate?"];
    let other = set("ListenerSet", "{name: edge}");
    assert_eq!(needs(&format!("{gateway}{other}")), alone);
    let foreign = set(
        "ListenerSet",
        "{group: acme.example, name: edge, namespace: infra}",
    );
    let found = needs(&format!("{gateway}{foreign}"));
    assert!(
        !found.contains(&"TLSRouteModeMixed".to_owned()),
        "{found:?}"
    );
    let sets = [
        "{name: a, namespace: shop}",
        "{name: b, namespace: shop}",
    ]
    .map(|metadata| {
        let spec = "{parentRef: {name: far}, listeners: [{port: 443, protocol: HTTPS, hostname: a.example}]}";
        object("ListenerSet", metadata, spec)
    });
    let misdirected = "GatewayHTTPSListenerDetectMisdirectedRequests?".to_owned();
    assert!(needs(&sets.concat()).contains(&misdirected));
    let overlay = object(
        "Gateway",
        "{name: edge, namespace: infra}",
        "{listeners: [{port: 80, protocol: HTTP, hostname: x.shop.example}]}",
    );
    assert_eq!(needs(&format!("{gateway}{overlay}")), ["Gateway"]);
}

#[test]
fn many_listeners_of_many_sets_are_compared_in_time() {
    let folder = Folder::new();
    let listeners: Vec<String> = (0..64)
        .map(|at| format!("{{port: 80, protocol: HTTP, hostname: h{at}.example}}"))
        .collect();
    let spec = format!(
        "{{parentRef: {{name: edge}}, listeners: [{}]}}",
        listeners.join(", ")
    );
    let sets: String = (0..1500)
        .map(|at| object("ListenerSet", &format!("{{name: s{at}}}"), &spec))
        .collect();
    folder.file("a.yaml", sets);
    // Comparing all pairs of 96,000 listeners would take minutes.
    let output = folder.run("needs a.yaml");
    assert_eq!(output.code, 0, "{}", output.stderr);
}

#[test]
fn fields_of_the_experimental_channel_are_named() {
    let gateways = route("", "useDefaultGateways: All, rules: []");
    assert_eq!(
        needs(&gateways),
        ["Gateway", "HTTPRoute", "- default Gateways"]
    );
    let none = route(EDGE, "useDefaultGateways: None, rules: []");
    assert_eq!(needs(&none), ["Gateway", "HTTPRoute"]);
    let scope = object("Gateway", "{name: g}", "{defaultScope: All}");
    assert_eq!(needs(&scope), ["Gateway", "- default Gateways"]);
    let backend = route(
        EDGE,
        "rules: [{backendRefs: [{group: gateway.networking.x-k8s.io, kind: XBackend, name: b}]}]",
    );
    assert_eq!(
        needs(&backend),
        ["Gateway", "HTTPRoute", "- backends of kind XBackend"]
    );
    let folder = Folder::with_tree();
    folder.file("m.yaml", backend);
    let json = folder.json("needs m.yaml --in conformance/reports");
    assert_eq!(json["question"]["channel"], "experimental");
}

#[test]
fn a_field_is_named_once_for_a_report() {
    let folder = Folder::with_tree();
    folder.file(
        "m.yaml",
        route(EDGE, "rules: [{sessionPersistence: {type: Cookie}}]"),
    );
    let report = "conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml";
    let of = |report: &str| {
        let rules = "needs/channel,needs/uncovered";
        let found = folder.json(&format!("needs m.yaml --report {report} --select {rules}"));
        lines(&found["findings"], "{message}")
    };
    let standard = of(report);
    assert_eq!(standard.len(), 1, "{standard:?}");
    assert!(
        standard[0].contains("is only in the experimental channel"),
        "{standard:?}"
    );
    let text = folder.read(report);
    folder.file(
        "e.yaml",
        text.replace(
            "gatewayAPIChannel: standard",
            "gatewayAPIChannel: experimental",
        ),
    );
    assert_eq!(
        of("e.yaml"),
        ["no test covers `sessionPersistence`, because it belongs to no feature"]
    );
}

#[test]
fn a_kind_of_routes_that_no_mesh_profile_has_is_named() {
    let tls = object(
        "TLSRoute",
        "{name: r, namespace: shop}",
        &format!("{{parentRefs: [{SERVICE}]}}"),
    );
    assert_eq!(needs(&tls), ["Mesh", "TLSRoute", "- TLSRoute of a mesh"]);
    let folder = Folder::with_tree();
    folder.file("m.yaml", &tls);
    let output = folder.run("needs m.yaml --in conformance/reports");
    output.stdout_has("Not covered by any test of a mesh: TLSRoute");
    let json = folder.json("needs m.yaml --in conformance/reports");
    assert_eq!(json["question"]["must"], serde_json::json!(["Mesh"]));
    assert_eq!(json["answers"][0]["met"], serde_json::json!([]));
    let to = folder.run("needs m.yaml --in conformance/reports --to acme/operator");
    to.stdout_has("no test covers TLSRoute of a mesh, because it belongs to no profile");
    assert!(
        words_of(&to.stdout).contains("has no results for a mesh profile"),
        "{}",
        to.stdout
    );
    let gateway = tls.replace(SERVICE, EDGE);
    let both = needs(&format!("{tls}{gateway}"));
    assert!(
        both.contains(&"- TLSRoute of a mesh".to_owned()),
        "{both:?}"
    );
    assert!(!needs(&gateway).contains(&"- TLSRoute of a mesh".to_owned()));
}

#[test]
fn a_namespace_that_is_not_written_is_not_known() {
    let parent = "{kind: Service, group: '', name: s, namespace: other}";
    let with = |metadata: &str| {
        let spec = format!(
            "{{parentRefs: [{parent}], rules: [{{backendRefs: [{{name: b, namespace: data}}]}}]}}"
        );
        needs(&object("HTTPRoute", metadata, &spec))
    };
    assert_eq!(
        with("{name: r, namespace: shop}"),
        ["HTTPRoute", "Mesh", "MeshConsumerRoute", "ReferenceGrant"]
    );
    assert_eq!(
        with("{name: r}"),
        ["HTTPRoute", "Mesh", "MeshConsumerRoute?", "ReferenceGrant?"]
    );
    assert_eq!(
        with("{name: r, namespace: other}"),
        ["HTTPRoute", "Mesh", "ReferenceGrant"]
    );
    let folder = Folder::new();
    let spec = format!("{{parentRefs: [{parent}]}}");
    folder.file("a.yaml", object("HTTPRoute", "{name: r}", &spec));
    let output = folder.run("needs a.yaml");
    output.stdout_has("it has no `metadata.namespace`");
}
