//! Runs the program to test rules about the possible results of a suite run.

use crate::support::folder::{Folder, TREE};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::{lines, words_of};

const FILE: &str = "standard-v2.14.0-default-report.yaml";

fn with(release: &str, report: ReportBuilder) -> Folder {
    let folder = Folder::with_tree();
    let minor = release.rsplit_once('.').unwrap().0;
    let text = report.release(release).build();
    folder.file(&format!("{TREE}/{minor}/acme-operator/{FILE}"), text);
    folder
}

fn http(core: Level) -> Profile {
    Profile::new("GATEWAY-HTTP").core(core)
}

fn found(folder: &Folder, arguments: &str) -> Vec<String> {
    let json = folder.json(format!("check {arguments}").trim_end());
    lines(&json["findings"], "{severity} {rule}: {message}")
}

const SUITE: &str =
    "--select report/newer-suite,report/suite-facts,report/unknown-name,report/core-tests-missing";

#[test]
fn a_newer_suite_is_one_finding_for_each_profile() {
    let extended = Level::success(1).supported(&["HTTPRouteRetry"]);
    let grpc = Profile::new("GATEWAY-GRPC").core(Level::success(20));
    let report = ReportBuilder::new().profiles([http(Level::success(36)).extended(extended), grpc]);
    let folder = with("v1.5.1", report);
    let all = found(&folder, SUITE);
    assert_eq!(all.len(), 2, "{all:#?}");
    assert!(all[0].starts_with("warning report/newer-suite: `GATEWAY-HTTP`: made with a suite newer than v1.5.0, v1.5.1: core test count 36 instead of 33; "), "{all:#?}");
    assert!(
        all[1].starts_with("warning report/suite-facts: ")
            && all[1].contains("missing from both feature lists"),
        "{all:#?}"
    );
    let strict = found(&folder, &format!("{SUITE} --strict"));
    assert!(strict[0].starts_with("error"), "{strict:#?}");
}

fn all_features(release: &str, supported: &[&str]) -> (Vec<String>, Vec<String>, u32) {
    let mut releases = gwconform_base::release::Registry::embedded()
        .releases()
        .iter();
    let release = releases
        .find(|one| one.version().to_string() == release)
        .unwrap();
    let profile = release.profile("GATEWAY-HTTP").unwrap();
    let is_supported = |name: &&String| supported.contains(&name.as_str());
    let own = supported.iter().map(|name| (*name).to_owned()).collect();
    let others = profile
        .extended
        .iter()
        .filter(|name| !is_supported(name))
        .cloned();
    let ran = gwconform_report::report::suite::Ran {
        supported: supported.iter().copied().collect(),
        ..gwconform_report::report::suite::Ran::default()
    };
    let expected = gwconform_report::report::suite::expected(release, "GATEWAY-HTTP", &ran);
    (own, others.collect(), expected[0].extended.len() as u32)
}

fn listed(release: &str, core: u32, supported: &[&str], added: &str) -> Folder {
    let (mut own, others, tests) = all_features(release, supported);
    own.push(added.to_owned());
    own.sort();
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let others = others
        .iter()
        .map(String::as_str)
        .filter(|name| *name != added);
    let others: Vec<&str> = others.collect();
    let extended = Level::success(tests).supported(&own).unsupported(&others);
    with(
        release,
        ReportBuilder::new().profiles([http(Level::success(core)).extended(extended)]),
    )
}

/// The test counts equal those of the release, so the added names do not come from a newer suite.
#[test]
fn names_that_were_added_by_hand_are_no_newer_suite() {
    let later = found(
        &listed("v1.4.0", 33, &["HTTPRouteCORS"], "BackendTLSPolicy"),
        SUITE,
    );
    assert_eq!(
        later,
        [
            "warning report/suite-facts: `supportedFeatures`: `BackendTLSPolicy` not in `GATEWAY-HTTP` of v1.4.0 (only since v1.4.1); the counts fit without `BackendTLSPolicy`, so the feature lists were edited"
        ]
    );
    let own = found(
        &listed("v1.5.1", 33, &["HTTPRouteCORS"], "BackendTLSPolicy"),
        SUITE,
    );
    assert_eq!(own.len(), 1, "{own:#?}");
    assert!(
        own[0].ends_with(
            "; the counts fit without `BackendTLSPolicy`, so the feature lists were edited"
        ),
        "{own:#?}"
    );
    // The counts equal those of v1.6.1, so they do not suggest a newer suite.
    for release in ["v1.6.1", "v1.6.2"] {
        let folder = listed(release, 37, &["HTTPRouteCORS"], "HTTPRouteTeleportation");
        assert_eq!(
            found(&folder, SUITE),
            [
                "warning report/unknown-name: `supportedFeatures`: `HTTPRouteTeleportation` is not a feature of any release up to v1.6.2"
            ],
            "{release}"
        );
    }
}

