//! Tests whose Ingresses `gwconform needs` reads: those of ingress-nginx, of another controller, or
//! of an unknown one.

use serde_json::Value;

use crate::support::folder::Folder;
use crate::support::lines;

/// Ingress with TLS, which ingress-nginx redirects by default. An empty class is left out.
fn ingress(class: &str, annotation: &str) -> String {
    let class = match class {
        "" => String::new(),
        class => format!("  ingressClassName: {class}\n"),
    };
    format!(
        "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: web\n  annotations: {{{annotation}}}\nspec:\n{class}  tls: [{{hosts: [shop.example]}}]\n  rules: [{{host: shop.example, http: {{paths: [{{path: /, pathType: Prefix, backend: {{service: {{name: web, port: {{number: 80}}}}}}}}]}}}}]\n"
    )
}

fn class(name: &str, controller: &str) -> String {
    format!(
        "---\napiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {{name: {name}}}\nspec: {{controller: {controller}}}\n"
    )
}

fn object(api_version: &str, kind: &str) -> String {
    format!("---\napiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a}}\nspec: {{}}\n")
}

fn json(text: &str) -> Value {
    let folder = Folder::new();
    folder.file("a.yaml", text);
    folder.json("needs a.yaml")
}

/// `ingress-nginx`, `unknown`, or the other controllers.
fn controller(text: &str) -> String {
    let found = json(text);
    let ingresses = &found["ingresses"];
    let is_redirected =
        lines(&found["needs"], "{feature}").contains(&"HTTPRouteSchemeRedirect".into());
    let is_converted = ingresses["convert"] != serde_json::json!([]);
    assert_eq!(is_redirected, is_converted, "{text}");
    let others = lines(&ingresses["other_controllers"], "{controller}");
    let unknown = lines(&found["unknown_fields"], "{reason}");
    match (&others[..], &unknown[..]) {
        ([], []) => {
            assert!(is_converted, "{text}");
            "ingress-nginx".to_owned()
        }
        (others, []) => {
            assert!(!is_converted, "{text}");
            others.join(", ")
        }
        (_, [reason]) => {
            assert!(!is_converted, "{text}");
            assert!(reason.contains("pass the IngressClass"), "{reason}");
            assert_eq!(ingresses["counts"]["unknown_controller"], 1);
            "unknown".to_owned()
        }
        other => panic!("{other:?}"),
    }
}

const NGINX: &str = "nginx.ingress.kubernetes.io/proxy-body-size: 8m";

