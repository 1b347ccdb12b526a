//! Tests `check --write-baseline` and `--baseline`.

use std::fs;

use crate::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, NAME, README, report};
use crate::support::{run, words_of};
use serde_json::Value;

fn with_findings() -> Folder {
    let folder = Folder::with_tree();
    folder
        .file(&format!("{ACME}/notes.txt"), "x")
        .file(ACME_REPORT, report().replace("2026-05-20T10:15:30Z", "-"));
    folder
}

#[test]
fn accepts_exactly_the_written_findings() {
    let folder = with_findings();
    let before = folder.run("check");
    let written = folder.run("check --write-baseline baseline.json");
    assert_eq!((written.code, written.stdout), (0, before.stdout));
    insta::assert_snapshot!("baseline", folder.read("baseline.json"));
    let output = folder.run("check --baseline baseline.json --fail-on info");
    assert_eq!(
        output.stdout,
        "no findings in 1 report of 1 submission (1 release), 2 accepted by the baseline\n"
    );
    assert_eq!(output.code, 0);
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
    folder.file(&format!("{ACME}/more.txt"), "x");
    let output = folder.run("check --baseline baseline.json --fail-on warning");
    assert_eq!(
        (
            output.code,
            output.stdout.matches("[tree/stray-file]").count()
        ),
        (1, 1)
    );
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
    let counts: usize = baseline["accepted"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["count"].as_u64().unwrap_or(1) as usize)
        .sum();
    assert_eq!(counts, 2, "{baseline:#}");
    folder.file(
        ACME_README,
        twice.replace("# Acme operator\n", "# Acme operator\n\nMore.\n"),
    );
    let with = |folder: &Folder| {
        folder.findings("check --select readme/row-repeated,config --baseline b.json")
    };
    assert_eq!(with(&folder), Vec::<String>::new());
    folder.file(ACME_README, README.replace(row, &row.repeat(4)));
    assert_eq!(with(&folder).len(), 1);
    folder.file(ACME_README, README.replace(row, &row.repeat(2)));
    let output = folder.run("check --select readme/row-repeated,config --baseline b.json");
    output.stdout_has("[config/unused-baseline-entry]");
}

