//! Covers suite tests that had not finished when the report was written: feature states, the note
//! on the report, and support by release.

use std::collections::BTreeMap;

use crate::support::folder::{Folder, TREE};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::{find, has, lacks, lines, list, text};
use gwconform_base::api::NameKind;
use gwconform_base::release::Registry;
use gwconform_base::text::source::Source;
use gwconform_report::certify::AsOf;
use gwconform_report::certify::catalog::{Catalog, Parts, Results, State, StateKind, UnseenTests};
use gwconform_report::report::suite;
use gwconform_report::rules::check::{CheckReport, Placement, Settings, check_lone};
use gwconform_report::rules::configuration::Config;
use gwconform_report::tree::Submission;
use gwconform_report::tree::load::Loaded;
use serde_json::Value;

const FEATURES: [&str; 4] = [
    "BackendTLSPolicy",
    "GatewayInfrastructurePropagation",
    "HTTPRouteCORS",
    "ListenerSet",
];

/// Builds a report whose counts are high enough that no test is missing in any release.
fn report(release: &str) -> ReportBuilder {
    let (core, extended) = counts(release);
    let http = Profile::new("GATEWAY-HTTP")
        .core(Level::success(core))
        .extended(Level::success(extended).supported(&FEATURES))
        .summarized();
    ReportBuilder::new()
        .release(release)
        .provisional(&["GatewayInfrastructure"])
        .profiles([http])
}

/// Returns core and extended counts. Unknown patches use the counts of another patch.
fn counts(release: &str) -> (u32, u32) {
    let releases = Registry::embedded().releases().iter().rev();
    let minor = &release[..4];
    let own = (releases.clone()).find(|one| one.version().to_string() == release);
    let newest = Registry::embedded().newest();
    let mut of_minor = releases.filter(|one| one.version().minor().to_string() == minor);
    let near = || of_minor.next().or(newest);
    let ran = suite::Ran {
        supported: FEATURES.into(),
        provisional: ["GatewayInfrastructure"].into(),
    };
    let expected = suite::expected(own.or_else(near).unwrap(), "GATEWAY-HTTP", &ran);
    let levels = [&expected[0].core, &expected[0].extended];
    levels.map(|tests| tests.len() as u32).into()
}

