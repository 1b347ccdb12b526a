//! Tests `gwconform diff`, which lists differences between two reports, with regressions first.

use std::process::Command;

use crate::support::folder::{Folder, report};
use crate::support::report::{Level, Profile, ReportBuilder};

fn http(
    release: &str,
    skipped: &[&str],
    supported: &[&str],
    unsupported: &[&str],
) -> ReportBuilder {
    named("GATEWAY-HTTP", release, skipped, supported, unsupported)
}

fn named(
    profile: &str,
    release: &str,
    skipped: &[&str],
    supported: &[&str],
    unsupported: &[&str],
) -> ReportBuilder {
    let count = |names: &[&str]| u32::try_from(names.len()).unwrap();
    let core = match count(skipped) {
        0 => Level::success(33),
        some => Level::result("partial")
            .counts(33 - some, some, 0)
            .skipped(skipped),
    };
    let extended = Level::success(count(supported))
        .supported(supported)
        .unsupported(unsupported);
    let profile = Profile::new(profile).core(core).extended(extended);
    ReportBuilder::new()
        .release(release)
        .profiles([profile.summary("x")])
}

#[test]
fn regressions_come_first_then_gains_then_metadata() {
    let folder = Folder::new();
    let old = http(
        "v1.5.1",
        &[],
        &["GatewayPort8080", "HTTPRouteCORS"],
        &["HTTPRoutePortRedirect"],
    );
    let new = http(
        "v1.5.1",
        &["HTTPRouteWeight"],
        &["GatewayPort8080", "HTTPRoutePortRedirect"],
        &["HTTPRouteCORS"],
    );
    let new = new
        .version("v2.15.0")
        .build()
        .replace("summary: x", "summary: y");
    folder.file("old.yaml", old.build()).file("new.yaml", &new);
    let output = folder.run("diff old.yaml new.yaml");
    // Both summaries contradict the results, so neither report has a verdict.
    let expected = "\
Regressions: 2
  GATEWAY-HTTP: test HTTPRouteWeight skipped, was neither failed nor skipped
  GATEWAY-HTTP: feature HTTPRouteCORS unsupported, was supported

Gains: 1
  GATEWAY-HTTP: feature HTTPRoutePortRedirect supported, was unsupported

Metadata: 1
  version: v2.15.0, was v2.14.0
";
    assert_eq!((output.code, output.stdout.as_str()), (0, expected));
    let json = folder.json("diff new.yaml old.yaml");
    assert_eq!(json["version"], 1);
    assert_eq!(json["regressions"].as_array().unwrap().len(), 1);
    assert_eq!(json["gains"].as_array().unwrap().len(), 2);
    assert_eq!(folder.run("diff old.yaml old.yaml").stdout, "No changes\n");
    for (reports, code) in [("old.yaml new.yaml", 1), ("old.yaml old.yaml", 0)] {
        folder
            .run(&format!("diff {reports} --fail-on-loss"))
            .exits(code);
    }
}

fn tests_of(old: &ReportBuilder, new: &ReportBuilder) -> Vec<String> {
    let folder = Folder::new();
    folder
        .file("old.yaml", old.build())
        .file("new.yaml", new.build());
    let shown = folder.run("diff old.yaml new.yaml").stdout;
    let mut group = String::new();
    let mut found = Vec::new();
    for line in shown.lines() {
        match line.strip_prefix("  GATEWAY-HTTP: test ") {
            Some(test) => found.push(format!("{group}: {test}")),
            None if !line.starts_with(' ') => {
                group = line.split(':').next().unwrap().to_owned();
            }
            None => {}
        }
    }
    found
}

#[test]
fn skipping_a_test_that_never_ran_is_no_loss() {
    let none: &[&str] = &[];
    let feature = "HTTPRouteCORS";
    let test = "HTTPRouteCORS";
    let extended = |skipped: &[&str], supported: &[&str], unsupported: &[&str]| {
        let level = if skipped.is_empty() {
            Level::success(1)
        } else {
            Level::result("partial").counts(0, 1, 0).skipped(skipped)
        };
        let level = level.supported(supported).unsupported(unsupported);
        let profile = Profile::new("GATEWAY-HTTP").core(Level::success(33));
        ReportBuilder::new().profiles([profile.extended(level).summary("x")])
    };
    let passed = extended(none, &[feature], none);
    let skipped = extended(&[test], &[feature], none);
    let not_run = extended(none, &["GatewayPort8080"], &[feature]);
    let cases = [
        (
            &passed,
            &skipped,
            "Regressions: HTTPRouteCORS skipped, was neither failed nor skipped",
        ),
        (&skipped, &passed, "Gains: HTTPRouteCORS no longer skipped"),
        (
            &not_run,
            &skipped,
            "Metadata: HTTPRouteCORS skipped, was not run",
        ),
        (
            &skipped,
            &not_run,
            "Metadata: HTTPRouteCORS not run, was skipped",
        ),
    ];
    for (old, new, expected) in cases {
        assert_eq!(tests_of(old, new), [expected]);
    }
    let old = http("v1.4.1", &[], &["GatewayPort8080"], &[]);
    let new = http(
        "v1.5.1",
        &["HTTPRouteWeight", "ListenerSetAllowedNamespaceNone"],
        &["GatewayPort8080"],
        &[],
    );
    assert_eq!(
        tests_of(&old, &new),
        [
            "Regressions: HTTPRouteWeight skipped, was neither failed nor skipped",
            "Metadata: ListenerSetAllowedNamespaceNone skipped, was not in the release",
        ]
    );
    // The list of tests is not available for an unknown release.
    let [old, new] = [&not_run, &skipped].map(|report| report.clone().release("v0.5.0"));
    assert_eq!(
        tests_of(&old, &new),
        ["Regressions: HTTPRouteCORS skipped, was neither failed nor skipped"]
    );
}

