//! Tests which rules prevent a verdict, by the locations of errors in the rule examples.

use std::collections::BTreeMap;

use crate::support::page::{self, Example};
use crate::support::report::ReportBuilder;
use gwconform::rules::{self, About};
use gwconform::workspace::{Options, Target, Workspace};
use gwconform_base::files::MemoryFiles;
use gwconform_base::release::Registry;
use gwconform_base::text::diagnostic::{Diagnostic, Severity};
use gwconform_report::certify::judge;
use gwconform_report::rules::check::{CheckReport, Selection};

/// Rules for errors in [`FIELDS`] that do not prevent a verdict, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "report/failed-tests",
        "a failed test is a verdict: the profile is failing",
    ),
    (
        "tree/look-alike-name",
        "two names can be right, unless the configuration contains one of them",
    ),
];

const FIELDS: [&str; 7] = [
    "apiVersion",
    "gatewayAPIChannel",
    "gatewayAPIVersion",
    "implementation.organization",
    "implementation.project",
    "kind",
    "profiles",
];

fn whole(example: &Example) -> Example {
    let right = ReportBuilder::new().build();
    let mut files = example.files.clone();
    for file in files.iter_mut().filter(|file| file.language == "yaml") {
        let is_there = |key: &str| {
            let mut lines = file.text.lines();
            lines.any(|line| line.to_lowercase().starts_with(&key.to_lowercase()))
        };
        let mut added = String::new();
        let mut is_added = false;
        for line in right.lines() {
            if !line.starts_with([' ', '-']) {
                is_added = line
                    .split_inclusive(':')
                    .next()
                    .is_some_and(|key| !is_there(key));
            }
            if is_added {
                added += line;
                added += "\n";
            }
        }
        if is_there("kind:")
            || is_there("implementation:")
            || is_there("gatewayAPI")
            || is_there("profiles:")
        {
            file.text += &added;
        }
    }
    Example {
        files,
        command: example.command.clone(),
        arguments: example.arguments.clone(),
        expected: String::new(),
    }
}

fn checked(example: &Example) -> (CheckReport, BTreeMap<String, String>) {
    let folder = tempfile::tempdir().unwrap();
    page::write_files(folder.path(), example);
    let options = Options {
        target: Target::Paths(Vec::new()),
        ..Options::default()
    };
    let workspace = Workspace::open(folder.path(), options).unwrap();
    let report = workspace.check(&Selection::default()).unwrap();
    let files = example.files.iter();
    let texts = files.map(|file| (file.path.clone(), file.text.clone()));
    (report, texts.collect())
}

fn field(finding: &Diagnostic, text: &str) -> Option<String> {
    let line = finding.place.region.as_ref()?.start.line as usize;
    let above: Vec<&str> = text.lines().take(line).collect();
    let mut levels = above.iter().rev();
    let top = levels.find(|line| !line.starts_with([' ', '-', '#']))?;
    let top = top.split(':').next()?.to_owned();
    let missing = finding.message.to_string();
    let missing = missing.strip_prefix("missing field `");
    if let Some(name) = missing.and_then(|text| text.split('`').next()) {
        let is_of_report = finding.message.to_string().ends_with("in the report");
        return Some(match top.as_str() {
            _ if is_of_report => name.to_owned(),
            "profiles" => top,
            _ => format!("{top}.{name}"),
        });
    }
    if top != "implementation" {
        return Some(top);
    }
    let inner = above.last()?.trim().split(':').next()?;
    Some(format!("{top}.{inner}"))
}

fn derived() -> (BTreeMap<&'static str, String>, Vec<String>) {
    let (mut derived, mut wrong) = (BTreeMap::new(), Vec::new());
    for rule in rules::ALL.iter().filter(|rule| is_about_reports(rule)) {
        let file = page::rule_file(rule, "md");
        let examples = page::examples(&std::fs::read_to_string(file).unwrap());
        for example in &examples {
            if example.command.contains("--since")
                || example.files.iter().any(|file| file.is_before)
            {
                continue;
            }
            for example in [
                whole(example),
                Example {
                    files: example.files.clone(),
                    ..whole(example)
                },
            ] {
                of_example(rule, &example, &mut derived, &mut wrong);
            }
        }
    }
    (derived, wrong)
}

fn is_about_reports(rule: &About) -> bool {
    !matches!(
        rule.group(),
        "config" | "change" | "evidence" | "readme" | "resource" | "needs"
    )
}

