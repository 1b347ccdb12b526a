//! Recomputes the results of the suite for real reports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::corpus::corpus;
use gwconform_base::api::{Minor, Version};
use gwconform_base::release::{Match, Registry, Release};
use gwconform_report::report::model::{LevelData, List, Profile, Report, Statistics};
use gwconform_report::report::suite::{SuiteMismatch, differences, fits};
use gwconform_report::rules::check::{Settings, check_tree};
use gwconform_report::tree::{Parts, discover};
use serde_yaml::Value;

/// Looks up a field regardless of case, as Go's decoder does.
fn field<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    let mapping = value.as_mapping()?;
    let found = mapping.iter().find(|(key, _)| {
        key.as_str()
            .is_some_and(|key| key.eq_ignore_ascii_case(name))
    });
    found
        .map(|(_, value)| value)
        .filter(|value| !value.is_null())
}

fn names<'v>(value: Option<&'v Value>, name: &str) -> Vec<&'v str> {
    let list = value
        .and_then(|value| field(value, name))
        .and_then(Value::as_sequence);
    list.map_or(Vec::new(), |list| {
        list.iter().filter_map(Value::as_str).collect()
    })
}

fn level<'v>(outer: &'v Value, inner: &'v Value) -> LevelData<&'v str> {
    let number = |name| {
        field(inner, "statistics")
            .and_then(|s| field(s, name))
            .and_then(Value::as_u64)
            .unwrap_or(0)
    };
    let list = |level, name| Some(List::new(names(Some(level), name)));
    LevelData {
        statistics: Some(Statistics::new(
            number("passed"),
            number("skipped"),
            number("failed"),
        )),
        skipped_tests: list(inner, "skippedTests"),
        failed_tests: list(inner, "failedTests"),
        supported_features: list(outer, "supportedFeatures"),
        unsupported_features: list(outer, "unsupportedFeatures"),
        ..LevelData::default()
    }
}

fn read(report: &Value) -> Report<&str> {
    let profiles = field(report, "profiles").or(field(report, "profileReports"));
    let entries = profiles
        .and_then(Value::as_sequence)
        .map_or(&[][..], Vec::as_slice);
    let profiles = entries.iter().map(|entry| {
        // Some reports were written by another serializer, which nests the level in `status`.
        let extended = field(entry, "extended").map(|e| (e, field(e, "status").unwrap_or(e)));
        Profile {
            name: field(entry, "name").and_then(Value::as_str).map(Into::into),
            core: field(entry, "core").map(|core| level(core, core)),
            extended: extended.map(|(outer, inner)| level(outer, inner)),
            ..Profile::default()
        }
    });
    Report {
        profiles: profiles.collect(),
        succeeded_provisional_tests: Some(List::new(names(
            Some(report),
            "succeededProvisionalTests",
        ))),
        ..Report::default()
    }
}

/// Release in `gatewayAPIVersion` if it belongs to the minor of the folder; otherwise the release
/// of the folder.
fn release_of<'r>(registry: &'r Registry, folder: &str, report: &Value) -> &'r Release {
    let stated = field(report, "gatewayAPIVersion")
        .and_then(Value::as_str)
        .and_then(Version::parse);
    let folder_minor = Minor::parse(folder)
        .or_else(|| Some(Version::parse(folder)?.minor()))
        .unwrap();
    let version = stated
        .filter(|stated| stated.minor() == folder_minor)
        .or_else(|| Version::parse(folder));
    let found = version.map_or(Match::Unknown, |version| registry.release(&version));
    found
        .release()
        .or_else(|| registry.newest_patch_of(folder_minor))
        .unwrap()
}

fn reports(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry.unwrap();
        if entry
            .path()
            .extension()
            .is_some_and(|extension| extension == "yaml")
        {
            let name = entry
                .path()
                .strip_prefix(folder)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            found.insert(name, std::fs::read_to_string(entry.path()).unwrap());
        }
    }
    found
}

