//! Tests the pages of implementations, reports and findings for a small tree.

use std::collections::BTreeSet;
use std::fs;

use crate::support::folder::{Folder, README, TREE};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::site::Files;
use gwconform_base::api::Version;
use gwconform_base::release::{Registry, Test};
use regex::Regex;
use serde_json::Value;

const FEATURES: &[&str] = &["GatewayHTTPListenerIsolation", "GatewayPort8080"];

fn report(release: &str, channel: &str, supported: &[&str]) -> ReportBuilder {
    let passed = u32::try_from(supported.len()).unwrap();
    let unsupported: Vec<&str> = FEATURES
        .iter()
        .copied()
        .filter(|feature| !supported.contains(feature))
        .collect();
    let extended = Level::success(passed.max(1))
        .supported(supported)
        .unsupported(&unsupported);
    let profile = Profile::new("GATEWAY-GRPC").core(Level::success(13));
    ReportBuilder::new()
        .release(release)
        .channel(channel)
        .profiles([profile.extended(extended).summarized()])
}

fn tree() -> Folder {
    let folder = Folder::new();
    for (path, report) in [
        ("v1.4/acme/s", report("v1.4.1", "standard", FEATURES)),
        ("v1.5/acme/s", report("v1.5.1", "standard", &FEATURES[..1])),
        ("v1.5/acme/e", report("v1.5.1", "experimental", FEATURES)),
    ] {
        let (below, _) = path.rsplit_once('/').unwrap();
        folder.file(&format!("{TREE}/{below}/README.md"), README);
        folder.file(&format!("{TREE}/{path}.yaml"), report.build());
    }
    folder.file(
        "gwconform.toml",
        "source-url = 'https://acme.example/tree/main/reports'\n",
    );
    folder.site("");
    folder
}

fn read(folder: &Folder, path: &str) -> String {
    folder.read(&format!("site/{path}"))
}

