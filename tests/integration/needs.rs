//! Tests `gwconform needs`: the table of fields and features, and the matching implementations.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::corpus::next_to_corpus;
use crate::support::folder::{Folder, NAME};
use crate::support::{corpus, lines, run, run_with_input, site};
use gwconform::workspace::{Options, PathBase, Target, Workspace};
use gwconform_base::api::{Channel, NameKind};
use gwconform_base::release::{Condition, How, Registry, Where};
use gwconform_base::text::source::Source;
use gwconform_cluster::needs::{LossKind, Needs};
use gwconform_cluster::{Cluster, File};
use gwconform_report::certify::catalog::Question;

#[test]
fn every_feature_of_every_release_has_an_entry() {
    let registry = Registry::embedded();
    let table = registry.needs();
    let entries: BTreeSet<&str> = table.features.keys().map(String::as_str).collect();
    assert_eq!(entries, registry.names(NameKind::Feature));
    let count = |how: How| {
        table
            .features
            .values()
            .filter(|entry| entry.how == how)
            .count()
    };
    let counts = [How::Certain, How::Perhaps, How::Never, How::Alias].map(count);
    assert_eq!(counts, [50, 6, 2, 3], "61 features in all");
}

/// Keys are kind and path; the value is true if the field is a mapping.
type Extended = BTreeMap<(String, String), bool>;

/// Fields below `spec` whose CRD description has a line "Support: Extended".
fn extended_fields(channel: &Path) -> Extended {
    let mut fields = Extended::new();
    for entry in fs::read_dir(channel).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let crd: Value = serde_yaml::from_str(&text).unwrap();
        let kind = crd["spec"]["names"]["kind"].as_str().unwrap().to_owned();
        let versions = crd["spec"]["versions"].as_array().unwrap().iter();
        for version in versions.filter(|version| version["storage"] == true) {
            let spec = &version["schema"]["openAPIV3Schema"]["properties"]["spec"];
            collect(spec, "spec", &kind, &mut fields);
        }
    }
    fields
}

fn collect(schema: &Value, path: &str, kind: &str, fields: &mut Extended) {
    let description = schema["description"].as_str().unwrap_or_default();
    if description
        .lines()
        .any(|line| line.starts_with("Support: Extended"))
    {
        let key = (kind.to_owned(), path.to_owned());
        fields.insert(key, schema["type"] == "object");
    }
    let properties = schema["properties"].as_object();
    for (name, value) in properties.into_iter().flatten() {
        collect(value, &format!("{path}/{name}"), kind, fields);
    }
    if !schema["items"].is_null() {
        collect(&schema["items"], path, kind, fields);
    }
}

/// False if the pattern ends with a filter, which covers only some items of the field.
fn is_about_field(place: &Where) -> bool {
    let last = place.pattern.steps.last().unwrap();
    let mut conditions = last.conditions.iter();
    conditions.all(|condition| *condition == Condition::Any)
}

fn covers(places: &[Where], kind: &str, path: &str, is_mapping: bool) -> bool {
    let routes = ["HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"];
    places.iter().any(|place| {
        let field = place.pattern.field();
        let is_kind = place.kind == kind || (place.kind == "Route" && routes.contains(&kind));
        let is_below = |inner: &str, outer: &str| inner.starts_with(&format!("{outer}/"));
        let is_near = is_below(path, &field) || (is_mapping && is_below(&field, path));
        is_kind && (field == path || (is_near && is_about_field(place)))
    })
}

#[test]
fn every_extended_field_of_the_crds_is_of_a_feature_or_named_as_uncovered() {
    let Some(crds) = next_to_corpus("spec/crds") else {
        return;
    };
    let standard = extended_fields(&crds.join("standard"));
    let all = extended_fields(&crds.join("experimental"));
    assert!(standard.len() > 50 && all.len() > standard.len());
    let table = Registry::embedded().needs();
    let is_of_feature = |kind: &str, path: &str, is_mapping: bool| {
        table.features.values().any(|entry| {
            let shown = entry.certain.iter().chain(&entry.perhaps);
            let places: Vec<Where> = shown
                .filter(|place| is_about_field(place))
                .cloned()
                .collect();
            covers(&places, kind, path, is_mapping) || covers(&entry.covers, kind, path, is_mapping)
        })
    };
    let mut without: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut unknown = Vec::new();
    for ((kind, path), is_mapping) in &all {
        if is_of_feature(kind, path, *is_mapping) {
            continue;
        }
        let is_whole_kind = |place: &Where| place.pattern.text == "kind" && place.kind == *kind;
        let named = table.uncovered.iter().find(|field| {
            field.fields.iter().any(is_whole_kind) || covers(&field.fields, kind, path, *is_mapping)
        });
        match named {
            Some(field) => {
                let is_experimental = !standard.contains_key(&(kind.clone(), path.clone()));
                assert_eq!(field.is_experimental, is_experimental, "{kind} {path}");
                without
                    .entry(field.name.clone())
                    .or_default()
                    .insert(format!("{kind} {path}"));
            }
            None => unknown.push(format!("{kind} {path}")),
        }
    }
    assert_eq!(
        unknown,
        Vec::<String>::new(),
        "neither of a feature nor named"
    );
    let served = Registry::embedded().served();
    for (kind, found) in &served.releases().last().unwrap().kinds {
        let fields = found.experimental_fields.iter();
        let fields = fields.map(|field| field.replace("[]", "").replace('.', "/"));
        for field in fields.filter(|field| !is_of_feature(kind, field, false)) {
            let named = table
                .uncovered
                .iter()
                .find(|one| covers(&one.fields, kind, &field, false));
            let named = named.unwrap_or_else(|| panic!("{kind} {field}"));
            assert!(named.is_experimental, "{kind} {field}");
            let line = format!("{kind} {field}");
            without.entry(named.name.clone()).or_default().insert(line);
        }
    }
    let named: BTreeSet<&str> = table
        .uncovered
        .iter()
        // Code detects combinations of fields.
        .filter(|field| !field.fields.is_empty())
        .map(|field| field.name.as_str())
        .collect();
    let found: BTreeSet<&str> = without.keys().map(String::as_str).collect();
    assert_eq!(found, named);
    let lines = without.iter().flat_map(|(name, fields)| {
        let fields = fields.iter().map(|field| format!("  {field}\n"));
        std::iter::once(format!("{name}\n")).chain(fields)
    });
    insta::assert_snapshot!("needs_uncovered", lines.collect::<String>());
}