/// Class, annotation, controller and source.
const INGRESSES: &[(&str, &str, &str, &str)] = &[
    // Classes and annotations of ingress-nginx.
    (
        "nginx",
        "",
        "ingress-nginx",
        "ingress-nginx, docs/user-guide/multiple-ingress.md: --ingress-class",
    ),
    (
        "nginx-internal",
        "",
        "ingress-nginx",
        "ingress-nginx, docs/user-guide/multiple-ingress.md: several controllers",
    ),
    (
        "ingress-nginx-external",
        "",
        "ingress-nginx",
        "kubernetes/ingress-nginx#10020",
    ),
    (
        "webapprouting.kubernetes.azure.com",
        "",
        "ingress-nginx",
        "learn.microsoft.com, AKS application routing add-on",
    ),
    (
        "internal",
        NGINX,
        "ingress-nginx",
        "ingress-nginx, docs/user-guide/cli-arguments.md: --annotations-prefix",
    ),
    (
        "",
        NGINX,
        "ingress-nginx",
        "ingress-nginx, docs/user-guide/cli-arguments.md: --watch-ingress-without-class",
    ),
    (
        "nginx",
        NGINX,
        "ingress-nginx",
        "ingress-nginx, docs/user-guide/nginx-configuration/annotations.md",
    ),
    // Classes of other controllers.
    (
        "traefik",
        "",
        "Traefik",
        "doc.traefik.io, Kubernetes Ingress: ingressClass",
    ),
    (
        "alb",
        "",
        "AWS Load Balancer Controller",
        "AWS Load Balancer Controller, docs/guide/ingress/ingress_class.md",
    ),
    (
        "gce",
        "",
        "GKE Ingress",
        "cloud.google.com, GKE Ingress: kubernetes.io/ingress.class",
    ),
    (
        "gce-internal",
        "",
        "GKE Ingress",
        "cloud.google.com, GKE Ingress: kubernetes.io/ingress.class",
    ),
    (
        "azure-application-gateway",
        "",
        "Azure Application Gateway",
        "Azure/application-gateway-kubernetes-ingress, docs/annotations.md",
    ),
    (
        "haproxy",
        "",
        "HAProxy Kubernetes Ingress Controller",
        "haproxytech/kubernetes-ingress, documentation/controller.md: --ingress.class",
    ),
    ("kong", "", "Kong", "docs.konghq.com, ingress class"),
    (
        "cilium",
        "",
        "Cilium",
        "docs.cilium.io, Ingress: ingressClassName",
    ),
    (
        "tailscale",
        "",
        "Tailscale",
        "tailscale/tailscale, cmd/k8s-operator/ingress.go: tailscaleIngressClassName",
    ),
    (
        "avi-lb",
        "",
        "Avi Kubernetes Operator",
        "load-balancer-and-ingress-services-for-kubernetes, docs: IngressClass avi-lb",
    ),
    (
        "pomerium",
        "",
        "Pomerium",
        "pomerium/ingress-controller, README.md: IngressClass",
    ),
    (
        "skipper",
        "",
        "Skipper",
        "zalando/skipper, docs/kubernetes/ingress-controller.md: the class is skipper",
    ),
    (
        "higress",
        "",
        "Higress",
        "alibaba/higress, helm/core: ingressClass",
    ),
    (
        "mse",
        "",
        "MSE Ingress",
        "alibabacloud.com, MSE Ingress: IngressClass",
    ),
    (
        "netscaler",
        "",
        "NetScaler Ingress Controller",
        "netscaler-k8s-ingress-controller, docs: IngressClass",
    ),
    (
        "ngrok",
        "",
        "ngrok Kubernetes Operator",
        "ngrok/ngrok-operator, helm: ingressClass.name",
    ),
    (
        "cloudflare-tunnel",
        "",
        "Cloudflare Tunnel Ingress Controller",
        "STRRL/cloudflare-tunnel-ingress-controller: --ingress-class",
    ),
    (
        "f5",
        "",
        "F5 BIG-IP Container Ingress Services",
        "F5Networks/k8s-bigip-ctlr, ingressclass: f5",
    ),
    // Annotations of other controllers.
    (
        "internal",
        "tailscale.com/funnel: 'true'",
        "Tailscale",
        "tailscale/tailscale, cmd/k8s-operator/ingress.go: AnnotationFunnel",
    ),
    (
        "internal",
        "aviinfrasetting.ako.vmware.com/name: a",
        "Avi Kubernetes Operator",
        "AKO, docs/crds/avinfrasetting.md",
    ),
    (
        "internal",
        "oci-native-ingress.oraclecloud.com/protocol: HTTP2",
        "OCI Native Ingress Controller",
        "oracle/oci-native-ingress-controller, GettingStarted.md",
    ),
    (
        "internal",
        "ingress.pomerium.io/policy: a",
        "Pomerium",
        "pomerium/ingress-controller: DefaultAnnotationPrefix",
    ),
    (
        "",
        "zalando.org/skipper-filter: a",
        "Skipper",
        "zalando/skipper, docs/kubernetes/ingress-usage.md",
    ),
    (
        "",
        "higress.io/destination: a",
        "Higress",
        "alibaba/higress, pkg/ingress/kube/annotations: higress.io",
    ),
    (
        "",
        "mse.ingress.kubernetes.io/service-subset: a",
        "MSE Ingress",
        "alibabacloud.com, annotations of MSE Ingress",
    ),
    (
        "internal",
        "ingress.citrix.com/frontend-ip: a",
        "NetScaler Ingress Controller",
        "netscaler-k8s-ingress-controller, docs/configure/annotations.md",
    ),
    (
        "internal",
        "k8s.ngrok.com/modules: a",
        "ngrok Kubernetes Operator",
        "ngrok/ngrok-operator, internal/annotations",
    ),
    (
        "",
        "alb.ingress.kubernetes.io/scheme: internal",
        "AWS Load Balancer Controller",
        "AWS Load Balancer Controller, docs/guide/ingress/annotations.md",
    ),
    (
        "",
        "kubernetes.io/ingress.allow-http: 'false'",
        "GKE Ingress",
        "cloud.google.com, GKE Ingress: disable HTTP",
    ),
    (
        "nginx",
        "nginx.org/rewrites: a",
        "F5 NGINX Ingress Controller",
        "docs.nginx.com, annotations of the NGINX Ingress Controller",
    ),
    (
        "public",
        "haproxy-ingress.github.io/ssl-redirect: 'true'",
        "HAProxy Ingress",
        "haproxy-ingress.github.io, configuration keys",
    ),
    // No evidence.
    (
        "internal",
        "",
        "unknown",
        "kubernetes.io, Ingress: the controller of the IngressClass decides",
    ),
    (
        "public",
        "cert-manager.io/issuer: a",
        "unknown",
        "cert-manager.io, annotated Ingress: works with any controller",
    ),
    (
        "",
        "",
        "unknown",
        "kubernetes.io, Ingress: the default IngressClass of the cluster decides",
    ),
];

