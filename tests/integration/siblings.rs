//! Tests trees of other projects with similar reports.

use serde_json::Value;

use crate::support::folder::{Folder, files, report};
use crate::support::report::ReportBuilder;
use crate::support::{lines, run, upstream};

const INFERENCE: &str = "\
GatewayAPIInferenceExtensionVersion: v1.1.0
apiVersion: gateway.networking.k8s.io/v1
date: '2026-01-29T23:03:15Z'
gatewayAPIChannel: experimental
gatewayAPIVersion: v1.4.1
implementation:
  contact: ['@acme/maintainers']
  organization: acme
  project: operator
  url: https://acme.example
  version: v2.4.0
kind: ConformanceReport
mode: default
profiles:
- core:
    result: success
    statistics: {Failed: 0, Passed: 10, Skipped: 0}
  name: Gateway
  summary: Core tests succeeded.
";

const GROUPS: &str = "\
apiVersion: multicluster.x-k8s.io/v1alpha1
date: '2026-01-29T23:03:15Z'
implementation: {organization: acme, project: operator, version: v2.4.0}
groups:
- name: Connectivity
  tests:
  - {name: Only, result: passed}
";

fn found(json: &Value) -> Vec<String> {
    lines(&json["findings"], "{rule}: {message}")
}

fn check(folder: &Folder) -> Vec<String> {
    found(&folder.json("check"))
}

fn without_version() -> String {
    INFERENCE.replace("GatewayAPIInferenceExtensionVersion: v1.1.0\n", "")
}

#[test]
fn a_change_with_only_reports_of_another_project_is_not_checked() {
    for base in [INFERENCE, &report()] {
        let folder = Folder::new();
        let path = "conformance/reports/v1.5.0/gateway/acme/report.yaml";
        folder.file("conformance/reports/v1.5/acme-operator/report.yaml", base);
        folder.file(path, INFERENCE).file("notes.md", "notes");
        folder.commit();
        folder.file("notes.md", "other notes");
        let unrelated = folder.run("check --since HEAD");
        assert_eq!(unrelated.code, 0, "{unrelated:?}");
        assert!(
            unrelated.stdout.starts_with("no report changed\n"),
            "{unrelated:?}"
        );
        for (path, text) in [
            (path, INFERENCE.replace("2026-01-29T", "2026-02-02T")),
            (
                "conformance/reports/v1.5.0/gateway/new/report.yaml",
                INFERENCE.replace("acme", "new"),
            ),
        ] {
            folder.file(path, text);
            let output = folder.run("check --since HEAD");
            assert!([1, 3].contains(&output.code), "{path}: {output:?}");
            let printed = output.stdout + &output.stderr;
            assert!(
                printed.contains("Gateway API Inference Extension"),
                "{printed}"
            );
            folder.commit();
        }
    }
}

#[test]
fn a_tree_of_another_project_has_one_finding() {
    let agentic = INFERENCE.replace("GatewayAPIInferenceExtensionVersion", "gatewayLayerVersion");
    let policy = INFERENCE.replace(
        "GatewayAPIInferenceExtensionVersion",
        "networkPolicyV2APIVersion",
    );
    for (path, report, name) in [
        (
            "v1.1.0/gateway/acme-operator",
            INFERENCE,
            "the Gateway API Inference Extension",
        ),
        (
            "v0.0.0-dev/gateway/acme-operator",
            &agentic,
            "the Kube Agentic Networking project",
        ),
        ("v0.1.2", &policy, "the Network Policy API"),
        ("v0.1.0/acme", GROUPS, "the Multi-Cluster Services API"),
    ] {
        let folder = Folder::new();
        folder
            .file(&format!("conformance/reports/{path}/report.yaml"), report)
            .file(
                &format!("conformance/reports/{path}/other-report.yaml"),
                report,
            )
            .file(&format!("conformance/reports/{path}/README.md"), "# Acme\n");
        let before = files(folder.path());
        let found = check(&folder);
        assert_eq!(found.len(), 1, "{found:#?}");
        let expected = format!(
            "gwconform does not check reports of {name}, and the tree contains no other reports"
        );
        assert!(found[0].contains(&expected), "{found:#?}");
        folder.run("check --fix --unsafe-fixes");
        assert_eq!(files(folder.path()), before);
    }
}

#[test]
fn a_report_without_its_version_field_is_recognized_by_its_profile() {
    let folder = Folder::new();
    folder.file(
        "conformance/reports/v1.0.2/gateway/acme-operator/report.yaml",
        without_version(),
    );
    let found = check(&folder);
    assert_eq!(found.len(), 1, "{found:#?}");
    let several = "the Gateway API Inference Extension or the Kube Agentic Networking project";
    assert!(found[0].contains(several), "{found:#?}");
    folder.file(
        "conformance/reports/v1.1.0/gateway/acme-operator/report.yaml",
        INFERENCE,
    );
    let found = check(&folder);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].contains("of the Gateway API Inference Extension, and"),
        "{found:#?}"
    );
    let reason = &folder.json("certify --allow-empty")["left_out"][0]["reason"];
    assert!(
        reason.as_str().unwrap().starts_with("a report of the "),
        "{reason}"
    );
}

#[test]
fn one_report_of_another_project_hides_nothing() {
    let folder = Folder::with_tree();
    let path = "conformance/reports/v1.5/acme-other";
    folder.file(
        &format!("{path}/standard-v2.4.0-default-report.yaml"),
        INFERENCE,
    );
    let found = check(&folder);
    assert!(
        found
            .iter()
            .any(|line| line.contains("report/other-project")),
        "{found:#?}"
    );
    assert!(
        found
            .iter()
            .any(|line| line.contains("tree/readme-missing")),
        "{found:#?}"
    );
    // A profile of Gateway API shows that the report is one of Gateway API.
    let both = ReportBuilder::new()
        .build()
        .replace("name: GATEWAY-GRPC", "name: Gateway");
    let folder = Folder::with_tree();
    folder.file(
        &format!("{path}/standard-v2.4.0-default-report.yaml"),
        both + "groups: []\n",
    );
    assert!(!check(&folder).is_empty());
}

#[test]
fn the_trees_of_other_projects_have_one_finding_each() {
    let Some(upstream) = upstream() else { return };
    for name in [
        "inference-extension",
        "kube-agentic-networking",
        "network-policy-api",
    ] {
        let root = upstream.join("siblings").join(name);
        let output = run(&root, &["check".into(), "--format".into(), "json".into()]);
        let found = found(&serde_json::from_str(&output.stdout).unwrap());
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(found[0].starts_with("report/other-project: "), "{found:#?}");
    }
}
