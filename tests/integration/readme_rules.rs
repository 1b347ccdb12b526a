//! Tests README rules in cases without an example on a page: legacy folders, lone READMEs, links
//! through aliases and out of the tree, and hostile READMEs.

use std::fmt::Write as _;
use std::path::Path;

use crate::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, NAME, README, words};
use crate::support::report::ReportBuilder;
use crate::support::{has, lines, rows, run, run_with_input, words_of};
use serde_json::Value;

const HEADER: &str =
    "| API channel | Implementation version | Mode | Report |\n|---|---|---|---|\n";

fn report(version: &str, mode: &str) -> String {
    format!(
        "gatewayAPIChannel: standard\nimplementation:\n  version: {version}\nmode: {mode}\nprofiles: []\n"
    )
}

const ACME_2: &str = "reports/v1.5/acme-operator/";

/// A README with these rows of the table.
fn table(rows: &str) -> String {
    format!("# Acme\n\n## Table of contents\n\n{HEADER}{rows}\n## Reproduce\n\nRun `make`.\n")
}

/// Returns `rule line:column` for each finding. Errors start with `!`.
fn findings(folder: &Path, more: &[&str]) -> Vec<String> {
    let arguments = ["check", "--select", "readme", "--format", "json"];
    let arguments = arguments.iter().chain(more).map(ToString::to_string);
    places(&run(folder, &arguments.collect::<Vec<_>>()).stdout)
}

fn found(folder: &Folder) -> Vec<String> {
    findings(folder.path(), &[])
}

fn places(json: &str) -> Vec<String> {
    let json: Value = serde_json::from_str(json).expect("JSON");
    let found = lines(&json["findings"], "{severity} {rule} {line}:{column}");
    let place = |found: &String| {
        let (severity, place) = found.split_once(' ').expect("a rule");
        let error = if severity == "error" { "!" } else { "" };
        format!("{error}{}", place.trim_start_matches("readme/"))
    };
    found.iter().map(place).collect()
}

#[test]
fn legacy_folders_may_have_x_cells_and_no_reproduce() {
    let folder = Folder::new();
    let submission = "reports/v1.0.0/acme-operator/";
    let readme = |rows: &str| {
        folder.file(
            &format!("{submission}README.md"),
            format!("# Acme\n\n{HEADER}{rows}"),
        );
    };
    for (name, version) in [("v2.0.0", "v2.0.0"), ("2.1", "v2.1.0")] {
        let text = format!("implementation:\n  version: {version}\n");
        folder.file(&format!("{submission}{name}-report.yaml"), text);
    }
    readme("|x|v2.0.0|x|[link](./v2.0.0-report.yaml)|\n|x|2.1|x|[link](2.1-report.yaml)|\n");
    assert_eq!(findings(folder.path(), &["--strict"]), [""; 0]);
    readme(
        "|x|v2.0.1|x|[link](./v2.0.0-report.yaml)|\n|x|2.1|x|[link](2.2-report.yaml)|\n\n[gone](gone.md)\n",
    );
    let expected = [
        "!row-value 5:4",
        "!row-without-report 6:17",
        "!dead-link 8:8",
    ];
    assert_eq!(found(&folder), expected);
    let output = words_of(&folder.run("check --select readme/row-value").stdout);
    has(
        output,
        "`|x|[v2.0.0](https://…)|x|[v2.0.0 report](./v2.0.0-report.yaml)|`",
    );
    readme("|x|v2.0.0|x|[link](./v2.0.0-report.yaml)|more|\n|x|2.1|x|[link](2.1-report.yaml)|\n");
    assert_eq!(found(&folder), ["row-link 5:42"]);
}

#[test]
fn strict_makes_errors_of_modes_and_missing_values_alone() {
    let folder = Folder::new();
    folder.file(&format!("{ACME_2}a.yaml"), report("v2.0.0", "lot"));
    folder.file(&format!("{ACME_2}b.yaml"), report("v2.1.0", "lot"));
    let rows = "|Standard|2.0|default|[link](a.yaml)|\n|standard|v2.1.0|x|[link](b.yaml)|\n";
    let readme = table(rows).replace("Run `make`.", "A `lot`.");
    folder.file(&format!("{ACME_2}README.md"), readme);
    let strict = findings(folder.path(), &["--strict"]).join(", ");
    let expected = "row-spelling 7:2, row-link 7:11, !row-mode 7:15, row-link 8:11, !row-mode 8:18";
    assert_eq!(strict, expected);
    assert_eq!(found(&folder).join(", "), strict.replace('!', ""));
}

