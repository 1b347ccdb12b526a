//! Tests the data, feeds and output folder of `gwconform site`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::support::folder::{ACME_REPORT, Folder, NAME, report};
use crate::support::kill::kill_often;
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::site::{Files, checked, of_corpus, rendered};
use crate::support::{Output, corpus, one_in, run, sample};
use gwconform_base::text::escape::inert;
use gwconform_report::certify::AsOf;
use gwconform_report::rules::check::CheckReport;
use serde_json::Value;

const MANIFEST: &str = ".gwconform-manifest.json";

fn site(folder: &Path, arguments: &[&str]) -> Output {
    let mut all = vec!["site".to_owned()];
    all.extend(arguments.iter().map(|argument| (*argument).to_owned()));
    run(folder, &all)
}

fn tree(folder: &Path) -> Files {
    let mut files = BTreeMap::new();
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(folder).unwrap();
            let path = path.to_str().unwrap().replace('\\', "/");
            files.insert(path, fs::read(entry.path()).unwrap());
        }
    }
    files
}

fn json(files: &Files, path: &str) -> Value {
    let bytes = files.get(path).unwrap_or_else(|| panic!("no {path}"));
    serde_json::from_slice(bytes).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn rows(files: &Files, path: &str) -> Vec<Vec<String>> {
    let bytes = files.get(path).unwrap_or_else(|| panic!("no {path}"));
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let rows = reader.records().map(|row| {
        let row = row.unwrap_or_else(|error| panic!("{path}: {error}"));
        row.iter().map(str::to_owned).collect()
    });
    rows.collect()
}

fn texts(bytes: &[u8]) -> Vec<(String, String)> {
    let text = std::str::from_utf8(bytes).unwrap();
    let document = roxmltree::Document::parse(text).unwrap();
    let elements = document.descendants().filter(roxmltree::Node::is_element);
    let texts = elements.map(|element| {
        assert_eq!(
            element.tag_name().namespace(),
            Some("http://www.w3.org/2005/Atom")
        );
        let text = element.text().unwrap_or_default();
        (element.tag_name().name().to_owned(), text.to_owned())
    });
    texts.collect()
}

fn check_site(root: &Path, files: &Files) {
    let (reports, index) = (
        json(files, "api/v1/reports.json"),
        json(files, "api/v1/index.json"),
    );
    let left_out = reports["left_out"].as_array().unwrap();
    let listed = reports["reports"].as_array().unwrap();
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for one in listed.iter().chain(left_out) {
        named.insert(one["path"].as_str().unwrap());
    }
    let tree = index["tree"].as_str().unwrap();
    let on_disk = reports_on_disk(root).into_iter();
    let on_disk: BTreeSet<String> = on_disk.map(|path| format!("{tree}/{path}")).collect();
    assert_eq!(named, on_disk.iter().map(String::as_str).collect(), "law 7");
    let table = rows(files, "api/v1/reports.csv");
    assert_eq!(table.len(), listed.len());
    assert_eq!(table.len() + left_out.len(), on_disk.len());
    assert_eq!(index["counts"]["reports"], listed.len());
    assert_eq!(index["left_out"], reports["left_out"]);
    for entry in index["files"].as_array().unwrap() {
        check_entry(files, entry);
    }
    check_rows(files, "findings", |finding| vec![finding.clone()]);
    check_rows(files, "changes", rows_of_changes);
    let feeds: Vec<_> = files
        .keys()
        .filter(|path| path.ends_with(".atom"))
        .collect();
    assert_eq!(index["feeds"].as_array().unwrap().len(), feeds.len());
    for path in feeds {
        check_feed(path, &files[path]);
    }
    let manifest = json(files, MANIFEST);
    let ours = manifest["files"].as_array().unwrap().iter();
    let ours: BTreeSet<_> = ours.map(|path| path.as_str().unwrap()).collect();
    let written = files
        .keys()
        .map(String::as_str)
        .filter(|path| *path != MANIFEST);
    assert_eq!(ours, written.collect());
}

/// Cells of a CSV file are the fields with the names of its columns in the JSON file.
fn check_rows(files: &Files, name: &str, rows_of: fn(&Value) -> Vec<Value>) {
    let table = files[&format!("api/v1/{name}.csv")].as_slice();
    let columns = csv::Reader::from_reader(table).headers().unwrap().clone();
    let listed = json(files, &format!("api/v1/{name}.json"));
    let items = listed[name].as_array().unwrap().iter().flat_map(rows_of);
    let expected = items.map(|item| -> Vec<String> {
        let cells = columns.iter().map(|column| match &item[column] {
            Value::Null => String::new(),
            Value::String(text) => inert(text).into(),
            other => other.to_string(),
        });
        cells.collect()
    });
    let expected: Vec<_> = expected.collect();
    assert_eq!(rows(files, &format!("api/v1/{name}.csv")), expected);
}

fn rows_of_changes(report: &Value) -> Vec<Value> {
    if report["previous_report"].is_null() {
        let mut row = report.clone();
        row["group"] = "new".into();
        row["kind"] = "report".into();
        return vec![row];
    }
    let groups = [
        ("regressions", "regression"),
        ("gains", "gain"),
        ("metadata", "metadata"),
    ];
    let rows = groups.iter().flat_map(|(list, group)| {
        let changes = report[list].as_array().unwrap().iter();
        changes.map(move |change| {
            let mut row = report.clone();
            let fields = change.as_object().unwrap().clone();
            row.as_object_mut().unwrap().extend(fields);
            row["group"] = (*group).into();
            row
        })
    });
    rows.collect()
}

fn reports_on_disk(root: &Path) -> BTreeSet<String> {
    let mut reports = BTreeSet::new();
    for entry in walkdir::WalkDir::new(root).min_depth(3).max_depth(3) {
        let entry = entry.unwrap();
        let path = entry.path().strip_prefix(root).unwrap().to_str().unwrap();
        if path.ends_with(".yaml") && path.starts_with('v') {
            reports.insert(path.to_owned());
        }
    }
    assert!(!reports.is_empty());
    reports
}

fn check_entry(files: &BTreeMap<String, Vec<u8>>, entry: &Value) {
    let path = entry["path"].as_str().unwrap();
    let Some(schema) = entry["schema"].as_str() else {
        let table = rows(files, path);
        assert_eq!(entry["rows"], table.len(), "{path}");
        let header = String::from_utf8_lossy(&files[path])
            .lines()
            .next()
            .unwrap()
            .to_owned();
        let columns = entry["columns"].as_array().unwrap().iter();
        let columns: Vec<_> = columns.map(|column| column.as_str().unwrap()).collect();
        assert_eq!(header, columns.join(","), "{path}");
        return;
    };
    let document = json(files, path);
    let validator = jsonschema::validator_for(&json(files, schema)).unwrap();
    let faults: Vec<_> = validator
        .iter_errors(&document)
        .map(|error| error.to_string())
        .collect();
    assert!(faults.is_empty(), "{path}: {faults:#?}");
    // A schema that accepts every document would also pass the test above.
    let mut wrong = document.clone();
    wrong["version"] = 2.into();
    assert!(!validator.is_valid(&wrong), "{schema}");
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/api");
    let committed = committed.join(schema.rsplit('/').next().unwrap());
    assert_eq!(fs::read(committed).unwrap(), files[schema], "{schema}");
}

fn check_feed(path: &str, bytes: &[u8]) {
    let texts = texts(bytes);
    let all = |name: &str| -> Vec<&String> {
        let of_name = texts.iter().filter(|(of, _)| of == name);
        of_name.map(|(_, text)| text).collect()
    };
    let ids = all("report");
    assert_eq!(
        ids.iter().collect::<BTreeSet<_>>().len(),
        ids.len(),
        "{path}: ids"
    );
    assert!(ids.iter().all(|id| id.starts_with("tag:")), "{path}");
    assert!(ids.len() <= 1 + gwconform::site::MAX_ENTRIES, "{path}");
    let dates = all("updated");
    for date in &dates {
        date.parse::<jiff::Timestamp>().unwrap();
    }
    assert!(
        dates.windows(2).skip(1).all(|pair| pair[0] >= pair[1]),
        "{path}: order"
    );
    if let Some(newest) = dates.get(1) {
        assert_eq!(dates[0], *newest, "{path}");
    }
}

#[test]
fn the_site_of_a_large_tree_is_replaced() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = tempfile::tempdir().unwrap();
    let lost: Vec<_> = (0..60_000)
        .map(|at| format!("implementations/{}/{at}.html", "a".repeat(60)))
        .collect();
    let manifest = serde_json::json!({"version": 1, "files": lost}).to_string();
    assert!(manifest.len() > 5_000_000);
    fs::write(out.path().join(MANIFEST), manifest).unwrap();
    let output = site(project, &["reports", "--out", out.path().to_str().unwrap()]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(out.path().join("index.html").exists());
}

#[test]
fn nothing_of_the_sample_tree_is_lost_and_everything_fits_its_schema() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = tempfile::tempdir().unwrap();
    let site_folder = out.path().join("a/site");
    let output = site(
        project,
        &["reports", "--out", site_folder.to_str().unwrap()],
    );
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output.stdout.contains("67 reports of 14 implementations"),
        "{output:?}"
    );
    check_site(&project.join("reports"), &tree(&site_folder));
    let first = tree(&site_folder);
    let again = site(
        &project.join("src"),
        &["../reports", "--out", site_folder.to_str().unwrap()],
    );
    assert_eq!(again.code, 0, "{again:?}");
    assert_eq!(tree(&site_folder), first);
    assert_eq!(
        fs::read_dir(out.path().join("a")).unwrap().count(),
        1,
        "nothing is left beside"
    );
}

