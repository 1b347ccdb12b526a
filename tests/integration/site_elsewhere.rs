//! Tests the parts of the site that other services use: link previews, crawlers, dataset search,
//! and the page that servers return for unknown URLs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::maker::{Mistakes, Options, Size};
use crate::support::site::{self, Files};
use crate::support::{has_time, run};
use regex::Regex;
use serde_json::Value;

pub const BASE: &str = "https://acme.example/conformance/";

fn text<'f>(files: &'f Files, path: &str) -> &'f str {
    let bytes = files.get(path).unwrap_or_else(|| panic!("no {path}"));
    std::str::from_utf8(bytes).unwrap()
}

/// All pages except redirects.
fn pages(files: &Files) -> impl Iterator<Item = (&str, &str)> {
    let pages = files.keys().filter(|path| path.ends_with(".html"));
    let pages = pages.map(|path| (path.as_str(), text(files, path)));
    pages.filter(|(_, html)| !html.contains("http-equiv=\"refresh\""))
}

fn meta<'h>(html: &'h str, name: &str) -> Option<&'h str> {
    let start = [
        format!("<meta name=\"{name}\" content=\""),
        format!("<meta property=\"{name}\" content=\""),
    ];
    let at = start
        .iter()
        .find_map(|start| Some(html.find(start)? + start.len()))?;
    html[at..].split('"').next()
}

#[test]
fn a_known_address_makes_a_sitemap_of_all_pages() {
    let files = site::of_sample(&["--base-url", BASE]);
    let location = Regex::new("<loc>([^<]+)</loc>").unwrap();
    let listed: Vec<&str> = location
        .captures_iter(text(files, "sitemap.xml"))
        .map(|found| found.get(1).unwrap().as_str())
        .collect();
    let folders = pages(files).filter_map(|(path, _)| path.strip_suffix("index.html"));
    let expected: BTreeSet<String> = folders.map(|page| format!("{BASE}{page}")).collect();
    assert!(expected.len() > 100);
    assert_eq!(listed.len(), expected.len());
    assert_eq!(expected, listed.into_iter().map(str::to_owned).collect());
    let robots = text(files, "robots.txt");
    assert_eq!(
        robots,
        format!("User-agent: *\nDisallow:\n\nSitemap: {BASE}sitemap.xml\n")
    );
    for (path, html) in pages(files) {
        assert_eq!(html.contains("noindex"), path == "404.html", "{path}");
    }
}

#[test]
fn without_an_address_nothing_absolute_is_made_up() {
    let files = site::of_sample(&[]);
    assert!(!files.contains_key("sitemap.xml"));
    assert_eq!(text(files, "robots.txt"), "User-agent: *\nDisallow:\n");
    for (path, html) in pages(files) {
        for name in ["og:image", "og:url", "og:image:width"] {
            assert_eq!(meta(html, name), None, "{path}");
        }
        assert_eq!(meta(html, "twitter:card"), Some("summary"), "{path}");
    }
}

#[test]
fn previews_have_a_picture_of_the_size_that_is_stated() {
    let files = site::of_sample(&["--base-url", BASE]);
    for (path, html) in pages(files) {
        let picture = meta(html, "og:image").unwrap_or_else(|| panic!("{path}"));
        let bytes = &files[picture.strip_prefix(BASE).unwrap()];
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
        // The first PNG chunk contains width and height.
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        let stated = ["og:image:width", "og:image:height"].map(|name| meta(html, name).unwrap());
        assert_eq!([16, 20].map(|at| number(at).to_string()), stated);
        assert!(bytes.len() < 100_000);
        assert_eq!(meta(html, "twitter:card"), Some("summary_large_image"));
        assert!(meta(html, "og:image:alt").is_some_and(|words| words.len() > 20));
        let url =
            (path != "404.html").then(|| format!("{BASE}{}", path.trim_end_matches("index.html")));
        assert_eq!(meta(html, "og:url"), url.as_deref(), "{path}");
    }
}

