//! Tests the real reports tree. Snapshots contain the number of reports and of findings for each
//! rule.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::{corpus, run};
use serde_json::Value;

#[test]
fn every_file_of_the_tree_is_counted() {
    let Some(corpus) = corpus() else { return };
    let root = corpus.join("gateway-api");
    let json = check(&root, &[]);
    let (mut releases, mut submissions, mut reports, mut readmes) =
        (BTreeSet::new(), BTreeSet::new(), 0, 0);
    for entry in walkdir::WalkDir::new(root.join("conformance/reports")).min_depth(3) {
        let entry = entry.unwrap();
        let folder = entry.path().parent().unwrap();
        releases.insert(folder.parent().unwrap().to_owned());
        submissions.insert(folder.to_owned());
        match entry.file_name().to_str().unwrap() {
            "README.md" => readmes += 1,
            name if name.ends_with(".yaml") => reports += 1,
            name => assert!(name.ends_with(".sh"), "{name}"),
        }
    }
    let summary = &json["summary"];
    assert_eq!(summary["releases"], releases.len());
    assert_eq!(summary["submissions"], submissions.len());
    assert_eq!(summary["reports"], reports);
    assert_eq!(summary["readmes"], readmes);
    assert_eq!(json["left_out"], Value::Array(Vec::new()));
}

#[test]
fn findings_by_rule() {
    let Some(corpus) = corpus() else { return };
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (finding, mode) in [
        (check(&corpus.join("gateway-api"), &[]), ""),
        (
            check(&corpus.join("gateway-api"), &["--strict"]),
            " --strict",
        ),
    ] {
        for finding in finding["findings"].as_array().unwrap() {
            let text = |key: &str| finding[key].as_str().unwrap();
            if mode.is_empty() || text("severity") == "error" {
                *counts
                    .entry(format!("{:7} {}{mode}", text("severity"), text("rule")))
                    .or_default() += 1;
            }
        }
    }
    let lines: Vec<String> = counts
        .iter()
        .map(|(rule, count)| format!("{count:4} {rule}"))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn each_place_can_be_found_again() {
    let Some(corpus) = corpus() else { return };
    let root = corpus.join("gateway-api");
    let json = check(&root, &[]);
    let mut sliced = 0;
    for finding in json["findings"].as_array().unwrap() {
        let labels = finding["labels"].as_array().unwrap();
        sliced += std::iter::once(finding)
            .chain(labels)
            .filter_map(|place| crate::support::location::slice(&root, place))
            .count();
    }
    assert!(sliced > 50, "{sliced}");
}

fn check(root: &Path, options: &[&str]) -> Value {
    let options = options.iter().map(|option| (*option).to_owned());
    let arguments: Vec<String> = ["check", "--format", "json"]
        .map(str::to_owned)
        .into_iter()
        .chain(options)
        .collect();
    serde_json::from_str(&run(root, &arguments).stdout).unwrap()
}
