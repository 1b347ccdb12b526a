//! Checks that all modes of `needs` answer from one list of losses.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use crate::support::corpus::{corpus, sources_of_releases};
use crate::support::folder::Folder;
use crate::support::{has_time, lines, one_in};

/// Rules about losses that no report decides.
const UNDECIDED: [&str; 8] = [
    "needs/approximate",
    "needs/beyond",
    "needs/channel",
    "needs/implementation-specific",
    "needs/no-equivalent",
    "needs/not-compared",
    "needs/possibly",
    "needs/uncovered",
];

/// Rules about features that a report does not prove, or that a class or mesh does not list.
const DECIDED: [&str; 4] = [
    "needs/not-listed",
    "needs/not-stated",
    "needs/unproved",
    "needs/unsupported",
];

const CLASS: &str = "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: acme}\nspec: {controllerName: acme.example/gateway}\nstatus: {supportedFeatures: [{name: Gateway}, {name: HTTPRoute}, {name: HTTPRouteMethodMatching}]}\n";
const MESH: &str = "apiVersion: gateway.networking.x-k8s.io/v1alpha1\nkind: XMesh\nmetadata: {name: acme}\nspec: {controllerName: acme.example/mesh}\nstatus: {supportedFeatures: [{name: Mesh}, {name: HTTPRoute}]}\n";

const GATEWAY: &str = "parentRefs: [{name: edge}]";
const SERVICE: &str = "parentRefs: [{kind: Service, group: '', name: s}]";

/// Rules of an HTTPRoute. Each has a need or a loss, except the first.
const RULES: [&str; 16] = [
    "{backendRefs: [{name: web, port: 80}]}",
    "{matches: [{method: GET}]}",
    "{matches: [{queryParams: [{name: a, value: b}]}]}",
    "{matches: [{path: {type: RegularExpression, value: /a}}]}",
    "{filters: [{type: CORS, cors: {allowOrigins: ['*']}}]}",
    "{filters: [{type: ExtensionRef, extensionRef: {group: gateway.acme.example, kind: Snippets, name: a}}]}",
    "{filters: [{type: ExtensionRef, extensionRef: {group: globex.example, kind: Limits, name: a}}]}",
    "{filters: [{type: RequestMirror, requestMirror: {backendRef: {name: m, port: 80}}}]}",
    "{timeouts: {request: 1s}}",
    "{retry: {attempts: 2}}",
    "{name: checkout}",
    "{sessionPersistence: {sessionName: a}}",
    "{backendRefs: [{group: globex.example, kind: Bucket, name: a}]}",
    "{backendRefs: [{name: outside, port: 443}]}",
    "{filter: []}",
    "{backendRefs: [{name: api, port: 80}]}",
];

/// Annotations of an Ingress, with the prefix of ingress-nginx unless they have their own.
const ANNOTATIONS: [&str; 14] = [
    "enable-cors: 'true'",
    "auth-url: https://auth.example",
    "whitelist-source-range: 10.0.0.0/8",
    "limit-rps: '5'",
    "server-snippet: deny all;",
    "proxy-buffer-size: 8k",
    "proxy-read-timeout: '120'",
    "backend-protocol: FCGI",
    "use-port: '80'",
    "proxy-next-upstream: error",
    "rewrite-target: /$1",
    "alb.ingress.kubernetes.io/scheme: internal",
    "traefik.ingress.kubernetes.io/router.tls: 'true'",
    "globex.example/flag: a",
];