#[test]
fn the_page_for_what_is_not_there_holds_at_any_address() {
    let address = Regex::new(r#" (?:href|src|action)="([^"]+)""#).unwrap();
    let files = site::of_sample(&["--base-url", BASE]);
    let mut count = 0;
    for found in address.captures_iter(text(files, "404.html")) {
        let target = &found[1];
        let Some(path) = target.strip_prefix(BASE) else {
            assert_eq!(target, "#main");
            continue;
        };
        let path = path.split('#').next().unwrap();
        let file = if path.is_empty() || path.ends_with('/') {
            format!("{path}index.html")
        } else {
            path.to_owned()
        };
        assert!(files.contains_key(&file), "{target}");
        count += 1;
    }
    assert!(count > 10);
}

#[test]
fn the_page_for_what_is_not_there_needs_no_other_file() {
    for arguments in [&[][..], &["--base-url", BASE]] {
        let html = text(site::of_sample(arguments), "404.html");
        assert!(!html.contains("rel=\"stylesheet\""), "{arguments:?}");
        assert!(html.contains("<style>") && html.contains("style-src 'sha256-"));
        let has_script = html.contains("<script type=\"module\" data-page=");
        assert_eq!(has_script, arguments.is_empty());
        assert_eq!(html.contains("script-src 'self' 'sha256-"), has_script);
    }
}

#[test]
fn the_first_page_describes_its_data() {
    let dataset = |files: &Files| -> Value {
        let html = text(files, "index.html");
        let start = "<script type=\"application/ld+json\">";
        let (_, rest) = html.split_once(start).unwrap();
        serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
    };
    let files = site::of_sample(&["--base-url", BASE, "--source-revision", "0123abc"]);
    let found = dataset(files);
    assert_eq!(found["@type"], "Dataset");
    assert_eq!(found["url"], BASE);
    assert_eq!(found["version"], "0123abc");
    // Google requires at least 50 characters.
    assert!(found["description"].as_str().unwrap().len() >= 50);
    let downloads = found["distribution"].as_array().unwrap();
    assert!(downloads.len() >= 4);
    for download in downloads {
        let url = download["contentUrl"].as_str().unwrap();
        assert!(files.contains_key(url.strip_prefix(BASE).unwrap()), "{url}");
    }
    assert_eq!(dataset(site::of_sample(&[])).get("url"), None);
}

/// The base URL is the only text in the data that the user controls.
#[test]
fn data_cannot_end_its_element() {
    let folder = crate::support::folder::Folder::with_tree();
    let address = "https://acme.example/a'b&c=%3C/script%3E";
    folder.file("gwconform.toml", format!("source-url = \"{address}\"\n"));
    let files = &site::of(
        &folder.path().join("conformance/reports"),
        &[
            "--config",
            folder.path().join("gwconform.toml").to_str().unwrap(),
        ],
    );
    let html = text(files, "index.html");
    let (_, rest) = html.split_once("application/ld+json\">").unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    assert!(!json.contains(['<', '>', '&']), "{json}");
    let found: Value = serde_json::from_str(json).unwrap();
    assert_eq!(found["isBasedOn"], address);
}

#[test]
fn the_revision_is_named_and_checked() {
    let revision = "0123456789ABCDEF0123456789abcdef01234567";
    let small = revision.to_ascii_lowercase();
    let files = site::of_sample(&["--source-revision", revision]);
    let version = format!("gwconform {}", env!("CARGO_PKG_VERSION"));
    for (path, html) in pages(files) {
        assert!(
            html.contains(&format!("commit <code>{small}</code>")),
            "{path}"
        );
        assert_eq!(meta(html, "generator"), Some(version.as_str()), "{path}");
    }
    let index: Value = serde_json::from_slice(&files["api/v1/index.json"]).unwrap();
    assert_eq!(index["tree_commit"], small);
    assert_eq!(index["generator"], version);
    let index: Value = serde_json::from_slice(&site::of_sample(&[])["api/v1/index.json"]).unwrap();
    assert!(index["tree_commit"].is_null());
    let folder = tempfile::tempdir().unwrap();
    for wrong in ["main", "123456", "v1.2.3", "<b>0123456", &"a".repeat(65)] {
        let arguments = ["site", "x", "--out", "y", "--source-revision", wrong];
        let output = run(folder.path(), &arguments.map(str::to_owned));
        assert_eq!(output.code, 2, "{wrong}");
        output.stderr_has("is not a commit; expected 7 to 64 hexadecimal digits");
    }
}

#[test]
fn descriptions_carry_the_verdict() {
    let files = site::of_sample(&[]);
    let api = |name: &str| -> Value { serde_json::from_slice(&files[name]).unwrap() };
    let reports = api("api/v1/reports.json");
    let mut count = 0;
    for report in reports["reports"].as_array().unwrap() {
        let path = format!(
            "implementations/{}/index.html",
            report["report"].as_str().unwrap()
        );
        let description = meta(text(files, &path), "description").unwrap();
        for profile in report["profiles"].as_array().unwrap() {
            let result = match profile["status"].as_str().unwrap() {
                "conformant" => "passed",
                "partial" => "passed with skips",
                "failing" => "failed",
                status => status,
            };
            assert!(description.contains(result), "{path}: {description}");
            count += 1;
        }
    }
    assert!(count > 50);
    let home = text(files, "index.html");
    let description = meta(home, "description").unwrap();
    let (_, headline) = home.split_once("<h1>").unwrap();
    let (headline, _) = headline.split_once("</h1>").unwrap();
    assert!(description.starts_with(headline), "{description}");
    assert!(headline.contains(" conformant with "), "{headline}");
    for one in api("api/v1/implementations.json")["implementations"]
        .as_array()
        .unwrap()
    {
        let slug = one["implementation"].as_str().unwrap();
        let html = text(files, &format!("implementations/{slug}/index.html"));
        let badge: Value = serde_json::from_slice(&files[&format!("badges/{slug}.json")]).unwrap();
        let description = meta(html, "description").unwrap();
        assert!(
            description.contains(badge["message"].as_str().unwrap()),
            "{slug}: {description}"
        );
    }
}

#[test]
fn a_feature_without_events_has_no_feed() {
    let files = site::of_sample(&[]);
    let features: Value = serde_json::from_slice(&files["api/v1/features.json"]).unwrap();
    let (mut with, mut without) = (0, 0);
    for feature in features["features"].as_array().unwrap() {
        let name = feature["feature"].as_str().unwrap();
        let path = format!("features/{name}/feed.atom");
        let is_there = files.contains_key(&path);
        assert_eq!(
            feature["feed"].as_str(),
            is_there.then_some(path.as_str()),
            "{name}"
        );
        let page = format!("features/{name}/index.html");
        let is_linked = files.get(&page).is_some_and(|html| {
            std::str::from_utf8(html)
                .unwrap()
                .contains("feed.atom\">Feed of this feature")
        });
        assert_eq!(is_linked, is_there, "{name}");
        if is_there {
            assert!(text(files, &path).contains("<entry>"), "{name}");
            with += 1;
        } else {
            without += 1;
        }
    }
    assert!(with > 20 && without > 0, "{with} {without}");
}

#[test]
fn every_image_has_its_own_width_and_height() {
    let files = site::of_sample(&[]);
    let image = Regex::new("<img [^>]*>").unwrap();
    let attribute = |tag: &str, name: &str| -> String {
        let (_, rest) = tag
            .split_once(&format!(" {name}=\""))
            .unwrap_or_else(|| panic!("{tag} has no {name}"));
        rest.split('"').next().unwrap().to_owned()
    };
    let mut count = 0;
    for (path, html) in pages(files) {
        for tag in image.find_iter(html) {
            let tag = tag.as_str();
            let file = attribute(tag, "src").replace("../", "");
            let svg = text(files, &file);
            let root = &svg[..svg.find('>').unwrap()];
            for name in ["width", "height"] {
                assert_eq!(attribute(tag, name), attribute(root, name), "{path}: {tag}");
            }
            count += 1;
        }
    }
    assert!(count > 30);
}

fn made(minor: &str) -> Vec<(String, String, String)> {
    let options = Options {
        seed: 19,
        size: Size::Reports(600),
        mistakes: Mistakes::None,
    };
    let files: BTreeMap<PathBuf, String> = crate::maker::make(&options).into_iter().collect();
    let mut found: BTreeMap<&Path, (String, String, String)> = BTreeMap::new();
    for (path, text) in &files {
        let is_wanted = path.starts_with(minor) && text.contains("name: GATEWAY-HTTP");
        if path
            .extension()
            .is_some_and(|extension| extension == "yaml")
            && is_wanted
        {
            let folder = path.parent().unwrap();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let readme = files[&folder.join("README.md")].clone();
            found.insert(folder, (readme, name, text.clone()));
        }
    }
    found.into_values().collect()
}

fn tree_of(implementations: usize, minors: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let organization = Regex::new("(?m)^  organization: .*$").unwrap();
    let project = Regex::new("(?m)^  project: .*$").unwrap();
    for minor in minors {
        let made = made(minor);
        assert!(made.len() >= 20, "{minor}: {}", made.len());
        for (at, (readme, name, text)) in (0..implementations).zip(made.iter().cycle()) {
            let own = folder
                .path()
                .join(format!("{minor}/gateways-{at:03}-operator"));
            fs::create_dir_all(&own).unwrap();
            let named = format!("  organization: gateways-{at:03}");
            let text = organization.replace(text, named.as_str());
            let text = project.replace(&text, "  project: operator");
            fs::write(own.join(name), text.as_bytes()).unwrap();
            fs::write(own.join("README.md"), readme).unwrap();
        }
    }
    folder
}

/// Maximum bytes of a page. A phone loads a megabyte in a few seconds.
const MOST: usize = 1_000_000;

const FRAME: usize = 60_000;

/// 300 implementations suffice to split pages and to fill the home page; the others must stay below
/// their share of a megabyte. `.ci/long` generates 1000.
#[test]
fn a_tree_of_a_thousand_implementations_has_no_page_of_a_megabyte() {
    let count = if has_time() { 1000 } else { 300 };
    let tree = tree_of(count, &["v1.3.0", "v1.5", "v1.6"]);
    let files = &site::of(tree.path(), &[]);
    is_light(files, count);
    loads_older_reports_only_on_request(files, count);
    exports_all_parts(tree.path(), files);
    let share = MOST * count / 1000 + FRAME;
    let heavy: Vec<_> = pages(files)
        .filter(|(path, _)| *path != "index.html" && !path.starts_with("matrix/"))
        .filter(|(_, html)| html.len() >= share)
        .map(|(path, html)| format!("{path}: {}", html.len()))
        .collect();
    assert!(heavy.is_empty(), "{heavy:#?}");
}

/// IDs of the reports in the data files that an attribute of the page `find/` names.
fn loaded(files: &Files, attribute: &str) -> Vec<String> {
    let find = text(files, "find/index.html");
    let (_, rest) = find.split_once(&format!("data-{attribute}=\"")).unwrap();
    let mut loaded = Vec::new();
    for part in rest.split('"').next().unwrap().split(' ') {
        let part = part.strip_prefix("../").unwrap();
        assert!(files[part].len() < MOST, "{part}: {}", files[part].len());
        let part: Value = serde_json::from_slice(&files[part]).unwrap();
        let own = part["reports"].as_array().unwrap().iter();
        loaded.extend(own.map(|report| report["report"].as_str().unwrap().to_owned()));
    }
    loaded
}

/// A data file lists at most 500 reports.
fn loads_older_reports_only_on_request(files: &Files, count: usize) {
    let (shown, older) = (loaded(files, "source"), loaded(files, "older"));
    assert_eq!((shown.len(), older.len()), (2 * count, count));
    assert!(older.iter().all(|id| id.contains("/v1.3")), "{older:?}");
    let compare = text(files, "compare/index.html");
    let all = Regex::new(r#"data-source="([^"]*)""#).unwrap();
    let all = all.captures(compare).unwrap();
    let parts = (2 * count).div_ceil(500);
    assert_eq!(all[1].split(' ').count(), parts + count.div_ceil(500));
    let numbers: Vec<String> = (0..parts).map(|part| part.to_string()).collect();
    let numbers = format!(r#" data-parts="{}">"#, numbers.join(" "));
    assert!(compare.contains(&numbers), "{numbers}");
}

#[test]
fn find_loads_all_reports_of_a_small_tree() {
    let small = &site::of(tree_of(2, &["v1.3.0", "v1.6"]).path(), &[]);
    assert_eq!(loaded(small, "source").len(), 4);
    assert!(!text(small, "find/index.html").contains("data-older"));
}

fn exports_all_parts(tree: &Path, files: &Files) {
    let words = ["export", "wizard", tree.to_str().unwrap()];
    let output = run(tree, &words.map(str::to_owned));
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let wizard: Value = serde_json::from_str(&output.stdout).unwrap();
    let reports: Value = serde_json::from_slice(&files["api/v1/reports.json"]).unwrap();
    for report in reports["reports"].as_array().unwrap() {
        let profiles = report["profiles"].as_array().unwrap().iter();
        let names = profiles.flat_map(|profile| {
            let names = profile["extended"]["unsupported_features"].as_array();
            names.into_iter().flatten()
        });
        let names: BTreeSet<&str> = names.map(|name| name.as_str().unwrap()).collect();
        let exported = &wizard["reports"][report["report"].as_str().unwrap()]["unsupported"];
        let exported = exported.as_array().unwrap().iter();
        let exported: BTreeSet<&str> = exported.map(|name| name.as_str().unwrap()).collect();
        assert_eq!(exported, names, "{}", report["report"]);
    }
}

fn is_light(files: &Files, count: usize) {
    let api = |name: &str| -> Value { serde_json::from_slice(&files[name]).unwrap() };
    let reports = api("api/v1/reports.json");
    let reports = reports["reports"].as_array().unwrap();
    assert_eq!(reports.len(), 3 * count);
    let heavy: Vec<_> = pages(files)
        .filter(|(_, html)| html.len() >= MOST)
        .map(|(path, html)| format!("{path}: {}", html.len()))
        .collect();
    assert!(heavy.is_empty(), "{heavy:#?}");
    let ids = reports.iter();
    let ids: Vec<_> = ids
        .map(|report| report["report"].as_str().unwrap())
        .filter(|id| !id.contains("/v1.3"))
        .collect();
    assert_eq!(loaded(files, "source"), ids);
    let column = Regex::new(r#"<th scope="col" class="m[^"]*" data-slug="([^"]+)""#).unwrap();
    for minor in ["v1.5", "v1.6"] {
        let start = format!("matrix/{minor}/GATEWAY-HTTP/");
        let parts: Vec<_> = pages(files)
            .filter(|(path, _)| path.starts_with(&start))
            .collect();
        assert!(parts.len() > 2);
        let columns: Vec<&str> = parts
            .iter()
            .flat_map(|(_, html)| column.captures_iter(html))
            .map(|found| found.get(1).unwrap().as_str())
            .collect();
        assert_eq!(columns.len(), count);
        assert_eq!(columns.iter().collect::<BTreeSet<_>>().len(), count);
        let first = text(files, &format!("{start}index.html"));
        for (path, _) in &parts[1..] {
            let part = path
                .strip_prefix(&start)
                .unwrap()
                .trim_end_matches("index.html");
            assert!(
                first.contains(&format!("href=\"../../../{start}{part}\"")),
                "{path}"
            );
        }
    }
    for page in ["index.html", "compare/index.html"] {
        let html = text(files, page);
        let missing = (0..count).find(|at| !html.contains(&format!("gateways-{at:03}/operator")));
        assert_eq!(missing, None, "{page}");
    }
    let home = text(files, "index.html");
    let rows = home.matches("<tbody").count();
    assert_eq!(rows, 200);
    assert!(home.contains(&format!("<p>{} more:</p>", count - rows)));
}

/// A list shows at most 200 reports.
#[test]
fn a_submission_with_hundreds_of_modes_does_not_fill_pages() {
    const MODES: usize = 450;
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("v1.5/acme-operator");
    fs::create_dir_all(&own).unwrap();
    let from = Path::new("reports/v1.5/acme-operator");
    fs::copy(from.join("README.md"), own.join("README.md")).unwrap();
    let report = fs::read_to_string(from.join("standard-v2.18.3-default-report.yaml")).unwrap();
    for at in 0..MODES {
        let text = report.replace("\nmode: default\n", &format!("\nmode: mode-{at}\n"));
        let name = format!("standard-v2.18.3-mode-{at}-report.yaml");
        fs::write(own.join(name), text).unwrap();
    }
    // An earlier report, so that there are changes.
    let before = folder.path().join("v1.4/acme-operator");
    fs::create_dir_all(&before).unwrap();
    fs::copy(from.join("README.md"), before.join("README.md")).unwrap();
    let older = report.replace("\nmode: default\n", "\nmode: mode-0\n");
    let older = older.replace("v1.5.1", "v1.4.1");
    fs::write(before.join("standard-v2.18.3-mode-0-report.yaml"), older).unwrap();
    let files = &site::of(folder.path(), &[]);
    let link = Regex::new(r#"href="[^"]*-mode-\d+/""#).unwrap();
    let count = |path: &str| link.find_iter(text(files, path)).count();
    for page in ["index.html", "tests/GatewayModifyListeners/index.html"] {
        let links = count(page);
        assert!((200..260).contains(&links), "{page}: {links}");
    }
    for page in ["", "changes/"] {
        let page = format!("implementations/acme/operator/{page}index.html");
        let links = count(&page);
        assert!((200..MODES).contains(&links), "{page}: {links}");
        assert!(text(files, &page).contains("251 older reports"), "{page}");
    }
}
