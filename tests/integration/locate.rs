//! Tests paths on the command line: reports trees, and other folders with a release-like name.

use std::fs;

use crate::support::folder::{Folder, NAME, README, report, words};
use crate::support::{Output, lines, run_with_input};

const OF_TREE: &str = "not part of a submission; no rules apply";
const LONE: &str = "rules that need its reports tree";

fn skipped(folder: &Folder, arguments: &str) -> Vec<String> {
    lines(&folder.json(arguments)["left_out"], "{reason}")
}

fn stdin(folder: &Folder, name: &str, input: &str) -> Output {
    let arguments = words(&format!("check - --stdin-filename {name}"));
    run_with_input(folder.path(), &arguments, input.as_bytes())
}

#[test]
fn a_checkout_named_for_a_release_is_no_release_folder() {
    let folder = Folder::new();
    folder
        .file("v1.5.0/go.mod", "")
        .file("v1.5.1/README.md", "# A checkout\n")
        .file("v1.5.1/notes/deep/x.yaml", "kind: Secret\n")
        .submission("v1.5.1/reports/v1.5/acme-operator")
        .file("v1.5.1/reports/README.md", "# Reports\n");
    let tree = "v1.5.1/reports";
    assert_eq!(
        skipped(&folder, &format!("check {tree}/README.md")),
        [OF_TREE]
    );
    assert_eq!(folder.run(&format!("check {tree}/README.md")).code, 3);
    let own = stdin(&folder, &format!("{tree}/README.md"), "# Reports\n");
    own.stdout_has(OF_TREE);
    assert_eq!(own.code, 3);
    let counts = |arguments: &str| folder.json(arguments)["summary"]["reports"].clone();
    assert_eq!(counts("check v1.5.1"), 1);
    assert_eq!(
        counts(&format!("check {tree}/v1.5/acme-operator/README.md")),
        1
    );
    assert_eq!(skipped(&folder, "check v1.5.1/notes/deep/x.yaml"), [LONE]);
    assert_eq!(folder.run("check v1.5.1/notes/deep").code, 3);
}

#[test]
fn a_project_folder_named_for_a_release_holds_lone_files() {
    let folder = Folder::new();
    folder
        .file("v2.3.4/report.yaml", report())
        .file("v2.3.4/sub/report.yaml", report());
    for path in ["v2.3.4/report.yaml", "v2.3.4/sub/report.yaml"] {
        assert_eq!(folder.findings(&format!("check {path}")), [""; 0], "{path}");
        assert_eq!(skipped(&folder, &format!("check {path}")), [LONE]);
        let output = stdin(&folder, path, &report());
        output.stdout_has("no findings");
    }
    let inside = folder.path().join("v2.3.4");
    let output = crate::support::run(&inside, &words("check report.yaml"));
    assert_eq!(output.code, 0, "{}", output.stdout);
}

#[test]
fn recognizes_trees_of_another_name_by_their_content() {
    let folder = Folder::new();
    folder.submission("mine/v1.5/acme-operator");
    let path = format!("mine/v1.5/acme-operator/{NAME}");
    let reports = |arguments: &str| folder.json(arguments)["summary"]["submissions"].clone();
    for path in ["mine", "mine/v1.5", "mine/v1.5/acme-operator", &path] {
        assert_eq!(reports(&format!("check {path}")), 1, "{path}");
    }
    // Without a README, a file belongs to a tree only if other releases exist next to its release.
    folder.remove("mine/v1.5/acme-operator/README.md");
    assert_eq!(skipped(&folder, &format!("check {path}")), [LONE]);
    folder.file("mine/v1.4.0/.gitkeep", "");
    assert_eq!(reports(&format!("check {path}")), 1);
    // A release-like folder inside a submission does not make the submission a tree.
    let tree = Folder::with_tree();
    let submission = "conformance/reports/v1.5/acme-operator";
    tree.file(&format!("{submission}/v1.2/run.sh"), "");
    for path in [submission.to_owned(), format!("{submission}/README.md")] {
        assert_eq!(tree.json(&format!("check {path}"))["summary"]["readmes"], 1);
    }
}

#[test]
fn a_lone_readme_is_read_as_one() {
    let folder = Folder::new();
    folder
        .file("README.md", README)
        .file("bad/readme.md", "# Acme\n\ntext\n");
    assert_eq!(folder.findings("check README.md"), [""; 0]);
    assert_eq!(skipped(&folder, "check README.md"), [LONE]);
    assert_eq!(
        folder.findings("check bad/readme.md"),
        [
            "readme/reproduce-missing bad/readme.md 1:3",
            "readme/table-missing bad/readme.md 1:3"
        ]
    );
}

#[test]
fn empty_folders_hide_no_tree() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path().join("conformance/reports")).unwrap();
    assert_eq!(folder.run("check").code, 3);
    folder.submission("reports/v1.5/acme-operator");
    assert_eq!(folder.json("check")["summary"]["reports"], 1);
    assert_eq!(folder.json("check .")["summary"]["reports"], 1);
}

#[test]
fn a_tree_of_misnamed_releases_is_walked() {
    for name in ["1.5", "V1.5", "release-1.5"] {
        let folder = Folder::new();
        folder.submission(&format!("reports/{name}/acme-operator"));
        for arguments in ["check", "check .", "check reports"] {
            let found = folder.findings(&format!("{arguments} --select tree/release-folder"));
            assert_eq!(found, [format!("tree/release-folder reports/{name}")]);
        }
    }
    let folder = Folder::new();
    folder.submission("reports/V1.5/acme-operator");
    assert!(folder.run("check").stdout.contains("rename it to `v1.5`"));
}

#[cfg(unix)]
#[test]
fn a_link_of_a_change_does_not_lead_to_a_tree_elsewhere() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new();
    let secret = "outside/reports/v1.5/acme/creds.yaml";
    folder.file(secret, "token: hunter2\n");
    fs::create_dir_all(folder.path().join("repo/.git")).unwrap();
    fs::create_dir_all(folder.path().join("repo/below")).unwrap();
    symlink("../outside", folder.path().join("repo/conformance")).unwrap();
    let below = folder.path().join("repo/below");
    let absolute = folder.path().join("repo/conformance/reports");
    let repo = folder.path().join("repo");
    for (working_directory, arguments) in [
        (&repo, vec!["check"]),
        (&repo, vec!["check", "conformance/reports"]),
        (&repo, vec!["check", "conformance/reports/v1.5"]),
        (
            &repo,
            vec!["check", "conformance/reports/v1.5/acme/creds.yaml"],
        ),
        (&below, vec!["check", "../conformance"]),
        (&below, vec!["check", absolute.to_str().unwrap()]),
        (&repo, vec!["certify"]),
        (&repo, vec!["site", "--out", "out"]),
        (&repo, vec!["add", "--in", "conformance", "x.yaml"]),
    ] {
        let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
        let output = run_with_input(working_directory, &arguments, b"");
        assert_eq!(output.code, 2, "{arguments:?}: {output:?}");
        assert!(!format!("{output:?}").contains("hunter2"), "{output:?}");
        let expected = "conformance is a symbolic link, which is not followed";
        output.stderr_has(expected);
    }
    // Links outside of repositories are followed, because users control them.
    symlink("outside", folder.path().join("link")).unwrap();
    let link = folder.path().join("link/reports");
    let arguments = ["check".to_owned(), link.to_str().unwrap().to_owned()];
    assert_eq!(run_with_input(&below, &arguments, b"").code, 1);
}
