//! Compares the markup, links and texts of the pages with the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::support::folder::{Folder, NAME, README};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::site::{self, ALL_PAGES, Files};
use crate::support::{corpus, run};
use regex::Regex;
use sha2::{Digest, Sha256};

fn site(root: &Path) -> Files {
    site::of(root, &ALL_PAGES)
}

fn sample_site() -> &'static Files {
    site::of_sample(&ALL_PAGES)
}

fn pages(files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<&str, &str> {
    let pages = files.iter().filter(|(path, _)| path.ends_with(".html"));
    pages
        .map(|(path, bytes)| (path.as_str(), std::str::from_utf8(bytes).unwrap()))
        .collect()
}

fn reports(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut reports = BTreeMap::new();
    for entry in walkdir::WalkDir::new(root).min_depth(3).max_depth(3) {
        let entry = entry.unwrap();
        let path = entry.path().strip_prefix(root).unwrap().to_str().unwrap();
        if path.ends_with(".yaml") && path.starts_with('v') {
            reports.insert(path.to_owned(), fs::read(entry.path()).unwrap());
        }
    }
    reports
}

/// URL patterns of all pages. `*` stands for a name.
const ADDRESSES: [&str; 27] = [
    "",
    "404.html",
    "about/",
    "answer/",
    "api/",
    "badges/",
    "calendar/",
    "changes/",
    "check/",
    "compare/",
    "features/",
    "features/*/",
    "find/",
    "findings/",
    "implementations/",
    "implementations/*/*/",
    "implementations/*/*/*/*/",
    "implementations/*/*/changes/",
    "implementations/*/*/gaps/",
    "matrix/",
    "matrix/*/*/",
    "outlook/",
    "outlook/*/*/",
    "rules/",
    "rules/*/*/",
    "tests/",
    "tests/*/",
];

#[test]
fn each_kind_of_page_is_among_the_pages_that_are_tested() {
    let made = tree_with(&["harmless"]);
    for (files, is_sample) in [
        (sample_site(), true),
        (&site(&made.path().join("reports")), false),
    ] {
        let mut expected: BTreeSet<&str> = BTreeSet::from(ADDRESSES);
        if !is_sample {
            expected.retain(|address| !["features/*/", "matrix/*/*/"].contains(address));
        }
        let shapes: Vec<(&str, Regex)> = ADDRESSES
            .into_iter()
            .map(|address| {
                let file = if address.ends_with(".html") {
                    ""
                } else {
                    "index.html"
                };
                let shape = format!("^{}{file}$", address.replace('*', "[^/]+"));
                let shape = shape.replace(".html", "\\.html");
                (address, Regex::new(&shape).unwrap())
            })
            .collect();
        for path in pages(files).keys() {
            let kind = shapes.iter().find(|(_, shape)| shape.is_match(path));
            let (address, _) = kind.unwrap_or_else(|| panic!("{path} is of no kind"));
            expected.remove(address);
        }
        assert!(expected.is_empty(), "no page {expected:?}");
    }
}

fn check_counts(root: &Path, files: &Files) {
    let reports = reports(root);
    let pages = pages(files);
    let own = Regex::new(r"^implementations/[^/]+/[^/]+/[^/]+/[^/]+/index\.html$").unwrap();
    let own: Vec<_> = pages
        .iter()
        .filter(|(path, _)| own.is_match(path))
        .collect();
    assert_eq!(own.len(), reports.len());
    let mut profiles = 0;
    let name = Regex::new(r"(?m)^\s*(?:- )?name: (GATEWAY|MESH|HTTP|TLS)(-[A-Z]+)?\s*$").unwrap();
    for (path, bytes) in &reports {
        let digest: String = Sha256::digest(bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let with = own
            .iter()
            .filter(|(_, html)| html.contains(&digest) && html.contains(path.as_str()));
        assert_eq!(with.count(), 1, "{path}");
        profiles += name.find_iter(std::str::from_utf8(bytes).unwrap()).count();
    }
    let title = Regex::new("<title>([^<]+)</title>").unwrap();
    let mut titles = BTreeMap::new();
    for (path, html) in &pages {
        let title = title.captures(html).unwrap()[1].to_owned();
        if let Some(other) = titles.insert(title, path) {
            panic!("{path} has the title of {other}");
        }
    }
    let home = pages["index.html"];
    assert!(home.contains(&format!("Generated from {} reports of", reports.len())));
    let api: serde_json::Value = serde_json::from_slice(&files["api/v1/reports.json"]).unwrap();
    assert_eq!(api["reports"].as_array().unwrap().len(), reports.len());
    let matrices = pages
        .iter()
        .filter(|(path, _)| path.starts_with("matrix/v"));
    let columns = Regex::new("<th scope=\"col\" class=\"m[ \"]").unwrap();
    let columns: usize = matrices
        .map(|(_, html)| columns.find_iter(html).count())
        .sum();
    let without_release = |report: &&serde_json::Value| report["release"].is_null();
    let reports = api["reports"].as_array().unwrap().iter();
    let without_column: usize = reports
        .filter(without_release)
        .map(|report| report["profiles"].as_array().unwrap().len())
        .sum();
    assert_eq!(columns + without_column, profiles);
    let index: serde_json::Value = serde_json::from_slice(&files["api/v1/index.json"]).unwrap();
    let named = index["partly_left_out"].as_array().unwrap().iter();
    let named = named.filter(|one| one["reason"] == "in no matrix: its release is not known");
    assert_eq!(named.count(), without_column);
    let rows = Regex::new(r#"<th scope="row"><a href="(implementations/[^"]+)""#).unwrap();
    let rows: BTreeSet<&str> = rows
        .captures_iter(home)
        .map(|found| found.get(1).unwrap().as_str())
        .collect();
    let folders = pages
        .keys()
        .filter(|path| path.matches('/').count() == 3 && path.starts_with("implementations/"));
    let folders: BTreeSet<&str> = folders
        .map(|path| path.trim_end_matches("index.html"))
        .collect();
    assert_eq!(rows, folders);
}

#[test]
fn every_report_of_the_sample_tree_is_shown_and_counted() {
    check_counts(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("reports"),
        sample_site(),
    );
}

#[test]
fn every_report_of_the_real_tree_is_shown_and_counted() {
    let Some(corpus) = corpus() else { return };
    let root = corpus.join("gateway-api/conformance/reports");
    check_counts(&root, site::of_corpus(&[]).unwrap());
}

#[test]
fn internal_links_lead_somewhere() {
    let files = sample_site();
    let pages = pages(files);
    let address = Regex::new(r#" (?:href|src)="([^"]*)""#).unwrap();
    let mut seen = 0;
    for (path, html) in &pages {
        for found in address.captures_iter(html) {
            let target = found.get(1).unwrap().as_str();
            if ["https://", "http://", "mailto:"]
                .iter()
                .any(|scheme| target.starts_with(scheme))
            {
                continue;
            }
            seen += 1;
            let (target, fragment) = target.split_once('#').unwrap_or((target, ""));
            let target = target.split('?').next().unwrap();
            let mut parts: Vec<&str> = path.split('/').collect();
            parts.pop();
            for part in target.split('/') {
                match part {
                    "" | "." => {}
                    ".." => {
                        parts
                            .pop()
                            .unwrap_or_else(|| panic!("{path}: {target} leaves the site"));
                    }
                    part => parts.push(part),
                }
            }
            let mut to = parts.join("/");
            if target.is_empty() {
                to = (*path).to_owned();
            } else if target.ends_with('/') || to.is_empty() {
                to = [to.as_str(), "index.html"]
                    .join("/")
                    .trim_start_matches('/')
                    .to_owned();
            }
            let bytes = files
                .get(&to)
                .unwrap_or_else(|| panic!("{path}: {target} leads nowhere ({to})"));
            if !fragment.is_empty() {
                let text = std::str::from_utf8(bytes).unwrap();
                assert!(
                    text.contains(&format!(" id=\"{fragment}\"")),
                    "{path}: #{fragment}"
                );
            }
        }
    }
    assert!(seen > 1000);
}

#[test]
fn two_runs_give_the_same_bytes_and_the_day_can_be_given() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    assert!(*sample_site() == site(&root));
    let small = Folder::with_tree();
    let dated = site::of(
        &small.path().join("conformance/reports"),
        &["--as-of", "2031-02-03"],
    );
    assert!(
        std::str::from_utf8(&dated["index.html"])
            .unwrap()
            .contains("2031-02-03")
    );
    let output = run(
        &root,
        &["site", ".", "--out", "x", "--as-of", "2031-2-3"].map(str::to_owned),
    );
    assert_eq!(output.code, 2);
    output.stderr_has("expected a date such as 2026-03-20");
}

fn skeleton(html: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    static TAG: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"<(/?[a-zA-Z][a-zA-Z0-9]*|!DOCTYPE)((?:\s+[a-zA-Z-]+(?:="[^"]*")?)*)\s*/?>"#)
            .unwrap()
    });
    static ATTRIBUTE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"([a-zA-Z-]+)(?:="([^"]*)")?"#).unwrap());
    let (mut tags, mut addresses) = (BTreeSet::new(), BTreeSet::new());
    let mut count = 0;
    for found in TAG.captures_iter(html) {
        let mut names = Vec::new();
        for one in ATTRIBUTE.captures_iter(found.get(2).unwrap().as_str()) {
            let name = one.get(1).unwrap().as_str();
            if ["href", "src"].contains(&name) {
                addresses.insert(one.get(2).unwrap().as_str().to_owned());
            }
            names.push(name.to_owned());
        }
        count += 1;
        tags.insert(format!("{} {}", &found[1], names.join(" ")));
    }
    // Every `<` of the page must begin one of these tags.
    assert_eq!(html.matches('<').count(), count);
    (tags, addresses)
}

