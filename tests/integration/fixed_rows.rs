//! Tests that all findings of a row show one row to paste, that this row has no finding, and that
//! fixes write its cells.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use gwconform::rules;
use serde_json::Value;

use crate::support::folder::{Folder, NAME, README, report};
use crate::support::{page, words_of};

const RULES: &str = "readme/row-link,readme/row-mode,readme/row-spelling,readme/row-value";

type Place = (String, usize);

fn findings(folder: &Folder) -> Vec<(Place, Value)> {
    let json = folder.json(&format!("check --select {RULES}"));
    let findings = json["findings"].as_array().unwrap().iter();
    let place = |one: &Value| {
        let line = usize::try_from(one["line"].as_u64().unwrap()).unwrap();
        (one["path"].as_str().unwrap().to_owned(), line - 1)
    };
    findings.map(|one| (place(one), one.clone())).collect()
}

fn row(finding: &Value) -> Option<&str> {
    let help = finding["help"].as_str()?;
    let mut codes = help.split('`').skip(1).step_by(2);
    codes.find(|code| code.trim_start_matches([' ', '>']).starts_with('|'))
}

fn lines(folder: &Folder, path: &str) -> Vec<String> {
    let text = folder.read(path);
    text.lines().map(str::to_owned).collect()
}

fn cells(row: &str) -> Vec<&str> {
    row.split('|').map(str::trim).collect()
}

fn keeps_its_promises(folder: &Folder) -> usize {
    let mut rows: BTreeMap<Place, String> = BTreeMap::new();
    let mut kept = BTreeSet::new();
    for (place, finding) in findings(folder) {
        let Some(row) = row(&finding) else {
            continue;
        };
        let known = rows.entry(place.clone()).or_insert_with(|| row.to_owned());
        assert_eq!(known, row, "{finding:#}");
        // The suite writes `default` if no mode is set.
        if finding["help"].as_str().unwrap().contains("`--mode=") {
            kept.insert(place);
        }
    }
    let before: BTreeMap<&Place, String> = rows
        .keys()
        .map(|place| (place, lines(folder, &place.0)[place.1].clone()))
        .collect();
    for flag in ["--fix", "--unsafe-fixes"] {
        folder.run(&format!("check {flag} --select {RULES}"));
        for (place, row) in &rows {
            let fixed = &lines(folder, &place.0)[place.1];
            let (old, new) = (cells(&before[place]), cells(row));
            let is_of_row = cells(fixed).iter().enumerate().all(|(at, cell)| {
                // The fix of another row can make a page known.
                let open = new.get(at).and_then(|new| new.strip_suffix("…)"));
                let is_now_known = open.is_some_and(|open| cell.starts_with(open));
                is_now_known || old.get(at) == Some(cell) || new.get(at) == Some(cell)
            });
            assert!(is_of_row, "{flag} writes\n{fixed}\nbut the row is\n{row}");
        }
    }
    for ((path, line), row) in &rows {
        let mut text = lines(folder, path);
        text[*line] = row.replace("https://…", "https://acme.example/page");
        folder.file(path, text.join("\n"));
    }
    for (place, finding) in findings(folder) {
        let is_kept = kept.contains(&place) && finding["rule"] == "readme/row-mode";
        assert!(is_kept || !rows.contains_key(&place), "{finding:#}");
    }
    rows.len()
}

#[test]
fn fixes_rows_of_the_real_tree() {
    let Some(corpus) = crate::support::corpus() else {
        return;
    };
    let folder = Folder::new();
    let copied = Command::new("cp")
        .arg("-R")
        .arg(corpus.join("gateway-api/conformance/reports"))
        .arg(folder.path().join("reports"))
        .status();
    assert!(copied.unwrap().success());
    let shown = keeps_its_promises(&folder);
    assert!(shown > 50, "{shown}");
}

#[test]
fn fixes_rows_on_the_rule_pages() {
    let mut shown = 0;
    for rule in rules::ALL.iter().filter(|rule| rule.group() == "readme") {
        for example in page::examples(rule.doc) {
            if example.expected.contains("= help") {
                let folder = Folder::new();
                page::write_files(folder.path(), &example);
                shown += keeps_its_promises(&folder);
            }
        }
    }
    assert!(shown > 5, "{shown}");
}