#[test]
fn nothing_of_the_real_tree_is_lost() {
    let Some(corpus) = corpus() else { return };
    let root = corpus.join("gateway-api/conformance/reports");
    check_site(&root, of_corpus(&[]).unwrap());
}

#[test]
fn the_order_of_the_reports_does_not_matter() {
    let mut outcome = checked(&sample());
    let files = |outcome: &CheckReport| rendered(outcome, AsOf::default(), gwconform::site::files);
    let expected = files(&outcome);
    for step in [31, 13, 7].into_iter().step_by(one_in(3)) {
        let count = outcome.reports.len();
        let shuffled = (0..count).map(|at| outcome.reports[(at * step + 3) % count].clone());
        outcome.reports = shuffled.collect();
        assert!(files(&outcome) == expected, "step {step}");
    }
}

const HOSTILE: [&str; 6] = [
    "=HYPERLINK(\\\"http://evil.example\\\")",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "<script>alert(1)</script>]]>&amp;",
    "\\\"onload=x,\\n+1;--",
    "\\u202e\\0\\e[2J\\uFFFE\\uD7FF",
    "../../../etc/passwd",
];

const EXTENDED: &str = "  extended:
    result: success
    skippedTests: [HOSTILE]
    statistics: {Passed: 1, Failed: 0, Skipped: 0}
    supportedFeatures: [HOSTILE]
    unsupportedFeatures: [GatewayPort8080]