/// Returns the needed features. `?` marks features that are only possibly needed.
fn needs(text: &str) -> Vec<String> {
    let source = [Source::new("a.yaml", text.as_bytes().to_vec())];
    let files: Vec<File<'_>> = source.iter().map(File::read).collect();
    let cluster = Cluster::read(&files);
    let needs = Needs::new(&cluster, Registry::embedded());
    let perhaps = needs
        .perhaps
        .iter()
        .map(|need| format!("{}?", need.feature));
    let uncovered = needs
        .of_kind(LossKind::Untested)
        .map(|field| format!("- {}", field.name));
    let none = needs.of_kind(LossKind::NoEquivalent);
    let beyond =
        (needs.of_kind(LossKind::Beyond).chain(none)).map(|beyond| format!("+ {}", beyond.title));
    needs
        .features()
        .map(str::to_owned)
        .chain(perhaps)
        .chain(uncovered)
        .chain(beyond)
        .collect()
}

fn route(kind: &str, spec: &str) -> String {
    format!(
        "apiVersion: gateway.networking.k8s.io/v1\nkind: {kind}\nmetadata: {{name: r, namespace: shop}}\nspec: {spec}\n"
    )
}

const GATEWAY: &str = "parentRefs: [{name: edge}]";
const SERVICE: &str = "parentRefs: [{kind: Service, group: '', name: s}]";

#[test]
fn values_show_features_and_keys_alone_do_not() {
    let with = |rule: &str| {
        let mut found = needs(&route(
            "HTTPRoute",
            &format!("{{{GATEWAY}, rules: [{rule}]}}"),
        ));
        found.retain(|name| name != "Gateway" && name != "HTTPRoute");
        found
    };
    let none: [&str; 0] = [];
    for rule in [
        "{matches: [{method: }]}",
        "{matches: [{queryParams: []}]}",
        "{name: ''}",
        "{filters: [{type: RequestHeaderModifier, cors: {}}]}",
        "{filters: [{type: RequestRedirect, urlRewrite: {hostname: a}}]}",
        "{filters: [{type: RequestRedirect, requestRedirect: {statusCode: 302}}]}",
        "{timeouts: {}}",
        "{backendRefs: [{name: a, namespace: shop}]}",
        "{filters: {type: CORS}}",
        "[]",
        "~",
    ] {
        assert_eq!(with(rule), none, "{rule}");
    }
    for (rule, feature) in [
        (
            "{filters: [{type: RequestRedirect, requestRedirect: {statusCode: 303}}]}",
            "HTTPRoute303RedirectStatusCode",
        ),
        (
            "{filters: [{type: RequestRedirect, requestRedirect: {statusCode: '307'}}]}",
            "HTTPRoute307RedirectStatusCode",
        ),
        ("{retry: {codes: [500]}}", "HTTPRouteRetry"),
        (
            "{backendRefs: [{filters: [{type: RequestHeaderModifier}]}]}",
            "HTTPRouteBackendRequestHeaderModification",
        ),
        ("{backendRefs: [{name: a, namespace: b}]}", "ReferenceGrant"),
        (
            "{sessionPersistence: {type: Cookie}}",
            "- session persistence",
        ),
        (
            "{backendRefs: [{kind: ServiceImport, group: multicluster.x-k8s.io, name: a}]}",
            "- backends of kind ServiceImport",
        ),
        (
            "{backendRefs: [{kind: InferencePool, group: inference.networking.k8s.io, name: a}]}",
            "+ backend of kind `InferencePool.inference.networking.k8s.io`",
        ),
        (
            "{matches: [{headers: [{type: RegularExpression}]}]}",
            "+ header match RegularExpression",
        ),
    ] {
        assert_eq!(with(rule), [feature], "{rule}");
    }
    let retry = with("{retry: {}, timeouts: {backendRequest: 1s}}");
    let expected = [
        "HTTPRouteBackendTimeout",
        "HTTPRouteRetry",
        "HTTPRouteRetryBackendTimeout",
        "HTTPRouteRetryConnectionError?",
    ];
    assert_eq!(retry, expected);
}

#[test]
fn a_route_needs_the_features_of_all_of_its_parents() {
    let rule = "rules: [{matches: [{queryParams: [{name: a}]}], timeouts: {request: 1s}}]";
    let plain = needs(&route("HTTPRoute", &format!("{{{GATEWAY}, {rule}}}")));
    assert_eq!(
        plain,
        [
            "Gateway",
            "HTTPRoute",
            "HTTPRouteQueryParamMatching",
            "HTTPRouteRequestTimeout"
        ]
    );
    let mesh = needs(&route("HTTPRoute", &format!("{{{SERVICE}, {rule}}}")));
    assert_eq!(
        mesh,
        [
            "HTTPRoute",
            "HTTPRouteRequestTimeout",
            "Mesh",
            "MeshHTTPRouteQueryParamMatching"
        ]
    );
    let refs = "parentRefs: [{name: edge, port: 80}, {kind: Service, group: '', name: s, namespace: other, port: 80}]";
    let both = needs(&route("HTTPRoute", &format!("{{{refs}, {rule}}}")));
    let expected = [
        "Gateway",
        "HTTPRoute",
        "HTTPRouteParentRefPort",
        "HTTPRouteQueryParamMatching",
        "HTTPRouteRequestTimeout",
        "Mesh",
        "MeshConsumerRoute",
        "MeshHTTPRouteQueryParamMatching",
    ];
    assert_eq!(both, expected);
    let port = needs(&route(
        "HTTPRoute",
        "{parentRefs: [{kind: Service, group: '', name: s, port: 80}]}",
    ));
    assert_eq!(port, ["HTTPRoute", "Mesh", "HTTPRouteParentRefPort?"]);
    let grpc = needs(&route(
        "GRPCRoute",
        "{parentRefs: [{name: edge, port: 80}]}",
    ));
    assert_eq!(grpc, ["GRPCRoute", "Gateway", "- port of a parent"]);
}

