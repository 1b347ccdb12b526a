//! Tests that one mistake causes one finding, or several findings with consistent advice.

use std::fs;

use crate::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, NAME, report};
use crate::support::{lines, run, run_with_input};

const GOOD: &str = include_str!("../../examples/cluster/good.yaml");

const SAMPLE: &str =
    include_str!("../../reports/v1.5/acme-operator/standard-v2.18.3-default-report.yaml");

fn messages(folder: &Folder, arguments: &str) -> Vec<String> {
    lines(
        &folder.json(arguments)["findings"],
        "{rule}: {message}; {help}",
    )
}

fn resources(text: &str, arguments: &[&str]) -> String {
    let words = ["resources", "-", "-v"].iter().chain(arguments);
    let words: Vec<String> = words.map(ToString::to_string).collect();
    run_with_input(&std::env::temp_dir(), &words, text.as_bytes()).stdout
}

#[test]
fn a_blank_line_in_a_table_is_removed_and_no_row_is_written_twice() {
    let folder = Folder::with_tree();
    let readme = ACME_README;
    let right = folder.read(readme);
    let row = right.lines().position(|line| line.contains(NAME)).unwrap();
    let mut lines: Vec<&str> = right.lines().collect();
    lines.insert(row, "");
    folder.file(readme, lines.join("\n") + "\n");
    let found = messages(&folder, "check");
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(
        found[0].starts_with("readme/row-missing: ")
            && found[0].ends_with("; join this line to the table")
    );
    assert!(found[1].starts_with("readme/stray-row: "));
    folder.run("check --fix");
    assert_eq!(folder.read(readme), right);
}

#[test]
fn accepts_rows_that_link_to_the_expected_path() {
    for place in [
        "sub/standard-v2.14.0-default-report.yaml",
        "standard-v2.14.0-default-report.yml",
    ] {
        let folder = Folder::with_tree();
        let right = folder.path().join(ACME).join(NAME);
        let wrong = folder.path().join(ACME).join(place);
        fs::create_dir_all(wrong.parent().unwrap()).unwrap();
        fs::rename(&right, &wrong).unwrap();
        assert_eq!(
            messages(&folder, "check --select readme"),
            [""; 0],
            "{place}"
        );
        let readme = fs::read(folder.path().join(ACME).join("README.md")).unwrap();
        let found = messages(&folder, "check --fix");
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!(
            fs::read(folder.path().join(ACME).join("README.md")).unwrap(),
            readme
        );
        fs::rename(&wrong, &right).unwrap();
        assert_eq!(messages(&folder, "check"), [""; 0], "{place}");
    }
}

#[test]
fn a_misnamed_report_is_one_finding() {
    for wrong in [
        "standard-2.14.0-report.yaml",
        "v2.14.0-report.yaml",
        "Standard-v2.14.0-default-report.yaml",
    ] {
        let folder = Folder::with_tree();
        folder.rename(ACME_REPORT, &format!("{ACME}/{wrong}"));
        let found = messages(&folder, "check");
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(
            found[0].ends_with(&format!("rename `{wrong}` to `{NAME}`")),
            "{found:#?}"
        );
    }
}

#[test]
fn a_misnamed_report_that_another_readme_links_to_keeps_its_name() {
    let folder = Folder::with_tree();
    let wrong = format!("{ACME}/standard-2.14.0-report.yaml");
    folder.rename(ACME_REPORT, &wrong);
    let other = "conformance/reports/v1.4.0/other-operator";
    let text = "# Other\n\nAs [theirs](../../v1.5/acme-operator/standard-2.14.0-report.yaml).\n";
    folder.file(&format!("{other}/README.md"), text);
    for flag in ["--fix", "--unsafe-fixes"] {
        let output = folder.run(&format!("check {flag}"));
        output.stderr_has("not renamed");
        assert!(folder.exists(&wrong));
    }
}

#[test]
fn a_misnamed_readme_is_one_finding() {
    for name in ["readme.md", "README", "README.txt"] {
        let folder = Folder::with_tree();
        folder.rename(ACME_README, &format!("{ACME}/{name}"));
        let found = messages(&folder, "check");
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(
            found[0].starts_with("tree/readme-missing: ")
                && found[0].ends_with("; rename it to `README.md`"),
            "{found:#?}"
        );
    }
    let folder = Folder::with_tree();
    folder.file(&format!("{ACME}/readme.txt"), "text");
    let found = messages(&folder, "check");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with("tree/stray-file: "), "{found:#?}");
}

