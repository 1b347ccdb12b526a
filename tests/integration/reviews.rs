//! Tests reviews of changes that move reports and READMEs, and the suggested fixes.

use std::fs;

use serde_json::Value;

use crate::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, NAME, README, report};
use crate::support::report::ReportBuilder;
use crate::support::{NONE, has, lines};

const UMBRELLA: &str = "conformance/reports/v1.5/umbrella-gate";
const OTHER_NAME: &str = "standard-v1.0.0-default-report.yaml";

fn imperfect_readme(name: &str, version: &str) -> String {
    let row = format!(
        "| standard | [{version}](https://acme.example/releases/{version}) | x | ./{name} |"
    );
    let old = README.lines().find(|line| line.contains(NAME)).unwrap();
    README.replace(old, &row)
}

fn other_report() -> String {
    let report = ReportBuilder::new()
        .organization("umbrella")
        .project("gate");
    let report = report.version("v1.0.0").url("umbrella.example");
    report.date("2026-05-20T11:15:30Z").build()
}

fn two() -> Folder {
    let folder = Folder::with_tree();
    let other = imperfect_readme(OTHER_NAME, "v1.0.0");
    folder
        .file(
            ACME_REPORT,
            ReportBuilder::new().url("acme.example").build(),
        )
        .file(ACME_README, imperfect_readme(NAME, "v2.14.0"))
        .file(&format!("{UMBRELLA}/{OTHER_NAME}"), other_report())
        .file(&format!("{UMBRELLA}/README.md"), other);
    folder.commit();
    folder
}

fn rename(folder: &Folder, from: &str, to: &str) {
    let to = folder.path().join(to);
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::rename(folder.path().join(from), to).unwrap();
}

/// Rules and paths of findings introduced since HEAD, limited to the rules or groups in `groups`.
fn brought(folder: &Folder, groups: &str) -> Vec<String> {
    let command = format!("check --since HEAD --fail-on never --select {groups}");
    let without_position = |found: &String| found.split(' ').take(2).collect::<Vec<_>>().join(" ");
    folder
        .findings(&command)
        .iter()
        .map(without_position)
        .collect()
}

#[test]
fn reports_that_change_places_keep_what_was_found_about_them() {
    let folder = two();
    let (a, b) = (format!("{ACME}/{NAME}"), format!("{ACME}/{OTHER_NAME}"));
    rename(&folder, &format!("{UMBRELLA}/{OTHER_NAME}"), &b);
    folder.commit();
    rename(&folder, &a, "aside.yaml");
    rename(&folder, &b, &a);
    rename(&folder, "aside.yaml", &b);
    assert_eq!(brought(&folder, "report"), NONE);
}

#[test]
fn known_conflicts_are_independent_of_order() {
    let copies = "tree/copied-report";
    let identity = "tree/same-identity";
    let times = [
        (copies, ["10:15:30"; 2]),
        (identity, ["11:15:30", "12:15:30"]),
    ];
    for (rule, [second, third]) in times {
        let folder = Folder::with_tree();
        let [a, b, c] = ["a.yaml", "b.yaml", "c.yaml"].map(|name| format!("{ACME}/{name}"));
        folder.file(&a, report());
        folder.file(&b, report().replace("10:15:30", second) + "# b\n");
        folder.remove(ACME_REPORT);
        folder.commit();
        assert_eq!(folder.findings(&format!("check --select {rule}")).len(), 1);
        rename(&folder, &a, &c);
        assert_eq!(brought(&folder, rule), NONE, "{rule}");
        rename(&folder, &b, &a);
        rename(&folder, &c, &b);
        assert_eq!(brought(&folder, rule), NONE, "{rule}");
        folder.file(&c, report().replace("10:15:30", third) + "# c\n");
        assert_eq!(brought(&folder, rule), [format!("{rule} {c}")]);
    }
}

#[test]
fn a_report_moved_over_another_leaves_untouched_text_alone() {
    let folder = two();
    let link = format!("[v2.14.0 report](./{NAME})");
    let linked = imperfect_readme(NAME, "v2.14.0").replace(&format!("./{NAME}"), &link);
    folder.file(ACME_README, linked);
    folder.commit();
    rename(&folder, ACME_REPORT, &format!("{UMBRELLA}/{OTHER_NAME}"));
    assert_eq!(brought(&folder, "report"), NONE);
    let found = brought(&folder, "readme/row-mode,readme/row-without-report");
    let lost = format!("readme/row-without-report {ACME}/README.md");
    assert_eq!(found, [lost]);
    let deleted = brought(&folder, "change/deleted-report");
    let expected = format!("change/deleted-report {UMBRELLA}/{OTHER_NAME}");
    assert_eq!(deleted, [expected]);
}

