//! Tests that findings are identified by rule, path and subject, not by message text or position.

use std::collections::BTreeMap;
use std::fs;

use gwconform::rules;
use serde_json::Value;

use crate::support::folder::{ACME, Folder, NAME, report};
use crate::support::report::ReportBuilder;
use crate::support::{Output, corpus, page, run};

/// Subjects must not contain positions, because edits elsewhere in the file change them.
fn has_position(subject: &str) -> bool {
    let path = subject.split(" = ").next().unwrap_or_default();
    let is_number = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
    path.starts_with('/') && (path.split('/').any(is_number) || path.contains('['))
}

fn identities(output: &Output) -> Vec<(String, String, String)> {
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    let findings = json["findings"].as_array().unwrap().iter();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    findings
        .map(|finding| {
            (
                text(finding, "rule"),
                text(finding, "path"),
                text(finding, "subject"),
            )
        })
        .collect()
}

fn shared(identities: Vec<(String, String, String)>) -> BTreeMap<(String, String, String), usize> {
    let mut counts = BTreeMap::new();
    for identity in identities {
        *counts.entry(identity).or_default() += 1;
    }
    counts.retain(|_, count| *count > 1);
    counts
}

#[test]
fn findings_of_the_corpus_have_subjects_of_their_own() {
    let Some(corpus) = corpus() else { return };
    let arguments = ["check", "--format", "json"].map(str::to_owned);
    let all = identities(&run(&corpus.join("gateway-api"), &arguments));
    assert!(all.len() > 100, "{}", all.len());
    for (.., subject) in &all {
        assert!(!has_position(subject), "{subject}");
    }
    let shared = shared(all);
    assert!(shared.is_empty(), "{shared:#?}");
}

#[test]
fn findings_of_the_examples_have_subjects_that_do_not_move() {
    let (mut all, mut moved) = (0, 0);
    for rule in rules::ALL.iter() {
        for (example, output) in page::examples_with_json(rule) {
            let before = identities(output);
            all += before.len();
            let shared = shared(before.clone());
            assert!(shared.is_empty(), "{}: {shared:#?}", rule.id);
            for (_, _, subject) in &before {
                assert!(subject.chars().count() <= 318, "{subject}");
                assert!(!has_position(subject), "{subject}");
            }
            let is_moved = |file: &&page::File| {
                let is_dump = rule.scope == rules::Scope::Resources && file.language == "yaml";
                (is_dump || file.language == "markdown") && !file.is_before
            };
            let files: Vec<_> = example.files.iter().filter(is_moved).collect();
            if files.is_empty() {
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            page::write_files(folder.path(), example);
            for file in files {
                let path = folder.path().join(&file.path);
                fs::write(path, format!("\n\n\n{}", file.text)).unwrap();
            }
            let after = identities(&run(folder.path(), &page::as_json(example)));
            assert_eq!(before, after, "{}: three lines further down", rule.id);
            moved += 1;
        }
    }
    assert!(moved > 60, "{moved}");
    assert!(all > 60, "{all}");
}

fn found_after_accepting(accepted: &str, changed: &str) -> Vec<String> {
    let folder = Folder::with_tree();
    let path = format!("{ACME}/{NAME}");
    folder.file(&path, accepted);
    assert_eq!(folder.run("check --write-baseline b.json").code, 0);
    assert_eq!(
        folder.findings("check --baseline b.json"),
        Vec::<String>::new()
    );
    folder.file(&path, changed);
    folder.findings("check --baseline b.json")
}

#[test]
fn an_accepted_finding_does_not_hide_a_worse_one() {
    let with = |core: (u64, u64, u64), result: &str, extended: u64| {
        let (passed, skipped, failed) = core;
        let report = report();
        let head = report.split("profiles:").next().unwrap();
        format!(
            "{head}profiles:\n- name: GATEWAY-GRPC\n  core:\n    result: {result}\n    statistics:\n      Failed: {failed}\n      Passed: {passed}\n      Skipped: {skipped}\n  extended:\n    result: success\n    statistics:\n      Failed: 0\n      Passed: {extended}\n      Skipped: 0\n    unsupportedFeatures: []\n  summary: x\n"
        )
    };
    for (rule, accepted, changed) in [
        (
            "report/newer-suite",
            with((15, 0, 0), "success", 0),
            with((14, 0, 0), "success", 0),
        ),
        (
            "report/newer-suite",
            with((14, 0, 0), "success", 0),
            with((14, 0, 0), "success", 7),
        ),
        (
            "report/suite-facts",
            with((13, 0, 0), "success", 1),
            with((13, 0, 0), "success", 7),
        ),
        (
            "report/core-tests-missing",
            with((3, 0, 0), "success", 0),
            with((1, 0, 0), "success", 0),
        ),
        (
            "report/partial-core",
            with((11, 1, 0), "partial", 0),
            with((4, 8, 0), "partial", 0),
        ),
        (
            "report/result-contradicts-statistics",
            with((11, 0, 1), "success", 0),
            with((2, 0, 10), "success", 0),
        ),
    ] {
        let found = found_after_accepting(&accepted, &changed);
        let is_found = found.iter().any(|finding| finding.starts_with(rule));
        assert!(is_found, "{rule}: {found:#?}");
    }
}

#[test]
fn an_accepted_name_does_not_hide_another() {
    let report = report();
    let other = |version: &str| report.replace("version: v2.14.0", &format!("version: {version}"));
    let found = found_after_accepting(&other("v2.14.1"), &other("v6.9.9"));
    assert!(
        found
            .iter()
            .any(|finding| finding.starts_with("tree/file-name ")),
        "{found:#?}"
    );
    let value = |end: char| {
        let contact = format!("x{}{end}", "y".repeat(400));
        ReportBuilder::new().contact(&contact).build()
    };
    let found = found_after_accepting(&value('a'), &value('b'));
    assert!(
        found
            .iter()
            .any(|finding| finding.starts_with("report/contact ")),
        "{found:#?}"
    );
}