#[test]
fn a_name_with_spaces_is_suggested_as_a_link_has_it() {
    let folder = Folder::with_tree();
    let spaced = "standard v2.14.0 default report.yaml";
    folder.rename(ACME_REPORT, &format!("{ACME}/{spaced}"));
    // With the expected file name in the link, the advice would be to rename the file.
    let readme = ACME_README;
    let linked = "standard_v2.14.0-default-report.yaml";
    let text = folder.read(readme).replace(NAME, linked);
    folder.file(readme, &text);
    let found = messages(&folder, "check --select readme/row-without-report");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].ends_with(&format!("did you mean `<./{spaced}>`?")),
        "{found:#?}"
    );
    let text = text.replace(&format!("./{linked}"), &format!("<./{spaced}>"));
    folder.file(readme, text);
    assert!(messages(&folder, "check --select readme").is_empty());
}

#[test]
fn a_mode_that_no_file_name_can_hold_is_named() {
    for (mode, is_named) in [
        ("with the lot", true),
        ("a/b", true),
        ("with-the-lot", false),
        ("<mode>", false),
        ("", false),
    ] {
        let folder = Folder::with_tree();
        let text = report().replace("mode: default", &format!("mode: \"{mode}\""));
        folder.file(ACME_REPORT, text);
        let found = messages(&folder, "check --select tree/file-name");
        let named = format!("tree/file-name: mode `{mode}` cannot be part of a file name; ");
        assert_eq!(
            found.iter().any(|one| one.starts_with(&named)),
            is_named,
            "{found:#?}"
        );
    }
}

#[test]
fn the_release_of_a_folder_is_not_named_as_that_of_the_report() {
    let folder = Folder::new();
    folder.submission("conformance/reports/v1.9/acme-operator");
    let found = messages(&folder, "check --select report");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].contains("v1.5.1") && found[0].contains("its folder"),
        "{found:#?}"
    );
}

#[test]
fn a_profile_that_the_release_has_not_is_one_finding() {
    let folder = Folder::with_tree();
    let text = SAMPLE.replace("name: GATEWAY-TLS", "name: GATEWAY-TCP");
    assert_ne!(text, SAMPLE);
    folder.file(ACME_REPORT, text);
    let found = messages(&folder, "check --select report");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with("report/unknown-profile: "));
}

#[test]
fn diff_rejects_files_that_are_no_report() {
    let folder = Folder::with_tree();
    folder
        .file("empty.yaml", " \n")
        .file("other.yaml", "hello: 1\n");
    for (file, expected) in [
        (format!("{ACME}/README.md"), "not a ConformanceReport"),
        ("other.yaml".to_owned(), "not a ConformanceReport"),
        ("empty.yaml".to_owned(), "the file is empty"),
    ] {
        let output = folder.run(&format!("diff {file} {ACME}/{NAME}"));
        assert!(
            output.stderr.contains(expected),
            "{file}: {}",
            output.stderr
        );
    }
}

#[test]
fn an_unknown_patch_that_is_asked_for_is_the_one_that_is_expected() {
    let newer = GOOD.replace("bundle-version: v1.6.1", "bundle-version: v1.6.9");
    let same = resources(&newer, &["--release", "v1.6.9"]);
    assert!(!same.contains("resource/crd-version"), "{same}");
    assert!(same.contains("below v1.6.9, given by --release"), "{same}");
    let other = resources(GOOD, &["--release", "v1.6.9"]);
    assert!(
        other.contains("the CRDs belong to v1.6.1; expected v1.6.9"),
        "{other}"
    );
}

#[test]
fn crds_of_a_prerelease_are_compared_with_the_release_that_is_out() {
    let earlier = GOOD.replace("bundle-version: v1.6.1", "bundle-version: v1.6.1-rc.1");
    let found = resources(&earlier, &[]);
    assert!(
        found.contains("`v1.6.1-rc.1` is a prerelease; compared with v1.6.1"),
        "{found}"
    );
    let future = GOOD.replace("bundle-version: v1.6.1", "bundle-version: v9.0.0-rc.1");
    assert!(resources(&future, &[]).contains("newer than all known releases"));
}

#[test]
fn an_object_that_is_given_twice_counts_once() {
    let once = resources(GOOD, &[]);
    let twice = resources(&format!("{GOOD}\n---\n{GOOD}"), &[]);
    let passed_over =
        "not checked: <stdin>: 40 objects of the same kind and name as others in the input\n";
    assert!(twice.contains(passed_over), "{twice}");
    assert_eq!(twice.replace(passed_over, ""), once);
}