fn words(difference: &SuiteMismatch<'_, '_>) -> String {
    match difference {
        SuiteMismatch::UnknownProfile => "unknown profile".to_owned(),
        SuiteMismatch::CoreTotal { reported, expected } => {
            format!("core {reported}, not {expected:?}")
        }
        SuiteMismatch::ExtendedTotal { reported, expected } => {
            format!("extended {reported}, not {expected}")
        }
        SuiteMismatch::ExtendedAbsent { features } => format!("extended absent: {features:?}"),
        SuiteMismatch::FeaturesMissing { features } => format!("missing: {}", features.join(" ")),
        SuiteMismatch::FeaturesUnexpected { features } => {
            let first = features[0].at_home_in.first();
            let first = first.map_or("nowhere".to_owned(), |release| {
                release.version().to_string()
            });
            format!("{} unexpected, home {first}", features.len())
        }
        SuiteMismatch::TestNotInProfile { test } => format!("not in profile: {}", test.name),
        SuiteMismatch::TestWrongLevel { test, .. } => format!("wrong level: {test}"),
        SuiteMismatch::TestNeedsFeatures { test, .. } => format!("needs features: {test}"),
        SuiteMismatch::NotProvisional { test } => format!("not provisional: {}", test.name),
    }
}

const MESH_OF_V1_0: &str = "two projects, one shape: MESH had HTTPRoute as core and its extended features, \
    against the facts of v1.0.0";
const MAIN_1_2: &str = "suite from main between v1.1.0 and v1.2.0, under the version of v1.1.0";
const WITHOUT_FEATURES_OF_GATEWAY: &str = "the 10 extended tests ran, and the 10 features that they \
                                           are about are in neither list";
const MAIN_1_4: &str = "suite from main between v1.3.0 and v1.4.0, under the version of v1.3.0";
const MAIN_1_7: &str = "suite from main between v1.6.1 and v1.7.0, under a version of v1.6";

