//! Tests `gwconform needs` with Ingresses: hand-written pairs of an Ingress and its conversion need
//! the same features.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::corpus::next_to_corpus;
use crate::support::folder::Folder;
use crate::support::{lines, run_with_input};
use gwconform_base::api::NameKind;
use gwconform_base::release::Registry;
use gwconform_base::release::ingress::{IngressCase, Outcome};
use gwconform_base::text::source::Source;
use gwconform_cluster::needs::Needs;
use gwconform_cluster::{Cluster, File};

/// Required features, and possibly required ones with `?`.
fn features(text: &str) -> BTreeSet<String> {
    let source = [Source::new("a.yaml", text.as_bytes().to_vec())];
    let files: Vec<File<'_>> = source.iter().map(File::read).collect();
    let cluster = Cluster::read(&files);
    let needs = Needs::new(&cluster, Registry::embedded());
    let perhaps = needs
        .perhaps
        .iter()
        .map(|need| format!("{}?", need.feature));
    needs.features().map(str::to_owned).chain(perhaps).collect()
}

/// An Ingress with these annotations (`name=value`), and with TLS if the first word is `TLS`.
fn ingress(words: &str, path: &str) -> String {
    let mut text = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: web\n  namespace: shop\n".to_owned();
    let (tls, words) = match words.strip_prefix("TLS") {
        Some(rest) => (true, rest.trim_start()),
        None => (false, words),
    };
    if !words.is_empty() {
        text.push_str("  annotations:\n");
    }
    for line in words
        .split('\n')
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let (name, value) = line.split_once('=').unwrap();
        text.push_str(&format!(
            "    nginx.ingress.kubernetes.io/{name}: '{value}'\n"
        ));
    }
    text.push_str("spec:\n  ingressClassName: nginx\n");
    if tls {
        text.push_str("  tls: [{hosts: [shop.example], secretName: cert}]\n");
    }
    text.push_str(&format!(
        "  rules:\n  - host: shop.example\n    http:\n      paths:\n      - path: {path}\n        pathType: ImplementationSpecific\n        backend: {{service: {{name: web, port: {{number: 80}}}}}}\n"
    ));
    text
}

const HTTP: &str = "{name: http, port: 80, protocol: HTTP, hostname: shop.example}";
const HTTPS: &str = "{name: https, port: 443, protocol: HTTPS, hostname: shop.example, tls: {certificateRefs: [{name: cert}]}}";

fn gateway(listeners: &[&str]) -> String {
    format!(
        "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {{name: nginx, namespace: shop}}\nspec: {{gatewayClassName: nginx, listeners: [{}]}}\n",
        listeners.join(", ")
    )
}

fn route(kind: &str, name: &str, section: &str, rules: &str) -> String {
    format!(
        "---\napiVersion: gateway.networking.k8s.io/v1\nkind: {kind}\nmetadata: {{name: {name}, namespace: shop}}\nspec: {{parentRefs: [{{name: nginx, sectionName: {section}}}], hostnames: [shop.example], rules: [{rules}]}}\n"
    )
}

const BACKEND: &str = "backendRefs: [{name: web, port: 80}]";
const PREFIX: &str = "matches: [{path: {type: PathPrefix, value: /}}]";

/// HTTP only, with these fields next to the backend.
fn plain(fields: &str) -> String {
    gateway(&[HTTP])
        + &route(
            "HTTPRoute",
            "web",
            "http",
            &format!("{{{PREFIX}, {BACKEND}{fields}}}"),
        )
}

/// HTTP only, with a redirect instead of the backend.
fn redirect(fields: &str) -> String {
    let filter = format!("filters: [{{type: RequestRedirect, requestRedirect: {{{fields}}}}}]");
    gateway(&[HTTP])
        + &route(
            "HTTPRoute",
            "web",
            "http",
            &format!("{{{PREFIX}, {filter}}}"),
        )
}

fn with_filter(filter: &str) -> String {
    plain(&format!(", filters: [{filter}]"))
}

fn tls_with_redirect() -> String {
    let redirect =
        "{filters: [{type: RequestRedirect, requestRedirect: {scheme: https, statusCode: 308}}]}";
    gateway(&[HTTP, HTTPS])
        + &route(
            "HTTPRoute",
            "web",
            "https",
            &format!("{{{PREFIX}, {BACKEND}}}"),
        )
        + &route("HTTPRoute", "redirect", "http", redirect)
}

fn tls_without_redirect() -> String {
    gateway(&[HTTP, HTTPS])
        + &route(
            "HTTPRoute",
            "web",
            "https",
            &format!("{{{PREFIX}, {BACKEND}}}"),
        )
}

fn grpc(listener: &str, section: &str) -> String {
    gateway(&[listener]) + &route("GRPCRoute", "web", section, &format!("{{{BACKEND}}}"))
}

const POLICY: &str = "---\napiVersion: gateway.networking.k8s.io/v1\nkind: BackendTLSPolicy\nmetadata: {name: web, namespace: shop}\nspec: {targetRefs: [{group: '', kind: Service, name: web}], validation: {hostname: web.shop.svc, caCertificateRefs: [{group: '', kind: ConfigMap, name: ca}]}}\n";