/// Other documents. `NS` is replaced with the namespace.
const OTHERS: [&str; 14] = [
    "apiVersion: v1\nkind: Service\nmetadata: {name: outside, namespace: NS}\nspec: {type: ExternalName}\n",
    "apiVersion: v1\nkind: Service\nmetadata: {name: api, namespace: NS}\nspec: {ports: [{port: 80, appProtocol: kubernetes.io/h2c}]}\n",
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: NS}\n",
    "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: web, namespace: NS}\n",
    "apiVersion: gateway.networking.k8s.io/v9\nkind: HTTPRoute\nmetadata: {name: new, namespace: NS}\nspec: {parentRefs: [{name: edge}]}\n",
    "apiVersion: gateway.networking.k8s.io/v1\nkind: HttpRoute\nmetadata: {name: new, namespace: NS}\n",
    "apiVersion: globex.example/v1\nkind: TrafficPolicy\nmetadata: {name: p, namespace: NS}\nspec: {targetRefs: [{group: gateway.networking.k8s.io, kind: HTTPRoute, name: other}]}\n",
    "apiVersion: globex.example/v1\nkind: TrafficPolicy\nmetadata: {name: s, namespace: NS}\nspec: {targetSelectors: [{group: gateway.networking.k8s.io, kind: Gateway, matchLabels: {a: b}}]}\n",
    "apiVersion: gateway.networking.k8s.io/v1\nkind: ReferenceGrant\nmetadata: {name: g, namespace: NS}\nspec: {from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: a}], to: [{group: '', kind: Service}]}\n",
    "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a]\n",
    "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: mtls, namespace: NS}\nspec: {gatewayClassName: acme, addresses: [{value: 10.0.0.1}], tls: {frontend: {default: {validation: {caCertificateRefs: [{kind: ConfigMap, group: '', name: a}]}}}}, listeners: [{name: a, port: 443, protocol: HTTPS}]}\n",
    "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: edge, namespace: NS, annotations: {globex.example/ip: a}}\nspec: {gatewayClassName: acme, listeners: [{name: a, port: 80, protocol: HTTP}, {name: b, port: 443, protocol: TLS, tls: {mode: Terminate}}]}\n",
    "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: broken, namespace: NS}\nspec: {parentRefs: [{name: edge}], a: [\n",
    "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: '{{ .Release.Name }}', namespace: NS}\nspec: {parentRefs: [{name: edge}]}\n",
];

/// Objects that have nothing to do with the others.
const UNRELATED: [&str; 12] = [
    "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: far, namespace: far}\nspec: {parentRefs: [{name: far}], hostnames: [far.example], rules: [{name: far, matches: [{method: GET}], timeouts: {request: 1s}, backendRefs: [{name: far, port: 80}]}]}\n",
    "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: far, namespace: far}\nspec: {parentRefs: [{kind: Service, group: '', name: far}], rules: [{timeouts: {request: 1s}, sessionPersistence: {sessionName: a}}]}\n",
    "apiVersion: gateway.networking.k8s.io/v1\nkind: GRPCRoute\nmetadata: {name: far, namespace: far}\nspec: {parentRefs: [{name: far}]}\n",
    "apiVersion: gateway.networking.k8s.io/v1\nkind: TLSRoute\nmetadata: {name: far, namespace: far}\nspec: {parentRefs: [{name: far}]}\n",
    "apiVersion: gateway.networking.k8s.io/v1\nkind: TCPRoute\nmetadata: {name: far, namespace: far}\nspec: {parentRefs: [{name: far}]}\n",
    "apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\nmetadata: {name: far, namespace: far}\nspec: {gatewayClassName: far, listeners: [{name: a, port: 80, protocol: HTTP, hostname: far.example}]}\n",
    "apiVersion: gateway.networking.k8s.io/v1\nkind: ReferenceGrant\nmetadata: {name: far, namespace: far}\nspec: {from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: far2}], to: [{group: '', kind: Service}]}\n",
    "apiVersion: v1\nkind: Service\nmetadata: {name: far, namespace: far}\nspec: {ports: [{port: 80}]}\n",
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: far, namespace: far}\n",
    "apiVersion: batch/v1\nkind: AJob\nmetadata: {name: far, namespace: far}\n",
    "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: far, namespace: far, annotations: {nginx.ingress.kubernetes.io/permanent-redirect: 'https://far.example', nginx.ingress.kubernetes.io/permanent-redirect-code: '308'}}\nspec: {ingressClassName: nginx, tls: [{hosts: [far.example]}], rules: [{host: far.example}]}\n",
    "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: far, namespace: far}\nspec: {hostnames: [far.example], rules: [{filter: []}]}\n",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Gateway,
    Mesh,
}

fn route(nth: usize, parents: &str, rules: &[usize]) -> String {
    let rules: Vec<&str> = rules.iter().map(|at| RULES[*at]).collect();
    format!(
        "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {{name: r{nth}, namespace: shop}}\nspec: {{{parents}, rules: [{}]}}\n",
        rules.join(", ")
    )
}

fn ingress(nth: usize, class: &str, annotations: &[usize], has_tls: bool) -> String {
    let keys = annotations.iter().map(|at| match ANNOTATIONS[*at] {
        own if own.contains(".example/") || own.contains("kubernetes.io/") => own.to_owned(),
        name => format!("nginx.ingress.kubernetes.io/{name}"),
    });
    let keys: BTreeSet<String> = keys.map(|key| format!("    {key}\n")).collect();
    let keys: String = keys.into_iter().collect();
    let tls = if has_tls {
        format!("tls: [{{hosts: [h{nth}.example]}}], ")
    } else {
        String::new()
    };
    format!(
        "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: i{nth}\n  namespace: shop\n  annotations:\n    a: b\n{keys}spec: {{ingressClassName: {class}, {tls}rules: [{{host: h{nth}.example, http: {{paths: [{{path: /, pathType: Prefix, backend: {{service: {{name: web, port: {{number: 80}}}}}}}}]}}}}]}}\n"
    )
}

