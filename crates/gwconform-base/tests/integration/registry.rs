//! Tests that the data in `schema/registry/` is consistent, answers queries, and matches the
//! sources.

use std::collections::BTreeMap;
use std::fs;

use crate::corpus::{source_of_facts, sources_of_releases};

use gwconform_base::api::{Channel, Family, FolderRelease, Minor, NameKind, Version};
use gwconform_base::release::stated::ReferenceRelease;
use gwconform_base::release::{ExtendedWhen, Match, Registry, Release};
use gwconform_base::text::diagnostic::Severity;
use serde_json::{Value, json};

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

fn minor(text: &str) -> Minor {
    Minor::parse(text).unwrap()
}

fn exact(text: &str) -> &'static Release {
    match Registry::embedded().release(&version(text)) {
        Match::Exact(release) => release,
        other => panic!("{text}: {other:?}"),
    }
}

fn versions(releases: &[&Release]) -> Vec<String> {
    releases
        .iter()
        .map(|release| release.version().to_string())
        .collect()
}

fn errors_of(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<_> = files
        .iter()
        .map(|&(name, text)| (name.to_owned(), text.to_owned()))
        .collect();
    match Registry::with_files(&files) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(ToString::to_string).collect(),
    }
}

/// According to GEP-2162, "Feature Names", a name is the resource, then letters and digits, with at
/// most 128 characters.
#[test]
fn names_of_features_obey_the_rules() {
    let older = [
        "HTTPResponseHeaderModification",
        "RouteDestinationPortMatching",
    ];
    for release in Registry::embedded().releases() {
        for feature in release.features() {
            let name = &feature.name;
            assert!(name.len() <= 128, "{name}");
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "{name}");
            assert!(name.starts_with(|c: char| c.is_ascii_uppercase()), "{name}");
            let resource = feature.resource.as_deref().unwrap_or_default();
            // ListenerSet is a resource of its own, but releases list it under Gateway.
            let obeys = name.starts_with(resource) || name == "ListenerSet";
            assert!(
                obeys || older.contains(&name.as_str()),
                "{name} of {resource}"
            );
        }
        for test in release.tests() {
            assert!(
                test.name.chars().all(|c| c.is_ascii_alphanumeric()),
                "{}",
                test.name
            );
            assert!(!test.features.is_empty(), "{}", test.name);
        }
    }
}

#[test]
fn every_feature_has_one_sentence() {
    for release in Registry::embedded().releases() {
        for feature in release.features() {
            let meaning = feature.meaning.as_deref().unwrap_or_default();
            assert!(
                meaning.ends_with('.') && meaning.len() > 20,
                "{}",
                feature.name
            );
            assert_eq!(meaning.matches(". ").count(), 0, "{}", feature.name);
        }
        assert!(release.notes().iter().all(|note| note.ends_with('.')));
    }
}

/// A patch of an older minor may be later than the next minor: v1.1.1 was released after v1.2.0.
#[test]
fn dates_are_in_order() {
    let registry = Registry::embedded();
    let mut first_of_minor = None;
    for pair in registry.releases().windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        if before.version().minor() == after.version().minor() {
            assert!(before.date() < after.date(), "{}", after.version());
        } else {
            assert!(first_of_minor < Some(after.date()), "{}", after.version());
            first_of_minor = Some(after.date());
        }
    }
    assert!(exact("v1.1.1").date() > exact("v1.2.0").date());
}

#[test]
fn profiles_are_consistent() {
    for release in Registry::embedded().releases() {
        assert_eq!(
            release.profiles().count() == 0,
            release.extended_when().is_none()
        );
        assert_eq!(
            release.profiles().count() == 0,
            release.report_api_version().is_none()
        );
        for profile in release.profiles() {
            assert!(
                release.profile(&profile.report_name).is_some(),
                "{}",
                profile.name
            );
            assert_eq!(
                profile.name.contains("MESH"),
                profile.family == Family::Mesh
            );
            assert!(profile.core.iter().all(|feature| profile.is_core(feature)));
            assert!(
                profile
                    .extended
                    .iter()
                    .all(|feature| profile.is_extended(feature))
            );
        }
    }
}

