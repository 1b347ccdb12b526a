//! Tests `gwconform check --fix`, `--unsafe-fixes` and `--diff`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, NAME, README, files, report};
use crate::support::kill::kill_often;
use crate::support::report::ReportBuilder;
use crate::support::{corpus, has, one_in, page, rows, run, words_of};
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
    folder
        .file(ACME_README, KEPT)
        .acme("standard-v2.13.0-default-report.yaml", older);
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
    let output = folder.ok("check --fix");
    assert_eq!(
        output.stdout,
        "no findings in 2 reports of 1 submission (1 release)\n"
    );
    let fixed = "fixed 5 findings with 1 change: 1 readme/row-missing, 1 readme/row-mode, 1 readme/row-spelling, 1 readme/table-heading, 1 text/final-newline\n";
    assert_eq!(output.stderr, fixed);
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
    let renamed = format!(
        "diff --git a/{old} b/{new}\nsimilarity index 100%\nrename from {old}\nrename to {new}\n"
    );
    assert!(diff.ends_with(&renamed), "{diff}");
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
    let readme = readme.replace("v2.14.0-report.yaml", NAME);
    assert_eq!(folder.read(ACME_README), readme);
}

#[test]
fn a_readme_that_is_not_all_text_is_left_alone_when_a_report_is_renamed() {
    let folder = Folder::with_tree();
    let old = format!("{ACME}/v2.14.0-report.yaml");
    folder.rename(ACME_REPORT, &old);
    folder.file(ACME_README, b"\xff\xff");
    folder.run("check --unsafe-fixes");
    assert!(folder.exists(ACME_REPORT) && !folder.exists(&old));
    assert_eq!(files(folder.path())[ACME_README], b"\xff\xff");
}

#[test]
fn avoids_existing_and_planned_names() {
    let folder = Folder::with_tree();
    folder
        .remove(ACME_REPORT)
        .acme("a.yaml", report().replace("2026-05-20", "2026-05-21"))
        .acme("b.yaml", report().replace("2026-05-20", "2026-05-22"))
        .acme("c.yaml", report().replace("v2.14.0", "v2.15.0"))
        .acme("Standard-V2.15.0-default-report.yaml/x.sh", "");
    let before = files(folder.path());
    let output = folder
        .run("check --unsafe-fixes --select tree/file-name")
        .exits(3);
    output.stderr_has("no changes made in conformance/reports/v1.5/acme-operator: ");
    output.stderr_has("Standard-V2.15.0-default-report.yaml already exists");
    assert_eq!(files(folder.path()), before);
}

#[test]
fn a_fix_that_would_add_a_finding_is_not_made_and_named() {
    // Without a link, the row would no longer match its renamed report.
    let folder = Folder::with_tree();
    let bad = "v2.14.0-report.yaml";
    folder.rename(ACME_REPORT, &format!("{ACME}/{bad}"));
    let readme = README.replace(&format!("[v2.14.0 report](./{NAME})"), bad);
    folder.file(ACME_README, &readme);
    let output = folder.run("check --unsafe-fixes --select tree/file-name");
    let reason = "it would add a finding of readme/row-without-report";
    let expected = format!("not fixed: {ACME}/{bad}: tree/file-name: {reason}\n");
    assert_eq!(output.stderr, expected);
    assert_eq!(folder.read(ACME_README), readme);
    // All fixes together create the link first, so both succeed.
    let output = folder.ok("check --unsafe-fixes");
    assert_eq!(output.stdout.lines().count(), 1, "{output:?}");
}

#[test]
fn fixes_only_selected_findings() {
    let folder = kept();
    let output = folder.run("check --fix --select text");
    assert_eq!(
        output.stderr,
        "fixed 1 finding with 1 change: 1 text/final-newline\n"
    );
    folder.config("[[ignore]]\nrule = \"readme/row-mode\"\npath = \"**\"\nreason = \"ours\"\n[rules]\n\"readme/table-heading\" = \"off\"\n",
    );
    folder.ok("check --fix");
    let readme = folder.read(ACME_README);
    has(&readme, "## Reports");
    has(&readme, "| x    |");
}

#[cfg(unix)]
#[test]
fn nothing_outside_of_the_tree_is_written_through_a_link() {
    let folder = Folder::with_tree();
    let outside = README.trim_end();
    let bad = "conformance/reports/v1.5/bad-operator";
    folder
        .submission("outside/bad-operator")
        .file("outside/README.md", outside)
        .file("outside/bad-operator/README.md", outside)
        .remove(ACME_README)
        .link(ACME_README, "../../../../outside/README.md")
        .link(bad, "../../../outside/bad-operator");
    // Outside of repositories, a link that the user names is followed.
    folder.commit();
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
    let fixed = "fixed 2 findings with 1 change: 1 text/final-newline, 1 text/line-endings\n";
    assert_eq!(output.stderr, fixed);
    assert_eq!(folder.read("README.md"), README);
}

