//! Tests `gwconform check`: selection of files, output and exit codes.

use std::collections::BTreeSet;
use std::fs;

use crate::support::folder::{
    ACME, ACME_README, ACME_REPORT, Folder, NAME, README, TREE, report, words,
};
use crate::support::report::ReportBuilder;
use crate::support::{EPOCH, run, run_with_input, words_of};
use gwconform::print::Format;
use gwconform_report::tree;
use serde_json::Value;

#[test]
fn valid_tree_has_no_findings() {
    let folder = Folder::with_tree();
    let output = folder.run("check");
    assert_eq!(
        output.stdout,
        "no findings in 1 report of 1 submission (1 release)\n"
    );
    assert_eq!((output.stderr.as_str(), output.code), ("", 0));
}

#[test]
fn accepts_any_path_in_a_tree() {
    let folder = Folder::with_tree();
    folder
        .submission("conformance/reports/v1.5/umbrella-operator")
        .submission("conformance/reports/v1.4.0/acme-operator");
    let counts = |arguments: &str| {
        let summary = folder.json(arguments)["summary"].clone();
        ["releases", "submissions", "reports", "readmes"].map(|key| summary[key].as_u64().unwrap())
    };
    assert_eq!(counts("check"), [2, 3, 3, 3]);
    assert_eq!(counts("check ."), [2, 3, 3, 3]);
    assert_eq!(counts("check conformance/reports/"), [2, 3, 3, 3]);
    assert_eq!(counts("check conformance/reports/v1.5"), [1, 2, 2, 2]);
    assert_eq!(
        counts("check conformance/reports/v1.5/acme-operator"),
        [1, 1, 1, 1]
    );
    assert_eq!(
        counts("check conformance/reports/v1.5/acme-operator/README.md"),
        [1, 1, 1, 1]
    );
    assert_eq!(
        counts(&format!(
            "check conformance/reports/v1.5/acme-operator/{NAME}"
        )),
        [1, 1, 1, 1]
    );
    assert_eq!(
        counts("check conformance/reports/v1.5/acme-operator conformance/reports/v1.4.0"),
        [2, 2, 2, 2]
    );
    assert_eq!(
        counts("check conformance/reports/v1.5 conformance/reports/v1.5/acme-operator"),
        [1, 2, 2, 2]
    );
    assert_eq!(counts("check conformance/reports/README.md"), [0, 0, 0, 0]);
    assert_eq!(
        counts("check conformance/reports/v1.5/../v1.4.0"),
        [1, 1, 1, 1]
    );
}

#[test]
fn texts_have_paths_of_the_working_directory_and_json_of_the_repository() {
    let folder = Folder::with_tree();
    let notes = "conformance/reports/v1.5/acme-operator/notes.txt";
    folder.file(notes, "x").file("elsewhere/x", "");
    let inside = folder.path().join("conformance/reports/v1.5/acme-operator");
    let absolute = inside.join("notes.txt").display().to_string();
    let whole = format!("check {}", inside.display());
    let expected = [
        ("", "check", notes),
        (
            "conformance/reports/v1.5/acme-operator",
            "check .",
            "notes.txt",
        ),
        (
            "conformance/reports/v1.5",
            "check acme-operator",
            "acme-operator/notes.txt",
        ),
        (
            "conformance/reports/v1.5",
            &whole,
            "acme-operator/notes.txt",
        ),
        ("elsewhere", "check ../conformance/reports", &absolute),
    ];
    for with_git in [false, true] {
        if with_git {
            folder.file(".git/HEAD", "");
        }
        for (below, arguments, path) in expected {
            let cwd = folder.path().join(below);
            let text = run(&cwd, &words(arguments)).stdout;
            assert!(text.contains(&format!("--> {path}\n")), "{below}: {text}");
            let output = run(&cwd, &words(&format!("{arguments} --format json")));
            let json: Value = serde_json::from_str(&output.stdout).unwrap();
            let found = (&json["findings"][0]["path"], &json["tree"]);
            assert_eq!(found, (&notes.into(), &TREE.into()), "{below}: {arguments}");
        }
    }
}