fn client_certificates(mode: &str) -> String {
    format!(
        "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {{name: nginx, namespace: shop}}\nspec: {{gatewayClassName: nginx, tls: {{frontend: {{default: {{validation: {{caCertificateRefs: [{{group: '', kind: ConfigMap, name: ca}}]{mode}}}}}}}}}, listeners: [{HTTP}, {HTTPS}]}}\n"
    ) + &route(
        "HTTPRoute",
        "web",
        "https",
        &format!("{{{PREFIX}, {BACKEND}}}"),
    )
}

const CORS: &str = "{type: CORS, cors: {allowOrigins: ['*']}}";

/// Annotations, path, and the conversion.
fn pairs() -> Vec<(&'static str, &'static str, String)> {
    let rewrite = |to: &str| {
        with_filter(&format!(
            "{{type: URLRewrite, urlRewrite: {{path: {{{to}}}}}}}"
        ))
    };
    let full = "type: ReplaceFullPath, replaceFullPath: ";
    let prefix = "type: ReplacePrefixMatch, replacePrefixMatch: /";
    let root = "path: {type: ReplaceFullPath, replaceFullPath: /new}";
    let beyond = || plain("");
    let mut pairs = vec![
        ("", "/", plain("")),
        ("TLS", "/", tls_with_redirect()),
        ("TLS ssl-redirect=true", "/", tls_with_redirect()),
        ("TLS ssl-redirect=false", "/", tls_without_redirect()),
        ("TLS ssl-redirect=False", "/", tls_without_redirect()),
        ("TLS ssl-redirect=perhaps", "/", tls_with_redirect()),
        (
            "TLS ssl-redirect=false\nforce-ssl-redirect=true",
            "/",
            tls_with_redirect(),
        ),
        ("ssl-redirect=true", "/", plain("")),
        (
            "force-ssl-redirect=true",
            "/",
            redirect("scheme: https, statusCode: 308"),
        ),
        ("force-ssl-redirect=false", "/", plain("")),
        ("enable-cors=true", "/", with_filter(CORS)),
        (
            "enable-cors=true\ncors-allow-origin=https://a.example\ncors-max-age=60",
            "/",
            with_filter(CORS),
        ),
        ("enable-cors=false\ncors-allow-origin=*", "/", plain("")),
        ("cors-allow-origin=*", "/", plain("")),
        (
            "rewrite-target=/new",
            "/old",
            rewrite(&format!("{full}/new")),
        ),
        ("rewrite-target=/", "/old", rewrite(&format!("{full}/"))),
        (
            "use-regex=true\nrewrite-target=/$2",
            "/api(/|$)(.*)",
            rewrite(prefix),
        ),
        (
            "rewrite-target=/v1/$1",
            "/api/(.*)",
            rewrite(&format!("{prefix}v1")),
        ),
        ("rewrite-target=/$1", "/(.*)", plain("")),
        (
            "app-root=/app",
            "/",
            redirect("statusCode: 302, path: {type: ReplaceFullPath, replaceFullPath: /app}"),
        ),
        ("app-root=https://other.example/", "/", plain("")),
        (
            "permanent-redirect=https://new.example/new",
            "/",
            redirect(&format!(
                "scheme: https, hostname: new.example, statusCode: 301, {root}"
            )),
        ),
        (
            "permanent-redirect=https://new.example$request_uri",
            "/",
            redirect("scheme: https, hostname: new.example, statusCode: 301"),
        ),
        (
            "permanent-redirect=https://new.example:8443/new\npermanent-redirect-code=308",
            "/",
            redirect(&format!(
                "scheme: https, hostname: new.example, port: 8443, statusCode: 308, {root}"
            )),
        ),
        (
            "permanent-redirect=/new\npermanent-redirect-code=303",
            "/",
            redirect(&format!("statusCode: 303, {root}")),
        ),
        (
            "permanent-redirect=/new\npermanent-redirect-code=302",
            "/",
            redirect(&format!("statusCode: 302, {root}")),
        ),
        ("permanent-redirect-code=308", "/", plain("")),
        (
            "temporal-redirect=/new",
            "/",
            redirect(&format!("statusCode: 302, {root}")),
        ),
        (
            "temporal-redirect=/new\ntemporal-redirect-code=307",
            "/",
            redirect(&format!("statusCode: 307, {root}")),
        ),
        (
            "temporal-redirect=/new\npermanent-redirect=https://b.example/\npermanent-redirect-code=308",
            "/",
            redirect(&format!("statusCode: 302, {root}")),
        ),
        (
            "from-to-www-redirect=true",
            "/",
            redirect("hostname: www.shop.example, statusCode: 308"),
        ),
        ("from-to-www-redirect=false", "/", plain("")),
        (
            "upstream-vhost=web.internal",
            "/",
            with_filter("{type: URLRewrite, urlRewrite: {hostname: web.internal}}"),
        ),
        (
            "custom-headers=shop/headers",
            "/",
            with_filter(
                "{type: ResponseHeaderModifier, responseHeaderModifier: {set: [{name: A, value: b}]}}",
            ),
        ),
        (
            "connection-proxy-header=keep-alive",
            "/",
            with_filter(
                "{type: RequestHeaderModifier, requestHeaderModifier: {set: [{name: Connection, value: keep-alive}]}}",
            ),
        ),
        (
            "proxy-read-timeout=120",
            "/",
            plain(", timeouts: {request: 120s}"),
        ),
        (
            "proxy-send-timeout=120\nproxy-connect-timeout=5",
            "/",
            plain(", timeouts: {request: 120s}"),
        ),
        ("proxy-read-timeout=0", "/", plain("")),
        (
            "mirror-target=https://test.example/$request_uri",
            "/",
            with_filter(
                "{type: RequestMirror, requestMirror: {backendRef: {name: test, port: 443}}}",
            ),
        ),
        ("backend-protocol=HTTPS", "/", plain("") + POLICY),
        (
            "backend-protocol=HTTPS\nproxy-ssl-verify=on\nproxy-ssl-name=web.shop.svc\nproxy-ssl-server-name=on",
            "/",
            plain("") + POLICY,
        ),
        (
            "proxy-ssl-verify=on\nproxy-ssl-name=web.shop.svc",
            "/",
            plain(""),
        ),
        ("backend-protocol=HTTP", "/", plain("")),
        ("backend-protocol=GRPC", "/", grpc(HTTP, "http")),
        ("TLS backend-protocol=GRPC", "/", grpc(HTTPS, "https")),
        (
            "TLS backend-protocol=grpcs",
            "/",
            grpc(HTTPS, "https") + POLICY,
        ),
        (
            "ssl-passthrough=true\nenable-cors=true",
            "/",
            gateway(&[
                "{name: tls, port: 443, protocol: TLS, hostname: shop.example, tls: {mode: Passthrough}}",
            ]) + &route(
                "TLSRoute",
                "web",
                "tls",
                "{backendRefs: [{name: web, port: 443}]}",
            ),
        ),
        (
            "TLS ssl-passthrough=true",
            "/",
            gateway(&[
                "{name: tls, port: 443, protocol: TLS, hostname: shop.example, tls: {mode: Passthrough}}",
            ]) + &route(
                "TLSRoute",
                "web",
                "tls",
                "{backendRefs: [{name: web, port: 443}]}",
            ),
        ),
        ("ssl-passthrough=false", "/", plain("")),
        (
            "TLS ssl-redirect=false\nauth-tls-secret=shop/ca",
            "/",
            client_certificates(""),
        ),
        (
            "TLS ssl-redirect=false\nauth-tls-secret=shop/ca\nauth-tls-verify-client=optional",
            "/",
            client_certificates(", mode: AllowInsecureFallback"),
        ),
        (
            "TLS ssl-redirect=false\nauth-tls-secret=shop/ca\nauth-tls-verify-client=off",
            "/",
            tls_without_redirect(),
        ),
        ("server-alias=www.shop.example", "/", plain("")),
        ("canary=true\ncanary-weight=20", "/", plain("")),
        (
            "canary=true\ncanary-by-header=X-Canary\ncanary-by-header-value=yes",
            "/",
            gateway(&[HTTP])
                + &route(
                    "HTTPRoute",
                    "web",
                    "http",
                    &format!(
                        "{{matches: [{{headers: [{{name: X-Canary, value: yes}}]}}], {BACKEND}}}"
                    ),
                ),
        ),
        (
            "canary=true\ncanary-weight=20\nenable-cors=true",
            "/",
            plain(""),
        ),
        ("canary=false\nenable-cors=true", "/", with_filter(CORS)),
        (
            "use-regex=true",
            "/item/[0-9]+",
            gateway(&[HTTP])
                + &route(
                    "HTTPRoute",
                    "web",
                    "http",
                    &format!(
                        "{{matches: [{{path: {{type: RegularExpression, value: '/item/[0-9]+.*'}}}}], {BACKEND}}}"
                    ),
                ),
        ),
    ];
    for words in [
        "limit-rps=5",
        "limit-rps=0",
        "auth-type=basic\nauth-secret=users",
        "auth-url=https://a.example",
        "affinity=cookie\nsession-cookie-name=a",
        "whitelist-source-range=10.0.0.0/8",
        "denylist-source-range=10.0.0.0/8",
        "proxy-body-size=8m",
        "configuration-snippet=deny all;",
        "server-snippet=deny all;",
        "default-backend=fallback",
        "custom-http-errors=404",
        "upstream-hash-by=$request_uri",
        "load-balance=ewma",
        "service-upstream=true",
        "proxy-buffering=on",
        "enable-modsecurity=true",
        "satisfy=any",
        "ssl-ciphers=HIGH",
        "proxy-cookie-path=/ /a",
        "backend-protocol=FCGI",
        "http2-push-preload=true",
        "canary=true\ncanary-by-cookie=a",
        "enable-access-log=false",
        "proxy-http-version=1.0",
        "upstream-vhost=$service_name.shop.svc",
        "proxy-next-upstream=off",
        "x-forwarded-prefix=/a",
    ] {
        pairs.push((words, "/", beyond()));
    }
    pairs
}