#[test]
fn a_new_report_under_a_former_name_inherits_no_findings() {
    let folder = two();
    let moved = format!("{ACME}/standard-v2.14.0-moved-report.yaml");
    rename(&folder, ACME_REPORT, &moved);
    let new = ReportBuilder::new().url("acme.example").version("v2.14.1");
    folder.file(ACME_REPORT, new.date("2026-05-20T12:15:30Z").build());
    let found = brought(&folder, "report");
    assert_eq!(found, [format!("report/url-scheme {ACME}/{NAME}")]);
}

#[test]
fn a_run_that_goes_to_another_implementation_is_an_edited_report() {
    let folder = two();
    folder.remove(ACME);
    let taken = folder.put(
        &ReportBuilder::new()
            .organization("umbrella")
            .project("gate"),
    );
    let json = folder.json("check --since HEAD --fail-on never --select change");
    let mut edited = lines(&json["findings"], "{rule} {path} {message}");
    edited.retain(|one| one.starts_with("change/edited-metadata "));
    assert_eq!(edited.len(), 1, "{json}");
    has(&edited[0], &format!(" {taken} "));
    has(&edited[0], "organization `umbrella`, was `acme`");
    let kind = &json["change"]["report_changes"][0]["kind"];
    assert_eq!(kind, "moved-and-changed");
    let deleted = brought(&folder, "change/deleted-report");
    assert_eq!(deleted, NONE);
}

#[test]
fn a_copy_is_shown_where_the_change_brings_it() {
    // By file name alone, the copy would be treated as the original.
    let folder = Folder::with_tree();
    folder.commit();
    let copy = folder.put(&ReportBuilder::new().channel("experimental"));
    let json = folder.json("check --since HEAD --fail-on never --select tree/copied-report");
    let finding = &json["findings"][0];
    assert_eq!(finding["path"], copy);
    let message =
        format!("same run as `{NAME}` with another channel: date and results are identical");
    assert_eq!(finding["message"], message);
    assert_eq!(finding["labels"][0]["path"], format!("{ACME}/{NAME}"));
    let json = folder.json("check --fail-on never --select tree/copied-report");
    assert_eq!(json["findings"][0]["path"], format!("{ACME}/{NAME}"));
}

#[test]
fn many_reports_are_folded() {
    let folder = Folder::with_tree();
    folder.commit();
    let page = |count: usize| {
        for nth in 0..count {
            let report = ReportBuilder::new().version(&format!("v2.15.{nth}"));
            folder.put(&report.date(&format!("2026-05-20T11:15:{nth:02}Z")));
        }
        let page = folder.run("check --since HEAD --format markdown").stdout;
        let (_, reports) = page.split_once("### Reports\n").unwrap();
        let lines = reports.lines().filter(|line| line.starts_with("- new: "));
        assert_eq!(lines.count(), count);
        let before = reports.split_once("- new: ").unwrap().0;
        before.contains("<details><summary>All reports: 21</summary>")
    };
    assert_eq!([page(20), page(21)], [false, true]);
}

fn comments(folder: &Folder) -> Vec<Value> {
    let output = folder.run("check --since HEAD --format suggestions --exit-zero");
    let review: Value = serde_json::from_str(&output.stdout).unwrap();
    review["comments"].as_array().unwrap().clone()
}

#[test]
fn lines_that_moved_with_their_file_are_no_lines_of_the_change() {
    let folder = two();
    let moved = "conformance/reports/v1.5/acme-gate";
    rename(&folder, ACME, moved);
    let readme = imperfect_readme(NAME, "v2.14.0");
    let new_name = "standard-v2.15.0-default-report.yaml";
    let old = readme.lines().find(|line| line.contains(NAME)).unwrap();
    let new = old.replace("v2.14.0", "v2.15.0");
    folder
        .file(
            &format!("{moved}/README.md"),
            readme.replace(old, &format!("{old}\n{new}")),
        )
        .file(
            &format!("{moved}/{new_name}"),
            report()
                .replace("v2.14.0", "v2.15.0")
                .replace("10:15:30", "13:15:30"),
        );
    let all = comments(&folder);
    let lines: Vec<_> = all.iter().map(|one| &one["line"]).collect();
    assert_eq!(lines, [8], "{all:?}");
    assert_eq!(all[0]["path"], format!("{moved}/README.md"));
}