#[test]
fn listeners_show_modes_of_tls_and_hostnames_within_others() {
    let with = |listeners: &str| {
        let mut found = needs(&route("Gateway", &format!("{{listeners: [{listeners}]}}")));
        found.retain(|name| name != "Gateway");
        found
    };
    let isolation = "GatewayHTTPListenerIsolation?";
    let misdirected = "GatewayHTTPSListenerDetectMisdirectedRequests?";
    for (listeners, expected) in [
        ("{protocol: TLS, port: 1}", vec!["TLSRouteModeTerminate?"]),
        (
            "{protocol: TLS, port: 1, allowedRoutes: {kinds: [{kind: TLSRoute}]}}",
            vec!["TLSRouteModeTerminate"],
        ),
        ("{protocol: TLS, port: 1, tls: {mode: Passthrough}}", vec![]),
        (
            "{protocol: TLS, port: 1, allowedRoutes: {kinds: [{kind: TCPRoute}]}}",
            vec![],
        ),
        (
            "{protocol: TLS, port: 1, tls: {mode: Passthrough}}, {protocol: TLS, port: 2}",
            vec!["TLSRouteModeTerminate?"],
        ),
        (
            "{protocol: TLS, port: 1, tls: {mode: Passthrough}}, {protocol: TLS, port: 1}",
            vec!["TLSRouteModeMixed", "TLSRouteModeTerminate?"],
        ),
        (
            "{protocol: HTTP, port: 1, hostname: a.b}, {protocol: HTTP, port: 1, hostname: c.b}",
            vec![],
        ),
        (
            "{protocol: HTTP, port: 1, hostname: a.b}, {protocol: HTTP, port: 1, hostname: '*.b'}",
            vec![isolation],
        ),
        (
            "{protocol: HTTP, port: 1, hostname: a.b}, {protocol: HTTP, port: 1}",
            vec![isolation],
        ),
        (
            "{protocol: HTTP, port: 1, hostname: a.b}, {protocol: HTTP, port: 2}",
            vec![],
        ),
        (
            "{protocol: HTTPS, port: 1, hostname: a.b}, {protocol: HTTPS, port: 1, hostname: c.b}",
            vec![misdirected],
        ),
        ("{protocol: HTTP, port: 8080}", vec!["GatewayPort8080?"]),
    ] {
        assert_eq!(with(listeners), expected, "{listeners}");
    }
    let addresses = needs(&route(
        "Gateway",
        "{addresses: [{type: IPAddress}, {value: 1.2.3.4}]}",
    ));
    assert_eq!(
        addresses,
        ["Gateway", "GatewayAddressEmpty", "GatewayStaticAddresses"]
    );
    let alone = needs(&route("TLSRoute", &format!("{{{GATEWAY}}}")));
    assert_eq!(alone, ["Gateway", "TLSRoute", "TLSRouteModeTerminate?"]);
}

#[test]
fn locates_needs_of_aliases_and_merge_keys() {
    let text = "\
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: a}
spec:
  parentRefs: [{name: edge}]
  rules:
  - &rule
    matches: [{method: GET}]
  - *rule
  - <<: *rule
    name: third
";
    let folder = Folder::new();
    folder.file("a.yaml", text);
    let json = folder.json("needs a.yaml");
    let need = |name: &str| {
        let needs = json["needs"].as_array().unwrap().iter();
        needs
            .clone()
            .find(|need| need["feature"] == name)
            .unwrap()
            .clone()
    };
    assert_eq!(need("HTTPRouteMethodMatching")["count"], 3);
    let named = json["perhaps"][0].clone();
    assert_eq!(named["feature"], "HTTPRouteNamedRouteRule");
    assert_eq!(named["places"][0]["pointer"], "/spec/rules/2/name");
    assert_eq!(named["places"][0]["line"], 11);
    let broken = format!("a: [\n---\n{text}---\n{}", "{{- if .Values.web }}\n");
    folder.file("a.yaml", broken);
    let json = folder.json("needs a.yaml");
    assert_eq!(json["counts"]["resources"], 1);
    let unread: Vec<_> = json["unread"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["template"].as_bool().unwrap())
        .collect();
    assert_eq!(unread, [false, true]);
}

#[test]
fn aliases_that_are_not_followed_are_named() {
    let folder = Folder::new();
    let lists: String = ["a", "b", "c", "d", "e", "f"]
        .windows(2)
        .map(|pair| {
            format!(
                "  {}: &{} [{}]\n",
                pair[1],
                pair[1],
                vec![format!("*{}", pair[0]); 9].join(", ")
            )
        })
        .collect();
    let text = route("HTTPRoute", "\n  a: &a [{name: x}]\n");
    folder.file("a.yaml", format!("{text}{lists}  rules: *f\n"));
    let output = folder.run("needs a.yaml");
    assert_eq!(output.code, 0, "{output:?}");
    output.stdout_has("\nNot read: a.yaml:11: too many aliases");
    folder.file("a.yaml", "a: [\n---\nb: [\n");
    assert_eq!(folder.run("needs a.yaml").code, 3);
}

#[test]
fn skips_hidden_folders_and_packages() {
    let folder = Folder::new();
    let text = route("HTTPRoute", "{rules: [{name: a}]}");
    for path in [
        "m/a.yaml",
        "m/b/c.yml",
        "m/d.json",
        "m/.git/e.yaml",
        "m/node_modules/f.yaml",
        "m/g.txt",
    ] {
        folder.file(path, &text);
    }
    assert_eq!(folder.json("needs m")["counts"]["resources"], 3);
    let words = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let input = run_with_input(
        folder.path(),
        &words("needs -- - m/a.yaml"),
        text.as_bytes(),
    );
    assert!(
        input
            .stdout
            .starts_with("Needs of 2 resources of 2 files\n"),
        "{input:?}"
    );
}

#[test]
fn rejects_unreadable_manifests_and_unknown_names() {
    let folder = Folder::new();
    folder.file("a.yaml", route("HTTPRoute", "{}"));
    folder.file("t.yaml", "{{ .Values.a }}\n");
    folder.file(
        "class.yaml",
        "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: a}\n",
    );
    for (arguments, code, message) in [
        (
            "needs t.yaml",
            3,
            "error: no object of the Gateway API in 1 file; t.yaml:1: a Helm template: pipe `helm template` here; to accept this, pass --allow-empty\n",
        ),
        ("needs none.yaml", 2, "error: none.yaml: "),
        (
            "needs a.yaml --to acme",
            2,
            "error: the following required arguments were not provided",
        ),
        (
            "needs a.yaml --in . --from acme",
            2,
            "error: --from requires --to or --report\n",
        ),
        (
            "needs a.yaml --format sarif",
            2,
            "error: --format sarif requires findings; pass a target: --to, --report, --class, --mesh or --crds\n",
        ),
        (
            "needs a.yaml --profile GATEWAY-HTP",
            2,
            "error: unknown profile `GATEWAY-HTP`; did you mean `GATEWAY-HTTP`?\n",
        ),
        (
            "needs a.yaml --class class.yaml",
            2,
            "error: --class: no GatewayClass with `status.supportedFeatures` in class.yaml; get it with `kubectl get gatewayclass NAME -o yaml`\n",
        ),
        (
            "needs a.yaml --crds v1.6",
            2,
            "error: --crds: `v1.6` does not name CRDs; expected a release and a channel, such as v1.6/standard\n",
        ),
        (
            "needs a.yaml --select report --class class.yaml",
            2,
            "error: ",
        ),
    ] {
        let output = folder.run(arguments);
        assert_eq!(output.code, code, "{arguments}: {output:?}");
        assert!(
            output.stderr.starts_with(message),
            "{arguments}: {}",
            output.stderr
        );
        assert_eq!(output.stdout, "", "{arguments}");
    }
    let both = folder.run("needs a.yaml t.yaml");
    assert_eq!((both.code, both.stderr.as_str()), (0, ""));
    both.stdout_has("\nNot read: t.yaml:1: a Helm template");
}

