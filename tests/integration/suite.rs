//! What the suite must have written, against numbers worked out by hand from the facts.

use std::collections::BTreeSet;

use gwconform::registry::{Level, Registry, Release, Version};
use gwconform::suite::{
    Claim, Expected, ExtendedClaim, Ran, Report, SuiteMismatch, Totals, differences, expected,
    fits, level,
};

fn release(text: &str) -> &'static Release {
    let version = Version::parse(text).unwrap();
    Registry::embedded().release(&version).release().unwrap()
}

fn ran<'a>(supported: &[&'a str], provisional: &[&'a str]) -> Ran<'a> {
    Ran {
        supported: supported.iter().copied().collect(),
        provisional: provisional.iter().copied().collect(),
    }
}

/// The only possibility.
fn only(version: &str, profile: &str, ran: &Ran<'_>) -> Expected<'static> {
    let mut possible = expected(release(version), profile, ran);
    assert_eq!(possible.len(), 1);
    possible.remove(0)
}

fn core(version: &str, profile: &str) -> usize {
    only(version, profile, &Ran::default()).core.len()
}

fn passed(passed: u64) -> Totals {
    Totals {
        passed,
        ..Totals::default()
    }
}

#[test]
fn core_tests_per_release() {
    for (version, profile, tests) in [
        ("v0.8.0", "HTTP", 29),
        ("v1.0.0", "HTTP", 29),
        ("v1.0.0", "TLS", 10),
        ("v1.0.0", "MESH", 2),
        ("v1.1.0", "GATEWAY-HTTP", 33),
        ("v1.1.0", "GATEWAY-GRPC", 12),
        ("v1.1.0", "GATEWAY-TLS", 11),
        ("v1.4.0", "GATEWAY-GRPC", 13),
        ("v1.5.0", "GATEWAY-HTTP", 33),
        ("v1.6.0", "GATEWAY-HTTP", 37),
    ] {
        assert_eq!(core(version, profile), tests, "{version} {profile}");
    }
}

#[test]
fn parallel_core_tests_of_v1_6() {
    let core = only("v1.6.1", "GATEWAY-HTTP", &Ran::default()).core;
    assert_eq!(core.iter().filter(|test| test.parallel).count(), 10);
}

#[test]
fn provisional_tests_count_when_they_ran() {
    let features = ["HTTPRouteRequestPercentageMirror", "GatewayPort8080"];
    let extended = |provisional: &[&str]| {
        only("v1.4.0", "GATEWAY-HTTP", &ran(&features, provisional))
            .extended
            .len()
    };
    assert_eq!(extended(&[]), 1);
    assert_eq!(extended(&["HTTPRouteRequestPercentageMirror"]), 2);
    // It ran, but its feature is not supported: the suite did not record it.
    assert_eq!(extended(&["HTTPRouteNamedRule"]), 1);
}

/// v1.1.x writes MESH-HTTP for MESH-GRPC too: one test, or one more than the two of MESH-HTTP.
#[test]
fn mesh_grpc_under_the_name_of_mesh_http() {
    let possible = expected(release("v1.1.0"), "MESH-HTTP", &Ran::default());
    let counts: Vec<_> = possible
        .iter()
        .map(|one| (one.core.len(), one.features.len()))
        .collect();
    assert_eq!(counts, [(2, 16), (1, 0), (3, 16)]);
    assert!(expected(release("v1.1.1"), "MESH-GRPC", &Ran::default()).is_empty());
    assert_eq!(core("v1.2.0", "MESH-HTTP"), 2);
    assert_eq!(core("v1.2.0", "MESH-GRPC"), 1);
}

#[test]
fn a_route_that_is_core_and_extended_at_once() {
    let release = release("v1.6.0");
    let profile = release.profile("GATEWAY-TCP").unwrap();
    assert!(profile.is_core("TCPRoute") && profile.is_extended("TCPRoute"));
    let test = release.test("TCPRouteMultipleRoutesAttachment").unwrap();
    assert_eq!(level(release, profile, test), Some(Level::Core));
    let expected = only("v1.6.0", "GATEWAY-TCP", &Ran::default());
    assert!(
        expected
            .features
            .iter()
            .any(|feature| feature == "TCPRoute")
    );
    assert!(expected.extended.is_empty());
}

/// A report of v1.5.0 that claims two features of GATEWAY-HTTP, with one test each.
fn honest() -> Report<'static> {
    let supported = ["HTTPRouteHostRewrite", "HTTPRoutePathRewrite"];
    let extended = release("v1.5.0")
        .profile("GATEWAY-HTTP")
        .unwrap()
        .extended
        .iter();
    let unsupported = extended
        .map(String::as_str)
        .filter(|name| !supported.contains(name));
    Report {
        claims: vec![Claim {
            profile: "GATEWAY-HTTP",
            core: passed(33),
            extended: Some(ExtendedClaim {
                totals: passed(2),
                supported: supported.into(),
                unsupported: unsupported.collect(),
                ..ExtendedClaim::default()
            }),
            ..Claim::default()
        }],
        succeeded_provisional: Vec::new(),
    }
}

fn found<'a>(version: &str, report: &Report<'a>) -> Vec<SuiteMismatch<'a, 'static>> {
    let found = differences(Registry::embedded(), release(version), report);
    found.into_iter().map(|found| found.difference).collect()
}