/// A tree with a submission for each text.
fn tree_with(texts: &[&str]) -> Folder {
    let folder = Folder::new();
    for (nth, text) in texts.iter().enumerate() {
        submission_with(text, nth, &folder);
    }
    folder
}

fn submission_with(text: &str, nth: usize, folder: &Folder) {
    let report = |version: &str| {
        let core = Level::result(text).counts(13, 0, 0);
        let extended = Level::result("partial").counts(1, 1, 1);
        let extended = extended.skipped(&[text]).failed(&[text]);
        let extended = extended
            .supported(&[text])
            .unsupported(&["GatewayPort8080"]);
        let profile = Profile::new("GATEWAY-GRPC").core(core).extended(extended);
        ReportBuilder::new()
            .date(&format!("2026-05-{:02}T10:15:30Z", nth + 1))
            .channel(text)
            .contact(text)
            .organization(text)
            .project(text)
            .url(text)
            .version(&format!("{version} {text}"))
            .mode(text)
            .provisional(&[text])
            .profiles([profile.summary(text)])
            .build()
    };
    let readme = README.replace(
        "Run `make conformance`.",
        &format!("Run {text}\n\n[a]({text})\n\n<div {text}>"),
    );
    let path = format!("reports/v1.5/acme-{nth}");
    folder.file(&format!("{path}/README.md"), readme);
    folder.file(&format!("{path}/{NAME}"), report("v1"));
    folder.file(
        &format!("{path}/standard-v2.15.0-default-report.yaml"),
        report("v2"),
    );
}

