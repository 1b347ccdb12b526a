//! Tests the rules that compare a change with what the earlier revision knows about an
//! implementation: its folders, spellings, website and runs.

use crate::support::folder::{Folder, NAME, TREE};
use crate::support::lines;
use crate::support::report::{Level, Profile, ReportBuilder};

fn put(folder: &Folder, below: &str, report: &ReportBuilder) {
    folder.file(&format!("{TREE}/{below}/{NAME}"), report.build());
}

fn acme() -> ReportBuilder {
    ReportBuilder::new()
}

fn umbrella() -> ReportBuilder {
    let report = ReportBuilder::new()
        .organization("umbrella")
        .project("gate");
    report.date("2026-05-22T08:00:00Z")
}

/// Another run than that of [`acme`].
fn later() -> ReportBuilder {
    acme().date("2026-05-25T08:00:00Z").version("v2.15.0")
}

fn base() -> Folder {
    let folder = Folder::new();
    put(&folder, "v1.5/acme-operator", &acme());
    put(&folder, "v1.5/umbrella-gate", &umbrella());
    folder.commit();
    folder
}

const RULES: &str = "check --since HEAD --fail-on never --select change/other-folder,change/other-spelling,change/website,change/edited-metadata,tree/folder-name,tree/project-spelling";

/// Findings as `severity rule path: message`, without the path of the tree.
fn found(folder: &Folder) -> Vec<String> {
    let found = lines(
        &folder.json(RULES)["findings"],
        "{severity} {rule} {path}: {message}",
    );
    let found = found
        .iter()
        .map(|line| line.replacen(&format!("{TREE}/"), "", 1));
    found.collect()
}

#[test]
fn a_report_in_a_folder_without_reports_of_its_implementation_is_an_error() {
    let folder = base();
    for (other, expected) in [
        ("v1.5/zz", true),
        ("v1.6/zz", true),
        ("v1.5/umbrella-gate", true),
        ("v1.5/acme-operator-2", true),
        ("v1.6/acme-operator", false),
    ] {
        let below = format!("{TREE}/{other}/new.yaml");
        folder.file(&below, later().build());
        let name = other.rsplit('/').next().unwrap();
        let message = format!(
            "error change/other-folder {other}/new.yaml: `{name}` is not a folder of `acme/operator`; its reports are in `acme-operator`"
        );
        let messages = if expected { vec![message] } else { vec![] };
        assert_eq!(found(&folder), messages, "{other}");
        folder.remove(&below);
    }
    // A new implementation chooses its folder.
    put(&folder, "v1.5/zz", &later().organization("new"));
    let found = found(&folder);
    assert!(
        !found.iter().any(|one| one.contains("change/")),
        "{found:?}"
    );
}

#[test]
fn a_configured_implementation_may_take_the_folder_of_its_name() {
    let folder = Folder::new();
    let names = "[[implementation]]\norganization = 'acme'\nproject = 'operator'\naliases = ['acme-inc/operator']\n";
    put(&folder, "v1.5/legacy", &acme().organization("acme-inc"));
    put(&folder, "v1.5/umbrella-gate", &umbrella());
    folder.commit();
    let is_error = |folder: &Folder| {
        let found = found(folder);
        found
            .iter()
            .any(|one| one.starts_with("error change/other-folder"))
    };
    put(&folder, "v1.6/acme-operator", &later());
    folder.file("gwconform.toml", names);
    // A configuration in the change does not count, so the report is that of a new implementation.
    assert!(!is_error(&folder));
    folder.remove(&format!("{TREE}/v1.6"));
    folder.commit();
    put(&folder, "v1.6/acme-operator", &later());
    assert!(!is_error(&folder));
    put(&folder, "v1.6/acmeoperator", &later());
    assert!(is_error(&folder));
    folder.remove(&format!("{TREE}/v1.6"));
    put(&folder, "v1.5/acme-operator", &umbrella());
    folder.commit();
    put(&folder, "v1.6/acme-operator", &later());
    assert!(is_error(&folder));
}

#[test]
fn a_new_spelling_is_an_error_and_reported_once() {
    let folder = base();
    put(&folder, "v1.6/acme-operator", &later().organization("ACME"));
    let message = "`ACME/operator`; expected `acme/operator`, as in `HEAD`";
    let expected = format!(
        "error change/other-spelling v1.6/acme-operator/{NAME}: the project is spelled {message}"
    );
    assert_eq!(found(&folder), std::slice::from_ref(&expected));
    // More reports do not make the new spelling the usual one.
    for release in ["v1.4.1", "v1.3.0"] {
        put(
            &folder,
            &format!("{release}/acme-operator"),
            &later().organization("ACME"),
        );
    }
    let found_3 = found(&folder);
    assert_eq!(found_3.len(), 3, "{found_3:?}");
    assert!(found_3.contains(&expected), "{found_3:?}");
    // A spelling of the earlier revision or its configuration is accepted.
    let folder = base();
    let names = "[[implementation]]\norganization = 'acme'\nproject = 'operator'\naliases = ['ACME/operator']\n";
    folder.file("gwconform.toml", names);
    folder.commit();
    put(&folder, "v1.6/acme-operator", &later().organization("ACME"));
    assert_eq!(found(&folder), [""; 0]);
}

