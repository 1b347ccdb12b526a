//! Tests that `gwconform` reads clusters with a fake `kubectl` on PATH.

use std::process::Command;

use crate::support::folder::Folder;
use crate::support::{Output, lines, write_program};

/// A Gateway whose certificate is in another namespace, and no ReferenceGrant.
const OBJECTS: &str = "apiVersion: v1
kind: List
items:
- apiVersion: gateway.networking.k8s.io/v1
  kind: Gateway
  metadata: {name: edge, namespace: infra, generation: 1}
  spec:
    gatewayClassName: acme
    listeners:
    - {name: web, port: 443, protocol: HTTPS, tls: {certificateRefs: [{name: web, namespace: certs}, {name: lost}]}}
  status:
    addresses: [{value: 192.0.2.1}]
    conditions:
    - {type: Accepted, status: 'True', reason: Accepted, observedGeneration: 1}
    - {type: Programmed, status: 'True', reason: Programmed, observedGeneration: 1}
    listeners:
    - name: web
      attachedRoutes: 0
      conditions:
      - {type: Accepted, status: 'True', reason: Accepted, observedGeneration: 1}
      - {type: Programmed, status: 'True', reason: Programmed, observedGeneration: 1}
      - {type: ResolvedRefs, status: 'True', reason: ResolvedRefs, observedGeneration: 1}
";

const NAMES: &str = "gateways.gateway.networking.k8s.io\ngatewayclasses.gateway.networking.k8s.io\nreferencegrants.gateway.networking.k8s.io\nservices\nsecrets\npods";

/// `get` and `secrets` are shell commands that end the answer.
fn folder(get: &str, secrets: &str) -> Folder {
    let folder = Folder::new();
    folder.file("bin/objects", OBJECTS).file("bin/names", NAMES);
    let bin = folder.path().join("bin");
    let script = format!(
        "cd '{}'
printf '%s\\n' \"$*\" >>calls
for word; do case $word in --context=*) shift;; esac; done
case \"$1 $2\" in
'api-resources '*) cat names;;
'get secrets') {secrets};;
'get -A') {get};;
*) echo 'unknown command' >&2; exit 9;;
esac",
        bin.display()
    );
    write_program(&bin.join("kubectl"), &script);
    folder
}

