//! Tests `check --since` in temporary repositories.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, NAME, README, report};
use crate::support::git::git;
use gwconform::print::Format;

use crate::support::{EPOCH, Output, lines, location, words_of, write_program};
use serde_json::Value;

const DATE: &str = "2026-05-20T10:15:30Z";

fn repository() -> Folder {
    let folder = Folder::with_tree();
    folder.commit();
    folder
}

fn path(folder: &Folder, below: &str) -> PathBuf {
    folder.path().join(below)
}

fn found(folder: &Folder, revision: &str) -> Vec<String> {
    folder.findings(&format!("check --since {revision}"))
}

fn since(folder: &Folder, revision: &str) -> Value {
    folder.json(&format!("check --since {revision}"))["change"].take()
}

fn kinds(since: &Value) -> Vec<String> {
    let reports = since["report_changes"].as_array().unwrap().iter();
    let name = |path: &Value| {
        path.as_str()
            .unwrap()
            .rsplit('/')
            .next()
            .unwrap()
            .to_owned()
    };
    reports
        .map(|one| format!("{} {}", one["kind"].as_str().unwrap(), name(&one["path"])))
        .collect()
}

#[test]
fn unchanged_tree_has_no_findings() {
    let folder = repository();
    folder.file(ACME_REPORT, report().replace(DATE, "-"));
    folder.commit();
    let output = folder.run("check --since HEAD");
    assert!(
        output
            .stdout
            .ends_with("no findings in 0 changed submissions\n"),
        "{}",
        output.stdout
    );
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    assert_eq!(folder.run("check").code, 1);
    // Only findings of touched submissions are known.
    let json = folder.json("check --since HEAD");
    assert_eq!(json["change"]["known"]["finding_counts"]["errors"], 0);
    folder.file(ACME_README, format!("{README}\nMore.\n"));
    let json = folder.json("check --since HEAD");
    let known = &json["change"]["known"];
    assert_eq!(
        (&known["finding_counts"]["errors"], &known["findings"]),
        (&1.into(), &Value::Null)
    );
    assert_eq!(json["summary"]["errors"], 0);
    // `--all` lists these findings, but they are still not counted.
    let output = folder.run("check --since HEAD --all");
    output.stdout_has("error[report/date]");
    assert_eq!(output.code, 0);
    let json = folder.json("check --since HEAD --all");
    assert_eq!(
        json["change"]["known"]["findings"][0]["rule"],
        "report/date"
    );
    assert_eq!(json["findings"], Value::Array(Vec::new()));
}

fn with_bad_submission() -> (Folder, &'static str) {
    let folder = Folder::with_tree();
    let bad = "conformance/reports/v1.5/bad-operator";
    folder.submission(bad);
    folder.file(&format!("{bad}/{NAME}"), report().replace(DATE, "-"));
    let row = README.replace("| standard |", "| experimental |");
    assert_ne!(row, README);
    folder.file(&format!("{bad}/README.md"), row);
    folder.commit();
    (folder, bad)
}

#[test]
fn errors_that_were_there_before_do_not_count() {
    let (folder, bad) = with_bad_submission();
    let row = folder.read(&format!("{bad}/README.md"));
    let code = || folder.run("check --since HEAD").code;
    let readme = |text: &str| folder.file(&format!("{bad}/README.md"), text);
    assert_eq!((folder.run("check").code, code()), (1, 0));
    readme(&format!("\n\n{row}\nMore.\n"));
    assert_eq!(code(), 0);
    readme(README);
    assert_eq!(code(), 0);
    readme(&row.replace("| default |", "| other |"));
    let found = judged(&folder, "check --since HEAD");
    assert_eq!(found, [format!("warning readme/row-mode {bad}/README.md")]);
    readme(&row);
    let line = row.lines().find(|line| line.contains(NAME)).unwrap();
    readme(&row.replace(line, &format!("{line}\n{line}")));
    assert_eq!(code(), 1);
}

#[test]
fn a_moved_submission_keeps_its_findings() {
    let (folder, bad) = with_bad_submission();
    let to = "conformance/reports/v1.5/bad-gate";
    let before = judged(&folder, "check --select report,readme");
    folder.rename(bad, to);
    let found = judged(&folder, "check --since HEAD --select report,readme");
    assert_eq!(found, Vec::<String>::new());
    let known = |field: &str| {
        let json = folder.json("check --since HEAD --select report,readme");
        json["change"]["known"]["finding_counts"][field]
            .as_u64()
            .unwrap()
    };
    let errors = before
        .iter()
        .filter(|one| one.starts_with("error "))
        .count();
    assert_eq!(known("errors"), errors as u64);
    let name = "standard-v2.14.0-other-report.yaml";
    folder.rename(&format!("{to}/{NAME}"), &format!("{to}/{name}"));
    let row = folder.read(&format!("{to}/README.md"));
    folder.file(&format!("{to}/README.md"), row.replace(NAME, name));
    let found = judged(&folder, "check --since HEAD --select report,readme");
    assert_eq!(found, Vec::<String>::new());
}

fn version(version: &str, date: &str) -> (String, String, String) {
    let name = NAME.replace("v2.14.0", version);
    let report = report().replace("v2.14.0", version).replace(DATE, date);
    (name, report, README.replace("v2.14.0", version))
}

#[test]
fn a_final_takes_the_place_of_its_candidate() {
    let folder = Folder::with_tree();
    folder.remove(ACME_REPORT);
    let (old, report, row) = version("v3.0.0-rc.1", DATE);
    folder.file(&format!("{ACME}/{old}"), report);
    folder.file(ACME_README, row);
    folder.commit();
    folder.remove(&format!("{ACME}/{old}"));
    let (new, report, row) = version("v3.0.0", "2026-04-01T00:00:00Z");
    folder.file(&format!("{ACME}/{new}"), &report);
    folder.file(ACME_README, row);
    let since_head = since(&folder, "HEAD");
    assert_eq!(kinds(&since_head), [format!("replaced {new}")]);
    let before = since_head["report_changes"][0]["previous_path"]
        .as_str()
        .unwrap();
    assert!(before.ends_with(&old), "{before}");
    assert_eq!(found(&folder, "HEAD"), Vec::<String>::new());
    folder.file(
        &format!("{ACME}/{new}"),
        report.replace("mode: default", "mode: ambient"),
    );
    let rules = judged(&folder, "check --since HEAD --select change");
    assert_eq!(
        rules,
        [format!("warning change/deleted-report {ACME}/{old}")]
    );
}

#[test]
fn metadata_that_changes_without_the_date_is_found() {
    let folder = repository();
    let at = format!("{ACME}/{NAME}");
    let edits = [
        ("mode: default", "mode: ambient", "error"),
        (
            "gatewayAPIChannel: standard",
            "gatewayAPIChannel: experimental",
            "error",
        ),
        (
            "gatewayAPIVersion: v1.5.1",
            "gatewayAPIVersion: v1.5.0",
            "error",
        ),
        ("version: v2.14.0", "version: v2.14.1", "warning"),
        (
            "https://acme.example",
            "https://acme.example/other",
            "warning",
        ),
    ];
    for (old, new, severity) in edits {
        let edited = report().replace(old, new);
        assert_ne!(edited, report());
        folder.file(&at, &edited);
        let arguments = "check --since HEAD --select change/edited-metadata";
        let expected = format!("{severity} change/edited-metadata {at}");
        assert_eq!(judged(&folder, arguments), [expected], "{new}");
        folder.file(&at, edited.replace(DATE, "2026-04-01T00:00:00Z"));
        assert_eq!(judged(&folder, arguments), Vec::<String>::new(), "{new}");
    }
    folder.remove(&at);
    let name = NAME.replace("default", "ambient");
    let edited = report().replace("mode: default", "mode: ambient");
    folder.file(&format!("{ACME}/{name}"), edited);
    let rules = judged(
        &folder,
        "check --since HEAD --select change/edited-metadata",
    );
    assert_eq!(
        rules,
        [format!("error change/edited-metadata {ACME}/{name}")]
    );
}

#[test]
fn a_run_that_is_filed_again_as_a_new_version_is_an_error_while_both_stay() {
    let folder = repository();
    let (name, copy, row) = version("v2.15.0", DATE);
    folder.file(&format!("{ACME}/{name}"), &copy);
    let line = row.lines().find(|line| line.contains(&name)).unwrap();
    folder.file(
        ACME_README,
        README.replace("\n\n## Reproduce", &format!("\n{line}\n\n## Reproduce")),
    );
    let copied = |folder: &Folder| {
        let found = judged(folder, "check --since HEAD --fail-on never");
        let found = found.into_iter();
        let found: Vec<String> = found.filter(|one| one.starts_with("error")).collect();
        found
    };
    let found_here = copied(&folder);
    assert!(
        found_here.len() == 1 && found_here[0].contains("tree/copied-report"),
        "{found_here:?}"
    );
    let folder = repository();
    let next = "conformance/reports/v1.6/acme-operator";
    folder.file(&format!("{next}/{name}"), copy.replace("v1.5.1", "v1.6.1"));
    folder.file(&format!("{next}/README.md"), &row);
    let found = copied(&folder);
    assert!(
        found
            .iter()
            .any(|one| one.starts_with("error tree/copied-report")),
        "{found:?}"
    );
    folder.remove(ACME_REPORT);
    folder.remove(next);
    folder.file(&format!("{ACME}/{name}"), &copy);
    folder.file(ACME_README, &row);
    let found = judged(&folder, "check --since HEAD");
    let edited = format!("warning change/edited-metadata {ACME}/{name}");
    assert!(found.contains(&edited), "{found:?}");
    assert_eq!(copied(&folder), Vec::<String>::new());
}