#[test]
fn an_ingress_needs_the_features_of_its_conversion() {
    for (words, path, converted) in pairs() {
        let read = features(&ingress(words, path));
        assert_eq!(read, features(&converted), "{words}\n{converted}");
    }
}

#[test]
fn every_documented_annotation_has_a_row() {
    let Some(list) = next_to_corpus("sources/ingress2gateway/annotations.txt") else {
        return;
    };
    let table = Registry::embedded().ingress();
    let text = fs::read_to_string(list).unwrap();
    let names = text.lines().map(str::trim);
    let documented: Vec<&str> = names
        .filter(|name| !name.is_empty() && !name.starts_with('#'))
        .collect();
    assert!(documented.len() > 130);
    let missing = documented
        .iter()
        .filter(|name| !table.rows.contains_key(**name));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&&str>::new());
}

#[test]
fn the_rows_are_the_annotations_of_the_last_release() {
    let list = include_str!("ingress_nginx_annotations.txt");
    let listed: BTreeSet<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(listed.len() > 135);
    let rows = &Registry::embedded().ingress().rows;
    let (removed, rows): (Vec<_>, Vec<_>) = rows.iter().partition(|(_, row)| row.removed.is_some());
    let rows: BTreeSet<&str> = rows.into_iter().map(|(name, _)| name.as_str()).collect();
    let differences: Vec<_> = listed.symmetric_difference(&rows).collect();
    assert_eq!(differences, [&""; 0]);
    for (name, _) in removed {
        assert!(!listed.contains(name.as_str()), "{name}");
    }
}

