//! Tests the pages of conformance tests, of gaps, and the index of the search box.

use std::path::Path;

use crate::support::folder::{Folder, NAME, README};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::run;
use crate::support::site::{self, ALL_PAGES, Files};
use regex::Regex;
use serde_json::Value;

fn text<'f>(files: &'f Files, path: &str) -> &'f str {
    let bytes = files.get(path).unwrap_or_else(|| panic!("no {path}"));
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn pages_of_tests_show_the_results_of_the_command() {
    let files = site::of_sample(&ALL_PAGES);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for test in [
        "HTTPRouteWeight",
        "HTTPRouteCORS",
        "GRPCRouteHeaderMatching",
    ] {
        let arguments = ["tests", test, "--in", "reports", "--format", "json"];
        let output = run(root, &arguments.map(str::to_owned));
        let listed: Value = serde_json::from_str(&output.stdout).unwrap();
        let listed = &listed["tests"][0];
        let page = text(files, &format!("tests/{test}/index.html"));
        let results = listed["results"].as_array().unwrap();
        assert!(!results.is_empty(), "{test}");
        for result in results {
            let slug = result["implementation"].as_str().unwrap();
            assert!(
                page.contains(&format!("/implementations/{slug}/\"")),
                "{test}: {slug}"
            );
        }
        for feature in listed["features"].as_array().unwrap() {
            let link = format!("/features/{}/\"", feature.as_str().unwrap());
            assert!(page.contains(&link), "{test}: {feature}");
        }
        assert!(page.contains(listed["test_url"].as_str().unwrap()));
    }
}

#[test]
fn tests_are_listed_by_skips() {
    let files = site::of_sample(&ALL_PAGES);
    let cell = Regex::new("<td class=\"n[^\"]*\">([0-9]+|–)</td>").unwrap();
    let rows = text(files, "tests/index.html").split("<tr data-q=").skip(1);
    let skipped = rows.map(|row| {
        let first = cell.captures(row).unwrap();
        first[1].parse::<usize>().unwrap_or(0)
    });
    let skipped: Vec<_> = skipped.collect();
    assert!(skipped.len() > 100 && skipped[0] > 0);
    assert!(skipped.is_sorted_by(|a, b| a >= b), "{skipped:?}");
}

#[test]
fn gaps_name_their_reason_and_count_peers() {
    let folder = Folder::new();
    let extended = |level: Level| Profile::new("GATEWAY-HTTP").extended(level);
    let skipping = Level::result("partial")
        .counts(1, 1, 0)
        .supported(&["HTTPRouteCORS"])
        .skipped(&["HTTPRouteCORS"]);
    for (name, profile) in [
        (
            "all",
            extended(Level::success(2).supported(&["HTTPRouteCORS", "HTTPRouteRequestMirror"])),
        ),
        (
            "none",
            extended(Level::success(1).unsupported(&["HTTPRouteCORS"])),
        ),
        ("other", Profile::grpc()),
        ("skips", extended(skipping)),
    ] {
        folder.file(&format!("reports/v1.5/{name}/README.md"), README);
        let report = ReportBuilder::new().organization(name).profiles([profile]);
        folder.file(&format!("reports/v1.5/{name}/{NAME}"), report.build());
    }
    let files = site::of(&folder.path().join("reports"), &[]);
    let row = |implementation: &str, feature: &str| {
        let path = format!("implementations/{implementation}/operator/gaps/index.html");
        let mut rows = text(&files, &path).split("<tr data-q=\"").skip(1);
        let own = format!("{}\"", feature.to_lowercase());
        let row = rows.find(|row| row.starts_with(&own));
        row.map(|row| row.split("</tr>").next().unwrap().to_owned())
    };
    let none = row("none", "HTTPRouteCORS").unwrap();
    assert!(none.contains("data-gateway=\"unsupported\""), "{none}");
    assert!(none.contains("<b>2</b> of 2"), "{none}");
    let mirror = row("none", "HTTPRouteRequestMirror").unwrap();
    assert!(mirror.contains("data-gateway=\"not-stated\""), "{mirror}");
    let other = row("other", "HTTPRouteCORS").unwrap();
    assert!(
        other.contains("data-gateway=\"profile-not-reported\""),
        "{other}"
    );
    assert!(other.contains("<b>2</b> of 3"), "{other}");
    let skips = row("skips", "HTTPRouteCORS").unwrap();
    assert!(skips.contains("data-gateway=\"skipped\""), "{skips}");
    assert!(skips.contains("<b>1</b> of 2"), "{skips}");
    assert_eq!(row("all", "HTTPRouteCORS"), None);
}

#[test]
fn the_search_index_is_a_script_that_no_name_can_leave() {
    let folder = Folder::new();
    let name = "</script><img src=x> | \u{2028} \"a'";
    let report = ReportBuilder::new().organization(name).project("x").build();
    folder.file("reports/v1.5/x/README.md", README);
    folder.file(&format!("reports/v1.5/x/{NAME}"), report);
    let files = site::of(&folder.path().join("reports"), &[]);
    let index = files
        .keys()
        .find(|path| path.starts_with("assets/search-index."));
    let script = text(&files, index.unwrap());
    let json = script.strip_prefix("gwconform.index = ").unwrap();
    let json = json.strip_suffix(";\n").unwrap();
    assert!(!json.contains('<'), "{script}");
    let index: Value = serde_json::from_str(json).unwrap();
    let first = &index["kinds"][0]["entries"][0];
    assert!(
        first[0].as_str().unwrap().starts_with("</script>"),
        "{first}"
    );
    assert!(!text(&files, "index.html").contains("search-index.js"));
}

#[test]
fn other_words_for_features_are_understood() {
    let output = run(Path::new("."), &["features", "mTLS"].map(str::to_owned));
    assert_eq!(output.code, 2);
    assert_eq!(
        output.stderr,
        "error: unknown feature `mTLS`; did you mean `GatewayFrontendClientCertificateValidation`, `GatewayBackendClientCertificate` or `BackendTLSPolicy`?\n"
    );
    for name in ["rate limit", "Ratelimiting"] {
        let output = run(Path::new("."), &["features", name].map(str::to_owned));
        let expected = "no feature covers rate limits; the documentation of each implementation describes what it offers";
        let expected = format!("error: unknown feature `{name}`: {expected}\n");
        assert_eq!((output.code, output.stderr), (2, expected));
    }
}
