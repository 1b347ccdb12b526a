//! Tests `gwconform resources`: expected findings in cluster dumps, and cases without a finding.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use crate::support::folder::Folder;
use crate::support::{Output, lines, location, run, run_with_input};
use gwconform::print::{Format, RenderInput};
use gwconform::rules;
use gwconform_base::release::Registry;
use gwconform_base::text::source::Source;
use gwconform_cluster::resources::{Against, check_resources};
use gwconform_report::rules::check::Settings;
use gwconform_report::rules::configuration::Config;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn words(arguments: &str) -> Vec<String> {
    arguments.split(' ').map(str::to_owned).collect()
}

fn check(text: &str, arguments: &str) -> (Vec<String>, Vec<String>) {
    let arguments = format!("resources - --format json {arguments}");
    let output = run_with_input(root(), &words(arguments.trim()), text.as_bytes());
    let json: serde_json::Value =
        serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    (
        lines(&json["findings"], "{severity} {rule}: {message}"),
        lines(&json["left_out"], "{reason}"),
    )
}

pub fn findings(text: &str, arguments: &str) -> Vec<String> {
    check(text, &format!("--release v1.6.1 {arguments}")).0
}

fn found(text: &str) -> Vec<String> {
    let (findings, _) = check(text, "--release v1.6.1");
    let id = |finding: &String| {
        let (id, _) = finding.split_once(": ").unwrap();
        id.split_once('/').unwrap().1.to_owned()
    };
    findings.iter().map(id).collect()
}

#[test]
fn a_good_cluster_has_no_finding_and_nothing_is_left_unchecked() {
    let output = run(root(), &words("resources examples/cluster/good.yaml"));
    insta::assert_snapshot!(output.stdout, @r"
    Health: 1 of 3 GatewayClasses waiting for a controller: GatewayClass `umbrella`
            1 of 3 GatewayClasses not accepted: GatewayClass `acme-legacy`
            1 of 4 Gateways waiting for a controller: Gateway `lab/unclaimed`
            1 of 4 Gateways accepted but not programmed: Gateway `infra/waiting`
            1 of 7 listeners not accepted or not programmed:
              listener `https` of Gateway `infra/waiting`
            1 of 6 Routes not accepted: TCPRoute `data/ledger`
            3 of 6 Routes with unresolved references: HTTPRoute `shop/reviews`,
              HTTPRoute `shop/reports`, TCPRoute `data/ledger`
    Gateway API: version v1.6.1, channel experimental in 10 CRDs; compared with v1.6.1 (the release of
      the CRDs)
    no findings in 40 resources of 1 file (2 of other kinds)
    ");
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
}

#[test]
fn each_mistake_is_found_where_it_is() {
    let arguments = words("resources examples/cluster/mistakes.yaml --all");
    let output = run(root(), &arguments);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    location::check(root(), &arguments, &output.stdout);
    let mut named = String::new();
    for finding in findings_of("examples/cluster/mistakes.yaml") {
        let text = |name: &str| finding[name].as_str().unwrap();
        let _ = writeln!(
            named,
            "{}:{} {}[{}]: {}",
            finding["line"],
            finding["column"],
            text("severity"),
            text("rule"),
            text("message")
        );
    }
    insta::assert_snapshot!("mistakes", named);
    let elsewhere = [
        "attached-listener-sets",
        "backend-port",
        "certificate-missing",
        "core-group",
        "crd-none",
        "crd-report",
        "crd-version",
        "endpoint-picker",
        "features-report",
        "features-too-many",
        "former-parent",
        "gateway-not-reconciled",
        "incompatible-filters",
        "listener-conflict",
        "listener-set-attachment",
        "listener-status",
        "listeners-not-valid",
        "mesh-route-without-status",
        "parent-not-found",
        "parent-repeated",
        "policy-conflict",
        "policy-reference",
        "programmed-not-accepted",
        "programmed-without-address",
        "reason-unfounded",
        "supported-kinds",
        "supported-version-unfounded",
        "unreadable",
    ];
    let missing = rules::ALL
        .iter()
        .filter(|rule| rule.scope == rules::Scope::Resources);
    let missing = missing.filter(|rule| !output.stdout.contains(&format!("[{}]", rule.id)));
    let missing: Vec<&str> = missing.map(|rule| &rule.id["resource/".len()..]).collect();
    assert_eq!(missing, elsewhere);
}

fn findings_of(file: &str) -> Vec<serde_json::Value> {
    let output = run(root(), &words(&format!("resources {file} --format json")));
    let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
    json["findings"].as_array().unwrap().clone()
}

fn subjects(file: &str) -> Vec<String> {
    let part = |finding: &serde_json::Value, name| finding[name].as_str().unwrap().to_owned();
    let findings = findings_of(file);
    let mut subjects: Vec<String> = findings
        .iter()
        .map(|finding| format!("{} {}", part(finding, "rule"), part(finding, "subject")))
        .collect();
    subjects.sort();
    subjects
}

#[test]
fn subjects_name_what_findings_are_about_and_tell_them_apart() {
    let subjects = subjects("examples/cluster/mistakes.yaml");
    insta::assert_snapshot!("subjects", subjects.join("\n"));
    let different: BTreeSet<&String> = subjects.iter().collect();
    assert_eq!(different.len(), subjects.len());
    for subject in subjects {
        let names = subject.split(['/', ' ']);
        let is_position = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_digit());
        assert!(!names.clone().any(is_position), "{subject}");
        // List items with a name, such as listeners, are identified by that name instead of `*`.
        assert!(!names.clone().any(|name| name == "*"), "{subject}");
    }
}

