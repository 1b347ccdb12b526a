//! Tests `check --write-baseline` and `--baseline`.

use std::fs;

use crate::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, NAME, README, report};
use crate::support::report::ReportBuilder;
use crate::support::{NONE, has, list, rows, words_of};
use serde_json::Value;

fn with_findings() -> Folder {
    let folder = Folder::with_tree();
    folder.acme("notes.txt", "x");
    folder.file(ACME_REPORT, ReportBuilder::new().date("-").build());
    folder
}

#[test]
fn accepts_exactly_the_written_findings() {
    let folder = with_findings();
    let written = folder.run("check --write-baseline baseline.json");
    assert_eq!((written.code, written.stdout.as_str()), (0, ""));
    assert_eq!(
        written.stderr,
        "wrote 2 findings to baseline.json, which `--baseline` reads\n"
    );
    let quiet = folder.run("check --write-baseline baseline.json --quiet");
    assert_eq!(quiet.stderr, "");
    insta::assert_snapshot!("baseline", folder.read("baseline.json"));
    let output = folder.ok("check --baseline baseline.json --fail-on info");
    let last = "no findings in 1 report of 1 submission (1 release), 2 accepted by the baseline\n";
    assert_eq!(output.stdout, last);
    let json = folder.json("check --baseline baseline.json");
    assert_eq!(json["summary"]["accepted"], 2);
    for (format, line) in [
        ("github", ", 2 accepted by the baseline\n"),
        ("sarif", ", 2 accepted by the baseline\""),
        ("junit", ", 2 accepted by the baseline<"),
        ("markdown", ", 2 accepted by the baseline.\n"),
    ] {
        let output = folder.run(&format!("check --baseline baseline.json --format {format}"));
        assert!(output.stdout.contains(line), "{format}: {}", output.stdout);
    }
    folder.acme("more.txt", "x");
    let output = folder.run("check --baseline baseline.json --fail-on warning");
    let count = output.stdout.matches("[tree/stray-file]").count();
    assert_eq!((output.code, count), (1, 1));
}

#[test]
fn ignores_lines_and_counts_equal_findings() {
    let folder = Folder::with_tree();
    let row = "| standard | [v2.14.0](https://acme.example/releases/v2.14.0) | default | [v2.14.0 report](./standard-v2.14.0-default-report.yaml) |\n";
    let twice = README.replace(row, &row.repeat(3));
    folder.file(ACME_README, &twice);
    let found = folder.findings("check --select readme/row-repeated");
    assert_eq!(found.len(), 2, "{found:?}");
    folder.run("check --select readme/row-repeated --write-baseline b.json");
    let baseline: Value = serde_json::from_str(&folder.read("b.json")).unwrap();
    let accepted = list(&baseline["accepted"]).iter();
    let counts = accepted.map(|one| one["count"].as_u64().unwrap_or(1));
    assert_eq!(counts.sum::<u64>(), 2, "{baseline:#}");
    let longer = twice.replace("# Acme operator\n", "# Acme operator\n\nMore.\n");
    folder.file(ACME_README, longer);
    let command = "check --select readme/row-repeated,config --baseline b.json";
    assert_eq!(folder.findings(command), NONE);
    folder.file(ACME_README, README.replace(row, &row.repeat(4)));
    assert_eq!(folder.findings(command).len(), 1);
    folder.file(ACME_README, README.replace(row, &row.repeat(2)));
    let output = folder.run(command);
    output.stdout_has("[config/unused-baseline-entry]");
}

