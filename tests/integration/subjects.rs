//! Findings are identified by rule, path and subject, whatever line they stand on and however their
//! messages are worded.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gwconform::rules;
use serde_json::Value;

use crate::support::{corpus, page, run};

/// Rule, path, subject and message of each finding that a command prints.
fn identities(folder: &Path, arguments: &[String]) -> Vec<[String; 4]> {
    let format = ["--format", "json"].map(str::to_owned);
    let arguments = [arguments, &format].concat();
    let output = run(folder, &arguments);
    let json: Value = serde_json::from_str(&output.stdout).expect("JSON");
    let findings = json["findings"].as_array().expect("findings");
    let fields = ["rule", "path", "subject", "message"];
    let of = |finding: &Value| fields.map(|field| finding[field].as_str().unwrap().to_owned());
    findings.iter().map(of).collect()
}

fn is_of(groups: &[&str], rule: &str) -> bool {
    groups
        .iter()
        .any(|group| rule.split('/').next() == Some(group))
}

/// Subjects that several findings of one rule in one file share, with their number.
fn shared(identities: &[[String; 4]]) -> BTreeMap<[String; 3], usize> {
    let mut counts: BTreeMap<[String; 3], usize> = BTreeMap::new();
    for [rule, path, subject, _] in identities {
        let key = [rule, path, subject].map(Clone::clone);
        *counts.entry(key).or_default() += 1;
    }
    counts.retain(|_, count| *count > 1);
    counts
}

/// A subject names what it is about; list positions and lines change with edits elsewhere.
fn has_position(subject: &str) -> bool {
    let path = subject.split(" = ").next().unwrap_or_default();
    let is_number = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
    path.split('/').any(is_number) || path.contains('[') || path.contains("line ")
}

const GROUPS: [&str; 4] = ["change", "config", "report", "yaml"];

#[test]
fn findings_in_reports_of_the_corpus_have_subjects_of_their_own() {
    let Some(corpus) = corpus() else { return };
    let root = corpus.join("gateway-api");
    let mut found = identities(&root, &["check".to_owned()]);
    found.retain(|[rule, ..]| is_of(&GROUPS, rule));
    assert!(found.len() > 100, "{}", found.len());
    for [rule, _, subject, _] in &found {
        assert!(!has_position(subject), "{rule}: {subject}");
    }
    let shared = shared(&found);
    assert!(shared.is_empty(), "{shared:#?}");
}

#[test]
fn findings_on_pages_have_subjects_of_their_own() {
    let mut all = BTreeSet::new();
    for rule in rules::ALL {
        if !is_of(&GROUPS, rule.id) {
            continue;
        }
        for example in page::examples(rule.doc) {
            let folder = tempfile::tempdir().expect("a folder for the example");
            page::write_files(folder.path(), &example);
            let found = identities(folder.path(), &example.arguments);
            for [id, _, subject, _] in &found {
                assert!(!has_position(subject), "{id}: {subject}");
            }
            all.extend(shared(&found).into_keys().map(|[rule, ..]| rule));
        }
    }
    assert_eq!(all, BTreeSet::new());
}