#[test]
fn a_target_gets_findings_at_the_fields() {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR"));
    let arguments = |more: &str| -> Vec<String> {
        let words = format!(
            "needs examples/needs/redirects.yaml examples/needs/cors.yaml --in reports {more}"
        );
        words.split(' ').map(str::to_owned).collect()
    };
    let to = run(tree, &arguments("--to acme/operator"));
    insta::assert_snapshot!("needs_to", to.stdout);
    let from = run(
        tree,
        &arguments("--from acme/operator --to skyquay/load-balancer"),
    );
    insta::assert_snapshot!("needs_from_to", from.stdout);
    let unknown = run(tree, &arguments("--to acme/operator@v0.0.1"));
    assert_eq!(unknown.code, 2, "{unknown:?}");
    assert!(
        unknown.stderr.starts_with(
            "error: acme/operator has no report of version `v0.0.1`; expected one of "
        ),
        "{unknown:?}"
    );
}

const EXAMPLES: &[(&str, &[&str])] = &[
    (
        "backend-mtls",
        &[
            "BackendTLSPolicy",
            "BackendTLSPolicySANValidation",
            "GatewayBackendClientCertificate",
            "GatewayFrontendClientCertificateValidation",
        ],
    ),
    (
        "canary",
        &[
            "HTTPRouteBackendRequestHeaderModification",
            "HTTPRouteQueryParamMatching",
        ],
    ),
    (
        "ingress",
        &[
            "HTTPRoute308RedirectStatusCode",
            "HTTPRouteCORS",
            "HTTPRoutePathRewrite",
            "HTTPRouteRequestTimeout",
            "HTTPRouteSchemeRedirect",
        ],
    ),
    (
        "cors",
        &[
            "HTTPRouteCORS",
            "HTTPRouteMethodMatching",
            "HTTPRouteResponseHeaderModification",
        ],
    ),
    ("cross-namespace", &["HTTPRouteParentRefPort"]),
    (
        "h2c",
        &[
            "HTTPRouteBackendProtocolH2C",
            "HTTPRouteBackendProtocolWebSocket",
        ],
    ),
    (
        "mesh-consumer",
        &[
            "HTTPRouteRequestTimeout",
            "MeshConsumerRoute",
            "MeshHTTPRouteRewritePath",
        ],
    ),
    (
        "mirror",
        &[
            "HTTPRouteRequestMirror",
            "HTTPRouteRequestMultipleMirrors",
            "HTTPRouteRequestPercentageMirror",
        ],
    ),
    (
        "redirects",
        &[
            "HTTPRoute308RedirectStatusCode",
            "HTTPRouteHostRewrite",
            "HTTPRoutePathRedirect",
            "HTTPRoutePortRedirect",
            "HTTPRouteSchemeRedirect",
        ],
    ),
    (
        "retries",
        &[
            "HTTPRouteBackendTimeout",
            "HTTPRouteRequestTimeout",
            "HTTPRouteRetry",
            "HTTPRouteRetryBackendTimeout",
        ],
    ),
    (
        "tls-passthrough",
        &["GatewayInfrastructurePropagation", "GatewayStaticAddresses"],
    ),
];

fn examples(more: &[&str]) -> Vec<(&'static str, &'static [&'static str], Value)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let answers = EXAMPLES.iter().map(|(name, features)| {
        let mut arguments = vec!["needs".to_owned(), format!("examples/needs/{name}.yaml")];
        arguments.extend(
            ["--format", "json"]
                .iter()
                .chain(more)
                .map(|&word| word.to_owned()),
        );
        let output = run(root, &arguments);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{name}");
        (
            *name,
            *features,
            serde_json::from_str(&output.stdout).unwrap(),
        )
    });
    answers.collect()
}

#[test]
fn examples_need_the_features_they_describe() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/needs");
    assert_eq!(fs::read_dir(folder).unwrap().count(), EXAMPLES.len());
    let schema = run(Path::new("."), &["schema".into(), "needs".into()]).stdout;
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (name, features, json) in examples(&["--in", "reports"]) {
        let needs = json["needs"].as_array().unwrap().iter();
        let extended: Vec<&str> = needs
            .filter(|need| need["level"] == "extended")
            .map(|need| need["feature"].as_str().unwrap())
            .collect();
        assert_eq!(extended, features, "{name}");
        assert!(validator.is_valid(&json), "{name}");
    }
}

/// Computes the answer of the page `find` from the data of the site, as `site/find.js` does.
struct FindPage {
    support: Value,
}

const RANKED: [&str; 12] = [
    "proved",
    "proved-by-log",
    "partly-seen",
    "not-seen",
    "claimed",
    "no-test",
    "skipped",
    "failed",
    "unsupported",
    "not-claimed",
    "not-stated",
    "not-in-release",
];

fn rank(state: &str) -> usize {
    RANKED.iter().position(|known| *known == state).unwrap()
}

