//! Tests the page that maintainers read before they approve a change.

use crate::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, NAME, README, report};
use crate::support::report::{Level, Profile, ReportBuilder};

fn repository() -> Folder {
    let folder = Folder::with_tree();
    folder.commit();
    folder
}

fn page(folder: &Folder) -> String {
    folder.run("check --since HEAD --format markdown").stdout
}

#[test]
fn the_other_file_is_named_in_each_format() {
    let folder = repository();
    let copy = NAME.replace("v2.14.0", "v2.15.0");
    folder.file(
        &format!("{ACME}/{copy}"),
        report().replace("v2.14.0", "v2.15.0"),
    );
    let original = format!("{ACME}/{NAME}");
    assert!(page(&folder).contains(&format!("<br>see `{original}`: original report")));
    for format in ["github", "junit"] {
        let output = folder.run(&format!("check --since HEAD --format {format}"));
        let see = format!(
            "see{} {original}: original report",
            if format == "junit" { ":" } else { "" }
        );
        output.stdout_has(&see);
    }
}

#[test]
fn a_first_report_has_a_table_and_a_checklist() {
    let folder = Folder::new();
    folder.file("conformance/reports/README.md", "# Reports\n");
    folder.commit();
    folder.submission(ACME);
    let page = page(&folder);
    assert!(
        page.contains("| Profile | Core passed | Extended passed | Features |"),
        "{page}"
    );
    assert_eq!(page.matches("- [ ] ").count(), 3, "{page}");
}

#[test]
fn a_first_report_without_a_readme_names_the_command_that_writes_it() {
    let folder = repository();
    folder.remove(ACME_README);
    let command = format!("gwconform add {ACME}/{NAME}");
    assert!(page(&folder).contains(&command));
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    folder.run(&words.join(" "));
    assert!(folder.path().join(ACME).join("README.md").exists());
}

#[test]
fn an_organization_that_is_renamed_everywhere_is_one_rename() {
    let folder = Folder::with_tree();
    folder.submission("conformance/reports/v1.6/acme-operator");
    folder.commit();
    for release in ["v1.5", "v1.6"] {
        let path = format!("conformance/reports/{release}/acme-operator/{NAME}");
        folder.file(
            &path,
            report().replace("organization: acme", "organization: umbrella"),
        );
    }
    let findings = folder.findings("check --since HEAD");
    let of_change = findings
        .iter()
        .filter(|finding| finding.starts_with("change/"));
    let of_change: Vec<_> = of_change.collect();
    let expected = [
        format!("change/edited-metadata {ACME}/{NAME} "),
        "change/address-moved conformance/reports/v1.6/".to_owned(),
    ];
    assert_eq!(of_change.len(), expected.len(), "{findings:?}");
    for (found, expected) in of_change.iter().zip(&expected) {
        assert!(found.starts_with(expected), "{findings:?}");
    }
    let page = page(&folder);
    assert!(page.contains("aliases = [\"acme/operator\"]"));
    assert!(page.contains("renamed from `acme/operator`"), "{page}");
    assert!(!page.contains("no verdict"), "{page}");
}

#[test]
fn a_name_that_is_corrected_moves_no_address() {
    let folder = Folder::with_tree();
    let wrong = format!("{NAME}.yaml");
    let (from, to) = (format!("{ACME}/{wrong}"), format!("{ACME}/{NAME}"));
    folder.rename(&to, &from);
    folder.file(ACME_README, README.replace(NAME, &wrong));
    folder.commit();
    folder.rename(&from, &to);
    folder.file(ACME_README, README);
    assert_eq!(folder.findings("check --since HEAD"), [""; 0]);
}

/// Commits a report and makes `after` the new report of the implementation.
fn page_of_edit(after: &ReportBuilder) -> (Folder, String) {
    let folder = repository();
    folder.file(ACME_REPORT, after.build());
    let page = page(&folder);
    (folder, page)
}

fn partial() -> ReportBuilder {
    let core = Level::result("partial")
        .counts(12, 1, 0)
        .skipped(&["GRPCRouteWeight"]);
    let profile = Profile::new("GATEWAY-GRPC").core(core);
    ReportBuilder::new()
        .date("2026-05-21T10:15:30Z")
        .profiles([profile.summary("Core tests partially succeeded with 1 test skips.")])
}

