//! Tests `gwconform plan`, which lists the tests that the suite of a release will run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::corpus::{corpus, sources_of_releases};
use crate::support::folder::{Folder, yaml_files};
use crate::support::{lacks, list, rows};
use gwconform::outlook;
use gwconform::outlook::plan::{Choice, Published, Request};
use gwconform_base::api::Version;
use gwconform_base::release::{Match, Profile, Registry, Release};
use proptest::prelude::*;
use proptest::sample;
use proptest::test_runner::RngAlgorithm::ChaCha;
use proptest::test_runner::{Config, TestRng, TestRunner};
use serde_json::Value;
use serde_yaml::Value as Yaml;

fn json(folder: &Folder, arguments: &str) -> Value {
    let output = folder.run(&format!("plan --format json {arguments}"));
    assert!(output.code < 2, "{arguments}: {}", output.stderr);
    serde_json::from_str(&output.stdout).unwrap()
}

/// The plan without the files of a folder.
fn plan(arguments: &str) -> Value {
    json(&Folder::new(), arguments)
}

fn names(value: &Value) -> Vec<&str> {
    list(value).iter().map(name_of).collect()
}

/// An item is a name, or a test with its name.
fn name_of(item: &Value) -> &str {
    let name = item.as_str().or_else(|| item["test"].as_str());
    name.unwrap()
}

fn command(plan: &Value) -> Vec<&str> {
    let command = plan["command"].as_str().unwrap();
    command.split(" \\\n  ").collect()
}

#[test]
fn feature_options_select_the_same_features() {
    let folder = Folder::new();
    let release = "--profile GATEWAY-GRPC --release v1.5.1";
    let extended = json(&folder, &format!("{release} --all-features"));
    let all = names(&extended["profiles"][0]["supported_features"]).join(",");
    let others: Vec<&str> = all
        .split(',')
        .filter(|name| *name != "ListenerSet")
        .collect();
    assert_eq!(others.len(), 9, "{all}");
    let ways = [
        format!("{release} --supported-features {}", others.join(",")),
        format!("{release} --unsupported-features ListenerSet"),
        format!("{release} --all-features --exempt-features ListenerSet"),
    ];
    let profiles = ways.map(|way| json(&folder, &way)["profiles"].clone());
    assert_eq!(profiles[0], profiles[1]);
    assert_eq!(profiles[1], profiles[2]);
    let profile = &profiles[0][0];
    assert_eq!(names(&profile["unsupported_features"]), ["ListenerSet"]);
    assert_eq!(names(&profile["supported_features"]), others);
    let skipped = profile["tests_not_run"].as_array().unwrap();
    assert!(!skipped.is_empty());
    for test in skipped {
        assert_eq!(names(&test["missing_features"]), ["ListenerSet"]);
    }
}