#[test]
fn hostile_texts_change_no_markup() {
    let hostile = [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)",
        "javascript:alert(1)//",
        "data:text/html,<b>x</b>",
        "{{7*7}}{%raw%}",
        "</pre></main><style>*{display:none}</style>",
        "<!--",
        "&lt;b&gt;",
    ];
    let harmless = [
        "harmless",
        "not harmful",
        "a",
        "b c",
        "d",
        "e f",
        "g",
        "h i",
        "j",
    ];
    let [harmless, hostile] =
        [harmless, hostile].map(|texts| site(&tree_with(&texts).path().join("reports")));
    let are_ours = |addresses: &BTreeSet<String>, what: &str| {
        let foreign = |address: &&String| address.contains(':') && !address.starts_with("https://");
        let foreign: Vec<_> = addresses.iter().filter(foreign).collect();
        assert!(foreign.is_empty(), "{what}: {foreign:?}");
    };
    let mut known = BTreeSet::new();
    // Many pages are the same on each site, mostly those of rules.
    let mut seen = BTreeSet::new();
    for (path, html) in pages(&harmless) {
        if seen.insert(html) {
            let (tags, addresses) = skeleton(html);
            are_ours(&addresses, path);
            known.extend(tags);
        }
    }
    for html in pages(sample_site()).into_values() {
        if !seen.contains(html) {
            known.extend(skeleton(html).0);
        }
    }
    for (path, html) in pages(&hostile) {
        if seen.contains(html) {
            continue;
        }
        let (tags, addresses) = skeleton(html);
        let strange: Vec<_> = tags.difference(&known).collect();
        assert!(strange.is_empty(), "{path}: {strange:?}");
        are_ours(&addresses, path);
    }
}