fn manifests(family: Family) -> impl Strategy<Value = String> {
    let rules = vec(0..RULES.len(), 1..5);
    let routes = vec(rules, 1..4);
    let ingresses = vec(
        (
            vec(0..ANNOTATIONS.len(), 0..5),
            prop::sample::select(vec!["nginx", "alb"]),
            any::<bool>(),
        ),
        0..3,
    );
    let others = vec(0..OTHERS.len(), 0..5);
    (routes, ingresses, others).prop_map(move |(routes, ingresses, others)| {
        let parents = match family {
            Family::Gateway => GATEWAY,
            Family::Mesh => SERVICE,
        };
        let routes = routes.iter().enumerate();
        let mut documents: Vec<String> = routes
            .map(|(nth, rules)| route(nth, parents, rules))
            .collect();
        if family == Family::Gateway {
            let ingresses = ingresses.iter().enumerate();
            documents
                .extend(ingresses.map(|(nth, (keys, class, tls))| ingress(nth, class, keys, *tls)));
            documents.extend(others.iter().map(|at| OTHERS[*at].replace("NS", "shop")));
        }
        documents.join("---\n")
    })
}

/// Entries of the list that no report decides: the section, and the path and line of their places.
fn undecided(list: &Value) -> Vec<(String, Vec<(String, u64)>)> {
    let ingresses = &list["ingresses"];
    let sections = [
        ("beyond", &list["beyond"]),
        ("uncovered", &list["uncovered"]),
        ("perhaps", &list["perhaps"]),
        ("unread", &list["unread"]),
        ("unknown", &list["unknown"]),
        ("unknown_fields", &list["unknown_fields"]),
        ("not_read", &list["not_read"]),
        ("approximate", &ingresses["approximate"]),
        ("unknown_annotations", &ingresses["unknown_annotations"]),
        ("other_controllers", &ingresses["other_controllers"]),
    ];
    let place = |one: &Value| {
        let path = one["path"].as_str().unwrap().to_owned();
        (path, one["line"].as_u64().unwrap())
    };
    let mut all = Vec::new();
    for (name, entries) in sections {
        for entry in entries.as_array().into_iter().flatten() {
            let places = match entry["places"].as_array() {
                Some(places) => places.iter().map(place).collect(),
                None => vec![place(entry)],
            };
            let key = [
                "text",
                "field",
                "feature",
                "reason",
                "annotation",
                "controller",
                "kind",
            ];
            let key = key.iter().find_map(|key| entry[*key].as_str()).unwrap();
            all.push((format!("{name} {key}"), places));
        }
    }
    all
}

/// Findings of the rules: the path, the line and the message.
fn found(findings: &Value, rules: &[&str]) -> BTreeSet<(String, u64, String)> {
    let all = findings["findings"].as_array().unwrap().iter();
    let own = all.filter(|one| rules.contains(&one["rule"].as_str().unwrap()));
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    own.map(|one| {
        let line = one["line"].as_u64().unwrap();
        (text(one, "path"), line, text(one, "message"))
    })
    .collect()
}

/// Each entry that no report decides is a finding at one of its places.
fn check_undecided(list: &Value, findings: &Value, what: &str) {
    let found = found(findings, &UNDECIDED);
    for (entry, places) in undecided(list) {
        let is_there = found
            .iter()
            .any(|(path, line, _)| places.contains(&(path.clone(), *line)));
        assert!(
            is_there,
            "{what}: {entry} at {places:?} is not in {found:#?}"
        );
    }
}

/// Names of the features that findings are about.
fn features(findings: &Value) -> BTreeSet<String> {
    let all = found(findings, &DECIDED).into_iter();
    all.map(|(.., message)| feature(&message).to_owned())
        .collect()
}

fn feature(message: &str) -> &str {
    let (_, rest) = message.split_once(" needs `").unwrap();
    rest.split('`').next().unwrap()
}

/// Needed features that the user wrote.
fn written(list: &Value) -> BTreeSet<String> {
    let needs = list["needs"].as_array().unwrap().iter();
    let written = needs.filter(|need| need["alternative"].is_null());
    written
        .map(|need| need["feature"].as_str().unwrap().to_owned())
        .collect()
}

fn listed(text: &str) -> BTreeSet<String> {
    let names = text.split("{name: ").skip(1);
    names
        .map(|rest| rest.split('}').next().unwrap().to_owned())
        .collect()
}