#[test]
fn accepts_what_github_renders() {
    let folder = Folder::new();
    folder.file(&format!("{ACME_2}a.yaml"), report("v2.0.0", "a|b"));
    let readme = "<h1>Acme</h1>\n\n<h2>Table of contents</h2>\n\n\
        Report | Mode | Notes | Version | Channel\n:-|:-:|-|-|-:\n\
        [`v2.0.0` the report][r] | a\\|b | | https://acme.example/v2.0.0 <!-- [v2.0.0](x) --> | standard\n\n\
        <h2>Steps to Reproduce</h2>\n\nSet ab.\n\n[r]: <a.yaml>\n";
    folder.file(&format!("{ACME_2}README.md"), readme);
    assert_eq!(found(&folder), ["row-spelling 7:37"]);
}

#[test]
fn a_row_is_about_the_file_that_it_names_in_any_way() {
    let folder = Folder::new();
    let cases = "
        a.yaml     | [v2 report](https://git.example/blob/main/v1.5/acme-operator/a.yaml?plain=1)
        b.yaml     | ./b.yaml
        c.yaml     | ![badge](https://acme.example/v2.svg) [v2 report](../acme-operator/c.yaml)
        sub/d.yaml | [v2 report](sub/d.yaml)
    ";
    let mut text = String::new();
    for [file, cell] in rows(cases) {
        folder.file(&format!("{ACME_2}{file}"), report("v2", "default"));
        let _ = writeln!(text, "|standard|[v2](#)|default|{cell}|");
    }
    folder.file(&format!("{ACME_2}README.md"), table(&text));
    let expected = [
        "!row-missing 5:1",
        "!row-without-report 7:39",
        "row-link 8:27",
    ];
    assert_eq!(found(&folder), expected[1..]);
    let unlike = format!("{ACME_2}unlisted-and-unlike.yaml");
    folder.file(&unlike, report("v3", "default"));
    assert_eq!(found(&folder), expected);
}

#[test]
fn a_website_is_no_report_even_when_the_files_are_not_known() {
    let folder = Folder::new();
    let row = "|standard|[v4](#)|default|[v4 report](https://evil.example/standard-v4-default-report.yaml)|\n";
    folder.file("README.md", table(row));
    let found = findings(folder.path(), &["README.md"]);
    assert_eq!(found, ["!row-without-report 7:39"]);
}

#[test]
fn does_not_compare_a_lone_readme_with_files() {
    let folder = Folder::new();
    let readme = format!(
        "# Acme\n\n## Table of contents\n\n{HEADER}|standard|v2|x|[v2 report](./gone.yaml)|\n\n[gone](./gone.md)\n"
    );
    let command = "check --select readme --format json --stdin-filename";
    let arguments = words(&format!("{command} {ACME_2}README.md -"));
    let output = run_with_input(folder.path(), &arguments, readme.as_bytes());
    let expected = ["!reproduce-missing 1:3", "row-link 7:11", "row-mode 7:14"];
    assert_eq!(places(&output.stdout), expected);
}

#[cfg(unix)]
#[test]
fn links_are_looked_up_in_the_tree_and_not_followed_out_of_it() {
    let folder = Folder::new();
    let other = "conformance/reports/v1.5/umbrella-operator/b.yaml";
    folder
        .acme("a.yaml", report("v2.0.0", "default"))
        .file(other, report("v1", "default"))
        .file("conformance/notes.md", "")
        .link("conformance/reports/v1.5.0", "v1.5")
        .link(&format!("{ACME}/root"), "/");
    let mut readme = "# Acme\n\n## Reproduce\n`make`\n".to_owned();
    for link in [
        "[fine](a.yaml)",
        "[fine](../acme-operator/./a.yaml?plain=1#L1)",
        "[fine](%61.yaml)",
        "[fine](/conformance/reports/v1.5/umbrella-operator/b.yaml)",
        "[fine](../../../reports/v1.5)",
        "[fine](root/etc/passwd)",
        "[alias](../../v1.5.0/acme-operator/a.yaml)",
        "[out](../../../notes.md)",
        "[out](/conformance/notes.md)",
        "[out](../../../../../../../../../../../../../../../../../etc/passwd)",
        "[dead](A.yaml)",
        "[dead](a.yaml/b)",
        "[dead](a%00.yaml)",
        "![dead](picture.png)",
        "[empty]()",
    ] {
        let _ = writeln!(readme, "{link}\\");
    }
    let table = format!(
        "\n## Table of contents\n\n{HEADER}|standard|[v2.0.0](#)|default|[v2.0.0 report](../../v1.5.0/acme-operator/a.yaml)|\n|standard|[v1](#)|default|[v1 report](../umbrella-operator/b.yaml)|\n"
    );
    readme.push_str(&table);
    folder.file(ACME_README, &readme);
    insta::assert_snapshot!(findings(folder.path(), &[ACME]).join("\n"), @"
    alias-link 11:9
    !dead-link 12:7
    !dead-link 13:7
    !dead-link 14:7
    !dead-link 15:8
    !dead-link 16:8
    !dead-link 17:8
    !dead-link 18:9
    !dead-link 19:1
    alias-link 25:47
    !row-without-report 26:39
    ");
}

#[test]
fn hostile_readmes_are_read_to_the_end_or_reported() {
    let rows =
        "|standard|[1.0](https://acme.example/1.1)|x|[link](./a.yaml)|more|\n".repeat(50_000);
    let dead = "|standard|1.0|x|[link](../../v1.5.0/acme-operator/a1.yaml)|\n".repeat(50_000);
    let links = "[a](../../../../x/y/../../z) ![b](./b/b/b/b/b) ".repeat(50_000);
    let long = format!(
        "|standard|{}|{}|[link](./a.yaml)|\n",
        "v1 ".repeat(500_000),
        "x-".repeat(500_000)
    );
    for hostile in [rows, dead, links, long] {
        let folder = Folder::new();
        let version = "v1.".repeat(100_000);
        folder.file(&format!("{ACME_2}a.yaml"), report(&version, "default"));
        for nth in 0..300 {
            let text = report("v1", &format!("mode-{nth}"));
            folder.file(&format!("{ACME_2}a-{nth}.yaml"), text);
        }
        folder.file(
            &format!("{ACME_2}README.md"),
            table(&format!("{hostile}\n")),
        );
        // If the cost were quadratic, this check would take hours.
        assert!(!found(&folder).is_empty());
    }
}

#[test]
fn the_real_tree_has_these_findings() {
    let Some(corpus) = crate::support::corpus() else {
        return;
    };
    let mut counts = std::collections::BTreeMap::new();
    for finding in findings(&corpus.join("gateway-api"), &[]) {
        let rule = finding.split(' ').next().expect("a rule").to_owned();
        *counts.entry(rule).or_insert(0) += 1;
    }
    let counts = counts.iter().map(|(rule, count)| format!("{count} {rule}"));
    let counts: Vec<String> = counts.collect();
    insta::assert_snapshot!("findings_in_the_real_tree", counts.join("\n"));
}

#[test]
fn a_version_in_a_variable_is_compared_where_a_step_checks_it_out() {
    let cases = r#"
        VERSION=v1.9.2\ngit checkout $VERSION | 4:9
        export VERSION='v1.9.2'; git checkout ${VERSION} | 4:17
        VERSION ?= v1.9.2\n\tgit switch $(VERSION) | 4:12
        VERSION?=v1.9.2\n\tgit checkout tags/$(VERSION) -b $(VERSION) | 4:10
        TAG := 1.9.2\n\tgit clone --branch "v$(TAG)" https://acme.example | 4:8
        - `VERSION="1.9.2"`\n- `git checkout "v${VERSION}"` | 4:13
        V=v2.14.0\nV=v1.9.2\ngit checkout $V\ngit checkout $V | 5:3
        V=v1.9.2\nV=v2.14.0\ngit checkout $V |
        V=v1.9.2\nV=$(git describe)\ngit checkout $V |
        VERSION=v1.9.2\nmake kind |
        git checkout $VERSION\nVERSION=v1.9.2 |
        VERSION=v2.14.0\ngit checkout $VERSION |
        VERSION=v<x.y.z>\ngit checkout $VERSION |
        VERSION=v1.9.2\ngit checkout ${VERSION}-fix |
        VERSION=v1.9.2\ngit checkout $OTHER |
        =v1.9.2\n= = =\n$ = v1.9.2\ngit checkout $ |
    "#;
    for [steps, expected] in rows(cases) {
        let steps = steps.replace("\\n", "\n").replace("\\t", "\t");
        let folder = Folder::new();
        folder.file(&format!("{ACME_2}{NAME}"), report("v2.14.0", "default"));
        let readme = format!("# Acme\n\n## Reproduce\n{steps}\n");
        folder.file(&format!("{ACME_2}README.md"), readme);
        let found = found(&folder);
        let found = found
            .iter()
            .filter_map(|one| one.strip_prefix("reproduce-version "));
        let expected: Vec<&str> = expected.split_whitespace().collect();
        assert_eq!(found.collect::<Vec<_>>(), expected, "{steps}");
    }
}

#[test]
fn only_case_and_punctuation_make_a_mode_spelled_differently() {
    for (row, mode) in [
        ("Default", "default"),
        ("gateway namespace", "GatewayNamespace"),
        ("ControllerNamespace(default)", "default"),
        ("GatewayNamespace", "gateway-namespace-mode"),
    ] {
        let folder = Folder::with_tree();
        let readme = README.replace("| default |", &format!("| {row} |"));
        folder.file(ACME_README, readme);
        folder.file(ACME_REPORT, ReportBuilder::new().mode(mode).build());
        let found = folder.json("check --select readme/row-mode");
        let message = format!("the row differs from its report: mode `{row}` instead of `{mode}`");
        assert_eq!(found["findings"][0]["message"], message);
    }
}

#[test]
fn former_rules_name_the_rule_that_replaced_them() {
    let folder = Folder::with_tree();
    for (former, rule) in [
        ("readme/html-table", "readme/table-missing"),
        ("readme/report-link-version", "readme/row-link"),
        ("readme/report-not-linked", "readme/row-link"),
        ("readme/row-channel", "readme/row-value"),
        ("readme/row-version", "readme/row-value"),
        ("readme/surplus-cells", "readme/row-link"),
        ("readme/unclosed-comment", "readme/table-missing"),
        ("readme/version-link", "readme/row-link"),
        ("readme/version-link-differs", "readme/row-link"),
        ("readme/x-cell", "readme/row-mode"),
    ] {
        let is_known = |rule| gwconform::rules::find(&gwconform::rules::ALL, rule).is_some();
        assert!(is_known(rule) && !is_known(former), "{rule} {former}");
        let config = format!("[rules]\n\"{former}\" = \"off\"\n");
        let ignore = format!("[[ignore]]\nrule = \"{former}\"\npath = \"**\"\nreason = \"ours\"\n");
        let baseline = format!(
            "{{\"version\": 2, \"accepted\": [{{\"path\": \"x\", \"rule\": \"{former}\", \"subject\": \"x\"}}]}}"
        );
        folder
            .file("rules.toml", config)
            .file("ignore.toml", ignore)
            .file("baseline.json", baseline);
        let explained = folder.run(&format!("explain {former}"));
        let title = format!("# {rule}\n");
        assert!(explained.stdout.starts_with(&title), "{explained:?}");
        let note = format!("{former} was replaced by {rule}\n");
        assert_eq!(explained.stderr, note);
        for arguments in [
            &format!("check --select {former}"),
            "check --config rules.toml",
            "check --config ignore.toml",
            "check --baseline baseline.json",
        ] {
            let output = folder.run(arguments).exits(2);
            let hint = format!("; replaced by `{rule}`");
            let words = words_of(&output.stderr);
            assert!(words.contains(&hint), "{arguments}: {words}");
        }
    }
    let output = folder.run("check --select x-cell");
    assert!(
        words_of(&output.stderr).contains("replaced by `readme/row-mode`"),
        "{output:?}"
    );
    let output = folder.run("explain readme/report-link");
    output.stderr_has("; the rule was removed");
}
