//! Checks invariants with mutated texts and real reports, and compares results with libyaml.

#![allow(clippy::disallowed_methods, reason = "a test reads real reports")]

#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../tests/integration/support/corpus.rs"]
mod corpus;
mod invariants;
#[path = "invariants/libyaml.rs"]
mod libyaml;

use std::cell::Cell;

use gwconform_yaml::{MAX_FLAWS, Yaml, YamlIssueKind, load, load_manifests};
use libyaml::{libyaml, ours};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

const REPORT: &str = r#"apiVersion: gateway.networking.k8s.io/v1
date: "2026-01-02T03:04:05Z"
gatewayAPIChannel: standard
gatewayAPIVersion: v1.5.1
implementation:
  contact:
  - '@acme/gateway-team'
  - gateway@acme.example
  organization: acme
  project: gateway
  url: https://acme.example/gateway # the home page
  version: 1.20
kind: ConformanceReport
mode: default
profiles:
  - core:
      result: success
      statistics: {Failed: 0, Passed: 37, Skipped: 0}
    extended: null
    name: GATEWAY-HTTP
    summary: Core tests succeeded. Extended tests
      partially succeeded.
  - name: "GATEWAY-\u0047RPC"
    note: >-
      folded
      text

    skippedTests:
    -
    - [A, "B", 'it''s', ~]
succeededProvisionalTests: |
  naïve ☃ 😀
"#;

const PIECES: &[&str] = &[
    "&a ",
    "*a",
    "- ",
    "-",
    "? ",
    ": ",
    ":",
    "!!str ",
    "!t ",
    "\t",
    "\r\n",
    "\n",
    "\r",
    " ",
    "  ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "'",
    "\"",
    "|\n",
    ">-\n",
    "|+\n",
    "...\n",
    "---\n",
    "\n---\n",
    "%YAML 1.2\n",
    "\u{feff}",
    "\u{85}",
    "\u{2028}",
    "\0",
    "#",
    " #",
    "<<: ",
    "\\",
    "\\ud83d",
    "@",
    "`",
    "%",
    "é",
    "~",
    "on",
    "010",
    "a: b\n",
];