#[test]
fn a_lost_profile_is_named_with_its_tests() {
    let (folder, page) = page_of_edit(&partial());
    let loss = "`GRPC` now partial (was conformant): `GRPCRouteWeight` skipped";
    assert!(page.contains(loss), "{page}");
    assert!(!page.contains(", unchanged"), "{page}");
    assert!(
        page.contains("1 of 13 core tests skipped: `GRPCRouteWeight`"),
        "{page}"
    );
    assert!(page.contains("<details open>"), "{page}");
    let json = folder.json("check --since HEAD");
    let loss = serde_json::json!([{
        "profile": "GATEWAY-GRPC",
        "previous_status": "conformant",
        "status": "partial",
        "skipped_tests": ["GRPCRouteWeight"],
        "failed_tests": [],
    }]);
    assert_eq!(json["change"]["verdicts"][0]["losses"], loss);
}

#[test]
fn a_verdict_on_an_older_minor_names_both_minors() {
    let folder = Folder::with_tree();
    let path = "conformance/reports/v1.4.1/acme-operator";
    folder.submission(path);
    folder.file(
        &format!("{path}/{NAME}"),
        ReportBuilder::new()
            .release("v1.4.1")
            .date("2026-05-19T10:15:30Z")
            .build(),
    );
    folder.commit();
    folder.remove("conformance/reports/v1.5");
    let page = page(&folder);
    assert!(page.contains("now based on v1.4 (was v1.5)"), "{page}");
}

#[test]
fn a_name_in_several_releases_has_its_release() {
    let folder = Folder::with_tree();
    let other = "conformance/reports/v1.6/acme-operator";
    folder.submission(other);
    folder.file(
        &format!("{other}/{NAME}"),
        ReportBuilder::new().release("v1.6.1").build(),
    );
    let third = "conformance/reports/v1.5/umbrella-edge";
    folder.submission(third);
    folder.commit();
    for (path, release) in [(ACME, "v1.5.1"), (other, "v1.6.1")] {
        let report = ReportBuilder::new().release(release).contact("@acme/team");
        folder.file(&format!("{path}/{NAME}"), report.build());
    }
    let report = ReportBuilder::new().version("v2.14.1");
    folder.file(&format!("{third}/{NAME}"), report.build());
    let page = page(&folder);
    for release in ["v1.5", "v1.6"] {
        assert!(
            page.contains(&format!("`{release}/acme-operator/{NAME}`")),
            "{page}"
        );
    }
}

#[test]
fn fields_that_one_run_corrects_are_one_warning_with_all_texts() {
    let report = ReportBuilder::new()
        .date("2026-05-21T10:15:30Z")
        .contact("acme.example/issues")
        .url("acme.example");
    let (folder, page) = page_of_edit(&report);
    let json = folder.json("check --since HEAD --select report");
    let findings = json["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let help = findings[0]["help"].as_str().unwrap();
    for flag in ["`--contact=", "`--url=https://acme.example`"] {
        assert!(help.contains(flag), "{help}");
    }
    for text in ["is not a valid contact", "`acme.example` has no scheme"] {
        assert!(page.contains(text), "{page}");
        for format in ["human", "github", "junit", "sarif"] {
            let output = folder.run(&format!("check --since HEAD --format {format}"));
            let output = output
                .stdout
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            assert!(
                output.contains(&text.replace('`', "")) || output.contains(text),
                "{format}: {output}"
            );
        }
    }
}

#[test]
fn a_missing_row_names_the_command_that_adds_it() {
    let folder = repository();
    let name = NAME.replace("v2.14.0", "v2.15.0");
    let report = ReportBuilder::new()
        .version("v2.15.0")
        .date("2026-05-21T10:15:30Z");
    folder.file(&format!("{ACME}/{name}"), report.build());
    let page = page(&folder);
    assert!(
        page.contains(&format!("`gwconform add {ACME}/{name}`")),
        "{page}"
    );
    let fix = format!("gwconform check --fix {ACME}");
    assert!(page.contains(&format!("can be fixed: `{fix}`")), "{page}");
    let output = folder.run("check --since HEAD --format suggestions");
    output.stdout_has(&fix);
}