fn words(html: &str) -> String {
    let text = Regex::new("<[^>]*>").unwrap().replace_all(html, " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn an_implementation_shows_each_channel_and_what_it_lost() {
    let page = read(&tree(), "implementations/acme/operator/index.html");
    let text = words(&page);
    assert!(text.contains("standard v1.5, 1 extended"), "{text}");
    assert!(text.contains("experimental v1.5, 2 extended"), "{text}");
    assert!(
        text.contains("Since its report for v1.4.1: 1 feature lost Release by release"),
        "{text}"
    );
    assert!(
        text.contains("v1.5 2 3 ● passed v1.4 2 3 ● passed"),
        "{text}"
    );
    assert!(page.contains("changes/#v1-5-1_"), "{page}");
}

#[test]
fn report_pages_link_to_their_file_and_submission() {
    let folder = tree();
    let page = |release: &str| {
        let below = folder.path().join("site/implementations/acme/operator");
        let reports = fs::read_dir(below.join(release)).unwrap();
        let pages = reports.map(|entry| entry.unwrap().path().join("index.html"));
        let mut pages = pages.map(|path| fs::read_to_string(path).unwrap());
        pages
            .find(|html| html.contains("acme/s.yaml</code>"))
            .unwrap()
    };
    let old = page("v1.4.1");
    let root = "https://acme.example/tree/main/reports/v1.4/acme";
    assert!(old.contains(&format!("href=\"{root}/s.yaml\"")), "{old}");
    assert!(old.contains(&format!("href=\"{root}\"")), "{old}");
    assert!(old.contains("rel=\"next\"") && !old.contains("rel=\"prev\""));
    let new = page("v1.5.1");
    assert!(new.contains("rel=\"prev\"") && !new.contains("rel=\"next\""));
}

#[test]
fn every_finding_is_on_its_page_and_in_the_data() {
    let folder = tree();
    let checked = folder.json("check");
    let key = |one: &Value| {
        let text = |key: &str| one[key].as_str().unwrap().to_owned();
        let path = text("path").replace(&format!("{TREE}/"), "");
        let message = text("message").replace(&format!("{TREE}/"), "");
        (text("rule"), path, one["line"].as_u64(), message)
    };
    let expected: BTreeSet<_> = checked["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(key)
        .collect();
    assert!(expected.len() > 2, "{expected:?}");
    let data: Value = serde_json::from_str(&read(&folder, "api/v1/findings.json")).unwrap();
    let found: BTreeSet<_> = data["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(key)
        .collect();
    assert_eq!(found, expected);
    let page = read(&folder, "findings/index.html");
    let counts = Regex::new(r#"<li data-q data-n="(\d+)""#).unwrap();
    let counts = counts.captures_iter(&page);
    let shown: usize = counts.map(|count| count[1].parse::<usize>().unwrap()).sum();
    assert_eq!(shown, data["findings"].as_array().unwrap().len());
    let rules: BTreeSet<&str> = expected.iter().map(|(rule, ..)| rule.as_str()).collect();
    for rule in rules {
        let rule_page = read(&folder, &format!("rules/{rule}/index.html"));
        let id = rule.replace('/', "-");
        assert!(rule_page.contains(&format!("findings/#{id}\"")), "{rule}");
        assert!(page.contains(&format!(" id=\"{id}\"")), "{rule}");
    }
}

#[test]
fn regressions_come_first_in_their_family() {
    let folder = Folder::new();
    let broken = Level::result("failure").counts(12, 0, 1);
    let broken = broken.failed(&["GRPCRouteWeight"]);
    for (release, core, supported) in [
        ("v1.4.1", Level::success(13), &FEATURES[..1]),
        ("v1.5.1", broken, FEATURES),
    ] {
        let extended = Level::success(1).supported(supported);
        let gateway = Profile::new("GATEWAY-GRPC").core(core).extended(extended);
        let mesh = Profile::new("MESH-GRPC").core(Level::success(2));
        let report = ReportBuilder::new().release(release);
        let report = report.profiles([gateway.summarized(), mesh.summarized()]);
        let below = format!("{TREE}/{}/acme", &release[..4]);
        folder.file(&format!("{below}/README.md"), README);
        folder.file(&format!("{below}/s.yaml"), report.build());
    }
    folder.file("gwconform.toml", "[policy]\nnewest-minor = 'v1.5'\n");
    folder.site("");
    let text = words(&read(&folder, "implementations/acme/operator/index.html"));
    let broken = "Its report for v1.5.1 (standard, default), since the one for v1.4.1: \
        GATEWAY-GRPC failing, was conformant ; 1 test newly skipped or failed ; 1 feature gained";
    assert_eq!(text.matches(broken).count(), 1, "{text}");
    let (gateway, mesh) = text.split_once("Mesh: ").unwrap();
    assert!(gateway.contains(broken), "{text}");
    assert!(mesh.starts_with("● Conformant v1.4"), "{text}");
    assert!(!mesh.contains(broken), "{text}");
}

/// The verdict is based on the newer patch, regardless of implementation versions.
#[test]
fn the_first_column_of_an_implementation_is_the_report_of_its_verdict() {
    let folder = Folder::new();
    for (name, release, version) in [
        ("v1.4/acme/a", "v1.4.0", "v1.9.0"),
        ("v1.4/acme/b", "v1.4.1", "v1.10.0"),
        ("v1.5/acme/c", "v1.5.1", "v1.11.0"),
    ] {
        let report = report(release, "standard", FEATURES).version(version);
        let (below, _) = name.rsplit_once('/').unwrap();
        folder.file(&format!("{TREE}/{below}/README.md"), README);
        folder.file(&format!("{TREE}/{name}.yaml"), report.build());
    }
    folder.site("");
    let page = read(&folder, "matrix/v1.4/GATEWAY-GRPC/index.html");
    let head = Regex::new(r#"(?s)<th scope="col" class="m p"[^>]*>(.*?)</th>"#).unwrap();
    let first = words(&head.captures(&page).unwrap()[1]);
    assert_eq!(first, "acme/operator v1.10.0 standard");
    let text = words(&page);
    assert!(
        text.contains("2 reports of 1 implementation with the profile"),
        "{text}"
    );
}

#[test]
fn pages_mark_new_tests_that_are_skipped_at_once() {
    let folder = Folder::new();
    let registry = Registry::embedded();
    let release = |name: &str| {
        let version = Version::parse(name).unwrap();
        registry.release(&version).release().unwrap()
    };
    let (old, new) = (release("v1.5.1"), release("v1.6.1"));
    let http = new.profile("GATEWAY-HTTP").unwrap();
    let is_core = |test: &&Test| {
        let mut features = test.features.iter();
        !test.provisional && features.all(|feature| http.is_core(feature))
    };
    let added: Vec<&str> = new
        .tests()
        .filter(is_core)
        .map(|test| test.name.as_str())
        .filter(|name| old.test(name).is_none())
        .collect();
    assert!(!added.is_empty());
    for (release, core) in [
        ("v1.5.1", Level::success(30)),
        (
            "v1.6.1",
            Level::result("partial")
                .counts(30, 1, 0)
                .skipped(&added[..1]),
        ),
    ] {
        let profile = Profile::new("GATEWAY-HTTP").core(core);
        let report = ReportBuilder::new().release(release);
        let below = format!("{TREE}/{}/acme", &release[..4]);
        folder.file(&format!("{below}/README.md"), README);
        let report = report.profiles([profile.summarized()]);
        folder.file(&format!("{below}/s.yaml"), report.build());
    }
    folder.site("");
    let expected = "1 test skipped or failed in its first run";
    for page in [
        "index.html",
        "changes/index.html",
        "implementations/acme/operator/index.html",
    ] {
        let text = words(&read(&folder, page));
        assert!(text.contains(expected), "{page}: {text}");
    }
    let own = words(&read(
        &folder,
        "implementations/acme/operator/changes/index.html",
    ));
    let (_, group) = own
        .split_once("Skipped or failed in the first run")
        .unwrap();
    assert!(group.trim_start().starts_with(added[0]), "{own}");
}

fn tests_of(page: &str, feature: &str) -> BTreeSet<(String, String)> {
    let attribute = |tag: &str, name: &str| -> Option<String> {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        Some(rest.split('"').next()?.replace("&quot;", "\""))
    };
    let tag = |start: &str| {
        let at = page.find(start).unwrap_or_else(|| panic!("{start}"));
        page[at..].split('>').next().unwrap()
    };
    let names = attribute(tag("<table class=\"matrix\""), "data-tests").unwrap();
    let names: Vec<String> = serde_json::from_str(&names).unwrap();
    let head = tag("<th scope=\"col\" class=\"m");
    assert_eq!(attribute(head, "data-list"), None);
    let shown = attribute(head, "data-shown").unwrap_or_default();
    let state = |test: &str| {
        let mut states = shown.split(';').filter_map(|one| one.split_once(':'));
        let own = states.find(|(_, tests)| tests.split(' ').any(|one| one == test));
        own.map_or("passed", |(state, _)| state).to_owned()
    };
    let row = attribute(tag(&format!("<tr id=\"f-{feature}\"")), "data-tests").unwrap();
    row.split(' ')
        .map(|test| (names[test.parse::<usize>().unwrap()].clone(), state(test)))
        .collect()
}

#[test]
fn a_cell_of_a_matrix_has_all_its_tests_and_its_line_in_the_file() {
    let folder = Folder::new();
    // In v1.6, some tests had not finished when the report was written.
    let extended = Level::result("partial")
        .counts(20, 1, 0)
        .supported(&["HTTPRouteRequestMirror", "HTTPRouteRequestMultipleMirrors"])
        .unsupported(&["HTTPRouteCORS"])
        .skipped(&["HTTPRouteRequestMultipleMirrors"]);
    let profile = Profile::new("GATEWAY-HTTP").core(Level::success(37));
    let report = ReportBuilder::new().release("v1.6.1");
    let report = report.profiles([profile.extended(extended).summarized()]);
    let text = report.build();
    folder.file(&format!("{TREE}/v1.6/acme/README.md"), README);
    folder.file(&format!("{TREE}/v1.6/acme/s.yaml"), &text);
    folder.file(
        "gwconform.toml",
        "source-url = 'https://acme.example/tree/main/reports'\n",
    );
    folder.site("");
    let page = read(&folder, "matrix/v1.6/GATEWAY-HTTP/index.html");
    let registry = Registry::embedded();
    let version = Version::parse("v1.6.1").unwrap();
    let release = registry.release(&version).release().unwrap();
    for feature in ["HTTPRouteRequestMultipleMirrors", "HTTPRoute", "Gateway"] {
        let found = tests_of(&page, feature);
        let named: BTreeSet<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        let expected = release.tests_of(feature).map(|test| test.name.as_str());
        let expected: BTreeSet<&str> = expected.collect();
        assert!(named.is_subset(&expected), "{feature}: {named:?}");
        assert!(!named.is_empty(), "{feature}");
        let kinds: BTreeSet<&str> = found.iter().map(|(_, state)| state.as_str()).collect();
        match feature {
            "HTTPRouteRequestMultipleMirrors" => assert!(found.contains(&(
                "HTTPRouteRequestMultipleMirrors".to_owned(),
                "skipped".to_owned()
            ))),
            "Gateway" => assert!(kinds.contains("not-seen"), "{found:?}"),
            _ => assert_eq!(kinds, BTreeSet::from(["passed"]), "{found:?}"),
        }
    }
    let lines = Regex::new("data-lines=\"([^\"]*)\"").unwrap();
    let lines = &lines.captures(&page).unwrap()[1];
    let rows = Regex::new("<tr id=\"f-([^\"]+)\"").unwrap();
    let rows: Vec<_> = rows
        .captures_iter(&page)
        .map(|row| row[1].to_owned())
        .collect();
    let lines: Vec<usize> = lines.split(' ').map(|line| line.parse().unwrap()).collect();
    assert_eq!(lines.len(), rows.len());
    for (feature, line) in rows.iter().zip(lines) {
        let line = text.lines().nth(line - 1).unwrap();
        match feature.as_str() {
            "HTTPRouteRequestMirror" | "HTTPRouteRequestMultipleMirrors" | "HTTPRouteCORS" => {
                assert_eq!(line.trim_start_matches([' ', '-']), feature);
            }
            _ => assert!(line.starts_with("- "), "{feature}: {line}"),
        }
    }
}

/// An older report, and a newer one with a partial profile and a conformant one.
fn blocked() -> (Folder, Files) {
    let folder = Folder::new();
    let http = Profile::new("GATEWAY-HTTP").core(Level::success(33));
    folder.put(
        &ReportBuilder::new()
            .release("v1.3.0")
            .version("v1.0.0")
            .profiles([http.summarized()]),
    );
    let skipped = Level::partial(36, &["HTTPRouteMatching"]);
    let extended = Level::success(1).supported(&["HTTPRouteCORS", "Made $(up)"]);
    let http = Profile::new("GATEWAY-HTTP")
        .core(skipped)
        .extended(extended);
    let profiles = [Profile::grpc(), http.summarized()];
    folder.put(&ReportBuilder::new().release("v1.5.1").profiles(profiles));
    folder.newest_minor("v1.5");
    let files = folder.site("--base-url https://acme.example/");
    (folder, files)
}

#[test]
fn an_implementation_shows_what_blocks_the_next_level() {
    let (folder, files) = blocked();
    let page =
        String::from_utf8(files["implementations/acme/operator/index.html"].clone()).unwrap();
    let text = words(&page);
    for expected in [
        "Gateway: ● Conformant, HTTP partial",
        "To make HTTP conformant: pass HTTPRouteMatching , which was skipped",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let (_, command) = page.split_once("data-copy>gwconform ").unwrap();
    let command = command.split_once("</pre>").unwrap().0;
    assert!(
        command.ends_with("--supported-features HTTPRouteCORS"),
        "{command}"
    );
    let plan = folder.ok(&format!("{command} --format json")).stdout;
    assert!(plan.contains("HTTPRouteMatching"), "{plan}");
    let badge = String::from_utf8(files["badges/acme/operator.json"].clone()).unwrap();
    assert!(badge.contains("\"conformant, HTTP partial\""), "{badge}");
    let home = String::from_utf8(files["index.html"].clone()).unwrap();
    assert!(words(&home).contains("● Conformant, HTTP partial"));
}

#[test]
fn an_old_page_names_the_newest_report() {
    let (_, files) = blocked();
    let newest = "implementations/acme/operator/v1.5.1/standard-v2-14-0-default/";
    let old = "implementations/acme/operator/v1.3.0/standard-v1-0-0-default/";
    for (path, canonical, note) in [
        (old, newest, "An old report."),
        (
            "matrix/v1.3/GATEWAY-HTTP/",
            "matrix/v1.5/GATEWAY-HTTP/",
            "An old release.",
        ),
    ] {
        let page =
            |path: &str| String::from_utf8(files[&format!("{path}index.html")].clone()).unwrap();
        let link = format!("<link rel=\"canonical\" href=\"https://acme.example/{canonical}\">");
        assert!(
            page(path).contains(&link) && page(canonical).contains(&link),
            "{path}"
        );
        assert!(words(&page(path)).contains(note), "{path}");
        assert!(!words(&page(canonical)).contains(note), "{canonical}");
    }
    let old = String::from_utf8(files[&format!("{old}index.html")].clone()).unwrap();
    let verdict = "and the verdict today is Gateway: ● Conformant, HTTP partial .";
    assert!(words(&old).contains(verdict), "{}", words(&old));
}
