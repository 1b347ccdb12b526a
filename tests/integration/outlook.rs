//! Tests `gwconform outlook`, which shows how a release affects implementations.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::folder::{ACME_REPORT, Folder, NAME, README, TREE, report};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::{corpus, find, lines, list, text};
use gwconform::outlook::{Coming, NewRun};
use gwconform::workspace::{Options, OutlookRequest, PathBase, Target, Workspace};
use gwconform_base::api::Version;
use gwconform_base::release::{self, Registry, Release};
use gwconform_report::certify::AsOf;
use serde_json::{Value, json};

/// Returns data for v1.99.0, which is based on v1.5.1. It adds and removes a core test and a
/// feature, and adds a test of a claimed feature.
fn facts() -> Value {
    json!({
        "release": "v1.99.0",
        "base": "v1.5.1",
        "features": {
            "GatewayPort8080": null,
            "GRPCRouteRetry": {
                "level": "extended", "channel": "experimental", "resource": "GRPCRoute",
                "meaning": "Sends a failed request again.",
            },
        },
        "profiles": {
            "GATEWAY-GRPC": {"extendedAdded": ["GRPCRouteRetry"], "extendedRemoved": ["GatewayPort8080"]},
            "GATEWAY-HTTP": {"extendedRemoved": ["GatewayPort8080"]},
            "GATEWAY-TLS": {"extendedRemoved": ["GatewayPort8080"]},
        },
        "tests": {
            "GRPCRouteWeight": null,
            "GRPCRouteNew": {"features": ["Gateway", "GRPCRoute"]},
            "GRPCRouteMaybe": {"features": ["Gateway", "GRPCRoute"], "provisional": true},
            "GRPCRouteRetry": {"features": ["Gateway", "GRPCRoute", "GRPCRouteRetry"]},
            "GRPCRouteIsolation": {"features": ["Gateway", "GRPCRoute", "GatewayHTTPListenerIsolation"]},
        },
    })
}

fn put_facts(folder: &Folder, mut facts: Value, date: Option<&str>) {
    if let Some(date) = date {
        facts["date"] = json!(date);
    }
    let base = facts["base"].as_str().unwrap().to_owned();
    let base = exact(Registry::embedded(), &base);
    let tests = facts["tests"].as_object_mut().unwrap();
    for test in base.tests_of("GatewayPort8080") {
        tests.insert(test.name.clone(), Value::Null);
    }
    let release = facts["release"].as_str().unwrap().to_owned();
    folder.file(&format!("facts/{release}.json"), facts.to_string());
}

fn exact<'r>(registry: &'r Registry, version: &str) -> &'r Release {
    let version = Version::parse(version).unwrap();
    let release = registry.release(&version).release().unwrap();
    assert_eq!(*release.version(), version);
    release
}

fn claiming(skipped: &[&str]) -> ReportBuilder {
    let count = u32::try_from(skipped.len()).unwrap();
    let core = match count {
        0 => Level::success(13),
        _ => Level::partial(13 - count, skipped),
    };
    let extended = Level::success(3)
        .supported(&["GatewayHTTPListenerIsolation", "GatewayPort8080"])
        .unsupported(&["GatewayStaticAddresses"]);
    let profile = Profile::new("GATEWAY-GRPC").core(core).extended(extended);
    ReportBuilder::new().profiles([profile.summarized()])
}

fn tree(report: impl AsRef<[u8]>) -> Folder {
    let folder = Folder::with_tree();
    folder.file(ACME_REPORT, report);
    folder
}

#[test]
fn prints_the_outlook_of_one_report() {
    let folder = tree(claiming(&["GRPCRouteHeaderMatching"]).build());
    put_facts(&folder, facts(), None);
    let command = format!("outlook {ACME_REPORT} --registry facts --release v1.99");
    let output = folder.ok(&command);
    assert_eq!(output.stderr, "");
    insta::assert_snapshot!("outlook_of_a_report", output.stdout);
    let output = folder.run(&format!("{command}.0 --format markdown"));
    insta::assert_snapshot!("outlook_of_a_report_markdown", output.stdout);
    let json = folder.json(&command);
    let of_tree = folder.json("outlook --release v1.99 --registry facts acme/operator");
    let run = |json: &Value| json["implementations"][0]["families"][0]["run"].clone();
    assert_eq!(run(&json), run(&of_tree));
    assert_eq!(json["released"], false);
    assert_eq!(of_tree["newest_minor"], "v1.6");
}