impl FindPage {
    fn state<'p>(&self, profile: &'p Value, feature: &str) -> &'p str {
        let features = self.support["features"].as_array().unwrap();
        let place = features.iter().position(|one| one["feature"] == feature);
        let states = profile["states"].as_object().unwrap();
        let listed = states.iter().find(|(_, places)| {
            place.is_some_and(|place| places.as_array().unwrap().contains(&json!(place)))
        });
        listed.map_or_else(|| profile["others"].as_str().unwrap(), |(state, _)| state)
    }

    fn ranks(&self, report: &Value, must: &[&str], asked: Option<&str>) -> Vec<usize> {
        let profiles = report["profiles"].as_array().unwrap();
        let ranks = must.iter().map(|feature| {
            let of = |profile: &Value| rank(self.state(profile, feature));
            let asked_profile = asked;
            let asked = profiles.iter().filter(|profile| {
                Some(profile["profile"].as_str().unwrap()) == asked
                    && self.state(profile, feature) != "not-in-release"
            });
            let is_mesh = |name: &str| name.starts_with("MESH");
            let of_family = profiles.iter().filter(|profile| {
                asked_profile.is_none_or(|asked| {
                    is_mesh(asked) == is_mesh(profile["profile"].as_str().unwrap())
                })
            });
            let best = asked.map(of).min().or(of_family.map(of).min());
            best.unwrap_or(rank("not-stated"))
        });
        ranks.collect()
    }

    fn answers(&self, question: &Value) -> Vec<(String, usize)> {
        let texts = |name: &str| -> Vec<&str> {
            question[name]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one.as_str().unwrap())
                .collect()
        };
        let (must, profiles, minors) = (texts("must"), texts("profiles"), texts("minors"));
        let asked = (profiles.len() == 1).then(|| profiles[0]);
        let all_reports = self.support["reports"].as_array().unwrap();
        let reports = all_reports.iter().enumerate();
        type Newer = (usize, bool, usize);
        let minor = |report: &Value| -> u32 {
            let text = report["minor"].as_str().unwrap();
            text.rsplit('.').next().unwrap().parse().unwrap()
        };
        let mut best: BTreeMap<&str, (usize, usize, Newer, &Value)> = BTreeMap::new();
        for (place, report) in reports {
            let is_current = minors.iter().any(|minor| report["minor"] == *minor);
            let release = &self.support["releases"][report["release"].as_str().unwrap()];
            let is_standard = |feature: &&str| {
                let mut places = release["standard"].as_array().into_iter().flatten();
                places.any(|place| {
                    let place = usize::try_from(place.as_u64().unwrap()).unwrap();
                    self.support["features"][place]["feature"] == **feature
                })
            };
            let has_channel = question["channel"].is_null()
                || report["channel"] == question["channel"]
                || report["channel"] == "experimental" && must.iter().all(is_standard);
            let mut all = report["profiles"].as_array().unwrap().iter();
            let has_profile = asked.is_none_or(|asked| all.any(|one| one["profile"] == asked));
            if !(is_current && has_channel && has_profile) {
                continue;
            }
            let ranks = self.ranks(report, &must, asked);
            let lacking = ranks.iter().filter(|rank| **rank > 6).count();
            let worst = ranks
                .into_iter()
                .filter(|rank| *rank <= 6)
                .max()
                .unwrap_or(0);
            let same = |other: &Value| {
                let names = ["implementation", "release", "implementation_version"];
                names.iter().all(|name| other[name] == report[name])
            };
            // Among reports with the same version and release, prefer the default mode, then the
            // last one.
            let batch = all_reports.iter().position(same).unwrap();
            let other_mode = report["mode"] != "default";
            let newer = (usize::MAX - batch, other_mode, usize::MAX - place);
            let key = (lacking, worst, newer);
            let slug = report["implementation"].as_str().unwrap();
            // The newest release and version decides.
            let is_better = best.get(slug).is_none_or(|known| {
                let age = |minor: u32, newer: Newer| (u32::MAX - minor, newer.0);
                let (own, other) = (age(minor(report), newer), age(minor(known.3), known.2));
                own < other || own == other && key < (known.0, known.1, known.2)
            });
            if is_better {
                best.insert(slug, (key.0, key.1, key.2, report));
            }
        }
        let mut answers: Vec<_> = best.into_iter().collect();
        answers.sort_by_key(|(_, (lacking, worst, _, report))| {
            let name = report["name"].as_str().unwrap().to_owned();
            (*lacking, *worst, u32::MAX - minor(report), name)
        });
        answers
            .into_iter()
            .map(|(slug, (lacking, ..))| (slug.to_owned(), lacking))
            .collect()
    }
}

#[test]
fn site_answers_like_the_command() {
    let support = &site::of_sample(&[])["api/v1/support.json"];
    let page = FindPage {
        support: serde_json::from_slice(support).unwrap(),
    };
    let mut compared = 0;
    let mut absent = 0;
    for (name, _, json) in examples(&["--in", "reports"]) {
        for lacking in json["answers"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|answer| answer["lacking"].as_array().unwrap())
        {
            let text = lacking["text"].as_str().unwrap();
            let says_why = text.starts_with("not part of ") || text.starts_with("did not report ");
            assert_eq!(says_why, lacking["state"] == "not-in-release", "{lacking}");
            absent += usize::from(says_why);
        }
        let answers = json["answers"].as_array().unwrap().iter().map(|answer| {
            let count = |name: &str| answer[name].as_array().unwrap().len();
            let slug = answer["implementation"].as_str().unwrap().to_owned();
            (slug, count("lacking") + count("unknown"))
        });
        let answers: Vec<_> = answers.collect();
        compared += answers.len();
        // The tests of the page cover several profiles.
        if json["question"]["profiles"].as_array().unwrap().len() > 1 {
            continue;
        }
        assert_eq!(answers, page.answers(&json["question"]), "{name}");
    }
    assert!(compared > 30 && absent > 0, "{compared} {absent}");
}

#[test]
fn site_answers_like_the_command_for_a_channel() {
    let support = &site::of_sample(&[])["api/v1/support.json"];
    let page = FindPage {
        support: serde_json::from_slice(support).unwrap(),
    };
    let options = Options {
        target: Target::Paths(vec!["reports".into()]),
        ..Options::default()
    };
    let workspace = Workspace::open(Path::new(env!("CARGO_MANIFEST_DIR")), options).unwrap();
    let certified = workspace
        .certify(PathBase::Tree, &|_| {})
        .unwrap()
        .whole()
        .unwrap();
    let catalog = certified.catalog();
    let registry = Registry::embedded();
    let minors = catalog.current_minors();
    let minors: Vec<String> = minors.iter().map(ToString::to_string).collect();
    let mut by_other_runs = 0;
    let features = registry.names(NameKind::Feature);
    let pairs = features.iter().map(|name| vec!["HTTPRouteCORS", *name]);
    let alone = vec!["HTTPRouteRetry"];
    for must in pairs.chain([alone]) {
        for channel in [Channel::Standard, Channel::Experimental] {
            let question = Question {
                must: must.clone(),
                channel: Some(channel),
                ..Question::default()
            };
            let answers = catalog.answers(&question, registry);
            by_other_runs += (answers.iter())
                .filter(|one| one.report.judged.facts.channel() != Some(channel.as_str()))
                .count();
            let answers = answers
                .iter()
                .map(|one| (one.implementation.slug.clone(), one.lacking.len()));
            let asked = json!({
                "must": must, "profiles": [], "minors": minors, "channel": channel.as_str(),
            });
            let answers: Vec<_> = answers.collect();
            assert_eq!(answers, page.answers(&asked), "{question:?}");
        }
    }
    assert!(by_other_runs > 20, "{by_other_runs}");
}

#[test]
fn the_corpus_answers_for_each_example() {
    let Some(corpus) = corpus::corpus() else {
        return;
    };
    let tree = corpus
        .join("gateway-api/conformance/reports")
        .display()
        .to_string();
    for (name, features, json) in examples(&["--in", &tree]) {
        let answers = json["answers"].as_array().unwrap();
        assert!(!answers.is_empty(), "{name}");
        let must = json["question"]["must"].as_array().unwrap();
        for answer in answers {
            let lists = ["met", "claimed", "lacking", "unknown"];
            let count: usize = lists
                .iter()
                .map(|list| answer[*list].as_array().unwrap().len())
                .sum();
            assert_eq!(count, must.len(), "{name}");
        }
        let untested = json["question"]["untested"].as_array().unwrap();
        let defaults = json["question"]["defaults"].as_array().unwrap();
        let asked = must.len() + untested.len() + defaults.len();
        assert!(asked >= features.len(), "{name}");
    }
}

