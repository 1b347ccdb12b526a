//! Compares the kinds and versions that the CRDs of releases serve with the sources, and tests
//! `needs --crds`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::support::corpus::{next_to_corpus, sources_of_releases};
use crate::support::folder::Folder;
use crate::support::{run, words_of};
use gwconform_base::api::{Channel, Minor, Version};
use gwconform_base::release::Registry;
use gwconform_base::release::served::{Absent, ServedRelease};
use serde_yaml::Value;

fn embedded(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/registry");
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn the_sources_of_releases_give_our_files() {
    let Some(sources) = sources_of_releases() else {
        return;
    };
    let mut tags: Vec<_> = fs::read_dir(&sources)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    tags.sort();
    tags.reverse();
    let folder = Folder::new();
    fs::create_dir(folder.path().join("made")).unwrap();
    let mut arguments = ["registry", "served", "--out", "made"]
        .map(str::to_owned)
        .to_vec();
    let checkouts = tags.iter().map(|tag| sources.join(tag));
    arguments.extend(checkouts.map(|path| fs::canonicalize(path).unwrap().display().to_string()));
    let output = run(folder.path(), &arguments);
    assert_eq!(
        (output.code, output.stderr.as_str()),
        (
            0,
            "warning: the CRDs of v0.8.1 have the bundle version v0.8.0\n"
        )
    );
    for name in ["served.json", "fields.json"] {
        let made = folder.read(&format!("made/{name}"));
        assert!(made == embedded(name), "{name}");
    }
    let served = Registry::embedded().served().releases();
    let known: BTreeSet<_> = served.iter().map(|one| one.version.to_string()).collect();
    assert_eq!(known, tags.into_iter().collect());
}

/// A CRD, parsed with a different YAML library than the program uses.
struct Crd {
    group: String,
    kind: String,
    /// Whether the version is served, and whether it is deprecated.
    versions: BTreeMap<String, (bool, bool)>,
    fields: BTreeSet<String>,
}

fn crds_of(folder: &Path) -> Vec<Crd> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for document in serde_yaml::Deserializer::from_str(&text) {
            let value: Value = serde::Deserialize::deserialize(document).unwrap();
            if value.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition") {
                all.push(crd(&value["spec"]));
            }
        }
    }
    all
}

fn crd(spec: &Value) -> Crd {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut fields = BTreeSet::new();
    let mut versions = BTreeMap::new();
    for version in spec["versions"].as_sequence().unwrap() {
        let is = |name: &str| version.get(name).and_then(Value::as_bool) == Some(true);
        versions.insert(text(&version["name"]), (is("served"), is("deprecated")));
        let schema = &version["schema"]["openAPIV3Schema"];
        let mut below = vec![("spec".to_owned(), &schema["properties"]["spec"])];
        while let Some((path, schema)) = below.pop() {
            if let Some(items) = schema.get("items") {
                below.push((format!("{path}[]"), items));
            }
            let properties = schema.get("properties").and_then(Value::as_mapping);
            for (name, schema) in properties.into_iter().flatten() {
                let path = format!("{path}.{}", name.as_str().unwrap());
                fields.insert(path.clone());
                below.push((path, schema));
            }
        }
    }
    Crd {
        group: text(&spec["group"]),
        kind: text(&spec["names"]["kind"]),
        versions,
        fields,
    }
}

fn v1_6_1() -> &'static ServedRelease {
    let version = Version::parse("v1.6.1").unwrap();
    Registry::embedded().served().release(&version).unwrap()
}