#[test]
fn a_tree_with_errors_has_a_site_that_shows_them() {
    let folder = Folder::with_tree();
    folder.file("conformance/reports/v1.5/broken/README.md", "# Broken\n");
    folder.file(
        &format!("conformance/reports/v1.5/broken/{NAME}"),
        ReportBuilder::new()
            .organization("broken")
            .date("x2026-05-20T10:15:30Z")
            .build(),
    );
    folder.file("conformance/reports/v1.5/empty/README.md", "# Empty\n");
    folder.file(&format!("conformance/reports/v1.5/empty/{NAME}"), "");
    let files = site(&folder.path().join("conformance/reports"));
    let pages = pages(&files);
    let broken: Vec<_> = pages
        .iter()
        .filter(|(_, html)| html.contains("rules/report/date/") && html.contains("x2026"))
        .map(|(path, _)| *path)
        .collect();
    let implementation = "implementations/broken/operator";
    let expected = [
        "findings/index.html".to_owned(),
        format!("{implementation}/index.html"),
        format!("{implementation}/v1.5.1/standard-v2-14-0-default/index.html"),
    ];
    assert_eq!(broken, expected);
    assert!(pages["about/index.html"].contains("v1.5/empty/"));
    let output = folder.run("site --out site --fail-on error");
    assert_eq!(output.code, 1, "{}", output.stdout);
    assert!(folder.path().join("site/index.html").is_file());
}

#[test]
fn bounds_pages_of_huge_reports() {
    let names = |count: usize, letter: &str| -> Vec<String> {
        (0..count).map(|at| format!("{letter}{at:05}")).collect()
    };
    let (supported, unsupported) = (names(2500, "F"), names(2500, "U"));
    let [supported, unsupported] = [&supported, &unsupported]
        .map(|names| names.iter().map(String::as_str).collect::<Vec<_>>());
    let features = Level::success(1).supported(&supported);
    let more_names = Level::success(1)
        .unsupported(&unsupported)
        .supported(&supported);
    let folder = Folder::new();
    for (name, profiles) in [
        ("a", vec![Profile::grpc().extended(features)]),
        ("b", vec![Profile::grpc().extended(more_names)]),
        ("c", vec![Profile::grpc(); 3000]),
    ] {
        folder.file(&format!("reports/v1.5/{name}/README.md"), README);
        let report = ReportBuilder::new().organization(name).profiles(profiles);
        folder.file(&format!("reports/v1.5/{name}/{NAME}"), report.build());
    }
    let files = site(&folder.path().join("reports"));
    let pages = pages(&files);
    assert!(pages.len() < 700, "{}", pages.len());
    for (path, html) in &pages {
        assert!(html.len() < 400_000, "{path}: {}", html.len());
    }
    let about = pages["about/index.html"];
    for name in ["a", "b", "c"] {
        assert!(
            about.contains(&format!("<code>v1.5/{name}/{NAME}</code>")),
            "{name}"
        );
    }
}
