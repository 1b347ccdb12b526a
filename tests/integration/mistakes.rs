//! One mistake has one exit code in each command: 2 for something the user typed that does not
//! exist or is invalid, 3 for a failure of the system.

use crate::support::folder::{Folder, report};

const REPORT: &str = "conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml";

/// Commands whose error contains the text.
const MISTAKES: &[(&str, &str)] = &[
    // Implementations and versions.
    (
        "certify zzz",
        "no implementation in this tree is named `zzz`",
    ),
    (
        "certify zzz/yyy",
        "no implementation in this tree is named `zzz/yyy`",
    ),
    ("certify zzz --in conformance/reports", "no implementation"),
    (
        "certify acne-operator",
        "no implementation in this tree is named `acne-operator`; did you mean",
    ),
    (
        "outlook zzz",
        "no implementation in this tree is named `zzz`",
    ),
    ("badge zzz", "no implementation"),
    ("diff zzz yyy", "no implementation"),
    (
        "diff acme-operator@v9 acme-operator",
        "acme/operator has no report",
    ),
    (
        "needs m.yaml --in conformance/reports --to zzz",
        "no implementation",
    ),
    // Releases, features, tests, rules.
    ("outlook --release v9.9", "--release"),
    ("plan --release v9.9 --profile GATEWAY-HTTP", "--release"),
    ("profiles --release v9.9", "unknown release"),
    ("features Nothing", "unknown feature"),
    ("tests Nothing", "unknown test"),
    ("explain nothing", "unknown rule"),
    ("needs m.yaml --crds v9.9/standard", "--crds"),
    ("resources m.yaml --release v9.9", "unknown release"),
    // Paths.
    ("check nowhere", "nowhere: no such file"),
    ("check nowhere.yaml", "nowhere.yaml: no such file"),
    ("certify ./nowhere", "nowhere: no such file"),
    ("certify a/b/c", "a/b/c: no such file"),
    ("certify nowhere.yml", "nowhere.yml: no such file"),
    ("outlook nowhere.yaml", "nowhere.yaml: no such file"),
    ("diff nowhere.yaml a.yaml", "nowhere.yaml: no such file"),
    ("site nowhere --out s", "nowhere: no such file"),
    ("export list nowhere", "nowhere: no such file"),
    ("needs nowhere", "nowhere: no such file"),
    ("resources nowhere", "nowhere: no such file"),
    ("verify nowhere --log a.yaml", "nowhere: no such file"),
    ("add nowhere", "nowhere: no such file"),
    ("check --since HEAD nowhere", "nowhere: no such file"),
    // Files that options name.
    ("check --config nowhere", "nowhere: no such file"),
    (
        "check --baseline nowhere",
        "--baseline: nowhere: no such file",
    ),
    (
        "check --registry nowhere",
        "--registry: nowhere: no such file",
    ),
    (
        "certify --statements nowhere",
        "--statements: nowhere: no such file",
    ),
    ("site --out s --wasm nowhere", "nowhere: no such file"),
    (
        "plan --profile GATEWAY-HTTP --class nowhere",
        "--class: nowhere: no such file",
    ),
    ("needs m.yaml --class nowhere", "nowhere: no such file"),
    ("verify --log nowhere", "nowhere: no such file"),
    ("registry check nowhere", "nowhere: no such file"),
    (
        "registry import nowhere --release v1.99.0",
        "nowhere: no such file",
    ),
    ("registry served nowhere -o .", "nowhere: no such file"),
    // Revisions.
    ("check --since nowhere", "--since: unknown commit `nowhere`"),
    ("check --since=-x", "--since: `-x` is not a revision"),
    ("diff nowhere:a.yaml a.yaml", "nowhere:a.yaml: no such file"),
    (
        "diff HEAD:conformance a.yaml",
        "HEAD:conformance: not a file",
    ),
    // Files that are invalid.
    (
        "check --config m.yaml",
        "m.yaml is not a valid configuration",
    ),
    ("check --baseline m.yaml", "m.yaml is not a valid baseline"),
    ("diff m.yaml a.yaml", "m.yaml: not a ConformanceReport"),
    (
        "needs m.yaml --report m.yaml",
        "m.yaml: not a ConformanceReport",
    ),
    ("needs m.yaml --class a.yaml", "--class: no GatewayClass"),
    ("plan --profile GATEWAY-HTTP --class a.yaml", "--class: "),
    (
        "diff conformance a.yaml",
        "conformance: not read: it is a folder",
    ),
    ("site --out notes", "notes is not empty"),
    (
        "check --also json=m.yaml/x.json",
        "m.yaml/x.json cannot be written: not a directory",
    ),
    (
        "check --write-baseline m.yaml/x.json",
        "m.yaml/x.json cannot be written: not a directory",
    ),
    ("man --out m.yaml", "m.yaml cannot be made"),
    (
        "check --registry m.yaml",
        "m.yaml: a part of the path is not a folder",
    ),
    (
        "site --out conformance/reports/s",
        "--out: conformance/reports/s is inside",
    ),
];

