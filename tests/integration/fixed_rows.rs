//! The rows that helps show are those that fixes write, byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use gwconform::rules;
use serde_json::Value;

use crate::support::folder::{Folder, NAME, README, report};
use crate::support::{page, run};

/// The row that a help shows, and whether `--fix` writes it.
fn row(finding: &Value) -> Option<(&str, bool)> {
    let is_safe = finding["fix"]["safe"].as_bool()?;
    let help = finding["help"].as_str()?;
    let mut codes = help.split('`').skip(1).step_by(2);
    let row = codes.find(|code| code.trim_start().starts_with('|'))?;
    Some((row, is_safe))
}

/// A cell by its README and subject, which both have the row and the column.
fn cell(finding: &Value) -> Option<(String, String)> {
    let subject = finding["subject"].as_str()?;
    let (row, rest) = subject.strip_prefix("row ")?.split_once(", ")?;
    let columns = ["API channel", "Implementation version", "Mode", "Report"];
    let column = columns.iter().find(|column| rest.starts_with(**column))?;
    let path = finding["path"].as_str()?;
    Some((path.to_owned(), format!("{row}, {column}")))
}

/// Checks the promises of all findings of a folder: how many rows were shown.
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
        // Without a row, a help beside one that has it tells nothing to write.
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
            let folder = Folder::new();
            page::write_files(folder.path(), &example);
            let arguments = example.arguments.join(" ");
            if run(folder.path(), &example.arguments)
                .stdout
                .contains("= help")
            {
                shown += keeps_its_promises(&folder, &arguments);
                shown += keeps_its_promises(&folder, "check --select readme");
            }
        }
    }
    assert!(shown > 10, "{shown}");
}

/// All cells of a row with one of several mistakes at once.
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
