//! Pages of implementations, reports and findings: what they show of a small tree.

use std::collections::BTreeSet;
use std::fs;

use crate::support::folder::{Folder, README};
use crate::support::report::{Level, Profile, ReportBuilder};
use regex::Regex;
use serde_json::Value;

const TREE: &str = "conformance/reports";
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
    let output = folder.run("site --out site");
    assert_eq!(output.code, 0, "{}", output.stderr);
    folder
}

fn read(folder: &Folder, path: &str) -> String {
    fs::read_to_string(folder.path().join("site").join(path)).unwrap()
}

/// A page without tags, its texts with single spaces.
fn words(html: &str) -> String {
    let text = Regex::new("<[^>]*>").unwrap().replace_all(html, " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn an_implementation_shows_each_channel_and_what_it_lost() {
    let page = read(&tree(), "implementations/acme-operator/index.html");
    let text = words(&page);
    assert!(text.contains("standard v1.5, 1 extended"), "{text}");
    assert!(text.contains("experimental v1.5, 2 extended"), "{text}");
    assert!(
        text.contains("Since its report for v1.4.1: 1 feature lost Its report"),
        "{text}"
    );
    // The newest release comes first, with the most that one report supports.
    assert!(
        text.contains("v1.5 2 3 ● conformant v1.4 2 3 ● conformant"),
        "{text}"
    );
    assert!(page.contains("changes/#v1-5-1_"), "{page}");
}

#[test]
fn a_report_leads_to_its_file_and_to_the_reports_beside_it() {
    let folder = tree();
    let page = |release: &str| {
        let below = folder.path().join("site/implementations/acme-operator");
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

/// The page has each finding that `check` prints, and so has the data.
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
    let lines = Regex::new("<li data-q=").unwrap();
    assert_eq!(
        lines.find_iter(&page).count(),
        data["findings"].as_array().unwrap().len()
    );
    let rules: BTreeSet<&str> = expected.iter().map(|(rule, ..)| rule.as_str()).collect();
    for rule in rules {
        let rule_page = read(&folder, &format!("rules/{rule}/index.html"));
        let id = rule.replace('/', "-");
        assert!(rule_page.contains(&format!("findings/#{id}\"")), "{rule}");
        assert!(page.contains(&format!(" id=\"{id}\"")), "{rule}");
    }
}

/// The next submission of a gateway and mesh has a failed test and one more feature as a gateway.
#[test]
fn what_broke_since_the_last_report_stands_first_and_in_its_family() {
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
    folder.run("site --out site");
    let text = words(&read(&folder, "implementations/acme-operator/index.html"));
    // The verdict of the gateway still rests on the older report.
    let broken = "Its report for v1.5.1 (standard, default), since the one for v1.4.1: \
        GATEWAY-GRPC failing, was conformant ; 1 test newly skipped or failed ; 1 feature gained";
    assert_eq!(text.matches(broken).count(), 1, "{text}");
    let (gateway, mesh) = text.split_once("Mesh: ").unwrap();
    assert!(gateway.contains(broken), "{text}");
    assert!(
        mesh.contains("Since its report for v1.4.1: nothing gained or lost"),
        "{text}"
    );
}

/// Of several reports for a minor, the matrix has the one first that the verdict rests on: the one for
/// the newer patch release, whatever the versions of the implementation.
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
    folder.run("site --out site");
    let page = read(&folder, "matrix/v1.4/GATEWAY-GRPC/index.html");
    let head = Regex::new(r#"(?s)<th scope="col" class="m p"[^>]*>(.*?)</th>"#).unwrap();
    let first = words(&head.captures(&page).unwrap()[1]);
    assert_eq!(first, "acme/operator v1.10.0 standard");
    // One implementation with two reports: none is counted as another.
    let text = words(&page);
    assert!(
        text.contains("2 reports of 1 implementation with the profile"),
        "{text}"
    );
}