";

#[test]
fn hostile_texts_are_inert() {
    for hostile in HOSTILE {
        let folder = Folder::new();
        let quoted = format!("\"{hostile}\"");
        let text = report()
            .replace("organization: acme", &format!("organization: {quoted}"))
            .replace("project: operator", &format!("project: {quoted}"))
            .replace("version: v2.14.0", &format!("version: {quoted}"))
            .replace("url: https://acme.example", &format!("url: {quoted}"))
            .replace("'@acme/maintainers'", &quoted)
            .replace(
                "gatewayAPIChannel: standard",
                &format!("gatewayAPIChannel: {quoted}"),
            )
            .replace("mode: default", &format!("mode: {quoted}"))
            .replace(
                "kind: ConformanceReport",
                &format!("kind: ConformanceReport\nsucceededProvisionalTests: [{quoted}]"),
            )
            .replace(
                "  name: GATEWAY-GRPC",
                &format!("{EXTENDED}  name: GATEWAY-GRPC"),
            )
            .replace("HOSTILE", &quoted);
        let twice = text.replace("name: GATEWAY-GRPC", &format!("name: {quoted}"));
        folder.file(&format!("reports/v1.5/acme/{NAME}"), &text);
        folder.file(
            "reports/v1.5/acme/standard-v2.15.0-default-report.yaml",
            &twice,
        );
        let output = site(folder.path(), &["--out", "site"]);
        assert_eq!(output.code, 0, "{output:?}");
        let out = folder.path().join("site");
        check_site(&folder.path().join("reports"), &tree(&out));
        for (path, bytes) in tree(&out) {
            if path.ends_with(".png") {
                assert!(bytes.starts_with(b"\x89PNG"), "{path}");
                continue;
            }
            let text = String::from_utf8(bytes).unwrap();
            // The example of this rule contains a tab.
            let has_tab = path.starts_with("rules/yaml/unexpected-syntax/");
            let is_odd =
                |c: char| c.is_control() && !matches!(c, '\n' | '\r') && !(has_tab && c == '\t');
            assert!(!text.contains(is_odd), "{path}");
            assert!(!path.contains(".."), "{path}");
            if !path.ends_with(".csv") {
                assert!(!text.contains("<script>"), "{path}");
            }
            if path.ends_with(".csv") {
                for row in rows(&tree(&out), &path) {
                    let bad = row
                        .iter()
                        .find(|cell| cell.starts_with(['=', '+', '-', '@', '\t']));
                    assert_eq!(bad, None, "{path}");
                }
            }
        }
    }
}