#[test]
fn omits_suggestions_that_cannot_be_shown() {
    let path = format!("{ACME}/README.md");
    let with = |text: String| {
        let folder = Folder::with_tree();
        folder.commit();
        folder.file(&path, text);
        let all = comments(&folder);
        let before = fs::read(folder.path().join(&path)).unwrap();
        folder.run("check --fix --exit-zero");
        assert_ne!(fs::read(folder.path().join(&path)).unwrap(), before);
        all
    };
    let bare = imperfect_readme(NAME, "v2.14.0").replace(" x |", " default |");
    assert_eq!(with(bare.clone()).len(), 1);
    let row = bare.lines().find(|line| line.contains(NAME)).unwrap();
    let folder = Folder::with_tree();
    folder.file(&path, &bare);
    folder.commit();
    let new = row.replace("v2.14.0", "v2.15.0");
    let newer = report()
        .replace("v2.14.0", "v2.15.0")
        .replace("10:15", "11:15");
    folder
        .file(&path, bare.replace(row, &format!("{row}\n{new}")))
        .acme("standard-v2.15.0-default-report.yaml", newer);
    let all = comments(&folder);
    let lines: Vec<_> = all.iter().map(|one| &one["line"]).collect();
    assert_eq!(lines, [8]);

    assert_eq!(with(README.replace('\n', "\r\n")), [] as [Value; 0]);
    assert_eq!(with(README.trim_end().to_owned()), [] as [Value; 0]);
    let bare = imperfect_readme(NAME, "v2.14.0");
    let row = bare.lines().find(|line| line.contains(NAME)).unwrap();
    let long = format!("| {} |\n|---|\n", "x".repeat(100_000));
    let wide = format!("{row} {} |", "x".repeat(100_000));
    assert_eq!(with(bare.replace(row, &wide) + &long), [] as [Value; 0]);
    let reversed = format!("{row} \u{202e}txet |");
    assert_eq!(with(bare.replace(row, &reversed)), [] as [Value; 0]);
    // Backticks in the line must not close the suggestion block.
    let fenced = format!("{row} ```` |");
    let all = with(bare.replace(row, &fenced));
    let body = all[0]["body"].as_str().unwrap();
    let (_, block) = body.split_once("`````suggestion\n").unwrap();
    let (line, end) = block.split_once('\n').unwrap();
    assert!(line.ends_with("```` |"), "{body}");
    assert_eq!(end, "`````");
}

#[test]
fn a_row_is_known_by_its_differences_of_one_rule() {
    let folder = Folder::with_tree();
    let path = format!("{ACME}/README.md");
    let known = README.replace(
        "[v2.14.0](https://acme.example/releases/v2.14.0) | default |",
        "[v2.13.0](https://acme.example/releases/v2.13.0) | x |",
    );
    folder.file(&path, &known);
    folder.commit();
    assert_eq!(folder.findings("check --select readme").len(), 2);
    folder.file(&path, known.replace("| x |", "| default |"));
    assert_eq!(brought(&folder, "readme"), NONE);
    folder.file(&path, known.replace("| standard |", "| experimental |"));
    assert_eq!(
        brought(&folder, "readme"),
        [format!("readme/row-value {path}")]
    );
}

#[test]
fn rows_with_differences_of_one_rule_are_one_finding() {
    let folder = Folder::with_tree();
    folder.commit();
    let row = README.lines().find(|line| line.contains(NAME)).unwrap();
    let [one, two] = ["v2.15.0", "v2.16.0"].map(|version| {
        let report = report().replace("v2.14.0", version);
        let report = report.replace("10:15:30", &format!("{}:15:30", &version[3..5]));
        folder.file(
            &format!("{ACME}/{}", NAME.replace("v2.14.0", version)),
            report,
        );
        let row = row.replace("v2.14.0", version);
        row.replace(
            &format!("[{version}](https://acme.example/releases/{version})"),
            version,
        )
    });
    let rows = format!("{row}\n{one}\n{two}");
    folder.file(ACME_README, README.replace(row, &rows));
    let json = folder.json("check --since HEAD --select readme");
    let findings = json["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0]["labels"][0]["line"], 9);
    folder.run("check --fix");
    assert_eq!(brought(&folder, "readme"), NONE);
}
