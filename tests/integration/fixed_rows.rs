//! Tests that all findings of a row show one row to paste, that this row has no finding, and that
//! fixes write its cells.

use std::collections::{BTreeMap, BTreeSet};

use gwconform::rules;
use serde_json::Value;

use crate::support::folder::{Folder, NAME, README, report};
use crate::support::{list, one_in, page, text, words_of};

const RULES: &str = "readme/row-link,readme/row-mode,readme/row-spelling,readme/row-value";

type Place = (String, usize);

fn findings(folder: &Folder) -> Vec<(Place, Value)> {
    let json = folder.json(&format!("check --select {RULES}"));
    let place = |one: &Value| {
        let line = usize::try_from(one["line"].as_u64().unwrap()).unwrap();
        (text(&one["path"]).to_owned(), line - 1)
    };
    let findings = list(&json["findings"]).iter();
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
    folder.copy(&corpus.join("gateway-api/conformance/reports"), "reports");
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
    let row = README.lines().find(|line| line.starts_with("| standard"));
    let row = row.unwrap();
    for url in ["https://acme.example", "https://github.com/acme/operator"] {
        let report = report().replace("https://acme.example", url);
        let folder = Folder::new();
        let (mut count, mut seen) = (0, 0);
        for (at, channel) in channels.iter().enumerate() {
            for (v, version) in versions.iter().enumerate() {
                for (m, mode) in modes.iter().enumerate() {
                    for (r, link) in reports.iter().enumerate() {
                        let mistakes = [at, v, m, r].iter().filter(|at| **at > 0).count();
                        if mistakes > 2 || (v == 0 && mistakes == 0) {
                            continue;
                        }
                        seen += 1;
                        if mistakes == 2 && seen % one_in(3) != 0 {
                            continue;
                        }
                        let link = link.replace("NAME", NAME);
                        let written = format!("| {channel} | {version} | {mode} | {link} |");
                        let submission = format!("reports/v1.5/acme-{count}");
                        let readme = README.replace(row, &written);
                        folder.file(&format!("{submission}/README.md"), readme);
                        folder.file(&format!("{submission}/{NAME}"), &report);
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

const PLACE: &str = "reports/v1.5/acme-operator/README.md";

/// A report of this version and mode, and a README with this row. `NAME` is the name of the report.
fn submission(version: &str, mode: &str, name: &str, row: &str) -> Folder {
    let folder = Folder::new();
    let old = README.lines().find(|line| line.starts_with("| standard"));
    let row = row.replace("NAME", name);
    let report = report().replace("v2.14.0", version);
    let report = report.replace("mode: default", &format!("mode: {mode}"));
    folder.file(PLACE, README.replace(old.unwrap(), &row));
    folder.file(&PLACE.replace("README.md", name), report);
    folder
}

/// The row after a fix. `NAME` is the name of the report.
fn fixed(version: &str, flag: &str, row: &str) -> String {
    let name = format!("standard-{version}-default-report.yaml");
    let folder = submission(version, "default", &name, row);
    row_after(&folder, flag).replace(&name, "NAME")
}

fn row_after(folder: &Folder, flag: &str) -> String {
    folder.run(&format!("check {flag}"));
    let readme = folder.read(PLACE);
    let mut rows = readme.lines().filter(|line| line.contains("-report.yaml"));
    let row = rows.next().unwrap().to_owned();
    assert_eq!(rows.next(), None);
    row
}

#[test]
fn a_row_is_repaired_whole_or_not_at_all() {
    let before = "| standard | [1.30.0](https://acme.example/tag/1.30.0-alpha.2) | default | [1.30.0 report](./NAME) |";
    let after = "| standard | [1.30.1](https://acme.example/tag/1.30.1) | default | [1.30.1 report](./NAME) |";
    assert_eq!(fixed("1.30.1", "--unsafe-fixes", before), after);
    for label in ["v1.16 report", "1.16 nightly report"] {
        let before = format!(
            "| standard | [1.16](https://acme.example/tag/1.16.0) | default | [{label}](./NAME) |"
        );
        let after = before.replace("[1.16](", "[v1.16.0](");
        assert_eq!(fixed("v1.16.0", "--unsafe-fixes", &before), after);
    }
    // The release page of the report's version is unknown.
    let row = "| standard | [main](https://github.com/acme/operator) | default | [Link](./NAME) |";
    assert_eq!(fixed("v2.1.0-main", "--unsafe-fixes", row), row);
    let row = "| standard | [v1.29.0](https://acme.example/1.29.0/notes/1.29.0) | default | [link](./NAME) |";
    assert_eq!(fixed("v1.30.1", "--unsafe-fixes", row), row);
}

/// The README must contain a semantic version, even if the report does not.
#[test]
fn a_semantic_version_is_not_replaced_by_another_one() {
    for row in [
        "| standard | [v3.5.1](https://acme.example/v3.5.1) | default | [v3.5.1 report](./NAME) |",
        "| standard | [v3.5.0](https://acme.example/v3.5.0) | default | [v3.5 report](./NAME) |",
        "| standard | [v3.4.0](https://acme.example/v3.4.0) | default | [v3.4.0 report](./NAME) |",
    ] {
        assert_eq!(fixed("v3.5", "--unsafe-fixes", row), row);
    }
    // Only the link is corrected.
    let after = "| standard | [v3.5.0](https://acme.example/v3.5.0) | default | [link](./NAME) |";
    let apart = after.replace("](https", "] (https");
    assert_eq!(fixed("v3.5", "--fix", &apart), after);
    let other = after.replace("v3.5.0)", "v3.5.0-rc1)");
    assert_eq!(fixed("v3.5", "--unsafe-fixes", &other), after);
}

/// The suite writes `default` if no mode is set, so the run is wrong rather than the row.
#[test]
fn a_mode_is_not_replaced_by_default() {
    let row =
        "| standard | [v2.14.0](https://acme.example/v2.14.0) | MODE | [v2.14.0 report](./NAME) |";
    let name = "standard-v2.14.0-lb-report.yaml";
    let with = |mode: &str, name: &str| {
        let row = row.replace("NAME", name).replace("MODE", mode);
        (submission("v2.14.0", "default", name, &row), row)
    };
    for (mode, name) in [
        ("external-lb", name),
        ("ControllerNamespace(default)", NAME),
        ("default", "standard-v2.14.0-default-hybrid-report.yaml"),
    ] {
        let (folder, row) = with(mode, name);
        assert_eq!(row_after(&folder, "--unsafe-fixes"), row, "{mode}");
        assert!(folder.exists(&PLACE.replace("README.md", name)), "{mode}");
    }
    let (folder, _) = with("external-lb", name);
    let command = "check --select tree/file-name,readme/row-mode";
    let output = words_of(&folder.run(command).stdout);
    let remedies = output.matches("run the suite again with `--mode=external-lb`");
    assert_eq!(remedies.count(), 2, "{output}");
    // These cells do not name a mode.
    for mode in ["", "x", "Default"] {
        let fixed = row.replace("NAME", NAME).replace("MODE", "default");
        let found = row_after(&with(mode, name).0, "--unsafe-fixes");
        assert_eq!(found.replace("  ", " "), fixed, "{mode}");
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
    let row = format!(
        "| a\\|b | [link](./{NAME}) | x | [2.14](https://acme.example/v2.14.0) | standard |"
    );
    let header =
        "| Notes | Report | Mode | Implementation version | API channel |\n|---|---|---|---|---|\n";
    folder.file(
        PLACE,
        format!("# Acme\n\n## Table of contents\n\n{header}{row}\n"),
    );
    let json = folder.json("check --select readme/row-mode");
    let fixed = row
        .replace("| x |", "| default |")
        .replace("[2.14]", "[v2.14.0]");
    assert_eq!(json["findings"][0]["help"], format!("write `{fixed}`"));
}

const L: &str = "https://github.com/acme/operator/releases/tag";

fn on_github(version: &str, row: &str) -> Folder {
    let row = row.replace("L/", &format!("{L}/"));
    let folder = submission(version, "default", NAME, &row);
    let place = PLACE.replace("README.md", NAME);
    let report = folder.read(&place);
    let report = report.replace("https://acme.example", "https://github.com/acme/operator");
    folder.file(&place, report);
    folder
}

#[test]
fn a_cell_that_only_the_author_knows_does_not_block_the_others() {
    let cases = "
--fix          | x | [v2.14.0](L/v2.14.0) | hybrid | [v2.14.0 report](./NAME) |
               | standard | [v2.14.0](L/v2.14.0) | hybrid | [v2.14.0 report](./NAME) |
--fix          | standard | [v2.14.0](L/v2.14.0) | default | ./NAME | more |
               | standard | [v2.14.0](L/v2.14.0) | default | [v2.14.0 report](./NAME) | more |
--fix          | standard | v2.14.0 | default | ./NAME |
               | standard | v2.14.0 | default | [v2.14.0 report](./NAME) |
--unsafe-fixes | standard | v2.14.0 | default | ./NAME |
               | standard | [v2.14.0](L/v2.14.0) | default | [v2.14.0 report](./NAME) |
--fix          | | [v2.13.0](L/v2.13.0) | default | [v2.14.0 report](./NAME) |
               | standard | [v2.13.0](L/v2.13.0) | default | [v2.14.0 report](./NAME) |
--fix          | standard | L/v2.14.0 | default | [v2.14.0 report](./NAME) |
               | standard | [v2.14.0](L/v2.14.0) | default | [v2.14.0 report](./NAME) |
";
    let lines: Vec<&str> = cases.trim().lines().collect();
    for pair in lines.chunks(2) {
        let (flag, before) = pair[0].split_once(' ').unwrap();
        let folder = on_github("v2.14.0", before.trim());
        let after = pair[1].trim().replace("NAME", NAME);
        let after = after.replace("L/", &format!("{L}/"));
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
    let run = "link the report of its run, or run the suite again with `--FLAG` and submit the new report";
    // Version of the report, rule, row and help.
    let cases = r"
v2.14.0-rc.1 row-value | standard | [v2.13.0](L/v2.13.0) | default | [v2.13.0 report](./NAME) |
write `| standard | [v2.14.0-rc.1](L/v2.14.0-rc.1) | default | [v2.14.0-rc.1 report](./NAME) |`; if the row is right, RUN version=v2.13.0
v2.14.0-rc.1 row-value | standard | [v2.13.0] | default | [v2.13.0 report](./NAME) |
write `| standard | [v2.14.0-rc.1](https://…) | default | [v2.14.0-rc.1 report](./NAME) |`PAGE; if the row is right, RUN version=v2.13.0
v2.14.0-rc.1 row-link | standard | [v2.14.0-rc.1](https://…) | default | [v2.14.0-rc.1 report](./NAME) |
write `| standard | [v2.14.0-rc.1](https://…) | default | [v2.14.0-rc.1 report](./NAME) |`PAGE
v2.14.0 row-value | experimental | [`v2.14.0`](L/v2.14.0) | default | [v2.14.0 report](./NAME) |
write `standard`
main row-value | experimental | [v2.13.0](L/v2.13.0) | default | [v2.13.0 report](./NAME) |
write `standard`
v2.14.0 row-link | standard | v2.13.0 | default | [v2.13.0 report](./none-report.yaml) | a |
write `[v2.13.0](https://…)`PAGE; remove the surplus cells, or write a pipe within a cell as `\|`
v2.14.0 row-link | standard | [v2.13.0] (L/v2.13.0) | default | [v2.13.0 report](./none-report.yaml) |
write `[v2.13.0](L/v2.13.0)`
v2.14.0 row-value | standard | nightly | default | [v2.14.0 report](./NAME) |
write `| standard | [v2.14.0](L/v2.14.0) | default | [v2.14.0 report](./NAME) |`
v2.14.0 row-mode | experimental | [v2.14.0](L/v2.14.0) | hybrid | [v2.14.0 report](./NAME) |
write `| standard | [v2.14.0](L/v2.14.0) | hybrid | [v2.14.0 report](./NAME) |`; if its mode is right, RUN mode=hybrid
v2.14.0 row-value   | experimental | [v2.14.0](L/v2.14.0) | default | [v2.14.0 report](./NAME) |
write `  | standard | [v2.14.0](L/v2.14.0) | default | [v2.14.0 report](./NAME) |`
latest row-link | standard | v2.14.0 | default | [v2.14.0 report](./NAME) |
write `[v2.14.0](L/v2.14.0)`
";
    let lines: Vec<&str> = cases.trim().lines().collect();
    for pair in lines.chunks(2) {
        let mut words = pair[0].splitn(3, ' ');
        let [version, rule, row] = [(); 3].map(|()| words.next().unwrap());
        let folder = on_github(version, row);
        let readme = folder.read(PLACE);
        folder.file(PLACE, readme.replace('\n', "\r\n"));
        let mut help = pair[1]
            .replace("NAME", NAME)
            .replace("L/", &format!("{L}/"));
        help = help.replace("PAGE", " with the URL of the release page");
        if let Some((start, flag)) = help.split_once("RUN ") {
            help = format!("{start}{}", run.replace("FLAG", flag));
        }
        let found = folder.found(&format!("check --select readme/{rule}"), "{help}");
        assert_eq!(found, [help], "{row}");
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