#[test]
fn safe_fixes_of_changed_lines_are_suggested() {
    let folder = repository();
    let broken = README.replace(
        "[v2.14.0 report](./standard-v2.14.0-default-report.yaml)",
        "./standard-v2.14.0-default-report.yaml",
    );
    assert_ne!(broken, README);
    let json = |text: &str| -> Value {
        folder.file(ACME_README, text);
        let output = folder.run("check --since HEAD --format suggestions --exit-zero");
        serde_json::from_str(&output.stdout).unwrap()
    };
    let review = json(&broken);
    let comments = review["comments"].as_array().unwrap();
    assert_eq!(comments.len(), 1, "{review}");
    assert_eq!(comments[0]["path"], format!("{ACME}/README.md"));
    let line = broken.lines().position(|line| line.contains(NAME)).unwrap() + 1;
    assert_eq!(comments[0]["line"], line);
    assert_eq!(comments[0]["side"], "RIGHT");
    // The lines of the suggestion equal those that --fix writes.
    let body = comments[0]["body"].as_str().unwrap();
    let (_, block) = body.split_once("```suggestion\n").unwrap();
    let new_line = block.strip_suffix("\n```").unwrap();
    folder.run("check --fix --exit-zero");
    let fixed = folder.read(ACME_README);
    assert_eq!(fixed.lines().nth(line - 1), Some(new_line));
    folder.file(ACME_README, &broken);
    folder.commit();
    let review = json(&format!("{broken}\nMore.\n"));
    assert_eq!(review["comments"], Value::Array(Vec::new()), "{review}");
    let output = folder.run("check --format suggestions");
    assert_eq!(output.code, 2, "{output:?}");
}

#[test]
fn several_outputs_of_one_run() {
    let folder = repository();
    folder.file(ACME_REPORT, report().replace(DATE, "-"));
    let arguments = "check --since HEAD --select report --also junit=a.xml --also sarif=b.json --also markdown=c.md --also json=d.json";
    let output = folder.run(arguments);
    assert_eq!(output.code, 1);
    output.stdout_has("error[report/date]");
    let read = |name: &str| folder.read(name);
    let files = ["a.xml", "b.json", "c.md", "d.json"];
    let first = files.map(read);
    for (text, start) in first.iter().zip(["<?xml", "{", "## 1 error in", "{"]) {
        assert!(
            text.starts_with(start) && text.contains("report/date"),
            "{text}"
        );
    }
    assert_eq!(folder.run(arguments).code, 1);
    assert_eq!(files.map(read), first);
    let refused = |arguments: &str, words: &str| {
        let output = folder.run(&format!("check --since HEAD {arguments}"));
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{output:?}");
        output.stderr_has(words);
    };
    refused("--also junit=x.xml --also sarif=./x.xml", "named twice");
    refused("--also sarif=a.xml", "refusing to overwrite a.xml");
    let readme = format!("{ACME}/README.md");
    refused(
        &format!("--also markdown={readme}"),
        "refusing to overwrite",
    );
    refused("--also what=x", "unknown format");
    refused("--also junit", "expected FORMAT=FILE");
    refused("--also junit=-", "--format is for standard output");
    assert!(!folder.exists("-"));
    assert!(!folder.exists("x.xml"));
    assert_eq!(read(&readme), README);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(".", path(&folder, "here")).unwrap();
        let twice = "--also junit=x.xml --also sarif=here/x.xml";
        refused(twice, "named twice");
        assert!(!folder.exists("x.xml"));
        std::os::unix::fs::symlink("a.xml", path(&folder, "link.xml")).unwrap();
        refused("--also junit=link.xml", "refusing to overwrite");
    }
}

#[test]
fn a_link_that_the_change_breaks_counts_where_it_is() {
    let folder = Folder::with_tree();
    let other = "conformance/reports/v1.5/umbrella-gate";
    folder.submission(other);
    let text = format!("{README}\nAs for [acme](../acme-operator/{NAME}), run it.\n");
    folder.file(&format!("{other}/README.md"), text);
    folder.commit();
    folder.rename(ACME, "conformance/reports/v1.5/acme-gate");
    let found = judged(&folder, "check --since HEAD --select readme");
    assert_eq!(found, [format!("error readme/dead-link {other}/README.md")]);
    assert_eq!(folder.run("check --since HEAD").code, 1);
}

#[test]
fn results_that_change_without_the_date_are_an_error() {
    let folder = repository();
    let edited = report().replace("Passed: 13", "Passed: 14");
    folder.file(ACME_REPORT, &edited);
    let output = folder.run("check --since HEAD --select change");
    output.stdout_has("`GATEWAY-GRPC` core Passed `14`, was `13`");
    assert_eq!(output.code, 1);
    location::check(
        folder.path(),
        &crate::support::folder::words("check --since HEAD --select change"),
        &output.stdout,
    );
    let respelled = edited.replace(DATE, "2026-05-20T11:15:30+01:00");
    folder.file(ACME_REPORT, &respelled);
    assert_eq!(folder.run("check --since HEAD --select change").code, 1);
    // A different date means a different run. Text, quoting and order do not affect results.
    folder.file(ACME_REPORT, edited.replace(DATE, "2026-04-01T00:00:00Z"));
    assert_eq!(folder.run("check --since HEAD --select change").code, 0);
    let reworded = report().replace("url: https://acme.example", "url: 'https://acme.example/'");
    folder.file(ACME_REPORT, reworded + "# a comment\n");
    assert_eq!(folder.run("check --since HEAD --select change").code, 0);
}

#[test]
fn each_part_of_results_is_compared() {
    let base = report().replace(
        "  name: GATEWAY-GRPC\n",
        "  extended:\n    result: success\n    statistics:\n      Failed: 0\n      Passed: 1\n      Skipped: 0\n    supportedFeatures:\n    - A\n    - B\n    unsupportedFeatures:\n    - C\n  name: GATEWAY-GRPC\n",
    ) + "succeededProvisionalTests:\n- P\n";
    let edits = [
        ("    - A\n    - B\n", "    - B\n    - A\n", None),
        (
            "    - A\n",
            "",
            Some("extended supportedFeatures without `A`"),
        ),
        (
            "    - C\n",
            "    - C\n    - D\n",
            Some("extended unsupportedFeatures with `D`"),
        ),
        ("- P\n", "- Q\n", Some("succeededProvisionalTests with `Q`")),
        (
            "result: success",
            "result: partial",
            Some("core result `partial`, was `success`"),
        ),
        ("Failed: 0", "Failed: 2", Some("core Failed `2`, was `0`")),
        (
            "name: GATEWAY-GRPC",
            "name: MESH-GRPC",
            Some("profile `MESH-GRPC` added"),
        ),
    ];
    let folder = Folder::with_tree();
    folder.file(ACME_REPORT, &base);
    folder.commit();
    for (old, new, expected) in edits {
        folder.file(ACME_REPORT, base.replacen(old, new, 1));
        let output = folder.run("check --since HEAD --select change/edited-results");
        match expected {
            Some(expected) => output.stdout_has(expected),
            None => assert_eq!(output.code, 0, "{}", output.stdout),
        }
    }
}

#[test]
fn a_report_that_moves_is_followed_and_one_that_is_gone_is_found() {
    let folder = repository();
    let (from, to) = (
        path(&folder, ACME),
        path(&folder, "conformance/reports/v1.5/acme-gate"),
    );
    fs::rename(&from, &to).unwrap();
    assert_eq!(kinds(&since(&folder, "HEAD")), [format!("moved {NAME}")]);
    let mut rules = found(&folder, "HEAD");
    rules.retain(|rule| rule.starts_with("change/"));
    let other = format!("change/other-folder conformance/reports/v1.5/acme-gate/{NAME}");
    assert_eq!(rules, [other]);
    folder.git("add --all");
    fs::write(to.join(NAME), report().replace("Passed: 13", "Passed: 12")).unwrap();
    assert_eq!(
        kinds(&since(&folder, "HEAD")),
        [format!("moved-and-changed {NAME}")]
    );
    let rules = found(&folder, "HEAD");
    let is_edited = rules
        .iter()
        .any(|rule| rule.starts_with("change/edited-results "));
    assert!(is_edited, "{rules:?}");
    fs::write(
        to.join(NAME),
        report()
            .replace("v2.14.0", "v2.15.0")
            .replace(DATE, "2026-05-05T00:00:00Z"),
    )
    .unwrap();
    assert_eq!(
        kinds(&since(&folder, "HEAD")),
        [format!("new {NAME}"), format!("deleted {NAME}")]
    );
    let deleted = format!("change/deleted-report {ACME}/{NAME}");
    assert!(found(&folder, "HEAD").contains(&deleted));
    fs::remove_dir_all(&to).unwrap();
    fs::create_dir_all(path(&folder, "conformance/reports/v1.5/x-y")).unwrap();
    assert!(found(&folder, "HEAD").contains(&deleted));
}

#[test]
fn two_reports_that_change_places_are_no_edits() {
    let folder = Folder::with_tree();
    let other = report()
        .replace("mode: default", "mode: other")
        .replace("Passed: 13", "Passed: 12");
    folder.file(&format!("{ACME}/other.yaml"), &other);
    folder.commit();
    folder.file(&format!("{ACME}/other.yaml"), report());
    folder.file(ACME_REPORT, &other);
    assert_eq!(
        kinds(&since(&folder, "HEAD")),
        ["moved other.yaml".to_owned(), format!("moved {NAME}")]
    );
    assert_eq!(folder.run("check --since HEAD --select change").code, 0);
}

#[test]
fn additions_in_the_revision_are_no_losses() {
    let folder = repository();
    folder.git("branch work");
    folder.submission("conformance/reports/v1.5/other-gate");
    folder.commit();
    folder.git("checkout --quiet work");
    folder.file(ACME_README, format!("{README}\nMore.\n"));
    folder.commit();
    let since = since(&folder, "main");
    assert_eq!(
        since["submissions"].as_array().unwrap().len(),
        1,
        "{since:#}"
    );
    assert_eq!(kinds(&since), Vec::<String>::new());
}