#[test]
fn an_honest_report_fits_the_releases_of_its_content() {
    let report = honest();
    assert!(found("v1.5.0", &report).is_empty());
    let fitting = fits(Registry::embedded(), &report);
    let fitting: Vec<_> = fitting
        .iter()
        .map(|release| release.version().to_string())
        .collect();
    assert_eq!(fitting, ["v1.5.0", "v1.5.1"]);
    assert!(
        found("v0.7.1", &report).is_empty(),
        "nothing is known of v0.7.1"
    );
}

#[test]
fn every_kind_of_difference() {
    let one = |change: fn(&mut Report<'static>, &mut ExtendedClaim<'static>)| {
        let mut report = honest();
        let mut extended = report.claims[0].extended.take().unwrap();
        change(&mut report, &mut extended);
        report.claims[0].extended = Some(extended);
        let found = found("v1.5.0", &report);
        assert_eq!(found.len(), 1, "{found:?}");
        found.into_iter().next().unwrap()
    };
    assert!(matches!(
        one(|report, _| report.claims[0].core.passed = 36),
        SuiteMismatch::CoreTotal { reported: 36, expected } if expected == [33]
    ));
    assert!(matches!(
        one(|_, extended| extended.totals.skipped = 1),
        SuiteMismatch::ExtendedTotal {
            reported: 3,
            expected: 2
        }
    ));
    assert!(matches!(
        one(|_, extended| extended.unsupported.retain(|name| *name != "ListenerSet")),
        SuiteMismatch::FeaturesMissing { features } if features == ["ListenerSet"]
    ));
    let SuiteMismatch::FeaturesUnexpected { features } = one(|_, extended| {
        extended
            .unsupported
            .extend(["HTTPRouteRetry", "HTTPRouteNew"])
    }) else {
        unreachable!("two features are strange");
    };
    let homes: Vec<_> = features
        .iter()
        .map(|one| (one.name, one.at_home_in.len()))
        .collect();
    assert_eq!(homes, [("HTTPRouteRetry", 2), ("HTTPRouteNew", 0)]);
    assert!(matches!(
        one(|report, _| report.claims[0].core_skipped.push("MeshBasic")),
        SuiteMismatch::TestNotInProfile { test } if test.name == "MeshBasic" && test.at_home_in.is_empty()
    ));
    assert!(matches!(
        one(|report, _| report.claims[0].core_skipped.push("HTTPRouteRewriteHost")),
        SuiteMismatch::TestWrongLevel {
            expected: Level::Extended,
            ..
        }
    ));
    assert!(matches!(
        one(|_, extended| extended.skipped.push("HTTPRouteRequestMirror")),
        SuiteMismatch::TestNeedsFeatures { features, .. } if features == ["HTTPRouteRequestMirror"]
    ));
    assert!(matches!(
        one(|report, _| report.succeeded_provisional.push("UDPRouteWeightedRouting")),
        SuiteMismatch::NotProvisional { test } if test.at_home_in.len() == 2
    ));
}

#[test]
fn an_absent_extended_is_missed_only_where_another_profile_claims() {
    let mut report = honest();
    let mut grpc = Claim {
        profile: "GATEWAY-GRPC",
        core: passed(13),
        ..Claim::default()
    };
    report.claims.push(grpc.clone());
    assert!(found("v1.5.0", &report).is_empty());
    // A feature of both profiles with a test that always runs; GatewayStaticAddresses has one in each.
    let extended = report.claims[0].extended.as_mut().unwrap();
    extended
        .unsupported
        .retain(|name| *name != "GatewayStaticAddresses");
    extended.supported.push("GatewayStaticAddresses");
    extended.totals.passed += 1;
    assert!(matches!(
        found("v1.5.0", &report).as_slice(),
        [SuiteMismatch::ExtendedAbsent { features }] if features == &["GatewayStaticAddresses"]
    ));
    grpc.profile = "GATEWAY-HTPP";
    report.claims[1] = grpc;
    assert!(matches!(
        found("v1.5.0", &report).as_slice(),
        [SuiteMismatch::UnknownProfile]
    ));
}

#[test]
fn absurd_numbers_do_no_harm() {
    let mut report = honest();
    report.claims[0].core = Totals {
        passed: u64::MAX,
        skipped: u64::MAX,
        failed: 1,
    };
    assert!(matches!(
        found("v1.5.0", &report).as_slice(),
        [SuiteMismatch::CoreTotal {
            reported: u64::MAX,
            ..
        }]
    ));
    let named: BTreeSet<_> = Report::default().named_tests();
    assert!(named.is_empty());
}