fn run(folder: &Folder, path: &str, arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_gwconform"))
        .args(arguments)
        .current_dir(folder.path())
        .env("PATH", path)
        .output()
        .unwrap();
    Output {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

fn ask(folder: &Folder, arguments: &[&str]) -> Output {
    let path = format!("{}:/usr/bin:/bin", folder.path().join("bin").display());
    run(folder, &path, arguments)
}

const RESOURCES: [&str; 6] = [
    "resources",
    "--cluster",
    "--release",
    "v1.6.1",
    "--format",
    "json",
];

fn rules(output: &Output) -> Vec<String> {
    let found: serde_json::Value = serde_json::from_str(&output.stdout).expect(&output.stderr);
    lines(&found["findings"], "{rule}")
}

#[test]
fn absence_counts_for_each_kind_that_was_listed() {
    let all = folder("cat objects", "echo 'infra other kubernetes.io/tls'");
    let output = ask(&all, &RESOURCES);
    let found = rules(&output);
    for rule in [
        "resource/certificate-missing",
        "resource/gateway-class-missing",
        "resource/reference-not-permitted",
    ] {
        assert!(found.iter().any(|one| one == rule), "{rule}: {found:?}");
    }
    assert_eq!((output.stderr.as_str(), output.code), ("", 1));
    let calls = all.read("bin/calls");
    assert_eq!(
        calls,
        "api-resources --verbs=list -o name
get -A -o yaml gatewayclasses.gateway.networking.k8s.io,gateways.gateway.networking.k8s.io,referencegrants.gateway.networking.k8s.io,services
get secrets -A --no-headers -o custom-columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,TYPE:.type
"
    );
}

#[test]
fn kinds_that_may_not_be_listed_are_named_and_do_not_count() {
    let forbidden = "cat objects; echo 'Error from server (Forbidden): referencegrants.gateway.networking.k8s.io is forbidden: User cannot list' >&2; exit 1";
    let some = folder(forbidden, "echo forbidden >&2; exit 1");
    let output = ask(&some, &RESOURCES);
    assert_eq!(
        output.stderr,
        "gwconform: not listed in all namespaces, so missing objects do not count: referencegrants.gateway.networking.k8s.io, secrets\n"
    );
    let found = rules(&output);
    assert!(
        !found
            .iter()
            .any(|rule| rule == "resource/reference-not-permitted")
    );
    assert!(
        !found
            .iter()
            .any(|rule| rule == "resource/certificate-missing")
    );
    assert!(
        found
            .iter()
            .any(|rule| rule == "resource/gateway-class-missing")
    );
}

#[test]
fn many_warnings_hide_no_error() {
    let warnings = "cat objects; for i in 1 2 3 4 5 6 7 8 9 10; do yes 'Warning: v1beta1 referencegrants.gateway.networking.k8s.io is deprecated' | head -n 20000; done >&2; echo 'Error from server (Forbidden): services is forbidden: User cannot list' >&2; exit 1";
    let some = folder(warnings, "true");
    let output = ask(&some, &RESOURCES);
    assert_eq!(
        output.stderr,
        "gwconform: not listed in all namespaces, so missing objects do not count: services\n"
    );
    let found = rules(&output);
    assert!(found.contains(&"resource/reference-not-permitted".to_owned()));
}

#[test]
fn a_dry_run_drops_no_word_and_no_format() {
    for (options, reason) in [
        (
            ["--context", "prod\u{200b}"],
            "error: --context: contains invisible characters; expected a visible name\n",
        ),
        (
            ["--format", "json"],
            "the argument '--dry-run' cannot be used with '--format <FORMAT>'",
        ),
        (
            ["--also", "json=file"],
            "the argument '--dry-run' cannot be used with '--also <FORMAT=FILE>'",
        ),
    ] {
        for command in ["resources", "needs"] {
            let mut arguments = vec![command, "--cluster", "--dry-run"];
            arguments.extend(options);
            let output = ask(&folder("cat objects", "true"), &arguments);
            output.stderr_has(reason);
            assert_eq!((output.stdout.as_str(), output.code), ("", 2));
        }
    }
}

#[test]
fn failures_of_kubectl_are_reported_with_its_reason() {
    let none = folder("echo 'connection refused' >&2; exit 7", "true");
    let output = ask(&none, &["needs", "--cluster", "--context", "a b"]);
    assert_eq!(output.code, 3);
    output.stderr_has("no objects were read: connection refused (exit code 7)");
    let calls = none.read("bin/calls");
    assert!(calls.starts_with("--context=a b api-resources"), "{calls}");
    let output = run(&none, "/nonexistent", &["resources", "--cluster"]);
    assert_eq!(
        (output.stderr.as_str(), output.code),
        ("error: kubectl was not found in the folders of PATH\n", 3)
    );
}

#[test]
fn needs_reads_the_cluster_too() {
    let all = folder("cat objects", "true");
    let output = ask(&all, &["needs", "--cluster"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    output.stdout_has("Gateway");
}

const POLICY: &str = "- apiVersion: gateway.acme.example/v1
  kind: RatePolicy
  metadata: {name: p, namespace: infra}
  spec: {targetSelectors: [{group: gateway.networking.k8s.io, kind: Gateway, matchLabels: {a: b}}]}
";

#[test]
fn needs_reads_policies_of_other_groups() {
    let all = folder("cat objects", "true");
    let policies = "ratepolicies.gateway.acme.example\nnetworkpolicies.networking.k8s.io\nglobalnetworkpolicies.acme.example\nbackendtlspolicies.gateway.networking.k8s.io\nratefilters.gateway.acme.example\npolicies.acme.example";
    all.file("bin/names", format!("{NAMES}\n{policies}"))
        .file("bin/objects", format!("{OBJECTS}{POLICY}"));
    let output = ask(&all, &["needs", "--cluster"]);
    assert_eq!((output.stderr.as_str(), output.code), ("", 0));
    output.stdout_has("RatePolicy.gateway.acme.example targets Gateway by label");
    let calls = || all.read("bin/calls");
    let get = calls().lines().nth(1).unwrap().to_owned();
    assert!(
        get.ends_with(",services,policies.acme.example,ratepolicies.gateway.acme.example"),
        "{get}"
    );
    // The printed commands read the same resources.
    all.remove("bin/calls");
    let output = ask(&all, &["needs", "--cluster", "--dry-run"]);
    let last = output.stdout.lines().last().unwrap();
    let shell = Command::new("sh")
        .args(["-c", last])
        .env(
            "PATH",
            format!("{}:/usr/bin:/bin", all.path().join("bin").display()),
        )
        .output()
        .unwrap();
    assert!(shell.status.success());
    assert_eq!(
        calls().lines().last().unwrap(),
        "get -A -o yaml ratepolicies.gateway.acme.example,policies.acme.example"
    );
    ask(&all, &["resources", "--cluster"]);
    assert!(calls().ends_with("TYPE:.type\n"));
    assert!(
        !calls()
            .lines()
            .rev()
            .nth(1)
            .unwrap()
            .contains("acme.example")
    );
}

#[test]
fn a_dry_run_prints_the_commands_and_runs_none() {
    let all = folder("cat objects", "true");
    let output = ask(
        &all,
        &["resources", "--cluster", "--context=a b", "--dry-run"],
    );
    let lines: Vec<&str> = output.stdout.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[0],
        "kubectl '--context=a b' api-resources --verbs=list -o name"
    );
    assert!(lines[2].contains("custom-columns=") && !output.stdout.contains(".data"));
    assert!(!all.exists("bin/calls"));
}

#[cfg(unix)]
#[test]
fn the_usage_of_the_plugin_names_kubectl() {
    let folder = Folder::new();
    let plugin = folder.path().join("kubectl-gwconform");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_gwconform"), &plugin).unwrap();
    let output = Command::new(&plugin)
        .args(["resources", "--help"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("Usage: kubectl gwconform resources "),
        "{text}"
    );
}