#[test]
fn renames_are_reported_once_and_by_the_right_release() {
    let registry = Registry::embedded();
    let mut renames = Vec::new();
    for kind in [NameKind::Feature, NameKind::Profile, NameKind::Test] {
        for name in registry.names(kind) {
            let Some((older, release)) = registry.renamed_from(kind, name) else {
                continue;
            };
            assert_eq!(
                registry.since(kind, name).unwrap().version(),
                release.version()
            );
            let gone = registry.known_in(kind, older);
            assert!(
                gone.last().unwrap().version() < release.version(),
                "{older}"
            );
            assert_eq!(registry.renamed_to(kind, older).unwrap().0, name);
            renames.push(format!("{} {older} -> {name}", release.version()));
        }
    }
    assert_eq!(
        renames,
        [
            "v1.0.0 RouteDestinationPortMatching -> HTTPRouteDestinationPortMatching",
            "v1.0.0 HTTPResponseHeaderModification -> HTTPRouteResponseHeaderModification",
            "v1.1.0 HTTP -> GATEWAY-HTTP",
            "v1.1.0 TLS -> GATEWAY-TLS",
            "v1.1.0 MESH -> MESH-HTTP",
            "v1.6.0 GatewayBackendClientCertificateFeature -> GatewayTLSBackendClientCertificate",
            "v1.1.0 HTTPExactPathMatching -> HTTPRouteExactPathMatching",
        ]
    );
}

#[test]
fn versions_find_their_release() {
    let registry = Registry::embedded();
    let found = |text: &str| match registry.release(&version(text)) {
        Match::Exact(release) => format!("exact {}", release.version()),
        Match::NearestLowerPatch(release) => format!("nearest {}", release.version()),
        Match::NewerThanKnown => "newer".to_owned(),
        Match::Unknown => "unknown".to_owned(),
    };
    assert_eq!(found("v1.5.1"), "exact v1.5.1");
    assert_eq!(found("v1.5.9"), "nearest v1.5.1");
    assert_eq!(found("v1.0.1"), "nearest v1.0.0");
    assert_eq!(found("v1.5.1-rc.1"), "nearest v1.5.0");
    assert_eq!(found("v1.5.0-rc.1"), "unknown");
    assert_eq!(found("v0.6.2"), "unknown");
    assert_eq!(found("v0.9.0"), "unknown");
    let newest = registry.newest().unwrap().version();
    let next_patch = format!("{}.99", newest.minor());
    assert_eq!(found(&next_patch), format!("nearest {newest}"));
    let later = |minors| format!("v1.{}.0-rc.1", newest.minor().minor + minors);
    assert_eq!(found(&later(1)), "newer");
    assert_eq!(found(&later(2)), "newer");
    assert_eq!(found(&later(3)), "unknown");
    assert_eq!(found("v1.99.0"), "unknown");
    assert_eq!(found("v2.0.0"), "unknown");
    let patch = registry.newest_patch_of(minor("v1.5")).unwrap();
    assert_eq!(patch.version(), &version("v1.5.1"));
    assert!(registry.newest_patch_of(minor("v1.99")).is_none());
    let versions = registry.releases().iter().map(Release::version);
    assert_eq!(versions.max(), Some(newest));
}

#[test]
fn releases_with_the_same_facts_are_named_together() {
    let same = |text| versions(&Registry::embedded().same_content(exact(text)));
    assert_eq!(same("v1.5.0"), ["v1.5.0", "v1.5.1"]);
    assert_eq!(same("v1.5.1"), ["v1.5.0", "v1.5.1"]);
    assert_eq!(same("v1.4.1"), ["v1.4.1"]);
}