#[test]
fn reports_with_outdated_names_equal_themselves() {
    let folder = Folder::new();
    let test = "HTTPExactPathMatching";
    let old_names = ["HTTPResponseHeaderModification"];
    let old_names = named("HTTP", "v1.6.0", &[test], &old_names, &[]);
    folder.file("a.yaml", old_names.build());
    let output = folder.run("diff a.yaml a.yaml");
    assert_eq!(output.stdout, "No changes\n");
}

#[test]
fn profiles_and_verdicts_come_and_go() {
    let folder = Folder::new();
    let mesh = Profile::new("MESH-GRPC")
        .core(Level::success(13))
        .summary("Core tests succeeded.");
    let other = ReportBuilder::new().profiles([mesh]).build();
    let skipped = Level::result("partial").counts(12, 1, 0);
    let skipped = Profile::new("GATEWAY-GRPC")
        .core(skipped.skipped(&["GRPCRouteWeight"]))
        .summary("Core tests partially succeeded with 1 test skips.");
    let skipped = ReportBuilder::new().profiles([skipped]).build();
    folder
        .file("a.yaml", report())
        .file("b.yaml", other)
        .file("c.yaml", skipped);
    let shown = folder.run("diff a.yaml b.yaml --format markdown").stdout;
    assert_eq!(
        shown,
        "### Regressions: 1\n\n- `GATEWAY-GRPC`: profile removed\n\n### Gains: 1\n\n- `MESH-GRPC`: new profile\n"
    );
    let shown = folder.run("diff a.yaml c.yaml").stdout;
    assert!(
        shown.starts_with("Regressions: 2\n  GATEWAY-GRPC: partial, was conformant\n"),
        "{shown}"
    );
    let shown = folder.run("diff c.yaml a.yaml").stdout;
    assert!(
        shown.starts_with("Gains: 2\n  GATEWAY-GRPC: conformant, was partial\n"),
        "{shown}"
    );
}

#[test]
fn treats_renamed_features_as_equal() {
    let folder = Folder::new();
    let old = "\
apiVersion: gateway.networking.k8s.io/v1alpha1
date: \"2024-03-01T10:15:30Z\"
gatewayAPIVersion: v1.0.0
implementation:
  contact:
  - '@acme/maintainers'
  organization: acme
  project: operator
  url: https://acme.example
  version: v2.14.0
kind: ConformanceReport
profiles:
- core:
    result: success
    statistics:
      Failed: 0
      Passed: 29
      Skipped: 0
    summary: \"\"
  extended:
    result: success
    statistics:
      Failed: 0
      Passed: 1
      Skipped: 0
    summary: \"\"
    supportedFeatures:
    - HTTPRouteQueryParamMatching
  name: HTTP
";
    folder.file("old.yaml", old).file(
        "new.yaml",
        http("v1.1.0", &[], &["HTTPRouteQueryParamMatching"], &[]).build(),
    );
    let json = folder.json("diff old.yaml new.yaml");
    assert_eq!(json["gains"], serde_json::json!([]), "{json:#}");
    let regressions = json["regressions"].as_array().unwrap();
    assert!(
        regressions.iter().all(|change| change["kind"] == "status"),
        "{json:#}"
    );
}

#[test]
fn a_report_can_be_of_another_revision() {
    let folder = Folder::with_tree();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        let identity = ["-c", "user.name=acme", "-c", "user.email=acme@acme.example"];
        let output = command
            .current_dir(folder.path())
            .args(identity)
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    let path = format!(
        "conformance/reports/v1.5/acme-operator/{}",
        crate::support::folder::NAME
    );
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message=one"]);
    folder.file(&path, report().replace("acme.example", "acme.example/new"));
    let output = folder.run(&format!("diff HEAD:{path} {path}"));
    assert_eq!(
        output.stdout, "Metadata: 1\n  url: https://acme.example/new, was https://acme.example\n",
        "{output:?}"
    );
    for bad in [
        "HEAD:nowhere.yaml",
        "none:a.yaml",
        "--also=x:a.yaml",
        "nowhere.yaml",
        "HEAD:conformance",
    ] {
        let output = folder.run(&format!("diff -- {bad} {path}"));
        assert_eq!(output.code, 2, "{bad}: {output:?}");
        output.stderr_has(bad);
    }
    assert!(!folder.exists("x:a.yaml"));
}

#[test]
fn rejects_files_that_are_no_report() {
    let folder = Folder::with_tree();
    folder
        .file("a.yaml", report())
        .file("two.yaml", format!("{}---\n{}", report(), report()))
        .file("list.yaml", "- a\n")
        .file("empty.yaml", "")
        .file("cut.yaml", report().replace("  name:", "  name: ["));
    for bad in ["two.yaml", "list.yaml", "empty.yaml", "cut.yaml"] {
        let output = folder.run(&format!("diff a.yaml {bad}"));
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{bad}");
    }
}