fn sample(folder: &Folder, without: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    for entry in walkdir::WalkDir::new(&root).sort_by_file_name() {
        let entry = entry.unwrap();
        let below = entry.path().strip_prefix(&root).unwrap();
        let target = folder.path().join("conformance/reports").join(below);
        if without.iter().any(|folder| below.starts_with(folder)) {
            continue;
        }
        if entry.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else if entry.file_type().is_file() {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_new_release_shows_what_the_site_will_show() {
    let folder = Folder::new();
    sample(
        &folder,
        &["v1.6/stonebridge-arch", "v1.5.0", "v1.5.1", "v1.6.0"],
    );
    folder.commit();
    sample(&folder, &["v1.5.0", "v1.5.1", "v1.6.0"]);
    let output = folder.run("check --since HEAD");
    insta::assert_snapshot!("new_release", output.stdout);
    insta::assert_snapshot!(
        "new_release_markdown",
        folder.run("check --since HEAD --format markdown").stdout
    );
    let json = folder.json("check --since HEAD");
    let schema: Value = serde_json::from_str(&folder.run("schema findings").stdout).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    assert!(validator.is_valid(&json), "{json:#}");
    let after = folder.json("certify conformance/reports");
    folder.git("stash --quiet --include-untracked");
    let before = folder.json("certify conformance/reports");
    for change in json["change"]["verdicts"].as_array().unwrap() {
        for (side, catalog) in [("before", &before), ("after", &after)] {
            let all = catalog["implementations"].as_array().unwrap().iter();
            let mut all = all.filter(|one| {
                one["project"] == change["project"] && one["organization"] == change["organization"]
            });
            let families = all
                .next()
                .map(|one| one["families"].as_array().unwrap().clone());
            let mut families = families.unwrap_or_default().into_iter();
            let verdict = families.find(|family| family["family"] == change["family"]);
            let reason = verdict.map_or(Value::Null, |verdict| verdict["reason"].clone());
            assert_eq!(change[side]["reason"], reason, "{change:#}");
        }
    }
}

#[test]
fn the_first_report_of_a_minor_changes_no_other_verdict() {
    assert_eq!(changed_by_the_first_report(""), Vec::<Value>::new());
    let review = "[[review]]\nminor = \"v1.6\"\ndate = \"2026-01-01\"\n";
    assert_eq!(changed_by_the_first_report(review), Vec::<Value>::new());
}

fn changed_by_the_first_report(config: &str) -> Vec<Value> {
    let folder = Folder::new();
    sample(&folder, &["v1.6", "v1.5.0", "v1.5.1", "v1.6.0"]);
    folder.file("conformance/reports/gwconform.toml", config);
    folder.commit();
    let acme = "v1.6/acme-operator";
    let rest = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("reports/v1.6")).unwrap();
    let rest: Vec<String> = rest
        .map(|entry| format!("v1.6/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    let mut without: Vec<&str> = rest
        .iter()
        .map(String::as_str)
        .filter(|name| *name != acme)
        .collect();
    without.extend(["v1.5.0", "v1.5.1", "v1.6.0"]);
    sample(&folder, &without);
    let since = since(&folder, "HEAD");
    let verdicts = since["verdicts"].as_array().unwrap();
    let others = verdicts.iter().filter(|one| one["organization"] != "acme");
    others.cloned().collect()
}

#[test]
fn other_files_and_other_implementations_are_named() {
    let folder = repository();
    let umbrella = report()
        .replace("acme", "umbrella")
        .replace("2026-05-20", "2026-05-21");
    folder
        .file(ACME_README, format!("{README}\nMore.\n"))
        .file(
            "conformance/list/implementations/acme/details.yaml",
            "kind: x\n",
        )
        .file("site/content/implementations/list.md", "x\n")
        .file("docs/implementations.md", "x\n")
        .file("conformance/reports/v1.5.1", "v1.5")
        .file("go.mod", "x\n");
    assert_eq!(found(&folder, "HEAD"), ["change/unexpected-file go.mod"]);
    folder.file(
        &format!("conformance/reports/v1.5/umbrella-operator/{NAME}"),
        umbrella,
    );
    let rules = found(&folder, "HEAD");
    let several = "change/several-implementations conformance/reports".to_owned();
    assert!(rules.contains(&several), "{rules:?}");
}

#[test]
fn an_ignore_for_a_rule_about_changes_is_used_and_never_called_unused() {
    let folder = repository();
    let ignore =
        "[[ignore]]\nrule = \"change/deleted-report\"\npath = \"conformance\"\nreason = \"x\"\n";
    folder.file("gwconform.toml", ignore);
    folder.commit();
    for arguments in ["check", "check --since HEAD"] {
        assert_eq!(folder.findings(arguments), Vec::<String>::new());
    }
    folder.remove(ACME_REPORT);
    let output = folder.run("check --since HEAD --select change");
    output.stdout_has("1 finding ignored by gwconform.toml");
}

#[test]
fn in_the_folder_of_a_submission_it_is_touched_as_well() {
    let folder = repository();
    folder.file(ACME_REPORT, report().replace("2026-05-20T10:15:30Z", "-"));
    let arguments = crate::support::folder::words("check ../../../reports --since HEAD");
    let output = crate::support::run(&path(&folder, ACME), &arguments);
    output.stdout_has("error[report/date]");
}

#[cfg(unix)]
#[test]
fn reviews_files_with_hostile_names() {
    use std::os::unix::ffi::OsStrExt;
    let folder = repository();
    let names: [&[u8]; 6] = [
        b"a\nb.yaml",
        b"-rf.yaml",
        b"\"q\" \\t.yaml",
        b"x\xff.yaml",
        b":(top)x.yaml",
        b"tab\t.yaml",
    ];
    for name in names {
        let name = std::ffi::OsStr::from_bytes(name);
        fs::write(path(&folder, ACME).join(name), report()).unwrap();
    }
    folder.link(&format!("{ACME}/link.yaml"), "/etc/passwd");
    folder.commit();
    for name in names {
        let name = std::ffi::OsStr::from_bytes(name);
        fs::write(
            path(&folder, ACME).join(name),
            report().replace("Passed: 13", "Passed: 12"),
        )
        .unwrap();
    }
    folder.remove(&format!("{ACME}/link.yaml"));
    let json = folder.json("check --since HEAD --select change/edited-results");
    let mut paths = lines(&json["findings"], "{path}");
    paths.sort();
    let names = [
        "\"q\" \\t.yaml",
        "-rf.yaml",
        ":(top)x.yaml",
        "a\nb.yaml",
        "tab\t.yaml",
        "x%FF.yaml",
    ];
    let mut expected: Vec<String> = names.iter().map(|name| format!("{ACME}/{name}")).collect();
    expected.sort();
    assert_eq!(paths, expected);
    assert_eq!(kinds(&json["change"]).len(), 6);
}

#[test]
fn a_file_that_was_written_to_and_is_the_same_is_not_touched() {
    let folder = repository();
    folder.submission("conformance/reports/v1.5/other-gate");
    for nth in 0..130 {
        folder.file(&format!("docs/-{nth}.md"), "x");
    }
    folder.file("docs/.gitattributes", "crlf.md text eol=crlf\n");
    folder.file("docs/crlf.md", "x\r\n");
    folder.commit();
    for nth in 0..130 {
        let text = if nth == 100 { "y" } else { "x" };
        folder.file(&format!("docs/-{nth}.md"), text);
    }
    folder.file("docs/crlf.md", "x\r\n");
    folder.submission("conformance/reports/v1.5/other-gate");
    folder.file(ACME_README, README.replace("Run", "Do"));
    assert_eq!(
        since(&folder, "HEAD")["submissions"],
        serde_json::json!([ACME])
    );
    assert_eq!(
        found(&folder, "HEAD"),
        ["change/unexpected-file docs/-100.md"]
    );
}

#[test]
fn a_file_with_the_content_of_the_base_is_not_touched() {
    let folder = repository();
    let readme = format!("{ACME}/README.md");
    let base = fs::read(path(&folder, &readme)).unwrap();
    folder_commit(&folder, "More.");
    let touched = |revision: &str| since(&folder, revision)["submissions"].clone();
    let [none, one] = [serde_json::json!([]), serde_json::json!([ACME])];
    folder.file(&readme, &base);
    assert_eq!(
        [touched("HEAD~1"), touched("HEAD")],
        [none.clone(), one.clone()]
    );
    folder.git("add --all");
    assert_eq!(
        [touched("HEAD~1"), touched("HEAD")],
        [none.clone(), one.clone()]
    );
    folder.file(&readme, "Edited\n");
    assert_eq!(
        [touched("HEAD~1"), touched("HEAD")],
        [one.clone(), one.clone()]
    );
    folder.file(&readme, &base);
    git(folder.path(), &["rm", "--quiet", "--cached", &readme]);
    assert_eq!([touched("HEAD~1"), touched("HEAD")], [one.clone(), one]);
}

#[cfg(unix)]
#[test]
fn file_modes_change_no_report() {
    use std::os::unix::fs::PermissionsExt;
    let folder = repository();
    let report = path(&folder, ACME_REPORT);
    fs::set_permissions(report, fs::Permissions::from_mode(0o755)).unwrap();
    let since = since(&folder, "HEAD");
    assert_eq!(since["submissions"], serde_json::json!([ACME]));
    assert_eq!(kinds(&since), Vec::<String>::new());
}

fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = walkdir::WalkDir::new(folder)
        .into_iter()
        .map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.file_type().is_file());
    files
        .map(|entry| (entry.path().to_owned(), fs::read(entry.path()).unwrap()))
        .collect()
}

#[test]
fn review_leaves_the_working_tree_unchanged() {
    let folder = repository();
    folder.file(ACME_REPORT, report().replace("Passed: 13", "Passed: 12"));
    // A new modification time makes git read the file again.
    let readme = fs::File::options()
        .write(true)
        .open(path(&folder, ACME_README));
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    readme.unwrap().set_modified(long_ago).unwrap();
    let before = contents(folder.path());
    let since = since(&folder, "HEAD");
    assert_eq!(contents(folder.path()), before);
    assert_eq!(kinds(&since), [format!("changed {NAME}")]);
}

#[test]
fn the_tree_may_stand_anywhere_in_the_repository_and_is_named_from_here() {
    let folder = repository();
    folder.file(ACME_REPORT, report().replace("Passed: 13", "Passed: 12"));
    let expected = "--> reports/v1.5/acme-operator";
    let output = folder.run_in("conformance", "check reports --since HEAD");
    output.stdout_has(expected);
    assert_eq!(output.code, 1, "{output:?}");
    let below = path(&folder, "conformance/reports/v1.5");
    let output = crate::support::run(
        &below,
        &crate::support::folder::words("check ../../reports --since HEAD"),
    );
    output.stdout_has("--> acme-operator/");
}

#[test]
fn omits_unchecked_parts_outside_the_change() {
    let folder = repository();
    let bad = "conformance/reports/v1.5/bad-operator";
    folder.submission(bad);
    folder.file(&format!("{bad}/x.yaml"), "a: [\n");
    folder.commit();
    let is_listed = || {
        let output = folder.run("check --since HEAD");
        output.stdout.contains("not checked: ")
    };
    folder.file(ACME_README, format!("{README}\nMore.\n"));
    assert!(!is_listed());
    folder.file(&format!("{bad}/README.md"), format!("{README}\nMore.\n"));
    assert!(is_listed());
}

#[cfg(unix)]
#[test]
fn runs_no_git_command_twice() {
    let (folder, outside) = (repository(), Folder::new());
    let (mark, usual) = (outside.path().join("asked"), std::env::var("PATH").unwrap());
    let script = format!(
        "echo >> '{}'\nPATH='{usual}' exec git \"$@\"",
        mark.display()
    );
    write_program(&outside.path().join("git"), &script);
    let path = format!("{}:{usual}", outside.path().display());
    let processes = |revision: &str| {
        let check = format!("check --since {revision}");
        let output = run_with(folder.path(), &check, &[("PATH", &path)]);
        assert_eq!(output.code, 0, "{output:?}");
        let asked = fs::read_to_string(&mark).unwrap();
        fs::remove_file(&mark).unwrap();
        asked.lines().count()
    };
    assert_eq!(processes("HEAD"), 4);
    folder_commit(&folder, "More.");
    assert_eq!(processes("HEAD~1"), 6);
    folder.file("README.md", "Edited\n");
    folder.file(ACME_README, README.replace("Run", "Do"));
    assert_eq!(processes("HEAD"), 4);
    assert_eq!(processes("HEAD~1"), 6);
}

#[test]
fn an_earlier_text_that_is_too_large_is_named() {
    let folder = Folder::with_tree();
    let large = "#".repeat(5 * 1024 * 1024);
    folder.file(ACME_REPORT, report() + &large);
    folder.commit();
    folder.file(ACME_REPORT, report());
    let output = folder.run("check --since HEAD");
    assert!(
        words_of(&output.stdout).contains(&format!(
            "not checked: {ACME}/{NAME}: its earlier version: it is larger than 4 MiB"
        )),
        "{}",
        output.stdout
    );
    assert_eq!(output.code, 0);
}

fn failure(output: &Output) -> (i32, &str) {
    (output.code, output.stderr.trim_end())
}

#[test]
fn revisions_that_git_does_not_resolve_are_reported_with_advice() {
    let folder = repository();
    assert_eq!(
        failure(&folder.run("check --since nowhere")),
        (2, "error: --since: unknown commit `nowhere`")
    );
    for revision in ["-x", "--output=x", ""] {
        let arguments = [
            "check".to_owned(),
            "--since".to_owned(),
            revision.to_owned(),
        ];
        let output = crate::support::run(folder.path(), &arguments);
        let expected = format!(
            "error: --since: `{revision}` is not a revision; expected a branch, a tag or a commit, such as origin/main"
        );
        assert_eq!(failure(&output), (2, expected.as_str()));
    }
    let part = folder.run(&format!("check {ACME} --since HEAD"));
    assert_eq!(part.code, 2, "{part:?}");
    let nowhere = Folder::with_tree();
    let output = nowhere.run("check --since HEAD");
    assert_eq!(output.code, 3);
    output.stderr_has("not a git repository");
    nowhere.git("init --quiet");
    let output = nowhere.run("check --since main~1");
    assert_eq!(
        failure(&output),
        (2, "error: --since: unknown commit `main~1`")
    );
}

#[test]
fn before_the_first_commit_everything_is_new() {
    let folder = Folder::with_tree();
    folder.git("init --quiet");
    let good = folder.run("check --since HEAD --tracked-only");
    assert_eq!(good.code, 0, "{good:?}");
    folder.file(ACME_REPORT, report().replace(DATE, "-"));
    let untracked = folder.run("check --since HEAD --tracked-only");
    assert_eq!(untracked.code, 0, "{untracked:?}");
    folder.git("add --all");
    let bad = folder.run("check --since HEAD --tracked-only");
    assert_eq!(bad.code, 1, "{bad:?}");
    assert_eq!(kinds(&since(&folder, "HEAD")), [format!("new {NAME}")]);
}

#[test]
fn omits_untracked_files_on_request() {
    let folder = repository();
    let other = "conformance/reports/v1.5/bad-operator";
    folder.submission(other);
    folder.file(&format!("{other}/{NAME}"), report().replace(DATE, "-"));
    assert_eq!(folder.run("check --since HEAD").code, 1);
    let tracked = folder.run("check --since HEAD --tracked-only");
    assert_eq!(tracked.code, 0, "{tracked:?}");
    assert_eq!(
        folder.run("check --tracked-only").code,
        2,
        "without --since"
    );
    folder.git("add --all");
    assert_eq!(folder.run("check --since HEAD --tracked-only").code, 1);
}

#[test]
fn reports_a_missing_git() {
    let folder = repository();
    let output = Command::new(env!("CARGO_BIN_EXE_gwconform"))
        .args(["check", "--since", "HEAD"])
        .current_dir(folder.path())
        .env_clear()
        .env("PATH", folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error: git not found: install it, or add it to PATH\n"
    );
}

#[test]
fn a_shallow_clone_says_what_is_missing_and_works_once_it_is_there() {
    let origin = repository();
    origin.git("branch work");
    folder_commit(&origin, "More.");
    origin.git("checkout --quiet work");
    folder_commit(&origin, "Other.");
    let clone = Folder::new();
    let url = format!("file://{}", origin.path().display());
    let here = clone.path();
    git(
        here,
        &["clone", "--quiet", "--depth=1", "--branch=work", &url, "."],
    );
    let before = clone.run("check --since HEAD~1");
    assert_eq!(before.code, 3);
    assert!(
        before.stderr.contains("git fetch --deepen") && !before.stderr.contains("BRANCH"),
        "{}",
        before.stderr
    );
    let unknown = clone.run("check --since origin/main");
    assert_eq!(unknown.code, 3);
    unknown.stderr_has("unknown commit `origin/main`; a shallow clone");
    git(
        here,
        &[
            "fetch",
            "--quiet",
            "--depth=1",
            "origin",
            "main:refs/remotes/origin/main",
        ],
    );
    let apart = clone.run("check --since origin/main");
    assert_eq!(apart.code, 3);
    apart.stderr_has("share no commit; the clone is shallow");
    apart.stderr_has("git fetch --deepen");
    git(
        here,
        &[
            "fetch",
            "--quiet",
            "--deepen=1",
            "origin",
            "main:refs/remotes/origin/main",
            "work",
        ],
    );
    let deep = clone.run("check --since origin/main");
    assert_eq!((deep.code, deep.stderr.as_str()), (0, ""), "{deep:?}");
    deep.stdout_has("1 submission changed");
}

fn folder_commit(folder: &Folder, text: &str) {
    folder.file(ACME_README, format!("{README}\n{text}\n"));
    folder.commit();
}

fn run_with(folder: &Path, arguments: &str, variables: &[(&str, &str)]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_gwconform"))
        .args(crate::support::folder::words(arguments))
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env(EPOCH.0, EPOCH.1)
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    Output {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// Creates a folder like a bare repository, whose configuration runs a program when git looks up an
/// object.
fn fake_repository(folder: &Folder, below: &str, mark: &Path) {
    let config = format!(
        "[core]\n\trepositoryformatversion = 1\n\tbare = true\n\tfsmonitor = touch {mark}\n[extensions]\n\tpartialClone = origin\n[remote \"origin\"]\n\tpromisor = true\n\turl = ext::touch {mark}\n[protocol \"ext\"]\n\tallow = always\n[filter \"x\"]\n\tclean = touch {mark}\n[alias]\n\tdiff = !touch {mark}\n",
        mark = mark.display()
    );
    folder
        .file(&format!("{below}/config"), config)
        .file(
            &format!("{below}/HEAD"),
            format!("{}\n", "1234567890".repeat(4)),
        )
        .file(&format!("{below}/objects/.gitkeep"), "")
        .file(&format!("{below}/refs/.gitkeep"), "");
}

#[test]
fn a_folder_that_looks_like_a_repository_is_none_and_runs_nothing() {
    let outside = Folder::new();
    let mark = path(&outside, "MARK");
    let folder = repository();
    fake_repository(&folder, "conformance/reports", &mark);
    folder.commit();
    folder.file(ACME_README, format!("{README}\nMore.\n"));
    let output = folder.run("check --since HEAD");
    assert!(!mark.exists(), "a program of the tree ran");
    output.stdout_has("1 submission changed");
    // git resolves a revision with a path from the working directory.
    let below = path(&folder, "conformance/reports");
    let arguments = format!("diff HEAD:v1.5/acme-operator/{NAME} v1.5/acme-operator/{NAME}");
    let output = crate::support::run(&below, &crate::support::folder::words(&arguments));
    assert!(!mark.exists(), "a program of the tree ran");
    assert_eq!(output.code, 2, "{output:?}");
    let arguments = format!("diff HEAD:./v1.5/acme-operator/{NAME} v1.5/acme-operator/{NAME}");
    let output = crate::support::run(&below, &crate::support::folder::words(&arguments));
    assert_eq!(output.stdout, "No changes\n", "{output:?}");
    folder.remove(".git");
    let output = folder.run("check --since HEAD");
    assert!(!mark.exists(), "a program of the tree ran");
    output.stderr_has("not a git repository");
}

#[test]
fn the_environment_names_no_other_repository_and_no_program() {
    let outside = Folder::new();
    let mark = path(&outside, "MARK");
    fake_repository(&outside, "hostile", &mark);
    let hostile = path(&outside, "hostile").display().to_string();
    let touch = format!("touch {}", mark.display());
    let parameters = format!("'core.fsmonitor'='{touch}'");
    let folder = repository();
    folder.file(ACME_README, format!("{README}\nMore.\n"));
    let expected = folder.run("check --since HEAD").stdout;
    let objects = format!("{hostile}/objects");
    let index = format!("{hostile}/index");
    for variables in [
        [("GIT_DIR", hostile.as_str())].as_slice(),
        &[
            ("GIT_DIR", hostile.as_str()),
            ("GIT_WORK_TREE", hostile.as_str()),
        ],
        &[("GIT_WORK_TREE", hostile.as_str())],
        &[("GIT_COMMON_DIR", hostile.as_str())],
        &[("GIT_INDEX_FILE", index.as_str())],
        &[("GIT_OBJECT_DIRECTORY", objects.as_str())],
        &[("GIT_NAMESPACE", "x"), ("GIT_PREFIX", "x/")],
        &[("GIT_LITERAL_PATHSPECS", "1")],
        &[("GIT_EXTERNAL_DIFF", touch.as_str())],
        &[("GIT_CONFIG_PARAMETERS", parameters.as_str())],
        &[("GIT_EXEC_PATH", hostile.as_str())],
        &[
            ("GIT_CONFIG_COUNT", "2"),
            ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
            ("GIT_CONFIG_VALUE_0", touch.as_str()),
            ("GIT_CONFIG_KEY_1", "core.bare"),
            ("GIT_CONFIG_VALUE_1", "true"),
        ],
        &[("GIT_TRACE", mark.to_str().unwrap())],
    ] {
        let output = run_with(folder.path(), "check --since HEAD", variables);
        assert_eq!(output.stdout, expected, "{variables:?}: {}", output.stderr);
        assert!(!mark.exists(), "{variables:?}");
    }
    // Users control their own configuration, but even its programs do not run.
    let config = path(&outside, "config");
    let text = format!(
        "[safe]\n\tdirectory = *\n[core]\n\tfsmonitor = {touch}\n\thooksPath = {hostile}\n[protocol \"ext\"]\n\tallow = always\n"
    );
    fs::write(&config, text).unwrap();
    let variables = [("GIT_CONFIG_GLOBAL", config.to_str().unwrap())];
    let output = run_with(folder.path(), "check --since HEAD", &variables);
    assert_eq!((output.stdout, mark.exists()), (expected, false));
}

#[test]
fn attributes_of_a_change_run_no_filter() {
    let outside = Folder::new();
    let mark = path(&outside, "MARK");
    let folder = repository();
    let touch = format!("touch {}; cat", mark.display());
    for name in ["x", "a=b.c"] {
        for key in ["clean", "smudge", "process"] {
            git(
                folder.path(),
                &["config", &format!("filter.{name}.{key}"), &touch],
            );
        }
        git(
            folder.path(),
            &["config", &format!("filter.{name}.required"), "true"],
        );
        git(
            folder.path(),
            &["config", &format!("diff.{name}.textconv"), &touch],
        );
        git(
            folder.path(),
            &["config", &format!("diff.{name}.command"), &touch],
        );
    }
    for name in ["x", "a=b.c"] {
        folder.file(".gitattributes", format!("* filter={name} diff={name}\n"));
        folder.submission(ACME);
        folder.file("conformance/reports/README.md", "# Another\n");
        let output = folder.run("check --since HEAD");
        assert!(!mark.exists(), "the filter {name} ran");
        output.stdout_has("1 warning in 0 changed submissions");
    }
}

/// The attribute `ident` hides this broken link from git.
const HIDDEN_LINK: &str = "See <!-- $Id: --> [x](./nowhere.yaml) <!-- $ -->\n";

fn repository_with_ident() -> Folder {
    let folder = repository();
    folder.file(ACME_README, format!("{README}\nSee <!-- $Id$ -->\n"));
    folder.commit();
    folder
}

fn hide_link(folder: &Folder) {
    let readme = format!("{README}\n{HIDDEN_LINK}");
    folder.file(ACME_README, readme);
}

#[test]
fn attributes_of_a_change_hide_no_edit() {
    let dead_link = format!("readme/dead-link {ACME}/README.md 13:23");
    for place in [
        "",
        "conformance/",
        "conformance/reports/",
        &format!("{ACME}/"),
    ] {
        let folder = repository_with_ident();
        let attributes = format!("{place}.gitattributes");
        folder.file(&attributes, "*.md ident\n");
        hide_link(&folder);
        let named = format!("change/git-attributes {attributes}");
        for revision in ["HEAD", "HEAD~1"] {
            let found = found(&folder, revision);
            assert!(found.contains(&dead_link), "{place} {revision}: {found:?}");
            assert!(found.contains(&named), "{place} {revision}: {found:?}");
            assert_eq!(folder.run(&format!("check --since {revision}")).code, 1);
            folder.commit();
        }
    }
}

#[test]
fn attributes_of_the_base_hide_no_stored_edit() {
    let folder = repository_with_ident();
    folder.file(".gitattributes", "*.md ident\n");
    folder.commit();
    hide_link(&folder);
    let readme = format!("{ACME}/README.md");
    let id = git(
        folder.path(),
        &["hash-object", "--no-filters", "-w", &readme],
    );
    let entry = format!("100644,{},{readme}", id.trim());
    git(folder.path(), &["update-index", "--cacheinfo", &entry]);
    git(folder.path(), &["commit", "--quiet", "--message=A commit"]);
    let found = found(&folder, "HEAD~1");
    assert_eq!(found, [format!("readme/dead-link {ACME}/README.md 13:23")]);
}

#[test]
fn attributes_without_a_submission_are_a_warning() {
    let folder = repository();
    folder.file(".gitattributes", "*.rs text\n");
    let output = folder.run("check --since HEAD");
    assert_eq!(output.code, 0, "{output:?}");
    output.stdout_has("warning[change/git-attributes]");
    folder.file("src/.gitattributes", "*.rs text\n");
    let found = found(&folder, "HEAD");
    assert_eq!(found, ["change/git-attributes .gitattributes"]);
}

#[cfg(unix)]
#[test]
fn a_git_of_the_tree_is_not_run() {
    let folder = repository();
    let mark = path(&folder, "MARK");
    let below = path(&folder, "conformance/reports/git");
    write_program(&below, &format!("touch {}", mark.display()));
    let all = format!(".::{}", std::env::var("PATH").unwrap());
    let output = run_with(folder.path(), "check --since HEAD", &[("PATH", &all)]);
    assert_eq!((output.code, mark.exists()), (0, false), "{output:?}");
}

#[test]
fn linked_working_trees_and_submodules_are_repositories() {
    let folder = repository();
    let others = Folder::new();
    let linked = path(&others, "linked");
    git(
        folder.path(),
        &[
            "worktree",
            "add",
            "--quiet",
            linked.to_str().unwrap(),
            "-b",
            "work",
        ],
    );
    others.git("init --quiet top");
    let top = path(&others, "top");
    git(
        &top,
        &[
            "submodule",
            "--quiet",
            "add",
            folder.path().to_str().unwrap(),
            "sub",
        ],
    );
    let bare = path(&others, "bare");
    let here = folder.path().to_str().unwrap();
    git(others.path(), &["clone", "--quiet", "--bare", here, "bare"]);
    git(&bare, &["worktree", "add", "--quiet", "../of-bare"]);
    for tree in [linked, top.join("sub"), path(&others, "of-bare")] {
        let readme = tree.join(ACME).join("README.md");
        fs::write(readme, format!("{README}\nMore.\n")).unwrap();
        let output =
            crate::support::run(&tree, &crate::support::folder::words("check --since HEAD"));
        assert_eq!(output.code, 0, "{}: {output:?}", tree.display());
        output.stdout_has("1 submission changed");
        let arguments = format!("diff HEAD:{ACME}/{NAME} {ACME}/{NAME}");
        let output = crate::support::run(&tree, &crate::support::folder::words(&arguments));
        assert_eq!(output.stdout, "No changes\n", "{output:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_repository_of_somebody_else_is_not_trusted() {
    let folder = repository();
    if std::os::unix::fs::chown(path(&folder, ".git"), Some(12345), None).is_err() {
        return;
    }
    let output = folder.run("check --since HEAD");
    assert_eq!(output.code, 3);
    output.stderr_has("detected dubious ownership");
    let config = path(&folder, "trusted");
    fs::write(&config, "[safe]\n\tdirectory = *\n").unwrap();
    let variables = [("GIT_CONFIG_GLOBAL", config.to_str().unwrap())];
    let output = run_with(folder.path(), "check --since HEAD", &variables);
    assert_eq!(output.code, 0, "{output:?}");
}

/// The files of a submodule are not in the repository, but a recursive clone adds them.
#[test]
fn a_submodule_in_the_tree_is_a_change() {
    let folder = repository();
    let head = folder.git("rev-parse HEAD");
    let at = "conformance/reports/v1.5/hidden";
    let entry = format!("160000,{},{at}", head.trim());
    git(
        folder.path(),
        &["update-index", "--add", "--cacheinfo", &entry],
    );
    // Without `--recurse-submodules`, the working tree has only an empty folder.
    fs::create_dir(path(&folder, at)).unwrap();
    folder.file(
        ".gitmodules",
        format!(
            "[submodule \"x\"]\n\tpath = {at}\n\turl = https://evil.example/x\n\tignore = all\n"
        ),
    );
    for message in ["", "--message=A submodule"] {
        if !message.is_empty() {
            folder.git("add .gitmodules");
            git(folder.path(), &["commit", "--quiet", message]);
        }
        let output = folder.run(&format!("check --since {}", head.trim()));
        assert_eq!(output.code, 1, "{output:?}");
        let expected =
            format!("error[tree/readme-missing]: the submission has no README.md\n--> {at}");
        output.stdout_has(&expected);
    }
}

#[test]
fn fetches_nothing_for_a_partial_clone() {
    let origin = repository();
    origin.git("config uploadpack.allowFilter true");
    let edited = report().replace("Passed: 13", "Passed: 12");
    origin.file(ACME_REPORT, edited);
    origin.commit();
    let url = format!("file://{}", origin.path().display());
    for filter in ["blob:none", "tree:0"] {
        let clone = Folder::new();
        let filter = format!("--filter={filter}");
        git(clone.path(), &["clone", "--quiet", &filter, &url, "."]);
        let before = contents(clone.path());
        let old = format!("HEAD~1:{ACME}/{NAME}");
        for arguments in ["check --since HEAD~1", &format!("diff {old} {ACME}/{NAME}")] {
            let output = clone.run(arguments);
            assert_eq!((output.code, output.stdout.as_str()), (3, ""), "{output:?}");
            let expected = "the clone is partial, and gwconform does not fetch; expected a full clone (run `git fetch --refetch --no-filter`)";
            output.stderr_has(expected);
        }
        assert_eq!(contents(clone.path()), before);
        clone.git("fetch --quiet --refetch --no-filter");
        let output = clone.run("check --since HEAD~1 --select change");
        output.stdout_has("change/edited-results");
    }
}

const CONFIG: &str = "gwconform.toml";
const ALTERED: &str = "change/altered-configuration";

fn with_bad_report(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::with_tree();
    for (path, text) in files {
        folder.file(path, text);
    }
    folder.commit();
    folder.file(ACME_REPORT, report().replace(DATE, "-"));
    folder
}

fn judged(folder: &Folder, arguments: &str) -> Vec<String> {
    let mut found = lines(
        &folder.json(arguments)["findings"],
        "{severity} {rule} {path}",
    );
    found.retain(|line| !line.contains("change/unexpected-file"));
    found
}

#[test]
fn a_configuration_in_a_change_switches_nothing_off() {
    let date = format!("error report/date {ACME}/{NAME}");
    let warned = |path: &str| format!("warning {ALTERED} {path}");
    let off = "[rules]\nreport = \"off\"\nchange = \"off\"\n";
    let mild = "[rules]\n\"report/date\" = \"info\"\n";
    let ignore = "[[ignore]]\nrule = \"report/date\"\npath = \"**\"\nreason = \"x\"\n";
    let nearer = "conformance/reports/gwconform.toml";
    let base_of = "[policy]\nconformant-minors = 2\n";
    for text in [off, mild, ignore] {
        for (before, at) in [
            (None, CONFIG),
            (Some(base_of), CONFIG),
            (Some(base_of), nearer),
        ] {
            let files: Vec<(&str, &str)> = before.iter().map(|text| (CONFIG, *text)).collect();
            let folder = with_bad_report(&files);
            folder.file(at, text);
            let found = judged(&folder, "check --since HEAD");
            assert_eq!(found.len(), 2, "{text} {at}: {found:?}");
            assert!(
                found.contains(&date) && found.contains(&warned(at)),
                "{found:?}"
            );
            assert_eq!(folder.run("check --since HEAD").code, 1);
            let named = judged(&folder, &format!("check --since HEAD --config {at}"));
            assert!(
                named.contains(&date) && named.contains(&warned(at)),
                "{named:?}"
            );
        }
        let folder = with_bad_report(&[(CONFIG, text)]);
        let found = judged(&folder, "check --since HEAD");
        assert!(
            !found.contains(&date) && !found.contains(&warned(CONFIG)),
            "{found:?}"
        );
        // Files outside the repository belong to the user, and their paths are relative to their
        // folder.
        if text == ignore {
            continue;
        }
        let outside = Folder::new();
        outside.file(CONFIG, text);
        let folder = with_bad_report(&[]);
        let config = path(&outside, CONFIG);
        let found = judged(
            &folder,
            &format!("check --since HEAD --config {}", config.display()),
        );
        assert!(
            !found.contains(&date) && !found.contains(&warned(CONFIG)),
            "{found:?}"
        );
    }
}

#[test]
fn a_change_that_starts_at_an_old_commit_is_not_judged_by_its_configuration() {
    let folder = Folder::with_tree();
    folder.file(CONFIG, "[rules]\nreport = \"off\"\n");
    folder.commit();
    folder.git("branch work");
    folder.remove(CONFIG);
    folder.commit();
    folder.git("checkout --quiet work");
    folder.file(ACME_REPORT, report().replace(DATE, "-"));
    let date = format!("error report/date {ACME}/{NAME}");
    assert_eq!(judged(&folder, "check --since main"), [date.as_str()]);
    folder.git("stash --quiet");
    folder.git("checkout --quiet main");
    folder.file(
        "conformance/reports/gwconform.toml",
        "[rules]\nreport = \"info\"\n",
    );
    folder.commit();
    folder.git("checkout --quiet work");
    folder.git("stash pop --quiet");
    let mild = date.replace("error", "info");
    assert_eq!(judged(&folder, "check --since main"), [mild.as_str()]);
}

#[test]
fn a_configuration_that_a_change_takes_away_still_holds() {
    let strict = "[rules]\n\"readme/row-link\" = \"error\"\n\"report/contact\" = \"error\"\n\n[policy]\nconformant-minors = 1\n";
    let folder = Folder::with_tree();
    folder.file(CONFIG, strict);
    folder.commit();
    let bad = report().replace("'@acme/maintainers'", "'acme maintainers'");
    folder.file(ACME_REPORT, bad);
    let severe = judged(&folder, "check --since HEAD --select report/contact");
    assert_eq!(severe, [format!("error report/contact {ACME}/{NAME}")]);
    let expected = [severe[0].clone(), format!("warning {ALTERED} {CONFIG}")];
    folder.remove(CONFIG);
    let found = judged(&folder, "check --since HEAD --select report/contact");
    assert_eq!(found, expected);
    #[cfg(unix)]
    {
        folder.file("other.toml", "");
        folder.link(CONFIG, "other.toml");
        let output = folder.run("check --since HEAD");
        assert_eq!((output.code, output.stdout.as_str()), (2, ""));
        output.stderr_has("is a symbolic link");
    }
}

#[test]
fn a_configuration_that_cannot_be_read_is_replaced_by_one_that_can() {
    let folder = with_bad_report(&[(CONFIG, "rules = 1\n")]);
    folder.file(CONFIG, "[rules]\nreport = \"off\"\n");
    let output = folder.run("check --since HEAD");
    output.stdout_has("error[report/date]");
    assert!(
        words_of(&output.stdout).contains("the version of `HEAD` is invalid"),
        "{output:?}"
    );
    folder.file(CONFIG, "rules = 2\n");
    assert_eq!(folder.run("check --since HEAD").code, 2);
}

#[test]
fn configuration_warning_cannot_be_ignored() {
    let folder = with_bad_report(&[]);
    folder.file(CONFIG, "[rules]\nchange = \"off\"\n");
    for more in [
        "",
        " --select report/date",
        " --ignore change",
        " --select yaml",
    ] {
        for format in Format::ALL.map(Format::name) {
            let output = folder.run(&format!("check --since HEAD --format {format}{more}"));
            assert!(
                output.stdout.contains(ALTERED),
                "{format}{more}: {output:?}"
            );
        }
    }
    let quoted = format!("\"{ALTERED}\"");
    for text in [
        format!("[rules]\n{quoted} = \"info\"\n"),
        format!("[[ignore]]\nrule = {quoted}\npath = \"**\"\nreason = \"x\"\n"),
    ] {
        folder.file(CONFIG, text);
        let output = folder.run("check --since HEAD");
        assert_eq!(output.code, 2, "{output:?}");
        output.stderr_has("cannot be configured");
    }
    folder.remove(CONFIG);
    let entry = serde_json::json!({
        "version": 2,
        "accepted": [{"path": "baseline.json", "rule": ALTERED}],
    });
    folder.file("baseline.json", entry.to_string());
    let output = folder.run("check --since HEAD --baseline baseline.json");
    assert_eq!(output.code, 2, "{output:?}");
    output.stderr_has("cannot be accepted");
}

#[test]
fn baseline_in_a_change_accepts_nothing() {
    let folder = with_bad_report(&[]);
    fs::create_dir(path(&folder, "ci")).unwrap();
    folder.run("check --write-baseline ci/baseline.json");
    let arguments = "check --since HEAD --baseline ci/baseline.json";
    let date = format!("error report/date {ACME}/{NAME}");
    let warned = format!("warning {ALTERED} ci/baseline.json");
    assert_eq!(judged(&folder, arguments), [warned.clone(), date.clone()]);
    folder.commit();
    folder.file(ACME_README, README);
    assert_eq!(judged(&folder, arguments), Vec::<String>::new());
    assert!(
        folder
            .run(arguments)
            .stdout
            .contains("1 accepted by the baseline")
    );
    let second = "conformance/reports/v1.5/bad-operator";
    folder.submission(second);
    folder.file(
        &format!("{second}/{NAME}"),
        report().replace(DATE, "-").replace("acme", "umbrella"),
    );
    folder.run("check --write-baseline ci/baseline.json");
    let found = judged(&folder, arguments);
    let bad = format!("error report/date {second}/{NAME}");
    assert!(found.contains(&warned) && found.contains(&bad), "{found:?}");
    assert!(!found.contains(&date), "{found:?}");
    // A baseline outside the repository belongs to the user.
    let outside = Folder::new();
    let path = path(&outside, "baseline.json");
    folder.run(&format!("check --write-baseline {}", path.display()));
    let found = judged(
        &folder,
        &format!("check --since HEAD --baseline {}", path.display()),
    );
    assert!(
        !found.contains(&bad) && !found.iter().any(|one| one.contains(ALTERED)),
        "{found:?}"
    );
}

#[test]
fn release_facts_in_a_change_hide_nothing() {
    let folder = repository();
    let facts = path(&folder, "facts");
    fs::create_dir_all(&facts).unwrap();
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/registry");
    let text = fs::read_to_string(built_in.join("v1.5.0.json")).unwrap();
    folder.commit();
    folder.file(
        ACME_REPORT,
        report()
            .replace("Passed: 13", "Passed: 12")
            .replace(DATE, "2026-05-21T10:15:30Z"),
    );
    let before = judged(&folder, "check --since HEAD");
    assert!(
        before
            .iter()
            .any(|one| one.contains("report/core-tests-missing")),
        "{before:?}"
    );
    let mut facts: Value = serde_json::from_str(&text).unwrap();
    facts["tests"]["GRPCRouteWeight"] =
        serde_json::json!({"features": ["Gateway", "GRPCRoute"], "provisional": true});
    folder.file("facts/v1.5.0.json", facts.to_string());
    let alone = judged(&folder, "check --registry facts");
    assert!(!before.iter().any(|one| alone.contains(one)), "{alone:?}");
    let found = judged(&folder, "check --since HEAD --registry facts");
    for one in &before {
        assert!(found.contains(one), "{one}: {found:?}");
    }
    assert!(
        found.contains(&format!("warning {ALTERED} facts/v1.5.0.json")),
        "{found:?}"
    );
    let outside = Folder::new();
    outside.file("v1.5.0.json", facts.to_string());
    let found = judged(
        &folder,
        &format!("check --since HEAD --registry {}", outside.path().display()),
    );
    assert!(!found.iter().any(|one| one.contains(ALTERED)), "{found:?}");
}

#[test]
fn release_facts_that_a_change_configures_hide_nothing() {
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/registry");
    let text = fs::read_to_string(built_in.join("v1.5.0.json")).unwrap();
    // The configuration cannot replace built-in data, so use an unknown patch.
    let text = text.replacen("v1.5.0", "v1.5.2", 1);
    let mut forgiving: Value = serde_json::from_str(&text).unwrap();
    forgiving["tests"]["GRPCRouteWeight"] =
        serde_json::json!({"features": ["Gateway", "GRPCRoute"], "provisional": true});
    let configure = |folder: &Folder, name: &str, text: &str| {
        folder.file("gwconform.toml", format!("registry = \"{name}\"\n"));
        folder.file(&format!("{name}/v1.5.2.json"), text);
    };
    for (before, after) in [
        (None, "facts"),
        (Some("facts"), "facts"),
        (Some("old"), "facts"),
    ] {
        let folder = repository();
        if let Some(name) = before {
            configure(&folder, name, &text);
            folder.commit();
        }
        folder.file(
            ACME_REPORT,
            report()
                .replace("v1.5.1", "v1.5.2")
                .replace("Passed: 13", "Passed: 12")
                .replace(DATE, "2026-05-21T10:15:30Z"),
        );
        configure(&folder, after, &forgiving.to_string());
        let missing = |one: &String| one.contains("report/core-tests-missing");
        let alone = judged(&folder, "check");
        assert!(!alone.iter().any(missing), "{before:?}: {alone:?}");
        let found = judged(&folder, "check --since HEAD");
        assert!(found.iter().any(missing), "{before:?}: {found:?}");
        assert!(
            found
                .iter()
                .any(|one| one.starts_with(&format!("warning {ALTERED} "))),
            "{before:?}: {found:?}"
        );
    }
}

#[test]
fn the_verdicts_by_a_policy_in_a_change_are_previewed() {
    let folder = Folder::new();
    sample(&folder, &["v1.5.0", "v1.5.1", "v1.6.0"]);
    folder.commit();
    let standings = |folder: &Folder| -> Vec<String> {
        let since = since(folder, "HEAD");
        let verdicts = since["verdicts"].as_array().unwrap().iter();
        let words = verdicts.map(|one| {
            let [before, after] =
                ["before", "after"].map(|side| one[side]["standing"].as_str().unwrap_or("-"));
            assert_eq!(one["by_configuration"], true, "{one}");
            format!("{before}, {after}")
        });
        words.collect()
    };
    let config = "conformance/reports/gwconform.toml";
    assert_eq!(standings(&folder), Vec::<String>::new());
    folder.file(
        config,
        "[policy]\nconformant-minors = 50\npartially-conformant-minors = 50\n",
    );
    let better = standings(&folder);
    let conformant = "partially-conformant, conformant".to_owned();
    assert!(better.contains(&conformant), "{better:?}");
    let shown = folder.run("check --since HEAD").stdout;
    assert!(shown.contains("  With the new configuration:\n"), "{shown}");
    folder.file(config, "[policy]\nnewest-minor = \"v1.30\"\n");
    let worse = standings(&folder);
    assert!(!worse.is_empty());
    assert!(
        worse.iter().all(|one| one.ends_with(", not-current")),
        "{worse:?}"
    );
}

#[test]
fn the_name_of_a_known_implementation_is_not_taken_silently() {
    let details = |name: &str| {
        format!(
            "kind: ImplementationListDetails\norganization: acme\nproject: operator\nfullName: {name}\n"
        )
    };
    let file = "conformance/list/implementations/acme/details.yaml";
    let folder = repository();
    folder.file(file, details("Umbrella"));
    folder.file(ACME_README, format!("{README}\nMore.\n"));
    assert_eq!(
        judged(&folder, "check --since HEAD"),
        [format!("warning {ALTERED} {file}")]
    );
    assert_eq!(
        since(&folder, "HEAD")["verdicts"][0]["name"],
        "acme/operator"
    );
    folder.commit();
    folder.file(ACME_README, README);
    assert_eq!(judged(&folder, "check --since HEAD"), Vec::<String>::new());
    assert_eq!(since(&folder, "HEAD")["verdicts"][0]["name"], "Umbrella");
    folder.remove(file);
    assert_eq!(
        judged(&folder, "check --since HEAD"),
        [format!("warning {ALTERED} {file}")]
    );
    assert_eq!(since(&folder, "HEAD")["verdicts"][0]["name"], "Umbrella");
}

#[test]
fn findings_that_are_only_counted_are_compared_by_number() {
    let folder = Folder::with_tree();
    let write = |keys: &mut dyn Iterator<Item = usize>| {
        let keys = keys.map(|nth| format!("key{nth}: 1\n"));
        folder.file(ACME_REPORT, report() + &keys.collect::<String>());
    };
    write(&mut (0..150));
    folder.commit();
    write(&mut (0..150).filter(|nth| *nth != 3));
    assert_eq!(found(&folder, "HEAD"), [""; 0]);
    write(&mut (0..152));
    let messages = lines(&folder.json("check --since HEAD")["findings"], "{message}");
    assert_eq!(messages, ["2 more findings of this rule not shown"]);
}

#[test]
fn folders_that_repeat_one_another_end_the_comparison() {
    let folder = repository();
    let here = folder.path();
    let change = git(here, &["rev-parse", "HEAD"]);
    // Each tree contains the previous one twice: 2^14 reports in 16 objects.
    git(here, &["read-tree", "--empty"]);
    let blob = git(here, &["rev-parse", &format!("HEAD:{ACME}/{NAME}")]);
    let entry = format!("100644,{},a.yaml", blob.trim());
    git(here, &["update-index", "--add", "--cacheinfo", &entry]);
    for _ in 0..14 {
        let tree = git(here, &["write-tree"]);
        git(here, &["read-tree", "--empty"]);
        git(here, &["read-tree", "--prefix=a/", tree.trim()]);
        git(here, &["read-tree", "--prefix=b/", tree.trim()]);
    }
    let tree = git(here, &["write-tree"]);
    git(here, &["read-tree", change.trim()]);
    let below = format!("--prefix={ACME}-2/");
    git(here, &["read-tree", &below, tree.trim()]);
    let tree = git(here, &["write-tree"]);
    let base = git(here, &["commit-tree", tree.trim(), "-m", "The base"]);
    git(here, &["read-tree", change.trim()]);
    let parent = base.trim();
    let tree = git(here, &["write-tree"]);
    let head = git(
        here,
        &["commit-tree", tree.trim(), "-p", parent, "-m", "The change"],
    );
    git(here, &["reset", "--quiet", "--soft", head.trim()]);
    let output = folder.run(&format!("check --since {parent}"));
    let expected = format!(
        "error: --since: too many files of the tree differ from {parent}; expected at most 10000 with 64 MiB in all; compare with a more recent revision, or split the change"
    );
    assert_eq!(failure(&output), (3, expected.as_str()));
}

fn report_of(organization: &str, project: &str, version: &str, release: &str) -> String {
    report()
        .replace(
            "organization: acme",
            &format!("organization: {}", serde_json::json!(organization)),
        )
        .replace(
            "project: operator",
            &format!("project: {}", serde_json::json!(project)),
        )
        .replace("v2.14.0", version)
        .replace("v1.5.1", release)
}

fn put(folder: &Folder, below: &str, organization: &str, project: &str, count: usize) {
    let (release, _) = below.split_once('/').unwrap();
    let full = if release == "v1.5" { "v1.5.1" } else { release };
    for nth in 0..count {
        let version = format!("v3.{nth}.0");
        folder.file(
            &format!("conformance/reports/{below}/standard-{version}-default-report.yaml"),
            report_of(organization, project, &version, full),
        );
    }
}

const MOVED: &str = "check --since HEAD --select change/address-moved";

fn moved(folder: &Folder) -> (Vec<String>, i32) {
    let findings = folder.json(MOVED)["findings"].take();
    let messages = findings.as_array().unwrap().iter().map(|finding| {
        let severity = finding["severity"].as_str().unwrap();
        format!("{severity}: {}", finding["message"].as_str().unwrap())
    });
    let output = folder.run(MOVED);
    location::check(
        folder.path(),
        &crate::support::folder::words(MOVED),
        &output.stdout,
    );
    (messages.collect(), output.code)
}

const ALIAS_FIRST: &str = "keep the name, or first add `aliases = [\"acme/operator\"]` to the `[[implementation]]` entry of `acme/gate`, as a separate change";
const KEEP: &str =
    "keep a report of the implementation; its page, badges and feed vanish otherwise";

fn helps(folder: &Folder) -> Vec<String> {
    lines(&folder.json(MOVED)["findings"], "{help}")
}

#[test]
fn an_address_that_vanishes_is_an_error() {
    let gone =
        "error: `acme/operator` no longer has a report, so its address `acme/operator` vanishes";
    let folder = repository();
    put(&folder, "v1.4.1/gate", "acme", "operator", 1);
    folder.commit();
    folder.remove(ACME);
    assert_eq!(moved(&folder), (vec![], 0));
    folder.remove("conformance/reports/v1.4.1/gate");
    assert_eq!(moved(&folder), (vec![gone.to_owned()], 1));
    assert_eq!(helps(&folder), [KEEP]);
    // Also if another implementation exists, has the name already, or gets it.
    for others in [0, 1] {
        let folder = repository();
        put(&folder, "v1.4.1/gate", "acme", "gate", others);
        folder.commit();
        let renamed = report().replace("project: operator", "project: gate");
        folder.file(ACME_REPORT, renamed);
        assert_eq!(moved(&folder), (vec![gone.to_owned()], 1));
        assert_eq!(helps(&folder), [ALIAS_FIRST]);
        let found = found(&folder, "HEAD");
        let place = format!("change/address-moved {ACME}/{NAME} ");
        assert!(found.iter().any(|one| one.starts_with(&place)), "{found:?}");
        folder.file(
            "gwconform.toml",
            "[[implementation]]\norganization = 'acme'\nproject = 'gate'\naliases = ['acme/operator']\n",
        );
        folder.git("add gwconform.toml");
        folder.git("commit --quiet --message=Names");
        assert_eq!(moved(&folder), (vec![], 0));
    }
}

/// The words of an address end at separators, so another spelling can have another address.
#[test]
fn a_spelling_that_moves_an_address_is_an_error() {
    let folder = repository();
    let spelled = report().replace("project: operator", "project: Oper-ator");
    folder.file(ACME_REPORT, spelled);
    let message =
        "error: `acme/operator` moves from the address `acme/operator` to `acme/oper-ator`";
    assert_eq!(moved(&folder), (vec![message.to_owned()], 1));
    let spelled = report().replace("project: operator", "project: OPERATOR");
    folder.file(ACME_REPORT, spelled);
    assert_eq!(moved(&folder), (vec![], 0));
}

/// An alias in the configuration of a change joins the implementation of another project.
#[test]
fn a_configuration_in_a_change_takes_no_address() {
    let of_umbrella = "[[implementation]]\norganization = \"umbrella\"\nproject = \"gate\"\naliases = [\"acme/operator\"]\n";
    let folder = Folder::with_tree();
    put(&folder, "v1.5/umbrella-gate", "umbrella", "gate", 1);
    folder.commit();
    folder.file("gwconform.toml", of_umbrella);
    folder.file("more.md", "More notes\n");
    let message =
        "error: `acme/operator` moves from the address `acme/operator` to `umbrella/gate`";
    let (messages, code) = moved(&folder);
    assert_eq!(
        (&messages[0], code),
        (&message.to_owned(), 1),
        "{messages:?}"
    );
    folder.commit();
    folder.remove("gwconform.toml");
    let message =
        "error: `umbrella/gate` moves from the address `acme/operator` to `umbrella/gate`";
    let (mut messages, code) = moved(&folder);
    messages.retain(|message| message.starts_with("error"));
    assert_eq!((messages, code), (vec![message.to_owned()], 1));
}

/// Names with the same words in another order of organization and project, and names without ASCII
/// letters.
#[test]
fn reports_of_others_move_no_address() {
    let long = "x".repeat(100);
    let longer = format!("{long}yz");
    for (ours, theirs) in [
        (("a-b", "c"), ("a", "b-c")),
        (("a", "b c"), ("a b", "c")),
        ((long.as_str(), "gate"), (longer.as_str(), "gate")),
        (("шлюз", "а"), ("東京", "都")),
        (("aux", "\u{e9}"), ("aux", "\u{fc}")),
        (("acme", "x"), ("acme", "x-2")),
    ] {
        let folder = Folder::with_tree();
        put(&folder, "v1.5/ours", ours.0, ours.1, 1);
        folder.commit();
        put(&folder, "v1.1.1/theirs", theirs.0, theirs.1, 9);
        put(&folder, "v1.5/theirs", theirs.0, theirs.1, 9);
        assert_eq!(moved(&folder), (vec![], 0), "{ours:?}");
    }
}

#[test]
fn a_new_report_does_not_take_the_address_of_a_report() {
    let folder = repository();
    // This report has the same URL slug and an older version, so it would be sorted first.
    let name = "standard-v2-14-0-default-report.yaml";
    folder.file(
        &format!("{ACME}/{name}"),
        report_of("acme", "operator", "v2.0.0", "v1.5.1"),
    );
    let message = format!(
        "error: the report `{ACME}/{name}` takes the address `acme/operator/v1.5.1/standard-v2-14-0-default` from the report `{ACME}/{NAME}`, which moves to `acme/operator/v1.5.1/standard-v2-14-0-default-2`"
    );
    let short = |message: &str| message.replace(ACME, "…");
    let (messages, code) = moved(&folder);
    assert_eq!(
        messages.iter().map(|one| short(one)).collect::<Vec<_>>(),
        [short(&message)]
    );
    assert_eq!(code, 1);
    folder.rename(&format!("{ACME}/{name}"), &format!("{ACME}/x.yaml"));
    folder.commit();
    folder.file(
        &format!("conformance/reports/v1.5/aaa/{NAME}"),
        report_of("acme", "operator", "v0.0.1", "v1.5.1"),
    );
    assert_eq!(moved(&folder), (vec![], 0));
}

#[test]
fn a_report_that_is_renamed_moves_with_a_warning() {
    let folder = repository();
    let renamed = "standard-v2.14.0-other-report.yaml";
    folder.rename(ACME_REPORT, &format!("{ACME}/{renamed}"));
    let (messages, code) = moved(&folder);
    assert_eq!(messages.len(), 1);
    assert!(
        messages[0].starts_with("warning: the report `"),
        "{messages:?}"
    );
    assert_eq!(code, 0);
    let folder = repository();
    folder.file(ACME_REPORT, report().replace(DATE, "2026-04-01T00:00:00Z"));
    assert_eq!(moved(&folder), (vec![], 0));
}

const ALIKE: &str = "check --since HEAD --select tree/look-alike-name";

#[test]
fn a_name_that_looks_like_another_counts_where_the_change_brings_it() {
    for (organization, project) in [
        ("\u{430}\u{441}me", "operator"),
        ("acrne", "operator"),
        ("acme", "0perator"),
        ("acme", "operat\u{1d0f}r"),
        ("acrne", "anything"),
        ("\u{ff41}cme", "anything"),
    ] {
        let folder = repository();
        // More and older reports must not make the look-alike name the original.
        put(&folder, "v1.1.1/theirs", organization, project, 3);
        let findings = folder.findings(ALIKE);
        let path = "conformance/reports/v1.1.1/theirs/standard-v3.0.0-default-report.yaml";
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(
            findings[0].starts_with(&format!("tree/look-alike-name {path} ")),
            "{findings:?}"
        );
        assert_eq!(folder.run(ALIKE).code, 1);
        // A look-alike that already existed is not reported on later reports of the other name.
        put(&folder, "v1.5/acme-operator", "acme", "operator", 4);
        folder.commit();
        put(&folder, "v1.5/acme-operator", "acme", "operator", 5);
        assert_eq!(folder.findings(ALIKE), Vec::<String>::new());
    }
    let folder = repository();
    put(&folder, "v1.5/theirs", "Acme", "Oper-ator", 1);
    assert_eq!(folder.findings(ALIKE), Vec::<String>::new());
}