/// Folder with a class and a mesh.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.file("class.yaml", CLASS).file("mesh.yaml", MESH);
    folder
}

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("reports")
}

fn reports(below: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(below).sort_by_file_name();
    let files = entries
        .into_iter()
        .flatten()
        .map(walkdir::DirEntry::into_path);
    files
        .filter(|path| path.extension().is_some_and(|end| end == "yaml"))
        .collect()
}

/// Compares the list with each mode for the manifests in `m.yaml`.
fn check(folder: &Folder, family: Option<Family>, reports: &[PathBuf]) {
    let listing = folder.run("needs m.yaml --format json");
    if listing.code == 3 {
        return;
    }
    let list: Value = serde_json::from_str(&listing.stdout).unwrap();
    for report in reports {
        let name = report.display().to_string();
        let findings = folder.json(&format!("needs m.yaml --report {name}"));
        check_undecided(&list, &findings, &name);
    }
    let option = match family {
        Some(Family::Gateway) => ("--class class.yaml", CLASS),
        Some(Family::Mesh) => ("--mesh mesh.yaml", MESH),
        None => return,
    };
    let findings = folder.json(&format!("needs m.yaml {}", option.0));
    check_undecided(&list, &findings, option.0);
    let lost = &written(&list) - &listed(option.1);
    // Objects such as ReferenceGrants belong to no family.
    let of_none = |feature: &String| feature == "ReferenceGrant";
    let lost: BTreeSet<String> = lost.into_iter().filter(|one| !of_none(one)).collect();
    let found: BTreeSet<String> = (features(&findings).into_iter())
        .filter(|one| !of_none(one))
        .collect();
    assert_eq!(found, lost, "{}", option.0);
}

/// The features that the list of implementations does not show as proved are those of `--to`.
fn check_answers(folder: &Folder, at: &prop::sample::Index) {
    let tree = sample().display().to_string();
    let list = folder.json(&format!("needs m.yaml --in {tree} --all-releases"));
    let question = &list["question"];
    if question["core_only"] == true || question["profiles"].as_array().unwrap().len() != 1 {
        return;
    }
    let must = question["must"].as_array().unwrap().iter();
    let must: BTreeSet<String> = must.map(|name| name.as_str().unwrap().to_owned()).collect();
    let answer = at.get(list["answers"].as_array().unwrap());
    let name = answer["implementation"].as_str().unwrap();
    let findings = folder.json(&format!(
        "needs m.yaml --in {tree} --all-releases --to {name}"
    ));
    check_undecided(&list, &findings, name);
    let lost: BTreeSet<String> = features(&findings).intersection(&must).cloned().collect();
    let met = lines(&answer["met"], "{feature}").into_iter().collect();
    assert_eq!(lost, &must - &met, "{name}");
}

fn asked(folder: &Folder, text: &str) -> Value {
    folder.file("m.yaml", text);
    folder.json(&format!("needs m.yaml --in {}", sample().display()))["question"].clone()
}

#[test]
fn an_answer_names_features_that_no_test_covers() {
    let folder = folder();
    let question = asked(&folder, &route(0, SERVICE, &[1]));
    assert_eq!(question["core_only"], true);
    let undecided = question["undecided"].as_array().unwrap();
    assert!(
        undecided.contains(&"HTTPRouteMethodMatching (no test)".into()),
        "{undecided:?}"
    );
}

#[test]
fn gateways_do_not_answer_for_mesh_routes_without_a_profile() {
    let folder = folder();
    let mesh = "apiVersion: gateway.networking.k8s.io/v1\nkind: TCPRoute\nmetadata: {name: t, namespace: shop}\nspec: {parentRefs: [{kind: Service, group: '', name: s}]}\n";
    let alone = asked(&folder, mesh);
    assert_eq!(alone["core_only"], false);
    assert_eq!(alone["must"], serde_json::json!(["Mesh"]));
    let both = asked(&folder, &format!("{mesh}---\n{}", route(0, GATEWAY, &[0])));
    assert_eq!(both["untested"], serde_json::json!(["TCPRoute"]));
}

#[test]
fn settings_that_ingress_nginx_enforces_are_errors() {
    let folder = folder();
    for (annotation, severity) in [
        ("auth-url: https://auth.example", "error"),
        ("limit-rps: '5'", "error"),
        ("ssl-ciphers: HIGH", "error"),
        ("proxy-buffer-size: 8k", "warning"),
    ] {
        let text = ingress(0, "nginx", &[], false).replace(
            "    a: b\n",
            &format!("    nginx.ingress.kubernetes.io/{annotation}\n"),
        );
        folder.file("m.yaml", text);
        let json = folder.json("needs m.yaml --class class.yaml");
        let findings = json["findings"].as_array().unwrap();
        assert_eq!(findings.len(), 1, "{annotation}: {findings:#?}");
        assert_eq!(findings[0]["severity"], severity, "{annotation}");
    }
}

