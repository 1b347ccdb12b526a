//! Tests the page that maintainers read before they approve a change.

use std::fs;

use crate::support::folder::{Folder, NAME, README, report};
use crate::support::git::commit_all;

const ACME: &str = "conformance/reports/v1.5/acme-operator";

fn repository() -> Folder {
    let folder = Folder::with_tree();
    commit_all(folder.path());
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
        assert!(output.stdout.contains(&see), "{}", output.stdout);
    }
}

#[test]
fn a_first_report_has_a_table_and_a_checklist() {
    let folder = Folder::new();
    folder.file("conformance/reports/README.md", "# Reports\n");
    commit_all(folder.path());
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
    fs::remove_file(folder.path().join(ACME).join("README.md")).unwrap();
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
    commit_all(folder.path());
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
    let expected = format!("change/edited-metadata {ACME}/{NAME} ");
    let of_change: Vec<_> = of_change.collect();
    assert_eq!(of_change.len(), 1, "{findings:?}");
    assert!(of_change[0].starts_with(&expected), "{findings:?}");
    assert!(page(&folder).contains("aliases = [\"acme/operator\"]"));
}

#[test]
fn a_name_that_is_corrected_moves_no_address() {
    let folder = Folder::with_tree();
    let wrong = format!("{NAME}.yaml");
    let (from, to) = (format!("{ACME}/{wrong}"), format!("{ACME}/{NAME}"));
    fs::rename(folder.path().join(&to), folder.path().join(&from)).unwrap();
    folder.file(&format!("{ACME}/README.md"), README.replace(NAME, &wrong));
    commit_all(folder.path());
    fs::rename(folder.path().join(&from), folder.path().join(&to)).unwrap();
    folder.file(&format!("{ACME}/README.md"), README);
    assert_eq!(folder.findings("check --since HEAD"), [""; 0]);
}
