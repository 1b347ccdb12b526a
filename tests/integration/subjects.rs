//! Findings are identified by rule, path and subject: by what they are about, and neither by their
//! words nor by where that is.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use gwconform::rules;
use serde_json::Value;

use crate::support::{corpus, page, run};

/// Members of lists go by name: a position changes with edits elsewhere.
fn has_position(subject: &str) -> bool {
    let path = subject.split(" = ").next().unwrap_or_default();
    let is_number = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
    path.starts_with('/') && (path.split('/').any(is_number) || path.contains('['))
}

/// Rule, path and subject of each finding.
fn identities(folder: &Path, arguments: &[String]) -> Vec<(String, String, String)> {
    let format = ["--format", "json"].map(str::to_owned);
    let arguments: Vec<String> = arguments.iter().cloned().chain(format).collect();
    let json: Value = serde_json::from_str(&run(folder, &arguments).stdout).unwrap();
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

/// The identities that several findings share, with how many there are.
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
    let all = identities(&corpus.join("gateway-api"), &["check".to_owned()]);
    assert!(all.len() > 100, "{}", all.len());
    for (.., subject) in &all {
        assert!(!has_position(subject), "{subject}");
    }
    let shared = shared(all);
    assert!(shared.is_empty(), "{shared:#?}");
}

#[test]
fn findings_of_the_examples_have_subjects_that_do_not_move() {
    let mut all = 0;
    for rule in rules::ALL {
        for example in page::examples(rule.doc) {
            let folder = tempfile::tempdir().unwrap();
            page::write_files(folder.path(), &example);
            let before = identities(folder.path(), &example.arguments);
            all += before.len();
            let shared = shared(before.clone());
            assert!(shared.is_empty(), "{}: {shared:#?}", rule.id);
            for (_, _, subject) in &before {
                assert!(subject.chars().count() <= 301, "{subject}");
                assert!(!has_position(subject), "{subject}");
            }
            for file in &example.files {
                let is_dump = rule.is_about_resources() && file.language == "yaml";
                if (is_dump || file.language == "markdown") && !file.is_before {
                    let path = folder.path().join(&file.path);
                    fs::write(path, format!("\n\n\n{}", file.text)).unwrap();
                }
            }
            let after = identities(folder.path(), &example.arguments);
            assert_eq!(before, after, "{}: three lines further down", rule.id);
        }
    }
    assert!(all > 60, "{all}");
}