fn asked(text: &str) -> (Value, usize) {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR"));
    let arguments = ["needs", "-", "--in", "reports", "--format", "json"].map(str::to_owned);
    let output = run_with_input(tree, &arguments, text.as_bytes());
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    let answers = json["answers"].as_array().unwrap().len();
    (json["question"].clone(), answers)
}

#[test]
fn a_core_feature_that_a_profile_has_as_extended_is_asked_about() {
    let policy = route("BackendTLSPolicy", "{targetRefs: [], validation: {}}");
    let (question, answers) = asked(&policy);
    assert_eq!(question["must"], json!(["BackendTLSPolicy"]));
    assert!(answers > 0);
    let with_route = format!(
        "{policy}---\n{}",
        route("GRPCRoute", &format!("{{{GATEWAY}}}"))
    );
    let (question, _) = asked(&with_route);
    assert_eq!(question["must"], json!(["BackendTLSPolicy"]));
    assert_eq!(question["profiles"], json!(["GATEWAY-GRPC"]));
}

#[test]
fn a_report_without_one_of_several_profiles_does_not_have_all() {
    let both = |rules: &str| {
        format!(
            "{}---\n{}",
            route("HTTPRoute", &format!("{{{GATEWAY}, {rules}}}")),
            route("GRPCRoute", &format!("{{{SERVICE}}}"))
        )
    };
    let tree = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = |text: &str, format: &str| {
        let arguments = ["needs", "-", "--in", "reports", "--format", format].map(str::to_owned);
        run_with_input(tree, &arguments, text.as_bytes()).stdout
    };
    let core = run(&both("rules: []"), "human");
    assert!(
        core.contains("every conformant implementation (1 in this tree)"),
        "{core}"
    );
    let text = both("rules: [{matches: [{method: GET}]}]");
    let json: Value = serde_json::from_str(&run(&text, "json")).unwrap();
    assert_eq!(
        json["question"]["profiles"],
        json!(["GATEWAY-HTTP", "MESH-GRPC"])
    );
    let must = json!(["GRPCRoute", "HTTPRoute", "HTTPRouteMethodMatching"]);
    assert_eq!(json["question"]["must"], must);
    let query = "must=GRPCRoute,HTTPRoute,HTTPRouteMethodMatching&profiles=GATEWAY-HTTP,MESH-GRPC";
    assert_eq!(json["question"]["query"], query);
    let mut answers = json["answers"].as_array().unwrap().iter();
    let answer = answers.find(|one| one["implementation"] == "acme/operator");
    let answer = answer.unwrap();
    let features = |list: &str| lines(&answer[list], "{feature}");
    assert_eq!(features("met"), ["HTTPRoute", "HTTPRouteMethodMatching"]);
    let lacking = json!([{"feature": "GRPCRoute", "state": "not-in-release", "text": "did not report MESH-GRPC", "tests": []}]);
    assert_eq!(answer["lacking"], lacking);
    let human = run(&text, "human");
    assert!(
        human.contains("one short: Acme Operator v2.19.0 (did not report MESH-GRPC: GRPCRoute)"),
        "{human}"
    );
    assert!(human.contains(&format!("find/?{query}")), "{human}");
}

#[test]
fn a_single_feature_that_is_missing_is_one_short() {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rules = "rules: [{matches: [{method: GET}]}]";
    let manifest = route("HTTPRoute", &format!("{{{GATEWAY}, {rules}}}"));
    let arguments = ["needs", "-", "--in", "reports"].map(str::to_owned);
    let human = run_with_input(tree, &arguments, manifest.as_bytes()).stdout;
    let short = "Skyquay Load Balancer 35.2.0 (unsupported: HTTPRouteMethodMatching)";
    let one_line = human.split_whitespace().collect::<Vec<_>>().join(" ");
    let found = one_line.split_once("one short: ");
    assert!(
        found.is_some_and(|(_, found)| found.contains(short)),
        "{human}"
    );
    assert!(!human.contains("further away"), "{human}");
}

#[test]
fn runs_with_experimental_crds_are_named() {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR"));
    let answer = |more: &[&str]| {
        let arguments = [
            "needs",
            "examples/needs/cors.yaml",
            "--in",
            "reports",
            "--all",
            "--all-releases",
        ];
        let arguments = arguments.iter().chain(more);
        let arguments: Vec<String> = arguments.map(|&word| word.to_owned()).collect();
        run(tree, &arguments).stdout
    };
    let human = answer(&[]);
    let human = human.split_whitespace().collect::<Vec<_>>().join(" ");
    let json: Value = serde_json::from_str(&answer(&["--format", "json"])).unwrap();
    let mut runs = BTreeSet::new();
    for one in json["answers"].as_array().unwrap() {
        let [name, version, channel] =
            ["name", "implementation_version", "channel"].map(|field| one[field].as_str().unwrap());
        let (_, after) = human.split_once(&format!("{name} {version} ")).unwrap();
        let notes = after
            .strip_prefix('[')
            .and_then(|after| after.split_once(']'));
        let is_named = notes.is_some_and(|(notes, _)| notes.contains("experimental CRDs"));
        assert_eq!(is_named, channel == "experimental", "{name}: {human}");
        runs.insert(channel.to_owned());
    }
    assert_eq!(runs.len(), 2);
}

#[test]
fn a_core_feature_is_extended_where_the_profile_has_it_so() {
    let policy = route("BackendTLSPolicy", "{targetRefs: [], validation: {}}");
    let folder = Folder::new();
    folder.file(
        "m.yaml",
        format!(
            "{policy}---\n{}",
            route("HTTPRoute", &format!("{{{GATEWAY}}}"))
        ),
    );
    let json = folder.json("needs m.yaml");
    let needs = json["needs"].as_array().unwrap();
    let levels = needs.iter().map(|need| {
        (
            need["feature"].as_str().unwrap(),
            need["level"].as_str().unwrap(),
        )
    });
    assert_eq!(
        levels.collect::<Vec<_>>(),
        [
            ("BackendTLSPolicy", "extended"),
            ("Gateway", "core"),
            ("HTTPRoute", "core")
        ]
    );
}