#[test]
fn the_copy_with_a_status_counts() {
    let folder = Folder::new();
    let class = "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata: {name: acme, generation: 1}\nspec: {controllerName: acme.example/gw}\n";
    let status = "status:\n  conditions:\n  - {type: Accepted, status: \"True\", reason: Accepted, message: \"\", observedGeneration: 1, lastTransitionTime: \"2026-01-01T00:00:00Z\"}\n";
    let in_order = |texts: [String; 2]| {
        folder
            .file("in/a.yaml", &texts[0])
            .file("in/b.yaml", &texts[1]);
        run(folder.path(), &["resources".to_owned(), "in".to_owned()]).stdout
    };
    let (plain, live) = (class.to_owned(), format!("{class}{status}"));
    let first = in_order([plain.clone(), live.clone()]);
    let second = in_order([live, plain]).replace("in/a.yaml", "in/b.yaml");
    assert_eq!(first, second);
    assert!(!first.contains("no conditions"), "{first}");
}

#[test]
fn a_missing_permission_is_one_finding() {
    let text = GOOD.replace("reason: RefNotPermitted", "reason: BackendNotFound");
    let found = resources(&text, &[]);
    assert!(
        found.contains("resource/reference-not-permitted"),
        "{found}"
    );
    assert!(!found.contains("resource/backend-not-found"), "{found}");
}

#[test]
fn a_generation_in_quotes_is_there_and_no_number() {
    let text = GOOD.replacen("observedGeneration: 1", "observedGeneration: \"1\"", 1);
    let found = resources(&text, &["--select", "resource/observed-generation"]);
    assert!(found.contains("not a number"), "{found}");
    assert!(!found.contains("has no `observedGeneration`"), "{found}");
}

fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2], mark: bool) -> Vec<u8> {
    let mark = mark.then_some(0xfeff);
    let units = mark.into_iter().chain(text.encode_utf16());
    units.flat_map(bytes).collect()
}

#[test]
fn names_the_type_of_files_that_are_not_yaml() {
    let log = "go: downloading k8s.io/api v0.35.0\n=== RUN   TestConformance\n--- PASS: TestConformance (1.00s)\n";
    let event =
        "{\"Time\":\"2026-03-20T10:15:30Z\",\"Action\":\"run\",\"Test\":\"TestConformance\"}\n";
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n";
    let colored = report().replace('\n', "\u{1b}[0m\n\u{1b}[32m");
    let logged = log.to_owned() + &report();
    let files: [(&str, Vec<u8>); 17] = [
        ("a ZIP archive", b"PK\x03\x04\x14\0\0\0\x08\0".to_vec()),
        ("a gzip file", b"\x1f\x8b\x08\0\0\0\0\0\0\x03".to_vec()),
        ("a log", log.into()),
        ("a log", logged.into()),
        ("a log", event.into()),
        ("a log", b"<?xml version=\"1.0\"?>\n<testsuites>\n".to_vec()),
        (
            "a log",
            log.replace("=== ", "2026-03-20T10:15:30.1Z === ").into(),
        ),
        (
            "a web page",
            b"\n<!DOCTYPE html>\n<html lang=en>\na: b".to_vec(),
        ),
        ("a Git LFS pointer", pointer.into()),
        ("terminal colors", format!("\u{1b}[32m{colored}").into()),
        (
            "Markdown",
            b"# Acme\n\n## Table of contents\n\n| a: b |\n".to_vec(),
        ),
        ("Markdown", format!("```yaml\n{}```\n", report()).into()),
        ("UTF-16", utf_16(&report(), u16::to_le_bytes, true)),
        ("UTF-16", utf_16(&report(), u16::to_be_bytes, true)),
        ("UTF-16", utf_16(&report(), u16::to_le_bytes, false)),
        ("UTF-16", utf_16(&report(), u16::to_be_bytes, false)),
        ("empty", Vec::new()),
    ];
    for (name, bytes) in files {
        let folder = Folder::with_tree();
        folder.file("lone.yaml", &bytes);
        let lone = messages(&folder, "check lone.yaml");
        assert!(
            lone.len() == 1 && lone[0].contains(name),
            "{name}: {lone:#?}"
        );
        let added = folder.run("add lone.yaml");
        assert_eq!(added.code, 1, "{name}");
        assert_eq!(added.stderr.matches("error[").count(), 1, "{added:?}");
        assert!(added.stderr.contains(name), "{name}: {added:?}");
    }
}

#[test]
fn a_report_behind_a_comment_is_not_another_file() {
    let folder = Folder::with_tree();
    for start in [
        "# Acme\n# === results: all\n\n",
        "\u{feff}",
        "---\n",
        "# a\n---\n",
    ] {
        folder.file("lone.yaml", start.to_owned() + &report());
        let found = messages(&folder, "check lone.yaml --severity error");
        assert_eq!(found, [""; 0], "{start:?}");
    }
}

#[test]
fn a_comment_does_not_make_a_report_a_log() {
    let folder = Folder::with_tree();
    let path = format!("conformance/reports/v1.5/acme-operator/{NAME}");
    folder.file(&path, format!("# === RUN   TestConformance\n{}", report()));
    assert_eq!(folder.findings("check --select text,yaml"), [""; 0]);
}