#[test]
fn entries_of_rules_and_files_not_checked_are_not_unused() {
    let folder = with_findings();
    let other = "conformance/reports/v1.5/other-gate";
    let text = report()
        .replace("acme", "other")
        .replace("operator", "gate");
    folder
        .submission(other)
        .file(&format!("{other}/{NAME}"), text)
        .file(&format!("{other}/notes.txt"), "x");
    folder.run("check --write-baseline b.json");
    folder.file(ACME_REPORT, report());
    folder.remove(&format!("{ACME}/notes.txt"));
    let unused = |arguments: &str| {
        let found = folder.findings(&format!("check {arguments} --baseline b.json"));
        let found = found.iter();
        found
            .filter(|one| one.starts_with("config/unused-baseline-entry b.json "))
            .count()
    };
    assert_eq!(unused("conformance/reports"), 2);
    assert_eq!(unused("--select report,config"), 1);
    assert_eq!(unused("--ignore report,tree/stray-file"), 0);
    assert_eq!(unused(ACME), 2);
    assert_eq!(unused("conformance/reports/v1.5/other-gate"), 0);
    assert_eq!(unused(ACME_REPORT), 2);
}

#[test]
fn entries_are_written_from_the_folder_of_the_file() {
    let folder = with_findings();
    folder.run("check --write-baseline conformance/baseline.json");
    let written = folder.read("conformance/baseline.json");
    has(
        &written,
        "\"path\":\"reports/v1.5/acme-operator/notes.txt\"",
    );
    let command = "check reports --baseline baseline.json --fail-on info";
    folder.run_in("conformance", command).exits(0);
    folder.run("check --write-baseline conformance/list/../b.json");
    assert_eq!(folder.read("conformance/b.json"), written);
}

#[test]
fn nothing_read_accepts_nothing() {
    let folder = Folder::new();
    folder.file("reports/v1.5/note.txt", "");
    folder.run("check reports --write-baseline b.json").exits(3);
    assert!(!folder.path().join("b.json").exists());
    folder.run("check reports --write-baseline b.json --allow-empty");
    assert!(folder.path().join("b.json").exists());
}

#[test]
fn writes_the_same_file_twice_atomically() {
    let folder = with_findings();
    folder.run("check --write-baseline b.json");
    let first = folder.read("b.json");
    folder.run("check --write-baseline b.json");
    assert_eq!(folder.read("b.json"), first);
    let left = fs::read_dir(folder.path()).unwrap();
    assert_eq!(left.count(), 2);
    let output = folder.run("check --write-baseline b.json/c.json").exits(2);
    output.stderr_has("b.json/c.json cannot be written");
    let schema: Value = serde_json::from_str(&folder.run("schema baseline").stdout).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    assert!(validator.is_valid(&serde_json::from_str(&first).unwrap()));
    folder
        .run("check --write-baseline b.json --baseline b.json")
        .exits(2);
}

#[test]
fn writes_into_a_new_folder() {
    let folder = with_findings();
    let output = folder.run("check --write-baseline checks/of/b.json");
    assert_eq!(
        (output.stderr.as_str(), output.code),
        (
            "wrote 2 findings to checks/of/b.json, which `--baseline` reads\n",
            0
        )
    );
    folder.ok("check --baseline checks/of/b.json");
}

#[cfg(unix)]
#[test]
fn keeps_the_permissions_of_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = with_findings();
    let path = folder.path().join("b.json");
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    folder.run("check --write-baseline b.json");
    assert_eq!(mode(), 0o644);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o664)).unwrap();
    folder.run("check --write-baseline b.json");
    assert_eq!(mode(), 0o664);
}

