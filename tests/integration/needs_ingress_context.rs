//! Tests what `gwconform needs` reads next to Ingresses: ConfigMaps of ingress-nginx, Services and
//! kustomizations.

use serde_json::Value;

use crate::support::folder::Folder;
use crate::support::lines;

/// Ingress of ingress-nginx with TLS.
const INGRESS: &str = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: web, namespace: shop, annotations: {a: b}}\nspec:\n  ingressClassName: nginx\n  tls: [{hosts: [shop.example]}]\n  rules: [{host: shop.example, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {name: http}}}}]}}]\n";

fn annotated(annotation: &str) -> String {
    INGRESS.replace("a: b", &format!("nginx.ingress.kubernetes.io/{annotation}"))
}

fn config_map(name: &str, data: &str) -> String {
    format!(
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: ingress-nginx}}\ndata: {{{data}}}\n"
    )
}

fn json(text: &str) -> Value {
    let folder = Folder::new();
    folder.file("a.yaml", text);
    folder.json("needs a.yaml")
}

fn extended(text: &str) -> String {
    let found = json(text);
    let needs = found["needs"].as_array().unwrap().iter();
    let needs = needs.filter(|need| need["level"] == "extended");
    let names = needs.map(|need| need["feature"].as_str().unwrap().replace("HTTPRoute", ""));
    names.collect::<Vec<_>>().join(", ")
}

const REDIRECT: &str = "308RedirectStatusCode, SchemeRedirect";

#[test]
fn settings_of_the_controller_are_defaults_of_annotations() {
    let off = config_map("ingress-nginx-controller", "ssl-redirect: 'false'");
    assert_eq!(extended(INGRESS), REDIRECT);
    assert_eq!(extended(&(INGRESS.to_owned() + &off)), "");
    // An annotation replaces the default.
    let on = annotated("ssl-redirect: 'true'") + &off;
    assert_eq!(extended(&on), REDIRECT);
    let forced = annotated("force-ssl-redirect: 'true'") + &off;
    assert_eq!(extended(&forced), REDIRECT);
    let plain = INGRESS.replace("  tls: [{hosts: [shop.example]}]\n", "");
    let force = config_map("nginx-configuration", "force-ssl-redirect: 'true'");
    assert_eq!(extended(&(plain.clone() + &force)), REDIRECT);
    let place = &json(&(plain + &force))["needs"][2]["places"][0];
    assert_eq!(
        place["object"],
        "ConfigMap/ingress-nginx/nginx-configuration"
    );
    assert_eq!(place["pointer"], "/data/force-ssl-redirect");
}

#[test]
fn the_status_code_of_redirects_is_a_setting() {
    for (code, features) in [
        ("301", "SchemeRedirect"),
        ("302", "SchemeRedirect"),
        ("307", "307RedirectStatusCode, SchemeRedirect"),
        ("308", REDIRECT),
        // Any other code means the default.
        ("200", REDIRECT),
    ] {
        let map = config_map(
            "ingress-nginx-controller",
            &format!("http-redirect-code: '{code}'"),
        );
        let force = annotated("force-ssl-redirect: 'true'") + &map;
        for text in [INGRESS.to_owned() + &map, force] {
            assert_eq!(extended(&text), features, "{text}");
            assert_eq!(json(&text)["beyond"], serde_json::json!([]));
        }
        // An Ingress that states its code keeps it.
        let own =
            "permanent-redirect: '/a', nginx.ingress.kubernetes.io/permanent-redirect-code: '308'";
        let own = annotated(own).replace("  tls: [{hosts: [shop.example]}]\n", "") + &map;
        assert_eq!(extended(&own), "308RedirectStatusCode, PathRedirect");
    }
}

#[test]
fn other_annotations_have_no_effect_in_the_config_map() {
    let names = [
        "backend-protocol",
        "canary",
        "enable-cors",
        "rewrite-target",
        "ssl-passthrough",
        "use-regex",
    ];
    let data = names.map(|name| format!("{name}: 'true'")).join(", ");
    let map = config_map(
        "ingress-nginx-controller",
        &data.replace("protocol: 'true'", "protocol: GRPC"),
    );
    let found = json(&(INGRESS.to_owned() + &map));
    assert_eq!(extended(&(INGRESS.to_owned() + &map)), REDIRECT);
    assert_eq!(
        lines(&found["ingresses"]["ignored"], "{annotation}: {reason}"),
        names.map(|name| format!("{name}: no effect in the ConfigMap"))
    );
    assert_eq!(found["beyond"], serde_json::json!([]));
}

#[test]
fn settings_without_an_annotation_are_listed() {
    let map = config_map(
        "edge-ingress-nginx-controller",
        "hsts: 'true', proxy-body-size: 8m, limit-rps: '0'",
    );
    let found = json(&(INGRESS.to_owned() + &map));
    assert_eq!(
        lines(&found["beyond"], "{text}"),
        [
            "request body size: `proxy-body-size`",
            "settings of the controller: `hsts`"
        ]
    );
    assert_eq!(found["not_read"], serde_json::json!([]));
    // Nothing shows which controller serves the Ingress.
    let two = map.clone() + &config_map("ingress-nginx-controller", "hsts: 'true'");
    let found = json(&(INGRESS.to_owned() + &two));
    assert_eq!(lines(&found["not_read"], "{kind} {count}"), ["ConfigMap 2"]);
    for (other, ingress) in [
        (
            config_map("web", "ssl-redirect: 'false'"),
            INGRESS.to_owned(),
        ),
        (
            map,
            INGRESS.replace("ingressClassName: nginx", "ingressClassName: traefik"),
        ),
    ] {
        let found = json(&(ingress + &other));
        assert_eq!(lines(&found["not_read"], "{kind} {count}"), ["ConfigMap 1"]);
    }
}

