//! Tests the catalog that the library builds for a tree.

use std::path::Path;

use gwconform_base::api::Family;
use gwconform_base::release::Registry;
use gwconform_report::certify::AsOf;
use gwconform_report::certify::catalog::{Absence, Catalog, Parts, Question, State};
use gwconform_report::rules::check::{CheckReport, Settings, check_tree};
use gwconform_report::rules::configuration::Config;
use gwconform_report::tree;
use proptest::prelude::*;

use crate::support::folder::{Folder, report};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::{has_time, lacks, rows, sample as sample_tree};

fn outcome(root: &Path) -> CheckReport {
    let tree = tree::discover(root, root, &tree::Parts::Whole).unwrap();
    check_tree(&tree, &Settings::default(), Registry::embedded(), &|_| {})
}

fn catalog<'a>(outcome: &'a CheckReport, config: &'a Config) -> Catalog<'a> {
    Catalog::new(Parts {
        outcome,
        registry: Registry::embedded(),
        config,
        as_of: AsOf::default(),
        details: &[],
    })
}

fn sample() -> CheckReport {
    outcome(&sample_tree())
}

fn content(catalog: &Catalog<'_>) -> String {
    let features = catalog.reports();
    let features = features.map(|(_, report)| catalog.proofs.features(report.judged.facts));
    let features: Vec<_> = features.collect();
    format!(
        "{:?}\n{:?}\n{features:?}",
        catalog.implementations, catalog.left_out
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if has_time() { 16 } else { 4 }))]
    #[test]
    fn the_order_of_reports_does_not_matter(seed in any::<u64>()) {
        let config = Config::default();
        let mut shuffled = sample();
        let expected = content(&catalog(&shuffled, &config));
        let mut state = seed;
        for at in (1..shuffled.reports.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            shuffled.reports.swap(at, (state >> 33) as usize % (at + 1));
        }
        prop_assert!(content(&catalog(&shuffled, &config)) == expected);
    }
}

#[test]
fn catalog_contains_or_lists_every_report() {
    let (outcome, config) = (sample(), Config::default());
    let catalog = catalog(&outcome, &config);
    assert_eq!(catalog.reports().count(), outcome.reports.len());
    assert_eq!(catalog.left_out, []);
    for one in &catalog.implementations {
        assert!(!one.families.is_empty());
        for (at, report) in one.reports.iter().enumerate() {
            assert!(report.before.as_ref().is_none_or(|before| before.at < at));
        }
    }
}

fn state(text: &str, profile: usize, feature: &str) -> State {
    let folder = Folder::new();
    folder.file("v1.5/acme-operator/a.yaml", text);
    let (outcome, config) = (outcome(folder.path()), Config::default());
    let catalog = catalog(&outcome, &config);
    let (_, report) = catalog.reports().next().unwrap();
    catalog.proofs.features(report.judged.facts)[profile]
        .state(feature)
        .clone()
}

const HTTP: &str = "\
- core:
    result: success
    statistics: {Failed: 0, Passed: 33, Skipped: 0}
  name: GATEWAY-HTTP
  summary: Core tests succeeded.
";

fn with(profiles: &str) -> String {
    let whole = report();
    let head = whole.split("profiles:").next().unwrap();
    format!("{head}profiles:\n{profiles}")
}

fn with_extended(extended: &str) -> String {
    let profile = HTTP.replace("  name:", &format!("  extended:\n{extended}  name:"));
    with(&profile.replace("succeeded.", "succeeded. Extended tests succeeded."))
}

