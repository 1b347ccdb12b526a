//! Tests reports that claim more than their runs could show. All outputs must agree and name the
//! reason.

use std::collections::BTreeMap;

use crate::support::answers::{Answers, Verdicts, ask};
use crate::support::folder::{Folder, TREE};
use crate::support::report::{Level, Profile, ReportBuilder};

/// `at` gives the run a unique date.
fn report(release: &str, at: u32) -> ReportBuilder {
    let day = if release.starts_with("v1.6") {
        "2026-09-20"
    } else {
        "2026-05-20"
    };
    ReportBuilder::new()
        .release(release)
        .date(&format!("{day}T10:{at:02}:30Z"))
}

fn grpc(core: u32) -> Profile {
    Profile::grpc().core(Level::success(core)).summarized()
}

fn http() -> Profile {
    Profile::new("GATEWAY-HTTP")
        .core(Level::success(33))
        .summarized()
}

fn tree() -> Folder {
    let folder = Folder::new();
    folder.file(&format!("{TREE}/README.md"), "# Reports\n");
    folder
}

fn put(folder: &Folder, minor: &str, text: &str) {
    let path = format!("{TREE}/{minor}/acme-operator/standard-v2.14.0-default-report.yaml");
    folder.file(&path, text);
}

fn of(base: &[(&str, String)], minor: &str, text: &str, rules: &[&str]) -> (Answers, Verdicts) {
    let folder = Folder::new();
    let write = |folder: &Folder| {
        folder.newest_minor("v1.5");
        for (minor, text) in base {
            put(folder, minor, text);
        }
    };
    let change = |folder: &Folder| put(folder, minor, text);
    let mut answers = ask(&folder, write, change, &["acme/operator"], rules);
    let verdicts = answers.of.remove("acme/operator").unwrap();
    (answers, verdicts)
}

fn clean() -> String {
    report("v1.5.1", 1).profiles([grpc(13), http()]).build()
}

fn failing() -> String {
    let core = Level::result("failure").counts(12, 0, 1);
    let grpc = Profile::grpc()
        .core(core.failed(&["GRPCRouteWeight"]))
        .summarized();
    report("v1.5.1", 2).profiles([grpc, http()]).build()
}

#[test]
fn one_failing_profile_makes_the_report_partial_at_most() {
    let (_, of_report) = of(&[], "v1.5", &failing(), &[]);
    let expected = "gateway: partially-conformant (conformant in v1.5, but GATEWAY-GRPC is failing; \
                    one of the 3 newest minors)";
    assert_eq!(of_report.certify, [expected]);
    assert_eq!(
        of_report.badge,
        "acme/operator: Gateway API v1.5: partial, GRPC failing #9a6700"
    );
    let contradictory = clean().replacen("Passed: 13", "Passed: 12", 1);
    let (_, of_report) = of(&[], "v1.5", &contradictory, &[]);
    assert!(
        of_report.certify[0].contains("but GATEWAY-GRPC is contradictory"),
        "{of_report:#?}"
    );
    for (from, to) in [
        ("result: failure", "outcome: failure"),
        ("GATEWAY-GRPC", "GATEWAY-GRPCX"),
    ] {
        let (_, of_report) = of(&[], "v1.5", &failing().replace(from, to), &[]);
        assert!(
            of_report.certify[0].starts_with("gateway: partially-conformant"),
            "{to}: {of_report:#?}"
        );
    }
}

#[test]
fn an_older_clean_report_still_makes_it_conformant() {
    let older = report("v1.4.0", 3).profiles([grpc(13)]).build();
    let (_, of_both) = of(&[("v1.4.0", older)], "v1.5", &failing(), &[]);
    assert_eq!(
        of_both.certify,
        ["gateway: conformant (conformant in v1.4, one of the 2 newest minors)"]
    );
    let same_minor = clean();
    let folder = tree();
    put(&folder, "v1.5", &failing());
    folder.file(
        &format!("{TREE}/v1.5/acme-operator/standard-v2.13.0-default-report.yaml"),
        same_minor.replace("v2.14.0", "v2.13.0"),
    );
    let certified = folder.json("certify");
    let family = &certified["implementations"][0]["families"][0];
    assert_eq!(family["standing"], "conformant", "{certified:#}");
}

#[test]
fn a_run_is_compared_with_the_newest_patch_of_its_day() {
    let of_day = |release: &str, date: &str| {
        let folder = tree();
        let http = Profile::new("GATEWAY-HTTP")
            .core(Level::success(37))
            .summarized();
        let report = ReportBuilder::new()
            .release(release)
            .date(date)
            .profiles([http]);
        put(&folder, "v1.6", &report.build());
        let certified = folder.json("certify");
        let report = &certified["implementations"][0]["reports"][0];
        let reason = report["profiles"][0]["reason"].as_str().unwrap().to_owned();
        (
            reason,
            report["unseen_tests"]["visibility"]
                .as_str()
                .map(str::to_owned),
        )
    };
    let not_seen = Some("not-seen".to_owned());
    let (reason, unseen) = of_day("v1.6.2", "2026-07-31T10:15:30Z");
    assert_eq!(
        reason,
        "37 core tests, 10 not seen; no extended features listed; v1.6.2 was released after \
         this run: counts compared with v1.6.1"
    );
    assert_eq!(unseen, not_seen);
    let (_, unseen) = of_day("v1.6.3", "2026-07-31T10:15:30Z");
    assert_eq!(unseen, not_seen);
    let (reason, unseen) = of_day("v1.6.2", "2026-09-20T10:15:30Z");
    assert_eq!(reason, "37 core tests passed; no extended features listed");
    assert_eq!(unseen, None);
    // Without a date, the suite's patch is unknown.
    assert_eq!(of_day("v1.6.2", "-").1, Some("not-known".to_owned()));
    assert_eq!(of_day("v1.6.1", "-").1, not_seen);
}