#[test]
fn fixes_rows_with_several_mistakes() {
    let channels = ["standard", "Standard", "", "experimental", "x"];
    let versions = [
        "[v2.14.0](https://acme.example/v2.14.0)",
        "v2.14.0",
        "2.14",
        "[2.14]",
        "[2.14.0](https://acme.example/v2.14.0)",
        "[2.14.0](https://acme.example/v2.13.0)",
        "[v2.14.0](https://acme.example/v2.13.0)",
        "[v2.13.0](https://acme.example/v2.13.0)",
        "[v2.13.0](https://acme.example/v2.12.0)",
        "v2.13.0",
        "2.14 https://acme.example/v2.14.0",
        "[2.14 (LTS)](https://acme.example/v2.14.0)",
        "2.14 (LTS)",
        "",
    ];
    let modes = ["default", "Default", "hybrid", "x"];
    let reports = [
        "[v2.14.0 report](./NAME)",
        "[link](./NAME)",
        "[nightly](./NAME)",
        "./NAME",
        "[v2.14.0 report](./standard-v2.14-default-report.yaml)",
    ];
    let row = README
        .lines()
        .find(|line| line.starts_with("| standard"))
        .unwrap();
    for with_page in [false, true] {
        let report = if with_page {
            report().replace("https://acme.example", "https://github.com/acme/operator")
        } else {
            report()
        };
        let folder = Folder::new();
        let mut count = 0;
        for (at, channel) in channels.iter().enumerate() {
            for (v, version) in versions.iter().enumerate() {
                for (m, mode) in modes.iter().enumerate() {
                    for (r, link) in reports.iter().enumerate() {
                        let mistakes = [at, v, m, r].iter().filter(|at| **at > 0).count();
                        if mistakes > 2 || (v == 0 && mistakes == 0) {
                            continue;
                        }
                        let link = link.replace("NAME", NAME);
                        let written = format!("| {channel} | {version} | {mode} | {link} |");
                        let submission = format!("reports/v1.5/acme-{count}");
                        folder
                            .file(
                                &format!("{submission}/README.md"),
                                README.replace(row, &written),
                            )
                            .file(&format!("{submission}/{NAME}"), &report);
                        count += 1;
                    }
                }
            }
        }
        let shown = keeps_its_promises(&folder);
        assert!(shown > count * 3 / 4, "{shown} of {count}");
        folder.remove("reports");
    }
}

fn submission(version: &str, mode: &str, name: &str, row: &str) -> Folder {
    let folder = Folder::new();
    let old = README.lines().find(|line| line.starts_with("| standard"));
    let report = report()
        .replace("v2.14.0", version)
        .replace("mode: default", &format!("mode: {mode}"));
    let place = "reports/v1.5/acme-operator";
    folder
        .file(
            &format!("{place}/README.md"),
            README.replace(old.unwrap(), row),
        )
        .file(&format!("{place}/{name}"), report);
    folder
}

fn row_after(folder: &Folder, flag: &str) -> String {
    folder.run(&format!("check {flag}"));
    let readme = fs::read_to_string(folder.path().join("reports/v1.5/acme-operator/README.md"));
    let readme = readme.unwrap();
    let mut rows = readme.lines().filter(|line| line.contains("-report.yaml"));
    let row = rows.next().unwrap().to_owned();
    assert_eq!(rows.next(), None);
    row
}

#[test]
fn a_row_is_repaired_whole_or_not_at_all() {
    for (version, before, after) in [
        (
            "1.30.1",
            "| standard | [1.30.0](https://acme.example/tag/1.30.0-alpha.2) | default | [1.30.0 report](./NAME) |",
            "| standard | [1.30.1](https://acme.example/tag/1.30.1) | default | [1.30.1 report](./NAME) |",
        ),
        (
            "v1.16.0",
            "| standard | [1.16](https://acme.example/tag/1.16.0) | default | [v1.16 report](./NAME) |",
            "| standard | [v1.16.0](https://acme.example/tag/1.16.0) | default | [v1.16 report](./NAME) |",
        ),
        (
            "v1.16.0",
            "| standard | [1.16](https://acme.example/tag/1.16.0) | default | [1.16 nightly report](./NAME) |",
            "| standard | [v1.16.0](https://acme.example/tag/1.16.0) | default | [1.16 nightly report](./NAME) |",
        ),
    ] {
        let name = format!("standard-{version}-default-report.yaml");
        let [before, after] = [before, after].map(|row| row.replace("NAME", &name));
        let folder = submission(version, "default", &name, &before);
        assert_eq!(row_after(&folder, "--unsafe-fixes"), after, "{version}");
    }
    for (version, row) in [
        // The release page of the report's version is unknown.
        (
            "v2.1.0-main",
            "| standard | [main](https://github.com/acme/operator) | default | [Link](./NAME) |",
        ),
        (
            "v1.30.1",
            "| standard | [v1.29.0](https://acme.example/1.29.0/notes/1.29.0) | default | [link](./NAME) |",
        ),
    ] {
        let name = format!("standard-{version}-default-report.yaml");
        let row = row.replace("NAME", &name);
        let folder = submission(version, "default", &name, &row);
        assert_eq!(row_after(&folder, "--unsafe-fixes"), row, "{version}");
    }
}