#[test]
fn classes_and_annotations_show_the_controller() {
    assert!(INGRESSES.len() >= 30);
    for (class, annotation, expected, source) in INGRESSES {
        let text = ingress(class, annotation);
        assert_eq!(
            controller(&text),
            *expected,
            "{class} {annotation}: {source}"
        );
    }
}

#[test]
fn an_ingress_class_in_the_input_names_the_controller() {
    for (name, expected) in [
        ("k8s.io/ingress-nginx", "ingress-nginx"),
        ("k8s.io/internal-ingress-nginx", "ingress-nginx"),
        ("tailscale.com/ts-ingress", "Tailscale"),
        ("ako.vmware.com/avi-lb", "Avi Kubernetes Operator"),
        (
            "oci.oraclecloud.com/native-ingress-controller",
            "OCI Native Ingress Controller",
        ),
        ("ngrok.com/ingress-controller", "ngrok Kubernetes Operator"),
        ("acme.example/controller", "acme.example/controller"),
    ] {
        let text = ingress("internal", "") + &class("internal", name);
        assert_eq!(controller(&text), expected);
        let default = text.replace("  ingressClassName: internal\n", "").replace(
            "{name: internal}",
            "{name: internal, annotations: {ingressclass.kubernetes.io/is-default-class: 'true'}}",
        );
        assert_eq!(controller(&default), expected);
    }
    // It decides before names and annotations.
    let text = ingress("nginx", "") + &class("nginx", "nginx.org/ingress-controller");
    assert_eq!(controller(&text), "F5 NGINX Ingress Controller");
}

#[test]
fn other_ingresses_of_the_class_show_the_controller() {
    let named = |name: &str, class: &str, annotation: &str| {
        ingress(class, annotation).replace("name: web\n", &format!("name: {name}\n")) + "---\n"
    };
    let both = named("a", "internal", NGINX) + &named("b", "internal", "");
    assert_eq!(controller(&both), "ingress-nginx");
    let apart = named("a", "internal", NGINX) + &named("b", "public", "");
    let found = json(&apart);
    assert_eq!(found["ingresses"]["counts"]["unknown_controller"], 1);
    assert_eq!(
        lines(&found["unknown_fields"], "{reason}"),
        [
            "Ingresses of the class `public`: controller unknown; pass the IngressClass, for example from `kubectl get ingressclass -o yaml`"
        ]
    );
    assert_eq!(
        found["unknown_fields"][0]["places"][0]["pointer"],
        "/spec/ingressClassName"
    );
    let alb = "alb.ingress.kubernetes.io/scheme: internal";
    let differ =
        named("a", "internal", NGINX) + &named("b", "internal", alb) + &named("c", "internal", "");
    let counts = &json(&differ)["ingresses"]["counts"];
    assert_eq!(counts["unknown"], 1);
    assert_eq!(counts["unknown_controller"], 1);
}