fn is_portable(path: &str) -> bool {
    let is_device = |name: &str| {
        let stem = name.split('.').next().unwrap().to_lowercase();
        let number = stem.strip_prefix("com").or(stem.strip_prefix("lpt"));
        ["con", "prn", "aux", "nul"].contains(&stem.as_str())
            || number.is_some_and(|number| number.len() == 1 && number != "0")
    };
    path.is_ascii()
        && path
            .split('/')
            .all(|name| name.len() <= 200 && !is_device(name) && !name.ends_with(['.', ' ']))
}

#[test]
fn names_of_reports_make_files_that_every_system_can_hold() {
    let folder = Folder::new();
    let names = "con NUL Com1 lpt9 aux httproutecors HTTPROUTECORS HTTPRouteCORS AcmeX acmex";
    let names: Vec<&str> = names.split(' ').collect();
    let extended = Level::success(1).skipped(&names).supported(&names);
    let extended = extended.unsupported(&["GatewayPort8080"]);
    let report = ReportBuilder::new().profiles([Profile::grpc().extended(extended)]);
    let long = format!("v1.5.1-{}", "x".repeat(400));
    let releases = ["v1.5.1-RC.1", "v1.5.1-rc.1", "v1.5.1", "v1.5.1-con", &long];
    for (at, release) in releases.into_iter().enumerate() {
        for (organization, project) in
            [("acme", "operator"), ("", "NUL"), ("Con", ""), ("con", ".")]
        {
            let text = report.clone().release(release);
            let text = text.organization(organization).project(project).build();
            folder.file(&format!("reports/v1.5/{organization}-{at}/CON.yaml"), &text);
            folder.file(&format!("reports/v1.5/{organization}-{at}/a.b.yaml"), &text);
            folder.file(
                &format!("reports/v1.5/{organization}-{at}/A-B-report.yaml"),
                &text,
            );
        }
    }
    let output = site(folder.path(), &["--out", "site"]);
    assert_eq!(output.code, 0, "{output:?}");
    let files = tree(&folder.path().join("site"));
    let bad: Vec<_> = files.keys().filter(|path| !is_portable(path)).collect();
    assert_eq!(bad, Vec::<&String>::new());
    let mut spellings: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for path in files.keys() {
        let ends = path
            .match_indices('/')
            .map(|(at, _)| at)
            .chain([path.len()]);
        for part in ends.map(|end| &path[..end]) {
            spellings
                .entry(part.to_lowercase())
                .or_default()
                .insert(part);
        }
    }
    let several: Vec<_> = spellings.values().filter(|same| same.len() > 1).collect();
    assert_eq!(several, Vec::<&BTreeSet<&str>>::new());
    assert!(files.contains_key("features/HTTPRouteCORS/index.html"));
    assert!(!files.contains_key("features/AcmeX/index.html"));
    check_site(
        &folder.path().join("reports"),
        &tree(&folder.path().join("site")),
    );
}