/// The README must contain a semantic version, even if the report does not.
#[test]
fn a_semantic_version_is_not_replaced_by_another_one() {
    for (version, row) in [
        (
            "v3.5",
            "| standard | [v3.5.1](https://acme.example/v3.5.1) | default | [v3.5.1 report](./NAME) |",
        ),
        (
            "v3.5",
            "| standard | [v3.5.0](https://acme.example/v3.5.0) | default | [v3.5 report](./NAME) |",
        ),
        (
            "v3.5",
            "| standard | [v3.4.0](https://acme.example/v3.4.0) | default | [v3.4.0 report](./NAME) |",
        ),
    ] {
        let name = format!("standard-{version}-default-report.yaml");
        let row = row.replace("NAME", &name);
        let folder = submission(version, "default", &name, &row);
        assert_eq!(row_after(&folder, "--unsafe-fixes"), row);
    }
    // Only the link is corrected.
    for (flag, before) in [
        (
            "--fix",
            "| standard | [v3.5.0] (https://acme.example/v3.5.0) | default | [link](./NAME) |",
        ),
        (
            "--unsafe-fixes",
            "| standard | [v3.5.0](https://acme.example/v3.5.0-rc1) | default | [link](./NAME) |",
        ),
    ] {
        let after =
            "| standard | [v3.5.0](https://acme.example/v3.5.0) | default | [link](./NAME) |";
        let name = "standard-v3.5-default-report.yaml";
        let [before, after] = [before, after].map(|row| row.replace("NAME", name));
        let folder = submission("v3.5", "default", name, &before);
        assert_eq!(row_after(&folder, flag), after);
    }
}

/// The suite writes `default` if no mode is set, so the run is wrong rather than the row.
#[test]
fn a_mode_is_not_replaced_by_default() {
    let row =
        "| standard | [v2.14.0](https://acme.example/v2.14.0) | MODE | [v2.14.0 report](./NAME) |";
    let name = "standard-v2.14.0-lb-report.yaml";
    for (mode, name) in [
        ("external-lb", name),
        ("ControllerNamespace(default)", NAME),
        ("default", "standard-v2.14.0-default-hybrid-report.yaml"),
    ] {
        let row = row.replace("NAME", name).replace("MODE", mode);
        let folder = submission("v2.14.0", "default", name, &row);
        assert_eq!(row_after(&folder, "--unsafe-fixes"), row, "{mode}");
        let path = format!("reports/v1.5/acme-operator/{name}");
        assert!(folder.exists(&path), "{mode}");
    }
    let row_of = |mode: &str| row.replace("NAME", name).replace("MODE", mode);
    let folder = submission("v2.14.0", "default", name, &row_of("external-lb"));
    let command = "check --select tree/file-name,readme/row-mode";
    let output = words_of(&folder.run(command).stdout);
    let remedies = output.matches("run the suite again with `--mode=external-lb`");
    assert_eq!(remedies.count(), 2, "{output}");
    // These cells do not name a mode.
    for mode in ["", "x", "Default"] {
        let folder = submission("v2.14.0", "default", name, &row_of(mode));
        let fixed = row.replace("NAME", NAME).replace("MODE", "default");
        assert_eq!(
            row_after(&folder, "--unsafe-fixes").replace("  ", " "),
            fixed,
            "{mode}"
        );
    }
}