#[test]
fn omitted_features_are_not_unsupported() {
    let silent = with(HTTP);
    let route = state(&silent, 0, "HTTPRoute");
    assert!(matches!(route, State::Proved { .. }));
    // If the feature's only test had run, the report would have an extended result.
    assert_eq!(state(&silent, 0, "HTTPRouteCORS"), State::NotClaimed);
    assert_eq!(state(&silent, 0, "HTTPRouteTeleport"), State::NotInRelease);
    // Claims apply to all profiles of the same run.
    let other = HTTP.replace("GATEWAY-HTTP", "GATEWAY-GRPC").replace("33", "13").replace(
        "  name:",
        "  extended:\n    result: success\n    statistics: {Failed: 0, Passed: 1, Skipped: 0}\n    unsupportedFeatures: [GatewayStaticAddresses]\n  name:",
    );
    let both = with(&format!("{HTTP}{other}"));
    let addresses = state(&both, 0, "GatewayStaticAddresses");
    assert_eq!(addresses, State::Unsupported);
}

#[test]
fn states_from_another_profile_name_it() {
    let other = HTTP.replace("GATEWAY-HTTP", "GATEWAY-GRPC").replace("33", "13").replace(
        "  name:",
        "  extended:\n    result: success\n    statistics: {Failed: 0, Passed: 1, Skipped: 0}\n    supportedFeatures: [GatewayPort8080]\n    unsupportedFeatures: [GatewayStaticAddresses]\n  name:",
    );
    let folder = Folder::new();
    folder.file("v1.5/acme-operator/a.yaml", with(&format!("{HTTP}{other}")));
    let (outcome, config) = (outcome(folder.path()), Config::default());
    let catalog = catalog(&outcome, &config);
    let (_, report) = catalog.reports().next().unwrap();
    let features = catalog.proofs.features(report.judged.facts);
    let words = |profile: usize, feature: &str| {
        let of_profile = &features[profile];
        of_profile.in_words(feature, of_profile.state(feature))
    };
    assert_eq!(
        words(0, "GatewayStaticAddresses"),
        "declared unsupported; stated for GATEWAY-GRPC"
    );
    assert_eq!(words(1, "GatewayStaticAddresses"), "declared unsupported");
    let silent = words(0, "HTTPRouteCORS");
    lacks(&silent, "GATEWAY");
}

fn absence(release: &str, feature: &str, asked: Option<&str>) -> Option<String> {
    let text = with(HTTP).replace(
        "gatewayAPIVersion: v1.5.1",
        &format!("gatewayAPIVersion: {release}"),
    );
    let folder = Folder::new();
    folder.file("v1.5/acme-operator/a.yaml", text);
    let (outcome, config) = (outcome(folder.path()), Config::default());
    let catalog = catalog(&outcome, &config);
    let (_, report) = catalog.reports().next().unwrap();
    let facts = report.judged.facts;
    assert_eq!(facts.release.version.as_ref().unwrap().to_string(), release);
    let registry = Registry::embedded();
    Absence::try_new(facts, feature, asked, registry).map(|absence| absence.to_string())
}

#[test]
fn distinguishes_reasons_of_absent_features() {
    let http = Some("GATEWAY-HTTP");
    let cases = "
        v1.5.1 | HTTPRouteRetry                 |   | not part of v1.5 (since v1.6)
        v1.5.1 | HTTPResponseHeaderModification |   | not part of v1.5 (until v0.8)
        v1.4.0 | BackendTLSPolicy               |   | not part of any profile of v1.4.0 (since v1.4.1)
        v1.5.1 | GRPCRoute                      | x | did not report GATEWAY-GRPC
        v1.5.1 | GRPCRoute                      |   | did not report GATEWAY-GRPC or MESH-GRPC
        v1.5.1 | Mesh                           | x | not part of any gateway profile of v1.5
        v1.5.1 | HTTPRouteTeleport              |   | not part of any release
    ";
    for [release, feature, of_http, expected] in rows(cases) {
        let found = absence(release, feature, http.filter(|_| of_http == "x"));
        assert_eq!(found.as_deref(), Some(expected), "{release} {feature}");
    }
    assert_eq!(absence("v1.5.1", "HTTPRoute", http), None);
    assert_eq!(absence("v1.5.1", "HTTPRouteCORS", None), None);
    assert_eq!(absence("v1.98.0", "HTTPRouteRetry", None), None);
}