/// Reports that differ from their release: path, cause, matching releases, differences.
const ODD: &[(&str, &str, &str, &[&str])] = &[
    (
        "v1.0.0/cilium/v1.15.0-pre.3-report.yaml",
        "suite from main after v1.0.0: a feature of v1.1.0 among those of v1.0.0",
        "",
        &["HTTP: 1 unexpected, home v1.1.0"],
    ),
    (
        "v1.0.0/istio-istio/1.20-report.yaml",
        MESH_OF_V1_0,
        "",
        &[
            "MESH: extended 4, not 0",
            "MESH: 12 unexpected, home v1.1.0",
            "MESH: not in profile: MeshFrontendHostname",
        ],
    ),
    (
        "v1.0.0/kumahq-kuma/2.6.0-report.yaml",
        MESH_OF_V1_0,
        "",
        &[
            "MESH: extended 4, not 0",
            "MESH: 12 unexpected, home v1.1.0",
        ],
    ),
    (
        "v1.0.0/nginx-nginx-gateway-fabric/v1.1.0-report.yaml",
        "older suite: the lists are those of v0.8.0",
        "v0.8.0",
        &[
            "HTTP: missing: HTTPRouteBackendTimeout HTTPRouteRequestMultipleMirrors \
             HTTPRouteRequestTimeout HTTPRouteResponseHeaderModification",
            "HTTP: 1 unexpected, home v0.8.0",
        ],
    ),
    (
        "v1.1.0/cilium-cilium/experimental-1.16-default-report.yaml",
        "suite from main between v1.1.0 and v1.2.0, and HTTPRouteParentRefPort taken out of the mesh list \
         while its test is still counted; MESH-GRPC reported as MESH-HTTP (3 core tests)",
        "",
        &[
            "MESH-HTTP: extended 4, not 3",
            "MESH-HTTP: missing: HTTPRouteParentRefPort",
            "MESH-HTTP: 2 unexpected, home v1.2.0",
            "GATEWAY-HTTP: extended 21, not 19",
            "GATEWAY-HTTP: 2 unexpected, home v1.2.0",
        ],
    ),
    (
        "v1.1.0/gke-gateway/standard-1.30.3-gxlb-report.yaml",
        MAIN_1_2,
        "",
        &["GATEWAY-HTTP: 3 unexpected, home v1.2.0"],
    ),
    (
        "v1.1.0/gke-gateway/standard-1.30.3-rilb-report.yaml",
        MAIN_1_2,
        "",
        &["GATEWAY-HTTP: 3 unexpected, home v1.2.0"],
    ),
    (
        "v1.1.0/gke-gateway/standard-1.30.3-rxlb-report.yaml",
        MAIN_1_2,
        "",
        &["GATEWAY-HTTP: 3 unexpected, home v1.2.0"],
    ),
    (
        "v1.3.0/buoyant-enterprise-for-linkerd/standard-2.18-default-report.yaml",
        MAIN_1_4,
        "",
        &[
            "MESH-HTTP: core 7, not [2]",
            "MESH-HTTP: extended 8, not 4",
            "MESH-HTTP: 6 unexpected, home v1.4.0",
        ],
    ),
    (
        "v1.3.0/linkerd-linkerd/standard-2.18-default-report.yaml",
        MAIN_1_4,
        "",
        &[
            "MESH-HTTP: core 7, not [2]",
            "MESH-HTTP: extended 8, not 4",
            "MESH-HTTP: 6 unexpected, home v1.4.0",
        ],
    ),
    (
        "v1.3.0/nginx-nginx-gateway-fabric/experimental-2.0.0-default-report.yaml",
        "one extended test more than the claimed features have: one of the features with a single test \
         ran and is listed as unsupported",
        "",
        &["GATEWAY-HTTP: extended 15, not 14"],
    ),
    (
        "v1.4.0/airlock-microgateway/experimental-4.8.0-default-report.yaml",
        "suite of the release branch, a week before v1.4.1",
        "v1.4.1",
        &[
            "GATEWAY-HTTP: extended 27, not 21",
            "GATEWAY-HTTP: 2 unexpected, home v1.4.1",
        ],
    ),
    (
        "v1.4.0/gke-gateway/standard-1.34.4-rxlb-report.yaml",
        "suite from main between v1.4.0 and v1.5.0, under the version of v1.4.0",
        "",
        &["GATEWAY-HTTP: 3 unexpected, home v1.5.0"],
    ),
    (
        "v1.4.0/nginx-nginx-gateway-fabric/experimental-2.3.0-default-report.yaml",
        "edited by hand: the features of v1.4.1 beside the counts of v1.4.0, 21 where v1.4.1 has 26",
        "",
        &["GATEWAY-HTTP: 2 unexpected, home v1.4.1"],
    ),
    (
        "v1.5/airlock-microgateway/standard-5.1.0-default-report.yaml",
        "one extended test fewer than the claimed features have, and no skip: a build between releases \
         or a skip taken out by hand; the numbers cannot tell",
        "",
        &["GATEWAY-HTTP: extended 46, not 47"],
    ),
    (
        "v1.5/gke-gateway/v1.5.0-gke-report.yaml",
        "3 core tests too many as on main before v1.6.0, and the 6 tests of the BackendTLSPolicy features \
         not counted although they are claimed",
        "",
        &[
            "GATEWAY-HTTP: core 36, not [33]",
            "GATEWAY-HTTP: extended 11, not 17",
        ],
    ),
    (
        "v1.6/aws-load-balancer-controller/conformance-report.yaml",
        MAIN_1_7,
        "",
        &[
            "GATEWAY-HTTP: core 38, not [37]",
            "GATEWAY-HTTP: not in profile: GatewayNameMaximumLength",
            "GATEWAY-HTTP: 2 unexpected, home nowhere",
        ],
    ),
    (
        "v1.6/cilium/experimental-v1.20.0-default-report.yaml",
        WITHOUT_FEATURES_OF_GATEWAY,
        "",
        &[
            "GATEWAY-UDP: extended 10, not 0",
            "GATEWAY-UDP: missing: GatewayAddressEmpty GatewayBackendClientCertificate GatewayFrontendClientCertificateValidation GatewayFrontendClientCertificateValidationInsecureFallback GatewayHTTPListenerIsolation GatewayHTTPSListenerDetectMisdirectedRequests GatewayInfrastructurePropagation GatewayPort8080 GatewayStaticAddresses ListenerSet",
            "GATEWAY-TCP: extended 10, not 0",
            "GATEWAY-TCP: missing: GatewayAddressEmpty GatewayBackendClientCertificate GatewayFrontendClientCertificateValidation GatewayFrontendClientCertificateValidationInsecureFallback GatewayHTTPListenerIsolation GatewayHTTPSListenerDetectMisdirectedRequests GatewayInfrastructurePropagation GatewayPort8080 GatewayStaticAddresses ListenerSet",
        ],
    ),
    (
        "v1.6/cilium/standard-v1.20.0-default-report.yaml",
        WITHOUT_FEATURES_OF_GATEWAY,
        "",
        &[
            "GATEWAY-TCP: extended 10, not 0",
            "GATEWAY-TCP: missing: GatewayAddressEmpty GatewayBackendClientCertificate GatewayFrontendClientCertificateValidation GatewayFrontendClientCertificateValidationInsecureFallback GatewayHTTPListenerIsolation GatewayHTTPSListenerDetectMisdirectedRequests GatewayInfrastructurePropagation GatewayPort8080 GatewayStaticAddresses ListenerSet",
            "GATEWAY-UDP: extended 10, not 0",
            "GATEWAY-UDP: missing: GatewayAddressEmpty GatewayBackendClientCertificate GatewayFrontendClientCertificateValidation GatewayFrontendClientCertificateValidationInsecureFallback GatewayHTTPListenerIsolation GatewayHTTPSListenerDetectMisdirectedRequests GatewayInfrastructurePropagation GatewayPort8080 GatewayStaticAddresses ListenerSet",
        ],
    ),
    (
        "v1.6/gke-gateway/v1.6.0-gke-report.yaml",
        MAIN_1_7,
        "",
        &["GATEWAY-HTTP: 2 unexpected, home nowhere"],
    ),
];

