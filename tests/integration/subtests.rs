//! Tests for `gwconform verify` that a failed subtest fails only its own test, regardless of its
//! name.

use std::collections::BTreeSet;

use gwconform_base::release::Registry;
use gwconform_evidence::log::{Log, Outcome};

use crate::support::folder::Folder;
use crate::support::suite_run::SuiteRun;

const TEST: &str = "HTTPRouteWeight";
const OTHER: &str = "HTTPRouteSimpleSameNamespace";

const NAMES: [&str; 8] = [
    "Requests_should_have_it",
    "0_request_to_'/get'_should_go_to_infra-backend-v1",
    "1_request_to_'/a/b?c=/d'_with_headers_should_receive_a_302",
    "/",
    "//get",
    "x/HTTPRouteSimpleSameNamespace",
    "HTTPRouteSimpleSameNamespace",
    "TestConformance/HTTPRouteSimpleSameNamespace/x",
];

fn run() -> SuiteRun {
    let newest = Registry::embedded().newest().unwrap();
    SuiteRun {
        prints_no_report: true,
        ..SuiteRun::of(newest).profile("GATEWAY-HTTP")
    }
}

fn failed(log: &str) -> Vec<Vec<String>> {
    let known: BTreeSet<&str> = Registry::embedded()
        .releases()
        .iter()
        .flat_map(|release| release.tests())
        .map(|test| test.name.as_str())
        .collect();
    let log = Log::read("run.log", log.as_bytes(), &known).unwrap();
    let of_run = |run: &gwconform_evidence::log::Run| {
        let tests = run.tests.iter();
        let is_failed = |outcome: &_| matches!(outcome, Some((Outcome::Failed, _)));
        tests
            .filter(|(_, test)| is_failed(&test.outcome))
            .map(|(name, _)| name.clone())
            .collect()
    };
    log.runs.iter().map(of_run).collect()
}

fn verify(log: &str) -> (i32, String) {
    let folder = Folder::new();
    folder
        .file("report.yaml", run().report())
        .file("run.log", log);
    let output = folder.run("verify report.yaml --log run.log");
    let last = output.stdout.lines().next_back().unwrap_or_default();
    (output.code, last.to_owned())
}

fn assert_only_test_failed(log: &str, what: &str) {
    assert_eq!(failed(log), [[TEST]], "{what}\n{log}");
    let expected = "contradicted: 1 test failed, contrary to the report";
    assert_eq!(verify(log), (1, expected.to_owned()), "{what}");
}

fn replaced(text: &str, part: &str, by: &str) -> String {
    assert_eq!(text.matches(part).count(), 1, "{part}");
    text.replace(part, by)
}

fn result_of_test(end: &str) -> String {
    format!("    --- {end}: TestConformance/{TEST} (0.41s)\n")
}

fn result_of_subtest(end: &str, name: &str) -> String {
    format!("        --- {end}: TestConformance/{TEST}/{name} (0.10s)\n")
}

fn text(name: &str, parent: &str) -> String {
    let passed = result_of_subtest("PASS", "Requests_should_have_it");
    let log = replaced(&run().text(), &passed, &result_of_subtest("FAIL", name));
    replaced(&log, &result_of_test("PASS"), parent)
}

fn each_line(text: &str, change: impl Fn(&str) -> String) -> String {
    text.lines().map(|line| change(line) + "\n").collect()
}

#[test]
fn a_failed_subtest_of_any_name_fails_its_test_in_text() {
    assert!(verify(&run().text()).1.starts_with("proved: "));
    for name in NAMES {
        // `go test` also writes FAIL for the parent test, unless the log was edited.
        for parent in ["FAIL", "PASS", "SKIP"] {
            assert_only_test_failed(
                &text(name, &result_of_test(parent)),
                &format!("{name}, {parent}"),
            );
        }
        // `go test` prints no result of a subtest without that of its parent.
        let (_, last) = verify(&text(name, ""));
        assert!(
            last.starts_with("not proved: 1 test has no result"),
            "{name}: {last}"
        );
    }
}

#[test]
fn the_level_of_a_subtest_is_counted_behind_the_prefix_of_a_line() {
    let prefixes = [
        "2026-10-10T20:56:27.1234567Z ",
        "conformance\tRun tests\t2026-10-10T20:56:27.1234567Z ",
        "[pod/conformance-x7k2p/conformance] ",
    ];
    let log = text(NAMES[1], &result_of_test("PASS"));
    for prefix in prefixes {
        let log = each_line(&log, |line| format!("{prefix}{line}"));
        assert_only_test_failed(&log, prefix);
    }
}

#[test]
fn a_failed_subtest_at_any_depth_and_of_any_length_fails_its_test() {
    let long = "x".repeat(5_000);
    let deep = "'/get'_".repeat(200);
    for name in [long.as_str(), deep.as_str()] {
        assert_only_test_failed(&text(name, &result_of_test("PASS")), "text");
        assert_only_test_failed(
            &json(&[&format!("TestConformance/{TEST}/{name}")], true),
            "events",
        );
    }
    let passed = result_of_subtest("PASS", "Requests_should_have_it");
    let mut block = String::new();
    let mut name = format!("TestConformance/{TEST}");
    for level in 2..60 {
        name.push_str("/a/b");
        let end = if level == 59 { "FAIL" } else { "PASS" };
        block.push_str(&format!(
            "{}--- {end}: {name} (0.00s)\n",
            "    ".repeat(level)
        ));
    }
    assert_only_test_failed(&replaced(&run().text(), &passed, &block), "58 levels");
}