#[test]
fn a_second_document_blocks_all_reports_of_its_file() {
    let core = Level::result("partial").counts(12, 1, 0);
    let partial = Profile::grpc()
        .core(core.skipped(&["GRPCRouteWeight"]))
        .summarized();
    let partial = report("v1.5.1", 4).profiles([partial]).build();
    let clean = report("v1.5.1", 5)
        .version("v2.14.1")
        .profiles([grpc(13)])
        .build();
    let both = format!("{partial}---\n{clean}");
    let (answers, verdicts) = of(&[("v1.5", partial)], "v1.5", &both, &["several-documents"]);
    assert_eq!(answers.check.len(), 1, "{answers:#?}");
    assert_eq!(answers.since, answers.check);
    assert_eq!(
        verdicts.certify,
        ["gateway: not-current (the last report, for v1.5, is contradictory)"]
    );
}

#[test]
fn control_characters_block_wherever_they_are() {
    let failed = "skippedTests:\n    - GRPCRouteWeight";
    for character in ['\u{85}', '\u{2028}', '\u{2029}', '\u{7f}', '\u{9b}'] {
        let note = format!("# note{character}{failed}\n");
        let in_profiles = format!("profiles: # x{character}\n");
        for text in [
            format!("{note}{}", clean()),
            format!("{}{note}", clean()),
            clean().replacen("profiles:\n", &in_profiles, 1),
        ] {
            let folder = tree();
            put(&folder, "v1.5", &text);
            let found = folder.findings("check --select yaml");
            let is_named = |one: &String| {
                one.starts_with("yaml/control-character") || one.starts_with("yaml/syntax")
            };
            assert!(found.iter().any(is_named), "{character:?}: {found:#?}");
            let verdict = &folder.json("certify --allow-empty")["implementations"][0]["families"]
                [0]["standing"];
            assert_ne!(verdict, "conformant", "{character:?}: {text}");
        }
    }
}

#[test]
fn numbers_are_decimal_digits() {
    for number in ["0x0d", "0o15", "+13", "013", "-0", "13.0", "1_3"] {
        let text = report("v1.5.1", 6).profiles([grpc(13)]).build();
        let text = match number {
            "-0" => text.replacen("Failed: 0", "Failed: -0", 1),
            number => text.replacen("Passed: 13", &format!("Passed: {number}"), 1),
        };
        let (answers, verdicts) = of(&[], "v1.5", &text, &["wrong-type"]);
        assert_eq!(answers.check.len(), 1, "{number}: {answers:#?}");
        assert!(
            verdicts.certify[0].starts_with("gateway: not-current"),
            "{number}: {verdicts:#?}"
        );
    }
}

#[test]
fn patches_that_cannot_be_next_are_unverified() {
    let status = |release: &str| {
        let folder = tree();
        let minor = &release[..4];
        let core = if minor == "v1.6" { 15 } else { 13 };
        put(
            &folder,
            minor,
            &report(release, 7).profiles([grpc(core)]).build(),
        );
        let certified = folder.json("certify");
        let report = &certified["implementations"][0]["reports"][0];
        report["profiles"][0]["status"].as_str().unwrap().to_owned()
    };
    for (release, expected) in [
        ("v1.6.3", "conformant"),
        ("v1.6.5", "conformant"),
        ("v1.6.6", "unverified"),
        ("v1.6.99", "unverified"),
        ("v1.6.4294967296", "unverified"),
        ("v1.5.2", "conformant"),
        ("v1.5.3", "unverified"),
        ("v1.5.99", "unverified"),
    ] {
        assert_eq!(status(release), expected, "{release}");
    }
}

#[test]
fn a_folder_that_is_nearly_a_release_gives_no_verdict() {
    for name in ["v1.05", "v1.5-final", "V1.5", "1.5"] {
        let folder = tree();
        put(&folder, name, &clean());
        folder.submission(&format!("{TREE}/v1.5/other-operator"));
        let certified = folder.json("certify");
        let all = certified["implementations"].as_array().unwrap().iter();
        let reports = all.flat_map(|one| one["reports"].as_array().unwrap());
        let strange =
            reports.filter(|one| one["path"].as_str().unwrap().contains(&format!("/{name}/")));
        let statuses: Vec<_> = strange
            .map(|one| one["profiles"][0]["status"].clone())
            .collect();
        assert_eq!(statuses, ["contradictory"], "{name}: {certified:#}");
    }
}

