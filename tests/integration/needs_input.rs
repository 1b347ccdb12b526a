//! Tests manifests as JSON streams, broken and unknown documents, templates, and paths.

use serde_json::{Value, json};

use crate::support::corpus::next_to_corpus;
use crate::support::folder::{Folder, words};
use crate::support::{lines, run_with_input};

fn route(name: &str) -> String {
    format!(
        "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {{name: {name}, namespace: shop}}\nspec: {{parentRefs: [{{name: edge}}], rules: [{{matches: [{{method: GET}}]}}]}}\n"
    )
}

fn json_route(name: &str) -> Value {
    serde_json::json!({
        "apiVersion": "gateway.networking.k8s.io/v1",
        "kind": "HTTPRoute",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": {"parentRefs": [{"name": "edge"}], "rules": [{"matches": [{"method": "GET"}]}]},
    })
}

fn needed(folder: &Folder, arguments: &str) -> (u64, Vec<u64>) {
    let json = folder.json(&format!("needs {arguments}"));
    let need = json["needs"].as_array().unwrap().iter();
    let mut need = need.filter(|need| need["feature"] == "HTTPRouteMethodMatching");
    let places = need.next().map_or_else(Vec::new, |need| {
        let places = need["places"].as_array().unwrap().iter();
        places
            .map(|place| place["line"].as_u64().unwrap())
            .collect()
    });
    (json["counts"]["resources"].as_u64().unwrap(), places)
}

#[test]
fn a_stream_of_json_objects_is_several_documents() {
    let folder = Folder::new();
    let (a, b) = (json_route("a"), json_route("b"));
    let line = |value: &Value| value.to_string();
    let long = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    for (text, lines) in [
        (format!("{}\n{}\n", line(&a), line(&b)), vec![1, 2]),
        (format!("{}{}", line(&a), line(&b)), vec![1, 1]),
        (
            format!("\u{feff}{}\n\n{}", long(&a), long(&b)),
            vec![18, 43],
        ),
        (
            format!("{}\n---\n{}\n{}", line(&a), line(&b), line(&a)),
            vec![1, 3, 4],
        ),
        (format!("# kubectl\n{}\n", line(&a)), vec![2]),
        (format!("{}\n# kubectl\n", line(&a)), vec![1]),
    ] {
        folder.file("a.json", &text);
        let (resources, places) = needed(&folder, "a.json");
        assert_eq!(resources as usize, lines.len(), "{text}");
        assert_eq!(places, lines, "{text}");
    }
    folder.file(
        "a.json",
        format!("{{a: '}} {{', b: 1}}\n---\n{}", route("a")),
    );
    let json = folder.json("needs a.json");
    assert_eq!(json["unread"], serde_json::json!([]));
    folder.file(
        "a.json",
        format!("{}\n{}\n{{\"kind\": \n", line(&a), line(&b)),
    );
    let json = folder.json("needs a.json");
    assert_eq!(json["counts"]["resources"], 2);
    assert_eq!(json["unread"][0]["line"], 3, "{json}");
    let output = run_with_input(
        folder.path(),
        &words("needs - --format json"),
        format!("{}\n{}\n", line(&a), line(&b)).as_bytes(),
    );
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(json["counts"]["resources"], 2);
}