#[test]
fn a_part_of_a_tree_and_a_lone_report_say_what_was_not_checked() {
    let folder = Folder::with_tree();
    folder.file("report.yaml", report());
    let skipped = |arguments: &str| folder.json(arguments)["left_out"].to_string();
    assert_eq!(skipped("check"), "[]");
    assert_eq!(
        skipped("check conformance/reports/v1.5"),
        r#"[{"document":null,"path":"conformance/reports","reason":"rules that need the whole tree"}]"#
    );
    assert_eq!(
        skipped("check report.yaml"),
        r#"[{"document":null,"path":"report.yaml","reason":"rules that need its reports tree"}]"#
    );
}

#[cfg(unix)]
#[test]
fn aliases_are_resolved_and_never_walked_twice() {
    let folder = Folder::with_tree();
    folder
        .link("conformance/reports/v1.5.0", "v1.5")
        .link("conformance/reports/v1.5.1", "./v1.5.0");
    // Git writes aliases as such files if the file system does not support symbolic links.
    folder
        .file("conformance/reports/v1.5.2", "v1.5")
        .file("conformance/reports/v1.5.3", "v1.5\n");
    assert_eq!(folder.findings("check"), Vec::<String>::new());
    assert_eq!(folder.json("check")["summary"]["reports"], 1);
    for alias in ["v1.5.0", "v1.5.1", "v1.5.2", "v1.5.3"] {
        let arguments = format!("check conformance/reports/{alias}");
        assert_eq!(folder.json(&arguments)["summary"]["reports"], 1, "{alias}");
    }
    assert_eq!(
        folder.json("check conformance/reports/v1.5.0/acme-operator")["summary"]["submissions"],
        1
    );
}

/// Following each link to the end of the chain would take 200 million steps.
#[cfg(unix)]
#[test]
fn links_are_followed_as_far_as_the_system_does() {
    let folder = Folder::with_tree();
    folder.link("conformance/reports/v1.5.0", "v1.5");
    for nth in 1..20_000 {
        let target = format!("v1.5.{}", nth - 1);
        folder.link(&format!("conformance/reports/v1.5.{nth}"), &target);
    }
    let root = folder.path().join("conformance/reports");
    let tree = tree::discover(&root, folder.path(), &tree::Parts::Whole).unwrap();
    assert_eq!(tree.aliases.len(), 40);
    assert!(tree.aliases.values().all(|release| release == "v1.5"));
    assert_eq!(tree.unexpected.len(), 20_000 - 40);
    for nth in 40..20_000 {
        std::fs::remove_file(root.join(format!("v1.5.{nth}"))).unwrap();
    }
    folder
        .link("conformance/reports/v1.6.0", "v1.6.2")
        .link("conformance/reports/v1.6.1", "v1.6.0")
        .link("conformance/reports/v1.6.2", "v1.6.1")
        .link("conformance/reports/v1.6.3", "v1.6.1")
        .link("conformance/reports/v1.7.0", "v1.7.1")
        .link("conformance/reports/v1.7.1", "v1.7");
    let tree = tree::discover(&root, folder.path(), &tree::Parts::Whole).unwrap();
    let problems: Vec<_> = tree
        .unexpected
        .iter()
        .map(|unexpected| match &unexpected.kind {
            tree::EntryIssue::Link { problem, .. } => *problem,
            kind => panic!("{kind:?}"),
        })
        .collect();
    let (itself, nowhere) = (tree::LinkProblem::Itself, tree::LinkProblem::Nowhere);
    assert_eq!(problems, [itself, itself, itself, itself, nowhere, nowhere]);
}