#[test]
fn prints_a_line_for_each_implementation() {
    let folder = tree(claiming(&[]).build());
    let partial = claiming(&["GRPCRouteHeaderMatching"]).organization("umbrella");
    folder.put(&partial);
    folder.file(&format!("{TREE}/v1.5/umbrella-operator/README.md"), README);
    let old = report()
        .replace("v1.5.1", "v1.1.0")
        .replace("organization: acme", "organization: old");
    folder.file(&format!("{TREE}/v1.1.0/old-operator/{NAME}"), old);
    put_facts(&folder, facts(), Some("2031-02-03"));
    let output = folder.run("outlook --release v1.99 --registry facts");
    insta::assert_snapshot!("outlook_of_a_tree", output.stdout);
    let output = folder.run(
        "outlook conformance/reports --release v1.99 --registry facts --format markdown --all",
    );
    insta::assert_snapshot!("outlook_of_a_tree_markdown", output.stdout);
}

#[test]
fn rejects_unknown_releases() {
    let folder = Folder::with_tree();
    for text in "v1.99,v1.99.0,v1.5.2,v0.7,x,,v1.5\u{1b}[2J".split(',') {
        let arguments = ["outlook", "--release", text].map(str::to_owned);
        let output = crate::support::run(folder.path(), &arguments);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{text}");
        output.stderr_has("v1.5, v1.6");
        output.stderr_has("`gwconform registry import`");
        assert!(!output.stderr.contains('\u{1b}'), "{output:?}");
    }
    let newest_of =
        |text: &str| folder.json(&format!("outlook --release {text}"))["release"].clone();
    assert_eq!(newest_of("v1.5"), "v1.5.1");
    assert_eq!(newest_of("1.5"), "v1.5.1");
    assert_eq!(newest_of("v1.5.0"), "v1.5.0");
    for wrong in [
        "outlook --release v1.6 nobody",
        "outlook --release v1.6 nowhere",
        "outlook --release v1.6 conformance/reports/README.md",
    ] {
        let output = folder.run(wrong);
        assert!([2, 3].contains(&output.code), "{wrong}: {output:?}");
        assert_eq!(output.stdout, "", "{wrong}");
    }
}

#[test]
fn exit_code_reports_drops() {
    let folder = Folder::with_tree();
    put_facts(&folder, facts(), None);
    let policy = "[policy]\npartially-conformant-minors = 200\n";
    folder.file("three.toml", policy);
    for (arguments, code) in [
        ("v1.6 --fail-on partially-conformant", 0),
        ("v1.99", 0),
        ("v1.99 --fail-on never", 0),
        ("v1.99 --fail-on not-current", 1),
        ("v1.99 --fail-on partially-conformant", 1),
        ("v1.99 --config three.toml --fail-on not-current", 0),
        (
            "v1.99 --config three.toml --fail-on partially-conformant",
            1,
        ),
    ] {
        let command = format!("outlook --registry facts --release {arguments}");
        folder.run(&command).exits(code);
    }
}

#[test]
fn unreleased_versions_expire_no_verdict() {
    let folder = tree(claiming(&[]).build());
    put_facts(&folder, facts(), None);
    folder.file(
        "rc/v1.99.0-rc.1.json",
        json!({"release": "v1.99.0-rc.1", "date": "2031-02-03", "base": "v1.6.0"}).to_string(),
    );
    for command in [
        "certify --all",
        "certify --all --format json",
        "certify --format markdown",
        "check",
        "check --strict --format json",
        "badge acme/operator",
        "features",
        "tests --format json",
    ] {
        let plain = folder.run(command);
        for registry in ["facts", "rc"] {
            let with = folder.run(&format!("{command} --registry {registry}"));
            assert_eq!(with, plain, "{command}");
        }
    }
    let early = report().replace("gatewayAPIVersion: v1.5.1", "gatewayAPIVersion: v1.99.0");
    let early = early.replace("organization: acme", "organization: early");
    folder.file(&format!("{TREE}/v1.99/early-operator/{NAME}"), early);
    let newest =
        |registry: &str| folder.json(&format!("certify{registry}"))["newest_minor"].clone();
    assert_eq!(newest(" --registry facts"), "v1.6");
    assert_eq!(newest(" --registry rc"), "v1.6");
    assert_eq!(newest(""), "v1.6");
}