#[test]
fn a_subject_is_the_same_in_a_list_and_wherever_its_object_stands() {
    let class = |name: &str| {
        format!(
            r#"{{"apiVersion":"gateway.networking.k8s.io/v1","kind":"GatewayClass","metadata":{{"name":"{name}"}},"spec":{{"controllerName":"acme"}}}}"#
        )
    };
    let list = |items: &str| format!(r#"{{"apiVersion":"v1","kind":"List","items":[{items}]}}"#);
    let wanted = "resource/controller-name GatewayClass/b/spec/controllerName = acme";
    let folder = Folder::new();
    let (a, b) = (class("a"), class("b"));
    for text in [
        b.clone(),
        list(&b),
        list(&format!("{a},{b}")),
        list(&list(&format!("{a},{b}"))),
        format!("---\n---\n{a}\n---\n# none\n---\n{b}\n"),
    ] {
        folder.file("dump.yaml", &text);
        let path = folder.path().join("dump.yaml");
        let found = subjects(path.to_str().unwrap());
        assert!(found.contains(&wanted.to_owned()), "{text}: {found:?}");
    }
}

#[test]
fn json_lists_and_several_documents_are_one_cluster() {
    let class = r#"{"apiVersion":"gateway.networking.k8s.io/v1","kind":"GatewayClass","metadata":{"name":"acme"},"spec":{"controllerName":"acme"}}"#;
    let wrong = ["error resource/controller-name: `acme` is not a domain-prefixed path"];
    let list = format!(r#"{{"apiVersion":"v1","kind":"List","items":[{class}]}}"#);
    let own_list = format!(
        r#"{{"apiVersion":"gateway.networking.k8s.io/v1","kind":"GatewayClassList","items":[{class}]}}"#
    );
    let documents = format!("---\n# nothing\n---\nkind: Note\n---\n{class}\n---\n");
    for text in [class, &list, &own_list, &documents] {
        assert_eq!(check(text, "").0, wrong, "{text}");
    }
    let empty = r#"{"apiVersion":"v1","kind":"List","items":[]}"#;
    let (findings, left_out) = check(empty, "");
    assert_eq!(findings, [""; 0]);
    assert!(left_out.len() > 5, "{left_out:?}");
}

#[test]
fn a_kind_that_a_rule_needs_and_the_input_lacks_is_named() {
    let (_, left_out) = check(
        "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n",
        "--select resource/backend-not-found,resource/gateway-class-missing,resource/mesh-namespace",
    );
    assert_eq!(
        left_out,
        [
            "resource/backend-not-found: no HTTPRoute, GRPCRoute, TLSRoute, TCPRoute or UDPRoute in the input",
            "resource/gateway-class-missing: no Gateway in the input",
            "resource/mesh-namespace: no XMesh in the input",
        ]
    );
}

const CRD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    gateway.networking.k8s.io/bundle-version: VERSION
    gateway.networking.k8s.io/channel: standard
  name: gateways.gateway.networking.k8s.io
spec:
  group: gateway.networking.k8s.io
";

fn summary_of(text: &str, arguments: &str) -> String {
    let output = run_with_input(
        root(),
        &words(&format!("resources - {arguments}")),
        text.as_bytes(),
    );
    let whole = output.stdout.replace("\n  ", " ");
    let line = whole.lines().find(|line| line.starts_with("Gateway API"));
    line.unwrap_or_else(|| panic!("{output:?}")).to_owned()
}

#[test]
fn the_release_is_that_of_the_flag_the_crds_the_report_or_the_newest() {
    let crd = |version: &str| CRD.replace("VERSION", version);
    let select = "--select resource/crd-version";
    let ends = |text: &str, arguments: &str, end: &str| {
        let line = summary_of(text, format!("{select} {arguments}").trim_end());
        assert!(line.ends_with(end), "{line}");
    };
    let report = "--report reports/v1.5/weftworks-weft/standard-3.0.0-default-report.yaml";
    ends(
        &crd("v1.4.0"),
        "--release v1.2",
        "compared with v1.2.1 (given by --release)",
    );
    ends(
        &crd("v1.4.0"),
        report,
        "compared with v1.4.0 (the release of the CRDs)",
    );
    ends(
        "kind: Note",
        report,
        "compared with v1.5.0 (the release of the report)",
    );
    ends(
        &crd("v1.4.7"),
        "",
        "compared with v1.4.1 (the nearest patch below v1.4.7, the release of the CRDs)",
    );
    let newest = Registry::embedded().newest().unwrap().version();
    let newest = format!("compared with {newest}");
    ends(
        &crd("v1.8.0"),
        "",
        &format!(
            "{newest} (the newest known release; v1.8.0, the release of the CRDs, is unknown)"
        ),
    );
    ends(
        "kind: Note",
        "",
        &format!("{newest} (the newest known release; none is given)"),
    );
}

#[test]
fn a_version_is_judged_as_the_suite_of_the_release_does() {
    let of = |version: &str, arguments: &str| {
        let arguments = format!("--select resource/crd-version {arguments}");
        let (findings, _) = check(&CRD.replace("VERSION", version), arguments.trim());
        findings.concat()
    };
    assert_eq!(of("v1.6.0", "--release v1.6"), "");
    assert_eq!(
        of("v1.6.0", "--release v1.6.1"),
        "error resource/crd-version: the CRDs belong to v1.6.0; expected v1.6.1"
    );
    assert_eq!(
        of("v1.8.0", ""),
        "info resource/crd-version: v1.8.0 is newer than all known releases"
    );
    assert!(of("v1.6.0-rc.1", "").starts_with("info "));
    assert!(of("v0.0.1", "").starts_with("error "));
}

fn route(kind: &str, backend: &str, accepted: [&str; 2], resolved: [&str; 2]) -> String {
    let condition = |name: &str, [status, reason]: [&str; 2]| {
        format!(
            "    - {{type: {name}, status: '{status}', reason: {reason}, observedGeneration: 4}}\n"
        )
    };
    format!(
        "---
apiVersion: gateway.networking.k8s.io/v1
kind: {kind}
metadata: {{name: web, namespace: shop, generation: 4}}
spec:
  rules:
  - backendRefs:
    - {backend}
status:
  parents:
  - controllerName: acme.example/gateway
    parentRef: {{name: edge}}
    conditions:
{}{}",
        condition("Accepted", accepted),
        condition("ResolvedRefs", resolved)
    )
}

const SERVICES: &str = "
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: data}
---
apiVersion: gateway.networking.k8s.io/v1
kind: ReferenceGrant
metadata: {name: grant, namespace: data}
spec:
  from: [{group: gateway.networking.k8s.io, kind: GRPCRoute, namespace: shop}]
  to: [{group: '', kind: Service, name: db}]
";

const YES: [&str; 2] = ["True", "Accepted"];
const RESOLVED: [&str; 2] = ["True", "ResolvedRefs"];
const GONE: [&str; 2] = ["False", "BackendNotFound"];
const REFUSED: [&str; 2] = ["False", "RefNotPermitted"];

#[test]
fn backends_and_statuses_are_compared_both_ways() {
    let nothing: [&str; 0] = [];
    let found = |kind, backend, accepted, resolved| {
        found(&format!(
            "{SERVICES}{}",
            route(kind, backend, accepted, resolved)
        ))
    };
    let (there, gone) = ("{name: web, port: 80}", "{name: webb, port: 80}");
    for kind in ["HTTPRoute", "GRPCRoute"] {
        assert_eq!(found(kind, there, YES, RESOLVED), nothing);
        assert_eq!(found(kind, gone, YES, GONE), nothing);
        assert_eq!(found(kind, gone, YES, RESOLVED), ["backend-not-found"]);
        assert_eq!(found(kind, there, YES, GONE), ["backend-not-found"]);
        assert_eq!(found(kind, gone, GONE, GONE), ["backend-not-found"]);
        assert_eq!(
            found(kind, gone, YES, ["False", "InvalidKind"]),
            ["backend-not-found"]
        );
        // The Route was rejected before its backends were checked.
        let elsewhere = ["False", "NotAllowedByListeners"];
        assert_eq!(found(kind, gone, elsewhere, RESOLVED), nothing);
    }
    assert_eq!(
        found("TCPRoute", gone, ["False", "UnsupportedValue"], GONE),
        nothing
    );
    assert_eq!(found("TCPRoute", gone, YES, GONE), ["backend-not-found"]);
    assert_eq!(found("TCPRoute", there, YES, RESOLVED), nothing);
    assert_eq!(found("UDPRoute", gone, YES, GONE), ["backend-not-found"]);
    // The suite expects these conditions for a TLSRoute.
    assert_eq!(found("TLSRoute", gone, YES, GONE), nothing);
    assert_eq!(
        found("TLSRoute", gone, YES, RESOLVED),
        ["backend-not-found"]
    );
    // Unknown means that the controller has not decided yet.
    assert_eq!(
        found("HTTPRoute", gone, YES, ["Unknown", "Pending"]),
        nothing
    );
    assert_eq!(
        found(
            "HTTPRoute",
            "{name: x, namespace: shop, kind: Other, group: a.example}",
            YES,
            RESOLVED
        ),
        nothing
    );
}

#[test]
fn a_backend_of_a_kind_that_an_implementation_defines_is_not_judged() {
    let import = "---\napiVersion: multicluster.x-k8s.io/v1alpha1\nkind: ServiceImport\nmetadata: {name: web, namespace: shop}\n";
    let found = |backend, resolved| {
        found(&format!(
            "{SERVICES}{import}{}",
            route("HTTPRoute", backend, YES, resolved)
        ))
    };
    // A reference to all HTTPRoutes of a namespace delegates to other Routes.
    let all = "{group: gateway.networking.k8s.io, kind: HTTPRoute, name: '*', namespace: shop}";
    assert_eq!(found(all, RESOLVED), Vec::<String>::new());
    assert_eq!(found(all, GONE), Vec::<String>::new());
    let import = "{group: multicluster.x-k8s.io, kind: ServiceImport, name: webb, port: 80}";
    assert_eq!(found(import, RESOLVED), ["backend-not-found"]);
    assert_eq!(
        found(&import.replace("webb", "web"), RESOLVED),
        Vec::<String>::new()
    );
}

#[test]
fn classes_are_judged_only_where_the_input_has_a_status() {
    let class = "\
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: acme, generation: 1}
spec: {controllerName: acme.example/gateway}
";
    let gateway = |class: &str, status: &str| {
        format!(
            "---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {{name: edge, namespace: infra, generation: 1}}
spec: {{gatewayClassName: {class}, listeners: []}}
{status}"
        )
    };
    let status = "status: {addresses: [{value: 192.0.2.1}], conditions: [{type: Accepted, status: 'True', reason: Accepted, observedGeneration: 1}, {type: Programmed, status: 'True', reason: Programmed, observedGeneration: 1}]}\n";
    let waiting = "status: {conditions: [{type: Accepted, status: Unknown, reason: Pending, lastTransitionTime: '1970-01-01T00:00:00Z'}]}\n";
    let nothing: [&str; 0] = [];
    assert_eq!(found(&format!("{class}{}", gateway("other", ""))), nothing);
    assert_eq!(
        found(&format!("{class}{}", gateway("other", status))),
        ["gateway-class-missing"]
    );
    assert_eq!(
        found(&format!("{class}{}", gateway("acme", status))),
        nothing
    );
    assert_eq!(
        found(&format!("{class}{waiting}{}", gateway("acme", status))),
        ["gateway-class-not-accepted"]
    );
}

#[test]
fn references_into_other_namespaces_are_compared_with_grants_both_ways() {
    let nothing: [&str; 0] = [];
    let found = |kind, backend, resolved| {
        found(&format!(
            "{SERVICES}{}",
            route(kind, backend, YES, resolved)
        ))
    };
    let (db, own) = (
        "{name: db, namespace: data, port: 80}",
        "{name: web, port: 80}",
    );
    assert_eq!(found("GRPCRoute", db, RESOLVED), nothing);
    assert_eq!(found("GRPCRoute", db, REFUSED), ["reference-not-permitted"]);
    assert_eq!(found("HTTPRoute", db, REFUSED), nothing);
    assert_eq!(
        found("HTTPRoute", db, RESOLVED),
        ["reference-not-permitted"]
    );
    assert_eq!(
        found("HTTPRoute", own, REFUSED),
        ["reference-not-permitted"]
    );
    // The dump has no object from that namespace, so the grant may exist.
    assert_eq!(
        found(
            "HTTPRoute",
            "{name: db, namespace: far, port: 80}",
            RESOLVED
        ),
        nothing
    );
}

#[test]
fn accepts_objects_that_no_controller_has_reconciled() {
    let default = |name: &str| {
        format!(
            "{{type: {name}, status: Unknown, reason: Pending, message: Waiting for controller, lastTransitionTime: '1970-01-01T00:00:00Z'}}"
        )
    };
    let waiting = format!(
        "
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {{name: acme, generation: 1}}
spec: {{controllerName: acme.example/gateway}}
status: {{conditions: [{accepted}]}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {{generateName: edge-, namespace: infra, generation: 1}}
spec: {{gatewayClassName: acme, listeners: [{{name: tls, protocol: HTTPS, port: 443}}]}}
status: {{conditions: [{accepted}, {programmed}]}}
---
apiVersion: gateway.networking.x-k8s.io/v1alpha1
kind: XMesh
metadata: {{name: mesh, generation: 1}}
spec: {{controllerName: acme.example/mesh}}
status: {{conditions: [{accepted}, {programmed}]}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {{name: web, namespace: shop, generation: 1}}
spec: {{parentRefs: [{{name: edge, namespace: infra}}, {{kind: Service, group: '', name: web}}]}}
---
apiVersion: kuma.example/v1
kind: Mesh
metadata: {{name: default, namespace: other}}
",
        accepted = default("Accepted"),
        programmed = default("Programmed"),
    );
    assert_eq!(found(&waiting), Vec::<String>::new());
    let deleted = "
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: {name: acme, deletionTimestamp: '2026-10-01T08:00:00Z'}
spec: {controllerName: acme}
status: {conditions: [{type: Odd, status: maybe}], supportedFeatures: [{name: b}, {name: a}, {name: a}]}
";
    assert_eq!(found(deleted), Vec::<String>::new());
}

#[test]
fn ignores_outdated_statuses() {
    let text = route("HTTPRoute", "{name: webb, port: 80}", YES, RESOLVED);
    let older = text.replace("generation: 4}", "generation: 5}");
    let named = older.replace("spec:\n", "spec:\n  parentRefs: [{name: edge}]\n");
    let [older, named] = [older, named].map(|route| found(&format!("{SERVICES}{route}")));
    assert_eq!(older, Vec::<String>::new());
    assert_eq!(named, ["status-outdated"]);
}

#[test]
fn reports_nothing_missing_behind_aliases() {
    let hidden = format!(
        "{SERVICES}---\nanchor: &a {{name: webb, namespace: shop}}\ncopy: *b\n{}",
        route("HTTPRoute", "{name: webb, port: 80}", YES, RESOLVED)
    );
    let (findings, left_out) = check(&hidden, "--release v1.6.1");
    assert_eq!(
        findings,
        ["error resource/unreadable: the alias is not followed"]
    );
    assert!(
        left_out
            .iter()
            .any(|reason| reason.starts_with("aliases, which are not followed")),
        "{left_out:?}"
    );
}

#[test]
fn a_mesh_is_compared_with_mesh_profiles_and_two_controllers_with_none() {
    let report = "\
apiVersion: gateway.networking.k8s.io/v1
kind: ConformanceReport
gatewayAPIVersion: v1.6.1
gatewayAPIChannel: standard
profiles:
- name: MESH-HTTP
  core: {result: success, statistics: {Failed: 0, Passed: 9, Skipped: 0}}
  extended:
    result: success
    statistics: {Failed: 0, Passed: 1, Skipped: 0}
    supportedFeatures: [MeshConsumerRoute]
    unsupportedFeatures: [MeshHTTPRouteRedirectPath]
";
    let mesh = |name: &str| {
        format!(
            "---
apiVersion: gateway.networking.x-k8s.io/v1alpha1
kind: XMesh
metadata: {{name: {name}, generation: 1}}
spec: {{controllerName: {name}.example/mesh}}
status:
  conditions: [{{type: Accepted, status: 'True', reason: Accepted, message: by {name}, observedGeneration: 1}}]
  supportedFeatures: [{{name: HTTPRoute}}, {{name: MeshHTTPRouteRedirectPath}}]
"
        )
    };
    let folder = Folder::new();
    folder
        .file("report.yaml", report)
        .file("one.yaml", mesh("acme"))
        .file("two.yaml", mesh("umbrella"));
    let arguments = "resources one.yaml --report report.yaml --select resource/features-report";
    let one = folder.json(arguments);
    let messages: BTreeSet<&str> = one["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["message"].as_str().unwrap())
        .collect();
    assert_eq!(
        messages,
        BTreeSet::from([
            "XMesh `acme` does not list `MeshConsumerRoute`, but the report `report.yaml` supports it",
            "XMesh `acme` lists `MeshHTTPRouteRedirectPath`, but the report `report.yaml` lists it as unsupported",
        ])
    );
    let two = folder.json(&arguments.replace("one.yaml", "one.yaml two.yaml"));
    assert_eq!(two["findings"].as_array().unwrap().len(), 0);
    assert_eq!(two["left_out"][0]["path"], "2 files");
}

#[test]
fn entries_for_resource_rules_apply_and_are_never_unused_in_check() {
    let folder = Folder::with_tree();
    let class = "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: a}\nspec: {controllerName: a}\n";
    folder.file("dump.yaml", class);
    assert_eq!(
        folder.findings("resources dump.yaml"),
        ["resource/controller-name dump.yaml 4:24"]
    );
    folder.file(
        "gwconform.toml",
        "[[ignore]]\nrule = \"resource/controller-name\"\npath = \"dump.yaml\"\nreason = \"a toy\"\n",
    );
    let output = folder.run("resources dump.yaml");
    assert!(
        output
            .stdout
            .ends_with(", 1 finding ignored by gwconform.toml\n"),
        "{output:?}"
    );
    assert_eq!(folder.findings("check"), Vec::<String>::new());
    folder.file(
        "gwconform.toml",
        "[rules]\n\"resource/controller-name\" = \"info\"\n",
    );
    let output = folder.run("resources dump.yaml");
    assert!(
        output.code == 0 && output.stdout.starts_with("info["),
        "{output:?}"
    );
}

#[test]
fn the_configuration_in_a_folder_applies_to_its_manifests() {
    let folder = Folder::new();
    let class = "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: a}\nspec: {controllerName: a}\n";
    folder.file("m/a.yaml", class).file(
        "m/gwconform.toml",
        "[rules]\n\"resource/controller-name\" = \"off\"\n",
    );
    for path in ["m/a.yaml", "m", "./m/"] {
        let found = folder.findings(&format!("resources {path}"));
        assert_eq!(found, Vec::<String>::new(), "{path}");
    }
}

#[test]
fn mistakes_of_usage_are_reported() {
    let folder = Folder::with_tree();
    folder.file("dump.yaml", "kind: Note\n");
    let newest = Registry::embedded().newest().unwrap().version();
    let reported = |arguments: &str| {
        let Output { stderr, code, .. } = folder.run(arguments);
        format!("{code} {stderr}").replace(&newest.to_string(), "NEWEST")
    };
    insta::assert_snapshot!(
        [
            reported("resources dump.yaml --select report"),
            reported("check --select resource"),
            reported("resources - -"),
            reported("resources nothing.yaml"),
            reported("resources dump.yaml --release v7.1"),
        ]
        .concat(),
        @r"
    2 error: no selected rule applies to cluster resources (`gwconform explain resource` lists those rules)
    2 error: the selected rules apply to cluster resources; run `gwconform resources`
    2 error: standard input (-) can be read only once
    2 error: nothing.yaml: no such file or folder; expected a file with resources, or a folder of them
    2 error: unknown release `v7.1`; expected one from v0.7.0 to NEWEST
    "
    );
}

#[test]
fn thousands_of_routes_are_checked() {
    let mut text = String::from(SERVICES);
    for number in 0..3000 {
        let route = route("HTTPRoute", "{name: web, port: 80}", YES, RESOLVED);
        text.push_str(&route.replace(
            "name: web, namespace",
            &format!("name: web-{number}, namespace"),
        ));
    }
    let (findings, _) = check(&text, "--release v1.6.1");
    assert_eq!(findings, Vec::<String>::new());
}

#[test]
fn finds_possible_secrets_without_printing_them() {
    let key = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw".repeat(5);
    let token = "s3cr3t-".repeat(8);
    let text = format!(
        "\
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {{name: edge, annotations: {{acme.example/key: '-----BEGIN PRIVATE KEY----- {key}', acme.example/hash: {hash}}}}}
spec: {{listeners: [{{name: a, tls: {{options: {{token: {token}}}}}}}]}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: BackendTLSPolicy
metadata: {{name: db}}
spec: {{options: {{acme.example/key: {key}}}}}
",
        hash = "0123456789abcdef".repeat(16)
    );
    assert_eq!(
        found(&text),
        [
            "tls-secret",
            "tls-option-length",
            "tls-option-name",
            "tls-option-length",
            "tls-secret"
        ]
    );
    for format in ["human", "json"] {
        let arguments = format!("resources - --format {format} --color always");
        let output = run_with_input(root(), &words(&arguments), text.as_bytes());
        assert!(
            output.code == 1 && !output.stdout.contains(&key[..20]),
            "{output:?}"
        );
        assert!(!output.stdout.contains("s3cr3t"), "{output:?}");
    }
}

/// Secret text that must never be printed. It is short, so that truncation does not hide it.
const CANARY: &str = "hunter2";

fn dumps_with_secrets() -> Vec<String> {
    let class = "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: acme}\nspec: {controllerName: acme}\n";
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n";
    let broken = [
        "data:\n  password: hunter2: x\n",
        "data:\n  password: \"hunter2\n",
        "data:\n  password: \"hunter2\\q\"\n",
        "data:\n  password: 'hunter2'x\n",
        "data:\n  password: \"hunter2\"x\n",
        "data:\n\tpassword: hunter2\n",
        "data:\n  password: hunter2\n other: x\n",
        "data:\n  password: [hunter2\n",
        "data: {password: hunter2]\n",
        "data: {password: hunter2\n",
        "data:\n  hunter2\n  b: c\n",
        "data:\n  password: @hunter2\n",
        "data:\n  password: `hunter2\n",
        "data:\n  password: %hunter2\n",
        "data:\n  password: !hunter2!x y\n",
        "data:\n  password: |9x hunter2\n",
        "data:\n  password: - hunter2\n",
        "data:\n  ? hunter2\n  - x\n",
        "data:\n  password: \u{1}hunter2\n",
        "data:\n  password: \u{feff}hunter2\n",
        "}\nhunter2\n",
        "data: &hunter2 {a: b}\n",
        "data: &a {password: hunter2}\nstringData: *a\n",
        "data: {a: *hunter2}\n",
        "data: {password: *hunter2 }\n",
        "data: !hunter2 {a: b}\n",
        "data: {hunter2: a, hunter2: b}\n",
        "data:\n  hunter2: a\n  hunter2: b\n",
        "data: {a: hunter2, a: hunter2}\n",
        "data: {<<: {a: hunter2}}\n",
        "data: {[hunter2]: a}\n",
        "data: {hunter2: 0o17, b: hunter2}\n",
        "--- hunter2\n",
        "...\n%hunter2 x\n---\na: *b\n",
        "---\nhunter2: a\nhunter2: b\n",
    ];
    let indented = |text: &str| format!("- {}\n", text.trim_end().replace('\n', "\n  "));
    let list = |text: &str| format!("apiVersion: v1\nkind: List\nitems:\n{text}");
    let mut dumps = Vec::new();
    for broken in broken {
        let object = format!("{secret}{broken}");
        dumps.push(object.clone());
        dumps.push(format!("{class}---\n{object}"));
        dumps.push(format!("{object}---\n{class}"));
        dumps.push(list(&format!("{}{}", indented(class), indented(&object))));
        dumps.push(format!("{broken}apiVersion: v1\nkind: Secret\n"));
        for kind in [
            "secret",
            "' Secret '",
            "&a Secret",
            "!!str Secret",
            "*a",
            "SealedSecret",
        ] {
            let misspelled = object.replace("kind: Secret", &format!("kind: {kind}"));
            dumps.push(format!("{class}---\n{misspelled}"));
        }
        dumps.push(object.replace("kind: Secret", "kind: Secret\nkind: GatewayClass"));
        dumps.push(format!("{class}{object}"));
        dumps.push(list(&indented(&format!("{class}{object}"))));
    }
    let class = r#"{"apiVersion":"gateway.networking.k8s.io/v1","kind":"GatewayClass","metadata":{"name":"acme"},"spec":{"controllerName":"acme"}}"#;
    let json = [
        r#"{"apiVersion":"v1","data":{"p":"hunter2","p":"hunter2"},"kind":"Secret"}"#,
        r#"{"apiVersion":"v1","kind":"Secret","data":{"p":"hunter2" "q":1}}"#,
        r#"{"apiVersion":"v1","data":{"p":"hunter2","kind":"Secret"}"#,
        r#"{"data":{"p":"hunter2\q"},"kind":"Secret","apiVersion":"v1"}"#,
        r#"{"apiVersion":"v1","kind":"Secret","data":{"p":"hunter2"}}"#,
        r#"{"apiVersion":"gateway.networking.k8s.io/v1","kind":"GatewayClass","Kind":"Secret","spec":{"controllerName":"hunter2"}}"#,
    ];
    for json in json {
        dumps.push(json.to_owned());
        // The list is on one line, as in the output of `kubectl get -o json | jq -c`.
        for items in [format!("{class},{json}"), format!("{json},{class}")] {
            dumps.push(format!(
                r#"{{"apiVersion":"v1","kind":"List","items":[{items}]}}"#
            ));
            dumps.push(format!(
                r#"{{"apiVersion":"v1","items":[{items}],"kind":"List"}}"#
            ));
            dumps.push(format!(r#"{{"apiVersion":"v1","items":[{items}"#));
        }
        dumps.push(format!("{class}\n{json}"));
    }
    dumps
}

fn in_all_formats(dump: &[u8]) -> [(&'static str, String); Format::ALL.len()] {
    let files = [Source::new("dump.yaml", dump.to_vec())];
    let settings = Settings::default();
    let outcome = check_resources(&files, Against::default(), &settings, Registry::embedded());
    let config = Config::default();
    Format::ALL.map(|format| {
        let mut out = Vec::new();
        let input = RenderInput::of_resources(&outcome, &config);
        format.write(input, &mut out).unwrap();
        (format.name(), String::from_utf8(out).unwrap())
    })
}

#[test]
fn prints_no_part_of_broken_secrets() {
    let dumps = dumps_with_secrets();
    assert!(dumps.len() > 400, "{}", dumps.len());
    let (mut all, mut shown) = (0, Vec::new());
    let mut look = |dump: &[u8]| {
        for (format, text) in in_all_formats(dump) {
            all += 1;
            if text.contains(CANARY) {
                shown.push(format!("{format}: {}", String::from_utf8_lossy(dump)));
            }
        }
    };
    for dump in &dumps {
        look(dump.as_bytes());
    }
    for dump in [&dumps[1], &dumps[3]].map(String::as_bytes) {
        for at in 0..dump.len() {
            look(&dump[..at]);
            look(&[&dump[..at], b"\xff", &dump[at..]].concat());
        }
    }
    let first = shown.iter().take(5).cloned().collect::<Vec<_>>();
    let (shown, first) = (shown.len(), first.join("\n"));
    assert_eq!(shown, 0, "of {all} outputs show it, such as\n{first}");
}

#[test]
fn items_of_a_list_of_the_api_need_no_kind() {
    // The list has the form of `kubectl get --raw
    // /apis/gateway.networking.k8s.io/v1/gatewayclasses`.
    let list = "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClassList\nitems:\n- metadata: {name: a, generation: 2}\n  spec: {controllerName: a.example/b}\n  status: {conditions: [{type: Accepted, status: 'True', reason: Accepted, observedGeneration: 1}]}\n";
    assert!(found(list).contains(&"status-outdated".to_owned()));
    let of_any = list.replace("GatewayClassList", "List");
    assert_eq!(found(&of_any), [""; 0]);
}