#[test]
fn of_equal_reports_the_default_mode_of_the_newest_version_answers() {
    let folder = Folder::new();
    let report = |version: &str, mode: &str| {
        let text = report();
        let text = text.replace("version: v2.14.0", &format!("version: {version}"));
        text.replace("mode: default", &format!("mode: {mode}"))
    };
    let (old, new) = ("v2.13.0", "v2.14.0");
    for (version, mode) in [
        (old, "default"),
        (new, "default"),
        (new, "zonal"),
        (new, "ambient"),
    ] {
        let path = format!("v1.5/acme-operator/{version}-{mode}.yaml");
        folder.file(&path, report(version, mode));
    }
    let answer = |folder: &Folder| {
        let (outcome, config) = (outcome(folder.path()), Config::default());
        let catalog = catalog(&outcome, &config);
        let question = Question {
            must: vec!["HTTPRoute"],
            ..Question::default()
        };
        let answers = catalog.answers(&question, Registry::embedded());
        assert_eq!(answers.len(), 1);
        let facts = answers[0].report.judged.facts;
        [facts.version(), facts.mode()].map(|text| text.unwrap().to_owned())
    };
    assert_eq!(answer(&folder), ["v2.14.0", "default"]);
    folder.file("v1.5/acme-operator/new.yaml", report("v2.15.0", "zonal"));
    assert_eq!(answer(&folder), ["v2.15.0", "zonal"]);
}

#[test]
fn claims_do_not_count_as_proofs() {
    let proved = with_extended(
        "    result: success\n    statistics: {Failed: 0, Passed: 3, Skipped: 0}\n    supportedFeatures: [HTTPRouteCORS, GatewayStaticAddresses]\n    unsupportedFeatures: [HTTPRoutePortRedirect]\n",
    );
    let cors = State::Proved { tests: 2 };
    assert_eq!(state(&proved, 0, "HTTPRouteCORS"), cors);
    let redirect = state(&proved, 0, "HTTPRoutePortRedirect");
    assert_eq!(redirect, State::Unsupported);
    let method = state(&proved, 0, "HTTPRouteMethodMatching");
    assert_eq!(method, State::NotStated);
    let skipped = proved
        .replace("    result: success\n    statistics: {Failed: 0, Passed: 3, Skipped: 0}", "    result: partial\n    skippedTests: [HTTPRouteCORS]\n    statistics: {Failed: 0, Passed: 2, Skipped: 1}")
        .replace("Extended tests succeeded", "Extended tests partially succeeded with 1 test skips");
    let cors = State::Skipped {
        tests: Box::new(vec!["HTTPRouteCORS".into()]),
        of: 2,
    };
    assert_eq!(state(&skipped, 0, "HTTPRouteCORS"), cors);
    let (one_skip, one_failure) = (
        "partially succeeded with 1 test skips",
        "failed with 1 test failures",
    );
    let (skip, failure) = (
        "Failed: 0, Passed: 2, Skipped: 1",
        "Failed: 1, Passed: 2, Skipped: 0",
    );
    let failed = skipped
        .replace(one_skip, one_failure)
        .replace("partial", "failure");
    let failed = failed
        .replace("skippedTests", "failedTests")
        .replace(skip, failure);
    let cors = State::Failed {
        tests: Box::new(vec!["HTTPRouteCORS".into()]),
    };
    assert_eq!(state(&failed, 0, "HTTPRouteCORS"), cors);
    let both = proved.replace("[HTTPRoutePortRedirect]", "[HTTPRouteCORS]");
    assert_eq!(state(&both, 0, "HTTPRouteCORS"), State::NotStated);
    // A report that contradicts itself proves nothing.
    let contradictory = proved.replace("Passed: 33, Skipped: 0", "Passed: 33, Skipped: 1");
    assert_eq!(state(&contradictory, 0, "HTTPRouteCORS"), State::Claimed);
}