#[test]
fn features_without_a_field_require_no_channel() {
    let listener = |name: &str, mode: &str| {
        format!("{{name: {name}, port: 8443, protocol: TLS, tls: {{mode: {mode}}}}}")
    };
    let listeners = format!(
        "{{listeners: [{}, {}]}}",
        listener("a", "Terminate"),
        listener("b", "Passthrough")
    );
    let (question, _) = asked(&route("Gateway", &listeners));
    assert_eq!(question["must"], json!(["TLSRouteModeMixed"]));
    assert_eq!(question["channel"], Value::Null);
    let retry = "rules: [{timeouts: {backendRequest: 1s}, retry: {attempts: 2}}]";
    let (question, _) = asked(&route("HTTPRoute", &format!("{{{GATEWAY}, {retry}}}")));
    assert_eq!(question["channel"], "experimental");
}

#[test]
fn the_channel_depends_on_the_field_that_is_used() {
    // `externalAuth` is experimental, but belongs to the same feature as `backendRefs`.
    let rule = "rules: [{backendRefs: [{name: x, namespace: other, port: 80}]}]";
    let backend = route("HTTPRoute", &format!("{{{GATEWAY}, {rule}}}"));
    let grant = route(
        "ReferenceGrant",
        "{from: [{group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: other}], to: [{group: \"\", kind: Service}]}",
    );
    let plain = route("HTTPRoute", &format!("{{{GATEWAY}}}"));
    let (question, answers) = asked(&plain);
    assert_eq!(question["channel"], Value::Null);
    for manifests in [backend.clone(), format!("{plain}---\n{grant}")] {
        let (found, count) = asked(&manifests);
        assert_eq!(
            (&found["channel"], &found["query"], count),
            (&Value::Null, &question["query"], answers),
            "{manifests}"
        );
    }
    let auth =
        "filters: [{type: ExternalAuth, externalAuth: {backendRef: {name: a, namespace: other}}}]";
    let auth = route("HTTPRoute", &format!("{{{GATEWAY}, rules: [{{{auth}}}]}}"));
    let folder = Folder::with_tree();
    folder.file("m.yaml", format!("{backend}---\n{auth}"));
    let json = folder.json("needs m.yaml --in conformance/reports");
    assert_eq!(json["question"]["channel"], "experimental");
    let report = format!("conformance/reports/v1.5/acme-operator/{NAME}");
    let places = |manifests: &str| {
        folder.file("m.yaml", manifests);
        let findings = folder.findings(&format!("needs m.yaml --report {report}"));
        let mut channel: Vec<_> = findings
            .into_iter()
            .filter_map(|finding| Some(finding.strip_prefix("needs/channel ")?.to_owned()))
            .collect();
        channel.sort();
        channel
    };
    assert_eq!(places(&backend), [""; 0]);
    let both = format!("{backend}---\n{auth}");
    let line = both.lines().position(|line| line.contains("ExternalAuth"));
    let at = |field: &str| {
        let line = line.unwrap();
        let column = both.lines().nth(line).unwrap().find(field).unwrap();
        format!("m.yaml {}:{}", line + 1, column + 1)
    };
    assert_eq!(places(&both), [at("externalAuth:"), at("backendRef:")]);
    let default = route("HTTPRoute", "{useDefaultGateways: All}");
    assert_eq!(places(&default).len(), 1, "one field, one finding");
}

#[test]
fn more_places_than_are_kept_do_not_hide_the_experimental_one() {
    let backend = "{backendRefs: [{name: x, namespace: other, port: 80}]}";
    let auth = "{filters: [{type: ExternalAuth, externalAuth: {backendRef: {name: a, namespace: other}}}]}";
    let mut rules = vec![backend; 150];
    rules.push(auth);
    let manifest = route(
        "HTTPRoute",
        &format!("{{{GATEWAY}, rules: [{}]}}", rules.join(", ")),
    );
    let source = [Source::new("a.yaml", manifest.into_bytes())];
    let files: Vec<File<'_>> = source.iter().map(File::read).collect();
    let needs = Needs::new(&Cluster::read(&files), Registry::embedded());
    let grant = needs
        .certain
        .iter()
        .find(|need| need.feature == "ReferenceGrant");
    let places = &grant.unwrap().places;
    assert_eq!(places.count, 151);
    let kept = places.kept.iter();
    let experimental = kept.filter(|place| place.channel == Channel::Experimental);
    assert_eq!(experimental.count(), 1);
}

#[test]
fn every_backend_but_those_of_the_api_is_beyond_it() {
    let beyond = |backend: &str| {
        let rules = format!("rules: [{{backendRefs: [{{name: b, {backend}}}]}}]");
        let (question, _) = asked(&route("HTTPRoute", &format!("{{{GATEWAY}, {rules}}}")));
        assert_eq!(question["must"], json!(["HTTPRoute"]));
        let source = [Source::new(
            "a.yaml",
            route("HTTPRoute", &format!("{{{GATEWAY}, {rules}}}")).into_bytes(),
        )];
        let files: Vec<File<'_>> = source.iter().map(File::read).collect();
        let needs = Needs::new(&Cluster::read(&files), Registry::embedded());
        let losses = needs.losses.iter();
        let losses = losses.filter(|loss| loss.kind() != LossKind::Unknown);
        let titles = losses.map(|loss| loss.title.to_string());
        titles.collect::<Vec<_>>()
    };
    for backend in [
        "port: 80",
        "kind: Service",
        "group: \"\", kind: Service",
        "group: \"\"",
        "group: core, kind: Service",
    ] {
        assert_eq!(beyond(backend), [""; 0], "{backend}");
    }
    let import = "group: multicluster.x-k8s.io, kind: ServiceImport";
    assert_eq!(beyond(import), ["backends of kind ServiceImport"]);
    let x_backend = "group: gateway.networking.x-k8s.io, kind: XBackend";
    assert_eq!(beyond(x_backend), ["backends of kind XBackend"]);
    for (backend, kind) in [
        (
            "group: gateway.networking.k8s.io, kind: HTTPRoute",
            "HTTPRoute.gateway.networking.k8s.io",
        ),
        ("kind: HTTPRoute", "HTTPRoute"),
        ("group: apps, kind: Deployment", "Deployment.apps"),
        ("kind: Hostname", "Hostname"),
        ("kind: ServiceImport", "ServiceImport"),
        (
            "group: net.gke.io, kind: ServiceImport",
            "ServiceImport.net.gke.io",
        ),
        (
            "group: gateway.networking.k8s.io, kind: Service",
            "Service.gateway.networking.k8s.io",
        ),
        (
            "group: gateway.networking.k8s.io, kind: XBackend",
            "XBackend.gateway.networking.k8s.io",
        ),
        (
            "group: gateway.acme.example, kind: Service",
            "Service.gateway.acme.example",
        ),
        (
            "group: gateway.acme.example",
            "Service.gateway.acme.example",
        ),
    ] {
        assert_eq!(
            beyond(backend),
            [format!("backend of kind `{kind}`")],
            "{backend}"
        );
    }
}