#[test]
fn unreleased_facts_replace_no_other_release() {
    let files = |date: &str| {
        let text = format!("{{\"release\": \"v1.8.0\", {date} \"base\": \"v1.6.0\"}}");
        Registry::with_files(&[("v1.8.0.json".to_owned(), text)]).unwrap()
    };
    let found = |registry: &Registry, version: &str| {
        let version = Version::parse(version).unwrap();
        let name = match registry.release(&version) {
            release::Match::Exact(_) => "exact",
            release::Match::NearestLowerPatch(_) => "near",
            release::Match::NewerThanKnown => "newer",
            release::Match::Unknown => "unknown",
        };
        name.to_owned()
    };
    let embedded = Registry::embedded();
    let (out, not_out) = (files("\"date\": \"2031-02-03\","), files(""));
    let newest = |registry: &Registry| registry.newest().map(Release::version).cloned();
    assert_eq!(newest(&not_out), newest(embedded));
    assert_eq!(not_out.upcoming().unwrap().version().to_string(), "v1.8.0");
    assert!(out.upcoming().is_none() && embedded.upcoming().is_none());
    for version in [
        "v1.8.1",
        "v1.8.0-rc.1",
        "v1.98.0",
        "v2.0.0",
        "v1.6.5",
        "v1.6.0-rc.1",
        "v0.6.0",
    ] {
        let expected = found(embedded, version);
        assert_eq!(found(&not_out, version), expected, "{version}");
    }
    assert_eq!(found(&not_out, "v1.8.0"), "exact");
    assert_eq!(found(&out, "v1.8.1"), "near");
    assert_eq!(found(&not_out, "v1.8.1"), "newer");
    let wrong = ["v1.8.0.json", "{\"release\": \"v1.8.0\", \"date\": 7}"];
    let wrong = Registry::with_files(&[wrong.map(str::to_owned).into()]);
    assert_eq!(wrong.unwrap_err().len(), 1);
}