#[cfg(unix)]
#[test]
fn links_are_findings_and_lead_nowhere() {
    let folder = Folder::with_tree();
    folder.file(
        "secret/v1.9/acme/standard-v1-default-report.yaml",
        "password: hunter2\n",
    );
    folder
        .link("conformance/reports/v1.6.0", "v1.6.0")
        .link("conformance/reports/v1.6.1", "../../secret/v1.9")
        .link("conformance/reports/v1.6.2", "v1.7")
        .link("conformance/reports/v1.6.3", "/etc")
        .link("conformance/reports/v1.4.0", "v1.5")
        .link("conformance/reports/current", "v1.5")
        .link("conformance/reports/v1.5/other", "../../../secret")
        .link(
            "conformance/reports/v1.5/acme-operator/x.yaml",
            "../../../../secret/v1.9/acme/standard-v1-default-report.yaml",
        );
    let findings = folder.findings("check");
    let linked: Vec<&str> = findings
        .iter()
        .filter_map(|finding| finding.strip_prefix("tree/link conformance/reports/"))
        .collect();
    assert_eq!(
        linked,
        [
            "current",
            "v1.4.0",
            "v1.5/acme-operator/x.yaml",
            "v1.5/other",
            "v1.6.0",
            "v1.6.1",
            "v1.6.2",
            "v1.6.3"
        ]
    );
    let output = folder.run("check");
    output.stdout_has("which does not resolve to a folder");
    output.stdout_has("which is outside the reports tree");
    output.stdout_has("which does not exist");
    output.stdout_has("the folder of another minor");
    assert!(!output.stdout.contains("hunter2"));
    assert_eq!(folder.json("check")["summary"]["reports"], 1);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_named_and_not_opened() {
    let folder = Folder::with_tree();
    let pipe = folder
        .path()
        .join("conformance/reports/v1.5/acme-operator/pipe.yaml");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    assert_eq!(
        folder.findings("check"),
        ["tree/unreadable conformance/reports/v1.5/acme-operator/pipe.yaml"]
    );
}

#[test]
fn misplaced_names_have_advice() {
    let folder = Folder::with_tree();
    folder
        .file(
            "conformance/reports/v1.5/standard-v1-default-report.yaml",
            report(),
        )
        .file("conformance/reports/loose.yaml", report())
        .file("conformance/reports/1.4.0/acme-operator/README.md", README)
        .file(
            &format!("conformance/reports/1.4.0/acme-operator/{NAME}"),
            report().replace("v1.5.1", "v1.4.0"),
        )
        .file("conformance/reports/pictures/logo.png", "x")
        .file("conformance/reports/verify.sh", "x")
        .file("conformance/reports/v1.5/empty/README.md", README)
        .file(
            "conformance/reports/v1.5/nested/deep/standard-v2.14.0-default-report.yaml",
            report(),
        )
        .file("conformance/reports/v1.5/nested/readme.md", README)
        .file("conformance/reports/v1.5/nested/run-conformance.sh", "x")
        .file("conformance/reports/v1.5/nested/.gitkeep", "")
        .file("conformance/reports/v1.5/nested/.gitattributes", "")
        .file("conformance/reports/.gitignore", "")
        .file("conformance/reports/v1.5/yml/README.md", README)
        .file(
            "conformance/reports/v1.5/yml/standard-v2.14.0-default-report.yml",
            report(),
        );
    let findings = folder.findings("check --select tree");
    let reports = "conformance/reports";
    for expected in [
        format!("tree/misplaced-report {reports}/loose.yaml"),
        format!("tree/misplaced-report {reports}/v1.5/standard-v1-default-report.yaml"),
        format!(
            "tree/misplaced-report {reports}/v1.5/nested/deep/standard-v2.14.0-default-report.yaml"
        ),
        format!("tree/release-folder {reports}/1.4.0"),
        format!("tree/stray-file {reports}/pictures"),
        format!("tree/stray-file {reports}/v1.5/nested/.gitattributes"),
        format!("tree/stray-file {reports}/.gitignore"),
        format!("tree/readme-missing {reports}/v1.5/nested/readme.md"),
        format!("tree/no-reports {reports}/v1.5/empty"),
        format!("tree/report-extension {reports}/v1.5/yml/standard-v2.14.0-default-report.yml"),
    ] {
        assert!(
            findings.contains(&expected),
            "{expected} is not in {findings:#?}"
        );
    }
    assert!(
        !findings
            .iter()
            .any(|finding| finding.contains(".sh") || finding.contains(".gitkeep")),
        "{findings:#?}"
    );
    assert_eq!(folder.json("check")["summary"]["reports"], 6);
}

#[test]
fn names_that_begin_as_those_of_git_are_read_or_named() {
    let folder = Folder::with_tree();
    let reports = "conformance/reports";
    folder
        .file(
            &format!("{reports}/v1.5/acme-operator/.gitx.yaml"),
            report(),
        )
        .file(&format!("{reports}/.gitlab.yml"), report())
        .file(&format!("{reports}/.git-x/v/x.yaml"), report())
        .file(&format!("{reports}/v1.5/.gitmodules"), "x")
        .file(&format!("{reports}/.github/x.txt"), "x");
    let findings = folder.findings("check --select tree");
    for expected in [
        format!("tree/file-name {reports}/v1.5/acme-operator/.gitx.yaml"),
        format!("tree/misplaced-report {reports}/.gitlab.yml"),
        format!("tree/release-folder {reports}/.git-x"),
        format!("tree/stray-file {reports}/v1.5/.gitmodules"),
        format!("tree/stray-file {reports}/.github"),
    ] {
        assert!(
            findings.contains(&expected),
            "{expected} is not in {findings:#?}"
        );
    }
    assert_eq!(folder.json("check")["summary"]["reports"], 4);
}

#[test]
fn folders_that_git_takes_for_repositories_are_named() {
    let folder = Folder::with_tree();
    let reports = "conformance/reports";
    let bare = |folder: &Folder, at: &str| {
        folder
            .file(&format!("{at}/HEAD"), "ref: refs/heads/main\n")
            .file(&format!("{at}/objects/.gitkeep"), "")
            .file(&format!("{at}/refs/.gitkeep"), "");
    };
    // A repository at the root of the tree is not a finding.
    bare(&folder, &format!("{reports}/.git"));
    assert_eq!(folder.findings("check --select tree"), Vec::<String>::new());
    for at in [
        "",
        "/v1.5",
        "/v1.5/acme-operator",
        "/v1.5/acme-operator/deep",
        "/stray",
        "/stray/deep",
    ] {
        bare(&folder, &format!("{reports}{at}"));
    }
    folder
        .file(&format!("{reports}/v1.5/linked/.git"), "gitdir: ../../x\n")
        .file(&format!("{reports}/v1.5/whole/.git/x.yaml"), report())
        .file(&format!("{reports}/v1.5/common/HEAD"), "")
        .file(&format!("{reports}/v1.5/common/commondir"), "..");
    let expected = [
        ".",
        "stray",
        "stray/deep",
        "v1.5",
        "v1.5/acme-operator",
        "v1.5/acme-operator/deep",
        "v1.5/common",
        "v1.5/linked/.git",
        "v1.5/whole/.git",
    ];
    let expected = expected.map(|at| format!("tree/repository {at}"));
    assert_eq!(folder.findings("check --select tree/repository"), expected);
}

#[test]
fn release_folders_are_minors_from_v1_5_on() {
    let folder = Folder::with_tree();
    for name in ["v1.5.0", "v1.6.1", "v1.4", "v1.4.1", "v1.0"] {
        folder.submission(&format!("conformance/reports/{name}/acme-operator"));
    }
    assert_eq!(
        folder.findings("check --select tree/release-folder"),
        [
            "tree/release-folder conformance/reports/v1.5.0",
            "tree/release-folder conformance/reports/v1.6.1"
        ]
    );
    assert_eq!(folder.json("check")["summary"]["reports"], 6);
}

#[test]
fn the_configuration_belongs_in_the_root_alone() {
    let folder = Folder::with_tree();
    folder
        .file("conformance/reports/gwconform.toml", "")
        .file("conformance/reports/v1.5/gwconform.toml", "")
        .file("conformance/reports/OWNERS", "");
    assert_eq!(
        folder.findings("check"),
        [
            "tree/stray-file conformance/reports/OWNERS",
            "tree/stray-file conformance/reports/v1.5/gwconform.toml"
        ]
    );
}

#[test]
fn standard_input_is_one_file() {
    let folder = Folder::new();
    let check = |arguments: &str, input: &str| {
        let output = run_with_input(folder.path(), &words(arguments), input.as_bytes());
        (words_of(&output.stdout), output.code)
    };
    let (stdout, code) = check("check -", "date: \"-\"\nmode: default\n");
    assert!(
        stdout.starts_with("error[report/kind]") || stdout.contains("<stdin>:1:1"),
        "{stdout}"
    );
    assert_eq!(code, 1);
    let named = "check - --stdin-filename conformance/reports/v1.4.0/acme-operator/x.yaml";
    let (stdout, _) = check(named, &report());
    assert!(
        stdout.contains("the report is for v1.5.1, its folder is for v1.4"),
        "{stdout}"
    );
    assert!(
        stdout.contains("expected `standard-v2.14.0-default-report.yaml`"),
        "{stdout}"
    );
    assert!(
        stdout.contains(
            "not checked: conformance/reports/v1.4.0/acme-operator/x.yaml: rules that need the files beside it"
        ),
        "{stdout}"
    );
    let (_, code) = check("check - other.yaml", "");
    assert_eq!(code, 2);
    let (_, code) = check("check --stdin-filename x.yaml", "");
    assert_eq!(code, 2);
}

#[test]
fn exit_codes_are_four() {
    let folder = Folder::with_tree();
    let code = |arguments: &str| folder.run(arguments).code;
    assert_eq!(code("check"), 0);
    folder.file("conformance/reports/v1.5/acme-operator/notes.txt", "x");
    assert_eq!(code("check"), 0);
    assert_eq!(code("check --fail-on warning"), 1);
    folder.file(
        &format!("conformance/reports/v1.5/acme-operator/{NAME}"),
        report().replace("2026-05-20T10:15:30Z", "-"),
    );
    assert_eq!(code("check"), 1);
    assert_eq!(code("check --fail-on never"), 0);
    assert_eq!(code("check --ignore report"), 0);
    assert_eq!(code("check --nonsense"), 2);
    assert_eq!(code("check --select report/dat"), 2);
    assert_eq!(code("check nowhere"), 2);
    assert_eq!(code("--help"), 0);
    assert_eq!(code("--version"), 0);
    let nothing = Folder::new();
    assert_eq!(nothing.run("check").code, 3);
    assert_eq!(nothing.run("check .").code, 3);
}

#[test]
fn messages_of_a_command_that_cannot_run_say_what_to_do() {
    let folder = Folder::new();
    let stderr = |arguments: &str| folder.run(arguments).stderr;
    assert_eq!(
        stderr("check"),
        "error: found neither conformance/reports nor reports in the working directory, and no reports tree above it; pass the path of a reports tree, a submission or a report\n"
    );
    assert_eq!(
        stderr("check ."),
        "error: .: no report, and not a reports tree; expected folders named for releases, such as v1.5, in it, in its conformance/reports or in its reports\n"
    );
    assert_eq!(
        stderr("check nowhere"),
        "error: nowhere: no such file or folder; expected a reports tree, a folder with reports, or a report\n"
    );
    assert_eq!(
        stderr("check --select report/dat"),
        "error: unknown rule or group `report/dat` (see `gwconform explain`); did you mean `report/date`?\n"
    );
}

#[test]
fn json_keeps_its_contract() {
    let folder = Folder::with_tree();
    folder
        .file("conformance/reports/v1.5/acme-operator/notes.txt", "x")
        .file(
            "conformance/reports/v1.5/acme-operator/bad.yaml",
            "date: \"-\"\ndate: 1\nkind: [\n",
        );
    let schema: Value = serde_json::from_str(&folder.run("schema findings").stdout).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    for arguments in ["check", "check conformance/reports/v1.5"] {
        let json = folder.json(arguments);
        let errors: Vec<String> = validator
            .iter_errors(&json)
            .map(|error| error.to_string())
            .collect();
        assert_eq!(errors, Vec::<String>::new(), "{json:#}");
        assert!(!json["findings"].as_array().unwrap().is_empty());
    }
}

#[test]
fn two_runs_are_equal_in_any_order_of_arguments() {
    let folder = Folder::with_tree();
    for name in ["b-b", "a-a", "c-c"] {
        folder.submission(&format!("conformance/reports/v1.5/{name}"));
        folder.file(&format!("conformance/reports/v1.5/{name}/stray"), "x");
    }
    let first = folder
        .run("check conformance/reports/v1.5/a-a conformance/reports/v1.5/b-b")
        .stdout;
    let second = folder
        .run("check conformance/reports/v1.5/b-b conformance/reports/v1.5/a-a")
        .stdout;
    assert_eq!(first, second);
    assert_eq!(
        folder.run("check").stdout,
        folder.run("check conformance/reports").stdout
    );
}

#[test]
fn colour_is_for_terminals_or_on_request() {
    let folder = Folder::with_tree();
    folder.file("conformance/reports/v1.5/acme-operator/notes.txt", "x");
    assert!(!folder.run("check").stdout.contains('\u{1b}'));
    assert!(folder.run("check --color always").stdout.contains('\u{1b}'));
    assert!(!folder.run("check --color never").stdout.contains('\u{1b}'));
}

#[cfg(unix)]
#[test]
fn hostile_names_and_values_cannot_move_the_cursor() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::with_tree();
    let hostile = std::ffi::OsStr::from_bytes(b"x\x1b[2J\xff\xe2\x80\xae.yaml");
    let path = folder
        .path()
        .join("conformance/reports/v1.5/acme-operator")
        .join(hostile);
    fs::write(
        path,
        report().replace("2026-05-20T10:15:30Z", "\\e[2J\u{202e}"),
    )
    .unwrap();
    let output = folder.run("check");
    assert!(
        !output.stdout.contains('\u{1b}') && !output.stdout.contains('\u{202e}'),
        "{}",
        output.stdout
    );
    output.stdout_has("x\\u{1b}[2J%FF\\u{202e}.yaml");
}