#[test]
fn the_command_is_that_of_the_release() {
    let folder = Folder::new();
    // Without the flags that all commands end with.
    let flags = |arguments: &str| {
        let plan = json(&folder, arguments);
        let lines = command(&plan).join("\n");
        let end = "\n--organization=\"$ORGANIZATION\"\n--project=\"$PROJECT\"\n--url=\"$URL\"\n--version=\"$VERSION\"\n--contact=\"$CONTACT\"\n--report-output=\"$PWD\"/report.yaml";
        lines
            .strip_suffix(end)
            .unwrap_or_else(|| panic!("{lines}"))
            .to_owned()
    };
    insta::assert_snapshot!(flags("--profile GATEWAY-GRPC,GATEWAY-TLS --release v1.6.1 --unsupported-features ListenerSet"), @r#"
    go test ./conformance -run '^TestConformance$' -timeout=1h -v -args
    --gateway-class="$GATEWAY_CLASS"
    --conformance-profiles=GATEWAY-GRPC,GATEWAY-TLS
    --supported-features=GatewayAddressEmpty,GatewayBackendClientCertificate,GatewayFrontendClientCertificateValidation,GatewayFrontendClientCertificateValidationInsecureFallback,GatewayHTTPListenerIsolation,GatewayHTTPSListenerDetectMisdirectedRequests,GatewayInfrastructurePropagation,GatewayPort8080,GatewayStaticAddresses,TLSRouteModeMixed,TLSRouteModeTerminate
    --usable-address="$USABLE_ADDRESS"
    --unusable-address="$UNUSABLE_ADDRESS"
    "#);
    insta::assert_snapshot!(flags("--profile GATEWAY-GRPC --release v1.4.1 --unsupported-features GatewayPort8080"), @r#"
    go test ./conformance -run '^TestConformance$' -timeout=1h -v -args
    --gateway-class="$GATEWAY_CLASS"
    --conformance-profiles=GATEWAY-GRPC
    --supported-features=GatewayAddressEmpty,GatewayHTTPListenerIsolation,GatewayInfrastructurePropagation,GatewayStaticAddresses
    "#);
    // Suites up to v1.0 have another test function.
    insta::assert_snapshot!(flags("--profile TLS --release v1.0.0 --all-features"), @r#"
    go test ./conformance -run '^TestExperimentalConformance$' -timeout=1h -v -args
    --gateway-class="$GATEWAY_CLASS"
    --conformance-profiles=TLS
    "#);
    insta::assert_snapshot!(flags("--profile MESH-GRPC --release v1.3.0 --supported-features MeshConsumerRoute --skip-provisional-tests"), @"
    go test ./conformance -run '^TestConformance$' -timeout=1h -v -args
    --conformance-profiles=MESH-GRPC
    --supported-features=MeshConsumerRoute
    --skip-provisional-tests
    ");
    // With an empty list, the suite would infer features.
    insta::assert_snapshot!(flags("--profile GATEWAY-TLS --release v1.5.1 --supported-features ,"), @r#"
    go test ./conformance -run '^TestConformance$' -timeout=1h -v -args
    --gateway-class="$GATEWAY_CLASS"
    --conformance-profiles=GATEWAY-TLS
    --supported-features=Gateway,ReferenceGrant,TLSRoute
    "#);
}

#[test]
fn rejects_contradicting_options() {
    let folder = Folder::new();
    let http = "--profile GATEWAY-HTTP --release v1.6.1";
    let cases = "
        --supported-features HTTPRouteCORS --unsupported-features ListenerSet | --supported-features and --unsupported-features exclude each other (GEP-1709, Integration); pass one of them
        --supported-features HTTPRouteCORS --all-features | --supported-features and --all-features exclude each other (GEP-1709, Integration); pass one of them
        --supported-features HTTPRouteCORS --exempt-features HTTPRouteCORS | `HTTPRouteCORS` is in --supported-features and in --exempt-features; expected one of them
        --unsupported-features Gateway | --unsupported-features: `Gateway` is core in GATEWAY-HTTP and cannot be disabled (GEP-1709, Integration)
        --all-features --exempt-features HTTPRoute | --exempt-features: `HTTPRoute` is core in GATEWAY-HTTP and cannot be disabled (GEP-1709, Integration)
        --supported-features HTTPRouteCrs | --supported-features: unknown feature `HTTPRouteCrs` for v1.6.1; did you mean `HTTPRouteCORS`?
        --supported-features HTTPResponseHeaderModification | --supported-features: unknown feature `HTTPResponseHeaderModification` for v1.6.1; its name in that release is `HTTPRouteResponseHeaderModification`
    ";
    for [arguments, error] in rows(cases) {
        let output = folder.run(&format!("plan {http} {arguments}"));
        let expected = format!("error: {error}\n");
        assert_eq!((output.code, output.stderr), (2, expected), "{arguments}");
    }
    let core = folder.ok(&format!("plan {http}"));
    assert_eq!(core.stderr, "");
    let empty = folder.run(&format!("plan {http} --supported-features="));
    let note = "Note: to add extended features, use --supported-features with names that\n  \
                `gwconform features --profile PROFILE` lists, --all-features, or --class with the GatewayClass\n";
    assert_eq!(core.stdout.replace(note, ""), empty.stdout);
    assert_ne!(core.stdout, empty.stdout);
    let several = format!("plan {http} --supported-features A,B --exempt-features Gateway");
    insta::assert_snapshot!(folder.run(&several).stderr, @"
    error: --supported-features: unknown feature `A` for v1.6.1
    error: --supported-features: unknown feature `B` for v1.6.1
    error: --exempt-features: `Gateway` is core in GATEWAY-HTTP and cannot be disabled (GEP-1709, Integration)
    ");
    let cases = "
        --profile HTTP --release v1.0.0 --supported-features ListenerSet | error: --supported-features: `ListenerSet` is not in v1.0.0; it exists since v1.5.0⏎
        --profile GATEWAY-HTP --all-features | has no profile `GATEWAY-HTP`; did you mean `GATEWAY-HTTP`?
        --all-features | no profile; pass --profile with one or more of GATEWAY-GRPC, GATEWAY-HTTP
        --profile HTTP --release v0.7.1 --all-features | nothing is known of the release `v0.7.1`
        --profile HTTP --release v9 --all-features | nothing is known of the release `v9`
    ";
    for [arguments, error] in rows(cases) {
        let output = folder.run(&format!("plan {arguments}")).exits(2);
        output.stderr_has(&error.replace('⏎', "\n"));
    }
}

fn class(names: &[&str]) -> String {
    let names = names.iter().map(|name| format!("  - name: {name}\n"));
    format!(
        "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\nmetadata:\n  name: acme\nspec:\n  \
         controllerName: acme.example/x\nstatus:\n  supportedFeatures:\n{}",
        names.collect::<String>()
    )
}

fn mesh(names: &[&str]) -> String {
    let text = class(names)
        .replace("GatewayClass", "XMesh")
        .replace("acme", "mesh");
    text.replace("networking.k8s.io/v1", "networking.x-k8s.io/v1alpha1")
}

#[test]
fn features_are_inferred_as_the_suite_infers_them() {
    let folder = Folder::new();
    let gateway = class(&["Gateway"]);
    let nameless = gateway.replace("  name: acme\n", "  generateName: acme-\n");
    let of_class = [
        "Gateway",
        "HTTPRouteCORS",
        "Mesh",
        "MeshConsumerRoute",
        "Fancy",
    ];
    folder
        .file("class.yaml", class(&of_class))
        .file(
            "mesh.yaml",
            mesh(&["Gateway", "GatewayPort8080", "MeshConsumerRoute"]),
        )
        .file(
            "two.yaml",
            format!("{gateway}---\n{}", class(&["HTTPRoute"])),
        )
        .file("empty.yaml", class(&[]))
        .file("nameless.yaml", nameless)
        .file("broken.yaml", "kind: [");
    let http = "--profile GATEWAY-HTTP --release v1.6.1 --class class.yaml";
    let plan = json(&folder, http);
    let profile = &plan["profiles"][0];
    assert_eq!(names(&profile["supported_features"]), ["HTTPRouteCORS"]);
    assert!(!names(&plan["supported_features"]).contains(&"MeshConsumerRoute"));
    insta::assert_snapshot!(names(&plan["notes"]).join("\n"), @"
    unknown to v1.6.1, in the GatewayClass: Fancy
    the suite drops features of a mesh in the GatewayClass: Mesh, MeshConsumerRoute
    ");
    let flags = "--gateway-class=acme --conformance-profiles=GATEWAY-HTTP";
    assert_eq!(command(&plan)[1..3].join(" "), flags);
    let plan = json(
        &folder,
        "--profile MESH-HTTP --release v1.6.1 --mesh mesh.yaml",
    );
    let supported = &plan["profiles"][0]["supported_features"];
    assert_eq!(names(supported), ["MeshConsumerRoute"]);
    let dropped = "the suite drops features of Gateways in the XMesh: Gateway, GatewayPort8080";
    assert_eq!(names(&plan["notes"])[0], dropped);
    // An empty class prevents the suite from searching for its default class.
    let flags = "--gateway-class='' --mesh-name=mesh --conformance-profiles=MESH-HTTP";
    assert_eq!(command(&plan)[1..4].join(" "), flags);
    let plan = json(&folder, &format!("{http} --supported-features ListenerSet"));
    let supported = &plan["profiles"][0]["supported_features"];
    assert_eq!(names(supported), ["ListenerSet"]);
    assert!(names(&plan["notes"])[0].starts_with("the GatewayClass is ignored"));
    assert_eq!(command(&plan)[1], "--gateway-class=acme");
    // The suite of v1.3 does not infer features.
    let plan = json(&folder, &http.replace("v1.6.1", "v1.3.0"));
    insta::assert_snapshot!(names(&plan["notes"])[..2].join("\n"), @"
    unknown to v1.3.0, in the GatewayClass: Fancy, HTTPRouteCORS
    this suite does not read the GatewayClass: it takes features from flags only, so those of the status are listed
    ");
    let flags =
        "--gateway-class=acme --conformance-profiles=GATEWAY-HTTP --supported-features=Gateway";
    assert_eq!(command(&plan)[1..4].join(" "), flags);
    let cases = "
        --mesh mesh.yaml      | --mesh without --class: GATEWAY-HTTP is a Gateway profile
        --class mesh.yaml     | mesh.yaml: found 0 of kind GatewayClass
        --class none.yaml     | none.yaml
        --class two.yaml      | two.yaml: found 2 of kind GatewayClass
        --class empty.yaml    | no supported features were determined
        --class nameless.yaml | nameless.yaml: `metadata.name` is missing; expected the name of the GatewayClass
        --class broken.yaml   | broken.yaml: a part of it is not YAML
        --class - --mesh -    | standard input (-) can be read only once
    ";
    for [arguments, error] in rows(cases) {
        let command = format!("plan --release v1.6.1 --profile GATEWAY-HTTP {arguments}");
        folder.run(&command).exits(2).stderr_has(error);
    }
}

#[test]
fn a_mesh_is_named_where_the_suite_has_the_flag() {
    let folder = Folder::new();
    folder.file("mesh.yaml", mesh(&["MeshConsumerRoute"]));
    let arguments = "--profile MESH-HTTP --mesh mesh.yaml --supported-features";
    for release in ["v1.4.1", "v1.5.1", "v1.6.1"] {
        let plan = json(
            &folder,
            &format!("{arguments} MeshConsumerRoute --release {release}"),
        );
        assert!(command(&plan).contains(&"--mesh-name=mesh"), "{plan}");
    }
    let plan = json(&folder, &format!("{arguments} , --release v1.3.0"));
    lacks(command(&plan).join("\n"), "\n--mesh-name");
}

#[test]
fn tests_are_left_out_by_name() {
    let folder = Folder::new();
    let arguments = "--profile GATEWAY-HTTP --release v1.5.1 --supported-features HTTPRouteCORS";
    let all = json(&folder, arguments);
    let skipped = "HTTPRouteSimpleSameNamespace,HTTPRouteCORS,HTTPRouteMethodMatching";
    let plan = json(&folder, &format!("{arguments} --skip-tests {skipped}"));
    for (tests, fewer) in [
        ("core_tests", 1),
        ("extended_tests", 1),
        ("tests_not_run", 0),
    ] {
        let [some, all] = [&plan, &all].map(|plan| list(&plan["profiles"][0][tests]).len());
        assert_eq!(some + fewer, all, "{tests}");
    }
    let mut excluded = names(&plan["profiles"][0]["excluded_tests"]);
    excluded.sort_unstable();
    assert_eq!(excluded, ["HTTPRouteCORS", "HTTPRouteSimpleSameNamespace"]);
    let flag = "--skip-tests=HTTPRouteCORS,HTTPRouteMethodMatching,HTTPRouteSimpleSameNamespace";
    assert!(command(&plan).contains(&flag), "{plan}");
    let wrong = folder
        .run(&format!("plan {arguments} --skip-tests HTTPRouteCors"))
        .exits(2);
    assert_eq!(
        wrong.stderr,
        "error: --skip-tests: unknown test `HTTPRouteCors` for v1.5.1; did you mean `HTTPRouteCORS`?\n"
    );
}

#[test]
fn a_suite_that_reads_no_class_stops_at_none() {
    let folder = Folder::new();
    folder.file("empty.yaml", class(&[]));
    folder.file("mesh.yaml", mesh(&["GatewayPort8080"]));
    for release in ["v0.8.1", "v1.0.0", "v1.3.0"] {
        let known = known(release);
        let profile = &known.profiles().next().unwrap().name;
        let arguments = format!("--release {release} --profile {profile} --class empty.yaml");
        let plan = json(&folder, &arguments);
        assert!(!names(&plan["profiles"][0]["core_tests"]).is_empty());
        let note = names(&plan["notes"])[0];
        assert!(
            note.starts_with("this suite does not read the GatewayClass:"),
            "{note}"
        );
    }
    let arguments = "--profile GATEWAY-HTTP --release v1.3.0 --mesh mesh.yaml";
    let plan = json(&folder, arguments);
    insta::assert_snapshot!(command(&plan)[1..4].join("\n"), @r#"
    --gateway-class="$GATEWAY_CLASS"
    --conformance-profiles=GATEWAY-HTTP
    --supported-features=GatewayPort8080
    "#);
    let plan = json(&folder, &format!("{arguments} --supported-features ,"));
    let note = "the XMesh is ignored: this suite reads features only from flags";
    assert_eq!(names(&plan["notes"])[0], note);
}

fn known(release: &str) -> &'static Release {
    let version = Version::parse(release).unwrap();
    Registry::embedded().release(&version).release().unwrap()
}

#[test]
fn an_empty_list_of_unsupported_features_leaves_all() {
    let folder = Folder::new();
    for release in "v0.8.1 v1.0.0 v1.1.0 v1.2.1 v1.3.0 v1.4.1 v1.5.1 v1.6.1".split(' ') {
        let has_method = |profile: &&Profile| profile.is_extended("HTTPRouteMethodMatching");
        let profile = &known(release).profiles().find(has_method).unwrap().name;
        let start = format!("--release {release} --profile {profile}");
        let plan = json(&folder, &format!("{start} --unsupported-features ,"));
        assert_eq!(plan, json(&folder, &format!("{start} --all-features")));
        let profile = &plan["profiles"][0];
        assert!(
            names(&profile["unsupported_features"]).is_empty(),
            "{release}"
        );
        assert!(
            !names(&profile["supported_features"]).is_empty(),
            "{release}"
        );
    }
}

#[test]
fn static_addresses_need_addresses() {
    let folder = Folder::new();
    let run = |release: &str, features: &str| {
        let arguments = "--profile GATEWAY-HTTP --supported-features";
        let plan = json(
            &folder,
            &format!("--release {release} {arguments} {features}"),
        );
        let mut flags = command(&plan);
        flags.retain(|flag| flag.contains("usable-address"));
        let notes = names(&plan["notes"]).join("\n");
        let is_noted = notes.contains("no flags for them: set UsableNetworkAddresses");
        (flags.join(" "), is_noted)
    };
    let flags = "--usable-address=\"$USABLE_ADDRESS\" --unusable-address=\"$UNUSABLE_ADDRESS\"";
    for (release, flags, is_noted) in [
        ("v1.5.1", flags, false),
        ("v1.6.1", flags, false),
        ("v1.3.0", "", true),
        ("v1.4.1", "", true),
    ] {
        assert_eq!(
            run(release, "GatewayStaticAddresses"),
            (flags.to_owned(), is_noted)
        );
        assert_eq!(run(release, "GatewayPort8080"), (String::new(), false));
    }
}

#[test]
fn features_of_other_profiles_are_left_out() {
    let tls = "--profile GATEWAY-TLS --release v1.3.0";
    let all = plan(&format!("{tls} --all-features"));
    assert_eq!(names(&all["uncounted_tests"]), [""; 0]);
    let method = plan(&format!(
        "{tls} --supported-features HTTPRouteMethodMatching"
    ));
    let left_out = "left out, in no profile of the plan: HTTPRouteMethodMatching";
    assert_eq!(names(&method["notes"])[0], left_out);
    lacks(command(&method).join(" "), "HTTPRouteMethodMatching");
    // The suite would infer all features of the class.
    let folder = Folder::new();
    let both = ["HTTPRoute", "HTTPRouteMethodMatching", "TLSRoute"];
    folder.file("class.yaml", class(&both));
    let http = "--profile GATEWAY-HTTP --release v1.6.1 --class class.yaml";
    let inferred = json(&folder, http);
    let features = "--supported-features=HTTPRoute,HTTPRouteMethodMatching";
    assert!(command(&inferred).contains(&features), "{inferred}");
}

fn options(features: Vec<String>) -> impl Strategy<Value = Choice> {
    let list = || sample::subsequence(features.clone(), 0..=features.len().min(12));
    let class = (any::<bool>(), list()).prop_map(|(is_given, names)| {
        let one = Published {
            name: "acme".to_owned(),
            names,
        };
        is_given.then_some(one)
    });
    let list_of = move || prop_oneof![Just(None), list().prop_map(Some)];
    (list_of(), list_of(), list(), any::<bool>(), class).prop_map(
        |(supported, unsupported, exempt, all, class)| Choice {
            supported,
            unsupported,
            exempt,
            all,
            mesh: None,
            class,
        },
    )
}

/// Runs with random options of each release and each of its profiles, alone and with another one.
#[test]
fn no_test_of_another_profile_runs() {
    let mut seen = 0;
    for release in Registry::embedded().releases() {
        let features: Vec<String> = release.features().map(|one| one.name.clone()).collect();
        let profiles: Vec<&Profile> = release.profiles().collect();
        for (at, first) in profiles.iter().enumerate() {
            let second = profiles[(at + 1) % profiles.len()];
            for planned in [vec![*first], vec![*first, second]] {
                let config = Config::with_cases(40);
                let mut runner =
                    TestRunner::new_with_rng(config, TestRng::deterministic_rng(ChaCha));
                let planned_features: BTreeSet<&String> = (planned.iter())
                    .flat_map(|profile| profile.core.iter().chain(&profile.extended))
                    .collect();
                let run = runner.run(&options(features.clone()), |choice| {
                    let request = Request {
                        release,
                        profiles: planned.clone(),
                        choice,
                        skip_provisional: false,
                        skip_tests: Vec::new(),
                    };
                    let Ok(plan) = outlook::plan::plan(Registry::embedded(), &request) else {
                        return Ok(());
                    };
                    for test in &plan.uncounted_tests {
                        let is_planned = planned.iter().any(|profile| {
                            test.features.iter().all(|one| profile.core.contains(one))
                        });
                        prop_assert!(is_planned, "{}: {}", release.version(), test.name);
                    }
                    let command = outlook::plan::command(&plan).unwrap();
                    prop_assert!(!command.contains("--all-features"));
                    for list in command
                        .lines()
                        .filter_map(|line| line.split_once("-features="))
                    {
                        let names = list.1.trim_end_matches(" \\").split(',');
                        for name in names {
                            let is_planned = planned_features.contains(&name.to_owned());
                            prop_assert!(is_planned, "{name}: {command}");
                        }
                    }
                    Ok(())
                });
                run.unwrap_or_else(|error| panic!("{}: {error}", release.version()));
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn an_experimental_feature_runs_with_any_crds() {
    let arguments = "--profile GATEWAY-HTTP --release v1.6.1 --supported-features HTTPRouteRetry";
    let plan = plan(arguments);
    let feature = Registry::embedded().feature("HTTPRouteRetry").unwrap();
    assert_eq!(feature.channel.as_str(), "experimental");
    let note = names(&plan["notes"])[0];
    assert!(
        note.starts_with("in the experimental channel only: HTTPRouteRetry;"),
        "{note}"
    );
    let extended = &plan["profiles"][0]["extended_tests"];
    assert_eq!(names(extended), ["HTTPRouteRetry"]);
}

#[test]
fn json_matches_the_schema() {
    let folder = Folder::new();
    folder.file("class.yaml", class(&["HTTPRouteCORS"]));
    let schema: Value = serde_json::from_str(&folder.run("schema plan").stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for arguments in [
        "--profile GATEWAY-HTTP --all-features",
        "--profile GATEWAY-HTTP --exempt-features ListenerSet",
        "--profile GATEWAY-HTTP --supported-features HTTPRouteCORS",
        "--profile GATEWAY-HTTP --class class.yaml",
    ] {
        let plan = json(&folder, arguments);
        let errors = validator.iter_errors(&plan).map(|error| error.to_string());
        let errors: Vec<_> = errors.collect();
        assert!(errors.is_empty(), "{arguments}: {errors:?}");
    }
}

/// Reports with other numbers than the plan of their release, and the `check` rule that finds this.
///
/// `report/newer-suite`: it was made with a suite newer than its release. `report/suite-facts`: one
/// extended test more or less than its features have.
const OTHER_NUMBERS: &str = "
    v1.0.0/istio-istio/1.20-report.yaml | report/newer-suite
    v1.0.0/kumahq-kuma/2.6.0-report.yaml | report/newer-suite
    v1.1.0/cilium-cilium/experimental-1.16-default-report.yaml | report/newer-suite
    v1.3.0/buoyant-enterprise-for-linkerd/standard-2.18-default-report.yaml | report/newer-suite
    v1.3.0/linkerd-linkerd/standard-2.18-default-report.yaml | report/newer-suite
    v1.3.0/nginx-nginx-gateway-fabric/experimental-2.0.0-default-report.yaml | report/suite-facts
    v1.4.0/airlock-microgateway/experimental-4.8.0-default-report.yaml | report/newer-suite
    v1.5/airlock-microgateway/standard-5.1.0-default-report.yaml | report/suite-facts
    v1.5/gke-gateway/v1.5.0-gke-report.yaml | report/newer-suite
    v1.6/aws-load-balancer-controller/conformance-report.yaml | report/newer-suite
";

fn reports(corpus: &Path) -> Vec<(PathBuf, Yaml)> {
    let tree = corpus.join("gateway-api/conformance/reports");
    let files = yaml_files(&tree).into_iter().filter_map(|path| {
        let report: Yaml = serde_yaml::from_str(&fs::read_to_string(&path).unwrap()).ok()?;
        report.get("profiles").is_some().then_some((path, report))
    });
    files.collect()
}

/// Some reports were written by a serializer without inlining, which writes the level below
/// `status`.
fn level<'y>(profile: &'y Yaml, name: &str) -> Option<&'y Yaml> {
    let level = profile.get(name).filter(|level| !level.is_null())?;
    Some(level.get("status").unwrap_or(level))
}

fn list_of<'y>(level: Option<&'y Yaml>, name: &str) -> Vec<&'y str> {
    let list = level.and_then(|level| level.get(name));
    let list = list.and_then(Yaml::as_sequence);
    list.into_iter()
        .flatten()
        .filter_map(Yaml::as_str)
        .collect()
}

fn total(level: &Yaml) -> u64 {
    let number = |name: &str| level["statistics"].get(name).and_then(Yaml::as_u64);
    let numbers = ["Passed", "Skipped", "Failed", "passed", "skipped", "failed"];
    numbers.into_iter().filter_map(number).sum()
}

#[test]
fn the_plan_made_of_a_report_has_its_numbers() {
    let Some(corpus) = corpus() else {
        return;
    };
    let folder = Folder::new();
    let mut levels = 0;
    let mut other = BTreeSet::new();
    let mut not_planned = 0;
    for (path, report) in reports(&corpus) {
        let release = report["gatewayAPIVersion"].as_str().unwrap_or_default();
        let Some(Match::Exact(known)) =
            Version::parse(release).map(|version| Registry::embedded().release(&version))
        else {
            not_planned += 1;
            continue;
        };
        let profiles = report["profiles"].as_sequence().unwrap();
        let supported: BTreeSet<&str> = profiles
            .iter()
            .flat_map(|profile| list_of(profile.get("extended"), "supportedFeatures"))
            .filter(|feature| known.feature(feature).is_some())
            .collect();
        let names: BTreeSet<&str> = profiles
            .iter()
            .filter_map(|one| one["name"].as_str())
            .collect();
        let arguments = format!(
            "--release {release} --profile {} --supported-features ,{}",
            names.into_iter().collect::<Vec<_>>().join(","),
            supported.into_iter().collect::<Vec<_>>().join(",")
        );
        let output = folder.run(&format!("plan --format json {arguments}"));
        if output.code != 0 {
            not_planned += 1;
            continue;
        }
        let plan: Value = serde_json::from_str(&output.stdout).unwrap();
        let mut named = list_of(Some(&report), "succeededProvisionalTests");
        for profile in profiles {
            for level in ["core", "extended"] {
                named.extend(list_of(profile.get(level), "skippedTests"));
                named.extend(list_of(profile.get(level), "failedTests"));
            }
        }
        for profile in profiles {
            let planned = plan["profiles"].as_array().unwrap().iter();
            let mut planned =
                planned.filter(|one| one["report_name"] == profile["name"].as_str().unwrap());
            let (Some(planned), None) = (planned.next(), planned.next()) else {
                continue;
            };
            for level in ["core", "extended"] {
                let Some(reported) = self::level(profile, level) else {
                    continue;
                };
                let tests = planned[format!("{level}_tests")].as_array().unwrap().iter();
                let counted = tests.filter(|test| {
                    test["provisional"] == false || named.contains(&test["test"].as_str().unwrap())
                });
                levels += 1;
                if counted.count() as u64 != total(reported) {
                    let tree = corpus.join("gateway-api/conformance/reports");
                    other.insert(path.strip_prefix(tree).unwrap().display().to_string());
                }
            }
        }
    }
    let expected = rows(OTHER_NUMBERS)
        .into_iter()
        .map(|[path, _]| path.to_owned());
    assert_eq!(other, expected.collect::<BTreeSet<_>>());
    assert!(levels > 250, "{levels} levels compared");
    assert!(not_planned < 12, "{not_planned} reports without a plan");
}

fn flags(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for (at, _) in text.match_indices("(\"") {
            let before = &text[..at];
            let function = before
                .rsplit(|c: char| !c.is_alphanumeric() && c != '.')
                .next();
            let declares = function
                .is_some_and(|name| name.starts_with("flag.") || name.starts_with("register"));
            let name = text[at + 2..].split('"').next().unwrap();
            if declares {
                found.insert(name.to_owned());
            }
        }
    }
    found
}

#[test]
fn the_suites_are_as_their_sources_say() {
    let Some(sources) = sources_of_releases() else {
        return;
    };
    for entry in fs::read_dir(sources).unwrap() {
        let folder = entry.unwrap().path();
        let tag = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let version = Version::parse(&tag).unwrap();
        let suite = Registry::embedded().suite_of(&version).unwrap();
        assert_eq!(suite.version, version);
        let facts = &suite.facts;
        assert_eq!(
            facts.flags,
            flags(&folder.join("conformance/utils/flags")),
            "{tag}"
        );
        let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap_or_default();
        let tests = ["conformance_test.go", "experimental_conformance_test.go"];
        let tests = tests
            .map(|name| read(&format!("conformance/{name}")))
            .concat();
        assert!(
            tests.contains(&format!("func {}(t *testing.T)", facts.test)),
            "{tag}"
        );
        let utils = "conformance/utils/suite";
        let suite = read(&format!("{utils}/suite.go"));
        assert_eq!(
            facts.infers,
            suite.contains("status.SupportedFeatures")
                || suite.contains("Status.SupportedFeatures"),
            "{tag}"
        );
    }
}

#[test]
fn escapes_values_of_classes() {
    let folder = Folder::new();
    let hostile = "\"\\e[2J$(id)`id` | <b>[x](http://evil.example) \\u202e\"";
    let text = class(&[hostile, "HTTPRouteCORS"]).replace("name: acme", "name: \"$(id)\"");
    folder.file("class.yaml", text);
    let arguments = "plan --profile GATEWAY-HTTP --release v1.6.1 --class class.yaml";
    let output = folder.run(arguments);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let is_hidden = output.stdout.contains(['\u{1b}', '\u{202e}']);
    assert!(!is_hidden, "{}", output.stdout);
    output.stdout_has("--gateway-class='$(id)'");
    let markdown = folder.run(&format!("{arguments} --format markdown")).stdout;
    lacks(&markdown, "[x](http");
    lacks(&markdown, "<b>");
    // A name with invisible characters produces no command.
    let text = class(&["HTTPRouteCORS"]).replace("name: acme", "name: \"a\\u202eb\"");
    folder.file("class.yaml", text);
    let plan = json(&folder, arguments.strip_prefix("plan ").unwrap());
    assert_eq!(plan["command"], Value::Null);
    let many: Vec<String> = (0..20_000).map(|at| format!("Feature{at}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    folder.file("class.yaml", class(&many));
    let output = folder.run(arguments);
    assert!(output.stdout.len() < 20_000, "{}", output.stdout.len());
    output.stdout_has("and 19980 more");
}

#[test]
fn help_lists_the_feature_options() {
    let output = Folder::new().run("help plan");
    for option in [
        "supported-features",
        "unsupported-features",
        "exempt-features",
        "class",
    ] {
        output.stdout_has(&format!("--{option}"));
    }
}