#[test]
fn annotations_that_ingress_nginx_no_longer_reads_are_ignored() {
    let ignored = |annotations: &str| {
        let text = ingress("", "/").replace(
            "  name: web\n",
            &format!("  name: web\n  annotations: {{{annotations}}}\n"),
        );
        let found = json(&text);
        let ingresses = &found["ingresses"];
        assert_eq!(ingresses["counts"]["core"], 1, "{text}");
        assert_eq!(ingresses["unknown_annotations"], serde_json::json!([]));
        lines(&ingresses["ignored"], "{annotation}: {reason}")
    };
    for (name, when) in [
        ("secure-backends", "in 0.21.0"),
        ("grpc-backend", "in 0.21.0"),
        ("add-base-url", "in 0.22.0"),
        ("base-url-scheme", "in 0.22.0"),
        ("session-cookie-hash", "in 0.24.0"),
        ("mirror-uri", "before 1.0.0"),
    ] {
        let name = format!("nginx.ingress.kubernetes.io/{name}");
        let expected = format!("{name}: no effect: removed {when}");
        assert_eq!(ignored(&format!("{name}: 'true'")), [expected]);
    }
    assert_eq!(
        ignored("ingress.kubernetes.io/limit-rps: '5'"),
        [
            "ingress.kubernetes.io/limit-rps: no effect: the prefix is nginx.ingress.kubernetes.io since 0.9"
        ]
    );
    // Other controllers read the prefix.
    let other = ingress("", "/")
        .replace("ingressClassName: nginx", "ingressClassName: haproxy")
        .replace(
            "  name: web\n",
            "  name: web\n  annotations: {ingress.kubernetes.io/limit-rps: '5'}\n",
        );
    assert_eq!(
        lines(&json(&other)["beyond"], "{text}"),
        ["annotations of `ingress.kubernetes.io`"]
    );
}

#[test]
fn annotations_of_the_last_release_are_known() {
    for (words, beyond) in [
        (
            "auth-url=http://a.example/\nauth-keepalive-share-vars=true",
            "external authentication: `auth-keepalive-share-vars`",
        ),
        (
            "backend-protocol=FCGI\nfastcgi-index=index.php",
            "FastCGI backends: `fastcgi-index`",
        ),
        (
            "backend-protocol=FCGI\nfastcgi-params-configmap=a",
            "FastCGI backends: `fastcgi-params-configmap`",
        ),
        (
            "limit-rps=5\nlimit-allowlist=10.0.0.0/8",
            "rate limits: `limit-allowlist`",
        ),
        (
            "affinity=cookie\nsession-cookie-partitioned=true",
            "session affinity: `session-cookie-partitioned`",
        ),
    ] {
        let found = json(&ingress(words, "/"));
        assert!(
            lines(&found["beyond"], "{text}").contains(&beyond.to_owned()),
            "{found}"
        );
        assert_eq!(found["ingresses"]["counts"]["unknown"], 0);
    }
    let port = json(&ingress("use-port-in-redirects=true", "/"));
    assert_eq!(
        lines(&port["perhaps"], "{feature}"),
        ["HTTPRoutePortRedirect"]
    );
}