#[test]
fn addresses_are_those_of_the_site() {
    let folder = Folder::with_tree();
    folder.file(
        "gwconform.toml",
        "site-url = \"https://configured.example/x\"\n",
    );
    let first = |arguments: &[&str]| {
        let output = site(folder.path(), arguments);
        assert_eq!(output.code, 0, "{output:?}");
        let files = tree(&folder.path().join("site"));
        let index = json(&files, "api/v1/index.json");
        let feed = String::from_utf8(files["implementations/acme/operator/feed.atom"].clone());
        (index["base_url"].clone(), feed.unwrap())
    };
    let path = "implementations/acme/operator/feed.atom";
    let (base, feed) = first(&["--out", "site"]);
    assert_eq!(base, "https://configured.example/x/");
    assert!(feed.contains(&format!("href=\"https://configured.example/x/{path}\"")));
    assert!(
        feed.contains("<id>tag:configured.example,2026:x/report/v1.5/acme-operator/"),
        "{feed}"
    );
    let (base, feed) = first(&["--out", "site", "--base-url", "http://acme.example:8080/"]);
    assert_eq!(base, "http://acme.example:8080/");
    assert!(feed.contains(&format!("href=\"http://acme.example:8080/{path}\"")));
    assert!(feed.contains("<id>tag:acme.example,2026:report/"), "{feed}");
    folder.file("gwconform.toml", "");
    let (base, feed) = first(&["--out", "site"]);
    assert_eq!(base, Value::Null);
    assert!(feed.contains("href=\"feed.atom\"") && feed.contains("tag:gwconform.invalid,2026:"));
    for wrong in [
        "acme.example",
        "https://acme.example/?q=1",
        "https://me@acme.example/",
    ] {
        assert_eq!(
            site(folder.path(), &["--out", "site", "--base-url", wrong]).code,
            2,
            "{wrong}"
        );
    }
}

#[test]
fn ids_of_entries_stay_when_reports_are_added() {
    let folder = Folder::with_tree();
    let ids = || {
        assert_eq!(site(folder.path(), &["--out", "site"]).code, 0);
        let feed = tree(&folder.path().join("site"))["feed.atom"].clone();
        let texts = texts(&feed).into_iter().filter(|(name, _)| name == "id");
        texts.map(|(_, id)| id).collect::<BTreeSet<_>>()
    };
    let before = ids();
    let older = report()
        .replace("v1.5.1", "v1.4.0")
        .replace("2026-05-20", "2025-11-20");
    folder.file(
        &format!("conformance/reports/v1.4.0/acme-operator/{NAME}"),
        older,
    );
    let undated = report()
        .replace("2026-05-20T10:15:30Z", "-")
        .replace("v2.14.0", "v2.15.0");
    let path = "conformance/reports/v1.5/acme-operator/standard-v2.15.0-default-report.yaml";
    folder.file(path, undated);
    let after = ids();
    assert!(
        after.is_superset(&before) && after.len() == before.len() + 1,
        "{after:?}"
    );
    let index = json(&tree(&folder.path().join("site")), "api/v1/index.json");
    let partly = index["partly_left_out"][0].clone();
    assert_eq!(partly["path"], path);
    assert_eq!(partly["reason"], "in no feed: it has no readable date");
}

