//! Tests `tree/copied-report` for reports of one implementation, with messages for each combination
//! of results, release and mode. The rule page covers other versions and other implementations.

use crate::support::folder::Folder;

const ORIGINAL: &str = "reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml";

fn report(release: &str, version: &str, mode: &str, passed: usize) -> String {
    format!(
        "\
date: \"2026-06-01T08:00:00Z\"
gatewayAPIChannel: standard
gatewayAPIVersion: {release}
implementation:
  organization: acme
  project: operator
  version: {version}
mode: {mode}
profiles:
- name: GATEWAY-HTTP
  core:
    result: success
    statistics: {{Failed: 0, Passed: {passed}, Skipped: 0}}
"
    )
}

fn check_next_to(path: &str, other: &str) -> String {
    let folder = Folder::new();
    folder
        .file(ORIGINAL, report("v1.5.1", "v2.14.0", "default", 33))
        .file(path, other);
    folder.run("check --select tree/copied-report").stdout
}

#[test]
fn the_same_run_with_another_mode_for_another_release_is_an_error() {
    let other = report("v1.6.1", "v2.14.0", "sidecar", 33);
    let path = "reports/v1.6/acme-operator/standard-v2.14.0-sidecar-report.yaml";
    assert_eq!(
        check_next_to(path, &other),
        "\
error[tree/copied-report]: same run as
                           `reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml` with
                           another release and mode: date and results are identical
--> reports/v1.6/acme-operator/standard-v2.14.0-sidecar-report.yaml
--> reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml
 = help: submit each run of the suite once, in the folder of the release of that suite

1 error in 2 reports of 2 submissions (2 releases)
"
    );
}

#[test]
fn the_same_date_with_other_results_is_an_error() {
    let other = report("v1.5.1", "v2.15.0", "default", 32);
    let path = "reports/v1.5/acme-operator/standard-v2.15.0-default-report.yaml";
    assert_eq!(
        check_next_to(path, &other),
        "\
error[tree/copied-report]: edited copy of `standard-v2.14.0-default-report.yaml` with another
                           version: the date is the same, the results are not
--> reports/v1.5/acme-operator/standard-v2.15.0-default-report.yaml
--> reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml
 = help: remove the edited report; submit reports as the suite wrote them

1 error in 2 reports of 1 submission (1 release)
"
    );
}

#[test]
fn the_same_date_with_other_results_and_another_mode_is_a_warning() {
    let other = report("v1.5.1", "v2.14.0", "sidecar", 32);
    let path = "reports/v1.5/acme-operator/standard-v2.14.0-sidecar-report.yaml";
    assert_eq!(
        check_next_to(path, &other),
        "\
warning[tree/copied-report]: same date as `standard-v2.14.0-default-report.yaml`, which has another
                             mode and other results; expected a different date for each run
--> reports/v1.5/acme-operator/standard-v2.14.0-sidecar-report.yaml
--> reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml
 = help: if one report was made from the other, remove it; if two runs ended in the same
         second, both may stay

1 warning in 2 reports of 1 submission (1 release)
"
    );
}

#[test]
fn a_broken_date_does_not_hide_a_copy() {
    for date in [
        "2026-06-01 08:00:00Z",
        "2026-06-01T08:00:00.1234567890Z",
        "2026-06-01T10:00:00+0200",
    ] {
        let copy = report("v1.5.1", "v2.14.0", "default", 33)
            .replace("organization: acme", "organization: umbrella")
            .replace("2026-06-01T08:00:00Z", date);
        let output = check_next_to("reports/v1.5/umbrella/x.yaml", &copy);
        assert!(output.contains("[tree/copied-report]"), "{date}: {output}");
    }
}