#[test]
fn the_crds_of_v1_6_1_are_what_the_file_has() {
    let Some(folder) = next_to_corpus("spec/crds") else {
        return;
    };
    let standard = crds_of(&folder.join("standard"));
    let experimental = crds_of(&folder.join("experimental"));
    for (channel, crds) in [
        (Channel::Standard, &standard),
        (Channel::Experimental, &experimental),
    ] {
        let known = v1_6_1().kinds.iter();
        let known = known.filter(|(_, kind)| kind.versions(channel).is_some());
        let known: BTreeSet<&str> = known.map(|(name, _)| name.as_str()).collect();
        let there: BTreeSet<&str> = crds.iter().map(|crd| crd.kind.as_str()).collect();
        assert_eq!(known, there, "{channel}");
        for crd in crds {
            let kind = v1_6_1().kind(&crd.group, &crd.kind).unwrap();
            let versions = kind.versions(channel).unwrap();
            for (name, (is_served, is_deprecated)) in &crd.versions {
                let at = format!("{channel} {} {name}", crd.kind);
                assert_eq!(versions.served.contains(name), *is_served, "{at}");
                assert_eq!(versions.unserved.contains(name), !is_served, "{at}");
                assert_eq!(
                    versions.deprecated.contains_key(name),
                    *is_deprecated,
                    "{at}"
                );
            }
            let count = versions.served.len() + versions.unserved.len();
            assert_eq!(count, crd.versions.len());
        }
    }
    let mut compared = 0;
    for crd in &standard {
        let other = experimental.iter().find(|other| other.kind == crd.kind);
        let only: Vec<&String> = other.unwrap().fields.difference(&crd.fields).collect();
        let listed = &v1_6_1().kinds[&crd.kind].experimental_fields;
        // Each experimental-only field is within exactly one listed field.
        for field in listed {
            assert!(only.contains(&field), "{}: {field}", crd.kind);
        }
        let is_within = |field: &str, top: &str| {
            let rest = field.strip_prefix(top);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        for field in only {
            let tops = listed.iter().filter(|top| is_within(field, top)).count();
            assert_eq!(tops, 1, "{}: {field}", crd.kind);
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn facts_of_crds_are_consistent() {
    let served = Registry::embedded().served();
    for release in served.releases() {
        for (kind, found) in &release.kinds {
            let at = format!("{} {kind}", release.version);
            assert!(
                found.versions(Channel::Experimental).is_some(),
                "{at}: the experimental channel has all that the standard one has"
            );
            for channel in [Channel::Standard, Channel::Experimental] {
                let Some(versions) = found.versions(channel) else {
                    continue;
                };
                assert!(!versions.served.is_empty(), "{at}");
                for (version, instead) in &versions.deprecated {
                    let all: Vec<_> = versions.served.iter().chain(&versions.unserved).collect();
                    assert!(all.contains(&version), "{at} {version}");
                    assert!(versions.served.contains(instead.as_ref().unwrap()), "{at}");
                }
            }
        }
    }
    for release in served.releases() {
        let known = Registry::embedded()
            .release(&release.version)
            .release()
            .unwrap();
        for channel in [Channel::Standard, Channel::Experimental] {
            let kinds = release.kinds.values();
            let kinds = kinds
                .filter(|kind| kind.versions(channel).is_some())
                .count();
            let not_crds = ["vap_safeupgrades"];
            let crds = known.crds(channel).iter();
            let crds = crds
                .filter(|name| !not_crds.contains(&name.as_str()))
                .count();
            assert_eq!(kinds, crds, "{} {channel}", release.version);
        }
    }
}

#[test]
fn a_field_is_absent_for_one_reason() {
    let served = Registry::embedded().served();
    for release in served.releases() {
        for kind in release.kinds.keys() {
            let crds = served.crds(release, Channel::Experimental);
            for (field, why) in crds.absent_fields(kind) {
                let at = format!("{} {kind} {field}", release.version);
                let minor = release.version.minor();
                match why {
                    Absent::Experimental(_) => panic!("{at}: this is that channel"),
                    Absent::Gone(until) => assert!(until < minor, "{at}"),
                    Absent::NotYet(since) => assert!(since > minor, "{at}"),
                }
            }
        }
    }
}

fn manifest(api_version: &str, kind: &str) -> String {
    format!("apiVersion: {api_version}\nkind: {kind}\nmetadata:\n  name: one\n")
}

fn said(manifest: &str, crds: &str) -> (i32, Vec<String>) {
    let folder = Folder::new();
    folder.file("m.yaml", manifest);
    let arguments = format!("needs m.yaml --crds {crds}");
    let findings = lines(&folder, &arguments).into_iter();
    let without_place = |line: String| {
        let (_, message) = line.split_once(": ").unwrap();
        message.to_owned()
    };
    let code = folder.run(&arguments).code;
    (code, findings.map(without_place).collect())
}

const GROUP: &str = "gateway.networking.k8s.io";

fn jumps(api_version: &str, kind: &str, expected: &[(&str, Option<&str>)]) {
    for (crds, message) in expected {
        let (code, findings) = said(&manifest(api_version, kind), crds);
        let at = format!("{api_version} {kind} with {crds}");
        let expected: Vec<String> = message.iter().map(ToString::to_string).collect();
        assert_eq!(findings, expected, "{at}");
        let is_error = message.is_some_and(|message| message.starts_with("error"));
        assert_eq!(code, i32::from(is_error), "{at}");
    }
}

#[test]
fn backend_tls_policy_v1alpha3_is_v1_since_v1_4() {
    jumps(
        &format!("{GROUP}/v1alpha3"),
        "BackendTLSPolicy",
        &[
            ("v1.3/experimental", None),
            (
                "v1.3/standard",
                Some(
                    "error[needs/kind-not-in-channel]: `BackendTLSPolicy` is only in the experimental CRDs of v1.3.0; the standard ones have it since v1.4",
                ),
            ),
            (
                "v1.4/standard",
                Some(
                    "error[needs/version-not-served]: `BackendTLSPolicy` `v1alpha3` is not served by the standard CRDs of v1.4.1; write `gateway.networking.k8s.io/v1`",
                ),
            ),
            (
                "v1.4.1/experimental",
                Some(
                    "warning[needs/version-deprecated]: `BackendTLSPolicy` `v1alpha3` is deprecated in the experimental CRDs of v1.4.1; write `gateway.networking.k8s.io/v1`",
                ),
            ),
        ],
    );
}

#[test]
fn grpc_route_v1alpha2_is_gone_since_v1_2() {
    let gone = |channel: &str| {
        format!(
            "error[needs/version-not-served]: `GRPCRoute` `v1alpha2` is not served by the {channel} CRDs of v1.2.1; write `gateway.networking.k8s.io/v1`"
        )
    };
    jumps(
        &format!("{GROUP}/v1alpha2"),
        "GRPCRoute",
        &[
            ("v1.0/experimental", None),
            (
                "v1.1/experimental",
                Some(
                    "warning[needs/version-deprecated]: `GRPCRoute` `v1alpha2` is deprecated in the experimental CRDs of v1.1.0; write `gateway.networking.k8s.io/v1`",
                ),
            ),
            ("v1.2/standard", Some(&gone("standard"))),
            ("v1.2/experimental", Some(&gone("experimental"))),
        ],
    );
}

#[test]
fn tls_route_is_v1_since_v1_5() {
    for alpha in ["v1alpha2", "v1alpha3"] {
        let not_served = format!(
            "error[needs/version-not-served]: `TLSRoute` `{alpha}` is not served by the standard CRDs of v1.5.1; write `gateway.networking.k8s.io/v1`"
        );
        let deprecated = format!(
            "warning[needs/version-deprecated]: `TLSRoute` `{alpha}` is deprecated in the experimental CRDs of v1.5.1; write `gateway.networking.k8s.io/v1`"
        );
        jumps(
            &format!("{GROUP}/{alpha}"),
            "TLSRoute",
            &[
                ("v1.4/experimental", None),
                ("v1.5/standard", Some(&not_served)),
                ("v1.5/experimental", Some(&deprecated)),
            ],
        );
    }
}

#[test]
fn tcp_and_udp_routes_are_v1_since_v1_6() {
    for kind in ["TCPRoute", "UDPRoute"] {
        let not_served = format!(
            "error[needs/version-not-served]: `{kind}` `v1alpha2` is not served by the standard CRDs of v1.6.1; write `gateway.networking.k8s.io/v1`"
        );
        let other = format!(
            "error[needs/kind-not-in-channel]: `{kind}` is only in the experimental CRDs of v1.5.1; the standard ones have it since v1.6"
        );
        jumps(
            &format!("{GROUP}/v1alpha2"),
            kind,
            &[
                ("v1.5/experimental", None),
                ("v1.5/standard", Some(&other)),
                ("v1.6/standard", Some(&not_served)),
            ],
        );
    }
}

#[test]
fn x_listener_set_is_listener_set_since_v1_5() {
    let gone = |release: &str| {
        format!(
            "error[needs/kind-gone]: `XListenerSet` is in no CRD of {release}; since v1.5 it is `ListenerSet` (`gateway.networking.k8s.io/v1`)"
        )
    };
    jumps(
        "gateway.networking.x-k8s.io/v1alpha1",
        "XListenerSet",
        &[
            ("v1.4/experimental", None),
            ("v1.5/standard", Some(&gone("v1.5.1"))),
            ("v1.6/experimental", Some(&gone("v1.6.1"))),
        ],
    );
    let before = "error[needs/kind-gone]: `ListenerSet` is in no CRD of v1.3.0; before v1.5 it was `XListenerSet` (`gateway.networking.x-k8s.io/v1alpha1`)";
    jumps(
        &format!("{GROUP}/v1"),
        "ListenerSet",
        &[("v1.3/experimental", Some(before)), ("v1.5/standard", None)],
    );
    // The standard CRDs never included the previous kind.
    let experimental = format!("{before}, in the experimental channel only");
    jumps(
        &format!("{GROUP}/v1"),
        "ListenerSet",
        &[("v1.3/standard", Some(&experimental))],
    );
}

#[test]
fn suggests_experimental_kinds() {
    let meant = "error[needs/kind-gone]: no release has a kind `TCPRuote` of `gateway.networking.k8s.io/v1alpha2`; did you mean `TCPRoute`";
    let experimental = format!("{meant}, which is in the experimental channel only?");
    let either = format!("{meant}?");
    jumps(
        &format!("{GROUP}/v1alpha2"),
        "TCPRuote",
        &[
            ("v1.5/standard", Some(&experimental)),
            ("v1.5/experimental", Some(&either)),
            ("v1.6/standard", Some(&either)),
        ],
    );
}

fn problems(served: &str) -> Vec<String> {
    let folder = Folder::new();
    folder.file("facts/served.json", served);
    let output = folder.run("registry check --registry facts");
    let lines = output.stdout.lines().map(str::to_owned);
    let mut problems: Vec<String> = lines.collect();
    let summary = problems.pop().unwrap();
    assert!(
        summary.starts_with(&format!("{} difference", problems.len())),
        "{summary}"
    );
    assert_eq!(output.code, i32::from(!problems.is_empty()));
    problems
}

#[test]
fn the_file_is_checked_for_its_consistency() {
    let text = embedded("served.json");
    assert_eq!(problems(&text), Vec::<String>::new());
    let line_of = |text: &str, part: &str| text[..text.find(part).unwrap()].lines().count();
    for (from, to, message) in [
        (
            "\"v1.5.1\":",
            "\"v1.5.9\":",
            "v1.5.9 is not a release of this registry",
        ),
        (
            "\"XMesh\":",
            "\"XMush\":",
            "`XMush` is not among the experimental CRDs of v1.4.1",
        ),
        (
            "\"served\": [\"v1beta1\"]",
            "\"served\": [\"beta\"]",
            "`beta` is not a version; expected a version such as v1 or v1alpha2",
        ),
        (
            "\"served\": [\"v1\", \"v1beta1\"]",
            "\"served\": [\"v1beta1\", \"v1\"]",
            "`served` is not in order; expected v1, v1beta1",
        ),
        (
            "\"unserved\": [\"v1alpha2\"]",
            "\"unserved\": [\"v1beta1\"]",
            "has a version twice",
        ),
        (
            "\"renamedFrom\": \"XListenerSet\"",
            "\"renamedFrom\": \"YListenerSet\"",
            "`ListenerSet` is renamed from `YListenerSet`; expected a kind of an earlier release",
        ),
        (
            "\"experimentalFields\": [\"spec.defaultScope\"]",
            "\"experimentalFields\": [\"status.defaultScope\"]",
            "`status.defaultScope` of `Gateway` is not below `spec`",
        ),
    ] {
        assert!(text.contains(from), "{from}");
        let found = problems(&text.replacen(from, to, 1));
        let hit = found.iter().find(|line| line.contains(message));
        let hit = hit.unwrap_or_else(|| panic!("{message}: {found:?}"));
        let line: usize = hit.split(':').nth(1).unwrap().parse().unwrap();
        assert!(hit.starts_with("served.json:"), "{hit}");
        let near = line_of(&text, from);
        assert!(line.abs_diff(near) <= 8, "{hit}: line {near}");
    }
    let disordered = r#"{"v1.6.1": {}, "v1.5.1": {}}"#;
    let found = problems(disordered);
    let expected = "served.json:1: `v1.6.1` is out of order; expected it after `v1.5.1`";
    assert!(found.iter().any(|line| line == expected), "{found:?}");
}

#[test]
fn reference_grant_is_v1_since_v1_5() {
    let not_yet = "error[needs/version-not-served]: `ReferenceGrant` `v1` is not served by the standard CRDs of v1.4.1; write `gateway.networking.k8s.io/v1beta1`";
    jumps(
        &format!("{GROUP}/v1"),
        "ReferenceGrant",
        &[("v1.4/standard", Some(not_yet)), ("v1.5/standard", None)],
    );
    let beta = format!("{GROUP}/v1beta1");
    jumps(
        &beta,
        "ReferenceGrant",
        &[("v1.4/standard", None), ("v1.6/standard", None)],
    );
}

#[test]
fn successors_of_kinds_may_be_experimental() {
    let now = "error[needs/kind-gone]: `BackendLBPolicy` is in no CRD of v1.6.1; since v1.3 it is `XBackendTrafficPolicy` (`gateway.networking.x-k8s.io/v1alpha1`), in the experimental channel only";
    jumps(
        &format!("{GROUP}/v1alpha2"),
        "BackendLBPolicy",
        &[("v1.2/experimental", None), ("v1.6/standard", Some(now))],
    );
}

#[test]
fn checks_kinds_in_references() {
    let folder = Folder::new();
    let route = "apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: web
spec:
  parentRefs:
  - name: edge
  - group: gateway.networking.x-k8s.io
    kind: XListenerSet
    name: shop
  - kind: Service
    group: \"\"
    name: web
  rules:
  - backendRefs:
    - group: gateway.networking.x-k8s.io
      kind: XBackend
      name: web
";
    folder.file("m.yaml", route);
    assert_eq!(
        found(&folder, "needs m.yaml --crds v1.6/standard"),
        [
            "m.yaml:9:11: error[needs/kind-gone]: `XListenerSet` is in no CRD of v1.6.1; since v1.5 it is `ListenerSet` (`gateway.networking.k8s.io/v1`)",
            "m.yaml:17:13: error[needs/kind-not-in-channel]: `XBackend` is only in the experimental CRDs of v1.6.1",
        ]
    );
    let grant = "apiVersion: gateway.networking.k8s.io/v1beta1
kind: ReferenceGrant
metadata:
  name: one
spec:
  from:
  - {group: gateway.networking.k8s.io, kind: TCPRoute, namespace: shop}
  to: []
";
    folder.file("m.yaml", grant);
    assert!(found(&folder, "needs m.yaml --crds v1.6/standard").is_empty());
}

#[test]
fn a_reference_without_a_group_is_to_the_api() {
    let folder = Folder::new();
    folder.file(
        "m.yaml",
        "apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: web}
spec:
  parentRefs:
  - {kind: ListenerSet, name: x}
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge}
spec:
  listeners:
  - {name: a, port: 1, protocol: TCP, allowedRoutes: {kinds: [{kind: TCPRoute}]}}
",
    );
    assert_eq!(
        found(&folder, "needs m.yaml --crds v1.4/standard"),
        [
            "m.yaml:6:12: error[needs/kind-gone]: `ListenerSet` is in no CRD of v1.4.1; before v1.5 it was `XListenerSet` (`gateway.networking.x-k8s.io/v1alpha1`), in the experimental channel only",
            "m.yaml:13:70: error[needs/kind-not-in-channel]: `TCPRoute` is only in the experimental CRDs of v1.4.1; the standard ones have it since v1.6",
        ]
    );
}

#[test]
fn checks_only_targets_in_objects_of_other_groups() {
    let folder = Folder::new();
    folder.file(
        "m.yaml",
        "apiVersion: projects.acme.example/v1
kind: Project
metadata: {name: g}
spec:
  allowed:
  - {group: gateway.networking.k8s.io, kind: \"*\"}
---
apiVersion: gateway.acme.example/v1
kind: Policy
metadata: {name: g}
spec:
  targetRefs: [{group: gateway.networking.k8s.io, kind: TCPRoute, name: a}]
",
    );
    // Unchecked fields may be secret, so the output omits the source line.
    let said = words_of(&folder.run("needs m.yaml --crds v1.5/standard").stdout);
    assert!(
        said.starts_with("error[needs/kind-not-in-channel]: `TCPRoute` is only in the experimental CRDs of v1.5.1; the standard ones have it since v1.6 --> m.yaml:12:57 1 error"),
        "{said}"
    );
}

#[test]
fn reports_unknown_kinds_of_the_api_only() {
    let unknown = "error[needs/kind-gone]: no release has a kind `HTTPRout` of `gateway.networking.k8s.io/v1`; did you mean `HTTPRoute`?";
    jumps(
        &format!("{GROUP}/v1"),
        "HTTPRout",
        &[("v1.6/standard", Some(unknown))],
    );
    let route = manifest(&format!("{GROUP}/v1"), "HTTPRoute");
    for (api_version, kind) in [("v1", "Service"), ("gateway.acme.example/v1", "HTTPRoute")] {
        let both = format!("{}---\n{route}", manifest(api_version, kind));
        let (code, findings) = said(&both, "v1.6/standard");
        assert_eq!((code, findings), (0, Vec::new()), "{api_version} {kind}");
    }
}

fn found(folder: &Folder, arguments: &str) -> Vec<String> {
    folder.findings(arguments);
    lines(folder, arguments)
}

/// Returns findings without checking locations, because the output may omit source lines.
fn lines(folder: &Folder, arguments: &str) -> Vec<String> {
    let line = "{path}:{line}:{column}: {severity}[{rule}]: {message}";
    crate::support::lines(&folder.json(arguments)["findings"], line)
}

const ROUTE: &str = "apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: web
spec:
  rules:
  - filters:
    - type: CORS
      cors: &cors
        allowCredentials: true
    retry:
      attempts: 3
    sessionPersistence: null
  - retry: {codes: [500]}
    backendRefs:
    - name: web
      port: 80
      filters:
      - type: CORS
        cors: *cors
";

#[test]
fn fields_are_found_where_they_are() {
    let folder = Folder::new();
    folder.file("m.yaml", ROUTE);
    let retry = |line: u32, column: u32, release: &str| {
        format!(
            "m.yaml:{line}:{column}: error[needs/field-not-in-channel]: `spec.rules[].retry` is only in the experimental CRDs of {release}"
        )
    };
    // Null fields do not count; aliased fields do.
    let findings = |crds: &str| found(&folder, &format!("needs m.yaml --crds {crds}"));
    assert_eq!(
        findings("v1.6/standard"),
        [retry(11, 5, "v1.6.1"), retry(14, 5, "v1.6.1")]
    );
    assert!(findings("v1.6/experimental").is_empty());
    let cors = |line: u32, path: &str| {
        format!(
            "m.yaml:{line}:{}: error[needs/field-not-in-channel]: `spec.rules[].{path}filters[].cors` is only in the experimental CRDs of v1.4.1; the standard ones have it since v1.5",
            if path.is_empty() { 7 } else { 9 }
        )
    };
    let of_v1_4 = findings("v1.4/standard");
    assert_eq!(of_v1_4.len(), 4, "{of_v1_4:#?}");
    assert!(of_v1_4.contains(&cors(9, "")), "{of_v1_4:#?}");
    assert!(
        of_v1_4.contains(&cors(20, "backendRefs[].")),
        "{of_v1_4:#?}"
    );
    let of_v1_1 = findings("v1.1/experimental");
    let not_yet = "m.yaml:11:5: error[needs/field-gone]: `spec.rules[].retry` is in no CRD of v1.1.0; the first minor with it is v1.2";
    assert!(of_v1_1.iter().any(|one| one == not_yet), "{of_v1_1:#?}");
}

#[test]
fn reports_fields_that_are_gone() {
    let folder = Folder::new();
    let gateway = "apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata:
  name: edge
spec:
  gatewayClassName: acme
  backendTLS: {}
  listeners:
  - name: https
    protocol: HTTPS
    port: 443
    tls:
      frontendValidation: {}
";
    folder.file("m.yaml", gateway);
    let gone = |at: &str, field: &str| {
        format!(
            "m.yaml:{at}: error[needs/field-gone]: `{field}` is in no CRD of v1.6.1; the last minor with it is v1.3"
        )
    };
    assert_eq!(
        found(&folder, "needs m.yaml --crds v1.6/standard"),
        [
            gone("7:3", "spec.backendTLS"),
            gone("13:7", "spec.listeners[].tls.frontendValidation")
        ]
    );
}

#[test]
fn lists_unknown_crds() {
    let folder = Folder::new();
    folder.file("m.yaml", manifest(&format!("{GROUP}/v1"), "HTTPRoute"));
    let known = "expected one of v0.8.1, v1.0.0, v1.1.0, v1.2.1, v1.3.0, v1.4.1, v1.5.1, v1.6.1, or a minor of these";
    let form = "does not name CRDs; expected a release and a channel, such as v1.6/standard";
    for (crds, error) in [
        (
            "v1.6.9/standard",
            format!("the CRDs of `v1.6.9` are not known; {known}"),
        ),
        (
            "v1.5.0/standard",
            format!("the CRDs of `v1.5.0` are not known; {known}"),
        ),
        (
            "v0.7/standard",
            format!("the CRDs of `v0.7` are not known; {known}"),
        ),
        (
            "v1.99/standard",
            format!("the CRDs of `v1.99` are not known; {known}"),
        ),
        (
            "main/standard",
            format!("the CRDs of `main` are not known; {known}"),
        ),
        ("v1.6", format!("`v1.6` {form}")),
        ("v1.6/alpha", format!("`v1.6/alpha` {form}")),
    ] {
        let output = folder.run(&format!("needs m.yaml --crds {crds}"));
        assert_eq!(output.code, 2, "{crds}");
        assert_eq!(output.stderr, format!("error: --crds: {error}\n"));
    }
}

#[test]
fn reads_crds_of_another_registry() {
    let folder = Folder::new();
    let served = r#"{"v1.99.0": {"HTTPRoute": {"experimental": {"served": ["v2", "v1"]}}}}"#;
    folder.file("facts/served.json", served);
    folder.file("m.yaml", manifest(&format!("{GROUP}/v1beta1"), "HTTPRoute"));
    let findings = found(
        &folder,
        "needs m.yaml --crds v1.99/experimental --registry facts",
    );
    assert_eq!(
        findings,
        [
            "m.yaml:1:13: error[needs/version-not-served]: `HTTPRoute` `v1beta1` is not served by the experimental CRDs of v1.99.0; write `gateway.networking.k8s.io/v2`"
        ]
    );
    for (text, error) in [
        (
            r#"{"next": {}}"#,
            "served.json:1: `next` is not a release; expected a name such as v1.7.0",
        ),
        (
            "{\"v1.99.0\": {\n\"HTTPRoute\": {\"stable\": {}}}}",
            "served.json:2:15: `v1.99.0.HTTPRoute.stable`: unknown field `stable`; expected one of",
        ),
        (
            "{\"v1.99.0\": {}, \"v1.99.0\": {}}",
            "served.json:1:28: duplicate `v1.99.0`",
        ),
    ] {
        folder.file("facts/served.json", text);
        let output = folder.run("needs m.yaml --crds v1.99/experimental --registry facts");
        assert_eq!(output.code, 2, "{text}");
        output.stderr_has(error);
    }
}

#[test]
fn the_newest_minor_of_the_registry_is_known() {
    let newest = Registry::embedded().newest().unwrap().version().minor();
    let last = Registry::embedded().served().releases().last().unwrap();
    assert_eq!(last.version.minor(), newest);
    assert_eq!(Minor::parse("v1.6"), Some(newest));
}