fn ask<T>(text: String, registry: &Registry, answer: impl Fn(&Catalog<'_>) -> T) -> T {
    let (settings, config) = (Settings::default(), Config::default());
    let name = "a.yaml".to_owned();
    let source = Source::new(name.clone(), text.into_bytes());
    let loaded = vec![Loaded::Report { source, name }];
    let submission = Submission::default();
    let outcome: CheckReport =
        check_lone(&submission, Placement::Alone, loaded, &settings, registry);
    let catalog = Catalog::new(Parts {
        outcome: &outcome,
        registry,
        config: &config,
        as_of: AsOf::default(),
        details: &[],
    });
    answer(&catalog)
}

fn states_with(text: String, registry: &Registry, names: &[&str]) -> Vec<State> {
    ask(text, registry, |catalog| {
        let (_, report) = catalog.reports().next().unwrap();
        let profiles = catalog.proofs.features(report.judged.facts);
        let states = names.iter().map(|name| profiles[0].state(name).clone());
        states.collect()
    })
}

fn states(text: String, names: &[&str]) -> Vec<State> {
    states_with(text, Registry::embedded(), names)
}

fn unseen(text: String) -> Option<UnseenTests> {
    ask(text, Registry::embedded(), |catalog| {
        let (_, report) = catalog.reports().next().unwrap();
        catalog.proofs.unseen(report.judged.facts)
    })
}

#[test]
fn a_test_that_had_not_ended_proves_nothing() {
    let expected = [
        State::NotSeen { tests: 5 },
        State::NotSeen { tests: 1 },
        State::Proved { tests: 1 },
        State::PartlySeen {
            tests: 12,
            unseen: 9,
        },
    ];
    for release in ["v1.6.0", "v1.6.1"] {
        assert_eq!(states(report(release).build(), &FEATURES), expected);
    }
    let core = states(report("v1.6.1").build(), &["Gateway", "HTTPRoute"]);
    let kinds: Vec<_> = core.iter().map(State::kind).collect();
    assert_eq!(kinds, [StateKind::PartlySeen, StateKind::Proved]);
    // A provisional test that the report does not name did not run.
    let silent = report("v1.6.1").provisional(&[]).build();
    let states = states(silent, &["GatewayInfrastructurePropagation"]);
    assert_eq!(states[0].kind(), StateKind::NoTest);
}

#[test]
fn the_suites_of_other_releases_see_all_results() {
    for release in ["v1.6.2", "v1.5.1", "v1.5.0"] {
        let all = states(report(release).build(), &["BackendTLSPolicy", "Gateway"]);
        for state in all {
            assert_eq!(state.kind(), StateKind::Proved, "{release}");
        }
        assert_eq!(unseen(report(release).build()), None);
    }
}

#[test]
fn a_skip_or_a_failure_is_seen() {
    let skips = Level::result("partial")
        .counts(39, 1, 0)
        .skipped(&["BackendTLSPolicyConflictResolution"]);
    let http = Profile::new("GATEWAY-HTTP")
        .core(Level::success(37))
        .extended(skips.supported(&FEATURES));
    let text = report("v1.6.1").profiles([http]).build();
    let all = unseen(report("v1.6.1").build()).unwrap();
    let without = unseen(text.clone()).unwrap();
    assert_eq!((without.count, without.of), (all.count - 1, all.of));
    let state = &states(text, &["BackendTLSPolicy"])[0];
    assert_eq!(state.kind(), StateKind::Skipped);
    // The suite of a coming release has tests that no release data contains.
    let skips = Level::result("partial")
        .counts(37, 1, 0)
        .skipped(&["ComingTest"]);
    let http = Profile::new("GATEWAY-HTTP")
        .core(skips)
        .extended(Level::success(40).supported(&FEATURES));
    let coming = unseen(report("v1.6.1").profiles([http]).build()).unwrap();
    assert_eq!((coming.count, coming.of), (all.count, all.of + 1));
}

#[test]
fn results_of_an_unknown_patch_are_uncertain() {
    for release in ["v1.6.3", "v1.6.5"] {
        let states = states(report(release).build(), &FEATURES);
        let expected = [
            State::MaybeNotSeen {
                tests: 5,
                unseen: 5,
            },
            State::MaybeNotSeen {
                tests: 1,
                unseen: 1,
            },
            // No known patch of v1.6 hides the results of its tests.
            State::Proved { tests: 1 },
            State::MaybeNotSeen {
                tests: 12,
                unseen: 9,
            },
        ];
        assert_eq!(states, expected);
        assert_eq!(states[0].kind(), StateKind::Claimed);
        let unseen = unseen(report(release).build()).unwrap();
        assert_eq!(unseen.visibility, Results::NotKnown);
    }
    // All known patches of v1.5 show the results of their tests.
    let states = states(report("v1.5.2").build(), &["BackendTLSPolicy"]);
    assert_eq!(states[0].kind(), StateKind::Proved);
    assert_eq!(unseen(report("v1.5.2").build()), None);
}

fn with_removed() -> (String, String) {
    let facts = r#"{
        "release": "v1.99.0",
        "date": "2030-01-01",
        "base": "v1.6.2",
        "features": {"HTTPRouteRetry": null, "HTTPRouteRetryBackendTimeout": null},
        "profiles": {"GATEWAY-HTTP": {
            "extendedRemoved": ["HTTPRouteRetry", "HTTPRouteRetryBackendTimeout"]
        }},
        "tests": {"HTTPRouteRetry": null}
    }"#;
    ("v1.99.0.json".to_owned(), facts.to_owned())
}

#[test]
fn a_feature_that_later_releases_lack_has_an_end() {
    let embedded = Registry::embedded();
    let lifetime = |registry: &Registry, name| registry.lifetime(NameKind::Feature, name);
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(lifetime(embedded, "HTTPRouteRetry"), text("since v1.6.0"));
    let cors = text("since v1.4.0, standard since v1.5.0");
    assert_eq!(lifetime(embedded, "HTTPRouteCORS"), cors);
    assert_eq!(lifetime(embedded, "HTTPRouteTeleport"), None);
    let newer = Registry::with_files(&[with_removed()]).unwrap();
    let removed = text("v1.6 only, removed in v1.99");
    assert_eq!(lifetime(&newer, "HTTPRouteRetry"), removed);
    assert_eq!(lifetime(&newer, "HTTPRouteCORS"), cors);
    let until = newer.until_in_short(NameKind::Feature, "HTTPRouteRetry");
    assert_eq!(until, text("v1.6"));
    let patch = r#"{
        "release": "v1.6.3",
        "date": "2030-01-01",
        "base": "v1.6.2",
        "features": {"HTTPRouteRetryBackendTimeout": null},
        "profiles": {"GATEWAY-HTTP": {"extendedRemoved": ["HTTPRouteRetryBackendTimeout"]}}
    }"#;
    let files = [("v1.6.3.json".to_owned(), patch.to_owned())];
    let patched = Registry::with_files(&files).unwrap();
    let lifetime = lifetime(&patched, "HTTPRouteRetryBackendTimeout");
    assert_eq!(lifetime, text("v1.6.0 to v1.6.2, removed in v1.6.3"));
}