#[test]
fn findings_name_known_settings_but_neither_values_nor_unknown_settings() {
    let folder = Folder::with_tree();
    let data = "\n  enable-modsecurity: 'true'\n  proxy-body-size:\n    hunter1\n  hunter2: hunter3\n  whitelist-source-range: hunter4\n";
    let map = config_map("ingress-nginx-controller", "");
    folder.file(
        "a.yaml",
        &(INGRESS.to_owned() + &map.replace(" {}\n", data)),
    );
    for format in ["human", "json", "markdown", "github", "sarif", "junit"] {
        let command = "needs a.yaml --in conformance/reports --to acme/operator";
        let output = folder.run(&format!("{command} --format {format}"));
        let text = output.stdout + &output.stderr;
        for part in ["enable-modsecurity", "proxy-body-size", "not shown"] {
            assert!(text.contains(part), "{format}, {part}: {text}");
        }
        assert!(!text.contains("hunter"), "{format}: {text}");
        assert!(text.contains("address ranges"), "{format}: {text}");
    }
}

#[test]
fn tcp_and_udp_services_become_routes() {
    let tcp = config_map(
        "tcp-services",
        "'9000': 'shop/web:8080', '9001': 'shop/web:8081'",
    );
    let udp = config_map("edge-ingress-nginx-udp", "'53': 'kube-system/kube-dns:53'");
    let found = json(&(INGRESS.to_owned() + &tcp + &udp));
    let needs = lines(&found["needs"], "{feature} {count}");
    assert!(needs.contains(&"TCPRoute 2".to_owned()), "{needs:?}");
    assert!(needs.contains(&"UDPRoute 1".to_owned()), "{needs:?}");
    assert_eq!(found["not_read"], serde_json::json!([]));
    let need = found["needs"].as_array().unwrap().iter();
    let mut need = need.filter(|need| need["feature"] == "TCPRoute");
    let place = &need.next().unwrap()["places"][0];
    assert_eq!(place["pointer"], "/data/9000");
}

#[test]
fn tcp_services_are_read_without_an_ingress() {
    let found = json(&config_map("tcp-services", "'9000': 'shop/web:8080'"));
    let needs = lines(&found["needs"], "{feature} {count}");
    assert_eq!(needs, ["Gateway 1", "TCPRoute 1"]);
    let folder = Folder::new();
    folder.file(
        "a.yaml",
        config_map("ingress-nginx-controller", "hsts: 'true'"),
    );
    assert_eq!(folder.run("needs a.yaml").code, 3);
}

#[test]
fn an_ingress_and_its_route_need_the_protocol_of_their_service() {
    let service = |protocol: &str| {
        format!(
            "---\napiVersion: v1\nkind: Service\nmetadata: {{name: web, namespace: shop}}\nspec: {{ports: [{{name: http, port: 80, appProtocol: {protocol}}}]}}\n"
        )
    };
    let route = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: web, namespace: shop}\nspec: {parentRefs: [{name: a}], rules: [{backendRefs: [{name: web, port: 80}]}]}\n";
    let plain = INGRESS.replace("  tls: [{hosts: [shop.example]}]\n", "");
    for (protocol, feature) in [
        ("kubernetes.io/h2c", "BackendProtocolH2C"),
        ("kubernetes.io/ws", "BackendProtocolWebSocket"),
        ("http", ""),
    ] {
        let service = service(protocol);
        assert_eq!(extended(&(route.to_owned() + &service)), feature);
        for port in ["name: http", "number: 80"] {
            let ingress = plain.replace("name: http", port) + &service;
            assert_eq!(extended(&ingress), feature, "{ingress}");
            let counts = &json(&ingress)["ingresses"]["counts"];
            assert_eq!(counts["extended"], u8::from(!feature.is_empty()));
        }
        let other = plain.replace("name: http", "number: 8080") + &service;
        assert_eq!(extended(&other), "");
    }
}

#[test]
fn a_kustomization_is_known_by_the_name_of_its_file() {
    let route = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\nspec: {parentRefs: [{name: g}]}\n";
    let overlay = "resources: [../base]\npatches: [{path: patch.yaml}]\n";
    let written = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [route.yaml]\n";
    let flux =
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: a}\n";
    for (name, text, is_told) in [
        ("kustomization.yaml", flux, false),
        ("kustomization.yaml", overlay, true),
        ("kustomization.yml", overlay, true),
        ("kustomization.yaml", written, true),
        ("values.yaml", overlay, false),
    ] {
        let folder = Folder::new();
        folder.file("k/route.yaml", route);
        folder.file(&format!("k/{name}"), text);
        let found = folder.json("needs k");
        let unread = lines(&found["unread"], "{path}:{line}: {reason}");
        let line = 1 + u8::from(text == written);
        let told = format!("k/{name}:{line}: a Kustomize overlay: pipe `kubectl kustomize` here");
        let expected: Vec<String> = is_told.then_some(told).into_iter().collect();
        assert_eq!(unread, expected);
    }
}
