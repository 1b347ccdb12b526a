//! Tests the next release: verdicts without its data, and the built-in data of upstream's main.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::corpus::next_to_corpus;
use crate::support::folder::{Folder, TREE, files, report};
use crate::support::{Output, run};
use gwconform_base::release::{Registry, Release};
use serde_json::Value;

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("reports")
}

fn gwconform(command: &str) -> Output {
    let arguments: Vec<String> = command.split(' ').map(str::to_owned).collect();
    run(&sample(), &arguments)
}

fn json(command: &str) -> Value {
    let output = gwconform(&format!("{command} --format json"));
    assert_eq!(output.code, 0, "{}", output.stderr);
    serde_json::from_str(&output.stdout).unwrap()
}

/// Commit and date of the built-in data.
fn source() -> (String, String) {
    let registry = Registry::with_unreleased(&[]).unwrap();
    let commit = registry.upcoming().and_then(Release::commit).unwrap();
    (commit.id.clone(), commit.date.to_string())
}

/// Verdicts of an outlook: implementation, family, now and then.
fn verdicts(outlook: &Value) -> Vec<[Value; 4]> {
    let all = outlook["implementations"].as_array().unwrap().iter();
    let verdicts = all.flat_map(|one| {
        let families = one["families"].as_array().unwrap().iter();
        families.map(|family| {
            let [now, then] = ["before", "after"].map(|when| family[when].clone());
            [
                one["implementation"].clone(),
                family["family"].clone(),
                now,
                then,
            ]
        })
    });
    verdicts.collect()
}

#[test]
fn verdicts_of_the_next_minor_need_no_data() {
    let known = json("outlook --release v1.7");
    assert!(known["release"].is_null() && known["data"]["commit"].is_null());
    assert_eq!(
        (&known["review_after"], &known["released"]),
        (&"v1.7".into(), &false.into())
    );
    let mut changed = 0;
    for [slug, family, now, then] in verdicts(&known) {
        changed += usize::from(now["standing"] != then["standing"]);
        assert!(then["standing"].is_string(), "{slug} {family}");
    }
    assert!(changed > 0);
    let all = known["implementations"].as_array().unwrap().iter();
    let mut families = all.flat_map(|one| one["families"].as_array().unwrap());
    assert!(families.all(|family| family["run"].is_null()));
    for same in [
        "outlook",
        "outlook --release 1.7",
        "outlook --release v1.7.0",
    ] {
        assert_eq!(json(same), known, "{same}");
    }
    let text = gwconform("outlook --release v1.7");
    assert!(text.stdout.starts_with("Outlook for v1.7 (not released)\n"));
    text.stdout_has("then partially conformant: ");
    text.stderr_has("--unreleased");
    let dropped = gwconform("outlook --release v1.7 --fail-on partially-conformant");
    assert_eq!(dropped.code, 1);
    for later in ["v1.8", "v2.0", "v1.7.0-rc.1"] {
        assert_eq!(
            gwconform(&format!("outlook --release {later}")).code,
            2,
            "{later}"
        );
    }
}

#[test]
fn one_report_has_an_outlook_without_data() {
    let folder = Folder::new();
    folder.file("a.yaml", report());
    let json = folder.json("outlook a.yaml");
    assert_eq!(
        json["implementations"][0]["families"][0]["before"]["standing"],
        "conformant"
    );
    let json = folder.json("outlook a.yaml --unreleased");
    let run = &json["implementations"][0]["families"][0]["run"];
    assert_eq!(run["profiles"][0]["new_core_test_count"], 16, "{json:#}");
}