#[test]
fn another_website_than_that_of_the_newest_sound_report_is_a_warning() {
    let folder = base();
    // A report without a verdict does not determine the website.
    let refused = acme()
        .date("2026-05-30T08:00:00Z")
        .version("v9.0.0")
        .url("https://acme-gateway.example");
    let refused = refused.profiles([Profile::new("GATEWAY-GRPC").core(Level::success(3))]);
    put(
        &folder,
        "v1.6/acme-operator",
        &refused.clone().release("v1.6.0"),
    );
    let expected = format!(
        "warning change/website v1.6/acme-operator/{NAME}: the website is on `acme-gateway.example`; expected `acme.example`, as in the newest report of `acme/operator`"
    );
    assert_eq!(found(&folder), [expected]);
    folder.commit();
    let below = format!("{TREE}/v1.6/acme-operator/new.yaml");
    folder.file(
        &below,
        later()
            .release("v1.6.0")
            .url("https://ACME.example/docs")
            .build(),
    );
    assert_eq!(found(&folder), [""; 0]);
    // An edit of another field does not repeat the finding.
    folder.remove(&below);
    put(
        &folder,
        "v1.6/acme-operator",
        &refused.release("v1.6.0").date("2026-05-31T08:00:00Z"),
    );
    assert_eq!(found(&folder), [""; 0]);
}

fn preview(folder: &Folder) -> String {
    folder.run("check --since HEAD --fail-on never").stdout
}

#[test]
fn a_run_does_not_become_that_of_another_implementation() {
    let path = format!("v1.5/acme-operator/{NAME}");
    // A name without reports is a rename, with an alias to add first.
    let folder = base();
    put(
        &folder,
        "v1.5/acme-operator",
        &acme().organization("initech"),
    );
    let expected = format!(
        "error change/edited-metadata {path}: the change renames `acme/operator` to `initech/operator` in all of its reports; changed reports: 1"
    );
    assert_eq!(found(&folder), [expected]);
    let help = folder.json(RULES)["findings"][0]["help"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        help.starts_with("first add an `[[implementation]]` entry"),
        "{help}"
    );
    assert!(preview(&folder).contains("renamed from"));
    // The same name of several is an edit.
    let folder = base();
    put(&folder, "v1.6/acme-operator", &later());
    folder.commit();
    put(
        &folder,
        "v1.5/acme-operator",
        &acme().organization("initech"),
    );
    let edited = format!(
        "error change/edited-metadata {path}: fields differ from `HEAD`, but the date is the same: organization `initech`, was `acme`"
    );
    assert_eq!(found(&folder), [edited]);
    // A name with reports is never a rename, whatever its spelling.
    for organization in ["umbrella", "Umbrella"] {
        let folder = base();
        put(
            &folder,
            "v1.5/acme-operator",
            &acme().organization(organization).project("gate"),
        );
        let found = found(&folder);
        let of_identity = found
            .iter()
            .filter(|one| one.contains("change/edited-metadata"));
        let of_identity: Vec<_> = of_identity.collect();
        assert_eq!(of_identity.len(), 1, "{found:?}");
        let start = format!(
            "error change/edited-metadata {path}: fields differ from `HEAD`, but the date is the same: organization `{organization}`, was `acme`"
        );
        assert!(of_identity[0].starts_with(&start), "{found:?}");
        assert!(!preview(&folder).contains("renamed from"));
    }
    // A new run can have a new name.
    let folder = base();
    put(
        &folder,
        "v1.5/acme-operator",
        &later().organization("initech"),
    );
    assert!(
        found(&folder)[0].starts_with("warning"),
        "{:?}",
        found(&folder)
    );
}

#[test]
fn an_alias_of_the_earlier_configuration_permits_a_rename() {
    let names = "[[implementation]]\norganization = 'initech'\nproject = 'operator'\naliases = ['acme/operator']\n";
    let folder = base();
    put(
        &folder,
        "v1.5/acme-operator",
        &acme().organization("initech"),
    );
    folder.file("gwconform.toml", names);
    let is_error = |folder: &Folder| found(folder).iter().any(|one| one.starts_with("error"));
    assert!(is_error(&folder));
    put(&folder, "v1.5/acme-operator", &acme());
    folder.commit();
    put(
        &folder,
        "v1.5/acme-operator",
        &acme().organization("initech"),
    );
    assert!(!is_error(&folder), "{:?}", found(&folder));
    assert_eq!(found(&folder).len(), 1);
}
