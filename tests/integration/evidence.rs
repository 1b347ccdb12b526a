//! Tests input that `gwconform verify` must not accept as proof, or must not report as a
//! contradiction.

use std::collections::BTreeSet;

use gwconform_base::text::diagnostic::Severity;
use gwconform_report::statement::StatedResult;
use gwconform_report::statement::Verdict;

use crate::support::folder::Folder;
use crate::support::suite_run::{End, SuiteRun};
use crate::verify::{
    findings, folder_with, newest, release, try_verify, unprinted, verdict, verify, without,
};

fn passed() -> SuiteRun {
    SuiteRun::of(newest()).profile("GATEWAY-HTTP")
}

fn replaced(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "{old}");
    text.replacen(old, new, 1)
}

const OK: &str = "\nPASS\nok  \texample.com/acme/conformance\t912.431s\n";
const ROOT: &str = "--- PASS: TestConformance (912.41s)";

type Attack = (&'static str, fn(&SuiteRun) -> String);

const FAILED: [Attack; 17] = [
    ("the root failed", |run| {
        let text = replaced(&run.text(), ROOT, "--- FAIL: TestConformance (912.41s)");
        replaced(
            &text,
            OK,
            "\nFAIL\nFAIL\texample.com/acme/conformance\t912.431s\nFAIL\n",
        )
    }),
    ("the root failed, and the package passed", |run| {
        replaced(&run.text(), ROOT, "--- FAIL: TestConformance (912.41s)")
    }),
    ("the root was skipped", |run| {
        replaced(&run.text(), ROOT, "--- SKIP: TestConformance (912.41s)")
    }),
    ("a panic before the results", |run| {
        let panic =
            format!("panic: runtime error: index out of range\n\ngoroutine 7 [running]:\n{ROOT}");
        replaced(&run.text(), ROOT, &panic)
    }),
    ("a panic after the results", |run| {
        replaced(
            &run.text(),
            OK,
            "\nPASS\npanic: boom\n\ngoroutine 1 [running]:\nFAIL\texample.com/acme/conformance\t1s\n",
        )
    }),
    ("a data race in a test", |run| {
        let race = format!("    testing.go:1490: race detected during execution of test\n{ROOT}");
        replaced(&run.text(), ROOT, &race)
    }),
    ("the warning of a data race", |run| {
        let race = format!(
            "==================\nWARNING: DATA RACE\nRead at 0x00c0 by goroutine 8:\n{ROOT}"
        );
        replaced(&run.text(), ROOT, &race)
    }),
    ("a data race outside of tests", |run| {
        replaced(
            &run.text(),
            OK,
            "\nPASS\nFound 1 data race(s)\nexit status 66\nFAIL\texample.com/acme/conformance\t9s\n",
        )
    }),
    ("the package failed", |run| {
        replaced(
            &run.text(),
            OK,
            "\nPASS\nexit status 1\nFAIL\texample.com/acme/conformance\t912.431s\nFAIL\n",
        )
    }),
    ("the build failed", |run| {
        replaced(
            &run.text(),
            OK,
            "\nPASS\nFAIL\texample.com/acme/conformance [build failed]\nFAIL\n",
        )
    }),
    ("FAIL at the end", |run| {
        replaced(&run.text(), OK, "\nFAIL\n")
    }),
    ("FAIL after PASS", |run| {
        replaced(&run.text(), OK, "\nPASS\nFAIL\n")
    }),
    ("a test above the root failed", |run| {
        let run = SuiteRun {
            root: "TestE2E/Conformance",
            ..run.clone()
        };
        replaced(&run.text(), "--- PASS: TestE2E (", "--- FAIL: TestE2E (")
    }),
    ("the event of the root", |run| {
        let end = r#""Action":"pass","Package":"example.com/acme","Test":"TestConformance""#;
        replaced(&run.json(), end, &end.replace("pass", "fail"))
    }),
    ("the event of the package", |run| {
        let end = r#""Action":"pass","Package":"example.com/acme","Time""#;
        replaced(&run.json(), end, &end.replace("pass", "fail"))
    }),
    ("a panic in an event", |run| {
        let end = r#"{"Action":"pass","Package":"example.com/acme","Test":"TestConformance""#;
        let panic = r#"{"Action":"output","Package":"example.com/acme","Test":"TestConformance/x","Output":"panic: boom\n"}"#;
        replaced(&run.json(), end, &format!("{panic}\n{end}"))
    }),
    (
        "a failure of the root in the output of events alone",
        |run| {
            let end = r#"{"Action":"pass","Package":"example.com/acme","Test":"TestConformance""#;
            let output = r#"{"Action":"output","Package":"example.com/acme","Test":"TestConformance","Output":"--- FAIL: TestConformance (1.00s)\n"}"#;
            replaced(&run.json(), end, &format!("{output}\n{end}"))
        },
    ),
];

#[test]
fn a_run_that_failed_as_a_whole_is_not_proved() {
    for (name, log) in FAILED {
        let run = passed();
        let found = verify(&run.report(), &log(&run));
        assert_eq!(
            found.summary.verdict,
            Verdict::NotProved,
            "{name}: {}",
            found.summary.reason
        );
        let warnings = findings(&found, Severity::Warning);
        assert!(
            matches!(&warnings[..], [one] if one.starts_with("evidence/run-failed ")),
            "{name}: {warnings:?}"
        );
        let result = found.statement.predicate.result;
        assert_ne!(result, StatedResult::Passed, "{name}");
    }
}

#[test]
fn ignores_failures_with_another_cause() {
    let run = passed();
    let other = "\n=== RUN   TestOther\n--- FAIL: TestOther (0.00s)\nFAIL\nFAIL\texample.com/acme/conformance\t912.431s\nFAIL\n";
    let logs = [
        replaced(&run.text(), OK, other),
        replaced(
            &run.text(),
            OK,
            &format!("{OK}panic: boom\nFAIL\texample.com/other\t1s\nFAIL\n"),
        ),
        replaced(
            &run.text(),
            "=== RUN   TestConformance\n",
            "FAIL\texample.com/other [build failed]\n=== RUN   TestConformance\n",
        ),
    ];
    for log in logs {
        let found = verify(&run.report(), &log);
        let summary = &found.summary;
        assert_eq!(summary.verdict, Verdict::Proved, "{}", summary.reason);
        assert_eq!(findings(&found, Severity::Warning), Vec::<String>::new());
    }
    // The report lists failed tests, so the run must have failed.
    let failed = run.end("HTTPRouteWeight", End::Fail);
    for log in [failed.text(), failed.json()] {
        assert_eq!(verdict(&failed.report(), &log), Verdict::Proved);
    }
}

#[test]
fn reads_a_failure_without_its_event() {
    let (report, _) = unprinted(passed());
    let name = "TestConformance/HTTPRouteWeight";
    let end = format!(r#"{{"Action":"pass","Package":"example.com/acme","Test":"{name}""#);
    let output = format!(
        r#"{{"Action":"output","Package":"example.com/acme","Test":"{name}","Output":"    --- FAIL: {name} (1.00s)\n"}}"#
    );
    let mut run = passed();
    run.prints_no_report = true;
    let log = replaced(&run.json(), &end, &format!("{output}\n{end}"));
    assert_eq!(verdict(&report, &log), Verdict::Contradicted);
}

#[test]
fn truncated_logs_do_not_contradict_honest_reports() {
    let run = SuiteRun::of(release("v1.3.0")).profile("MESH-HTTP");
    let large = passed().end("HTTPRouteMatching", End::Skip);
    let mut not_proved = 0;
    for (run, step) in [(run, 1), (large, 40)] {
        for log in [run.text(), run.json()] {
            let starts = log.match_indices('\n').map(|(at, _)| at + 1).step_by(step);
            for start in starts {
                let Ok(found) = try_verify(Some(&run.report()), &[&log.as_bytes()[start..]], None)
                else {
                    continue;
                };
                let summary = &found.summary;
                assert_ne!(
                    summary.verdict,
                    Verdict::Contradicted,
                    "{start}: {}",
                    summary.reason
                );
                not_proved += usize::from(summary.verdict == Verdict::NotProved);
            }
        }
    }
    assert!(not_proved > 10, "{not_proved}");
}

#[test]
fn a_skip_without_its_reason_is_what_the_report_lists_or_unknown() {
    let run = passed().end("HTTPRouteMatching", End::Skip);
    let (report, log) = unprinted(run);
    let log = without(&log, |line| line.contains(": Skipping "));
    let found = verify(&report, &log);
    assert_eq!(
        found.summary.verdict,
        Verdict::Proved,
        "{}",
        found.summary.reason
    );
    let log = replaced(
        &log,
        "--- PASS: TestConformance/HTTPRouteWeight (",
        "--- SKIP: TestConformance/HTTPRouteWeight (",
    );
    let found = verify(&report, &log);
    assert_eq!(found.summary.verdict, Verdict::NotProved);
    let reason = "1 test was skipped, and the log does not show the reason";
    assert_eq!(found.summary.reason, reason);
    assert!(findings(&found, Severity::Warning)[0].starts_with("evidence/not-run "));
    let configuration = &found.statement.predicate.configuration;
    let log = configuration[0].annotations.as_ref().unwrap();
    assert_eq!(log.tests_without_result, ["HTTPRouteWeight"]);
}

#[test]
fn a_core_test_that_an_exempt_feature_skips_is_not_proved() {
    let (report, log) = unprinted(passed());
    let name = "TestConformance/HTTPRouteSimpleSameNamespace";
    let passed = report
        .lines()
        .find_map(|line| line.strip_prefix("      Passed: "))
        .unwrap();
    let fewer: u32 = passed.parse::<u32>().unwrap() - 1;
    let report = replaced(
        &report,
        &format!("      Passed: {passed}"),
        &format!("      Passed: {fewer}"),
    );
    let log = replaced(
        &log,
        &format!("--- PASS: {name} ("),
        &format!("--- SKIP: {name} ("),
    );
    let begin = format!("=== RUN   {name}\n");
    let reason = "    conformance.go:54: Skipping HTTPRouteSimpleSameNamespace: suite does not support HTTPRoute\n";
    let log = replaced(&log, &begin, &format!("{begin}{reason}"));
    let found = verify(&report, &log);
    assert_eq!(
        found.summary.reason,
        "1 core test was skipped because a core feature is exempt"
    );
    assert_eq!(found.summary.verdict, Verdict::NotProved);
    assert!(findings(&found, Severity::Warning)[0].starts_with("evidence/not-run "));
}

#[test]
fn another_notation_of_the_same_values_is_proved_with_a_warning() {
    let run = passed();
    let report = run.report();
    let (first, rest) = report.split_once('\n').unwrap();
    let changed = [
        format!("# as CI has written it\n{report}"),
        format!("---\n{report}"),
        report.replace("\"2026-10-10T20:56:30Z\"", "'2026-10-10T20:56:30Z'"),
        format!("{rest}{first}\n"),
        report.replace("mode: default", "mode:   default"),
    ];
    for edited in changed {
        assert_ne!(edited, report);
        let found = verify(&edited, &run.text());
        let summary = &found.summary;
        assert_eq!(
            summary.verdict,
            Verdict::Proved,
            "{edited}: {}",
            summary.reason
        );
        assert!(
            summary
                .reason
                .ends_with("byte-for-byte identical to the one in the log")
        );
        let warnings = findings(&found, Severity::Warning);
        assert!(
            matches!(&warnings[..], [one] if one.starts_with("evidence/report-differs ")),
            "{warnings:?}"
        );
        assert_eq!(findings(&found, Severity::Error), Vec::<String>::new());
    }
    let other = report.replace("mode: default", "mode: other");
    assert_eq!(verdict(&other, &run.text()), Verdict::Contradicted);
}

#[test]
fn reads_results_without_starts() {
    let (report, log) = unprinted(passed());
    let results = log.split_once("\n--- ").unwrap().1;
    let results = format!("--- {results}");
    assert_eq!(verdict(&report, &results), Verdict::Proved);
    let failed = results.replace(
        "--- PASS: TestConformance/HTTPRouteWeight (",
        "--- FAIL: TestConformance/HTTPRouteWeight (",
    );
    assert_eq!(verdict(&report, &failed), Verdict::Contradicted);
}

#[test]
fn a_log_that_is_given_twice_is_one_run() {
    let run = passed();
    let (report, log) = unprinted(run);
    let found = try_verify(Some(&report), &[log.as_bytes(), log.as_bytes()], None).unwrap();
    assert_eq!(found.summary.verdict, Verdict::Proved);
    assert!(
        !found.summary.reason.contains("run 1 of"),
        "{}",
        found.summary.reason
    );
}

#[test]
fn a_statement_says_what_its_log_does_not_cover() {
    let run = passed();
    let (report, quiet) = unprinted(run.clone());
    let fields: BTreeSet<&str> = ["gatewayAPIVersion", "gatewayAPIChannel"].into();
    for (log, is_printed) in [(run.text(), true), (quiet, false)] {
        let statement = verify(&report, &log).statement;
        let log = statement.predicate.configuration[0].annotations.clone();
        let log = log.unwrap();
        assert_eq!(log.prints_report, Some(is_printed));
        let not_covered: BTreeSet<&str> = log.not_covered.iter().map(String::as_str).collect();
        assert!(not_covered.contains("mode"));
        assert_eq!(fields.is_subset(&not_covered), !is_printed);
    }
}

#[test]
fn a_report_that_names_no_known_release_is_compared_with_the_chosen_one() {
    let run = SuiteRun::of(release("v1.6.2")).profile("GATEWAY-HTTP");
    for stated in ["UNDEFINED", "v0.0.0-dev", "v1.6.0-rc.2", "main"] {
        let with = |text: String| {
            text.replace(
                "gatewayAPIVersion: v1.6.2",
                &format!("gatewayAPIVersion: {stated}"),
            )
        };
        let folder = folder_with(&with(run.report()), &with(run.text()));
        let output = folder.run("verify report.yaml --log run.log");
        assert_eq!(output.code, 2, "{output:?}");
        let words: Vec<&str> = output.stderr.split_whitespace().collect();
        let error = words.join(" ");
        let command = error
            .split('`')
            .find(|part| part.starts_with("gwconform verify "));
        let command = command.unwrap_or_else(|| panic!("{error}"));
        assert_eq!(
            command,
            "gwconform verify report.yaml --log run.log --release v1.6.2"
        );
        let output = folder.run(command.strip_prefix("gwconform ").unwrap());
        assert_eq!(output.code, 0, "{stated}: {output:?}");
        output.stdout_has("(suite v1.6.2, by --release)");
        let other = folder.run("verify report.yaml --log run.log --release v1.4.0");
        assert_eq!(other.code, 1, "{output:?}");
    }
    let folder = folder_with(&run.report(), &run.text());
    let output = folder.run("verify report.yaml --log run.log --release v1.5.1");
    assert_eq!(output.code, 2, "{output:?}");
    output.stderr_has("names v1.6.2");
    let output = folder.run("verify report.yaml --log run.log --release v1.99.0");
    assert_eq!(output.code, 2, "{output:?}");
    output.stderr_has("registry import");
}

fn same_as(release: &str, other: &str) -> String {
    format!(
        "{{\n  \"release\": \"{release}\",\n  \"date\": \"2026-09-01\",\n  \"sameAs\": \"{other}\"\n}}\n"
    )
}

#[test]
fn facts_of_exactly_the_release_that_a_report_names_are_used_and_named() {
    let run = SuiteRun::of(release("v1.6.2")).profile("GATEWAY-HTTP");
    for (stated, base) in [("v1.6.3-rc.1", "v1.6.2"), ("v1.7.0-rc.2", "v1.6.2")] {
        let with = |text: String| {
            text.replace(
                "gatewayAPIVersion: v1.6.2",
                &format!("gatewayAPIVersion: {stated}"),
            )
        };
        let folder = folder_with(&with(run.report()), &with(run.text()));
        let facts = same_as(stated, base);
        folder.file(&format!("facts/{stated}.json"), &facts);
        let output = folder.run("verify report.yaml --log run.log --registry facts --out s.json");
        assert_eq!(output.code, 0, "{output:?}");
        let digest = gwconform_base::text::source::Digest::new(facts.as_bytes()).to_string();
        let words: Vec<&str> = output.stdout.split_whitespace().collect();
        let named =
            format!("(suite {stated} by the facts in facts/{stated}.json, SHA-256 {digest})");
        assert!(words.join(" ").contains(&named), "{output:?}");
        let statement = folder.read("s.json");
        let statement: serde_json::Value = serde_json::from_str(&statement).unwrap();
        let facts = &statement["predicate"]["configuration"][1];
        assert_eq!(facts["digest"]["sha256"], digest);
        assert_eq!(
            facts["annotations"]["facts"],
            format!("facts/{stated}.json")
        );
    }
}

fn with_convenient_facts(file: &str) -> (Folder, String) {
    let text = include_str!("../../schema/registry/v1.3.0.json");
    let mut facts: serde_json::Value = serde_json::from_str(text).unwrap();
    facts["tests"]["MeshTrafficSplit"] = serde_json::Value::Null;
    facts["release"] = serde_json::json!(file.strip_suffix(".json").unwrap());
    let run = SuiteRun::of(release("v1.3.0")).profile("MESH-HTTP");
    let run = run.end("MeshTrafficSplit", End::Fail);
    let (report, log) = unprinted(run);
    let mut report = without(&report, |line| {
        line == "    failedTests:" || line.contains("- MeshTrafficSplit")
    });
    for (old, new) in [
        ("Failed: 1", "Failed: 0"),
        ("result: failure", "result: success"),
        (
            "Core tests failed with 1 test failures.",
            "Core tests succeeded.",
        ),
    ] {
        report = replaced(&report, old, new);
    }
    let folder = folder_with(&report, &log);
    folder.file(&format!("facts/{file}"), facts.to_string());
    (folder, report)
}

#[test]
fn facts_next_to_a_report_do_not_replace_built_in_ones() {
    let (folder, _) = with_convenient_facts("v1.3.0.json");
    let verify =
        |arguments: &str| folder.run(&format!("verify report.yaml --log run.log{arguments}"));
    assert_eq!(verify("").code, 1);
    folder.file("gwconform.toml", "registry = \"facts\"\n");
    let output = verify("");
    assert_eq!(output.code, 1, "{output:?}");
    output.stdout_has("contradicted: ");
    let words: Vec<&str> = output.stderr.split_whitespace().collect();
    assert!(
        words
            .join(" ")
            .starts_with("ignored: facts/v1.3.0.json: only --registry"),
        "{output:?}"
    );
}

#[test]
fn harness_tests_do_not_count_for_tests_of_the_same_name() {
    let mut run = passed();
    run.prints_no_report = true;
    let report = run.report();
    let name = "TestConformance/HTTPRouteWeight";
    for end in ["PASS", "FAIL"] {
        let text = run.text();
        let result = format!("    --- PASS: {name} (0.41s)\n");
        let own = format!("{result}    --- {end}: {name}#01 (0.41s)\n");
        let text = replaced(&text, &result, &own);
        let begin = format!("=== RUN   {name}\n");
        let text = replaced(&text, &begin, &format!("{begin}=== RUN   {name}#01\n"));
        let event = format!(r#"{{"Action":"pass","Package":"example.com/acme","Test":"{name}""#);
        let action = end.to_lowercase();
        let own = format!(
            "{{\"Action\":\"run\",\"Package\":\"example.com/acme\",\"Test\":\"{name}#01\"}}\n{{\"Action\":\"{action}\",\"Package\":\"example.com/acme\",\"Test\":\"{name}#01\"}}\n{event}"
        );
        let json = replaced(&run.json(), &event, &own);
        for log in [text, json] {
            let expected = match end {
                "PASS" => Verdict::Proved,
                _ => Verdict::NotProved,
            };
            let found = verify(&report, &log);
            let summary = &found.summary;
            assert_eq!(summary.verdict, expected, "{end}: {}", summary.reason);
        }
    }
}