#[test]
fn states_in_the_real_tree() {
    let Some(corpus) = crate::support::corpus() else {
        return;
    };
    let outcome = outcome(&corpus.join("gateway-api/conformance/reports"));
    let config = Config::default();
    let catalog = catalog(&outcome, &config);
    let mut counts = std::collections::BTreeMap::<_, usize>::new();
    for (_, report) in catalog.reports() {
        for profile in catalog.proofs.features(report.judged.facts) {
            for (_, state) in &profile.extended {
                *counts.entry(state.kind().as_str()).or_default() += 1;
            }
        }
    }
    insta::assert_debug_snapshot!(counts);
    let mut all = catalog.implementations.iter();
    assert!(all.any(|one| one.family(Family::Mesh).is_some()));
}

/// Reports with an older version in another folder, or with another file name, do not take the URL.
#[test]
fn a_report_filed_elsewhere_takes_no_address_of_a_report() {
    let folder = Folder::new();
    let report = report();
    let older = report.replace("v2.14.0", "v0.0.1");
    folder
        .file(
            "v1.5/acme-operator/standard-v2-default-report.yaml",
            &report,
        )
        .file(
            "v1.5/acme-operator/standard-v3-default-report.yaml",
            &report,
        )
        .file("v1.5/aaa/standard-v2-default-report.yaml", older);
    let (outcome, config) = (outcome(folder.path()), Config::default());
    let catalog = catalog(&outcome, &config);
    let reports = catalog.reports();
    let mut addresses: Vec<String> = reports
        .map(|(_, report)| format!("{} {}", report.judged.facts.path, report.address()))
        .collect();
    addresses.sort();
    assert_eq!(
        addresses,
        [
            "v1.5/aaa/standard-v2-default-report.yaml v1.5.1/standard-v2-default-2",
            "v1.5/acme-operator/standard-v2-default-report.yaml v1.5.1/standard-v2-default",
            "v1.5/acme-operator/standard-v3-default-report.yaml v1.5.1/standard-v3-default",
        ]
    );
}

/// A stranger can submit any number of reports that are refused in the name of another project.
#[test]
fn refused_reports_move_no_address_of_other_reports() {
    let folder = Folder::new();
    let name = "standard-v2.14.0-default-report.yaml";
    let own = [
        format!("v1.5/zz/{name}"),
        format!("v1.5/acme-operator/{name}"),
        "v1.5/acme-operator/standard-v2.14.0-default-2.yaml".to_owned(),
    ];
    for (nth, path) in own.iter().enumerate() {
        let report = ReportBuilder::new().version(&format!("v2.14.{nth}"));
        let report = report.date(&format!("2026-05-2{nth}T10:15:30Z"));
        folder.file(path, report.build());
    }
    let addresses = || {
        let (outcome, config) = (outcome(folder.path()), Config::default());
        let catalog = catalog(&outcome, &config);
        let reports = catalog.reports().map(|(_, report)| report);
        let (refused, others): (Vec<_>, Vec<_>) =
            reports.partition(|report| report.judged.is_refused());
        let mut addresses: Vec<String> = (others.iter())
            .map(|report| format!("{} {}", report.judged.facts.path, report.slug))
            .collect();
        addresses.sort();
        (addresses, refused.len())
    };
    let before = addresses();
    assert_eq!(
        before.0,
        [
            "v1.5/acme-operator/standard-v2.14.0-default-2.yaml standard-v2-14-0-default-2",
            "v1.5/acme-operator/standard-v2.14.0-default-report.yaml standard-v2-14-0-default",
            "v1.5/zz/standard-v2.14.0-default-report.yaml standard-v2-14-0-default-3",
        ]
    );
    let few = Profile::grpc().core(Level::success(3));
    let refused = ReportBuilder::new().profiles([few]).build();
    for nth in 0..16 {
        folder.file(&format!("v1.5/acme-operator-{nth}/{name}"), &refused);
        let path = format!("v1.5/acme-operator/standard-v2.14.0-default-{nth}-report.yaml");
        folder.file(&path, &refused);
    }
    assert_eq!(addresses(), (before.0, 32));
}