#[test]
fn names_are_looked_up_over_all_releases() {
    let registry = Registry::embedded();
    let older = registry.known_in(NameKind::Feature, "RouteDestinationPortMatching");
    assert_eq!(versions(&older), ["v0.7.0", "v0.7.1", "v0.8.0", "v0.8.1"]);
    assert!(
        registry
            .known_in(NameKind::Feature, "HTTPRouteBackendURLRewrite")
            .is_empty()
    );
    let since = |name| {
        registry
            .since(NameKind::Feature, name)
            .unwrap()
            .version()
            .to_string()
    };
    assert_eq!(since("HTTPRouteCORS"), "v1.4.0");
    assert_eq!(registry.profile("MESH").unwrap().family, Family::Mesh);
    assert_eq!(
        registry.feature("HTTPRouteCORS").unwrap().channel,
        Channel::Standard
    );
    let tests = exact("v1.5.0").tests_of("HTTPRouteCORS");
    let tests: Vec<_> = tests.map(|test| test.name.as_str()).collect();
    assert_eq!(
        tests,
        ["HTTPRouteCORS", "HTTPRouteCORSAllowCredentialsBehavior"]
    );
    let similar = registry.similar(NameKind::Profile, "GATEWAY_HTTP").unwrap();
    assert_eq!((similar.name, similar.typo), ("GATEWAY-HTTP", true));
}

#[test]
fn policies_begin_with_a_minor() {
    let registry = Registry::embedded();
    for rule in ["report/url-scheme", "report/contact", "report/partial-core"] {
        assert_eq!(registry.severity(rule, minor("v1.6")), None);
        assert_eq!(
            registry.severity(rule, minor("v1.7")),
            Some(Severity::Error)
        );
        assert_eq!(
            registry.severity(rule, minor("v2.0")),
            Some(Severity::Error)
        );
    }
    assert_eq!(registry.severity("report/kind", minor("v1.7")), None);
    assert_eq!(registry.most_core_skips(minor("v1.6")), None);
    assert_eq!(registry.most_core_skips(minor("v1.7")), Some(5));
}

#[test]
fn a_folder_adds_and_overrides_releases() {
    let files = [
        ("README.md", "not read"),
        (
            "v1.99.0.json",
            r#"{"release": "v1.99.0", "date": "2026-11-01", "base": "v1.6.0",
                "features": {"HTTPRouteNew": {"level": "extended", "channel": "standard"}},
                "profiles": {"GATEWAY-HTTP": {"extendedAdded": ["HTTPRouteNew"]}}}"#,
        ),
        (
            "v1.4.1.json",
            r#"{"release": "v1.4.1", "date": "2025-12-03", "sameAs": "v1.4.0"}"#,
        ),
    ];
    let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let registry = Registry::with_files(&files).unwrap();
    let newest = registry.newest().unwrap();
    assert_eq!(newest.version(), &version("v1.99.0"));
    assert!(
        newest
            .profile("GATEWAY-HTTP")
            .unwrap()
            .is_extended("HTTPRouteNew")
    );
    let Match::Exact(overridden) = registry.release(&version("v1.4.1")) else {
        panic!("v1.4.1 is gone");
    };
    assert_eq!(overridden.same_as(), Some(&version("v1.4.0")));
    // v1.5.0 is based on v1.4.1, so it also lacks the entries removed from v1.4.1.
    let follower = registry.release(&version("v1.5.0")).release().unwrap();
    assert!(
        !follower
            .profile("GATEWAY-HTTP")
            .unwrap()
            .is_extended("BackendTLSPolicy")
    );
}