#[test]
fn names_and_profiles_of_old_releases_are_followed() {
    let folder = Folder::new();
    let old = "\
apiVersion: gateway.networking.k8s.io/v1alpha1
date: \"2024-03-01T10:15:30Z\"
gatewayAPIVersion: v1.0.0
implementation: {contact: ['@acme/maintainers'], organization: acme, project: operator, url: https://acme.example, version: v2.14.0}
kind: ConformanceReport
profiles:
- core: {result: success, statistics: {Failed: 0, Passed: 29, Skipped: 0}, summary: \"\"}
  extended:
    result: success
    statistics: {Failed: 0, Passed: 1, Skipped: 0}
    summary: \"\"
    supportedFeatures: [HTTPResponseHeaderModification]
    unsupportedFeatures: [HTTPRouteQueryParamMatching]
  name: HTTP
";
    folder.file("a.yaml", old);
    let json = folder.json("outlook a.yaml --release v1.6");
    let run = &json["implementations"][0]["families"][0]["run"];
    let profile = &run["profiles"][0];
    assert_eq!(profile["profile"], "HTTP");
    assert_eq!(profile["profiles_in_release"], json!(["GATEWAY-HTTP"]));
    let renamed = lines(&run["renamed"], "{kind} {new}");
    for one in [
        "profile GATEWAY-HTTP",
        "test HTTPRouteExactPathMatching",
        "feature HTTPRouteResponseHeaderModification",
    ] {
        assert!(renamed.contains(&one.to_owned()), "{run:#}");
    }
    let flag = |name: &str| &find(&run["flags"], "flag", name)["names"];
    assert_eq!(*flag("conformance-profiles"), json!(["GATEWAY-HTTP"]));
    let supported = json!(["HTTPRouteResponseHeaderModification"]);
    assert_eq!(*flag("supported-features"), supported);
    let exempt: Vec<_> = list(flag("exempt-features")).iter().map(text).collect();
    assert!(exempt.contains(&"HTTPRouteQueryParamMatching") && exempt.contains(&"HTTPRouteCORS"));
    assert!(!exempt.contains(&"HTTPRouteResponseHeaderModification"));
}

#[test]
fn tests_that_ran_after_the_report_have_to_be_seen() {
    let http = |release: &str| {
        let profile = Profile::new("GATEWAY-HTTP").core(Level::success(37));
        ReportBuilder::new()
            .release(release)
            .profiles([profile])
            .build()
    };
    let folder = Folder::new();
    let unknown = |release: &str, target: &str| {
        folder.file("a.yaml", http(release));
        let json = folder.json(&format!("outlook a.yaml --release {target}"));
        let profile = &json["implementations"][0]["families"][0]["run"]["profiles"][0];
        profile["not_seen_tests"].as_array().unwrap().len()
    };
    // 10 of the 36 parallel tests of v1.6.1 are core tests of GATEWAY-HTTP.
    assert_eq!(unknown("v1.6.1", "v1.6.2"), 10);
    assert_eq!(unknown("v1.6.0", "v1.6.1"), 0);
    assert_eq!(unknown("v1.5.1", "v1.6.2"), 0);
}

#[test]
fn a_family_has_the_names_of_its_own_profiles() {
    let features = &["GatewayPort8080"];
    let grpc = Profile::grpc().extended(Level::success(1).supported(features));
    let mesh = Profile::new("MESH-GRPC").core(Level::success(2));
    let folder = tree(ReportBuilder::new().profiles([grpc, mesh]).build());
    put_facts(&folder, facts(), None);
    let json = folder.json("outlook --release v1.99 --registry facts");
    let families = json["implementations"][0]["families"].as_array().unwrap();
    let of = |family: &Value| {
        let run = &family["run"];
        [&run["removed_features"], &run["features_to_decide"]]
            .map(|list| list.as_array().unwrap().len())
    };
    let found: Vec<_> = families.iter().map(of).collect();
    assert_eq!(found, [[1, 1], [0, 0]], "{json:#}");
    assert_eq!(families[0]["run"]["flags"], families[1]["run"]["flags"]);
}

#[test]
fn escapes_hostile_names() {
    let evil = "\u{1b}[2J\u{202e}<b>|`x`](y)\\n$(id)";
    let quoted = serde_json::to_string(evil).unwrap();
    let extended = Level::success(1)
        .supported(&["EVIL", "GatewayHTTPListenerIsolation"])
        .unsupported(&["GatewayHTTPListenerIsolation"]);
    let core = Level::result("failure")
        .counts(11, 1, 1)
        .failed(&["EVIL"])
        .skipped(&["GRPCRouteWeight"]);
    let profiles = ["GATEWAY-GRPC", "GATEWAY-GRPC", "EVIL"].map(|name| {
        Profile::new(name)
            .core(core.clone())
            .extended(extended.clone())
    });
    let report = ReportBuilder::new().organization("EVIL").project("EVIL");
    let report = report.version("EVIL").profiles(profiles).build();
    let folder = tree(report.replace("EVIL", &quoted));
    put_facts(&folder, facts(), None);
    for arguments in [
        "--all",
        "--all --format markdown",
        "conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml",
        "conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml --format markdown",
    ] {
        let output = folder.ok(&format!(
            "outlook --release v1.99 --registry facts {arguments}"
        ));
        let shown = output.stdout;
        assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown}");
        assert!(shown.replace('\\', "").contains("u{1b}"), "{shown}");
        if arguments.ends_with("markdown") {
            assert!(!shown.contains("<b>") && !shown.contains("](y)"), "{shown}");
        }
        let flags = shown.lines().filter(|line| line.contains("-features="));
        assert!(flags.clone().all(|line| !line.contains("id")), "{shown}");
    }
    let json = folder.json("outlook --release v1.99 --registry facts");
    let run = &json["implementations"][0]["families"][0]["run"];
    assert_eq!(run["profiles"].as_array().unwrap().len(), 1, "{run:#}");
}

fn core_set<'r>(
    release: &'r Release,
    profile: &release::Profile,
    ran: &BTreeSet<&str>,
) -> BTreeSet<&'r str> {
    let members = release.members(profile).iter();
    let counted = members.filter(|member| {
        member.level == gwconform_base::api::Level::Core
            && (!member.test.provisional || ran.contains(member.test.name.as_str()))
    });
    counted.map(|member| member.test.name.as_str()).collect()
}