#[test]
fn rows_name_known_features_annotations_and_sources() {
    let registry = Registry::embedded();
    let table = registry.ingress();
    let features = registry.names(NameKind::Feature);
    let all: Vec<&IngressCase> = (table.rows.values().chain(&table.tls))
        .flat_map(|row| &row.cases)
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for case in &all {
        let named = match &case.outcome {
            Outcome::Extended(named) => named.clone(),
            _ => Vec::new(),
        };
        for name in case.defaults.keys() {
            assert!(named.contains(name), "{name}");
        }
        let perhaps = case.perhaps.iter().flat_map(|(named, _)| named.clone());
        for name in named.into_iter().chain(perhaps) {
            assert!(features.contains(name.as_str()), "{name}");
        }
        for (other, _) in case.with.iter().chain(&case.without) {
            assert!(table.rows.contains_key(other), "{other}");
        }
        *counts
            .entry(match &case.outcome {
                Outcome::Core(_) => "core",
                Outcome::Extended(_) => "extended",
                Outcome::Beyond(_) => "beyond the API",
                Outcome::NoEquivalent(_) => "no equivalent",
                Outcome::Shape(_) => "depends on paths or URL",
            })
            .or_default() += 1;
    }
    for row in table.rows.values() {
        assert!(row.source.starts_with("https://"), "{}", row.source);
        assert!(!row.cases.is_empty() || row.removed.is_some());
    }
    let rows = table.rows.len();
    let lines = counts
        .iter()
        .map(|(name, count)| format!("{name}: {count}\n"));
    insta::assert_snapshot!(
        "needs_ingress_table",
        format!("{rows} annotations\n{}", lines.collect::<String>())
    );
}

fn json(text: &str) -> Value {
    let folder = Folder::new();
    folder.file("a.yaml", text);
    folder.json("needs a.yaml")
}

#[test]
fn a_list_of_kubectl_is_counted_by_what_each_ingress_needs() {
    let item = |words: &str, path: &str| {
        let text = ingress(words, path).replace('\n', "\n  ");
        format!("- {}\n", text.trim_end())
    };
    let list = format!(
        "apiVersion: v1\nkind: List\nitems:\n{}{}{}{}{}",
        item("", "/"),
        item("proxy-next-upstream=off\nenable-cors=false", "/"),
        item("TLS enable-cors=true\nlimit-rps=5", "/"),
        item("backend-protocol=FCGI", "/"),
        item("enable-coors=true", "/"),
    );
    let found = json(&list);
    // The hosts of all are the same, so they share the TLS of the third.
    let ingresses = &found["ingresses"];
    assert_eq!(found["counts"]["resources"], 5);
    assert_eq!(ingresses["counts"]["ingresses"], 5);
    assert_eq!(ingresses["counts"]["core"], 0);
    let apart = json(&list.replacen("shop.example], secretName", "other.example], secretName", 1));
    let ingresses = &apart["ingresses"];
    let counts = [
        "ingresses",
        "core",
        "extended",
        "beyond",
        "no_equivalent",
        "unknown",
    ];
    assert_eq!(
        counts.map(|name| ingresses["counts"][name].as_u64().unwrap()),
        [5, 2, 1, 1, 1, 1]
    );
    assert_eq!(
        lines(&apart["beyond"], "{text}"),
        [
            "rate limits: `limit-rps`",
            "FastCGI backends: `backend-protocol`"
        ]
    );
    assert_eq!(
        lines(&apart["beyond"], "{kind}"),
        ["ingress", "no-equivalent"]
    );
    let unknown = &ingresses["unknown_annotations"][0];
    assert_eq!(
        unknown["annotation"],
        "nginx.ingress.kubernetes.io/enable-coors"
    );
    assert_eq!(unknown["similar"], "enable-cors");
    let command = "ingress2gateway print --providers ingress-nginx --input-file a.yaml";
    assert_eq!(ingresses["convert"], serde_json::json!([command]));
}