/// Needs `/dev/full` and `/proc`.
#[cfg(target_os = "linux")]
const FAILURES: &[(&str, &str)] = &[
    (
        "check --also json=/proc/x.json",
        "--also: /proc/x.json cannot be written: no such file",
    ),
    (
        "check --write-baseline /proc/x.json",
        "/proc/x.json cannot be written",
    ),
    ("site --out /proc/x", "/proc/x cannot be made"),
    ("man --out /proc/x", "/proc/x cannot be made"),
];

/// Commands of other programs, and the command of the tip.
const OTHER_PROGRAMS: &[(&str, &str)] = &[
    ("compare", "diff OLD NEW"),
    ("init", "add REPORT"),
    ("lint", "check"),
    ("list", "certify"),
    ("rules", "explain"),
    ("show", "certify NAME"),
    ("status", "certify"),
    ("submit", "add REPORT"),
    ("validate", "check"),
    ("verdicts", "certify"),
    ("version", "--version"),
];

#[test]
fn commands_of_other_programs_get_a_tip() {
    let folder = Folder::new();
    for (other, expected) in OTHER_PROGRAMS {
        let variants = [
            other.to_string(),
            format!("{other} report.yaml"),
            format!("-q {other}"),
            format!("{other} features"),
        ];
        for words in variants {
            let output = folder.run(&words);
            assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{words}");
            let tips: Vec<&str> = output
                .stderr
                .lines()
                .filter_map(|line| line.trim_start().strip_prefix("tip: "))
                .collect();
            assert_eq!(tips.len(), 1, "{}", output.stderr);
            let named = format!("run `gwconform {expected}`");
            assert!(tips[0].contains(&named), "{}", output.stderr);
        }
    }
    for (words, expected) in [
        ("outlook --for v1.7", "--release RELEASE"),
        ("badge acme/operator --minor=v1.5", "--release RELEASE"),
        ("add report.yaml --tree reports", "--in TREE"),
        ("verify --log run.log --statement x", "--out PATH"),
        ("check --output json=x", "--also FORMAT=FILE"),
        ("site --output x", "--out PATH"),
        ("check --json", "--format json"),
        ("check --errors", "--quiet"),
        ("check --in reports", "PATH without an option"),
        ("site --in reports", "PATH without an option"),
        ("needs --file x", "PATH without an option"),
        ("badge --implementation x", "NAME without an option"),
        (
            "resources x --upgrade v1.6/standard",
            "--crds RELEASE/CHANNEL",
        ),
    ] {
        let stderr = folder.run(words).exits(2).stderr;
        assert!(
            stderr.contains(&format!("\n  tip: use {expected}")),
            "{stderr}"
        );
    }
    // A tip names no option that the command lacks.
    for words in ["check --for v1.6", "check -f json", "plan --in reports"] {
        let stderr = folder.run(words).exits(2).stderr;
        assert!(
            !stderr.contains("--release") && !stderr.contains("-- -"),
            "{stderr}"
        );
    }
    let releases = folder.run("releases v1.5 v1.6").exits(2).stderr;
    crate::support::has(&releases, "run `gwconform releases diff OLD NEW`");
    let typo = folder.run("chekc").stderr;
    assert!(typo.contains("'check'"), "{typo}");
    let nested = folder.run("registry list").stderr;
    assert!(!nested.contains("certify"), "{nested}");
}