#[test]
fn each_output_names_the_source_of_unreleased_data() {
    let (commit, date) = source();
    let document = json("outlook --unreleased");
    assert_eq!(
        (&document["data"]["commit"], &document["data"]["date"]),
        (&commit.as_str().into(), &date.as_str().into())
    );
    assert_eq!(document["new_features"][2], "HTTPRouteBackendURLRewrite");
    let text = gwconform("outlook --unreleased").stdout;
    assert!(
        text.contains("New features: 3 (GRPCRouteRequestHeaderModifier,"),
        "{text}"
    );
    assert!(!text.contains("Removed features"), "{text}");
    let named = format!("main at {} of {date}", &commit[..12]);
    for command in [
        "outlook --unreleased",
        "outlook --unreleased --format markdown",
        "outlook glasshouse/pane --unreleased",
    ] {
        let output = gwconform(command);
        assert_eq!(output.code, 0, "{}", output.stderr);
        let text = output.stdout.replace("\n  ", " ");
        assert!(text.contains(&named), "{command}: {text}");
    }
    let site = site("--unreleased");
    let text = |path: &str| String::from_utf8(site[path].clone()).unwrap();
    for path in [
        "outlook/index.html",
        "outlook/glasshouse/pane/index.html",
        "features/index.html",
    ] {
        assert!(text(path).contains(&named), "{path}");
    }
    assert!(text("features/index.html").contains("HTTPRouteBackendURLRewrite"));
    assert!(text("index.html").contains("outlook/"));
}

fn site(option: &str) -> BTreeMap<String, Vec<u8>> {
    let out = tempfile::tempdir().unwrap();
    let out_path = out.path().join("site");
    let command = format!("site --out {} {option}", out_path.display());
    let output = gwconform(command.trim_end());
    assert_eq!(output.code, 0, "{}", output.stderr);
    files(&out_path)
}

#[test]
fn unreleased_data_changes_no_verdict() {
    assert!(Registry::embedded().upcoming().is_none());
    let (plain, with_main) = (json("outlook --release v1.7"), json("outlook --unreleased"));
    assert_eq!(verdicts(&plain), verdicts(&with_main));
    // A report for the coming release is not judged by its data either.
    let folder = Folder::with_tree();
    let early = report().replace("gatewayAPIVersion: v1.5.1", "gatewayAPIVersion: v1.7.0");
    let early = early.replace("organization: acme", "organization: early");
    let path = format!("{TREE}/v1.7/early-operator/standard-v2.14.0-default-report.yaml");
    folder.file(&path, early);
    let [plain, with_main] = ["", " --unreleased"]
        .map(|option| verdicts(&folder.json(&format!("outlook --release v1.7{option}"))));
    assert_eq!(plain, with_main);

    // Without the option, no output depends on the data.
    let (commit, _) = source();
    let site_without = site("");
    for command in ["certify --all", "check", "features", "tests", "releases"] {
        let text = gwconform(command).stdout;
        assert!(
            !text.contains(&commit[..12]) && !text.contains("v1.7.0"),
            "{command}"
        );
        assert!(!text.contains("HTTPRouteBackendURLRewrite"), "{command}");
    }
    for (path, bytes) in &site_without {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains(&commit[..12]), "{path}");
        assert!(!text.contains("HTTPRouteBackendURLRewrite"), "{path}");
    }
    // With it, only pages differ, and the search index that contains the outlook.
    let is_index = |path: &str| path.starts_with("assets/search-index.");
    let site_with = site("--unreleased");
    for (path, bytes) in &site_without {
        let is_page = path.ends_with(".html") || path.starts_with(".gwconform");
        assert!(
            is_page || is_index(path) || site_with[path] == *bytes,
            "{path}"
        );
    }
    let added = site_with
        .keys()
        .filter(|path| !site_without.contains_key(*path) && !is_index(path));
    assert!(added.clone().all(|path| path.starts_with("outlook/")));
    assert!(added.count() > 5);
}