#[test]
fn a_place_is_the_annotation_without_the_value_of_a_snippet() {
    let found = json(&ingress(
        "enable-cors=true\nconfiguration-snippet=secret",
        "/",
    ));
    let place = &found["needs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|need| need["feature"] == "HTTPRouteCORS")
        .unwrap()["places"][0];
    assert_eq!(place["text"], "`enable-cors: true`");
    assert_eq!(
        place["pointer"],
        "/metadata/annotations/nginx.ingress.kubernetes.io~1enable-cors"
    );
    assert_eq!(place["object"], "Ingress/shop/web");
    assert_eq!(place["line"], 7);
    assert!(!found.to_string().contains("secret"));
}

#[test]
fn settings_that_ingress_nginx_enforces_are_marked() {
    let found = json(&ingress(
        "auth-realm=Shop\nauth-secret=users\nauth-type=basic\nenable-access-log=false\nlimit-rps=5\nproxy-body-size=8m\nserver-snippet=deny all;\nwhitelist-source-range=10.0.0.0/8",
        "/",
    ));
    let all = found["beyond"].as_array().unwrap().iter();
    let (enforced, others): (Vec<&Value>, Vec<&Value>) =
        all.partition(|one| one["enforced"].as_bool().unwrap());
    let annotations = |all: Vec<&Value>| {
        let names = all.into_iter().map(|one| one["text"].as_str().unwrap());
        let names = names.map(|text| text.split('`').nth(1).unwrap().to_owned());
        names
            .collect::<BTreeSet<String>>()
            .into_iter()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(
        annotations(enforced),
        "auth-secret auth-type limit-rps server-snippet whitelist-source-range"
    );
    assert_eq!(
        annotations(others),
        "auth-realm enable-access-log proxy-body-size"
    );
}

#[test]
fn only_implied_features_have_an_alternative() {
    let alternatives = |text: &str| {
        let found = json(text);
        let needs = found["needs"].as_array().unwrap().iter();
        let named = needs.filter_map(|need| {
            let alternative = need["alternative"].as_str()?;
            Some(format!("{}: {alternative}", need["feature"].as_str()?))
        });
        named.collect::<Vec<_>>().join(", ")
    };
    let status = "HTTPRoute308RedirectStatusCode: 301";
    for words in [
        "TLS",
        "force-ssl-redirect=true",
        "from-to-www-redirect=true",
    ] {
        assert_eq!(alternatives(&ingress(words, "/")), status, "{words}");
    }
    let timeout = ingress("TLS proxy-read-timeout=60\nenable-cors=true", "/");
    assert_eq!(
        alternatives(&timeout),
        format!("{status}, HTTPRouteRequestTimeout: no timeout")
    );
    let code = "permanent-redirect=https://a.example$request_uri\npermanent-redirect-code=308";
    assert_eq!(alternatives(&ingress(&format!("TLS {code}"), "/")), "");
    // A Route requests both.
    let written = "timeouts: {request: 60s}, filters: [{type: RequestRedirect, requestRedirect: {statusCode: 308}}]";
    let route = route("HTTPRoute", "web", "http", &format!("{{{written}}}"));
    assert_eq!(alternatives(&(timeout + &route)), "");
}

#[test]
fn an_ingress_that_possibly_needs_a_feature_counts_as_core() {
    let found = json(&ingress("proxy-next-upstream-tries=3", "/"));
    assert_eq!(lines(&found["perhaps"], "{feature}"), ["HTTPRouteRetry"]);
    assert_eq!(found["ingresses"]["counts"]["extended"], 0);
    assert_eq!(found["ingresses"]["counts"]["core"], 1);
}

#[test]
fn annotations_that_another_one_turns_off_are_listed() {
    let ignored = |words: &str| {
        let found = json(&ingress(words, "/"));
        let all = found["ingresses"]["ignored"].as_array().unwrap().iter();
        let named = all.map(|one| {
            assert_eq!(one["places"][0]["value"], Value::Null);
            let name = one["annotation"].as_str().unwrap().rsplit('/').next();
            format!("{} {}", one["reason"].as_str().unwrap(), name.unwrap())
        });
        named.collect::<Vec<_>>()
    };
    let words = "auth-snippet=secret\ncanary-weight=5\nenable-cors=true\nhttp2-push-preload=false\nproxy-buffering=off\nserver-alias=b.example";
    assert_eq!(
        ignored(&format!("canary=true\n{words}")),
        [
            "turned off by canary auth-snippet",
            "turned off by canary enable-cors",
            "turned off by canary server-alias"
        ]
    );
    assert_eq!(
        ignored(&format!("ssl-passthrough=true\n{words}")),
        [
            "turned off by ssl-passthrough auth-snippet",
            "turned off by ssl-passthrough canary-weight",
            "turned off by ssl-passthrough enable-cors",
            "turned off by ssl-passthrough server-alias"
        ]
    );
    assert!(ignored(&format!("canary=false\n{words}")).is_empty());
}

#[test]
fn older_versions_and_typed_lists_are_read() {
    let old = "apiVersion: extensions/v1beta1\nkind: Ingress\nmetadata: {name: a, annotations: {nginx.ingress.kubernetes.io/app-root: /app}}\nspec: {rules: [{http: {paths: [{backend: {serviceName: a, servicePort: 80}}]}}]}\n";
    assert!(features(old).contains("HTTPRoutePathRedirect"));
    let list = r#"{"kind": "IngressList", "apiVersion": "networking.k8s.io/v1", "items": [{"metadata": {"name": "a", "annotations": {"nginx.ingress.kubernetes.io/enable-cors": "true"}}, "spec": {"defaultBackend": {"service": {"name": "a", "port": {"number": 80}}}}}]}"#;
    assert!(features(list).contains("HTTPRouteCORS"));
    let resource = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a}\nspec: {defaultBackend: {resource: {apiGroup: k8s.acme.example, kind: Bucket, name: a}}}\n";
    let found = json(resource);
    assert_eq!(
        lines(&found["beyond"], "{text}"),
        ["backend of kind `Bucket.k8s.acme.example`"]
    );
    assert_eq!(found["ingresses"]["counts"]["core"], 0);
}

#[test]
fn the_class_decides_whose_annotations_have_an_effect() {
    let of_class = |class: &str| {
        ingress("TLS enable-cors=true", "/").replace(
            "ingressClassName: nginx",
            &format!("ingressClassName: {class}"),
        )
    };
    let own = json(&of_class("internal"));
    assert_eq!(
        own["ingresses"]["convert"][0],
        "ingress2gateway print --providers ingress-nginx --ingress-nginx-ingress-class=internal --input-file a.yaml"
    );
    assert!(features(&of_class("internal")).contains("HTTPRouteCORS"));
    let traefik = json(&of_class("traefik"));
    assert_eq!(
        lines(&traefik["needs"], "{feature}"),
        ["Gateway", "HTTPRoute"]
    );
    assert_eq!(
        traefik["ingresses"]["other_controllers"][0]["controller"],
        "Traefik"
    );
    assert_eq!(traefik["ingresses"]["convert"], serde_json::json!([]));
    let class = |controller: &str| {
        format!(
            "---\napiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {{name: internal}}\nspec: {{controller: {controller}}}\n"
        )
    };
    let with = |controller: &str| features(&(of_class("internal") + &class(controller)));
    assert!(with("k8s.io/ingress-nginx-internal").contains("HTTPRouteCORS"));
    assert!(!with("ingress-controllers.konghq.com/kong").contains("HTTPRouteCORS"));
    assert!(!with("acme.example/controller").contains("HTTPRouteCORS"));
    let others = ingress("", "/").replace(
        "  name: web",
        "  name: web\n  annotations: {nginx.org/rewrites: a}",
    );
    let found = json(&others);
    assert_eq!(
        found["ingresses"]["other_controllers"][0]["controller"],
        "F5 NGINX Ingress Controller"
    );
    assert_eq!(
        found["ingresses"]["other_controllers"][0]["provider"],
        "nginx"
    );
    assert_eq!(found["not_read"], serde_json::json!([]));
}

#[test]
fn annotations_of_tools_keep_working() {
    let tool = ingress("", "/").replace("  name: web", "  name: web\n  annotations: {cert-manager.io/issuer: a, external-dns.alpha.kubernetes.io/ttl: '1'}");
    let found = json(&tool);
    assert_eq!(
        lines(&found["kept"], "{tool}"),
        ["cert-manager", "external-dns"]
    );
    assert_eq!(found["beyond"], serde_json::json!([]));
    assert_eq!(found["ingresses"]["counts"]["core"], 1);
    let acme = ingress("", "/").replace("  name: web\n", "  name: web\n  annotations: {kubernetes.io/tls-acme: 'true', kubernetes.io/ingress.class: nginx}\n");
    assert_eq!(
        lines(&json(&acme)["kept"], "{tool} {count}"),
        ["cert-manager 1"]
    );
}

const PASSTHROUGH: &str = "apiVersion: gateway.networking.k8s.io/v1\nkind: TLSRoute\nmetadata: {name: a, namespace: shop}\nspec: {parentRefs: [{name: nginx}], rules: [{backendRefs: [{name: web, port: 443}]}]}\n";

#[test]
fn tests_with_other_routes_prove_nothing_about_a_tls_route() {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR"));
    let arguments = [
        "needs",
        "-",
        "--in",
        "reports",
        "--all-releases",
        "--format",
        "json",
    ]
    .map(str::to_owned);
    let input = format!("{PASSTHROUGH}{POLICY}");
    let output = run_with_input(tree, &arguments, input.as_bytes());
    let found: Value = serde_json::from_str(&output.stdout).unwrap();
    let mut seen = 0;
    for answer in found["answers"].as_array().unwrap() {
        let met = lines(&answer["met"], "{feature}");
        assert!(!met.contains(&"BackendTLSPolicy".to_owned()), "{answer}");
        let claimed = answer["claimed"].as_array().unwrap().iter();
        for one in claimed.filter(|one| one["state"] == "proved") {
            assert!(
                one["text"]
                    .as_str()
                    .unwrap()
                    .ends_with(", in tests of HTTPRoutes"),
                "{one}"
            );
            seen += 1;
        }
    }
    assert!(seen > 0, "{found}");
}

#[test]
fn features_of_added_releases_without_an_entry_are_named() {
    let folder = Folder::new();
    folder.file("a.yaml", PASSTHROUGH);
    let release = r#"{"release": "v1.99.0", "base": "v1.6.1", "features": {"HTTPRouteTeleport": {"level": "extended", "channel": "experimental", "resource": "HTTPRoute", "meaning": "Moves requests."}}}"#;
    folder.file("facts/v1.99.0.json", release);
    let output = folder.run("needs a.yaml --registry facts");
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let line = "Not detected, because `needs.json` has no entry: HTTPRouteTeleport";
    output.stdout_has(line);
    assert_eq!(
        folder.json("needs a.yaml")["without_entry"],
        serde_json::json!([])
    );
}

#[test]
fn tcp_routes_on_a_listener_that_terminates_tls_need_no_tls_route() {
    let tcp = PASSTHROUGH.replace("TLSRoute", "TCPRoute");
    let listener = "{name: tls, port: 443, protocol: TLS, tls: {mode: Terminate, certificateRefs: [{name: cert}]}}";
    let found = json(&format!("{}---\n{tcp}", gateway(&[listener])));
    assert_eq!(lines(&found["needs"], "{feature}"), ["Gateway", "TCPRoute"]);
    assert_eq!(found["perhaps"], serde_json::json!([]));
    assert_eq!(
        lines(&found["uncovered"], "{field}"),
        ["TCPRoutes on TLS listeners"]
    );
}

#[test]
fn a_policy_may_write_core_for_the_group_of_a_service() {
    let route = route("HTTPRoute", "web", "http", &format!("{{{BACKEND}}}"));
    let service = "---\napiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: shop}\n";
    let policy = "---\napiVersion: acme.example/v1\nkind: RatePolicy\nmetadata: {name: p, namespace: shop}\nspec: {targetRefs: [{group: core, kind: Service, name: web}]}\n";
    let found = json(&format!("{}{route}{service}{policy}", gateway(&[HTTP])));
    assert_eq!(lines(&found["beyond"], "{kind}"), ["policy"]);
    assert_eq!(found["not_read"], serde_json::json!([]));
}

#[test]
fn heading_counts_unread_objects() {
    let folder = Folder::new();
    let others = "---\na: {{ .Values.a }}\n---\na: [\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n";
    folder.file("a.yaml", format!("{PASSTHROUGH}{others}"));
    let output = folder.run("needs a.yaml").stdout;
    let heading = output.split("\n\n").next().unwrap().split_whitespace();
    assert_eq!(
        heading.collect::<Vec<_>>().join(" "),
        "Needs of 1 resource of 1 file (1 of other kinds); not read: 1 document (not valid YAML), 1 document (a Helm template), Deployment.apps (1)"
    );
}

#[test]
fn a_known_patch_without_crds_means_those_of_its_minor() {
    let folder = Folder::new();
    folder.file("a.yaml", PASSTHROUGH.replace("/v1\n", "/v1alpha2\n"));
    let by_minor = folder.run("needs a.yaml --crds v1.6/standard");
    assert_eq!(by_minor.code, 1);
    assert_eq!(
        folder.run("needs a.yaml --crds v1.6.2/standard").stdout,
        by_minor.stdout
    );
    assert_eq!(folder.run("needs a.yaml --crds v1.6.9/standard").code, 2);
}

#[test]
fn hostile_ingresses_are_read() {
    let long = "a".repeat(100_000);
    for text in [
        "apiVersion: networking.k8s.io/v1\nkind: Ingress\n".to_owned(),
        "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {annotations: [a, b]}\nspec: []\n".to_owned(),
        "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {annotations: {nginx.ingress.kubernetes.io/: x, nginx.ingress.kubernetes.io/enable-cors: {a: b}, nginx.ingress.kubernetes.io/canary: true, /: a}}\nspec: {rules: [{http: {paths: {a: b}}}, null, 3], tls: 3}\n".to_owned(),
        ingress(&format!("permanent-redirect=https://[::1]:{long}"), "/"),
        ingress(&format!("rewrite-target=/$2{long}"), &format!("'/a(/|$)(.*){long}'")),
        ingress(&format!("{}=x", "a".repeat(900)), "/"),
    ] {
        let found = json(&text);
        assert_eq!(found["ingresses"]["counts"]["ingresses"], 1);
        assert!(found.to_string().len() < 10_000);
    }
    let words: Vec<String> = (0..5_000).map(|at| format!("name-{at}=x")).collect();
    let found = json(&ingress(&words.join("\n"), "/"));
    assert_eq!(
        found["ingresses"]["unknown_annotations"]
            .as_array()
            .unwrap()
            .len(),
        5_000
    );
    let words: Vec<String> = (0..12_000).map(|at| format!("name-{at}=x")).collect();
    let found = json(&ingress(&words.join("\n"), "/"));
    assert_eq!(found["counts"]["omitted"], 2_000);
}

#[test]
fn findings_show_annotations_but_no_credentials() {
    let folder = Folder::with_tree();
    folder.file(
        "a.yaml",
        "apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: a
  annotations:
    nginx.ingress.kubernetes.io/enable-cors: \"true\"
    nginx.ingress.kubernetes.io/configuration-snippet: 'proxy_set_header Authorization hunter2;'
spec:
  rules:
  - host: a.example.com
    http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: a, port: {number: 80}}}}]}
",
    );
    for format in ["human", "json", "markdown", "github", "sarif", "junit"] {
        let command = "needs a.yaml --in conformance/reports --to acme/operator";
        let output = folder.run(&format!("{command} --format {format}"));
        let text = output.stdout + &output.stderr;
        assert!(text.contains("HTTPRouteCORS"), "{format}: {text}");
        assert!(text.contains("configuration-snippet"), "{format}: {text}");
        assert!(!text.contains("hunter2"), "{format}: {text}");
    }
}