fn folder() -> Folder {
    let folder = Folder::with_tree();
    folder
        .file("a.yaml", report())
        .file("m.yaml", "kind: Note\napiVersion: v1\n")
        .file("notes/note.txt", "mine");
    folder.commit();
    folder
}

fn fails_as_listed(rows: &[(&str, &str)], code: i32) {
    let folder = folder();
    let mut wrong = Vec::new();
    for (arguments, message) in rows {
        let output = folder.run(arguments);
        let error = output
            .stderr
            .lines()
            .rfind(|line| line.starts_with("error: "));
        let error = error
            .and_then(|line| line.strip_prefix("error: "))
            .unwrap_or_default();
        if output.code != code || !error.contains(message) || !output.stdout.is_empty() {
            wrong.push(format!("{arguments}: {output:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn usage_errors_exit_with_2() {
    fails_as_listed(MISTAKES, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn system_errors_exit_with_3() {
    fails_as_listed(FAILURES, 3);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_about_standard_output() {
    use std::process::{Command, Stdio};
    let folder = folder();
    for arguments in [
        ["certify", "--all"],
        ["explain", "--messages"],
        ["help", "check"],
    ] {
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_gwconform"))
            .args(arguments)
            .current_dir(folder.path())
            .env_clear()
            .stdout(Stdio::from(full))
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {stderr}");
        let expected = "error: standard output cannot be written: ";
        assert!(stderr.starts_with(expected), "{arguments:?}: {stderr}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_the_user_typed_is_followed_outside_of_a_repository() {
    let outside = folder();
    let folder = Folder::new();
    let target = outside.path().canonicalize().unwrap();
    folder.link("tree", target.to_str().unwrap());
    folder.link("a.yaml", target.join("a.yaml").to_str().unwrap());
    let commands = [
        "check tree",
        "check tree/conformance/reports",
        "check a.yaml",
        "certify tree",
        "badge acme --in tree",
        "site tree --out s",
        "export list tree",
        "diff a.yaml tree/a.yaml",
        "check tree --since HEAD",
    ];
    for command in commands {
        let output = folder.run(command);
        assert_eq!(output.code, 0, "{command}: {output:?}");
    }
    let listed = folder.json("check tree");
    assert_eq!(listed["summary"]["reports"], 1);
    // The user did not type the link in a default place.
    let default = Folder::new();
    default.file("conformance/x", "");
    let tree = target.join("conformance/reports");
    default.link("conformance/reports", tree.to_str().unwrap());
    let output = default.run("check");
    output.stderr_has("conformance/reports is a symbolic link");
    assert_eq!(output.code, 2);
    assert_eq!(default.run("check conformance/reports").code, 0);
    // A change to a repository can contain the links.
    folder.file(".git/HEAD", "");
    for command in &commands[..8] {
        let output = folder.run(command);
        assert!([1, 2].contains(&output.code), "{command}: {output:?}");
        let printed = output.stdout + &output.stderr;
        assert!(printed.contains("symbolic link"), "{command}: {printed}");
    }
}

#[cfg(unix)]
#[test]
fn unreadable_files_have_a_remedy() {
    let folder = folder();
    let submission = REPORT.rsplit_once('/').unwrap().0;
    let help = |name: &str| {
        let json = folder.json("check --select tree/unreadable");
        let found = json["findings"].as_array().unwrap().clone();
        let found = found
            .iter()
            .find(|one| one["path"].as_str().unwrap().ends_with(name));
        found.map(|one| one["help"].as_str().unwrap().to_owned())
    };
    folder.file(
        &format!("{submission}/large-report.yaml"),
        "#".repeat(5 << 20),
    );
    assert!(
        help("large-report.yaml")
            .unwrap()
            .contains("keep larger files")
    );
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path().join(submission).join("pipe-report.yaml"))
        .status();
    assert!(made.unwrap().success());
    assert!(help("pipe-report.yaml").unwrap().contains("regular files"));
}