fn tree(releases: &[&str]) -> Folder {
    let folder = Folder::new();
    for (at, release) in releases.iter().enumerate() {
        folder.put(&report(release).version(&format!("v{}.0.0", at + 1)));
    }
    folder
}

#[test]
fn a_report_has_one_note() {
    let grpc = Profile::grpc().core(Level::success(15));
    let http = Profile::new("GATEWAY-HTTP").core(Level::success(37));
    let folder = tree(&["v1.6.1"]);
    folder.put(&report("v1.6.1").version("v1.0.0").profiles([grpc, http]));
    let human = folder.run("certify --all").stdout;
    let note = "results of 10 of the report's 41 tests unknown*";
    assert_eq!(human.matches(note).count(), 1, "{human}");
    assert_eq!(human.matches("unknown").count(), 1, "{human}");
    let markdown = folder.run("certify --format markdown").stdout;
    let note = "results of 10 of the report's 41 tests unknown: the report was written before they finished";
    assert_eq!(markdown.matches(note).count(), 1, "{markdown}");
    let json = folder.json("certify");
    let unseen = &json["implementations"][0]["reports"][0]["unseen_tests"];
    let expected = serde_json::json!({"count": 10, "of": 41, "visibility": "not-seen"});
    assert_eq!(*unseen, expected);
}

