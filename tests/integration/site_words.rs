//! Tests that each word and each count has one meaning on all pages.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::folder::{Folder, README};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::site::{self, Files};
use crate::support::{corpus, sample};
use gwconform_report::certify::{AsOf, DaySource};
use gwconform_report::rules::check::CheckReport;
use regex::Regex;
use serde_json::Value;

fn page<'f>(files: &'f Files, path: &str) -> &'f str {
    let bytes = files.get(path).unwrap_or_else(|| panic!("no {path}"));
    std::str::from_utf8(bytes).unwrap()
}

fn data(files: &Files, name: &str) -> Value {
    serde_json::from_str(page(files, &format!("api/v1/{name}.json"))).unwrap()
}

fn words(html: &str) -> String {
    let text = Regex::new("<[^>]*>").unwrap().replace_all(html, " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Text without any spaces.
fn joined(html: &str) -> String {
    words(html).replace(' ', "")
}

fn all(html: &str, pattern: &str) -> Vec<String> {
    let pattern = Regex::new(pattern).unwrap();
    let found = pattern.captures_iter(html);
    found.map(|found| found[1].to_owned()).collect()
}

/// Counts on `/features/`, by feature and minor.
fn counts(files: &Files) -> BTreeMap<(String, String), String> {
    let html = page(files, "features/index.html");
    let minors = all(html, r#"<th scope="col" class="s s\d+">(v[\d.]+)</th>"#);
    let mut counts = BTreeMap::new();
    for row in all(html, r"(?s)(<tr data-q=.*?</tr>)") {
        let name = all(&row, r#"title="([^"]+)""#).remove(0);
        let cells = all(&row, r#"(?s)<td class="s s[^>]*>(.*?)</td>"#);
        for (minor, cell) in minors.iter().zip(cells) {
            counts.insert((name.clone(), minor.clone()), joined(&cell));
        }
    }
    counts
}

#[test]
fn a_matrix_counts_the_same_implementations_as_the_list_of_features() {
    let mut compared = 0;
    for files in [Some(site::of_sample(&[])), site::of_corpus(&[])] {
        let Some(files) = files else { continue };
        let counts = counts(files);
        for path in files.keys().filter(|path| path.starts_with("matrix/v")) {
            let minor = path.split('/').nth(1).unwrap();
            let html = page(files, path);
            for row in all(html, r#"(?s)(<tr id="f-.*?</tr>)"#) {
                let name = all(&row, r#"id="f-([^"]+)""#).remove(0);
                let cell = all(
                    &row,
                    r#"(?s)<td class="x">(.*?)(?:<small class="exp".*?)?</td>"#,
                );
                let Some(listed) = counts.get(&(name.clone(), minor.to_owned())) else {
                    continue;
                };
                assert_eq!(&joined(&cell[0]), listed, "{name} in {path}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn each_implementation_has_a_row_of_a_feature_and_former_ones_fold() {
    for files in [Some(site::of_sample(&[])), site::of_corpus(&[])] {
        let Some(files) = files else { continue };
        let listed = data(files, "implementations");
        let (mut current, mut former) = (BTreeSet::new(), BTreeSet::new());
        for one in listed["implementations"].as_array().unwrap() {
            let mut families = one["families"].as_array().unwrap().iter();
            let is_current = families.any(|family| family["standing"] != "not-current");
            let group = if is_current {
                &mut current
            } else {
                &mut former
            };
            group.insert(one["implementation"].as_str().unwrap().to_owned());
        }
        let pages = files.keys().filter(|path| {
            path.starts_with("features/")
                && path.ends_with("/index.html")
                && path.matches('/').count() == 2
        });
        for path in pages {
            let html = page(files, path);
            let (open, folded) = html.split_once(r#"<summary id="former">"#).unwrap();
            for (part, expected) in [(open, &current), (folded, &former)] {
                let linked = all(part, r#"href="../../implementations/([^/"]+/[^/"]+)/""#);
                let distinct: BTreeSet<String> = linked.iter().cloned().collect();
                assert_eq!(
                    (&distinct, linked.len()),
                    (expected, expected.len()),
                    "{path}"
                );
            }
        }
    }
    let Some(files) = site::of_corpus(&[]) else {
        return;
    };
    for (feature, implementation, answer) in [
        (
            "TLSRoute",
            "gke/gke-gateway",
            "did not report GATEWAY-TLS as of 1.36.2-gke.2154000 (v1.6)",
        ),
        (
            "HTTPRouteRetry",
            "istio/istio",
            "not part of v1.5 (since v1.6) as of 1.30.1 (v1.5)",
        ),
        (
            "HTTPRouteCORS",
            "cilium/cilium",
            "yes, proved v1.20.0 (v1.6, 2026-07-31) both",
        ),
        (
            "HTTPRouteCORS",
            "gke/gke-gateway",
            "no: unsupported as of 1.36.2-gke.2154000 (v1.6)",
        ),
    ] {
        let html = page(files, &format!("features/{feature}/index.html"));
        let (_, row) = html
            .split_once(&format!("implementations/{implementation}/\""))
            .unwrap();
        let text = words(row.split_once("</tr>").unwrap().0);
        assert!(text.contains(answer), "{feature}: {text}");
    }
}

const SUPPORTED: [&str; 8] = [
    "proved",
    "proved-by-log",
    "partly-seen",
    "not-seen",
    "skipped",
    "no-test",
    "claimed",
    "failed",
];

/// Parts of a minor such as `v1.5`, which sort by number.
fn minor(text: &str) -> Vec<u32> {
    let parts = text[1..].split('.');
    parts.map(|part| part.parse().unwrap()).collect()
}

/// Implementations that report and that support each feature in each minor, from the data of the
/// page `find`.
fn adoption(files: &Files) -> BTreeMap<(String, Vec<u32>), [BTreeSet<String>; 2]> {
    let support = data(files, "support");
    let names: Vec<&str> = (support["features"].as_array().unwrap().iter())
        .map(|feature| feature["feature"].as_str().unwrap())
        .collect();
    let mut found: BTreeMap<_, [BTreeSet<String>; 2]> = BTreeMap::new();
    for report in support["reports"].as_array().unwrap() {
        let profiles = report["profiles"].as_array().unwrap();
        let is_valid = |profile: &Value| {
            ["conformant", "partial", "failing"].contains(&profile["status"].as_str().unwrap())
        };
        let Some(of) = report["minor"]
            .as_str()
            .filter(|_| profiles.iter().any(is_valid))
        else {
            continue;
        };
        let slug = report["implementation"].as_str().unwrap();
        for profile in profiles {
            for (state, places) in profile["states"].as_object().unwrap() {
                for place in places.as_array().unwrap() {
                    let name = names[place.as_u64().unwrap() as usize].to_owned();
                    let own = found.entry((name, minor(of))).or_default();
                    own[0].insert(slug.to_owned());
                    if SUPPORTED.contains(&state.as_str()) {
                        own[1].insert(slug.to_owned());
                    }
                }
            }
        }
    }
    found
}

#[test]
fn the_word_of_a_feature_fits_the_data() {
    let mut words_seen = BTreeSet::new();
    for files in [Some(site::of_sample(&[])), site::of_corpus(&[])] {
        let Some(files) = files else { continue };
        let found = adoption(files);
        let newest = data(files, "index")["newest_minor"]
            .as_str()
            .unwrap()
            .to_owned();
        let find = words(page(files, "find/index.html"));
        for feature in data(files, "features")["features"].as_array().unwrap() {
            let feature = feature["feature"].as_str().unwrap();
            let Some(badge) = files.get(&format!("features/{feature}/badge.json")) else {
                continue;
            };
            let badge: Value = serde_json::from_slice(badge).unwrap();
            assert_eq!(badge["label"], format!("Gateway API {feature}"));
            let message = badge["message"].as_str().unwrap();
            words_seen.insert(message.split(' ').nth(2).unwrap_or_default().to_owned());
            let own = found.iter().filter(|((name, _), _)| name == feature);
            let mut five = own.filter(|(_, [_, supported])| supported.len() >= 5);
            let now = found.get(&(feature.to_owned(), minor(&newest)));
            let expected = match (five.next(), now) {
                _ if message.starts_with("re") => continue,
                (Some(((_, of), _)), _) => {
                    format!("supported by 5+ since v{}.{}", of[0], of[1])
                }
                (None, Some([reported, supported])) => {
                    let (supported, reported) = (supported.len(), reported.len());
                    format!("supported by {supported} of {reported} in {newest}")
                }
                (None, None) => "not reported".to_owned(),
            };
            assert_eq!(message, expected, "{feature}");
            let html = page(files, &format!("features/{feature}/index.html"));
            let (first, rest) = message.split_at(1);
            let shown = format!(">{}{rest}</button>", first.to_uppercase());
            assert!(html.contains(&shown), "{feature}");
            assert!(find.contains(message), "{feature}: {message}");
        }
    }
    assert!(
        words_seen.contains("5+") && words_seen.len() > 2,
        "{words_seen:?}"
    );
}

/// Minor that the badge of each feature names.
fn since(files: &Files) -> BTreeMap<String, Vec<u32>> {
    let features = data(files, "features");
    let features = features["features"].as_array().unwrap().iter();
    let known = features.filter_map(|one| {
        let since = minor(one["supported_since"].as_str()?);
        Some((one["feature"].as_str()?.to_owned(), since))
    });
    known.collect()
}

fn never_later(before: &Files, after: &Files, change: &str) -> usize {
    let (before, after) = (since(before), since(after));
    for (feature, since) in &before {
        let later = after.get(feature);
        assert!(
            later.is_some_and(|later| later <= since),
            "{feature}, {change}: {later:?}"
        );
    }
    before.len()
}

#[test]
fn since_never_moves_to_a_later_minor() {
    let days = ["2025-06-01", "2025-12-15", "2026-05-01", "2026-08-13"];
    let data = |outcome: &CheckReport, day: &str| {
        let day = Some(day.parse().unwrap());
        let from = DaySource::Option;
        site::rendered(outcome, AsOf { day, from }, gwconform::site::data_files)
    };
    let mut compared = 0;
    if let Some(corpus) = corpus() {
        let outcome = site::checked(&corpus.join("gateway-api/conformance/reports"));
        let sites = days.map(|day| data(&outcome, day));
        for [before, after] in sites.array_windows() {
            compared += never_later(before, after, "later day");
            let rewrite = |files: &Files| since(files)["HTTPRouteHostRewrite"].clone();
            assert_eq!(rewrite(before), rewrite(after));
        }
    }
    let whole = site::checked(&sample());
    let all = data(&whole, days[3]);
    for nth in 0..6 {
        let mut without = whole.clone();
        let mut numbers = 0..;
        without
            .reports
            .retain(|_| numbers.next().unwrap() % 6 != nth);
        assert!(without.reports.len() < whole.reports.len());
        compared += never_later(&data(&without, days[3]), &all, "more reports");
    }
    assert!(compared > 50, "{compared}");
}

/// Report for v1.6.1 that was written before some of its tests finished.
fn unseen() -> Files {
    let folder = Folder::new();
    let http = Profile::new("GATEWAY-HTTP")
        .core(Level::success(37))
        .summarized();
    let report = ReportBuilder::new()
        .release("v1.6.1")
        .date("2026-07-31T10:15:30Z")
        .profiles([http]);
    folder.file("conformance/reports/v1.6/acme/README.md", README);
    folder.file("conformance/reports/v1.6/acme/r.yaml", report.build());
    let about = "[about]\noperator = 'Acme & Sons'\noperator-url = 'https://acme.example/'\nlicense = 'CC0-1.0'\n";
    let policy = "\n[policy]\nnext-review = '2027-01-15'\n";
    folder.file("gwconform.toml", format!("{about}{policy}"));
    folder.site("")
}

#[test]
fn unseen_results_are_not_counted_as_passed() {
    let files = unseen();
    let report = files
        .keys()
        .find(|path| path.contains("/v1.6.1/") && path.ends_with("index.html"))
        .unwrap();
    let html = page(&files, report);
    let text = words(html);
    let cells = Regex::new(r"core (\d+) (\d+) 0 0").unwrap();
    let found = cells.captures(&text).unwrap_or_else(|| panic!("{text}"));
    let numbers = [1, 2].map(|at| found[at].parse::<usize>().unwrap());
    assert_eq!(numbers.iter().sum::<usize>(), 37, "{text}");
    assert!(numbers[1] > 0, "{text}");
    let reason = format!("37 core tests, {} not seen", numbers[1]);
    assert!(text.contains(&reason), "{text}");
    let hollow = all(html, r#"<path class="unseen" d="([^"]+)""#).concat();
    assert_eq!(hollow.matches('M').count(), numbers[1]);
    for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with(".atom")) {
        let feed = String::from_utf8_lossy(bytes);
        assert!(!feed.contains("tests passed"), "{path}");
        assert!(
            !feed.contains("<entry>") || feed.contains(&reason),
            "{path}"
        );
    }
}

#[test]
fn about_names_the_operator_and_the_next_review() {
    let files = unseen();
    let text = words(page(&files, "about/index.html"));
    for expected in [
        "Operator Acme &amp; Sons",
        "Status unofficial",
        "License of the data CC0-1.0",
        "Next release review 2027-01-15",
        "1 report of 1 implementation, as of 2026-08-13",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let data = words(page(&files, "api/index.html"));
    assert!(data.contains("licensed under CC0-1.0"), "{data}");
    let description: Value = serde_json::from_str(page(&files, "api/v1/openapi.json")).unwrap();
    assert_eq!(description["info"]["license"]["name"], "CC0-1.0");
    let silent = words(page(site::of_sample(&[]), "about/index.html"));
    assert!(silent.contains("Operator not stated"), "{silent}");
}

#[test]
fn a_word_is_explained_on_the_page_that_uses_it() {
    let files = site::of_sample(&[]);
    let about = page(files, "about/index.html");
    for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
        let html = String::from_utf8_lossy(bytes);
        for id in all(&html, r#"popovertarget="([^"]+)""#) {
            assert_eq!(
                html.matches(&format!("id=\"{id}\"")).count(),
                1,
                "{path}: {id}"
            );
            assert!(about.contains(&format!("id=\"{id}\"")), "{path}: {id}");
        }
    }
    for path in [
        "features/index.html",
        "features/HTTPRoute/index.html",
        "find/index.html",
    ] {
        assert!(page(files, path).contains("popovertarget"), "{path}");
    }
}
