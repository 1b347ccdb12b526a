//! Compares the calculated output of the suite with manually computed numbers.

use std::collections::BTreeSet;

use gwconform_base::api::{Level, Version};
use gwconform_base::release::{Registry, Release};
use gwconform_report::report::model::{LevelData, List, Profile, Report, Spanned, Statistics};
use gwconform_report::report::suite::{
    Expected, Ran, SuiteMismatch, differences, expected, fits, level,
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

fn only(version: &str, profile: &str, ran: &Ran<'_>) -> Expected<'static> {
    let mut possible = expected(release(version), profile, ran);
    assert_eq!(possible.len(), 1);
    possible.remove(0)
}

fn core(version: &str, profile: &str) -> usize {
    only(version, profile, &Ran::default()).core.len()
}

fn passed(passed: u64) -> LevelData<&'static str> {
    LevelData {
        statistics: Some(Statistics::new(passed, 0, 0)),
        ..LevelData::default()
    }
}

fn add(list: &mut Option<List<&'static str>>, names: &[&'static str]) {
    let list = list.get_or_insert_default();
    list.items
        .extend(names.iter().map(|name| Spanned::from(*name)));
}

fn remove(list: &mut Option<List<&'static str>>, name: &str) {
    list.as_mut()
        .unwrap()
        .items
        .retain(|item| item.value != name);
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
    // The test ran, but the suite does not record tests of unsupported features.
    assert_eq!(extended(&["HTTPRouteNamedRule"]), 1);
}

/// v1.1.x also writes MESH-GRPC as MESH-HTTP. The report then has one test for MESH-GRPC alone, or
/// three with the two of MESH-HTTP.
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

fn honest() -> Report<&'static str> {
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
        profiles: vec![Profile {
            name: Some("GATEWAY-HTTP".into()),
            core: Some(passed(33)),
            extended: Some(LevelData {
                supported_features: Some(List::new(supported)),
                unsupported_features: Some(List::new(unsupported)),
                ..passed(2)
            }),
            ..Profile::default()
        }],
        ..Report::default()
    }
}

fn found<'a>(version: &str, report: &Report<&'a str>) -> Vec<SuiteMismatch<'a, 'static>> {
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
    let one = |change: fn(&mut Report<&'static str>, &mut LevelData<&'static str>)| {
        let mut report = honest();
        let mut extended = report.profiles[0].extended.take().unwrap();
        change(&mut report, &mut extended);
        report.profiles[0].extended = Some(extended);
        let found = found("v1.5.0", &report);
        assert_eq!(found.len(), 1, "{found:?}");
        found.into_iter().next().unwrap()
    };
    assert!(matches!(
        one(|report, _| report.profiles[0].core = Some(passed(36))),
        SuiteMismatch::CoreTotal { reported: 36, expected } if expected == [33]
    ));
    assert!(matches!(
        one(|_, extended| extended.statistics = Some(Statistics::new(2, 1, 0))),
        SuiteMismatch::ExtendedTotal {
            reported: 3,
            expected: 2
        }
    ));
    assert!(matches!(
        one(|_, extended| remove(&mut extended.unsupported_features, "ListenerSet")),
        SuiteMismatch::FeaturesMissing { features } if features == ["ListenerSet"]
    ));
    let SuiteMismatch::FeaturesUnexpected { features } = one(|_, extended| {
        add(
            &mut extended.unsupported_features,
            &["HTTPRouteRetry", "HTTPRouteNew"],
        );
    }) else {
        unreachable!("two features are strange");
    };
    let homes: Vec<_> = features
        .iter()
        .map(|one| (one.name, one.at_home_in.len()))
        .collect();
    let with_retry = Registry::embedded().releases().iter().filter(|release| {
        let profile = release.profile("GATEWAY-HTTP");
        profile.is_some_and(|profile| profile.is_extended("HTTPRouteRetry"))
    });
    assert_eq!(
        homes,
        [("HTTPRouteRetry", with_retry.count()), ("HTTPRouteNew", 0)]
    );
    assert!(matches!(
        one(|report, _| add(&mut report.profiles[0].core.as_mut().unwrap().skipped_tests, &["MeshBasic"])),
        SuiteMismatch::TestNotInProfile { test } if test.name == "MeshBasic" && test.at_home_in.is_empty()
    ));
    assert!(matches!(
        one(|report, _| add(
            &mut report.profiles[0].core.as_mut().unwrap().skipped_tests,
            &["HTTPRouteRewriteHost"]
        )),
        SuiteMismatch::TestWrongLevel {
            expected: Level::Extended,
            ..
        }
    ));
    assert!(matches!(
        one(|_, extended| add(&mut extended.skipped_tests, &["HTTPRouteRequestMirror"])),
        SuiteMismatch::TestNeedsFeatures { features, .. } if features == ["HTTPRouteRequestMirror"]
    ));
    let is_provisional = |release: &&Release| {
        let test = release.test("UDPRouteWeightedRouting");
        test.is_some_and(|test| test.provisional)
    };
    let releases = Registry::embedded().releases().iter();
    let with_it = releases.filter(is_provisional).count();
    assert!(matches!(
        one(|report, _| add(&mut report.succeeded_provisional_tests, &["UDPRouteWeightedRouting"])),
        SuiteMismatch::NotProvisional { test } if test.at_home_in.len() == with_it
    ));
}

#[test]
fn an_absent_extended_is_missed_only_where_another_profile_claims() {
    let mut report = honest();
    let mut grpc = Profile {
        name: Some("GATEWAY-GRPC".into()),
        core: Some(passed(13)),
        ..Profile::default()
    };
    report.profiles.push(grpc.clone());
    assert!(found("v1.5.0", &report).is_empty());
    let extended = report.profiles[0].extended.as_mut().unwrap();
    remove(&mut extended.unsupported_features, "GatewayStaticAddresses");
    add(
        &mut extended.supported_features,
        &["GatewayStaticAddresses"],
    );
    extended.statistics = Some(Statistics::new(3, 0, 0));
    assert!(matches!(
        found("v1.5.0", &report).as_slice(),
        [SuiteMismatch::ExtendedAbsent { features }] if features == &["GatewayStaticAddresses"]
    ));
    grpc.name = Some("GATEWAY-HTPP".into());
    report.profiles[1] = grpc;
    assert!(matches!(
        found("v1.5.0", &report).as_slice(),
        [SuiteMismatch::UnknownProfile]
    ));
}

#[test]
fn absurd_numbers_do_no_harm() {
    let mut report = honest();
    report.profiles[0].core = Some(LevelData {
        statistics: Some(Statistics::new(u64::MAX, u64::MAX, 1)),
        ..LevelData::default()
    });
    assert!(matches!(
        found("v1.5.0", &report).as_slice(),
        [SuiteMismatch::CoreTotal {
            reported: u64::MAX,
            ..
        }]
    ));
    let named: BTreeSet<_> = Report::<&str>::default().named_tests();
    assert!(named.is_empty());
}
