//! Results of tests in the reports of a tree: `gwconform tests --in`.

use serde_json::Value;

use crate::support::folder::{Folder, TREE};
use crate::support::report::{Level, Profile, ReportBuilder};

const NAME: &str = "HTTPRouteWeight";

/// Adds a report that skips or fails the tests.
fn add(folder: &Folder, [release, project, version, mode, day]: [&str; 5], core: Level) {
    let report = ReportBuilder::new()
        .organization("acme")
        .project(project)
        .version(version)
        .release(release)
        .mode(mode)
        .date(&format!("2026-05-{day}T10:15:30Z"))
        .profiles([Profile::new("GATEWAY-HTTP").core(core).summarized()]);
    let minor = release.rsplit_once('.').unwrap().0;
    folder.file(
        &format!("{TREE}/{minor}/acme-{project}/standard-{version}-{mode}-report.yaml"),
        report.build(),
    );
}

fn skipping(tests: &[&str]) -> Level {
    let skipped = u32::try_from(tests.len()).unwrap();
    let result = if tests.is_empty() {
        "success"
    } else {
        "partial"
    };
    let level = Level::result(result).counts(33 - skipped, skipped, 0);
    if tests.is_empty() {
        level
    } else {
        level.skipped(tests)
    }
}

fn tree() -> Folder {
    let folder = Folder::new();
    let steady = skipping(&[]);
    add(
        &folder,
        ["v1.5.1", "edge", "v1.0.0", "default", "01"],
        skipping(&[NAME]),
    );
    add(&folder, ["v1.5.1", "edge", "v1.0.0", "fast", "02"], steady);
    add(
        &folder,
        ["v1.5.1", "mesh", "v2.0.0", "default", "03"],
        skipping(&[NAME, "HTTPRouteMatching"]),
    );
    add(
        &folder,
        ["v1.5.1", "steady", "v3.0.0", "default", "04"],
        skipping(&[]),
    );
    folder
}

fn rows(json: &Value) -> Vec<String> {
    let tests = json["tests"].as_array().unwrap();
    let rows = tests.iter().flat_map(|test| {
        let results = test["results"].as_array().unwrap().iter();
        results.map(|one| {
            let cells = [
                &test["test"],
                &one["implementation"],
                &one["mode"],
                &one["result"],
                &one["since"],
            ];
            cells.map(|cell| cell.as_str().unwrap_or("-")).join(" ")
        })
    });
    rows.collect()
}

#[test]
fn the_newest_results_of_one_test_are_listed_by_implementation() {
    let folder = tree();
    let json = folder.json(&format!("tests {NAME} --in {TREE}"));
    assert_eq!(
        rows(&json),
        [
            "HTTPRouteWeight acme/edge default skipped v1.5",
            "HTTPRouteWeight acme/edge fast passed v1.5",
            "HTTPRouteWeight acme/mesh default skipped v1.5",
            "HTTPRouteWeight acme/steady default passed v1.5",
        ]
    );
    let page = folder.run(&format!("tests {NAME} --in {TREE}")).stdout;
    insta::assert_snapshot!("results_of_one_test", page);
}

#[test]
fn the_tests_that_most_implementations_skip_come_first() {
    let folder = tree();
    let json = folder.json(&format!("tests --most-skipped --in {TREE}"));
    assert_eq!(
        rows(&json),
        [
            "HTTPRouteWeight acme/edge default skipped v1.5",
            "HTTPRouteWeight acme/mesh default skipped v1.5",
            "HTTPRouteMatching acme/mesh default skipped v1.5",
        ]
    );
}

#[test]
fn results_that_contradict_each_other_are_found() {
    let folder = tree();
    // Sorted as all lists of results: capital letters first.
    for (mode, day, core) in [
        ("default", "05", skipping(&[NAME])),
        ("fast", "06", skipping(&[])),
    ] {
        add(&folder, ["v1.5.1", "Zoo", "v1.0.0", mode, day], core);
    }
    let json = folder.json(&format!("tests --flaky --in {TREE}"));
    assert_eq!(
        rows(&json),
        [
            "HTTPRouteWeight acme/zoo default skipped -",
            "HTTPRouteWeight acme/zoo fast passed -",
            "HTTPRouteWeight acme/edge default skipped -",
            "HTTPRouteWeight acme/edge fast passed -",
        ]
    );
}

#[test]
fn an_unknown_test_and_a_tree_without_a_question_are_usage_errors() {
    let folder = tree();
    for (command, message) in [
        (
            "tests HTTPRouteWeigth",
            "error: unknown test `HTTPRouteWeigth`; did you mean `HTTPRouteWeight`?\n",
        ),
        (
            "tests nothing",
            "error: unknown test `nothing`; `gwconform tests` lists them\n",
        ),
        (
            "tests --in conformance/reports",
            "error: --in requires the name of a test, --most-skipped or --flaky\n",
        ),
    ] {
        let output = folder.run(command);
        assert_eq!(
            (output.code, output.stderr.as_str()),
            (2, message),
            "{command}"
        );
    }
}