fn site(folder: &Folder, options: &str, name: &str) -> (Vec<String>, impl Fn(&str) -> String) {
    let texts: BTreeMap<_, _> = (folder.site(options).into_iter())
        .filter_map(|(path, bytes)| Some((path, String::from_utf8(bytes).ok()?)))
        .collect();
    let with_name = texts.iter().filter(|(_, text)| text.contains(name));
    let with_name = with_name.map(|(path, _)| path.clone()).collect();
    (with_name, move |path: &str| texts[path].clone())
}

#[test]
fn a_name_of_no_release_stays_on_the_page_of_its_report() {
    let folder = tree();
    let extended = Level::success(0).supported(&["HTTPRouteBuyAcmeNow"]);
    let http = Profile::new("GATEWAY-HTTP")
        .core(Level::success(33))
        .extended(extended);
    put(
        &folder,
        "v1.5",
        &report("v1.5.1", 1).profiles([http.summarized()]).build(),
    );
    let (found, _) = site(&folder, "", "HTTPRouteBuyAcmeNow");
    let strange = found.iter().filter(|path| {
        path.starts_with("features/")
            || path.starts_with("matrix/")
            || path.starts_with("find/")
            || path.starts_with("api/v1/features")
            || path.starts_with("api/v1/matrix")
            || path.starts_with("api/v1/support")
    });
    assert_eq!(strange.count(), 0, "{found:#?}");
    assert!(
        found
            .iter()
            .any(|path| path.starts_with("implementations/acme/operator/")),
        "{found:#?}"
    );
    assert!(
        found.contains(&"api/v1/reports.json".to_owned()),
        "{found:#?}"
    );
}

#[test]
fn the_table_of_features_has_the_level_in_profiles() {
    let folder = tree();
    put(&folder, "v1.5", &clean());
    let (_, file) = site(&folder, "", "");
    let table = file("api/v1/features.csv");
    let line = table
        .lines()
        .find(|line| line.starts_with("BackendTLSPolicy,"))
        .unwrap();
    assert!(line.contains("GATEWAY-HTTP (extended)"), "{line}");
    assert!(!line.contains(",core,"), "{line}");
}

fn facts(folder: &Folder) {
    let removed = r#"{"release": "v1.7.0", "date": "2026-10-30", "base": "v1.6.2",
  "features": {"HTTPRouteRetry": null},
  "profiles": {"GATEWAY-HTTP": {"extendedRemoved": ["HTTPRouteRetry"]}},
  "tests": {"HTTPRouteRetry": null}}"#;
    folder.file("facts/v1.7.0.json", removed);
}

#[test]
fn nobody_loses_a_feature_that_a_release_removes() {
    let folder = tree();
    facts(&folder);
    let of = |release: &str, date: &str, features: &[&str], tests: u32| {
        let extended = Level::success(tests).supported(features);
        let http = Profile::new("GATEWAY-HTTP")
            .core(Level::success(37))
            .extended(extended);
        let report = ReportBuilder::new()
            .release(release)
            .date(date)
            .provisional(&[]);
        report.profiles([http.summarized()]).build()
    };
    let both = ["HTTPRouteMethodMatching", "HTTPRouteRetry"];
    put(
        &folder,
        "v1.6",
        &of("v1.6.2", "2026-09-20T10:15:30Z", &both, 2),
    );
    put(
        &folder,
        "v1.7",
        &of("v1.7.0", "2026-12-20T10:15:30Z", &both[..1], 1),
    );
    let path =
        |minor: &str| format!("{TREE}/{minor}/acme-operator/standard-v2.14.0-default-report.yaml");
    let diff = folder.run(&format!(
        "diff {} {} --registry facts",
        path("v1.6"),
        path("v1.7")
    ));
    assert!(!diff.stdout.contains("Regressions"), "{}", diff.stdout);
    diff.stdout_has("feature HTTPRouteRetry removed in v1.7");
    let (found, file) = site(&folder, "--registry facts", "removed in v1.7");
    for path in [
        "features/HTTPRouteRetry/index.html",
        "matrix/v1.6/GATEWAY-HTTP/index.html",
    ] {
        assert!(found.contains(&path.to_owned()), "{path}: {found:#?}");
    }
    let changes = file("api/v1/changes.csv");
    let lost = changes
        .lines()
        .filter(|line| line.contains("HTTPRouteRetry") && line.contains("regression"));
    assert_eq!(lost.count(), 0, "{changes}");
    let route = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\nspec:\n  parentRefs: [{name: g}]\n  rules:\n  - retry: {attempts: 2}\n    backendRefs: [{name: b, port: 80}]\n";
    folder.file("route.yaml", route);
    let needs = folder.run(&format!(
        "needs route.yaml --to acme/operator --in {TREE} --registry facts"
    ));
    assert!(
        needs.stdout.contains("removed in v1.7"),
        "{} {}",
        needs.stdout,
        needs.stderr
    );
}