#[test]
fn an_absurd_count_is_not_of_a_newer_suite() {
    let absurd = ReportBuilder::new().profiles([http(Level::success(4_000_000_000))]);
    let all = found(
        &with("v1.5.1", absurd),
        &format!("{SUITE},report/results-of-other-profile"),
    );
    assert_eq!(all.len(), 1, "{all:#?}");
    assert!(
        all[0].starts_with("error report/results-of-other-profile: "),
        "{all:#?}"
    );
}

#[test]
fn newer_suite_findings_include_unknown_names() {
    let names = ["HTTPRouteTeleportation", "GatewayLevitation"];
    let extended = || Level::success(0).unsupported(&names);
    let report = || ReportBuilder::new().profiles([http(Level::success(33)).extended(extended())]);
    let of_newest = found(&with("v1.6.2", report()), SUITE);
    let newer = of_newest
        .iter()
        .filter(|one| one.contains("report/newer-suite"));
    assert_eq!(
        newer.count(),
        0,
        "fewer core tests than v1.6.2 has: {of_newest:#?}"
    );
    let core = Level::success(37);
    let report = ReportBuilder::new().profiles([http(core).extended(extended())]);
    let of_newest = found(&with("v1.6.2", report), SUITE);
    assert_eq!(of_newest.len(), 2, "{of_newest:#?}");
    let unexplained = "warning report/suite-facts: `GATEWAY-HTTP`: `BackendTLSPolicy`, ";
    assert!(of_newest[0].starts_with(unexplained), "{of_newest:#?}");
    assert!(of_newest[1].contains("newer than v1.6.2"), "{of_newest:#?}");
    let older = found(&with("v1.5.1", self::older(&names)), SUITE);
    let unknown = older
        .iter()
        .filter(|one| one.contains("report/unknown-name"));
    assert_eq!(unknown.count(), 2, "{older:#?}");
}

fn older(names: &[&str]) -> ReportBuilder {
    let extended = Level::success(0).unsupported(names);
    ReportBuilder::new().profiles([http(Level::success(33)).extended(extended)])
}

#[test]
fn the_configuration_names_the_release_from_which_it_is_an_error() {
    let report = || ReportBuilder::new().profiles([http(Level::success(36))]);
    for (since, severity) in [("v1.5", "error"), ("v1.6", "warning")] {
        let folder = with("v1.5.1", report());
        let setting =
            format!("[policy]\nerror-since = {{ \"report/newer-suite\" = \"{since}\" }}\n");
        folder.file("gwconform.toml", setting);
        let all = found(&folder, SUITE);
        assert!(all[0].starts_with(severity), "{since}: {all:#?}");
    }
    let folder = with("v1.5.1", report());
    let wrong = "[policy]\nerror-since = { \"report/newer-suit\" = \"v1\" }\n";
    folder.file("gwconform.toml", wrong);
    let out = folder.run("check");
    assert_eq!(out.code, 2, "{}", out.stderr);
    assert!(
        words_of(&out.stderr).contains("did you mean `report/newer-suite`?"),
        "{}",
        out.stderr
    );
    out.stderr_has("`v1` is not a minor release");
}

#[test]
fn a_report_of_another_project_is_one_finding_and_no_verdict() {
    for key in [
        "GatewayAPIInferenceExtensionVersion",
        "networkPolicyV2APIVersion",
        "meshVersion",
        "mcsAPIVersion",
    ] {
        let folder = Folder::with_tree();
        let text = ReportBuilder::new().build();
        let text = format!("{key}: v1.0.0\n{}", text.replace("GATEWAY-", "EPP-"));
        folder.file(&format!("{TREE}/v1.5/acme-operator/{FILE}"), text);
        let of_report = |one: &&String| !one.contains(" readme/") && !one.contains(" tree/");
        let all = found(&folder, "");
        let all: Vec<_> = all.iter().filter(of_report).collect();
        assert_eq!(all.len(), 1, "{all:#?}");
        assert!(
            all[0].starts_with("error report/other-project: gwconform does not check reports of"),
            "{all:#?}"
        );
        let certify = folder.json("certify --allow-empty");
        assert_eq!(certify["implementations"], serde_json::json!([]));
        let reason = certify["left_out"][0]["reason"].as_str().unwrap();
        assert!(reason.starts_with("a report of "), "{reason}");
    }
}

#[test]
fn a_misspelled_version_key_is_not_another_project() {
    for key in [
        "gatewayApiVersion",
        "gatwayAPIVersion",
        "aapiVersion",
        "<Right>apiVersion",
        "gateway-api-version",
    ] {
        let folder = Folder::with_tree();
        let text = format!("{key}: v1.5.1\n{}", ReportBuilder::new().build());
        folder.file(&format!("{TREE}/v1.5/acme-operator/{FILE}"), text);
        let all = found(&folder, "--select report/other-project");
        assert!(all.is_empty(), "{key}: {all:#?}");
    }
    let folder = Folder::with_tree();
    let text = ReportBuilder::new().release("v1.8.0").build();
    let path = format!("{TREE}/v1.8/acme-operator/{FILE}");
    folder.file(&path, format!("suiteVersion: v1.8.0\n{text}"));
    assert!(found(&folder, "--select report/other-project").is_empty());
}