#[test]
fn rejects_options_that_exclude_each_other() {
    let folder = Folder::with_tree();
    for arguments in ["check - --fix", "check --diff --format json"] {
        folder.run(arguments).fails(2);
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
    ("row-value", true, "| | V | default | R |", ROW),
    ("row-mode", true, "| standard | V |      | R |", ROW),
    (
        "row-repeated",
        true,
        "|standard|V|default|R|\n|standard|V|default|R|",
        "|standard|V|default|R|",
    ),
    (
        "row-spelling",
        false,
        "| standard | [v2.14.0 (LTS)](https://acme.example/v2.14.0) | default | R |",
        ROW,
    ),
    ("row-link", true, "| standard | V | default | ./NAME |", ROW),
    (
        "row-value",
        false,
        "| standard | | default | R |",
        "| standard | [v2.14.0](TAG) | default | R |",
    ),
    (
        "row-value",
        true,
        "OLD\n| standard | | default | R |",
        "OLD\n| standard | V | default | R |",
    ),
    (
        "row-link",
        false,
        "|standard|v2.14.0|default|R|",
        "|standard|[v2.14.0](TAG)|default|R|",
    ),
    (
        "row-link",
        true,
        "| standard | [v2.14.0] (https://acme.example/v2.14.0) | default | R |",
        ROW,
    ),
    (
        "row-without-report",
        true,
        "| standard | V | default | [v2.14.0 report](https://acme.example/reports/NAME) |",
        ROW,
    ),
];

const ROW: &str = "| standard | V | default | R |";

/// Replaces the abbreviations of [`MORE`].
fn whole(row: &str) -> String {
    let old = "| standard | [v2.13.0](https://acme.example/v2.13.0) | default | [v2.13.0 report](./old.yaml) |";
    let row = row.replace(" V ", " [v2.14.0](https://acme.example/v2.14.0) ");
    let row = row.replace("|V|", "|[v2.14.0](https://acme.example/v2.14.0)|");
    let row = row
        .replace("OLD", old)
        .replace(" R |", " [v2.14.0 report](./NAME) |");
    let row = row
        .replace("|R|", "|[v2.14.0 report](./NAME)|")
        .replace("NAME", NAME);
    row.replace(
        "TAG",
        "https://github.com/acme/operator/releases/tag/v2.14.0",
    )
}

const TABLE: &str = "\
| API channel | Implementation version | Mode | Report |
|-------------|------------------------|------|--------|
| standard | [v2.14.0](https://acme.example/releases/v2.14.0) | default | [v2.14.0 report](./standard-v2.14.0-default-report.yaml) |

";

fn section() -> String {
    format!("## Table of contents\n\n{TABLE}")
}

const MORE_TEXTS: [(&str, &str, &str); 8] = [
    ("readme/table-missing", TABLE, ""),
    ("readme/table-missing", "SECTION", ""),
    ("readme/title-missing", "# Acme operator\n\n", ""),
    ("readme/title-missing", "# Acme operator\n", "#\n"),
    ("text/byte-order-mark", "# Acme", "\u{feff}# Acme"),
    (
        "text/final-newline",
        "`make conformance`.\n",
        "`make conformance`.",
    ),
    ("readme/reproduce-missing", "## Reproduce", "##Reproduce"),
    ("readme/table-heading", "## Table of contents\n\n", ""),
];

fn with_report_on_github(name: &str, readme: &str) -> Folder {
    let folder = Folder::with_tree();
    let report = report().replace("https://acme.example", "https://github.com/acme/operator");
    folder.remove(ACME_REPORT);
    folder.file(ACME_README, readme).acme(name, report);
    folder
}

#[test]
fn each_kind_of_fix_writes_what_a_person_would() {
    let row = README.lines().find(|line| line.starts_with("| standard"));
    let row = row.unwrap();
    for (rule, is_safe, before, after) in MORE {
        let rule = format!("readme/{rule}");
        let [before, after] = [before, after].map(|rows| README.replace(row, &whole(rows)));
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
        let readme = README.replace(&right.replace("SECTION", &section()), wrong);
        assert_ne!(readme, README, "{rule}");
        let folder = with_report_on_github(NAME, &readme);
        // The fix derives the page URL from the repository, so a person must check it.
        let is_unsafe = rule == "readme/table-missing";
        let flag = if is_unsafe { "--unsafe-fixes" } else { "--fix" };
        if is_unsafe {
            folder.run(&format!("check --fix --select {rule}"));
            assert_eq!(folder.read(ACME_README), readme, "{rule}");
        }
        let output = folder.run(&format!("check {flag} --select {rule}"));
        assert!(output.stdout.starts_with("no findings"), "{output:?}");
        let page = "github.com/acme/operator/releases/tag/";
        let expected = match rule {
            "readme/title-missing" => README.replace("# Acme operator", "# operator"),
            "readme/table-missing" => README.replace("acme.example/releases/", page),
            _ => README.to_owned(),
        };
        assert_eq!(folder.read(ACME_README), expected);
    }
    let is_unsafe = |folder: &Folder, rule: &str| {
        let json = folder.json(&format!("check --select {rule}"));
        assert_eq!(json["findings"][0]["fix"]["safe"], false, "{json:#}");
    };
    let experimental = README.replace("| standard", "| experimental");
    let experimental = experimental.replace(NAME, "a.yaml");
    is_unsafe(
        &with_report_on_github("a.yaml", &experimental),
        "readme/row-value",
    );
    let folder = with_report_on_github(NAME, &README.replace("| default |", "| expressions |"));
    folder.file(ACME_REPORT, ReportBuilder::new().mode("hybrid").build());
    is_unsafe(&folder, "readme/row-mode");
    let folder = with_report_on_github(NAME, &README.replace(&format!("{row}\n"), ""));
    is_unsafe(&folder, "readme/row-missing");
    let other = README.replace("v2.14.0", "v2.13.0");
    let other = other.replace("standard-v2.13.0", "standard-v2.14.0");
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
            .filter(|(id, ..)| format!("readme/{id}") == rule.id)
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
        let declared: &[bool] = match rule.fixes {
            None => &[],
            Some(Fixes::Safe) => &[true],
            Some(Fixes::Unsafe) => &[false],
            Some(Fixes::SafeOrUnsafe) => &[false, true],
        };
        let declared = BTreeSet::from_iter(declared.iter().copied());
        if offered != declared {
            untrue.push((rule.id, rule.fixes, offered));
        }
    }
    assert!(untrue.is_empty(), "{untrue:#?}");
}

#[test]
fn the_real_tree_is_fixed_and_its_reports_stay() {
    let Some(corpus) = corpus() else { return };
    let folder = Folder::new();
    folder.copy(&corpus.join("gateway-api/conformance/reports"), "reports");
    let counts = |folder: &Folder| {
        let mut counts = BTreeMap::new();
        for rule in folder.found("check", "{rule}") {
            *counts.entry(rule).or_insert(0) += 1;
        }
        counts
    };
    let original = files(folder.path());
    let mut before = counts(&folder);
    for flag in ["--fix", "--unsafe-fixes"] {
        folder.run(&format!("check {flag}"));
        let after = counts(&folder);
        for (rule, count) in &after {
            let is_fewer = before.get(rule).is_some_and(|before| count <= before);
            assert!(is_fewer, "{rule}");
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
    assert_eq!(left("tree/file-name"), 10);
    assert_eq!(left("tree/file-name-channel"), 0);
}

#[test]
fn keeps_names_that_other_submissions_link_to() {
    let folder = Folder::with_tree();
    let wrong = "standard-v2.14.0-report.yaml";
    let wrong_path = format!("{ACME}/{wrong}");
    folder.file(ACME_README, README.replace(NAME, wrong));
    folder.rename(ACME_REPORT, &wrong_path);
    let other = "conformance/reports/v1.4.0/other-operator/README.md";
    let text = format!("{README}\nAs [theirs](../../v1.5/acme-operator/{wrong}).\n");
    folder.file(other, text);
    folder.put(&ReportBuilder::new().organization("other").release("v1.4.0"));
    let output = folder.run("check --unsafe-fixes --select tree/file-name");
    output.stderr_has(&format!("{wrong_path}: not renamed"));
    assert!(folder.exists(&wrong_path));
    folder.file(other, README);
    folder.run("check --unsafe-fixes --select tree/file-name");
    assert!(folder.exists(ACME_REPORT));
}

fn misnamed() -> Folder {
    let folder = Folder::with_tree();
    folder.remove(ACME_REPORT);
    let right = |minor: usize| format!("standard-v2.{minor}.0-default-report.yaml");
    let names = [0, 12, 13, 0, 15, 14, 17, 18, 16];
    let mut rows = String::new();
    for (minor, right_of) in (10..).zip(names) {
        let name = match (minor, right_of) {
            (10, _) => "a-report.yaml".to_owned(),
            (13, _) => "b-report.yaml".to_owned(),
            (_, minor) => right(minor),
        };
        let text = report().replace("v2.14.0", &format!("v2.{minor}.0"));
        // Reports with the same date would be copies of one run.
        let text = text.replace("T10:15:30Z", &format!("T10:{minor}:30Z"));
        folder.acme(&name, text);
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
        output.stdout,
        "no findings in 9 reports of 1 submission (1 release)\n"
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
        .acme("a-report.yaml", &bytes)
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
    let reports = |files: &_| BTreeSet::from_iter(reports(files).into_iter().cloned());
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
            let either = [&before[ACME_README], &expected[ACME_README]];
            assert!(either.contains(&&now[ACME_README]), "{delay:?}");
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
    folder.rename(ACME_REPORT, &format!("{ACME}/.gwconform-{NAME}"));
    folder.acme(".gwconform-Ab12Cd", "| half");
    let check = words_of(&folder.run("check").stdout);
    for expected in [
        "[tree/stray-file]: unexpected entry `.gwconform-Ab12Cd`".to_owned(),
        format!("[readme/row-without-report]: report `./{NAME}` does not exist"),
        format!("rename `.gwconform-{NAME}` to `{NAME}`"),
    ] {
        has(&check, &expected);
    }
    folder.run("check --unsafe-fixes");
    assert!(folder.exists(ACME_REPORT));
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
    let cases = "
        version-2.14.0                     | [version-2.14.0](PAGE2.13.0)   |
        version-2.14.0                     | [2.13.0](PAGE2.13.0)           |
        version-2.14.0                     |                                | 2.13.0
        vault-2.14.0                       | [vault-2.14.0](PAGEv2.13.0)    |
        v2.14.0                            | [v2.14.0](PAGEvault-2.13.0)    |
        v2.14.0                            | [v2.14.0](PAGEoperator-v2.13.0) |
        vv2.14.0                           | [vv2.14.0](PAGEv2.13.0)        |
        v2.14.0-x                          |                                | vault-2.13.0
        v2.14.0-SNAPSHOT                   |                                | v2.13.0
        v2.14.0-5-gabcdef1-dirty           |                                | v2.13.0
        v0.0.0-20240102030405-abcdefabcdef |                                | v2.13.0
    ";
    for [version, cell, other] in rows(cases) {
        let cell = cell.replace("PAGE", page);
        let others = if other.is_empty() {
            String::new()
        } else {
            old(other)
        };
        let rows = format!("{others}| standard | {cell} | default |");
        let readme = README.replace(row, &rows);
        assert_ne!(readme, README);
        let folder = with_report_on_github(NAME, &readme);
        let version_line = format!("version: {version}");
        let changed = folder
            .read(ACME_REPORT)
            .replace("version: v2.14.0", &version_line);
        folder.file(ACME_REPORT, changed);
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
    let wrong = "standard-v2.14.0-report.yaml";
    let wrong_path = format!("{ACME}/{wrong}");
    folder.rename(ACME_REPORT, &wrong_path);
    let help = format!(
        "the row has the name that follows from the fields of the report: rename `{wrong}` to `{NAME}`"
    );
    let expected = format!("readme/row-without-report {help} true");
    assert_eq!(
        folder.found("check", "{rule} {help} {fix.safe}"),
        [expected]
    );
    // Links to other locations stay unchanged, even if the file name matches.
    for address in "https://acme.example/reports/ / ../acme-operator/ conformance/".split(' ') {
        let readme = README.replace(&format!("./{NAME}"), &format!("{address}{NAME}"));
        assert_ne!(readme, README);
        folder.file(ACME_README, &readme);
        folder.run("check --fix");
        assert_eq!(folder.read(ACME_README), readme);
        let is_next_to = address == "../acme-operator/";
        assert_eq!(folder.exists(ACME_REPORT), is_next_to, "{address}");
        if is_next_to {
            folder.rename(ACME_REPORT, &wrong_path);
        }
    }
    for flag in ["--fix", "--unsafe-fixes"] {
        folder.file(ACME_README, README);
        folder.run(&format!("check {flag}"));
        assert_eq!(folder.read(ACME_README), README);
        let is_renamed = folder.exists(ACME_REPORT) && !folder.exists(&wrong_path);
        assert!(is_renamed, "{flag}");
        assert!(folder.run("check").stdout.starts_with("no findings"));
        folder.rename(ACME_REPORT, &wrong_path);
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
        folder.acme(&name, own);
        readme.push_str(&format!(
            "| standard | [{version}](https://acme.example/releases/{version}) | default | [{version} report](./{name}) |\n"
        ));
    }
    readme.push_str("\n## Reproduce\n\nRun `make conformance`.\n");
    folder.file(ACME_README, readme);
    let before = files(folder.path());
    let commands = ["check --unsafe-fixes", "check --unsafe-fixes --diff"];
    for command in commands.into_iter().step_by(one_in(2)) {
        let output = folder.run(command).exits(1);
        output.stderr_has("too much to fix in this submission");
    }
    assert!(before == files(folder.path()), "something was changed");
}