#[test]
fn long_values_are_cut_and_many_findings_are_counted() {
    let folder = Folder::with_tree();
    let long = "x".repeat(100_000);
    folder.file(
        &format!("conformance/reports/v1.5/acme-operator/{NAME}"),
        report().replace("2026-05-20T10:15:30Z", &long),
    );
    let output = folder.run("check");
    assert!(
        output.stdout.len() < 10_000,
        "{} bytes",
        output.stdout.len()
    );
    output.stdout_has("expected a date such as `2026-03-20T10:15:30Z`");
    let keys: String = (0..1000).map(|_| "kind: ConformanceReport\n").collect();
    folder.file(
        &format!("conformance/reports/v1.5/acme-operator/{NAME}"),
        report() + &keys,
    );
    let json = folder.json("check --select yaml/duplicate-key");
    let findings = json["findings"].as_array().unwrap();
    let of_many = |finding: &&serde_json::Value| {
        finding["message"] == "900 more findings of this rule not shown"
    };
    assert_eq!(
        (findings.len(), findings.iter().filter(of_many).count()),
        (101, 1)
    );
}

#[test]
fn a_file_that_is_too_large_is_named() {
    let folder = Folder::with_tree();
    folder.file(
        "conformance/reports/v1.5/acme-operator/big.yaml",
        vec![b'a'; 5 * 1024 * 1024],
    );
    let findings = folder.findings("check --select tree");
    assert_eq!(
        findings,
        ["tree/unreadable conformance/reports/v1.5/acme-operator/big.yaml"]
    );
    assert!(
        folder.json("check")["left_out"]
            .to_string()
            .contains("larger than 4 MiB")
    );
}

