//! Reports outside of a reports tree, as in the repositories of implementations. Five layouts that
//! projects use run through each entry point.

use std::collections::BTreeSet;
use std::fs;

use crate::action::{Event, Runner};
use crate::support::folder::{Folder, NAME, README};
use crate::support::git::git;
use crate::support::report::ReportBuilder;
use crate::support::{run_with, text, words_of};

/// Folder of the reports, names of the reports, and whether a README is beside them.
type Layout = (&'static str, &'static [&'static str], bool);

const LAYOUTS: [Layout; 6] = [
    // gravitee
    (
        "test/conformance/kubernetes.io/gateway-api/report",
        &[NAME],
        true,
    ),
    // AWS Load Balancer Controller
    ("conformance", &["conformance-report.yaml"], false),
    // higress
    ("test/gateway/reports/v1.6.0", &[NAME], true),
    // traefik
    (
        "integration/gateway-api-conformance-reports/v1.5.1",
        &["experimental-v3.7-default-report.yaml"],
        false,
    ),
    // kubvernor
    (
        "conformance",
        &["report-envoy.yaml", "report-orion.yaml"],
        false,
    ),
    ("reports/v1.6.0", &[NAME], true),
];

const NOT_CHECKED: &str = "rules `tree/*` and `change/*`, which need a reports tree";

fn report() -> String {
    ReportBuilder::new().build()
}

/// A report that was edited.
fn wrong() -> String {
    report().replace("result: success", "result: passed")
}

fn repository((folder, names, has_readme): Layout, text: &str) -> Folder {
    let root = Folder::new();
    for name in names {
        root.file(&format!("{folder}/{name}"), text);
    }
    if has_readme {
        root.file(&format!("{folder}/README.md"), README);
    }
    root.file(
        &format!("{folder}/conformance_test.go"),
        "package conformance\n",
    );
    let other = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ConformanceReport\n";
    root.file(&format!("{folder}/report-config.yaml"), other);
    root.file("README.md", "# Acme\n");
    root.file("charts/values.yaml", "replicas: 1\n");
    root
}

/// Paths of the findings of `report/value-not-allowed`, which are all findings.
fn found(root: &Folder, arguments: &str) -> BTreeSet<String> {
    let findings = root.json(arguments)["findings"].clone();
    let findings = findings.as_array().unwrap().iter();
    findings
        .map(|finding| {
            assert_eq!(text(&finding["rule"]), "report/value-not-allowed");
            text(&finding["path"]).to_owned()
        })
        .collect()
}

fn paths((folder, names, _): Layout) -> BTreeSet<String> {
    names
        .iter()
        .map(|name| format!("{folder}/{name}"))
        .collect()
}

#[test]
fn each_folder_around_reports_can_be_checked() {
    for layout in LAYOUTS {
        let (good, bad) = (repository(layout, &report()), repository(layout, &wrong()));
        let mut folder = layout.0;
        loop {
            let arguments = format!("check {folder}").trim_end().to_owned();
            let output = good.ok(&arguments);
            let count = layout.1.len();
            let reports = if count == 1 { "report" } else { "reports" };
            output.stdout_has(&format!("no findings in {count} {reports}\n"));
            assert!(words_of(&output.stdout).contains(NOT_CHECKED), "{output:?}");
            assert_eq!(found(&bad, &arguments), paths(layout), "{arguments}");
            if folder.is_empty() {
                break;
            }
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        }
    }
}

#[test]
fn the_readme_beside_reports_is_that_of_a_submission() {
    for layout in LAYOUTS.into_iter().filter(|(_, _, has_readme)| *has_readme) {
        let root = repository(layout, &report());
        let readme = format!("{}/README.md", layout.0);
        root.file(&readme, README.replace("v2.14.0", "v2.13.0"));
        let found = root.found("check", "{rule} {path}");
        assert_eq!(found, [format!("readme/row-without-report {readme}")]);
        // The command adds to a reports tree.
        let text = root.run("check").stdout;
        assert!(!text.contains("gwconform add"), "{text}");
    }
}

#[test]
fn a_change_is_compared_with_the_earlier_reports() {
    for layout in LAYOUTS {
        let root = repository(layout, &wrong());
        root.commit();
        root.ok("check --since HEAD");
        let new = format!("{}/new-report.yaml", layout.0);
        let more = ReportBuilder::new().mode("other").build();
        let more = more.replace("result: success", "result: passed");
        root.file(&new, more).file("pkg/main.go", "package main\n");
        let readme = |name: &str| README.replace(NAME, name);
        if layout.2 {
            root.file(&format!("{}/README.md", layout.0), readme(NAME));
        }
        let select = "--select report/value-not-allowed";
        let since = format!("check --since HEAD {select}");
        assert_eq!(found(&root, &since), BTreeSet::from([new.clone()]));
        git(root.path(), &["add", "."]);
        let hook = ["check", "--hook", "--select", "report/value-not-allowed"];
        let hook = hook.map(str::to_owned);
        let variables = [("GIT_INDEX_FILE", ".git/index")];
        let output = run_with(root.path(), &hook, &variables, b"").exits(1);
        output.stdout_has(&new);
        output.stdout_has("1 error in 1 changed submission\n");
    }
}

#[test]
fn the_action_checks_loose_reports() {
    for layout in LAYOUTS {
        for (is_right, text) in [(true, report()), (false, wrong())] {
            let root = repository(layout, &report());
            root.commit();
            let base = root.git("rev-parse HEAD").trim().to_owned();
            for path in paths(layout) {
                root.file(&path, text.replace("@acme/maintainers", "@acme/team"));
            }
            root.commit();
            let head = root.git("rev-parse HEAD").trim().to_owned();
            for before in ["", &base] {
                let runner = Runner::new();
                let workspace = runner.path("workspace");
                fs::remove_dir_all(&workspace).unwrap();
                let source = root.path().to_str().unwrap();
                git(
                    root.path(),
                    &["clone", "-q", source, workspace.to_str().unwrap()],
                );
                let event = Event {
                    name: "push".to_owned(),
                    sha: head.clone(),
                    before: before.to_owned(),
                    ..Event::default()
                };
                let output = runner.check(&event, &[]);
                assert_eq!(output.code == 0, is_right, "{output:?}");
                for path in paths(layout) {
                    let is_named = output.stdout.contains(&path);
                    assert!(is_named || (is_right && before.is_empty()), "{output:?}");
                }
            }
        }
    }
}

#[test]
fn a_folder_without_reports_is_an_error() {
    let root = Folder::new();
    root.file("docs/a.yaml", "kind: ConfigMap\n");
    let error = root.run("check docs").fails(3);
    assert!(
        error.contains("docs: no report, and not a reports tree"),
        "{error}"
    );
    root.run("check").exits(3);
    root.ok("check docs --allow-empty");
    // The home directory is not searched.
    let home = repository(LAYOUTS[0], &report());
    let own = home.path().to_str().unwrap();
    let check = ["check".to_owned()];
    run_with(home.path(), &check, &[("HOME", own)], b"").exits(3);
    run_with(home.path(), &check, &[("HOME", "/elsewhere")], b"").exits(0);
    root.commit();
    root.file("docs/a.yaml", "kind: Secret\n");
    root.ok("check --since HEAD").stderr_has("nothing to check");
    // Verdicts need a tree.
    root.file("docs/report.yaml", report());
    root.run("certify docs").fails(2);
    // A change may delete the last report.
    root.commit();
    root.remove("docs/report.yaml");
    root.ok("check --since HEAD")
        .stderr_has("the change leaves no report");
}

#[test]
fn what_hides_a_tree_is_not_loose() {
    // A change that replaces the tree by a link, and adds a report elsewhere.
    let root = Folder::with_tree();
    root.commit();
    root.rename("conformance/reports", "conformance/other");
    root.link("conformance/reports", "other");
    root.file("docs/report.yaml", report());
    root.run("check --since HEAD").exits(2);
    // In the usual place, reports in release folders are misplaced.
    let root = Folder::new();
    root.file(&format!("conformance/reports/v1.5/{NAME}"), report());
    let found = root.found("check", "{rule}");
    assert!(
        found.contains(&"tree/misplaced-report".to_owned()),
        "{found:?}"
    );
}

#[cfg(unix)]
#[test]
fn links_and_hidden_folders_are_not_followed() {
    let root = Folder::new();
    root.file("a/report.yaml", report());
    root.file(".hidden/report.yaml", wrong());
    root.file("node_modules/x/report.yaml", wrong());
    let outside = Folder::new();
    outside.file("report.yaml", wrong());
    root.link("link", outside.path().to_str().unwrap());
    root.link(
        "a/link.yaml",
        outside.path().join("report.yaml").to_str().unwrap(),
    );
    root.ok("check").stdout_has("no findings in 1 report\n");
}