#[test]
fn kinds_of_one_vendor_show_the_controller() {
    for (api_version, kind, expected) in [
        ("cloud.google.com/v1", "BackendConfig", "GKE Ingress"),
        ("networking.gke.io/v1beta1", "FrontendConfig", "GKE Ingress"),
        ("traefik.io/v1alpha1", "Middleware", "Traefik"),
        ("configuration.konghq.com/v1", "KongPlugin", "Kong"),
        (
            "elbv2.k8s.aws/v1beta1",
            "IngressClassParams",
            "AWS Load Balancer Controller",
        ),
        ("k8s.nginx.org/v1", "Policy", "F5 NGINX Ingress Controller"),
        ("networking.istio.io/v1", "VirtualService", "unknown"),
    ] {
        let kinds = object(api_version, kind);
        for class in ["", "internal"] {
            assert_eq!(controller(&(ingress(class, "") + &kinds)), expected);
        }
        // A class that is known decides first.
        assert_eq!(
            controller(&(ingress("nginx", "") + &kinds)),
            "ingress-nginx"
        );
    }
    let both = object("cloud.google.com/v1", "BackendConfig")
        + &object("traefik.io/v1alpha1", "Middleware");
    assert_eq!(controller(&(ingress("", "") + &both)), "unknown");
}

#[test]
fn an_unknown_class_is_a_finding_of_the_target() {
    let folder = Folder::with_tree();
    folder.file("a.yaml", ingress("internal", ""));
    let command = "needs a.yaml --in conformance/reports --to acme/operator";
    let output = folder.run(command);
    output.stdout_has("warning[needs/not-compared]: Ingresses of the class `internal`");
    output.stdout_has(" --> a.yaml:7:21");
}

#[test]
fn annotations_of_ingress_nginx_have_no_effect_with_other_controllers() {
    let folder = Folder::with_tree();
    let text = ingress("kong", NGINX);
    folder.file("a.yaml", &text);
    let found = folder.json("needs a.yaml");
    assert_eq!(
        lines(&found["ingresses"]["ignored"], "{reason}"),
        ["no effect with Kong; remove it"]
    );
    assert_eq!(found["beyond"], serde_json::json!([]));
    let output = folder.run("needs a.yaml --in conformance/reports --to acme/operator");
    let help = "help: convert it with `ingress2gateway print --providers kong`, and";
    assert!(output.stdout.contains(help), "{}", output.stdout);
}

#[test]
fn counts_tell_unknown_controllers_from_unknown_annotations() {
    let folder = Folder::new();
    let acme = ingress("web", "") + &class("web", "acme.io/thing");
    let annotated = ingress("nginx", "nginx.ingress.kubernetes.io/acme: a");
    for (text, end) in [
        (ingress("shiny", ""), "1 of an unknown controller"),
        (ingress("", ""), "1 of an unknown controller"),
        (acme, "1 of another controller"),
        (
            annotated,
            "1 with extended features, 1 with annotations that are not read",
        ),
    ] {
        folder.file("a.yaml", &text);
        let output = folder.run("needs a.yaml").stdout;
        let output = output.split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = format!("Ingresses: 1; 0 of them only with core features, {end}");
        assert!(output.contains(&expected), "{output}");
    }
}

#[test]
fn the_controller_in_the_input_serves_ingresses_without_a_class() {
    let named = |kind: &str, name: &str| {
        object("v1", kind).replace("{name: a}", &format!("{{name: {name}}}"))
    };
    for kind in ["ConfigMap", "Deployment", "Service"] {
        let text = named(kind, "edge-ingress-nginx-controller");
        assert_eq!(controller(&(ingress("", "") + &text)), "ingress-nginx");
        assert_eq!(controller(&(ingress("shiny", "") + &text)), "unknown");
    }
    let other = named("Deployment", "controller");
    assert_eq!(controller(&(ingress("", "") + &other)), "unknown");
    let kong = named("Deployment", "ingress-nginx-controller")
        + &object("configuration.konghq.com/v1", "KongPlugin");
    assert_eq!(controller(&(ingress("", "") + &kong)), "Kong");
}