#[test]
fn truncated_reports_are_not_called_another_kind() {
    let folder = Folder::with_tree();
    let path = format!("{TREE}/v1.5/acme-operator/{FILE}");
    folder.file(&path, "date: \"2026-01-01\nkind: ConformanceReport\n");
    let all = found(&folder, "--select report,yaml");
    assert!(
        all.iter().all(|one| !one.contains("report/kind")),
        "{all:#?}"
    );
    assert!(
        all.iter().any(|one| one.contains("yaml/syntax")),
        "{all:#?}"
    );
    folder.file(&path, "kind: Pod\n");
    let all = found(&folder, "--select report/kind");
    assert_eq!(all.len(), 1, "{all:#?}");
}

#[test]
fn a_test_with_two_results_leaves_no_verdict() {
    let core = Level::result("partial")
        .counts(32, 1, 0)
        .skipped(&["GatewayInfrastructure"]);
    let report = ReportBuilder::new().profiles([http(core)]);
    let folder = with("v1.5.1", report.provisional(&["GatewayInfrastructure"]));
    let all = found(&folder, "--select report/provisional-contradicts-lists");
    assert_eq!(all.len(), 1, "{all:#?}");
    let certify = folder.json("certify");
    let profile = &certify["implementations"][0]["reports"][0]["profiles"][0];
    assert_eq!(profile["status"], "contradictory", "{profile}");
}

#[test]
fn a_claim_needs_a_test_that_can_run() {
    let rule = "--select report/claim-without-its-need";
    let claim = |supported: &[&str], unsupported: &[&str]| {
        let level = Level::success(1)
            .supported(supported)
            .unsupported(unsupported);
        let profile = Profile::new("GATEWAY-TLS")
            .core(Level::success(11))
            .extended(level);
        found(
            &with("v1.5.1", ReportBuilder::new().profiles([profile])),
            rule,
        )
    };
    let (mixed, terminate) = ("TLSRouteModeMixed", "TLSRouteModeTerminate");
    assert_eq!(claim(&[mixed], &[terminate]).len(), 1);
    assert_eq!(claim(&[terminate], &[mixed]), [""; 0]);
    assert_eq!(claim(&[mixed, terminate], &[]), [""; 0]);
    assert_eq!(claim(&[mixed], &[]), [""; 0]);
    assert_eq!(claim(&[mixed, terminate], &[terminate]), [""; 0]);
}

#[test]
fn reports_a_lost_extended_level_within_one_channel_and_mode() {
    let folder = Folder::with_tree();
    let extended = Level::success(1).supported(&["HTTPRouteMethodMatching"]);
    let first = ReportBuilder::new().release("v1.4.1");
    let first = first.profiles([http(Level::success(33)).extended(extended)]);
    folder.file(
        &format!("{TREE}/v1.4.1/acme-operator/{FILE}"),
        first.build(),
    );
    let last = || {
        ReportBuilder::new()
            .release("v1.5.1")
            .profiles([http(Level::success(33))])
    };
    let path = format!("{TREE}/v1.5/acme-operator/{FILE}");
    folder.file(&path, last().build());
    let rule = "--select tree/extended-lost";
    let all = found(&folder, rule);
    assert_eq!(
        all,
        [
            "info tree/extended-lost: `GATEWAY-HTTP`: no extended result; the last report, for v1.4.1, has one"
        ]
    );
    folder.file(&path, last().channel("experimental").build());
    assert_eq!(found(&folder, rule), [""; 0]);
    folder.file(&path, last().mode("other").build());
    assert_eq!(found(&folder, rule), [""; 0]);
}

#[test]
fn the_release_that_a_report_states_or_its_minor_has_a_day_to_compare_with() {
    for (stated, count) in [
        ("v1.6.0", 1),
        ("v1.6.0-rc.1", 0),
        ("UNDEFINED", 0),
        ("v1.6.5", 1),
    ] {
        let folder = Folder::with_tree();
        let report = ReportBuilder::new().release(stated);
        let report = report.date("2025-01-01T00:00:00Z").build();
        folder.file(&format!("{TREE}/v1.6/acme-operator/{FILE}"), report);
        let found = found(&folder, "--select report/date-before-release");
        assert_eq!(found.len(), count, "{stated}: {found:#?}");
    }
}

/// `--allow-crds-mismatch` exists since v1.1.0.
#[test]
fn help_for_old_suites_names_no_flag_that_they_lack() {
    for (folder_name, release, has_flag) in [("v1.0.0", "1.0.0", false), ("v1.5", "main", true)] {
        let folder = Folder::new();
        let path = format!("reports/{folder_name}/acme-operator/report.yaml");
        let report = ReportBuilder::new().release("v1.5.1").build();
        folder.file(&path, report.replace("v1.5.1", release));
        let found = folder.json("check --fail-on never --select report/gateway-api-version");
        let help = found["findings"][0]["help"].as_str().unwrap();
        assert_eq!(help.contains("--allow-crds-mismatch"), has_flag, "{help}");
    }
}