#[test]
fn uncounted_objects_have_a_reason() {
    let folder = Folder::new();
    let heading = |text: &str| {
        folder.file("a.yaml", text);
        let output = folder.run("needs a.yaml");
        let heading = output.stdout.split("\n\n").next().unwrap_or_default();
        heading.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let good = route("a");
    let other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
    let broken = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nspec: [\n";
    assert_eq!(
        heading(&format!(
            "{good}---\n{broken}---\n{other}---\nreplicas: 3\n---\n- a\n"
        )),
        "Needs of 1 resource of 1 file (1 of other kinds, 2 documents without apiVersion and kind); not read: 1 document (not valid YAML), ConfigMap (1)"
    );
    assert_eq!(
        heading(&format!("{good}---\n{broken}")),
        "Needs of 1 resource of 1 file; not read: 1 document (not valid YAML)"
    );
}

#[test]
fn kinds_and_versions_of_the_api_that_no_release_has_are_named() {
    let folder = Folder::new();
    let (kind, version) = (
        route("a").replace("HTTPRoute", "HttpRoute"),
        route("b").replace("/v1", "/v9"),
    );
    folder.file(
        "a.yaml",
        format!("{kind}---\n{kind}---\n{version}---\n{}", route("c")),
    );
    let output = folder.run("needs a.yaml");
    for line in [
        "Not known: a.yaml:2: no known release has a kind `HttpRoute`; did you mean `HTTPRoute`? (2 objects)",
        "Not known: a.yaml:11: no known release has `HTTPRoute` of `gateway.networking.k8s.io/v9`;",
    ] {
        output.stdout_has(line);
    }
    let json = folder.json("needs a.yaml");
    let places: Vec<_> = json["unknown"].as_array().unwrap().iter().collect();
    assert_eq!(places.len(), 2);
    assert_eq!(
        (&places[0]["places"][0]["line"], &places[0]["count"]),
        (&2.into(), &2.into())
    );
    folder.file(
        "class.yaml",
        "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: a}\nstatus: {supportedFeatures: [Gateway]}\n",
    );
    let unknown = |option: &str| {
        let json = folder.json(&format!(
            "needs a.yaml {option} --select needs/not-compared"
        ));
        json["findings"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(unknown("--class class.yaml"), 3);
    assert_eq!(unknown("--crds v1.6/standard"), 0);
    for (api_version, kind) in [
        ("gateway.networking.k8s.io/v1alpha2", "TCPRoute"),
        ("gateway.networking.k8s.io/v1alpha3", "BackendTLSPolicy"),
        ("gateway.networking.x-k8s.io/v1alpha1", "XBackend"),
        ("gateway.networking.x-k8s.io/v1alpha1", "XListenerSet"),
        ("gateway.acme.example/v9", "HttpRoute"),
    ] {
        let object = format!("apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a}}\n");
        folder.file("a.yaml", format!("{object}---\n{}", route("c")));
        let json = folder.json("needs a.yaml");
        assert_eq!(json["unknown"], serde_json::json!([]), "{kind}");
    }
    let many: String = (0..500)
        .map(|at| route("a").replace("HTTPRoute", &format!("Kind{at}")) + "---\n")
        .collect();
    folder.file("a.yaml", many + &route("c"));
    let json = folder.json("needs a.yaml");
    let unknown = json["unknown"].as_array().unwrap();
    assert_eq!(unknown.len(), 500);
}

#[test]
fn values_that_helm_fills_in_are_named() {
    let folder = Folder::new();
    let template = |text: &str| {
        folder.file("a.yaml", text);
        let json = folder.json("needs a.yaml");
        let unread = json["unread"].as_array().unwrap().clone();
        unread
            .iter()
            .map(|one| (one["line"].as_u64().unwrap(), one["template"] == true))
            .collect::<Vec<_>>()
    };
    let quoted = route("a").replace("name: edge", "name: '{{ .Values.gateway }}'");
    assert_eq!(template(&format!("{quoted}---\n{quoted}")), [(4, true)]);
    let named = route("a").replace("name: a", "name: \"{{ .Release.Name }}-a\"");
    assert_eq!(template(&named), [(3, true)]);
    let none: [(u64, bool); 0] = [];
    let comment = format!("# {{{{ .Values.a }}}}\n{}", route("a"));
    assert_eq!(template(&comment), none);
    let annotated = route("a").replace(
        "namespace: shop",
        "namespace: shop, annotations: {external-dns.alpha.example/name: '{{.Name}}'}",
    );
    assert_eq!(template(&annotated), none);
    let path = route("a").replace("name: edge", "name: '{{id}}'");
    assert_eq!(template(&path), none);
    let alert = "apiVersion: monitoring.coreos.example/v1\nkind: PrometheusRule\nmetadata: {name: a}\nspec: {text: '{{ $value }}'}\n";
    assert_eq!(template(&format!("{alert}---\n{}", route("a"))), none);
}

#[test]
fn a_file_counts_once() {
    let folder = Folder::new();
    folder.file("shop/a.yaml", route("a"));
    folder.file("shop/b.yaml", route("b"));
    for arguments in [
        "shop",
        "shop shop/a.yaml",
        "shop/a.yaml shop",
        "shop ./shop shop/../shop/b.yaml",
    ] {
        let (resources, places) = needed(&folder, arguments);
        assert_eq!((resources, places.len()), (2, 2), "{arguments}");
    }
    let one = folder.json("needs ./shop/a.yaml shop/a.yaml");
    assert_eq!(one["counts"]["resources"], 1);
}

#[test]
fn an_ambiguous_name_lists_what_to_write() {
    let folder = Folder::with_tree();
    let text =
        crate::support::folder::report().replace("organization: acme", "organization: umbrella");
    folder.file(
        "conformance/reports/v1.5/umbrella-operator/standard-v2.14.0-default-report.yaml",
        text,
    );
    folder.file("m.yaml", route("a"));
    for version in ["v2.14.0", "2.14.0"] {
        let to = format!("needs m.yaml --in conformance/reports --to acme/operator@{version}");
        let output = folder.run(&to);
        assert!(!output.stderr.contains("error"), "{version}: {output:?}");
        output.stdout_has("operator v2.14.0");
    }
    let output = folder.run("needs m.yaml --in conformance/reports --to operator");
    assert_eq!(output.code, 2);
    assert_eq!(
        output.stderr,
        "error: `operator` names 2 implementations; write `acme/operator` (newest report for v1.5) or `umbrella/operator` (newest report for v1.5)\n"
    );
}

#[test]
fn the_option_that_needs_a_target_is_named() {
    let folder = Folder::new();
    folder.file("m.yaml", route("a"));
    let error = |arguments: &str| folder.run(&format!("needs m.yaml {arguments}")).stderr;
    assert!(error("--also json=x").starts_with("error: --also requires findings; pass a target"));
    assert!(
        error("--format sarif")
            .starts_with("error: --format sarif requires findings; pass a target")
    );
}

#[test]
fn reads_files_opened_by_the_shell() {
    let folder = Folder::new();
    let arguments = words("needs /dev/stdin --format json");
    let read = run_with_input(folder.path(), &arguments, route("a").as_bytes());
    let json: Value = serde_json::from_str(&read.stdout).unwrap();
    assert_eq!(
        (&json["counts"]["resources"], read.code),
        (&Value::from(1), 0)
    );
    folder
        .file("m.yaml", route("a"))
        .link("link.yaml", "m.yaml");
    assert_eq!(folder.run("needs link.yaml").code, 0);
    // A change to a repository can contain the link.
    folder.file(".git/HEAD", "");
    assert_eq!(folder.run("needs link.yaml").code, 2);
}

#[test]
fn rejects_ignored_options() {
    let folder = Folder::with_tree();
    folder.file("m.yaml", route("a"));
    for (arguments, error) in [
        (
            "--in reports --crds v1.6/standard",
            "error: --in lists who runs the manifests",
        ),
        (
            "--profile GATEWAY-HTTP",
            "error: --profile requires --in or --report",
        ),
    ] {
        let output = folder.run(&format!("needs m.yaml {arguments}"));
        assert_eq!(output.code, 2, "{arguments}");
        assert!(output.stderr.starts_with(error), "{}", output.stderr);
    }
}

#[test]
fn an_overlay_of_kustomize_is_named_as_what_is_not_read() {
    let folder = Folder::new();
    let overlay =
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [../base]\n";
    folder.file("overlay/kustomization.yaml", overlay);
    let alone = folder.run("needs overlay");
    assert_eq!(alone.code, 3, "{alone:?}");
    let reason = "overlay/kustomization.yaml:2: a Kustomize overlay: pipe `kubectl kustomize` here";
    alone.stderr_has(reason);
    folder.file("overlay/route.yaml", route("a"));
    folder.file("other/kustomization.yaml", overlay);
    let both = folder.json("needs .");
    assert_eq!(both["counts"]["resources"], 1);
    let unread = both["unread"].as_array().unwrap();
    let paths: Vec<_> = unread.iter().map(|one| &one["path"]).collect();
    assert_eq!(
        paths,
        ["other/kustomization.yaml", "overlay/kustomization.yaml"]
    );
}

const NETWORK_POLICY: &str = "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: web}\nspec: {podSelector: {}}\n";
const INGRESS_CLASS: &str = "apiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {name: a}\nspec: {controller: acme.example/a}\n";
const DEPLOYMENT: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n";
const SERVICE: &str = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n";

#[test]
fn an_input_without_an_object_of_the_api_is_an_error() {
    let folder = Folder::with_tree();
    let misspelled = route("a").replace("HTTPRoute", "HttpRoute");
    for (text, reason) in [
        (
            format!("{DEPLOYMENT}---\n{NETWORK_POLICY}---\n{SERVICE}---\n{NETWORK_POLICY}"),
            "found Deployment.apps (1), NetworkPolicy.networking.k8s.io (2), Service (1)",
        ),
        (SERVICE.to_owned(), "found Service (1)"),
        (
            "apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n".to_owned(),
            "found Namespace (1)",
        ),
        (
            format!("{INGRESS_CLASS}---\n{INGRESS_CLASS}"),
            "found IngressClass.networking.k8s.io (2)",
        ),
        (
            format!(
                "{{apiVersion: v1, kind: List, items: [{{{}}}]}}\n",
                DEPLOYMENT.trim().replace('\n', ", ")
            ),
            "found Deployment.apps (1)",
        ),
        (
            format!("{misspelled}---\n{NETWORK_POLICY}"),
            "a.yaml:2: no known release has a kind `HttpRoute`; did you mean `HTTPRoute`?; found NetworkPolicy.networking.k8s.io (1)",
        ),
        (
            format!("{{{{ .Values.a }}}}\n---\n{NETWORK_POLICY}"),
            "a.yaml:1: a Helm template: pipe `helm template` here; found NetworkPolicy.networking.k8s.io (1)",
        ),
        (
            "replicas: 3\n".to_owned(),
            "1 document without apiVersion and kind",
        ),
        ("# nothing\n".to_owned(), "the input is empty"),
        (String::new(), "the input is empty"),
    ] {
        folder.file("a.yaml", &text);
        for arguments in [
            "--format human",
            "--format json",
            "--format markdown",
            "--in conformance/reports",
            "--in conformance/reports --to acme/operator",
            "--in conformance/reports --to acme/operator --format sarif",
        ] {
            let output = folder.run(&format!("needs a.yaml {arguments}"));
            assert_eq!(output.code, 3, "{text}\n{arguments}\n{output:?}");
            assert_eq!(output.stdout, "", "{text}\n{arguments}");
            let expected = format!(
                "error: no object of the Gateway API in 1 file; {reason}; to accept this, pass --allow-empty\n"
            );
            assert_eq!(output.stderr, expected, "{text}\n{arguments}");
        }
    }
    for (text, code) in [(NETWORK_POLICY, 3), (&misspelled, 1)] {
        folder.file("a.yaml", text);
        assert_eq!(folder.run("needs a.yaml --crds v1.6/standard").code, code);
    }
}

#[test]
fn kinds_that_are_not_read_are_named() {
    let folder = Folder::with_tree();
    let text = format!(
        "{NETWORK_POLICY}---\n{}---\n{DEPLOYMENT}---\n{SERVICE}---\n{NETWORK_POLICY}",
        route("a")
    );
    folder.file("a.yaml", &text);
    let line = "Deployment.apps (1), NetworkPolicy.networking.k8s.io (2)";
    for (arguments, expected) in [
        ("needs a.yaml", format!("\nKinds not read: {line}\n")),
        (
            "needs a.yaml --in conformance/reports",
            format!("\nKinds not read: {line}\n"),
        ),
        (
            "needs a.yaml --format markdown",
            format!(
                "\n- Kinds not read: {}\n",
                line.replace('(', "\\(").replace(')', "\\)")
            ),
        ),
    ] {
        let output = folder.run(arguments);
        assert_eq!(output.code, 0);
        output.stdout_has(&expected);
    }
    let json = folder.json("needs a.yaml");
    let not_read = lines(
        &json["not_read"],
        "{kind} {group} {count} {provider} {places.0.path}:{places.0.line}",
    );
    let expected = [
        "Deployment apps 1  a.yaml:12",
        "NetworkPolicy networking.k8s.io 2  a.yaml:2",
    ];
    assert_eq!(not_read, expected);
    let json = folder.json("needs a.yaml --in conformance/reports --to acme/operator");
    let findings = json["findings"].as_array().unwrap().iter();
    let unread = findings.filter(|one| one["rule"] == "needs/not-compared");
    let unread: Vec<_> = unread
        .map(|one| {
            (
                one["message"].as_str().unwrap(),
                one["severity"].as_str().unwrap(),
            )
        })
        .collect();
    let policy = ("not compared: `NetworkPolicy.networking.k8s.io`", "info");
    assert_eq!(
        unread,
        [policy, ("not compared: `Deployment.apps`", "info"), policy]
    );
    let policy = |target: &str| {
        let target =
            format!("{{group: gateway.networking.k8s.io, kind: HTTPRoute, name: {target}}}");
        format!(
            "apiVersion: gateway.acme.example/v1\nkind: RatePolicy\nmetadata: {{name: p, namespace: shop}}\nspec: {{targetRef: {target}}}\n"
        )
    };
    let not_read = |text: &str| {
        folder.file("a.yaml", text);
        folder.json("needs a.yaml")["not_read"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(not_read(&format!("{}---\n{}", route("a"), policy("a"))), 0);
    assert_eq!(not_read(&format!("{}---\n{}", route("a"), policy("b"))), 0);
    let many: String = (0..500)
        .map(|at| format!("---\napiVersion: acme.example/v1\nkind: Kind{at}\n"))
        .collect();
    folder.file("a.yaml", format!("{}{many}", route("a")));
    let json = folder.json("needs a.yaml");
    assert_eq!(json["not_read"].as_array().unwrap().len(), 500);
    let human = folder.run("needs a.yaml").stdout;
    assert!(human.ends_with(" and 480 more\n"), "{human}");
}

#[test]
fn policies_for_kinds_of_the_api_are_beyond_it_wherever_the_target_is() {
    let folder = Folder::new();
    let policy = |spec: &str| {
        format!(
            "apiVersion: gateway.acme.example/v1\nkind: RatePolicy\nmetadata: {{name: p, namespace: shop}}\nspec: {{{spec}}}\n"
        )
    };
    let service = SERVICE.replace("name: web", "name: web, namespace: shop");
    for (spec, target) in [
        (
            "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: edge}]",
            Some("`Gateway edge`"),
        ),
        (
            "targetRef: {group: gateway.networking.x-k8s.io, kind: XListenerSet, name: a}",
            Some("`XListenerSet a`"),
        ),
        (
            "targetSelectors: [{group: gateway.networking.k8s.io, kind: HTTPRoute, matchLabels: {a: b}}]",
            Some("`HTTPRoute` by label"),
        ),
        (
            "targetSelectors: [{kind: HTTPRoute, matchLabels: {a: b}}]",
            Some("`HTTPRoute` by label"),
        ),
        (
            "targetSelectors: [{group: '', kind: Service, matchLabels: {a: b}}]",
            Some("`Service` by label"),
        ),
        (
            "targetRef: {group: '', kind: Service, name: web}",
            Some("`Service web`"),
        ),
        (
            "targetRef: {group: '', kind: Service, name: other}",
            Some("`Service other`"),
        ),
        (
            "targetRef: {kind: HTTPRoute, name: a}",
            Some("`HTTPRoute a`"),
        ),
        ("targetRef: {group: apps, kind: Deployment, name: a}", None),
        (
            "targetSelectors: [{group: apps, kind: Deployment, matchLabels: {a: b}}]",
            None,
        ),
        ("targetSelectors: [{matchLabels: {a: b}}]", None),
    ] {
        folder.file(
            "a.yaml",
            format!("{}---\n{service}---\n{}", route("a"), policy(spec)),
        );
        let json = folder.json("needs a.yaml");
        let beyond = json["beyond"].as_array().unwrap().iter();
        let titles: Vec<&str> = beyond.map(|one| one["text"].as_str().unwrap()).collect();
        let expected =
            target.map(|target| format!("`RatePolicy.gateway.acme.example` targets {target}"));
        assert_eq!(titles, Vec::from_iter(expected), "{spec}");
        let not_read = usize::from(target.is_none());
        assert_eq!(json["not_read"].as_array().unwrap().len(), not_read);
    }
    let alone = "targetRefs: [{group: gateway.networking.k8s.io, kind: Gateway, name: edge}]";
    folder.file("a.yaml", policy(alone));
    let output = folder.run("needs a.yaml");
    assert_eq!(output.code, 0, "{}", output.stderr);
    output.stdout_has("targets Gateway edge");
}

#[test]
fn answers_without_needs_name_no_unread_objects() {
    let folder = Folder::with_tree();
    let class =
        "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: a}\n";
    folder.file("a.yaml", format!("{class}---\n{NETWORK_POLICY}"));
    let output = folder.run("needs a.yaml --in conformance/reports");
    let expected = "\nThese objects need no feature that reports list.\n";
    output.stdout_has(expected);
    assert!(!output.stdout.contains("Nothing"), "{}", output.stdout);
}

/// Unknown fields as line, reason and number of places.
fn unknown_fields(json: &Value) -> Vec<(u64, &str, u64)> {
    let fields = json["unknown_fields"].as_array().unwrap().iter();
    fields
        .map(|one| {
            (
                one["places"][0]["line"].as_u64().unwrap(),
                one["reason"].as_str().unwrap(),
                one["count"].as_u64().unwrap(),
            )
        })
        .collect()
}

#[test]
fn misspelled_fields_and_values_are_named() {
    let folder = Folder::new();
    let text = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\nspec:\n  parentRef: [{name: edge}]\n  rules:\n  - filter: [{type: CORS}]\n  - filter: []\n  - filters: [{type: CROS}]\n  - timeout: {request: 5s}\n  - filters: [{type: RequestRedirect, requestRedirect: {statusCode: 304}}]\nspecs: {}\n";
    folder.file("a.yaml", text);
    let json = folder.json("needs a.yaml");
    let fields = unknown_fields(&json);
    let expected = [
        (
            2,
            "HTTPRoute without `parentRefs`: accepted by the API server, but no Gateway or mesh serves it",
            1,
        ),
        (
            5,
            "no known release has a field `spec.parentRef` of HTTPRoute; did you mean `parentRefs`?",
            1,
        ),
        (
            7,
            "no known release has a field `spec.rules[].filter` of HTTPRoute; did you mean `filters`?",
            2,
        ),
        (
            9,
            "no known release has the value `CROS` of `spec.rules[].filters[].type` of HTTPRoute; did you mean `CORS`?",
            1,
        ),
        (
            10,
            "no known release has a field `spec.rules[].timeout` of HTTPRoute; did you mean `timeouts`?",
            1,
        ),
        (
            11,
            "no known release has the value `304` of `spec.rules[].filters[].requestRedirect.statusCode` of HTTPRoute",
            1,
        ),
        (
            12,
            "no known release has a field `specs` of HTTPRoute; did you mean `spec`?",
            1,
        ),
    ];
    assert_eq!(fields, expected);
    let human = folder.run("needs a.yaml").stdout;
    assert!(human.contains("`filters`? (2 places)"), "{human}");
}

#[test]
fn the_first_of_duplicate_keys_is_not_read() {
    let folder = Folder::new();
    let rule = "  - filters: [{type: CORS}]\n    filters: [{type: RequestMirror}]\n";
    let secret = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {hidden: a, hidden: b}\n";
    let text = format!(
        "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {{name: a}}\nspec:\n  parentRefs: [{{name: edge}}]\n  rules:\n{rule}{secret}"
    );
    folder.file("a.yaml", text);
    let output = folder.run("needs a.yaml").stdout;
    assert!(
        output.contains("Not read: a.yaml:8: duplicate key `filters`: only the last one is read"),
        "{output}"
    );
    assert!(
        output.contains("Not read: a.yaml:13: duplicate key: only the last one is read"),
        "{output}"
    );
    assert!(
        !output.contains("hidden") && !output.contains("HTTPRouteCORS"),
        "{output}"
    );
    assert!(output.contains("HTTPRouteRequestMirror"), "{output}");
}

#[test]
fn the_group_core_is_unknown_but_read() {
    let folder = Folder::new();
    let text = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\nspec:\n  parentRefs: [{group: core, kind: Service, name: b}]\n  rules:\n  - backendRefs:\n    - {group: core, name: b, port: 80}\n    - {group: core, name: b, port: 81}\n    - {group: '', name: b, port: 82}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: b}\nspec: {ports: [{port: 80, appProtocol: kubernetes.io/h2c}]}\n";
    folder.file("a.yaml", text);
    let json = folder.json("needs a.yaml");
    let fields = unknown_fields(&json);
    assert_eq!(
        fields,
        [
            (
                5,
                "no known release has the value `core` of `spec.parentRefs[].group` of HTTPRoute; did you mean `group: \"\"`?",
                1
            ),
            (
                8,
                "no known release has the value `core` of `spec.rules[].backendRefs[].group` of HTTPRoute; did you mean `group: \"\"`?",
                2
            ),
        ]
    );
    assert_eq!(json["beyond"], json!([]));
    let needs = json["needs"].as_array().unwrap().iter();
    let features: Vec<_> = needs.map(|one| one["feature"].as_str().unwrap()).collect();
    assert!(
        features
            .iter()
            .any(|one| one.ends_with("BackendProtocolH2C")),
        "{features:?}"
    );
}

#[test]
fn a_route_without_parents_is_listed() {
    let folder = Folder::new();
    let reasons = |spec: &str| {
        let text = format!(
            "apiVersion: gateway.networking.k8s.io/v1\nkind: GRPCRoute\nmetadata: {{name: a}}\nspec: {{{spec}}}\n"
        );
        folder.file("a.yaml", format!("{text}---\n{text}"));
        let json = folder.json("needs a.yaml");
        let found = json["unknown_fields"].as_array().unwrap().iter();
        let text = |one: &Value| format!("{} {}", one["count"], one["reason"].as_str().unwrap());
        found.map(text).collect::<Vec<_>>()
    };
    let expected = "2 GRPCRoute without `parentRefs`: accepted by the API server, but no Gateway or mesh serves it";
    assert_eq!(reasons("hostnames: []"), [expected]);
    assert_eq!(reasons("parentRefs: []"), [expected]);
    assert_eq!(reasons("useDefaultGateways: All"), [""; 0]);
    assert_eq!(reasons("parentRefs: [{name: edge}]"), [""; 0]);
}

#[test]
fn no_manifest_of_the_suite_has_an_unknown_field() {
    let Some(sources) = next_to_corpus("sources/gateway-api") else {
        return;
    };
    let folder = Folder::new();
    let path = sources.to_string_lossy().into_owned();
    let json = folder.json(&format!("needs {path}"));
    assert!(json["counts"]["resources"].as_u64().unwrap() > 1000);
    assert_eq!(json["unknown_fields"], json!([]));
}

#[test]
fn the_name_of_a_rule_is_needed_if_a_policy_targets_it() {
    let folder = Folder::new();
    let route = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a, namespace: shop}\nspec: {rules: [{name: one}, {name: two}]}\n";
    let policy = |section: &str| {
        format!(
            "---\napiVersion: acme.example/v1\nkind: RatePolicy\nmetadata: {{name: p, namespace: shop}}\nspec: {{targetRefs: [{{group: gateway.networking.k8s.io, kind: HTTPRoute, name: a, sectionName: {section}}}]}}\n"
        )
    };
    let found = |text: String| {
        folder.file("a.yaml", text);
        let json = folder.json("needs a.yaml");
        ["needs", "perhaps"].map(|list| {
            let all = json[list].as_array().unwrap().iter();
            let named = all.filter(|need| need["feature"] == "HTTPRouteNamedRouteRule");
            named
                .map(|need| need["count"].as_u64().unwrap())
                .sum::<u64>()
        })
    };
    assert_eq!(found(route.to_owned()), [0, 2]);
    assert_eq!(found(route.to_owned() + &policy("one")), [1, 0]);
    assert_eq!(found(route.to_owned() + &policy("other")), [0, 2]);
}