#[test]
fn lists_left_out_files_and_obeys_fail_on() {
    let folder = Folder::with_tree();
    folder.file("conformance/reports/v1.5/acme-operator/empty.yaml", "");
    folder.file(
        "conformance/reports/v1.5/acme-operator/other.yaml",
        "kind: Other\n",
    );
    let output = site(folder.path(), &["--out", "site"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(
        output
            .stdout
            .contains("2 left out (listed in site/api/v1/index.json)"),
        "{output:?}"
    );
    check_site(
        &folder.path().join("conformance/reports"),
        &tree(&folder.path().join("site")),
    );
    assert_eq!(
        site(folder.path(), &["--out", "site", "--fail-on", "error"]).code,
        1
    );
    assert_eq!(
        site(folder.path(), &["--out", "site", "--fail-on", "never"]).code,
        0
    );
}

#[test]
fn files_of_others_are_kept() {
    let folder = Folder::with_tree();
    assert_eq!(site(folder.path(), &["--out", "site"]).code, 0);
    folder.file("site/CNAME", "acme.example");
    folder.file("site/.git/objects/a", "x");
    folder.file("site/api/v1/mine.txt", "mine");
    folder.file("site/implementations/acme/operator/logo.png", "logo");
    let kept = [
        "CNAME",
        ".git/objects/a",
        "api/v1/mine.txt",
        "implementations/acme/operator/logo.png",
    ];
    let renamed = ReportBuilder::new().project("other").build();
    folder.file(ACME_REPORT, renamed);
    assert_eq!(site(folder.path(), &["--out", "site"]).code, 0);
    let files = tree(&folder.path().join("site"));
    assert!(
        kept.iter().all(|path| files.contains_key(*path)),
        "{:?}",
        files.keys()
    );
    assert!(!files.contains_key("implementations/acme/operator/feed.atom"));
    assert!(files.contains_key("implementations/acme/other/feed.atom"));
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        2,
        "nothing is left beside"
    );
    folder.file("site/implementations/acme/operator/feed.atom", "theirs");
    folder.file(ACME_REPORT, report());
    let before = tree(&folder.path().join("site"));
    let output = site(folder.path(), &["--out", "site"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert!(
        output
            .stderr
            .contains("feed.atom is in the way of a file of the site; move it away"),
        "{output:?}"
    );
    assert_eq!(tree(&folder.path().join("site")), before);
}

#[test]
fn folders_of_others_are_refused() {
    let folder = Folder::with_tree();
    folder.file("docs/index.html", "mine");
    folder.file("file", "mine");
    let refused = |out: &str, code: i32, message: &str| {
        let output = site(folder.path(), &["--out", out]);
        assert_eq!(output.code, code, "{output:?}");
        assert!(output.stderr.contains(message), "{output:?}");
    };
    refused("docs", 2, "is not empty and was not written by gwconform");
    refused("file", 2, "is not a folder");
    refused("conformance/reports", 2, "is inside the reports tree");
    refused(
        "conformance/reports/v1.5/site",
        2,
        "is inside the reports tree",
    );
    refused("conformance", 2, "conformance contains the reports tree");
    refused(".", 2, ". contains the reports tree");
    assert_eq!(tree(&folder.path().join("docs")).len(), 1);
    for manifest in [
        "",
        "{",
        "{\"version\":2,\"files\":[]}",
        "{\"version\":1,\"files\":[\"../file\"]}",
    ] {
        folder.file(&format!("docs/{MANIFEST}"), manifest);
        refused("docs", 3, "cannot be read");
    }
    fs::create_dir(folder.path().join("empty")).unwrap();
    assert_eq!(site(folder.path(), &["--out", "empty"]).code, 0);
}

#[cfg(unix)]
#[test]
fn links_are_neither_followed_nor_replaced() {
    let folder = Folder::with_tree();
    folder.file("elsewhere/feed.atom", "mine");
    folder.file(".git/HEAD", "");
    folder.link("link", "elsewhere");
    assert_eq!(site(folder.path(), &["--out", "link"]).code, 2);
    folder.link("tree", "conformance/reports");
    assert_eq!(site(folder.path(), &["--out", "tree/site"]).code, 2);
    assert_eq!(site(folder.path(), &["--out", "site"]).code, 0);
    fs::remove_dir_all(folder.path().join("site/implementations/acme/operator")).unwrap();
    folder.link("site/implementations/acme/operator", "../../../elsewhere");
    let output = site(folder.path(), &["--out", "site"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert_eq!(tree(&folder.path().join("elsewhere")).len(), 1);
}

#[test]
fn completes_a_site_after_a_kill() {
    let made = Folder::with_tree();
    assert_eq!(site(made.path(), &["--out", "site"]).code, 0);
    let before = tree(&made.path().join("site"));
    let arguments = ["--out", "site", "--base-url", "https://acme.example/"];
    assert_eq!(site(made.path(), &arguments).code, 0);
    let after = tree(&made.path().join("site"));
    assert!(after.len() > before.len() && after["index.html"] != before["index.html"]);
    let mut foreign = BTreeMap::from([("CNAME".to_owned(), b"acme.example".to_vec())]);
    for number in 0..100 {
        foreign.insert(format!(".git/objects/{number}"), vec![number]);
    }
    let prepare = || {
        let folder = Folder::with_tree();
        for (path, bytes) in before.iter().chain(&foreign) {
            folder.file(&format!("site/{path}"), bytes);
        }
        folder
    };
    let all = [&["site"], &arguments[..]].concat();
    kill_often(
        5,
        false,
        &all,
        prepare,
        Folder::path,
        |folder| fs::read(folder.join("site").join(MANIFEST)).unwrap() != before[MANIFEST],
        |folder, delay| {
            let mut files = tree(&folder.path().join("site"));
            for (path, bytes) in &foreign {
                assert_eq!(files.remove(path).as_ref(), Some(bytes), "{path} {delay:?}");
            }
            files.remove(MANIFEST);
            files.retain(|path, _| !path.contains(".gwconform-"));
            for (path, bytes) in files {
                let states = [before.get(&path), after.get(&path)];
                assert!(states.contains(&Some(&bytes)), "{path} {delay:?}");
            }
            let again = site(folder.path(), &arguments);
            assert_eq!(again.code, 0, "{again:?}");
            let mut files = tree(&folder.path().join("site"));
            files.retain(|path, _| !foreign.contains_key(path));
            assert_eq!(files, after, "{delay:?}");
            let entries = fs::read_dir(folder.path()).unwrap().count();
            assert_eq!(entries, 2, "{delay:?}");
        },
    );
}

#[cfg(unix)]
#[test]
fn writes_nothing_to_read_only_folders() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::with_tree();
    folder.file("file", "");
    assert_eq!(site(folder.path(), &["--out", "file/site"]).code, 2);
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(locked.join("probe"), "").is_err() {
        let output = site(folder.path(), &["--out", "locked/site"]);
        assert_eq!(output.code, 3, "{output:?}");
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(
        fs::read_dir(&locked).unwrap().count(),
        usize::from(locked.join("probe").exists())
    );
}