const SUITE_RULES: &[&str] = &[
    "report/api-version",
    "report/core-tests-missing",
    "report/extended-absent",
    "report/misspelled-name",
    "report/newer-suite",
    "report/old-feature-name",
    "report/suite-facts",
    "report/unknown-name",
    "report/unknown-profile",
];

fn findings_of_check(root: &Path) -> BTreeMap<String, BTreeMap<&'static str, usize>> {
    let tree = discover(root, root, &Parts::Whole).unwrap();
    let settings = Settings::default();
    let outcome = check_tree(&tree, &settings, Registry::embedded(), &|_| ());
    let mut found = BTreeMap::<_, BTreeMap<_, usize>>::new();
    for finding in &outcome.findings {
        if SUITE_RULES.contains(&finding.rule) {
            let rules = found.entry(finding.place.path.to_string()).or_default();
            *rules.entry(finding.rule).or_default() += 1;
        }
    }
    found
}

const OF_NEWER_SUITES: [&str; 13] = [
    "v1.0.0/istio-istio/1.20-report.yaml",
    "v1.0.0/kumahq-kuma/2.6.0-report.yaml",
    "v1.1.0/cilium-cilium/experimental-1.16-default-report.yaml",
    "v1.1.0/gke-gateway/standard-1.30.3-gxlb-report.yaml",
    "v1.1.0/gke-gateway/standard-1.30.3-rilb-report.yaml",
    "v1.1.0/gke-gateway/standard-1.30.3-rxlb-report.yaml",
    "v1.3.0/buoyant-enterprise-for-linkerd/standard-2.18-default-report.yaml",
    "v1.3.0/linkerd-linkerd/standard-2.18-default-report.yaml",
    "v1.4.0/airlock-microgateway/experimental-4.8.0-default-report.yaml",
    "v1.4.0/gke-gateway/standard-1.34.4-rxlb-report.yaml",
    "v1.5/gke-gateway/v1.5.0-gke-report.yaml",
    "v1.6/aws-load-balancer-controller/conformance-report.yaml",
    "v1.6/gke-gateway/v1.6.0-gke-report.yaml",
];

/// Requires one finding for each differing profile, and none for other reports.
fn compare_with_check(root: &Path, differing: &[(String, String, Vec<String>)]) {
    let mut expected = BTreeMap::<_, BTreeMap<_, usize>>::new();
    for (name, _, differences) in differing {
        let profiles = differences.iter();
        let profiles = profiles.filter_map(|one| Some(one.split_once(": ")?.0));
        let profiles: BTreeSet<_> = profiles.collect();
        let rules = if OF_NEWER_SUITES.contains(&name.as_str()) {
            BTreeMap::from([("report/newer-suite", profiles.len())])
        } else {
            BTreeMap::from([("report/suite-facts", profiles.len())])
        };
        expected.insert(name.clone(), rules);
    }
    for &(name, rule, count) in BESIDES {
        let rules = expected.get_mut(name);
        rules.unwrap().insert(rule, count);
    }
    assert_eq!(findings_of_check(root), expected);
}

