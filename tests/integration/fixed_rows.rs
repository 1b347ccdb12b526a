//! Tests that rows in help texts are identical to the rows that fixes write.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use gwconform::rules;
use serde_json::Value;

use crate::support::folder::{Folder, NAME, README, report};
use crate::support::{page, words_of};

fn row(finding: &Value) -> Option<(&str, bool)> {
    let is_safe = finding["fix"]["safe"].as_bool()?;
    let help = finding["help"].as_str()?;
    let mut codes = help.split('`').skip(1).step_by(2);
    let row = codes.find(|code| code.trim_start().starts_with('|'))?;
    Some((row, is_safe))
}

fn cell(finding: &Value) -> Option<(String, String)> {
    let subject = finding["subject"].as_str()?;
    let (row, rest) = subject.strip_prefix("row ")?.split_once(", ")?;
    let columns = ["API channel", "Implementation version", "Mode", "Report"];
    let column = columns.iter().find(|column| rest.starts_with(**column))?;
    let path = finding["path"].as_str()?;
    Some((path.to_owned(), format!("{row}, {column}")))
}

fn keeps_its_promises(folder: &Folder, arguments: &str) -> usize {
    let json = folder.json(arguments);
    let findings = json["findings"].as_array().unwrap();
    let mut of_cells: BTreeMap<(String, String), Vec<&Value>> = BTreeMap::new();
    for finding in findings {
        if let Some(cell) = cell(finding) {
            of_cells.entry(cell).or_default().push(finding);
        }
    }
    for ((path, cell), findings) in of_cells {
        let mut rows: Vec<&str> = findings
            .iter()
            .filter_map(|one| Some(row(one)?.0))
            .collect();
        rows.dedup();
        assert!(rows.len() <= 1, "{path}: {cell}: {rows:#?}");
        // At most one help text per row may suggest a change.
        let writes = |finding: &&&Value| {
            let help = finding["help"].as_str().unwrap_or_default();
            help.starts_with("write ") && row(finding).is_none()
        };
        let others: Vec<_> = findings.iter().filter(writes).collect();
        assert!(
            findings.len() == 1 || others.len() + rows.len() <= 1,
            "{path}: {cell}: {others:#?} {rows:#?}"
        );
    }
    let rows: Vec<_> = findings
        .iter()
        .filter_map(|finding| Some((finding, row(finding)?)))
        .collect();
    for (flag, is_safe) in [("--fix", true), ("--unsafe-fixes", false)] {
        let output = folder.run(&format!("{arguments} {flag} --diff"));
        let mut added: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut path = "";
        for line in output.stdout.lines() {
            match line.strip_prefix("+++ b/") {
                Some(name) => path = name,
                None => added
                    .entry(path)
                    .or_default()
                    .extend(line.strip_prefix('+')),
            }
        }
        for (finding, (row, _)) in rows.iter().filter(|(_, (_, safe))| *safe == is_safe) {
            let path = finding["path"].as_str().unwrap();
            let of_file = added.get(path).cloned().unwrap_or_default();
            assert!(
                of_file
                    .iter()
                    .any(|line| line.trim_end_matches('\r') == *row),
                "{flag} does not write\n{row}\nbut\n{of_file:#?}\n{finding:#}\n{}",
                output.stderr
            );
        }
    }
    rows.len()
}

#[test]
fn on_the_real_tree() {
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
    let shown = keeps_its_promises(&folder, "check --select readme");
    assert!(shown > 100, "{shown}");
}

#[test]
fn on_the_pages_of_the_rules() {
    let mut shown = 0;
    for rule in rules::ALL.iter().filter(|rule| rule.group() == "readme") {
        for example in page::examples(rule.doc) {
            if example.expected.contains("= help") {
                let folder = Folder::new();
                page::write_files(folder.path(), &example);
                let arguments = example.arguments.join(" ");
                shown += keeps_its_promises(&folder, &arguments);
                shown += keeps_its_promises(&folder, "check --select readme");
            }
        }
    }
    assert!(shown > 10, "{shown}");
}

#[test]
fn on_rows_with_several_mistakes() {
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
        let report = match with_page {
            true => report().replace("https://acme.example", "https://github.com/acme/operator"),
            false => report(),
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
        let shown = keeps_its_promises(&folder, "check --select readme");
        assert!(shown > count, "{shown} of {count}");
        fs::remove_dir_all(folder.path().join("reports")).unwrap();
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
            "| standard | [v1.16.0](https://acme.example/tag/1.16.0) | default | [v1.16.0 report](./NAME) |",
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
            "| standard | [v3.5.0](https://acme.example/v3.5.0-rc1) | default | [v3.5.0 report](./NAME) |",
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
    // A version in brackets or in a link also stays.
    for (before, after) in [
        (
            "| standard | [v3.5.0] (https://acme.example/v3.5.0) | default | [link](./NAME) |",
            "| standard | [v3.5.0](https://acme.example/v3.5.0) | default | [v3.5.0 report](./NAME) |",
        ),
        (
            "| standard | [v3.5.0](https://acme.example/v3.5.0) | default | [link](./NAME) |",
            "| standard | [v3.5.0](https://acme.example/v3.5.0) | default | [v3.5.0 report](./NAME) |",
        ),
    ] {
        let name = "standard-v3.5-default-report.yaml";
        let [before, after] = [before, after].map(|row| row.replace("NAME", name));
        let folder = submission("v3.5", "default", name, &before);
        assert_eq!(row_after(&folder, "--fix"), after);
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
        assert!(folder.path().join(path).exists(), "{mode}");
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
