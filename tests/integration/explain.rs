//! Tests `gwconform explain` for a rule, a group, all rules, and JSON.

use std::path::Path;

use crate::support::{Output, run};
use gwconform::rules;
use serde_json::Value;

fn explain(arguments: &[&str]) -> Output {
    let arguments: Vec<String> = std::iter::once("explain")
        .chain(arguments.iter().copied())
        .map(str::to_owned)
        .collect();
    run(Path::new("."), &arguments)
}

#[test]
fn pages_end_with_severity_and_configuration() {
    let page = explain(&["report/url-scheme"]).stdout;
    assert!(page.starts_with("# report/url-scheme\n"));
    assert!(
        page.ends_with(
            "\n## References\n\n- reports README, Reports rules\n- `report/url`\n\nSeverity: warning; error from v1.7 on.\nNeeds the file alone.\n"
        ),
        "{page}"
    );
    let page = explain(&["tree/file-name"]).stdout;
    assert!(
        page.ends_with("\nSeverity: warning; info in folders up to v1.0.x; error with `--strict`.\nNeeds the submission's files.\nOften fixed by `--unsafe-fixes`; review the changes.\n"),
        "{page}"
    );
}

#[test]
fn lists_name_every_rule_once() {
    let all = explain(&[]).stdout;
    let markdown = explain(&["--format", "markdown"]).stdout;
    for rule in rules::ALL.iter() {
        assert_eq!(
            all.lines()
                .filter(|line| line.starts_with(&format!("{} ", rule.id)))
                .count(),
            1,
            "{}",
            rule.id
        );
        assert_eq!(
            markdown
                .lines()
                .filter(|line| line.starts_with(&format!("| {} |", rule.id)))
                .count(),
            1,
            "{}",
            rule.id
        );
    }
    let group = explain(&["text"]).stdout;
    assert!(
        group
            .lines()
            .skip(1)
            .filter(|line| line.contains('/'))
            .all(|line| line.starts_with("text/")),
        "{group}"
    );
}

#[test]
fn prints_the_page_as_json() {
    let json: Value =
        serde_json::from_str(&explain(&["report/date", "--format", "json"]).stdout).unwrap();
    assert_eq!(json["rules"][0]["rule"], "report/date");
    assert_eq!(json["rules"][0]["legacy_severity"], "warning");
    assert!(
        json["rules"][0]["documentation"]
            .as_str()
            .unwrap()
            .starts_with("# report/date")
    );
    let all: Value = serde_json::from_str(&explain(&["--format", "json"]).stdout).unwrap();
    assert_eq!(all["rules"].as_array().unwrap().len(), rules::ALL.len());
}

#[test]
fn an_unknown_rule_is_a_mistake_of_usage() {
    let output = explain(&["report/dat"]);
    assert_eq!((output.code, output.stdout.as_str()), (2, ""));
    assert_eq!(
        output.stderr,
        "error: unknown rule or group `report/dat` (see `gwconform explain`); did you mean `report/date`?\n"
    );
}