fn of_example(
    rule: &'static About,
    example: &Example,
    derived: &mut BTreeMap<&'static str, String>,
    wrong: &mut Vec<String>,
) {
    let (report, texts) = checked(example);
    for finding in report.findings.iter().filter(|one| one.rule == rule.id) {
        let text = texts
            .iter()
            .find(|(path, _)| finding.place.path.ends_with(path.as_str()));
        let Some(field) = text.and_then(|(_, text)| field(finding, text)) else {
            continue;
        };
        let is_error = finding.severity == Severity::Error;
        let facts = report
            .reports
            .iter()
            .find(|facts| *facts.path == *finding.place.path);
        let Some(facts) = facts.filter(|facts| facts.is_report && !facts.is_cut) else {
            continue;
        };
        let is_of_verdict =
            FIELDS.contains(&field.as_str()) || field == "implementation.implementation";
        let is_blocked = facts.blocks.iter().any(|block| block.rule == rule.id);
        let has_verdict = judge(facts, gwconform_base::release::Registry::embedded());
        let has_verdict = has_verdict
            .iter()
            .any(|verdict| verdict.status.is_verdict());
        if is_of_verdict && is_error {
            derived.insert(rule.id, format!("{field}: {}", finding.message));
            let is_excepted = is_excepted(rule.id);
            if !is_excepted
                && rule.blocks_verdict
                && (!is_blocked || (has_verdict && field != "profiles"))
            {
                wrong.push(format!("{} has a verdict: {}", rule.id, finding.message));
            }
        }
        if !rule.blocks_verdict && is_blocked {
            wrong.push(format!("{} blocks: {}", rule.id, finding.message));
        }
    }
}

fn is_excepted(id: &str) -> bool {
    EXCEPTIONS.iter().any(|(rule, _)| *rule == id)
}

#[test]
fn rules_with_errors_about_evidence_block_verdicts() {
    let (derived, wrong) = derived();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let unflagged: Vec<_> = derived
        .iter()
        .filter(|(id, _)| !rules::find(&rules::ALL, id).unwrap().blocks_verdict && !is_excepted(id))
        .collect();
    assert!(
        unflagged.is_empty(),
        "without `.blocks_verdict()`: {unflagged:#?}"
    );
    // Only these rules and the rules for errors in `FIELDS` may set `blocks_verdict`.
    let by_hand = [
        // Findings of these rules refer to a file or folder, not to a field.
        "tree/release-folder",
        "yaml/control-character",
        "yaml/several-documents",
    ];
    let flagged = rules::ALL.iter().filter(|rule| rule.blocks_verdict);
    let strange: Vec<_> = flagged
        .map(|rule| rule.id)
        .filter(|id| !derived.contains_key(id) && !by_hand.contains(id))
        .collect();
    assert!(
        strange.is_empty(),
        "no example in what a verdict rests on: {strange:#?}"
    );
    for (id, why) in EXCEPTIONS {
        assert!(derived.contains_key(id), "{id}: {why}");
    }
}

/// Statuses of the profiles of a report, each without spaces.
fn statuses(report: &str) -> String {
    let path = "reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml";
    let files = MemoryFiles::new([(path.into(), report.into())]).unwrap();
    let workspace = Workspace::open(files, Options::default()).unwrap();
    let checked = workspace.check(&Selection::default()).unwrap();
    let reports = checked.reports.iter();
    let profiles = reports.flat_map(|facts| judge(facts, Registry::embedded()));
    let statuses = profiles.map(|profile| profile.status.as_str());
    statuses.collect::<Vec<_>>().join(" ")
}

/// Kubernetes tools may reject or read such a file differently, wherever the text is.
#[test]
fn yaml_unlike_suite_output_blocks_a_verdict() {
    let report = ReportBuilder::new().build();
    assert_eq!(statuses(&report), "conformant");
    let contact = "  - '@acme/maintainers'\n";
    assert!(report.contains(contact));
    for (from, to) in [
        ("- core:", "-\tcore:"),
        ("kind: C", "\t\nkind: C"),
        ("mode: default", "mode: default\t# x"),
        (contact, "  - &a '@acme/maintainers'\n"),
        (contact, "  - {?a: b}\n"),
        (contact, "  - {a:? b}\n"),
    ] {
        let edited = report.replacen(from, to, 1);
        assert_ne!(edited, report);
        assert_eq!(statuses(&edited), "contradictory", "{to:?}");
    }
    for (from, to) in [
        ("mode: default", "mode: default # a\tb"),
        (contact, "  - '@acme/main\ttainers'\n"),
        ("\n", "\r\n"),
    ] {
        let edited = report.replace(from, to);
        assert_ne!(edited, report);
        assert_eq!(statuses(&edited), "conformant", "{to:?}");
    }
}

#[test]
fn profiles_in_an_unknown_field_prevent_a_verdict() {
    let report = ReportBuilder::new().build();
    let profiles = report.split_once("profiles:\n").unwrap().1;
    let failing = profiles.replace("success", "failure");
    for hidden in [
        format!("extraProfiles:\n{failing}"),
        "extra: {a: [{core: {result: failure}, name: GATEWAY-HTTP}]}\n".to_owned(),
        "extra:\n- name: GATEWAY-HTTP\n  Extended:\n    result: failure\n".to_owned(),
    ] {
        let edited = format!("{report}{hidden}");
        assert_eq!(statuses(&edited), "contradictory", "{hidden}");
    }
    let edited = format!("{report}extra: {{note: core}}\n");
    assert_eq!(statuses(&edited), "conformant");
}
