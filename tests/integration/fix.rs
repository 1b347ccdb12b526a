//! Tests `gwconform check --fix`, `--unsafe-fixes` and `--diff`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, NAME, README, files, report};
use crate::support::kill::kill_often;
use crate::support::{page, run, words_of};
use gwconform::rules::{self, Fixes};
use serde_json::Value;

const KEPT: &str = "\
# Acme operator

## Reports

| Notes | Report                                           | Mode | Implementation version                           | API channel  |
|-------|--------------------------------------------------|------|--------------------------------------------------|--------------|
| a\\|b  | [link](./standard-v2.13.0-default-report.yaml)   | x    | [2.13](https://acme.example/releases/v2.13.0)    | Standard     |

## Reproduce

Run `make conformance`.";

const MENDED: &str = "\
# Acme operator

## Table of contents

| Notes | Report                                           | Mode | Implementation version                           | API channel  |
|-------|--------------------------------------------------|------|--------------------------------------------------|--------------|
| a\\|b  | [link](./standard-v2.13.0-default-report.yaml)   | default | [v2.13.0](https://acme.example/releases/v2.13.0) | standard     |
|       | [v2.14.0 report](./standard-v2.14.0-default-report.yaml) | default | [v2.14.0](https://acme.example/releases/v2.14.0) | standard     |

## Reproduce

Run `make conformance`.
";

fn kept() -> Folder {
    let folder = Folder::with_tree();
    let older = report()
        .replace("v2.14.0", "v2.13.0")
        .replace("10:15:30", "09:15:30");
    folder.file(ACME_README, KEPT).file(
        &format!("{ACME}/standard-v2.13.0-default-report.yaml"),
        older,
    );
    folder
}

fn reports(files: &BTreeMap<String, Vec<u8>>) -> Vec<&Vec<u8>> {
    let reports = files.iter().filter(|(path, _)| path.ends_with(".yaml"));
    let mut reports: Vec<_> = reports.map(|(_, bytes)| bytes).collect();
    reports.sort();
    reports
}

#[test]
fn keeps_the_formatting_of_a_readme() {
    let folder = kept();
    let output = folder.run("check --fix");
    assert_eq!(
        output.stdout,
        "no findings in 2 reports of 1 submission (1 release)\n"
    );
    assert_eq!(
        output.stderr,
        "fixed 5 findings with 1 change: 1 readme/row-missing, 1 readme/row-mode, 1 readme/row-spelling, 1 readme/table-heading, 1 text/final-newline\n"
    );
    assert_eq!(output.code, 0);
    assert_eq!(folder.read(ACME_README), MENDED);
    let again = folder.run("check --fix");
    assert_eq!((again.stderr.as_str(), again.code), ("", 0));
    assert_eq!(folder.read(ACME_README), MENDED);
}

#[test]
fn diff_shows_changes_without_writing_them() {
    let folder = kept();
    let before = files(folder.path());
    let output = folder.run("check --diff");
    assert_eq!((output.stderr.as_str(), output.code), ("", 1));
    assert_eq!(files(folder.path()), before);
    assert_eq!(
        output.stdout.lines().next(),
        Some(
            "diff --git a/conformance/reports/v1.5/acme-operator/README.md b/conformance/reports/v1.5/acme-operator/README.md"
        )
    );
    apply_with_git(folder.path(), &output.stdout);
    assert_eq!(folder.read(ACME_README), MENDED);
    let nothing = folder.run("check --diff");
    assert_eq!((nothing.stdout.as_str(), nothing.code), ("", 0));
}

fn apply_with_git(folder: &Path, diff: &str) {
    let git = |arguments: &[&str]| {
        let status = Command::new("git")
            .args(arguments)
            .current_dir(folder)
            .status();
        assert!(status.unwrap().success(), "{arguments:?}\n{diff}");
    };
    git(&["init", "--quiet"]);
    fs::write(folder.join("change.diff"), diff).unwrap();
    git(&["apply", "--whitespace=nowarn", "change.diff"]);
    fs::remove_file(folder.join("change.diff")).unwrap();
}

#[test]
fn a_report_is_renamed_together_with_its_links_and_stays_what_it_is() {
    let folder = Folder::with_tree();
    let [old, new] = ["v2.14.0-report.yaml", NAME].map(|name| format!("{ACME}/{name}"));
    folder.rename(&new, &old);
    let readme = README.replace(NAME, "v2.14.0-report.yaml")
        + "\n[The report](v2.14.0-report.yaml#top) and [again].\n\n[again]: ./v2.14.0-report.yaml\n";
    folder.file(ACME_README, &readme);
    assert_eq!(folder.run("check --fix").stderr, "");
    let diff = folder.run("check --unsafe-fixes --diff").stdout;
    assert!(
        diff.ends_with(&format!(
            "diff --git a/{old} b/{new}\nsimilarity index 100%\nrename from {old}\nrename to {new}\n"
        )),
        "{diff}"
    );
    let output = folder.run("check --unsafe-fixes");
    assert_eq!(
        output.stdout,
        "no findings in 1 report of 1 submission (1 release)\n"
    );
    assert_eq!(
        output.stderr,
        "fixed 1 finding with 2 changes: 1 tree/file-name\n"
    );
    let now = files(folder.path());
    assert_eq!(now[&new], report().as_bytes());
    assert!(!now.contains_key(&old));
    assert_eq!(
        folder.read(ACME_README),
        readme.replace("v2.14.0-report.yaml", NAME)
    );
}

#[test]
fn a_readme_that_is_not_all_text_is_left_alone_when_a_report_is_renamed() {
    let folder = Folder::with_tree();
    let [old, new] = ["v2.14.0-report.yaml", NAME].map(|name| folder.path().join(ACME).join(name));
    fs::rename(&new, &old).unwrap();
    let readme = folder.path().join(ACME).join("README.md");
    fs::write(&readme, b"\xff\xff").unwrap();
    folder.run("check --unsafe-fixes");
    assert!(new.exists() && !old.exists());
    assert_eq!(fs::read(&readme).unwrap(), b"\xff\xff");
}

#[test]
fn avoids_existing_and_planned_names() {
    let folder = Folder::with_tree();
    let a = report().replace("2026-05-20", "2026-05-21");
    let b = report().replace("2026-05-20", "2026-05-22");
    let other = report().replace("v2.14.0", "v2.15.0");
    folder.remove(ACME_REPORT);
    folder
        .file(&format!("{ACME}/a.yaml"), a)
        .file(&format!("{ACME}/b.yaml"), b)
        .file(&format!("{ACME}/c.yaml"), other)
        .file(
            &format!("{ACME}/Standard-V2.15.0-default-report.yaml/x.sh"),
            "",
        );
    let before = files(folder.path());
    let output = folder.run("check --unsafe-fixes --select tree/file-name");
    assert_eq!(output.code, 3, "{output:?}");
    output.stderr_has("no changes made in conformance/reports/v1.5/acme-operator: ");
    output.stderr_has("Standard-V2.15.0-default-report.yaml already exists");
    assert_eq!(files(folder.path()), before);
}

#[test]
fn a_fix_that_would_add_a_finding_is_not_made_and_named() {
    // Without a link, the row would no longer match its renamed report.
    let folder = Folder::with_tree();
    let bad = "v2.14.0-report.yaml";
    fs::rename(
        folder.path().join(ACME).join(NAME),
        folder.path().join(ACME).join(bad),
    )
    .unwrap();
    let readme = README.replace(&format!("[v2.14.0 report](./{NAME})"), bad);
    folder.file(ACME_README, &readme);
    let output = folder.run("check --unsafe-fixes --select tree/file-name");
    assert_eq!(
        output.stderr,
        format!(
            "not fixed: {ACME}/{bad}: tree/file-name: it would add a finding of readme/row-without-report\n"
        )
    );
    assert_eq!(folder.read(ACME_README), readme);
    // All fixes together create the link first, so both succeed.
    let output = folder.run("check --unsafe-fixes");
    assert_eq!(
        (output.stdout.lines().count(), output.code),
        (1, 0),
        "{output:?}"
    );
}

#[test]
fn fixes_only_selected_findings() {
    let folder = kept();
    let output = folder.run("check --fix --select text");
    assert_eq!(
        output.stderr,
        "fixed 1 finding with 1 change: 1 text/final-newline\n"
    );
    folder.file(
        "gwconform.toml",
        "[[ignore]]\nrule = \"readme/row-mode\"\npath = \"**\"\nreason = \"ours\"\n[rules]\n\"readme/table-heading\" = \"off\"\n",
    );
    let output = folder.run("check --fix");
    assert_eq!(output.code, 0);
    let readme = folder.read(ACME_README);
    assert!(
        readme.contains("## Reports") && readme.contains("| x    |"),
        "{readme}"
    );
}

#[cfg(unix)]
#[test]
fn nothing_outside_of_the_tree_is_written_through_a_link() {
    let folder = Folder::with_tree();
    let outside = README.trim_end();
    folder.file("outside/README.md", outside);
    folder.file("outside/bad-operator/README.md", outside);
    folder.file(&format!("outside/bad-operator/{NAME}"), report());
    let readme = ACME_README;
    folder.remove(readme);
    folder.link(ACME_README, "../../../../outside/README.md");
    folder.link(
        "conformance/reports/v1.5/bad-operator",
        "../../../outside/bad-operator",
    );
    let before = files(folder.path());
    folder.run("check --unsafe-fixes");
    folder.run("check --unsafe-fixes conformance/reports/v1.5/bad-operator");
    assert_eq!(files(folder.path()), before);
}

#[cfg(unix)]
#[test]
fn a_file_keeps_its_permissions_and_no_other_is_left() {
    use std::os::unix::fs::PermissionsExt;
    let folder = kept();
    let readme = folder.path().join(ACME).join("README.md");
    fs::set_permissions(&readme, fs::Permissions::from_mode(0o640)).unwrap();
    let names: Vec<String> = files(folder.path()).into_keys().collect();
    folder.run("check --fix");
    let mode = fs::metadata(&readme).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
    assert_eq!(files(folder.path()).into_keys().collect::<Vec<_>>(), names);
}

#[test]
fn a_readme_alone_is_fixed_as_far_as_its_text_allows() {
    let folder = Folder::new();
    folder.file("README.md", README.trim_end().replace('\n', "\r\n"));
    let output = folder.run("check README.md --fix");
    assert_eq!(
        output.stderr,
        "fixed 2 findings with 1 change: 1 text/final-newline, 1 text/line-endings\n"
    );
    assert_eq!(folder.read("README.md"), README);
}

#[test]
fn rejects_options_that_exclude_each_other() {
    let folder = Folder::with_tree();
    for arguments in ["check - --fix", "check --diff --format json"] {
        let output = folder.run(arguments);
        assert_eq!(
            (output.stdout.as_str(), output.code),
            ("", 2),
            "{arguments}"
        );
    }
}

#[test]
fn json_output_names_what_a_fix_changes() {
    let folder = kept();
    let json = folder.json("check --select text/final-newline");
    assert_eq!(
        json["findings"][0]["fix"],
        serde_json::json!({
            "safe": true,
            "title": "end the file with a newline",
            "edits": [{
                "kind": "replace",
                "path": format!("{ACME}/README.md"),
                "line": 11,
                "column": 24,
                "end_line": 11,
                "end_column": 24,
                "text": "\n",
                "to": null,
                "sha256": gwconform_base::text::source::Digest::new(KEPT.as_bytes()).to_string(),
            }],
        })
    );
}

/// Fixes without an example on a rule page: rule, whether the fix is safe, row before, and row
/// after.
const MORE: [(&str, bool, &str, &str); 10] = [
    (
        "readme/row-value",
        true,
        "| | [v2.14.0](https://acme.example/v2.14.0) | default | [v2.14.0 report](./NAME) |",
        "| standard | [v2.14.0](https://acme.example/v2.14.0) | default | [v2.14.0 report](./NAME) |",
    ),
    (
        "readme/row-mode",
        true,
        "| standard | [v2.14.0](https://acme.example/v2.14.0) |      | [v2.14.0 report](./NAME) |",
        "| standard | [v2.14.0](https://acme.example/v2.14.0) | default | [v2.14.0 report](./NAME) |",
    ),
    (
        "readme/row-repeated",
        true,
        "|standard|[v2.14.0](https://acme.example/v2.14.0)|default|[v2.14.0 report](./NAME)|\n|standard|[v2.14.0](https://acme.example/v2.14.0)|default|[v2.14.0 report](./NAME)|",
        "|standard|[v2.14.0](https://acme.example/v2.14.0)|default|[v2.14.0 report](./NAME)|",
    ),
    (
        "readme/row-spelling",
        false,
        "| standard | [v2.14.0 (LTS)](https://acme.example/v2.14.0) | default | [v2.14.0 report](./NAME) |",
        "| standard | [v2.14.0](https://acme.example/v2.14.0) | default | [v2.14.0 report](./NAME) |",
    ),
    (
        "readme/row-link",
        true,
        "| standard | [v2.14.0](https://acme.example/v2.14.0) | default | ./NAME |",
        "| standard | [v2.14.0](https://acme.example/v2.14.0) | default | [v2.14.0 report](./NAME) |",
    ),
    (
        "readme/row-value",
        false,
        "| standard | | default | [v2.14.0 report](./NAME) |",
        "| standard | [v2.14.0](https://github.com/acme/operator/releases/tag/v2.14.0) | default | [v2.14.0 report](./NAME) |",
    ),
    (
        "readme/row-value",
        true,
        "| standard | [v2.13.0](https://acme.example/v2.13.0) | default | [v2.13.0 report](./old.yaml) |\n| standard | | default | [v2.14.0 report](./NAME) |",
        "| standard | [v2.13.0](https://acme.example/v2.13.0) | default | [v2.13.0 report](./old.yaml) |\n| standard | [v2.14.0](https://acme.example/v2.14.0) | default | [v2.14.0 report](./NAME) |",
    ),
    (
        "readme/row-link",
        false,
        "|standard|v2.14.0|default|[v2.14.0 report](./NAME)|",
        "|standard|[v2.14.0](https://github.com/acme/operator/releases/tag/v2.14.0)|default|[v2.14.0 report](./NAME)|",
    ),
    (
        "readme/row-link",
        true,
        "| standard | [v2.14.0] (https://acme.example/v2.14.0) | default | [v2.14.0 report](./NAME) |",
        "| standard | [v2.14.0](https://acme.example/v2.14.0) | default | [v2.14.0 report](./NAME) |",
    ),
    (
        "readme/row-without-report",
        true,
        "| standard | [v2.14.0](https://acme.example/v2.14.0) | default | [v2.14.0 report](https://acme.example/reports/NAME) |",
        "| standard | [v2.14.0](https://acme.example/v2.14.0) | default | [v2.14.0 report](./NAME) |",
    ),
];

const TABLE: &str = "\
| API channel | Implementation version | Mode | Report |
|-------------|------------------------|------|--------|
| standard | [v2.14.0](https://acme.example/releases/v2.14.0) | default | [v2.14.0 report](./standard-v2.14.0-default-report.yaml) |

";

const SECTION: &str = "\
## Table of contents

| API channel | Implementation version | Mode | Report |
|-------------|------------------------|------|--------|
| standard | [v2.14.0](https://acme.example/releases/v2.14.0) | default | [v2.14.0 report](./standard-v2.14.0-default-report.yaml) |

";

const MORE_TEXTS: [(&str, &str, &str); 8] = [
    ("readme/table-missing", TABLE, ""),
    ("readme/table-missing", SECTION, ""),
    ("readme/title-missing", "# Acme operator\n\n", ""),
    ("readme/title-missing", "# Acme operator\n", "#\n"),
    ("text/byte-order-mark", "# Acme", "\u{feff}# Acme"),
    (
        "text/final-newline",
        "Run `make conformance`.\n",
        "Run `make conformance`.",
    ),
    ("readme/reproduce-missing", "## Reproduce", "##Reproduce"),
    ("readme/table-heading", "## Table of contents\n\n", ""),
];

fn with_report_on_github(name: &str, readme: &str) -> Folder {
    let folder = Folder::with_tree();
    let report = report().replace("https://acme.example", "https://github.com/acme/operator");
    folder.remove(ACME_REPORT);
    folder
        .file(ACME_README, readme)
        .file(&format!("{ACME}/{name}"), report);
    folder
}

#[test]
fn each_kind_of_fix_writes_what_a_person_would() {
    let row = README
        .lines()
        .find(|line| line.starts_with("| standard"))
        .unwrap();
    for (rule, is_safe, before, after) in MORE {
        let [before, after] =
            [before, after].map(|rows| README.replace(row, &rows.replace("NAME", NAME)));
        let folder = with_report_on_github(NAME, &before);
        let json = folder.json(&format!("check --select {rule}"));
        assert_eq!(
            json["findings"][0]["fix"]["safe"], is_safe,
            "{rule}: {json:#}"
        );
        let flag = if is_safe { "--fix" } else { "--unsafe-fixes" };
        let output = folder.run(&format!("check {flag} --select {rule}"));
        assert_eq!(folder.read(ACME_README), after, "{output:?}");
        assert!(output.stdout.starts_with("no findings"), "{output:?}");
    }
    for (rule, right, wrong) in MORE_TEXTS {
        let readme = README.replace(right, wrong);
        let folder = with_report_on_github(NAME, &readme);
        // The fix derives the page URL from the repository, so a person must check it.
        let flag = match rule {
            "readme/table-missing" => "--unsafe-fixes",
            _ => "--fix",
        };
        if flag == "--unsafe-fixes" {
            folder.run(&format!("check --fix --select {rule}"));
            let path = format!("{ACME}/README.md");
            assert_eq!(folder.read(&path), readme, "{rule}");
        }
        let output = folder.run(&format!("check {flag} --select {rule}"));
        assert!(output.stdout.starts_with("no findings"), "{output:?}");
        let fixed = folder.read(ACME_README);
        match rule {
            "readme/title-missing" => {
                assert_eq!(fixed, README.replace("# Acme operator", "# operator"))
            }
            "readme/table-missing" => assert_eq!(
                fixed,
                README.replace(
                    "acme.example/releases/",
                    "github.com/acme/operator/releases/tag/"
                )
            ),
            _ => assert_eq!(fixed, README),
        }
    }
    let experimental = README
        .replace("| standard", "| experimental")
        .replace(NAME, "a.yaml");
    let folder = with_report_on_github("a.yaml", &experimental);
    let json = folder.json("check --select readme/row-value");
    assert_eq!(json["findings"][0]["fix"]["safe"], false, "{json:#}");
    let folder = with_report_on_github(NAME, &README.replace("| default |", "| expressions |"));
    let path = format!("{ACME}/{NAME}");
    folder.file(&path, report().replace("mode: default", "mode: hybrid"));
    let json = folder.json("check --select readme/row-mode");
    assert_eq!(json["findings"][0]["fix"]["safe"], false, "{json:#}");
    let folder = with_report_on_github(NAME, &README.replace(&format!("{row}\n"), ""));
    let json = folder.json("check --select readme/row-missing");
    assert_eq!(json["findings"][0]["fix"]["safe"], false, "{json:#}");
    let other = README
        .replace("v2.14.0", "v2.13.0")
        .replace("standard-v2.13.0", "standard-v2.14.0");
    let folder = with_report_on_github(NAME, &other);
    assert_eq!(folder.run("check --fix").stderr, "");
    folder.run("check --unsafe-fixes");
    assert_eq!(folder.read(ACME_README), README);
}

const ALSO_UNSAFE: [&str; 2] = ["readme/row-missing", "readme/row-mode"];

#[test]
fn each_rule_offers_the_fixes_that_it_declares() {
    let mut untrue = Vec::new();
    for rule in rules::ALL.iter() {
        let mut offered: BTreeSet<bool> = MORE
            .iter()
            .filter(|(id, ..)| *id == rule.id)
            .map(|(_, is_safe, ..)| *is_safe)
            .chain(
                MORE_TEXTS
                    .iter()
                    .filter(|(id, ..)| *id == rule.id)
                    .map(|(id, ..)| *id != "readme/table-missing"),
            )
            .collect();
        if ALSO_UNSAFE.contains(&rule.id) {
            offered.insert(false);
        }
        for (example, output) in page::examples_with_json(rule) {
            let Ok(json) = serde_json::from_str::<Value>(&output.stdout) else {
                continue;
            };
            let findings = json["findings"].as_array().unwrap().iter();
            let own = findings.filter(|finding| finding["rule"] == rule.id);
            let fixes: Vec<bool> = own
                .filter_map(|finding| finding["fix"]["safe"].as_bool())
                .collect();
            if fixes.is_empty() {
                continue;
            }
            offered.extend(fixes);
            let folder = tempfile::tempdir().unwrap();
            page::write_files(folder.path(), example);
            let before = files(folder.path());
            let mut arguments = page::as_json(example);
            arguments.push("--unsafe-fixes".to_owned());
            run(folder.path(), &arguments);
            let after = files(folder.path());
            assert_eq!(reports(&before), reports(&after), "{}", rule.id);
            let again = run(folder.path(), &arguments);
            assert!(!again.stderr.contains("fixed "), "{}: {again:?}", rule.id);
            assert_eq!(files(folder.path()), after, "{}", rule.id);
        }
        let declared = match rule.fixes {
            None => BTreeSet::new(),
            Some(Fixes::Safe) => BTreeSet::from([true]),
            Some(Fixes::Unsafe) => BTreeSet::from([false]),
            Some(Fixes::SafeOrUnsafe) => BTreeSet::from([false, true]),
        };
        if offered != declared {
            untrue.push((rule.id, rule.fixes, offered));
        }
    }
    assert!(untrue.is_empty(), "{untrue:#?}");
}

#[test]
fn the_real_tree_is_fixed_and_its_reports_stay() {
    let Some(corpus) = crate::support::corpus() else {
        return;
    };
    let folder = Folder::new();
    let real = corpus.join("gateway-api/conformance/reports");
    let copied = Command::new("cp")
        .arg("-R")
        .arg(&real)
        .arg(folder.path().join("reports"))
        .status();
    assert!(copied.unwrap().success());
    let counts = |folder: &Folder| {
        let json = folder.json("check");
        let mut counts = BTreeMap::new();
        for finding in json["findings"].as_array().unwrap() {
            *counts
                .entry(finding["rule"].as_str().unwrap().to_owned())
                .or_insert(0) += 1;
        }
        counts
    };
    let original = files(folder.path());
    let mut before = counts(&folder);
    for flag in ["--fix", "--unsafe-fixes"] {
        folder.run(&format!("check {flag}"));
        let after = counts(&folder);
        for (rule, count) in &after {
            assert!(
                before.get(rule).is_some_and(|before| count <= before),
                "{rule}"
            );
        }
        let now = files(folder.path());
        assert_eq!(reports(&original), reports(&now));
        let again = folder.run(&format!("check {flag}"));
        assert!(!again.stderr.contains("fixed "), "{}", again.stderr);
        assert_eq!(files(folder.path()), now);
        before = after;
    }
    let left = |rule: &str| before.get(rule).copied().unwrap_or(0);
    assert_eq!(left("readme/row-missing"), 0);
    // The remaining file names need a manual decision, such as those with a mode that differs from
    // the report.
    assert_eq!(
        [left("tree/file-name"), left("tree/file-name-channel")],
        [10, 0]
    );
}

#[test]
fn keeps_names_that_other_submissions_link_to() {
    let folder = Folder::with_tree();
    let wrong = "standard-v2.14.0-report.yaml";
    folder.file(ACME_README, README.replace(NAME, wrong));
    fs::rename(
        folder.path().join(ACME).join(NAME),
        folder.path().join(ACME).join(wrong),
    )
    .unwrap();
    let other = "conformance/reports/v1.4.0/other-operator";
    let text = format!("{README}\nAs [theirs](../../v1.5/acme-operator/{wrong}).\n");
    folder.file(&format!("{other}/README.md"), text);
    folder.file(
        &format!("{other}/{NAME}"),
        report()
            .replace("organization: acme", "organization: other")
            .replace("v1.5.1", "v1.4.0"),
    );
    let output = folder.run("check --unsafe-fixes --select tree/file-name");
    output.stderr_has(&format!("{ACME}/{wrong}: not renamed"));
    assert!(folder.path().join(ACME).join(wrong).is_file());
    folder.file(&format!("{other}/README.md"), README);
    folder.run("check --unsafe-fixes --select tree/file-name");
    assert!(folder.path().join(ACME).join(NAME).is_file());
}

fn misnamed() -> Folder {
    let folder = Folder::with_tree();
    folder.remove(ACME_REPORT);
    let right = |minor: usize| format!("standard-v2.{minor}.0-default-report.yaml");
    let names = [
        (10, "a-report.yaml".to_owned()),
        (11, right(12)),
        (12, right(13)),
        (13, "b-report.yaml".to_owned()),
        (14, right(15)),
        (15, right(14)),
        (16, right(17)),
        (17, right(18)),
        (18, right(16)),
    ];
    let mut rows = String::new();
    for (minor, name) in &names {
        let text = report().replace("v2.14.0", &format!("v2.{minor}.0"));
        // Reports with the same date would be copies of one run.
        let text = text.replace("T10:15:30Z", &format!("T10:{minor}:30Z"));
        folder.file(&format!("{ACME}/{name}"), text);
        if minor % 3 != 0 {
            rows += &format!(
                "| standard | [v2.{minor}.0](https://acme.example/releases/v2.{minor}.0) | default | [v2.{minor}.0 report](./{name}) |\n"
            );
        }
    }
    let row = README.lines().find(|line| line.starts_with("| standard"));
    let readme = README.replace(&format!("{}\n", row.unwrap()), &rows);
    folder.file(ACME_README, readme);
    folder
}

#[test]
fn renames_reports_to_names_that_others_leave() {
    let folder = misnamed();
    let before = files(folder.path());
    let diff = folder.run("check --unsafe-fixes --diff");
    let output = folder.run("check --unsafe-fixes");
    assert_eq!(
        output.stdout, "no findings in 9 reports of 1 submission (1 release)\n",
        "{}",
        output.stderr
    );
    let after = files(folder.path());
    assert_eq!(reports(&after), reports(&before));
    for minor in 10..19 {
        let name = format!("{ACME}/standard-v2.{minor}.0-default-report.yaml");
        let text = String::from_utf8(after[&name].clone()).unwrap();
        assert!(text.contains(&format!("version: v2.{minor}.0")), "{name}");
        let readme = text_of(&after, ACME_README);
        assert_eq!(readme.matches(&format!("v2.{minor}.0-default")).count(), 1);
    }
    let other = misnamed();
    apply_with_git(other.path(), &diff.stdout);
    assert_eq!(files(other.path()), after);
}

fn text_of(files: &BTreeMap<String, Vec<u8>>, path: &str) -> String {
    String::from_utf8(files[path].clone()).unwrap()
}

#[test]
fn a_report_that_is_not_all_text_is_renamed_and_keeps_its_bytes() {
    let folder = Folder::with_tree();
    let mut bytes = report().into_bytes();
    bytes.extend(b"# \xff\xfe\n");
    folder.remove(ACME_REPORT);
    folder
        .file(&format!("{ACME}/a-report.yaml"), &bytes)
        .file(ACME_README, README.replace(NAME, "a-report.yaml"));
    let output = folder.run("check --unsafe-fixes");
    assert_eq!(
        output.stderr,
        "fixed 1 finding with 2 changes: 1 tree/file-name\n"
    );
    assert_eq!(output.code, 1, "{}", output.stdout);
    let after = files(folder.path());
    assert_eq!(after[ACME_REPORT], bytes);
    assert_eq!(folder.read(ACME_README), README);
}

#[test]
fn loses_no_report_in_a_kill_and_reports_it_in_the_next_check() {
    let undisturbed = misnamed();
    let before = files(undisturbed.path());
    undisturbed.run("check --unsafe-fixes");
    let expected = files(undisturbed.path());
    let reports = |files: &BTreeMap<String, Vec<u8>>| {
        let reports = files.iter().filter(|(path, _)| path.ends_with(".yaml"));
        reports
            .map(|(_, bytes)| bytes.clone())
            .collect::<BTreeSet<_>>()
    };
    let readme = format!("{ACME}/README.md");
    kill_often(
        12,
        true,
        &["check", "--unsafe-fixes"],
        misnamed,
        Folder::path,
        |folder| {
            let names = fs::read_dir(folder.join(ACME)).unwrap().flatten();
            let mut names = names.map(|entry| entry.file_name().into_string().unwrap());
            names.any(|name| name.starts_with(".gwconform-"))
        },
        |folder, delay| {
            let now = files(folder.path());
            assert_eq!(reports(&now), reports(&before), "{delay:?}");
            assert!(
                [&before[&readme], &expected[&readme]].contains(&&now[&readme]),
                "{delay:?}"
            );
            let check = folder.run("check");
            assert_eq!(check.code == 0, now == expected, "{delay:?}: {check:?}");
            let again = folder.run("check --unsafe-fixes");
            assert!(again.code <= 1, "{delay:?}: {again:?}");
            let now = files(folder.path());
            assert_eq!(reports(&now), reports(&before), "{delay:?}");
        },
    );
}

#[test]
fn names_files_that_a_kill_left() {
    let folder = Folder::with_tree();
    let path = |name: &str| folder.path().join(ACME).join(name);
    fs::rename(path(NAME), path(&format!(".gwconform-{NAME}"))).unwrap();
    fs::write(path(".gwconform-Ab12Cd"), "| half").unwrap();
    let check = words_of(&folder.run("check").stdout);
    for expected in [
        "[tree/stray-file]: unexpected entry `.gwconform-Ab12Cd`".to_owned(),
        format!("[readme/row-without-report]: report `./{NAME}` does not exist"),
        format!("rename `.gwconform-{NAME}` to `{NAME}`"),
    ] {
        assert!(check.contains(&expected), "{check}");
    }
    folder.run("check --unsafe-fixes");
    assert!(path(NAME).exists());
}

#[test]
fn concurrent_runs_end_like_one() {
    let undisturbed = misnamed();
    undisturbed.run("check --unsafe-fixes");
    let expected = files(undisturbed.path());
    for _ in 0..3 {
        let folder = misnamed();
        let start = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_gwconform"));
            command.args(["check", "--unsafe-fixes"]).env_clear();
            let silent = command.stdout(std::process::Stdio::null());
            silent
                .stderr(std::process::Stdio::null())
                .current_dir(folder.path())
                .spawn()
                .unwrap()
        };
        for mut run in [start(), start(), start()] {
            run.wait().unwrap();
        }
        assert_eq!(files(folder.path()), expected);
    }
}

#[test]
fn derives_no_release_page_from_other_texts_than_versions() {
    let page = "https://github.com/acme/operator/releases/tag/";
    let row = "| standard | [v2.14.0](https://acme.example/releases/v2.14.0) | default |";
    let old = |tag: &str| {
        format!("| standard | [{tag}]({page}{tag}) | default | [{tag} report](./old.yaml) |\n")
    };
    for (version, cell, others) in [
        (
            "version-2.14.0",
            format!("[version-2.14.0]({page}2.13.0)"),
            String::new(),
        ),
        (
            "version-2.14.0",
            format!("[2.13.0]({page}2.13.0)"),
            String::new(),
        ),
        ("version-2.14.0", String::new(), old("2.13.0")),
        (
            "vault-2.14.0",
            format!("[vault-2.14.0]({page}v2.13.0)"),
            String::new(),
        ),
        (
            "v2.14.0",
            format!("[v2.14.0]({page}vault-2.13.0)"),
            String::new(),
        ),
        (
            "v2.14.0",
            format!("[v2.14.0]({page}operator-v2.13.0)"),
            String::new(),
        ),
        (
            "vv2.14.0",
            format!("[vv2.14.0]({page}v2.13.0)"),
            String::new(),
        ),
        ("v2.14.0-x", String::new(), old("vault-2.13.0")),
        ("v2.14.0-SNAPSHOT", String::new(), old("v2.13.0")),
        ("v2.14.0-5-gabcdef1-dirty", String::new(), old("v2.13.0")),
        (
            "v0.0.0-20240102030405-abcdefabcdef",
            String::new(),
            old("v2.13.0"),
        ),
    ] {
        let rows = format!("{others}| standard | {cell} | default |");
        let readme = README.replace(row, &rows);
        assert_ne!(readme, README);
        let folder = with_report_on_github(NAME, &readme);
        let path = format!("{ACME}/{NAME}");
        let changed = folder
            .read(&path)
            .replace("version: v2.14.0", &format!("version: {version}"));
        folder.file(&path, changed);
        let before = folder.read(ACME_README);
        let output = folder.run("check --unsafe-fixes --select readme/row-link,readme/row-value");
        let after = folder.read(ACME_README);
        let addresses = |text: &str| {
            let found = text.match_indices(page);
            let end = |at: usize| text[at..].find(')').unwrap() + at;
            let found = found.map(|(at, _)| text[at..end(at)].to_owned());
            found.collect::<BTreeSet<_>>()
        };
        let invented = &addresses(&after) - &addresses(&before);
        assert!(
            invented.is_empty(),
            "{version} {cell}: {invented:?}\n{output:?}"
        );
        let shown = addresses(&output.stdout.replace('\n', ")"));
        let invented = &shown - &addresses(&before);
        assert!(invented.is_empty(), "{version} {cell}: {invented:?}");
    }
}

#[test]
fn a_right_link_is_kept_and_the_misnamed_report_is_renamed() {
    let folder = Folder::with_tree();
    let path = |name: &str| folder.path().join(ACME).join(name);
    let wrong = "standard-v2.14.0-report.yaml";
    fs::rename(path(NAME), path(wrong)).unwrap();
    let json = folder.json("check");
    let findings = json["findings"].as_array().unwrap().iter();
    let helps: Vec<_> = findings
        .map(|finding| {
            let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
            (text("rule"), text("help"), finding["fix"]["safe"].as_bool())
        })
        .collect();
    let rename = |rule: &str, help: &str, safe| (rule.to_owned(), help.to_owned(), safe);
    assert_eq!(
        helps,
        [rename(
            "readme/row-without-report",
            &format!(
                "the row has the name that follows from the fields of the report: rename `{wrong}` to `{NAME}`"
            ),
            Some(true)
        ),]
    );
    // Links to other locations stay unchanged, even if the file name matches.
    for address in [
        "https://acme.example/reports/",
        "/",
        "../acme-operator/",
        "conformance/",
    ] {
        let readme = README.replace(&format!("./{NAME}"), &format!("{address}{NAME}"));
        assert_ne!(readme, README);
        folder.file(ACME_README, &readme);
        folder.run("check --fix");
        assert_eq!(folder.read(ACME_README), readme);
        let is_next_to = address == "../acme-operator/";
        assert_eq!(path(NAME).exists(), is_next_to, "{address}");
        if is_next_to {
            fs::rename(path(NAME), path(wrong)).unwrap();
        }
    }
    for flag in ["--fix", "--unsafe-fixes"] {
        folder.file(ACME_README, README);
        folder.run(&format!("check {flag}"));
        assert_eq!(folder.read(ACME_README), README);
        assert!(path(NAME).exists() && !path(wrong).exists(), "{flag}");
        assert!(folder.run("check").stdout.starts_with("no findings"));
        fs::rename(path(NAME), path(wrong)).unwrap();
    }
}

#[test]
fn too_much_to_fix_is_an_error_and_changes_nothing() {
    // Each report has the next report's name, so only one file can be renamed at a time.
    let folder = Folder::with_tree();
    let mut readme = README.split("| standard |").next().unwrap().to_owned();
    folder.remove(ACME_REPORT);
    for nth in 0..60 {
        let name = format!("standard-v2.{}.0-default-report.yaml", nth + 1);
        let version = format!("v2.{nth}.0");
        let own = report().replace("v2.14.0", &version);
        let own = own.replace("10:15:30", &format!("{:02}:{:02}:30", nth / 60, nth % 60));
        folder.file(&format!("{ACME}/{name}"), own);
        readme.push_str(&format!(
            "| standard | [{version}](https://acme.example/releases/{version}) | default | [{version} report](./{name}) |\n"
        ));
    }
    readme.push_str("\n## Reproduce\n\nRun `make conformance`.\n");
    folder.file(ACME_README, readme);
    let before = files(folder.path());
    for command in ["check --unsafe-fixes --diff", "check --unsafe-fixes"] {
        let output = folder.run(command);
        assert_eq!(output.code, 1, "{output:?}");
        output.stderr_has("too much to fix in this submission");
    }
    assert!(before == files(folder.path()), "something was changed");
}