#[test]
fn a_branch_is_not_written_into_a_row() {
    let row = "| standard | [v2](https://acme.example/v2) | default | [v2 report](./NAME) |";
    let row = row.replace("NAME", NAME);
    let folder = submission("main", "default", NAME, &row);
    let json = folder.json("check --select readme/row-value");
    let help = "if the row is right, link the report of its run, or run the suite again with `--version=<release>` and submit the new report";
    assert_eq!(json["findings"][0]["help"], help);
    assert_eq!(row_after(&folder, "--unsafe-fixes"), row);
}

#[test]
fn other_columns_of_a_row_are_kept() {
    let folder = submission("v2.14.0", "default", NAME, "");
    let table = format!(
        "| Notes | Report | Mode | Implementation version | API channel |\n|---|---|---|---|---|\n| a\\|b | [link](./{NAME}) | x | [2.14](https://acme.example/v2.14.0) | standard |\n"
    );
    let place = "reports/v1.5/acme-operator/README.md";
    folder.file(place, format!("# Acme\n\n## Table of contents\n\n{table}"));
    let json = folder.json("check --select readme/row-mode");
    let help = format!(
        "write `| a\\|b | [link](./{NAME}) | default | [v2.14.0](https://acme.example/v2.14.0) | standard |`"
    );
    assert_eq!(json["findings"][0]["help"], help);
}

const L: &str = "https://github.com/acme/operator/releases/tag";

fn on_github(version: &str, row: &str) -> Folder {
    let row = row.replace("NAME", NAME).replace("L/", &format!("{L}/"));
    let folder = submission(version, "default", NAME, &row);
    let place = format!("reports/v1.5/acme-operator/{NAME}");
    let report = folder.read(&place);
    let report = report.replace("https://acme.example", "https://github.com/acme/operator");
    folder.file(&place, report);
    folder
}

#[test]
fn a_cell_that_only_the_author_knows_does_not_block_the_others() {
    for (flag, before, after) in [
        (
            "--fix",
            "| x | [v2.14.0](L/v2.14.0) | hybrid | [v2.14.0 report](./NAME) |",
            "| standard | [v2.14.0](L/v2.14.0) | hybrid | [v2.14.0 report](./NAME) |",
        ),
        (
            "--fix",
            "| standard | [v2.14.0](L/v2.14.0) | default | ./NAME | more |",
            "| standard | [v2.14.0](L/v2.14.0) | default | [v2.14.0 report](./NAME) | more |",
        ),
        (
            "--fix",
            "| standard | v2.14.0 | default | ./NAME |",
            "| standard | v2.14.0 | default | [v2.14.0 report](./NAME) |",
        ),
        (
            "--unsafe-fixes",
            "| standard | v2.14.0 | default | ./NAME |",
            "| standard | [v2.14.0](L/v2.14.0) | default | [v2.14.0 report](./NAME) |",
        ),
        (
            "--fix",
            "| | [v2.13.0](L/v2.13.0) | default | [v2.14.0 report](./NAME) |",
            "| standard | [v2.13.0](L/v2.13.0) | default | [v2.14.0 report](./NAME) |",
        ),
        (
            "--fix",
            "| standard | L/v2.14.0 | default | [v2.14.0 report](./NAME) |",
            "| standard | [v2.14.0](L/v2.14.0) | default | [v2.14.0 report](./NAME) |",
        ),
    ] {
        let folder = on_github("v2.14.0", before);
        let after = after.replace("NAME", NAME).replace("L/", &format!("{L}/"));
        for _ in 0..2 {
            assert_eq!(row_after(&folder, flag), after, "{flag} {before}");
        }
    }
}

#[test]
fn a_part_of_a_finding_is_fixed() {
    let row = "| x | [v2.14.0](L/v2.14.0) | hybrid | [v2.14.0 report](./NAME) |";
    let output = on_github("v2.14.0", row).run("check --fix --select readme/row-mode");
    assert_eq!(output.stderr, "fixed 0 findings with 1 change\n");
}