/// Without `has_test`, the first event of TEST and its pass event are missing.
fn json(failed: &[&str], has_test: bool) -> String {
    let of_test = format!("\"Test\":\"TestConformance/{TEST}\"");
    let mut log = String::new();
    let mut ended = 0;
    for line in run().json().lines() {
        let is_pass = line.contains("\"Action\":\"pass\"") && line.contains(&of_test);
        if is_pass {
            ended += 1;
            for name in failed {
                let output = format!("        --- FAIL: {name} (0.10s)\n");
                for event in [
                    serde_json::json!({"Action": "run", "Package": "example.com/acme", "Test": name}),
                    serde_json::json!({"Action": "output", "Package": "example.com/acme", "Test": name, "Output": output}),
                    serde_json::json!({"Action": "fail", "Package": "example.com/acme", "Test": name}),
                ] {
                    log.push_str(&format!("{event}\n"));
                }
            }
        }
        if has_test || !line.contains(&of_test) {
            log.push_str(&format!("{line}\n"));
        }
    }
    assert_eq!(ended, 1);
    log
}

#[test]
fn a_failed_subtest_of_any_name_fails_its_test_in_events() {
    assert!(verify(&json(&[], true)).1.starts_with("proved: "));
    for name in NAMES {
        let name = format!("TestConformance/{TEST}/{name}");
        assert_only_test_failed(&json(&[&name], true), &name);
        assert_only_test_failed(&json(&[&name], false), &format!("{name}, without its test"));
        let log = json(&[&name], true);
        let begin = format!(
            "\"Action\":\"run\",\"Package\":\"example.com/acme\",\"Test\":\"TestConformance/{TEST}\""
        );
        let log: String = each_line(&log, |line| {
            if line.contains(&begin) {
                String::new()
            } else {
                line.to_owned()
            }
        });
        assert_only_test_failed(&log, &format!("{name}, without the beginning of its test"));
    }
}

#[test]
fn a_subtest_fails_its_test_in_its_own_run_alone() {
    let failing = text(NAMES[1], &result_of_test("PASS"));
    let passing = run().text();
    assert_eq!(failed(&format!("{failing}{passing}")), [vec![TEST], vec![]]);
    assert_eq!(failed(&format!("{passing}{failing}")), [vec![], vec![TEST]]);
}

#[test]
fn output_of_a_test_fails_no_other_test() {
    let spoof = format!("--- FAIL: TestConformance/{OTHER}/0_request_to_'/get' (0.00s)");
    let begin = format!("=== RUN   TestConformance/{TEST}\n");
    for frame in [
        "",
        "=== CONT  TestConformance/HTTPRouteCORS\n",
        "=== NAME  TestConformance\n",
    ] {
        for blanks in 0..6 {
            let message = format!(
                "{begin}{frame}    x.go:1: of another run:\n{}{spoof}\n",
                "    ".repeat(blanks)
            );
            let log = replaced(&run().text(), &begin, &message);
            assert_eq!(failed(&log), [Vec::<String>::new()], "{blanks} {frame}");
            assert!(verify(&log).1.starts_with("proved: "), "{blanks} {frame}");
        }
    }
    // Without -v, messages follow the result of the test that logged them.
    for blanks in 4..7 {
        let block = format!(
            "--- FAIL: TestConformance (0.00s)\n{}        x.go:1: a\n{}            x.go:2: of another run:\n{}{spoof}\nFAIL\nFAIL\texample.com/acme\t1.0s\n",
            result_of_test("FAIL"),
            result_of_subtest("FAIL", NAMES[1]),
            "    ".repeat(blanks),
        );
        assert_eq!(failed(&block), [[TEST]], "{blanks}\n{block}");
    }
}

#[test]
fn a_test_that_is_named_like_the_path_of_another_is_not_that_one() {
    let deep = || SuiteRun {
        root: "TestE2E/Conformance",
        ..run()
    };
    let own = format!("        --- PASS: TestE2E/Conformance/{TEST} (0.41s)\n");
    let below = format!(
        "            --- PASS: TestE2E/Conformance/{TEST}/Requests_should_have_it (0.10s)\n"
    );
    let end = "\nPASS\nok  \t";
    let sibling = |end: &str| format!("    --- {end}: TestE2E/Conformance/{TEST} (0.00s)");
    let log = deep().text();
    let with = |log: &str, end_of: &str| replaced(log, end, &format!("\n{}{end}", sibling(end_of)));
    assert_eq!(failed(&with(&log, "FAIL")), [Vec::<String>::new()]);
    let lost = replaced(&replaced(&log, &own, ""), &below, "");
    assert!(
        verify(&with(&lost, "PASS"))
            .1
            .starts_with("not proved: 1 test has no result")
    );
}

#[test]
fn a_root_with_a_slash_in_its_own_name_is_read() {
    let root = "TestE2E/Gateway_API/Conformance";
    let log = SuiteRun { root, ..run() }.text();
    // The root is a single call: `t.Run("Gateway API/Conformance", …)`.
    let (body, results) = log.split_once("\n--- ").unwrap();
    let mut lines = Vec::new();
    let results = format!("--- {results}");
    for line in results.lines() {
        match line.strip_prefix("    ") {
            Some(rest) if rest.starts_with("--- PASS: TestE2E/Gateway_API (") => {}
            Some(rest) if rest.trim_start().starts_with("--- ") => lines.push(rest),
            _ => lines.push(line),
        }
    }
    let log = format!("{body}\n{}\n", lines.join("\n"));
    assert!(log.contains(&format!("\n    --- PASS: {root} (")), "{log}");
    assert!(verify(&log).1.starts_with("proved: "), "{:?}", verify(&log));
}