#[test]
fn entries_of_rules_and_files_not_checked_are_not_unused() {
    let folder = with_findings();
    folder.submission("conformance/reports/v1.5/other-gate");
    let other = report()
        .replace("acme", "other")
        .replace("operator", "gate");
    folder.file(
        &format!("conformance/reports/v1.5/other-gate/{NAME}"),
        other.replace("2026-03", "2026-04"),
    );
    folder.file("conformance/reports/v1.5/other-gate/notes.txt", "x");
    folder.run("check --write-baseline b.json");
    folder.file(ACME_REPORT, report());
    folder.remove(&format!("{ACME}/notes.txt"));
    let unused = |arguments: &str| {
        let found = folder.findings(&format!("check {arguments} --baseline b.json"));
        found
            .iter()
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
    assert!(
        written.contains("\"path\":\"reports/v1.5/acme-operator/notes.txt\""),
        "{written}"
    );
    let arguments = [
        "check",
        "reports",
        "--baseline",
        "baseline.json",
        "--fail-on",
        "info",
    ]
    .map(str::to_owned);
    let output = run(&folder.path().join("conformance"), &arguments);
    assert_eq!(output.code, 0, "{output:?}");
    folder.run("check --write-baseline conformance/list/../b.json");
    assert_eq!(folder.read("conformance/b.json"), written);
}

#[test]
fn writes_the_same_file_twice_atomically() {
    let folder = with_findings();
    folder.run("check --write-baseline b.json");
    let first = folder.read("b.json");
    folder.run("check --write-baseline b.json");
    assert_eq!(folder.read("b.json"), first);
    let left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
    let output = folder.run("check --write-baseline b.json/c.json");
    assert_eq!(output.code, 2, "{output:?}");
    output.stderr_has("b.json/c.json cannot be written");
    let schema: Value = serde_json::from_str(&folder.run("schema baseline").stdout).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    assert!(validator.is_valid(&serde_json::from_str(&first).unwrap()));
    assert_eq!(
        folder
            .run("check --write-baseline b.json --baseline b.json")
            .code,
        2
    );
}

#[test]
fn writes_into_a_new_folder() {
    let folder = with_findings();
    let output = folder.run("check --write-baseline checks/of/b.json");
    assert_eq!((output.stderr.as_str(), output.code), ("", 0));
    let output = folder.run("check --baseline checks/of/b.json");
    assert_eq!(output.code, 0, "{output:?}");
}

#[cfg(unix)]
#[test]
fn keeps_the_permissions_of_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = with_findings();
    let mode = || {
        fs::metadata(folder.path().join("b.json"))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    folder.run("check --write-baseline b.json");
    assert_eq!(mode(), 0o644);
    fs::set_permissions(
        folder.path().join("b.json"),
        fs::Permissions::from_mode(0o664),
    )
    .unwrap();
    folder.run("check --write-baseline b.json");
    assert_eq!(mode(), 0o664);
}

#[test]
fn locates_errors_of_a_baseline() {
    let folder = with_findings();
    let entry = |entry: &str| format!("{{\"version\": 2, \"accepted\": [\n  {entry}\n]}}\n");
    let cases = [
        (
            "{\"version\": 2, \"accepted\": [\n",
            "--> b.json:2:1",
            "EOF while parsing a list",
        ),
        (
            "{\"version\": 1, \"accepted\": []}",
            "--> b.json:1:13",
            "write it again with `gwconform check --write-baseline=b.json` and the paths and options of your check",
        ),
        (
            "{\"version\": 2, \"accepted\": [], \"é\": 1}",
            "--> b.json:1:",
            "unknown field `é`",
        ),
        (
            &entry("{\"path\": \"x\", \"rule\": \"report/dat\", \"subject\": \"x\"}"),
            "--> b.json:2:3",
            "unknown rule `report/dat` (see `gwconform explain`); did you mean `report/date`?",
        ),
        (
            &entry("{\"path\": \"x\", \"subject\": \"/date = -\"}"),
            "--> b.json:2:",
            "missing field `rule`",
        ),
        (
            &entry(
                "{\"path\": \"x\", \"rule\": \"report/date\", \"subject\": \"x\", \"count\": 0}",
            ),
            "--> b.json:2:3",
            "`count` is 0; expected at least 1",
        ),
        (
            &entry("{\"path\": 1, \"rule\": \"report/date\", \"subject\": \"x\"}"),
            "--> b.json:2:12",
            "invalid type: integer `1`, expected a string",
        ),
        ("", "--> b.json:1:1", "EOF while parsing a value"),
    ];
    for (text, place, message) in cases {
        folder.file("b.json", text);
        let output = folder.run("check --baseline b.json");
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{text}");
        let said = words_of(&output.stderr);
        assert!(
            said.contains(place) && said.contains(message),
            "{text}: {said}"
        );
        output.stderr_has("b.json is not a valid baseline");
    }
    folder.file("b.json", b"{\"version\": 2, \"accepted\": [\"\xff\"]}");
    assert!(
        folder
            .run("check --baseline b.json")
            .stderr
            .contains("invalid UTF-8")
    );
    assert_eq!(folder.run("check --baseline nowhere.json").code, 2);
}

#[test]
fn a_baseline_of_an_older_version_is_written_again() {
    let folder = with_findings();
    folder.file(
        "b.json",
        r#"{"version": 1, "accepted": [{"path": "x", "rule": "report/date", "message": "x"}]}"#,
    );
    let refused = folder.run("check --baseline b.json");
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    let again = "check --write-baseline=b.json";
    refused.stderr_has(again);
    assert_eq!(folder.run(again).code, 0);
    assert_eq!(folder.run("check --baseline b.json").code, 0);
    folder.file("b.json", r#"{"version": 3, "accepted": []}"#);
    let newer = folder.run("check --baseline b.json");
    newer.stderr_has("the newer gwconform");
    assert_eq!(folder.run(again).code, 2);
}

#[test]
fn replaces_only_a_baseline() {
    let folder = with_findings();
    let report = format!("{ACME}/{NAME}");
    let before = folder.read(&report);
    let output = folder.run(&format!("check --write-baseline {report}"));
    assert_eq!(output.code, 2, "{}", output.stdout);
    assert_eq!(
        output.stderr,
        format!(
            "error: --write-baseline: refusing to overwrite {report}: not a gwconform baseline\n"
        )
    );
    assert_eq!(folder.read(&report), before);
    for _ in 0..2 {
        assert_eq!(folder.run("check --write-baseline b.json").code, 0);
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
    for (arguments, code, reason) in [
        (
            "check --baseline link.json --config a.toml",
            2,
            "--baseline: link.json: not read: it is a symbolic link; expected a regular file",
        ),
        (
            "check --config link.json",
            2,
            "link.json: not read: it is a symbolic link; expected a regular file",
        ),
        (
            "check",
            2,
            "conformance/reports/gwconform.toml: not read: it is a symbolic link; expected a regular file",
        ),
        (
            "check --write-baseline link.json --config a.toml",
            2,
            "--write-baseline: refusing to overwrite link.json: not a gwconform baseline",
        ),
        (
            "check --write-baseline nowhere.json --config a.toml",
            2,
            "--write-baseline: refusing to overwrite nowhere.json: not a gwconform baseline",
        ),
        (
            "resources link.json --config a.toml",
            2,
            "link.json: not read: it is a symbolic link; expected a regular file",
        ),
        (
            "diff link.json link.json",
            2,
            "link.json: not read: it is a symbolic link; expected a regular file",
        ),
        (
            "add link.json",
            2,
            "link.json: not read: it is a symbolic link; expected a regular file",
        ),
    ] {
        folder.file("a.toml", "");
        let output = folder.run(arguments);
        assert_eq!(output.stderr, format!("error: {reason}\n"), "{arguments}");
        assert_eq!(output.code, code, "{arguments}");
        assert!(!output.stdout.contains("SECRET"), "{}", output.stdout);
    }
    assert_eq!(folder.read("outside/secret"), "root:SECRET:1:2");
}
