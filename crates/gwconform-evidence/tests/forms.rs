//! Tests one run in each format, and lines that are not results.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use gwconform_evidence::testlog::{Failure, Log, LogError, Outcome};

const TEXT: &str = "\
=== RUN   TestAll
=== RUN   TestAll/Weight
    weight.go:12: --- PASS: TestAll/Headers (0.00s)
=== RUN   TestAll/Headers
--- FAIL: TestAll (1.00s)
    --- PASS: TestAll/Weight (0.40s)
    --- FAIL: TestAll/Headers (0.60s)
FAIL
";

fn read(text: &str) -> Result<Log, LogError> {
    Log::read(text.as_bytes(), &BTreeSet::from(["Weight", "Headers"]), ())
}

fn results(text: &str) -> BTreeMap<String, Option<Outcome>> {
    let log = read(text).unwrap();
    assert_eq!(log.runs.len(), 1, "{text}");
    let tests = log.runs[0].tests.iter();
    tests
        .map(|(name, test)| {
            let outcome = test.outcome.as_ref().map(|(outcome, _)| *outcome);
            (name.clone(), outcome)
        })
        .collect()
}

fn expected() -> BTreeMap<String, Option<Outcome>> {
    let results = [("Headers", Outcome::Failed), ("Weight", Outcome::Passed)];
    let results = results.map(|(name, outcome)| (name.to_owned(), Some(outcome)));
    results.into()
}

fn events() -> String {
    let event = |action: &str, test: &str| {
        format!("{{\"Action\":\"{action}\",\"Package\":\"p\",\"Test\":\"{test}\"}}\n")
    };
    [
        ("run", "TestAll"),
        ("run", "TestAll/Weight"),
        ("pass", "TestAll/Weight"),
        ("run", "TestAll/Headers"),
        ("fail", "TestAll/Headers"),
        ("fail", "TestAll"),
    ]
    .map(|(action, test)| event(action, test))
    .concat()
}

#[test]
fn forms_have_the_same_results() {
    for text in [TEXT.to_owned(), events()] {
        assert_eq!(results(&text), expected(), "{text}");
    }
}

#[test]
fn removes_prefixes_of_all_lines() {
    let prefixes = [
        "2026-03-20T10:15:30.1234567Z ",
        "conformance\tRun tests\t2026-03-20T10:15:30.1234567Z ",
        "[pod/suite-x7k2p/suite] ",
    ];
    for prefix in prefixes {
        let text: String = TEXT
            .lines()
            .map(|line| format!("{prefix}{line}\n"))
            .collect();
        assert_eq!(results(&text), expected(), "{text}");
        assert_eq!(results(&text.replace('\n', "\r\n")), expected(), "{text}");
    }
    assert_eq!(results(&TEXT.replace('\n', "\r\n")), expected());
}

#[test]
fn rejects_lines_with_another_prefix() {
    let line = |text: &str| read(text).unwrap_err().to_string();
    let [first, rest] = ["=== RUN   TestAll\n", "=== RUN   TestAll/Weight\n"];
    let time = "2026-03-20T10:15:30Z ";
    assert!(line(&format!("{time}{first}\n{rest}")).starts_with("line 3: expected "));
    assert!(line(&format!("[a] {first}[b] {rest}")).starts_with("line 1: expected "));
    assert!(line("<?xml version=\"1.0\"?>\n").starts_with("line 1: expected "));
}

#[test]
fn a_run_can_fail_as_a_whole() {
    let passed = TEXT.replace("FAIL", "PASS");
    assert_eq!(read(&passed).unwrap().runs[0].failure, None);
    let panicked = passed.replace("    weight.go:12: ", "panic: boom\n    weight.go:12: ");
    let run = &read(&panicked).unwrap().runs[0];
    let failure = run.failure.as_ref().map(|(failure, _)| *failure);
    assert_eq!(failure, Some(Failure::Panic));
}

#[test]
fn a_cut_log_is_not_complete() {
    let (cut, _) = TEXT.split_at(TEXT.find("--- FAIL").unwrap());
    let log = read(cut).unwrap();
    assert!(!log.runs[0].is_complete);
    assert!(
        log.runs[0]
            .tests
            .values()
            .all(|test| test.outcome.is_none())
    );
}

#[test]
fn rejects_binary_logs() {
    let known = BTreeSet::new();
    let refused = |bytes: &[u8]| Log::<()>::read(bytes, &known, ()).unwrap_err().to_string();
    assert_eq!(
        refused(&[0x1f, 0x8b, 8, 0]),
        "it is compressed (gzip); unpack it first"
    );
    assert!(refused(&[0xff, 0xfe, b'a', 0]).starts_with("it is UTF-16"));
}