#[test]
fn locates_errors_of_a_baseline() {
    let folder = with_findings();
    let cases = r#"
        {"version": 2, "accepted": [NL | 2:1 | EOF while parsing a list
        {"version": 1, "accepted": []} | 1:13 | write it again with `gwconform check --write-baseline=b.json` and the paths and options of your check
        {"version": 2, "accepted": [], "é": 1} | 1: | unknown field `é`
        [{"path": "x", "rule": "report/dat", "subject": "x"}] | 2:3 | unknown rule `report/dat` (see `gwconform explain`); did you mean `report/date`?
        [{"path": "x", "subject": "/date = -"}] | 2: | missing field `rule`
        [{"path": "x", "rule": "report/date", "subject": "x", "count": 0}] | 2:3 | `count` is 0; expected at least 1
        [{"path": 1, "rule": "report/date", "subject": "x"}] | 2:12 | invalid type: integer `1`, expected a string
        | 1:1 | EOF while parsing a value
    "#;
    for [text, place, message] in rows(cases) {
        let mut text = text.replace("NL", "\n");
        // A list of entries is that of a baseline.
        if let Some(entry) = text.strip_prefix('[') {
            let entry = entry.trim_end_matches(']');
            text = format!("{{\"version\": 2, \"accepted\": [\n  {entry}\n]}}\n");
        }
        folder.file("b.json", &text);
        let errors = folder.run("check --baseline b.json").fails(2);
        has(words_of(&errors), &format!("--> b.json:{place}"));
        has(words_of(&errors), message);
        has(errors, "b.json is not a valid baseline");
    }
    folder.file("b.json", b"{\"version\": 2, \"accepted\": [\"\xff\"]}");
    folder
        .run("check --baseline b.json")
        .stderr_has("invalid UTF-8");
    folder.run("check --baseline nowhere.json").exits(2);
}

#[test]
fn a_baseline_of_an_older_version_is_written_again() {
    let folder = with_findings();
    let old =
        r#"{"version": 1, "accepted": [{"path": "x", "rule": "report/date", "message": "x"}]}"#;
    folder.file("b.json", old);
    let refused = folder.run("check --baseline b.json");
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    let again = "check --write-baseline=b.json";
    refused.stderr_has(again);
    folder.ok(again);
    folder.ok("check --baseline b.json");
    folder.file("b.json", r#"{"version": 3, "accepted": []}"#);
    let newer = folder.run("check --baseline b.json");
    newer.stderr_has("the newer gwconform");
    assert_eq!(folder.run(again).code, 2);
}

#[test]
fn replaces_only_a_baseline() {
    let folder = with_findings();
    let before = folder.read(ACME_REPORT);
    let output = folder
        .run(&format!("check --write-baseline {ACME_REPORT}"))
        .exits(2);
    let expected = format!(
        "error: --write-baseline: refusing to overwrite {ACME_REPORT}: not a gwconform baseline\n"
    );
    assert_eq!(output.stderr, expected);
    assert_eq!(folder.read(ACME_REPORT), before);
    for _ in 0..2 {
        folder.ok("check --write-baseline b.json");
    }
}

/// A change could link to a file that only the user who runs the check can read.
#[cfg(unix)]
#[test]
fn rejects_a_link_without_showing_its_target() {
    let folder = with_findings();
    folder
        .file(".git/HEAD", "")
        .file("outside/secret", "root:SECRET:1:2")
        .link("link.json", "outside/secret")
        .link("nowhere.json", "outside/nothing")
        .link("gwconform.toml", "outside/secret")
        .link("conformance/reports/gwconform.toml", "../../outside/secret");
    let cases = "
        check --baseline link.json --config a.toml | --baseline: link.json: not read: LINK
        check --config link.json | link.json: not read: LINK
        check | conformance/reports/gwconform.toml: not read: LINK
        check --write-baseline link.json --config a.toml | --write-baseline: refusing to overwrite link.json: not a gwconform baseline
        check --write-baseline nowhere.json --config a.toml | --write-baseline: refusing to overwrite nowhere.json: not a gwconform baseline
        resources link.json --config a.toml | link.json: not read: LINK
        diff link.json link.json | link.json: not read: LINK
        add link.json | link.json: not read: LINK
    ";
    for [arguments, reason] in rows(cases) {
        folder.file("a.toml", "");
        let output = folder.run(arguments).exits(2);
        let link = "it is a symbolic link; expected a regular file";
        let expected = format!("error: {}\n", reason.replace("LINK", link));
        assert_eq!(output.stderr, expected, "{arguments}");
        assert!(!output.stdout.contains("SECRET"), "{}", output.stdout);
    }
    assert_eq!(folder.read("outside/secret"), "root:SECRET:1:2");
}