#[test]
fn lists_text_after_a_syntax_error_as_not_checked() {
    let folder = Folder::with_tree();
    folder.file(
        &format!("conformance/reports/v1.5/acme-operator/{NAME}"),
        "date: \"-\"\nkind: ConformanceReport\nmode: [a\nx: y\n",
    );
    let json = folder.json("check");
    let rules: Vec<&str> = json["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect();
    assert!(
        rules.contains(&"yaml/syntax") && rules.contains(&"report/date"),
        "{rules:?}"
    );
    assert!(
        !rules.contains(&"report/missing-field"),
        "what is missing may stand after the error: {rules:?}"
    );
    assert!(
        json["left_out"][0]["reason"]
            .as_str()
            .unwrap()
            .starts_with("text after line"),
        "{json:#}"
    );
}

#[test]
fn several_documents_are_several_reports() {
    let folder = Folder::new();
    folder.file(
        "reports.yaml",
        format!(
            "{}---\n{}",
            report(),
            report().replace("2026-05-20T10:15:30Z", "-")
        ),
    );
    assert_eq!(folder.json("check reports.yaml")["summary"]["reports"], 2);
    let findings = folder.findings("check reports.yaml");
    let second = "yaml/several-documents reports.yaml 23:1";
    assert_eq!(findings, [second, "report/date reports.yaml 25:7"]);
    let tree = Folder::with_tree();
    tree.file(
        &format!("conformance/reports/v1.5/acme-operator/{NAME}"),
        format!(
            "{}---\n{}",
            report(),
            report().replace("v2.14.0", "v2.15.0")
        ),
    );
    let findings = tree.findings("check --select yaml");
    assert_eq!(
        findings,
        [format!(
            "yaml/several-documents conformance/reports/v1.5/acme-operator/{NAME} 23:1"
        )]
    );
}

#[test]
fn a_newer_release_is_info_and_never_an_error() {
    let folder = Folder::with_tree();
    let later = ReportBuilder::new()
        .release("v1.8.0")
        .date("2027-01-20T10:15:30Z");
    let report = later.build();
    let report = report.replace("profiles:", "newField: 1\nprofiles:");
    folder.file("conformance/reports/v1.8/acme-operator/README.md", README);
    folder.file(
        &format!("conformance/reports/v1.8/acme-operator/{NAME}"),
        report,
    );
    let json = folder.json("check conformance/reports/v1.8");
    assert_eq!(
        (
            json["summary"]["errors"].as_u64(),
            json["summary"]["warnings"].as_u64()
        ),
        (Some(0), Some(0)),
        "{json:#}"
    );
    assert!(json["summary"]["infos"].as_u64() >= Some(2), "{json:#}");
}

/// No thread can start, because its stack would be larger than all memory.
#[cfg(target_pointer_width = "64")]
#[test]
fn works_if_no_thread_can_start() {
    let folder = Folder::with_tree();
    folder.submission("conformance/reports/v1.5/umbrella-operator");
    for arguments in [
        "check",
        "check --unsafe-fixes",
        "site --out site",
        "certify",
    ] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_gwconform"))
            .args(words(arguments))
            .current_dir(folder.path())
            .env_clear()
            .env(EPOCH.0, EPOCH.1)
            .env("RUST_MIN_STACK", (1_u64 << 50).to_string())
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let expected = folder.run(arguments);
        assert_eq!(output.status.code(), Some(expected.code), "{stderr}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected.stdout);
    }
}

#[test]
fn bounds_findings_and_counts_the_rest() {
    let folder = Folder::with_tree();
    let documents = "---\nkind: ConformanceReport\n";
    let keys = "kind: ConformanceReport\n".repeat(1_000);
    let text = keys + &documents.repeat(50_000);
    folder.file(&format!("{ACME}/many.yaml"), text);
    let json = folder.json("check");
    let count = |json: &serde_json::Value, name: &str| json["summary"][name].as_u64().unwrap();
    let shown = |json: &serde_json::Value| json["findings"].as_array().unwrap().len() as u64;
    let all = |json: &serde_json::Value| -> u64 {
        ["errors", "warnings", "infos"]
            .map(|name| count(json, name))
            .iter()
            .sum()
    };
    assert!(
        shown(&json) < 1_000 && count(&json, "reports") == 101,
        "{}",
        json["summary"]
    );
    assert!(all(&json) > shown(&json), "{}", json["summary"]);
    for format in Format::ALL.map(Format::name) {
        let output = folder.run(&format!("check --all --format {format}"));
        assert!(
            output.code == 1 && output.stdout.len() < 1_000_000,
            "{format}"
        );
        // A comment has no room for a note about omitted findings.
        let cut = if format == "markdown" {
            "_Cut to fit a comment: "
        } else {
            " more findings of this rule not shown"
        };
        let said = words_of(&output.stdout);
        assert!(said.contains(cut), "{format}");
        let is_named = said.contains("more than 100 documents");
        assert!(is_named || format == "markdown", "{format}");
    }
    for nth in 0..25 {
        let path = format!("{ACME}/many-{nth:02}.yaml");
        folder.file(&path, documents.repeat(100));
    }
    // Each finding is in the output or counted by another.
    let json = folder.json("check");
    assert!(shown(&json) > 10_000 && count(&json, "not_shown") == 0);
    let errors = |json: &serde_json::Value| count(json, "errors");
    assert!(errors(&json) > 15_000, "{}", json["summary"]);
    ignore_all_rules(&folder);
    assert_eq!(errors(&folder.json("check")), 0);
}

fn ignore_all_rules(folder: &Folder) {
    let json = folder.json("check");
    let findings = json["findings"].as_array().unwrap().iter();
    let rules: BTreeSet<&str> = findings
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect();
    let ignores = rules.iter().map(|rule| {
        format!("[[ignore]]\nrule = \"{rule}\"\npath = \"conformance\"\nreason = \"x\"\n")
    });
    folder.file("gwconform.toml", ignores.collect::<String>());
}

#[test]
fn a_baseline_accepts_the_counted_findings_but_no_further_one() {
    let folder = Folder::with_tree();
    let path = format!("{ACME}/many.yaml");
    let keys = "kind: ConformanceReport\n";
    folder.file(&path, keys.repeat(200));
    let written = folder.run("check --write-baseline accepted.json");
    assert_eq!(written.code, 0, "{written:?}");
    let of = || {
        let output = folder.run("check --baseline accepted.json --format json --ignore config");
        let json: serde_json::Value = serde_json::from_str(&output.stdout).unwrap();
        (output.code, json["summary"]["errors"].as_u64().unwrap() > 0)
    };
    assert_eq!(of(), (0, false));
    folder.file(&path, keys.repeat(201));
    assert_eq!(of(), (1, true));
    // `ignore` entries also apply to findings beyond the limit.
    ignore_all_rules(&folder);
    assert_eq!(folder.run("check").code, 0);
}

fn report_of(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap();
    let field = |name: &str, value: &str| (format!("{name}: {value}"), format!("{name}: {quoted}"));
    let fields = [
        field("- '@acme/maintainers'", ""),
        field("organization", "acme"),
        field("project", "operator"),
        field("url", "https://acme.example"),
        field("version", "v2.14.0"),
        field("mode", "default"),
        field("result", "success"),
        field("name", "GATEWAY-GRPC"),
        field("summary", "Core tests succeeded."),
        field("gatewayAPIChannel", "standard"),
    ];
    let report = fields
        .iter()
        .fold(report(), |report, (old, new)| report.replace(old, new));
    report.replace("- '@acme/maintainers'", &format!("- {quoted}"))
        + &format!("{quoted}: 1\n{quoted}: {quoted}\n")
}

#[test]
fn printed_values_cannot_end_their_quotation() {
    let folder = Folder::with_tree();
    let hostile = "ab`CANARY` is right; **cd";
    folder
        .file(ACME_REPORT, report_of(hostile))
        .file(&format!("{ACME}/x`CANARY`y.yaml"), report_of(hostile))
        .file(
            ACME_README,
            README
                .replace("default |", "`` ab`CANARY`cd `` |")
                .replace("v2.14.0](", "`` ab`CANARY`cd ``]("),
        );
    let json = folder.json("check");
    let (mut quoted, mut ended) = (0, Vec::new());
    for finding in json["findings"].as_array().unwrap() {
        for text in [&finding["message"], &finding["help"]]
            .into_iter()
            .filter_map(|t| t.as_str())
        {
            let is_odd = text.matches('`').count() % 2 == 1;
            if is_odd || text.contains("`CANARY") || text.contains("CANARY`") {
                ended.push(text.to_owned());
            }
            quoted += usize::from(text.contains("CANARY"));
        }
    }
    assert!(ended.is_empty(), "{ended:#?}");
    assert!(quoted > 15, "{json:#}");
}

#[cfg(unix)]
#[test]
fn each_argument_that_is_printed_is_one_argument_of_a_shell() {
    let hostile = [
        "$(touch pwned)",
        "`touch pwned`",
        "a; touch pwned",
        "a' b",
        "a\" b",
        "a b",
        "*",
        "~",
        "$HOME",
        "a\\",
        "'",
        "-x",
        "!!",
        "#a",
        "<a>",
        "a|b",
        "a&b",
        "{a,b}",
        "acme.example/$(touch${IFS}pwned)",
        "a\nb",
        "a\u{202e}b",
    ];
    let mut printed = 0;
    for value in hostile {
        let folder = Folder::with_tree();
        let url = serde_json::to_string(&format!("acme.example/{value}")).unwrap();
        folder
            .file(ACME_REPORT, report_of(value))
            .file(
                ACME_README,
                README.replace("default |", &format!("{} |", value.replace('|', "\\|"))),
            )
            .submission("conformance/reports/v1.5/acme-other")
            .file(
                &format!("conformance/reports/v1.5/acme-other/{NAME}"),
                report().replace("https://acme.example", &url),
            );
        let json = folder.json("check");
        let texts = json["findings"].as_array().unwrap().iter();
        for text in texts.flat_map(|finding| [&finding["message"], &finding["help"]]) {
            let Some(text) = text.as_str() else { continue };
            for part in text.split('`').skip(1).step_by(2) {
                if !part.starts_with("--") || part.contains("=<") || !part.contains('=') {
                    continue;
                }
                let script = format!("printf '%s\\0' {part}");
                let output = std::process::Command::new("sh")
                    .args(["-c", &script])
                    .current_dir(folder.path())
                    .output()
                    .unwrap();
                let given = String::from_utf8(output.stdout).unwrap();
                let given: Vec<&str> = given.split_terminator('\0').collect();
                assert!(output.status.success(), "{part}");
                assert!(
                    given.iter().all(|one| one.starts_with("--")),
                    "{part}: {given:?}"
                );
                printed += usize::from(given.iter().any(|one| one.contains(value)));
            }
        }
        assert!(!folder.exists("pwned"), "{value}");
    }
    assert!(printed > 5, "{printed}");
}