#[test]
fn predicts_the_core_tests_of_the_next_report() {
    let Some(corpus) = corpus() else { return };
    let options = Options {
        target: Target::Paths(vec!["conformance/reports".into()]),
        ..Options::default()
    };
    let workspace = Workspace::open(corpus.join("gateway-api").as_path(), options).unwrap();
    let registry = workspace.registry();
    let tree = workspace
        .certify(PathBase::Tree, &|_| {})
        .unwrap()
        .whole()
        .unwrap();
    let catalog = tree.catalog();
    let (mut pairs, mut by_total, mut odd) = (0, 0, Vec::new());
    for one in &catalog.implementations {
        for later in &one.reports {
            let facts = later.judged.facts;
            let Some(version) = &facts.release.version else {
                continue;
            };
            let release::Match::Exact(release) = registry.release(version) else {
                continue;
            };
            let named = facts.profiles.iter().flat_map(|profile| profile.levels());
            let named = named.flat_map(|(_, level)| level.named_tests());
            let ran: BTreeSet<&str> = named
                .chain(&facts.succeeded_provisional)
                .map(AsRef::as_ref)
                .collect();
            let earlier = one
                .reports
                .iter()
                .filter(|report| report.judged.minor() < later.judged.minor());
            for base in earlier {
                let request = OutlookRequest {
                    coming: Coming::Release(release),
                    registry,
                    as_of: AsOf::default(),
                };
                let Ok(outlook) = workspace.outlook_of_report(base.judged.facts.clone(), request)
                else {
                    continue;
                };
                let runs = outlook
                    .families()
                    .filter_map(|(_, family)| family.run.as_ref());
                for run in runs.filter(|run| run.last.facts.is_some()) {
                    let base_facts = base.judged.facts;
                    compare(
                        run,
                        release,
                        facts,
                        base_facts,
                        &ran,
                        &mut (&mut pairs, &mut by_total, &mut odd),
                    );
                }
            }
        }
    }
    odd.sort();
    odd.dedup();
    assert!(pairs > 1300 && by_total > 1300, "{pairs} {by_total}");
    assert_eq!(
        odd,
        [
            "v1.5/gke-gateway/v1.5.0-gke-report.yaml GATEWAY-HTTP",
            "v1.6/aws-load-balancer-controller/conformance-report.yaml GATEWAY-HTTP",
        ]
    );
}

type Counters<'c> = (&'c mut usize, &'c mut usize, &'c mut Vec<String>);

fn compare(
    run: &NewRun<'_>,
    release: &Release,
    later: &gwconform_report::report::facts::ReportFacts,
    base: &gwconform_report::report::facts::ReportFacts,
    ran: &BTreeSet<&str>,
    (pairs, by_total, odd): &mut Counters<'_>,
) {
    let base_release = run.last.facts.unwrap();
    let renames: BTreeMap<&str, &str> = run
        .renamed
        .iter()
        .map(|one| (one.old.as_str(), one.new))
        .collect();
    for profile in &run.profiles {
        let [now] = profile.profiles_in_release[..] else {
            continue;
        };
        let Some(reported) = later.profiles.iter().find(|one| one.name_or_empty() == now) else {
            continue;
        };
        let of_base = base
            .profiles
            .iter()
            .find(|one| one.name_or_empty() == profile.profile)
            .unwrap();
        let total = |one: &gwconform_report::report::facts::Profile| {
            one.core.as_ref().map_or(0, |core| core.total())
        };
        let named = base
            .profiles
            .iter()
            .flat_map(|profile| profile.levels())
            .flat_map(|(_, level)| level.named_tests());
        let ran_before: BTreeSet<&str> = named
            .chain(&base.succeeded_provisional)
            .map(AsRef::as_ref)
            .collect();
        // The suite of v1.1 wrote two profiles under one name, so only totals are comparable.
        let same_name = base_release.profile(&profile.profile).unwrap();
        let before = core_set(base_release, same_name, &ran_before);
        let truth = core_set(release, release.profile(now).unwrap(), ran);
        **pairs += 1;
        let new: BTreeSet<&str> = profile
            .new_core_tests
            .iter()
            .filter(|new| !new.provisional || ran.contains(new.test))
            .map(|new| new.test)
            .collect();
        let gone: BTreeSet<&str> = profile.removed_core_tests.iter().copied().collect();
        if before.len() == profile.core_test_count {
            let kept = before.iter().filter(|test| !gone.contains(*test));
            let kept = kept.map(|test| renames.get(test).copied().unwrap_or(test));
            let predicted: BTreeSet<&str> = kept.chain(new.iter().copied()).collect();
            assert_eq!(predicted, truth, "{} and {}: {now}", base.path, later.path);
            assert!(
                new.iter().all(|test| !before.contains(test)),
                "{}",
                base.path
            );
        }
        if profile.core_test_count as u64 != total(of_base) {
            odd.push(format!("{} {}", base.path, profile.profile));
            continue;
        }
        if total(reported) != truth.len() as u64 {
            odd.push(format!("{} {now}", later.path));
            continue;
        }
        let predicted = total(of_base) + new.len() as u64 - gone.len() as u64;
        assert_eq!(
            predicted,
            total(reported),
            "{} and {}: {now}",
            base.path,
            later.path
        );
        **by_total += 1;
    }
}