#[test]
fn a_backend_service_of_type_external_name_is_beyond_the_api() {
    let places = |text: &str| {
        let folder = Folder::new();
        folder.file("a.yaml", text);
        let found = folder.json("needs a.yaml");
        let beyond = found["beyond"].as_array().unwrap().clone();
        let all = beyond.iter().flat_map(|one| {
            assert_eq!(one["text"], "backend Service of type `ExternalName`");
            assert_eq!(one["kind"], "backend");
            one["places"].as_array().unwrap()
        });
        let pointers = all.map(|place| place["pointer"].as_str().unwrap().to_owned());
        pointers.collect::<Vec<_>>()
    };
    let service = |of: &str| {
        format!(
            "---\napiVersion: v1\nkind: Service\nmetadata: {{name: b, namespace: shop}}\nspec: {{type: {of}}}\n"
        )
    };
    let mirror =
        "filters: [{type: RequestMirror, requestMirror: {backendRef: {name: b, port: 80}}}]";
    for (kind, rule, pointer) in [
        (
            "HTTPRoute",
            "backendRefs: [{name: b, port: 80}]",
            "/spec/rules/0/backendRefs/0",
        ),
        (
            "TCPRoute",
            "backendRefs: [{group: core, name: b, port: 80}]",
            "/spec/rules/0/backendRefs/0",
        ),
        (
            "GRPCRoute",
            mirror,
            "/spec/rules/0/filters/0/requestMirror/backendRef",
        ),
    ] {
        let route = route(kind, &format!("{{{GATEWAY}, rules: [{{{rule}}}]}}"));
        assert_eq!(
            places(&(route.clone() + &service("ExternalName"))),
            [pointer]
        );
        assert_eq!(places(&(route.clone() + &service("ClusterIP"))), [""; 0]);
        let other = service("ExternalName").replace("namespace: shop", "namespace: other");
        assert_eq!(places(&(route + &other)), [""; 0]);
    }
    for (version, backend, field) in [
        (
            "networking.k8s.io/v1",
            "service: {name: b, port: {number: 80}}",
            "service",
        ),
        (
            "extensions/v1beta1",
            "serviceName: b, servicePort: 80",
            "serviceName",
        ),
    ] {
        let ingress = format!(
            "apiVersion: {version}\nkind: Ingress\nmetadata: {{name: a, namespace: shop}}\nspec: {{rules: [{{http: {{paths: [{{path: /, pathType: Prefix, backend: {{{backend}}}}}]}}}}]}}\n"
        );
        let pointer = format!("/spec/rules/0/http/paths/0/backend/{field}");
        assert_eq!(
            places(&(ingress.clone() + &service("ExternalName"))),
            [pointer]
        );
        assert_eq!(places(&(ingress + &service("ClusterIP"))), [""; 0]);
    }
}

#[test]
fn the_question_does_not_depend_on_a_tree() {
    let folder = Folder::with_tree();
    let rules = "rules: [{matches: [{method: GET}]}]";
    folder.file(
        "m.yaml",
        route("HTTPRoute", &format!("{{{GATEWAY}, {rules}}}")),
    );
    let alone = folder.json("needs m.yaml");
    let found = folder.json("needs m.yaml --in conformance/reports");
    let question = &alone["question"];
    assert_eq!(question["must"], json!(["HTTPRouteMethodMatching"]));
    let query = "must=HTTPRouteMethodMatching&profiles=GATEWAY-HTTP";
    assert_eq!(question["query"], query);
    for field in ["must", "profiles", "undecided", "query"] {
        assert_eq!(question[field], found["question"][field], "{field}");
    }
    for of_tree in [&alone["tree"], &alone["answers"], &question["minors"]] {
        assert_eq!(*of_tree, Value::Null);
    }
    assert_eq!(found["tree"], "conformance/reports");
    assert_eq!(found["question"]["minors"], json!(["v1.6", "v1.5", "v1.4"]));
    let to = folder.json("needs m.yaml --in conformance/reports --to acme/operator");
    assert_eq!(to["tree"], "conformance/reports");
}

#[test]
fn manifests_without_needs_have_no_answers() {
    let class =
        "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: a}\n";
    let (question, answers) = asked(class);
    assert_eq!((&question["must"], answers), (&json!([]), 0));
}

#[test]
fn gateway_tests_prove_nothing_about_meshes() {
    let rules = "rules: [{matches: [{method: GET}]}]";
    let (question, answers) = asked(&route("HTTPRoute", &format!("{{{SERVICE}, {rules}}}")));
    assert_eq!(question["must"], json!(["HTTPRoute", "Mesh"]));
    assert_eq!(question["untested"], json!(["HTTPRouteMethodMatching"]));
    assert!(answers > 0);
    let (question, _) = asked(&route("HTTPRoute", &format!("{{{GATEWAY}, {rules}}}")));
    assert_eq!(question["untested"], json!([]));
}

#[test]
fn kubernetes_groups_belong_to_no_implementation() {
    let reference = "{group: inference.networking.x-k8s.io, kind: InferencePool, name: p}";
    let manifest = route(
        "HTTPRoute",
        &format!("{{{GATEWAY}, rules: [{{backendRefs: [{reference}]}}]}}"),
    );
    let source = [Source::new("a.yaml", manifest.into_bytes())];
    let files: Vec<File<'_>> = source.iter().map(File::read).collect();
    let needs = Needs::new(&Cluster::read(&files), Registry::embedded());
    assert_eq!(needs.losses.len(), 1);
    assert_eq!(needs.losses[0].group, None);
}

#[test]
fn escapes_hostile_names() {
    let folder = Folder::new();
    let name = "\\e[31m|`<b>\\u202e](x)";
    folder.file(
        "a.yaml",
        format!(
            "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {{name: \"{name}\", annotations: {{\"{name}.x/y\": z}}}}\nspec:\n  parentRefs: [{{name: edge}}]\n  rules:\n  - filters:\n    - {{type: ExtensionRef, extensionRef: {{group: \"{name}.y\", kind: \"{name}\", name: a}}}}\n"
        ),
    );
    for format in ["human", "markdown", "json"] {
        let output = folder.run(&format!("needs a.yaml --format {format}"));
        assert_eq!(output.code, 0, "{output:?}");
        assert!(
            !output.stdout.contains(['\u{1b}', '\u{202e}']),
            "{format}: {}",
            output.stdout
        );
        if format == "markdown" {
            let outside: String = output.stdout.split('`').step_by(2).collect();
            assert!(
                !outside.contains("<b>") && !outside.contains("](x)"),
                "{outside}"
            );
        }
    }
    assert_eq!(
        folder.json("needs a.yaml")["beyond"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}