#[test]
fn only_reports_of_releases_whose_facts_say_so_have_the_note() {
    let folder = tree(&["v1.5.1", "v1.6.1", "v1.6.2", "v1.6.5"]);
    let json = folder.json("certify");
    let reports = list(&json["implementations"][0]["reports"]).iter();
    let result = |report: &Value| {
        let visibility = report["unseen_tests"]["visibility"].as_str();
        format!("{} {visibility:?}", text(&report["release"]))
    };
    insta::assert_snapshot!(reports.map(result).collect::<Vec<_>>().join("\n"), @r#"
    v1.5.1 None
    v1.6.1 Some("not-seen")
    v1.6.2 None
    v1.6.5 Some("not-known")
    "#);
    let human = tree(&["v1.6.5"]).run("certify --all").stdout;
    has(&human, "tests may be unknown**");
    lacks(&human, "not seen");
}

fn read_json(folder: &Folder, path: &str) -> Value {
    serde_json::from_str(&folder.read(&format!("site/{path}"))).unwrap()
}

fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn counted(matrix: &Value) -> Vec<BTreeMap<String, usize>> {
    let mut columns = vec![BTreeMap::new(); list(&matrix["reports"]).len()];
    for feature in list(&matrix["features"]) {
        for (column, cell) in columns.iter_mut().zip(list(&feature["cells"])) {
            *column.entry(text(&cell["state"]).to_owned()).or_default() += 1;
        }
    }
    columns
}

#[test]
fn all_parts_of_the_site_agree_on_what_was_seen() {
    let folder = tree(&["v1.6.0", "v1.6.1", "v1.6.2", "v1.6.5"]);
    folder.site("");
    let matrix = read_json(&folder, "api/v1/matrix/v1.6/GATEWAY-HTTP.json");
    let columns = counted(&matrix);
    let kinds = |at: usize| {
        ["proved", "partly-seen", "not-seen", "claimed"]
            .map(|kind| columns[at].get(kind).copied().unwrap_or_default())
    };
    // v1.6.2 shows the results that earlier releases hide. For later releases they are only
    // claimed.
    let [proved, partly, not_seen, claimed] = kinds(1);
    assert_eq!((partly, not_seen, claimed), (3, 2, 0));
    assert_eq!(kinds(0), kinds(1));
    assert_eq!(kinds(2), [proved + partly + not_seen, 0, 0, 0]);
    assert_eq!(kinds(3), [proved, 0, 0, partly + not_seen]);

    for (column, states) in list(&matrix["reports"]).iter().zip(&columns) {
        let totals = column["totals"].as_object().unwrap().iter();
        let is_sum = |name: &String| ["cells", "supported"].contains(&name.as_str());
        for (name, total) in totals.filter(|(name, _)| !is_sum(name)) {
            let state = name.replace('_', "-");
            let expected = states.get(&state).copied().unwrap_or_default();
            assert_eq!(count(total), expected, "{name}");
        }
    }

    let support = read_json(&folder, "api/v1/support.json");
    for (report, states) in list(&support["reports"]).iter().zip(&columns) {
        let listed = report["profiles"][0]["states"].as_object().unwrap();
        for state in ["proved", "partly-seen", "not-seen", "claimed"] {
            let listed = listed
                .get(state)
                .and_then(Value::as_array)
                .map_or(0, Vec::len);
            let expected = states.get(state).copied().unwrap_or_default();
            assert_eq!(listed, expected, "{state}");
        }
    }

    let features = read_json(&folder, "api/v1/features.json");
    let of = |name: &str| &find(&features["features"], "feature", name)["totals"];
    let policy = of("BackendTLSPolicy");
    let totals = ["supported", "proved", "partly_seen", "not_seen", "claimed"];
    assert_eq!(totals.map(|name| count(&policy[name])), [4, 1, 0, 2, 1]);
    let cors = of("HTTPRouteCORS");
    assert_eq!(totals.map(|name| count(&cors[name])), [4, 4, 0, 0, 0]);
}

#[test]
fn pages_do_not_call_proved_what_was_not_seen() {
    let folder = tree(&["v1.6.1"]);
    folder.site("");
    let matrix = read_json(&folder, "api/v1/matrix/v1.6/GATEWAY-HTTP.json");
    let page = folder.read("site/matrix/v1.6/GATEWAY-HTTP/index.html");
    for feature in list(&matrix["features"]) {
        let cell = &feature["cells"][0];
        let (state, text) = (text(&cell["state"]), text(&cell["text"]));
        let class = match state {
            "partly-seen" => "partly",
            "not-seen" => "unseen",
            _ => continue,
        };
        lacks(text, "passed");
        lacks(text, "proved");
        let cell = format!("<td class=\"m p {class}\" title=\"{text}\">");
        assert!(page.contains(&cell), "{cell}");
    }
    let report = "implementations/acme/operator/v1.6.1/standard-v1-0-0-default/index.html";
    let note = "This v1.6.1 report was written before 25 of its 56 tests finished";
    for page in [report, "implementations/acme/operator/index.html"] {
        let text = folder.read(&format!("site/{page}"));
        assert_eq!(text.matches(note).count(), 1, "{page}");
    }
    let feature = folder.read("site/features/BackendTLSPolicy/index.html");
    has(&feature, "1 without proof");
    has(&feature, "yes, result not seen");
    let cell = "supported; its 5 tests had not finished when the report was written";
    has(&feature, cell);
}

#[test]
fn a_test_that_was_not_seen_does_not_now_pass() {
    let (core, extended) = counts("v1.5.1");
    let skips = Level::result("partial").counts(extended - 1, 1, 0);
    let http = Profile::new("GATEWAY-HTTP")
        .core(Level::success(core))
        .extended(skips.skipped(&["BackendTLSPolicy"]).supported(&FEATURES))
        .summarized();
    for (release, text) in [
        ("v1.6.1", "result not seen (was skipped)"),
        ("v1.6.2", "now passes (was skipped)"),
        ("v1.6.5", "no longer skipped"),
    ] {
        let folder = tree(&["v1.5.1", release]);
        folder.put(&report("v1.5.1").version("v1.0.0").profiles([http.clone()]));
        folder.site("");
        let changes = folder.read("site/implementations/acme/operator/changes/index.html");
        has(changes, &format!("BackendTLSPolicy</a>: {text}"));
    }
}

#[test]
fn pages_state_the_last_release_of_removed_features() {
    let folder = Folder::new();
    let (name, facts) = with_removed();
    let retry = |release: &str, level: Level| {
        let http = Profile::new("GATEWAY-HTTP")
            .core(Level::success(37))
            .extended(level);
        report(release).profiles([http])
    };
    let claims = Level::success(1).supported(&["HTTPRouteRetry"]);
    let cors = Level::success(2).supported(&["HTTPRouteCORS"]);
    folder.file(&format!("facts/{name}"), facts);
    folder.put(&retry("v1.6.2", claims.clone()));
    folder.put(&retry("v1.99.0", cors));
    let umbrella = retry("v1.99.0", claims).build().replace("acme", "umbrella");
    let path = format!("{TREE}/v1.99/umbrella-operator/standard-v2.14.0-default-report.yaml");
    folder.file(&path, umbrella);
    let found = folder.run("check --registry facts").stdout;
    has(
        &found,
        "unexpected `HTTPRouteRetry` in `supportedFeatures` (until v1.6)",
    );
    folder.ok("site --registry facts --out site");
    let page = folder.read("site/features/HTTPRouteRetry/index.html");
    has(&page, "in the API v1.6 only, removed in v1.99");
    let matrix = folder.read("site/matrix/v1.99/GATEWAY-HTTP/index.html");
    has(&matrix, "removed in v1.99");
    let support = read_json(&folder, "api/v1/support.json");
    let mut until = lines(&support["features"], "{since} {feature} {until}");
    until.retain(|one| one.starts_with("v1.6.0 ") && !one.ends_with(' '));
    let expected = ["HTTPRouteRetry", "HTTPRouteRetryBackendTimeout"];
    assert_eq!(until, expected.map(|name| format!("v1.6.0 {name} v1.6")));
    let features = folder
        .run("features --registry facts --release v1.6.2")
        .stdout;
    assert_eq!(features.matches("  until: v1.6\n").count(), 2, "{features}");
}