#[derive(Debug, Clone)]
enum Mutation {
    Delete(usize),
    Double(usize),
    Change(usize, u8),
    Insert(usize, &'static str),
    Cut(usize, usize),
    End(usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = 0..REPORT.len();
    prop_oneof![
        at.clone().prop_map(Mutation::Delete),
        at.clone().prop_map(Mutation::Double),
        (at.clone(), any::<u8>()).prop_map(|(at, byte)| Mutation::Change(at, byte)),
        (at.clone(), prop::sample::select(PIECES))
            .prop_map(|(at, piece)| Mutation::Insert(at, piece)),
        (at.clone(), 0..60usize).prop_map(|(at, len)| Mutation::Cut(at, len)),
        at.prop_map(Mutation::End),
    ]
}

fn mutate(text: &mut Vec<u8>, mutation: &Mutation) {
    let bound = |at: usize| at.min(text.len().saturating_sub(1));
    match *mutation {
        _ if text.is_empty() => {}
        Mutation::Delete(at) => drop(text.remove(bound(at))),
        Mutation::Double(at) => text.insert(bound(at), text[bound(at)]),
        Mutation::Change(at, byte) => {
            let at = bound(at);
            text[at] = byte;
        }
        Mutation::Insert(at, piece) => drop(text.splice(bound(at)..bound(at), piece.bytes())),
        Mutation::Cut(at, len) => drop(text.drain(bound(at)..(bound(at) + len).min(text.len()))),
        Mutation::End(at) => text.truncate(at),
    }
}

/// Up to the first invalid UTF-8 byte.
fn mutated(most: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(mutation(), 1..=most).prop_map(|mutations| {
        let mut text = REPORT.as_bytes().to_vec();
        for mutation in &mutations {
            mutate(&mut text, mutation);
        }
        let valid = text
            .utf8_chunks()
            .next()
            .map(|chunk| chunk.valid().to_owned());
        valid.unwrap_or_default()
    })
}

proptest! {
    #![proptest_config(Config { cases: 4000, failure_persistence: None, ..Config::default() })]

    #[test]
    fn mutated_reports_keep_the_promises(text in mutated(6)) {
        invariants::check(&text);
    }

    #[test]
    fn any_pieces_keep_the_promises(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        invariants::check(&pieces.concat());
    }
}

fn documents(yaml: &Yaml<'_>) -> Vec<Value> {
    let roots = yaml.documents.iter().filter_map(|document| document.root);
    roots.map(|root| yaml.to_json(root)).collect()
}

/// If the text has no syntax that manifests treat differently, its result must equal that of a
/// report.
fn check_manifests(text: &str) {
    let yaml = load_manifests(text, 1000);
    let mut end = 0;
    for document in &yaml.documents {
        assert!(text.get(document.span.range()).is_some());
        assert!(end <= document.span.start, "documents overlap");
        end = document.span.end;
    }
    let mut end = 0;
    for unread in &yaml.unread {
        assert!(text.get(unread.span.range()).is_some(), "{unread:?}");
        assert!(end <= unread.span.start, "{:?}", yaml.unread);
        end = unread.span.end;
    }
    for issue in &yaml.issues {
        assert!(text.get(issue.span.range()).is_some(), "{issue:?}");
    }
    let found = documents(&yaml);
    let report = load(text);
    let is_other = |kind: YamlIssueKind| {
        kind.stops_reading() || matches!(kind, YamlIssueKind::Alias | YamlIssueKind::MergeKey)
    };
    let is_other = report.issues.iter().any(|issue| is_other(issue.kind));
    if !is_other && !text.contains("{{") {
        assert_eq!(found, documents(&report), "{text}");
        assert_eq!(yaml.unread, []);
    }
}

proptest! {
    #![proptest_config(Config { cases: 3000, failure_persistence: None, ..Config::default() })]

    #[test]
    fn mutated_manifests_keep_the_promises(text in mutated(6)) {
        check_manifests(&text);
    }

    #[test]
    fn any_pieces_as_manifests_keep_the_promises(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        check_manifests(&pieces.concat());
    }
}

#[test]
fn texts_that_broke_a_promise_of_manifests_keep_it() {
    for text in [
        "...\n%{\n---\n- ",
        "|\n...\n%{\n---\n",
        "\r%YAML 1.2\n---\n- ",
        "a: |\n  ...\n  %b\n---\nc: d\n",
        "<<: '- \r\n\u{feff}'",
        "a: 'b\n\n\n\u{e9}\u{e9}'\nc: d\n",
    ] {
        check_manifests(text);
    }
}

#[test]
fn the_report_has_no_issue() {
    assert_eq!(load(REPORT).issues, []);
    invariants::check(REPORT);
}

#[test]
fn texts_found_by_fuzzing_keep_the_promises() {
    for text in [
        "a:\n-\0b",
        "? \r\n- ? ",
        "? #\r\n:&a a",
        "...\n|\n&a ",
        "#\r|\n&a ",
        "\u{feff}|\n&a ",
        "|\n...\n",
        "a:\n- '",
    ] {
        invariants::check(text);
    }
}

/// Characters that end a line or the text in libyaml, but not in YAML 1.2.
const BREAKS_OF_LIBYAML: [char; 4] = ['\u{85}', '\u{2028}', '\u{2029}', '\u{feff}'];

/// Compares two libraries without common code. Texts with issues other than syntax errors are
/// skipped, because libyaml expands or rejects those features.
#[test]
fn libyaml_reads_the_same() {
    let config = Config {
        cases: 6000,
        failure_persistence: None,
        ..Config::default()
    };
    // A fixed seed avoids failures on rare unknown differences.
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let both_read = Cell::new(0);
    let unexplained = Cell::new(0);
    let run = TestRunner::new_with_rng(config, rng).run(&mutated(2), |text| {
        let issues = load(&text).issues;
        if issues
            .iter()
            .any(|issue| issue.kind != YamlIssueKind::Syntax)
            || text.contains(BREAKS_OF_LIBYAML)
        {
            return Ok(());
        }
        match (ours(&text), libyaml(&text)) {
            (Some(ours), Some(libyaml)) => {
                both_read.set(both_read.get() + 1);
                prop_assert!(same(&ours, &libyaml), "{text}\n{ours}\n{libyaml}");
            }
            (None, None) => {}
            (None, Some(_))
                if issues[0]
                    .message
                    .to_string()
                    .starts_with("the quote is not closed") => {}
            _ => unexplained.set(unexplained.get() + 1),
        }
        Ok(())
    });
    run.unwrap();
    assert!(both_read.get() > 2500, "both read {}", both_read.get());
    assert!(unexplained.get() < 10, "unexplained: {}", unexplained.get());
}

/// libyaml's Rust binding may return numbers with leading zeros as strings.
fn same(ours: &Value, libyaml: &Value) -> bool {
    match (ours, libyaml) {
        (Value::Array(ours), Value::Array(libyaml)) => {
            let mut pairs = ours.iter().zip(libyaml);
            ours.len() == libyaml.len() && pairs.all(|(ours, libyaml)| same(ours, libyaml))
        }
        (Value::Object(ours), Value::Object(libyaml)) => {
            let found = |(key, ours)| libyaml.get(key).is_some_and(|libyaml| same(ours, libyaml));
            ours.len() == libyaml.len() && ours.iter().all(found)
        }
        (Value::Number(ours), Value::String(libyaml)) => {
            libyaml.starts_with('0') && libyaml.parse::<f64>().ok() == ours.as_f64()
        }
        (ours, libyaml) => ours == libyaml,
    }
}

#[test]
fn known_differences_to_libyaml() {
    // Only YAML 1.1 has these line breaks.
    for character in ['\u{85}', '\u{2028}', '\u{2029}'] {
        let text = format!("a: x{character}y\nb: 1\n");
        assert_eq!(
            ours(&text),
            Some(json!({"a": format!("x{character}y"), "b": 1}))
        );
        assert_eq!(libyaml(&text), None);
    }
    assert_eq!(ours("'x\u{85}y'"), Some(json!("x\u{85}y")));
    assert_eq!(libyaml("'x\u{85}y'"), Some(json!("x y")));
    // A quoted scalar that continues at column 0 is invalid YAML, but libyaml accepts it.
    assert_eq!(ours("a: 'x\ny'\n"), None);
    assert_eq!(libyaml("a: 'x\ny'\n"), Some(json!({"a": "x y"})));
    // A block scalar header at column 0 is also invalid.
    assert_eq!(ours("a:\n|\n x\n"), None);
    // A byte order mark in a document is invalid, but libyaml accepts it.
    assert_eq!(ours("a: [\u{feff}b]\n"), None);
    assert_eq!(
        libyaml("a: [\u{feff}b]\n"),
        Some(json!({"a": ["\u{feff}b"]}))
    );
    // A colon before a quote in a flow sequence starts a plain scalar.
    assert_eq!(ours("[a, :\"b\"]"), Some(json!(["a", ":\"b\""])));
    assert_eq!(libyaml("[a, :\"b\"]"), None);
    // A number with leading zeros is a string in libyaml.
    assert_eq!(ours("08"), Some(json!(8)));
    assert_eq!(libyaml("08"), Some(json!("08")));
    // libyaml rejects surrogate pairs, which JSON writers use for characters beyond U+FFFF.
    assert_eq!(ours(r#""\ud83d\ude00""#), Some(json!("😀")));
    assert_eq!(libyaml(r#""\ud83d\ude00""#), None);
}

#[test]
fn issues_of_several_kinds_are_bounded_each() {
    let many = MAX_FLAWS + 20;
    let text = format!("{}{}", "a: *b\n".repeat(many), "? [c]\n: d\n".repeat(many));
    let yaml = load(&text);
    assert!(yaml.issues.len() > MAX_FLAWS + 1);
    invariants::look_at(&text);
}

#[test]
fn real_reports_are_read() {
    let Some(corpus) = corpus::corpus() else {
        return;
    };
    let reports = corpus.join("gateway-api/conformance/reports");
    let mut read = 0;
    for entry in walkdir::WalkDir::new(reports) {
        let entry = entry.unwrap();
        let path = entry.path();
        if !entry.file_type().is_file() || path.extension().is_none_or(|ext| ext != "yaml") {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        invariants::check(&text);
        let yaml = load(&text);
        assert_eq!(yaml.issues, [], "{}", path.display());
        assert_eq!(ours(&text), libyaml(&text), "{}", path.display());
        let root = yaml.documents[0].root.unwrap();
        for entry in yaml.entries(root) {
            let span = yaml.span(entry.key);
            let line_start = text[..span.start as usize]
                .rfind('\n')
                .map_or(0, |at| at + 1);
            assert_eq!(line_start, span.start as usize, "top keys start their line");
            assert_eq!(Some(&text[span.range()]), yaml.text(entry.key));
        }
        read += 1;
    }
    assert!(read > 100);
}