#[test]
fn errors_name_file_and_line() {
    let release = |rest: &str| {
        format!("{{\n\"release\": \"v1.99.0\",\n\"date\": \"2026-11-01\",\n{rest}\n}}")
    };
    let based = |rest: &str| release(&format!("\"base\": \"v1.6.1\",\n{rest}"));
    let one = |text: &str| errors_of(&[("v1.99.0.json", text)]).join("\n");
    // Inside the macro, rustfmt would indent this list further on each run.
    let messages = [
        one("{"),
        one("[]"),
        one(&release("\"base\": \"v1.100.0\"")),
        one(&release("\"base\": 7")),
        one(&release("\"colour\": 7")),
        one(&release("\"base\": \"v1.6.1\", \"sameAs\": \"v1.6.1\"")),
        one(&release(
            "\"sameAs\": \"v1.6.1\", \"crds\": {\"standard\": []}",
        )),
        one(&release("")
            .replace("v1.99.0", "v1.99.1")
            .replace(",\n\n", "\n")),
        one(&release("")
            .replace("2026-11-01", "2026-13-01")
            .replace(",\n\n", "\n")),
        one(&based(
            "\"features\": {\n\"New\": {\"level\": \"core\"},\n\"Old\": null}",
        )),
        one(&based(
            "\"features\": {\n\"New\": {\n\"level\": \"kernel\"}}",
        )),
        one(&based("\"features\": {\n\"A\": null,\n\"A\": null}")),
        one(&based(
            "\"tests\": {\n\"New\": {},\n\"Mesh\": {\"features\": [\"Mash\"]}}",
        )),
        one(&based("\"features\": {\n\"MeshConsumerRoute\": null}")),
        one(&based(
            "\"profiles\": {\n\"GATEWAY-TLS\": {\"coreRemoved\": [\"Mesh\"]}}",
        )),
        one(&based(
            "\"profiles\": {\n\"GATEWAY-TLS\": {\"coreAdded\": [\"TLSRoute\"]}}",
        )),
        errors_of(&[("v1.7.json", "{}")]).join("\n"),
        errors_of(&[("policies.json", "{\n\"severities\": {\n\"a/b\": [{}]}}")]).join("\n"),
        errors_of(&[(
            "policies.json",
            "{\n\"mostCoreSkips\": [\n{\"since\": \"v1\", \"most\": 1, \"why\": \"\"}]}",
        )])
        .join("\n"),
    ]
    .join("\n--\n");
    insta::assert_snapshot!(messages, @r"
v1.99.0.json:1:1: the JSON text ends too early
--
v1.99.0.json:1:1: expected an object, found a list of 0
--
v1.99.0.json:4: `v1.100.0` is not an earlier release of the registry
--
v1.99.0.json:4:9: `base`: expected a string, found the number `7`
--
v1.99.0.json:4:1: `colour`: unknown field `colour`; expected one of `release`, `date`, `commit`, `commitDate`, `sameAs`, `base`, `notes`, `reportApiVersion`, `testIsExtendedWhen`, `crds`, `features`, `profiles`, `tests`
--
v1.99.0.json:1: both `base` and `sameAs`; expected one of them
--
v1.99.0.json:1: `sameAs` together with changes; expected no changes
--
v1.99.0.json:2: the file name is that of v1.99.0, but `release` is `v1.99.1`
--
v1.99.0.json:3: `2026-13-01` is not a date; expected a date such as 2026-06-29
--
v1.99.0.json:6: new entry `New` has no channel
v1.99.0.json:7: `Old` is removed, but is not in the base
--
v1.99.0.json:7:10: `features.New.level`: unknown value `kernel`; expected `core` or `extended`
--
v1.99.0.json:7:6: `features`: duplicate `A`
--
v1.99.0.json:6: new entry `New` has no features
v1.99.0.json:7: unknown feature `Mash` of `Mesh`
--
v1.99.0.json:6: unknown feature `MeshConsumerRoute` of `MESH-GRPC`
v1.99.0.json:6: unknown feature `MeshConsumerRoute` of `MESH-HTTP`
v1.99.0.json:6: unknown feature `MeshConsumerRoute` of `MeshConsumerRoute`
--
v1.99.0.json:6: `Mesh` is removed, but is not in this list of the base
--
v1.99.0.json:6: duplicate `TLSRoute` in the list
--
v1.7.json:1: unexpected file name; expected the name of a release (v1.7.0.json), controllers.json, fields.json, ingress-nginx.json, needs.json, policies.json, references.json, served.json or suites.json
--
policies.json:3:9: `severities.a/b[0]`: field `since` is missing
--
policies.json:3: `v1` is not a minor release; expected a name such as v1.7
");
}

fn source() -> Option<Value> {
    let text = fs::read_to_string(source_of_facts()?).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}

#[test]
fn the_facts_are_those_of_their_source() {
    let Some(source) = source() else { return };
    let stated = source["releases"].as_object().unwrap();
    let known = Registry::embedded().releases();
    for (name, facts) in stated {
        let of_name = |release: &&Release| release.version().to_string() == *name;
        let release = known.iter().find(of_name).expect(name);
        let mut facts = facts.clone();
        let same_as = release.same_as().map(ToString::to_string);
        assert_eq!(facts["sameAs"].as_str(), same_as.as_deref(), "{name}");
        assert_eq!(
            facts["date"],
            json!(release.date().unwrap().to_string()),
            "{name}"
        );
        if let Some(other) = same_as {
            facts = stated[&other].clone();
        }
        let object = facts.as_object_mut().unwrap();
        object.remove("date");
        assert_eq!(facts, as_in_the_source(release), "{name}");
    }
}

fn as_in_the_source(release: &Release) -> Value {
    let when = release.extended_when().map(|when| match when {
        ExtendedWhen::AnyNotCore => "any feature is not core in the profile",
        ExtendedWhen::AnyExtended => "any feature is extended in the profile",
    });
    let mut profiles = BTreeMap::new();
    for profile in release.profiles() {
        let mut value = json!({"core": profile.core, "extended": profile.extended});
        if profile.report_name != profile.name {
            value["reportName"] = json!(profile.report_name);
        }
        profiles.insert(&profile.name, value);
    }
    let mut tests = BTreeMap::new();
    for test in release.tests() {
        let mut value = json!({"features": test.features});
        for (field, set) in [
            ("provisional", test.provisional),
            ("parallel", test.parallel),
        ] {
            if set {
                value[field] = json!(true);
            }
        }
        tests.insert(&test.name, value);
    }
    let features: BTreeMap<_, _> = release
        .features()
        .map(|feature| {
            let value = json!({
                "level": feature.level.as_str(),
                "channel": feature.channel.as_str(),
                "resource": feature.resource,
            });
            (&feature.name, value)
        })
        .collect();
    json!({
        "reportApiVersion": release.report_api_version(),
        "testIsExtendedWhen": when,
        "crds": {
            "standard": release.crds(Channel::Standard),
            "experimental": release.crds(Channel::Experimental),
        },
        "features": features,
        "profiles": profiles,
        "tests": tests,
    })
}

#[test]
fn references_name_known_features_and_tests() {
    let registry = Registry::embedded();
    let text = include_str!("../../../../schema/registry/references.json");
    let content: Value = serde_json::from_str(text).unwrap();
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    for feature in keys(&content["proposals"]) {
        assert!(registry.feature(&feature).is_some(), "{feature}");
        for (number, address) in registry.references().proposals(&feature) {
            let expected = format!("https://gateway-api.sigs.k8s.io/geps/gep-{number}/");
            assert_eq!(address, expected);
        }
    }
    let features = registry.releases().iter().flat_map(Release::features);
    let resources: Vec<_> = features.filter_map(|one| one.resource.as_deref()).collect();
    for kind in keys(&content["reference"]) {
        assert!(
            resources.contains(&kind.as_str()) || kind == "ListenerSet",
            "{kind}"
        );
    }
    let mut known = 0;
    for tag in keys(&content["tests"]) {
        let release = exact(&tag);
        for name in keys(&content["tests"][&tag]) {
            assert!(
                release.tests().any(|test| test.name == name),
                "{tag}: {name}"
            );
            known += 1;
        }
    }
    assert!(known > 150);
    let cors = registry.references().test("HTTPRouteCORS").unwrap();
    assert_eq!(
        cors.address(),
        "https://github.com/kubernetes-sigs/gateway-api/blob/v1.6.1/conformance/tests/httproute-cors.go"
    );
}

#[test]
fn references_to_tests_are_those_of_the_sources() {
    let Some(sources) = sources_of_releases() else {
        return;
    };
    let mut seen = 0;
    for release in Registry::embedded().releases() {
        let tag = sources.join(release.version().to_string());
        if !tag.is_dir() {
            continue;
        }
        for test in release.tests() {
            let source = Registry::embedded().references().test(&test.name);
            let source = source.unwrap_or_else(|| panic!("{}", test.name));
            assert!(source.tag >= *release.version(), "{}", test.name);
            let url = Registry::embedded().references();
            let url = url.test_in(&test.name, release.version()).unwrap();
            let url = url.address();
            let before = format!(
                "https://github.com/kubernetes-sigs/gateway-api/blob/{}/",
                release.version()
            );
            let path = url.strip_prefix(&before).unwrap();
            let text = fs::read_to_string(tag.join(path)).unwrap();
            let words: Vec<&str> = text.split_whitespace().collect();
            let declared = format!("ShortName: \"{}\",", test.name);
            assert!(words.join(" ").contains(&declared), "{url}: {}", test.name);
            seen += 1;
        }
    }
    assert!(seen > 600, "{seen}");
}

#[test]
fn wrong_references_are_named_by_line() {
    let of = |text: &str| errors_of(&[("references.json", text)]);
    for (text, error) in [
        (
            r#"{"proposals": {"HTTPRoute": [0]}, "reference": {}, "tests": {}}"#,
            "references.json:1: expected numbers of proposals, such as 2257",
        ),
        (
            "{\"proposals\": {}, \"tests\": {},\n\"reference\": {\"HTTPRoute\": \"x#\\\"HTTPRoute\"}}",
            "references.json:2: expected group/version.Kind, such as gateway.networking.k8s.io/v1.HTTPRoute",
        ),
        (
            "{\"proposals\": {}, \"reference\": {},\n\n\"tests\": {\"v1.6.1\": {\"A\": \"../a.go\"}}}",
            "references.json:3: `../a.go` is not a file below conformance/tests; expected one such as httproute-cors.go",
        ),
        (
            r#"{"proposals": {}, "reference": {}, "tests": {"v1.5.1": {"A": "a.go"}, "v1.6.1": {"A": "a.go"}}}"#,
            "references.json:1: duplicate `A`",
        ),
    ] {
        assert_eq!(of(text), [error]);
    }
}

#[test]
fn words_name_known_features_and_tests() {
    let registry = Registry::embedded();
    let words = registry.words();
    let (features, tests) = (
        registry.names(NameKind::Feature),
        registry.names(NameKind::Test),
    );
    let is_known =
        |name: &String| features.contains(name.as_str()) || tests.contains(name.as_str());
    let proposals = words.proposals.values().map(|one| &one.features);
    for name in words.features.values().chain(proposals).flatten() {
        assert!(is_known(name), "{name}");
    }
    let meant = words.features.keys();
    let platforms = words.platforms.values();
    let listed = words.beyond.values().chain(words.untested.values());
    let listed = listed.chain(platforms.clone().map(|one| &one.words));
    for word in meant.chain(listed.flatten()) {
        assert_eq!(*word, word.to_lowercase());
    }
    // Statements about other products have a source.
    assert!(
        platforms
            .clone()
            .all(|one| one.text.is_empty() == one.source.is_none())
    );
    assert!(words.features.values().all(|names| !names.is_empty()));
    assert_eq!(words.meant(" mTLS "), words.meant("mutual tls"));
    assert!(words.meant("mtls").contains(&"BackendTLSPolicy".to_owned()));
}

/// Data of a release that is not out decide no comparison with the release of a folder.
#[test]
fn a_folder_is_compared_with_a_published_patch() {
    let text = r#"{"release": "v1.5.9", "base": "v1.5.0"}"#;
    let known = Registry::with_files(&[("v1.5.9.json".to_owned(), text.to_owned())]).unwrap();
    let folder = FolderRelease::Minor(minor("v1.5"));
    let release = ReferenceRelease::new(None, Some(&folder), &known);
    assert_eq!(release.version, Some(version("v1.5.1")));
}