/// Additional findings with the same causes as [`ODD`]: path, rule, number of findings.
const BESIDES: &[(&str, &str, usize)] = &[
    // The differences in core tests come from a newer suite; those in extended tests come from an
    // edited feature list.
    (
        "v1.5/gke-gateway/v1.5.0-gke-report.yaml",
        "report/suite-facts",
        1,
    ),
    (
        "v1.0.0/nginx-nginx-gateway-fabric/v1.1.0-report.yaml",
        "report/old-feature-name",
        1,
    ),
    (
        "v1.1.0/cilium-cilium/experimental-1.16-default-report.yaml",
        "report/api-version",
        1,
    ),
    (
        "v1.1.0/gke-gateway/standard-1.30.3-gxlb-report.yaml",
        "report/api-version",
        1,
    ),
    (
        "v1.1.0/gke-gateway/standard-1.30.3-rilb-report.yaml",
        "report/api-version",
        1,
    ),
    (
        "v1.1.0/gke-gateway/standard-1.30.3-rxlb-report.yaml",
        "report/api-version",
        1,
    ),
];

#[derive(Default, Debug, PartialEq)]
struct Agreement {
    reports: usize,
    entries: usize,
    core: usize,
    with_extended: usize,
    extended: usize,
    features: usize,
}

#[test]
fn every_differing_report_of_the_corpus_is_known() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("gateway-api/conformance/reports");
    let registry = Registry::embedded();
    let mut differing = Vec::new();
    let mut agreement = BTreeMap::<String, Agreement>::new();
    for (name, text) in reports(&folder) {
        let value: Value = serde_yaml::from_str(&text).unwrap();
        let release = release_of(registry, name.split('/').next().unwrap(), &value);
        let report = read(&value);
        assert!(!report.profiles.is_empty(), "{name}");
        if release.extended_when().is_none() {
            continue;
        }
        let found = differences(registry, release, &report);
        let counts = agreement.entry(release.version().to_string()).or_default();
        counts.reports += 1;
        for (at, claim) in report.profiles.iter().enumerate() {
            let has = |wanted: fn(&SuiteMismatch<'_, '_>) -> bool| {
                found
                    .iter()
                    .any(|one| one.claim == Some(at) && wanted(&one.difference))
            };
            let features = has(|d| {
                matches!(
                    d,
                    SuiteMismatch::FeaturesMissing { .. }
                        | SuiteMismatch::FeaturesUnexpected { .. }
                )
            });
            let stated = claim.extended.is_some();
            counts.entries += 1;
            counts.core += usize::from(!has(|d| matches!(d, SuiteMismatch::CoreTotal { .. })));
            counts.with_extended += usize::from(stated);
            counts.extended +=
                usize::from(stated && !has(|d| matches!(d, SuiteMismatch::ExtendedTotal { .. })));
            counts.features += usize::from(stated && !features);
        }
        if found.is_empty() {
            continue;
        }
        let fit = fits(registry, &report);
        let fit: Vec<_> = fit
            .iter()
            .map(|release| release.version().to_string())
            .collect();
        let found = found.iter().map(|one| {
            let of = one.claim.map_or("report", |at| {
                report.profiles[at].name().unwrap_or_default()
            });
            format!("{of}: {}", words(&one.difference))
        });
        differing.push((name, fit.join(" "), found.collect::<Vec<_>>()));
    }
    for (release, counts) in &agreement {
        eprintln!("{release}: {counts:?}");
    }
    let known: Vec<_> = ODD
        .iter()
        .map(|&(name, _, fit, found)| {
            let found = found.iter().map(ToString::to_string);
            (name.to_owned(), fit.to_owned(), found.collect::<Vec<_>>())
        })
        .collect();
    assert_eq!(differing, known);
    compare_with_check(&folder, &differing);
}