#[test]
fn help_names_what_to_write() {
    let or_run = |subject: &str, flag: &str| {
        format!(
            "if {subject} is right, link the report of its run, or run the suite again with `--{flag}` and submit the new report"
        )
    };
    let (with_page, escape) = (
        " with the URL of the release page",
        "remove the surplus cells, or write a pipe within a cell as `\\|`",
    );
    let version = or_run("the row", "version=v2.13.0");
    for (of_report, rule, row, help) in [
        (
            "v2.14.0-rc.1",
            "row-value",
            "| standard | [v2.13.0](L/v2.13.0) | default | [v2.13.0 report](./NAME) |",
            format!(
                "write `| standard | [v2.14.0-rc.1](L/v2.14.0-rc.1) | default | [v2.14.0-rc.1 report](./NAME) |`; {version}"
            ),
        ),
        (
            "v2.14.0-rc.1",
            "row-value",
            "| standard | [v2.13.0] | default | [v2.13.0 report](./NAME) |",
            format!(
                "write `| standard | [v2.14.0-rc.1](https://…) | default | [v2.14.0-rc.1 report](./NAME) |`{with_page}; {version}"
            ),
        ),
        // The placeholder is not a link.
        (
            "v2.14.0-rc.1",
            "row-link",
            "| standard | [v2.14.0-rc.1](https://…) | default | [v2.14.0-rc.1 report](./NAME) |",
            format!(
                "write `| standard | [v2.14.0-rc.1](https://…) | default | [v2.14.0-rc.1 report](./NAME) |`{with_page}"
            ),
        ),
        // The row contains code.
        (
            "v2.14.0",
            "row-value",
            "| experimental | [`v2.14.0`](L/v2.14.0) | default | [v2.14.0 report](./NAME) |",
            "write `standard`".to_owned(),
        ),
        (
            "main",
            "row-value",
            "| experimental | [v2.13.0](L/v2.13.0) | default | [v2.13.0 report](./NAME) |",
            "write `standard`".to_owned(),
        ),
        (
            "v2.14.0",
            "row-link",
            "| standard | v2.13.0 | default | [v2.13.0 report](./none-report.yaml) | a |",
            format!("write `[v2.13.0](https://…)`{with_page}; {escape}"),
        ),
        (
            "v2.14.0",
            "row-link",
            "| standard | [v2.13.0] (L/v2.13.0) | default | [v2.13.0 report](./none-report.yaml) |",
            "write `[v2.13.0](L/v2.13.0)`".to_owned(),
        ),
        (
            "v2.14.0",
            "row-value",
            "| standard | nightly | default | [v2.14.0 report](./NAME) |",
            "write `| standard | [v2.14.0](L/v2.14.0) | default | [v2.14.0 report](./NAME) |`"
                .to_owned(),
        ),
        (
            "v2.14.0",
            "row-mode",
            "| experimental | [v2.14.0](L/v2.14.0) | hybrid | [v2.14.0 report](./NAME) |",
            format!(
                "write `| standard | [v2.14.0](L/v2.14.0) | hybrid | [v2.14.0 report](./NAME) |`; {}",
                or_run("its mode", "mode=hybrid")
            ),
        ),
        (
            "v2.14.0",
            "row-value",
            "  | experimental | [v2.14.0](L/v2.14.0) | default | [v2.14.0 report](./NAME) |",
            "write `  | standard | [v2.14.0](L/v2.14.0) | default | [v2.14.0 report](./NAME) |`"
                .to_owned(),
        ),
        (
            "latest",
            "row-link",
            "| standard | v2.14.0 | default | [v2.14.0 report](./NAME) |",
            "write `[v2.14.0](L/v2.14.0)`".to_owned(),
        ),
    ] {
        let folder = on_github(of_report, row);
        let place = "reports/v1.5/acme-operator/README.md";
        let readme = folder.read(place);
        folder.file(place, readme.replace('\n', "\r\n"));
        let json = folder.json(&format!("check --select readme/{rule}"));
        let help = help.replace("NAME", NAME).replace("L/", &format!("{L}/"));
        assert_eq!(json["findings"][0]["help"], help, "{row}");
        assert_eq!(json["findings"].as_array().unwrap().len(), 1, "{row}");
    }
}

#[test]
fn the_message_names_only_the_version() {
    let row = "| standard | [v2.14.0] (L/v2.14.0) | default | [v2.14.0 report](./NAME) |";
    let json = on_github("v2.14.0", row).json("check --select readme/row-link");
    let message =
        "the row differs from its report: version `v2.14.0` is not linked to its release page";
    assert_eq!(json["findings"][0]["message"], message);
}