#[test]
fn released_data_replaces_unreleased_data() {
    let dated = |version: &str| {
        let text = format!(
            "{{\"release\": \"{version}\", \"date\": \"2031-02-03\", \"base\": \"v1.6.0\"}}"
        );
        [(format!("{version}.json"), text)]
    };
    for version in ["v1.7.0", "v1.7.1", "v1.8.0"] {
        let registry = Registry::with_unreleased(&dated(version)).unwrap();
        assert!(registry.upcoming().is_none(), "{version}");
        assert_eq!(registry.newest().unwrap().version().to_string(), version);
    }
    let unreleased = [(
        "v1.7.0.json".to_owned(),
        "{\"release\": \"v1.7.0\", \"base\": \"v1.6.0\"}".to_owned(),
    )];
    let registry = Registry::with_unreleased(&unreleased).unwrap();
    assert!(registry.upcoming().unwrap().commit().is_none());
}

#[test]
fn a_commit_has_an_id_and_a_date() {
    let read = |fields: &str| {
        let text = format!("{{\"release\": \"v1.99.0\", {fields} \"base\": \"v1.6.0\"}}");
        let files = [("v1.99.0.json".to_owned(), text)];
        let error = Registry::with_files(&files).err()?;
        Some(error[0].message.clone())
    };
    assert_eq!(
        read("\"commit\": \"0123abc\", \"commitDate\": \"2031-02-03\","),
        None
    );
    for (fields, message) in [
        ("\"commit\": \"0123abc\",", "`commit` without `commitDate`"),
        (
            "\"commit\": \"<b>\", \"commitDate\": \"2031-02-03\",",
            "`commit` is not a commit; expected 7 to 64 hexadecimal digits",
        ),
        (
            "\"commit\": \"0123abc\", \"commitDate\": \"soon\",",
            "`soon` is not a date; expected a date such as 2026-06-29",
        ),
    ] {
        assert_eq!(read(fields).as_deref(), Some(message));
    }
}

#[test]
fn removed_features_name_the_release() {
    let facts = tempfile::tempdir().unwrap();
    let base = Registry::embedded().newest().unwrap();
    let mut tests = serde_json::Map::new();
    for test in base.tests_of("GatewayPort8080") {
        tests.insert(test.name.clone(), Value::Null);
    }
    let mut profiles = serde_json::Map::new();
    for profile in base.profiles().filter(|one| one.has("GatewayPort8080")) {
        let removed = serde_json::json!({"extendedRemoved": ["GatewayPort8080"]});
        profiles.insert(profile.name.clone(), removed);
    }
    let text = serde_json::json!({
        "release": "v1.99.0", "base": base.version().to_string(),
        "features": {"GatewayPort8080": null}, "profiles": profiles, "tests": tests,
    });
    fs::write(facts.path().join("v1.99.0.json"), text.to_string()).unwrap();
    let registry = format!("--registry {}", facts.path().display());
    let document = json(&format!("outlook {registry}"));
    assert_eq!(
        document["removed_features"],
        serde_json::json!(["GatewayPort8080"])
    );
    let text = gwconform(&format!("outlook {registry}")).stdout;
    assert!(
        text.contains("Removed features: 1 (GatewayPort8080)"),
        "{text}"
    );
    let site = site(&registry);
    let text = |path: &str| String::from_utf8(site[path].clone()).unwrap();
    let page = text("features/GatewayPort8080/index.html");
    assert!(page.contains("Removed in v1.99.0 (not released)."));
    for path in ["features/index.html", "outlook/index.html"] {
        let page = text(path);
        let removed = page.split("<p>Removed:</p>").nth(1).unwrap();
        assert!(removed.contains("features/GatewayPort8080/"), "{path}");
    }
    // A feature that a release removed.
    let list = text("features/index.html");
    let removed = list.split("id=\"removed\"").nth(1).unwrap();
    assert!(removed.contains("v0.7 only, removed in v0.8"));
    assert!(!list.contains("since v0.7 only"));
}

#[test]
fn the_commit_is_that_of_the_sources() {
    let Some(checkout) = next_to_corpus("sources/gateway-api-main") else {
        return;
    };
    let stated = fs::read_to_string(checkout.join("COMMIT")).unwrap();
    let (commit, date) = source();
    assert!(
        stated.contains(&commit) && stated.contains(&date),
        "{stated}"
    );
}