#[test]
fn losses_of_one_category_do_not_hide_those_of_another() {
    let folder = folder();
    let keys: String = (0..10_001)
        .map(|at| format!("    nginx.ingress.kubernetes.io/name-{at}: x\n"))
        .collect();
    let many = ingress(0, "nginx", &[], false).replace("    a: b\n", &keys);
    let text = format!("{many}---\n{}", ingress(1, "nginx", &[1], false));
    folder.file("m.yaml", text);
    let json = folder.json("needs m.yaml --class class.yaml");
    assert_eq!(found(&json, &["needs/beyond"]).len(), 1);
    let skipped = json["left_out"].as_array().unwrap();
    assert_eq!(skipped[0]["reason"], "1 more losses over the limit");
}

/// Losses as section, name and place, and the findings for a report.
fn losses(folder: &Folder, inputs: &str, report: &Path) -> BTreeSet<String> {
    let listing = folder.run(&format!("needs {inputs} --format json"));
    if listing.code == 3 {
        return BTreeSet::new();
    }
    let list: Value = serde_json::from_str(&listing.stdout).unwrap();
    let mut all = BTreeSet::new();
    for (entry, places) in undecided(&list) {
        all.extend(
            places
                .iter()
                .map(|(path, line)| format!("{entry} {path}:{line}")),
        );
    }
    let findings = folder.json(&format!("needs {inputs} --report {}", report.display()));
    let undecided = found(&findings, &UNDECIDED).into_iter();
    all.extend(undecided.map(|(path, line, message)| format!("{message} {path}:{line}")));
    // The state of a feature can get worse.
    for rules in [&DECIDED[..], &["needs/not-listed", "needs/unsupported"]] {
        let decided = found(&findings, rules).into_iter();
        let count = rules.len();
        all.extend(
            decided.map(|(path, line, message)| {
                format!("{count} {} {path}:{line}", feature(&message))
            }),
        );
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::with_cases(if has_time() { 96 } else { 16 }) })]

    #[test]
    fn every_loss_of_the_list_is_a_finding_of_each_target(
        gateways in manifests(Family::Gateway),
        meshes in manifests(Family::Mesh),
        at in any::<prop::sample::Index>(),
    ) {
        let folder = folder();
        let report = [at.get(&reports(&sample())).clone()];
        folder.file("m.yaml", gateways);
        check(&folder, Some(Family::Gateway), &report);
        check_answers(&folder, &at);
        folder.file("m.yaml", meshes);
        check(&folder, Some(Family::Mesh), &report);
    }

    #[test]
    fn an_unrelated_object_removes_no_loss(
        manifests in prop_oneof![manifests(Family::Gateway), manifests(Family::Mesh)],
        unrelated in vec(0..UNRELATED.len(), 1..3),
        is_first in any::<bool>(),
        at in any::<prop::sample::Index>(),
    ) {
        let folder = folder();
        let reports = reports(&sample());
        let report = at.get(&reports);
        folder.file("m.yaml", &manifests);
        let before = losses(&folder, "m.yaml", report);
        let unrelated: Vec<&str> = unrelated.iter().map(|at| UNRELATED[*at]).collect();
        folder.file("u.yaml", unrelated.join("---\n"));
        let inputs = if is_first { "u.yaml m.yaml" } else { "m.yaml u.yaml" };
        let after = losses(&folder, inputs, report);
        let gone: Vec<&String> = before.difference(&after).collect();
        prop_assert!(gone.is_empty(), "{:#?}\n{:#?}", gone, after);
    }
}

#[test]
fn every_loss_of_real_manifests_is_a_finding_of_each_target() {
    let folder = folder();
    let mut inputs = reports(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/needs"));
    if let Some(sources) = sources_of_releases() {
        inputs.extend(reports(&sources).into_iter().filter(|path| {
            let path = path.display().to_string();
            path.contains("/conformance/tests/") || path.contains("/conformance/mesh/")
        }));
    }
    let mut targets = reports(&sample());
    if let Some(corpus) = corpus() {
        targets.extend(reports(&corpus.join("gateway-api/conformance/reports")));
    }
    for (nth, input) in inputs.iter().enumerate().step_by(one_in(13)) {
        folder.file("m.yaml", fs::read(input).unwrap());
        let target = targets[nth % targets.len()].clone();
        check(&folder, None, &[target]);
    }
}
