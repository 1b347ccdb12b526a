//! Tests the verdict chart and the list of changes on the home page, and the two expiry stages in
//! the calendar.

use std::fs;

use crate::support::folder::{Folder, README};
use crate::support::report::{Level, Profile, ReportBuilder};
use regex::Regex;

/// The core of GATEWAY-GRPC has 12 tests in v1.3, and 13 in v1.4 and v1.5.
fn report(organization: &str, release: &str, core: Level) -> ReportBuilder {
    ReportBuilder::new()
        .organization(organization)
        .project(organization)
        .release(release)
        .profiles([Profile::new("GATEWAY-GRPC").core(core).summarized()])
}

fn partial() -> Level {
    let level = Level::result("partial").counts(12, 1, 0);
    level.skipped(&["GRPCRouteWeight"])
}

fn put(folder: &Folder, below: &str, reports: &[(&str, ReportBuilder)]) {
    let root = format!("conformance/reports/{below}");
    folder.file(&format!("{root}/README.md"), README);
    for (name, report) in reports {
        folder.file(&format!("{root}/{name}.yaml"), report.build());
    }
}

fn page(folder: &Folder, path: &str) -> String {
    let output = folder.run("site --out site");
    assert_eq!(output.code, 0, "{}", output.stderr);
    fs::read_to_string(folder.path().join("site").join(path)).unwrap()
}

fn rows(html: &str) -> Vec<(String, Vec<String>)> {
    let name = Regex::new(r#"<a href="[^"]*implementations/([^"/]+)/">[^<]+</a>"#).unwrap();
    let title = Regex::new("<title>(v[^<]+)</title></rect>").unwrap();
    let mut rows = Vec::new();
    for row in html
        .split("<svg class=\"bars\"")
        .collect::<Vec<_>>()
        .windows(2)
    {
        let bars = row[1].split("</svg>").next().unwrap();
        rows.push((
            name.captures_iter(row[0]).last().unwrap()[1].to_owned(),
            title
                .captures_iter(bars)
                .map(|found| found[1].to_owned())
                .collect(),
        ));
    }
    rows
}

fn tree() -> Folder {
    let folder = Folder::new();
    for (organization, release, core) in [
        ("steady", "v1.3.0", Level::success(12)),
        ("steady", "v1.5.1", Level::success(13)),
        ("early", "v1.4.1", Level::success(13)),
        ("skipper", "v1.5.1", partial()),
        ("gone", "v1.3.0", Level::success(12)),
        ("gone", "v1.0.0", Level::success(1)),
    ] {
        let name = release.rsplit_once('.').unwrap().0;
        let below = format!("{name}/{organization}");
        put(
            &folder,
            &below,
            &[("a", report(organization, release, core))],
        );
    }
    folder.file("gwconform.toml", "[policy]\nnewest-minor = 'v1.5'\n");
    folder
}

#[test]
fn each_row_has_its_verdicts_and_what_comes() {
    let home = page(&tree(), "index.html");
    let row = |name: &str, bars: &[&str]| {
        let bars = bars.iter().map(|bar| (*bar).to_owned()).collect::<Vec<_>>();
        (format!("{name}-{name}"), bars)
    };
    assert_eq!(
        rows(&home),
        [
            row(
                "steady",
                &[
                    "v1.3: conformant",
                    "v1.5: conformant",
                    "v1.6 review: conformant if nothing is submitted",
                    "v1.7 review: partially conformant if nothing is submitted",
                ]
            ),
            row(
                "early",
                &[
                    "v1.4: conformant",
                    "v1.6 review: partially conformant if nothing is submitted",
                ]
            ),
            row(
                "skipper",
                &[
                    "v1.5: partial",
                    "v1.6 review: partially conformant if nothing is submitted",
                    "v1.7 review: partially conformant if nothing is submitted",
                ]
            ),
            row("gone", &["v1.0: contradictory", "v1.3: conformant"]),
        ]
    );
}

#[test]
fn the_calendar_has_two_stages_in_one_table() {
    let calendar = page(&tree(), "calendar/index.html");
    assert_eq!(calendar.matches("<table").count(), 1);
    let cell = Regex::new(r#"(?s)<td class="d" data-head="[^"]+">(.*?)</td>"#).unwrap();
    let cells: Vec<&str> = cell
        .captures_iter(&calendar)
        .map(|found| found.get(1).unwrap().as_str())
        .map(|text| {
            if text.contains("review") {
                text
            } else {
                "none"
            }
        })
        .collect();
    assert_eq!(
        cells,
        [
            ["none", "the v1.6 review"],            // gone
            ["the v1.6 review", "the v1.7 review"], // early
            ["the v1.7 review", "the v1.8 review"], // steady
            ["none", "the v1.8 review"],            // skipper
        ]
        .concat()
    );
}

#[test]
fn reports_of_one_submission_are_one_change() {
    let folder = Folder::new();
    let before = |channel: &str| report("acme", "v1.4.1", Level::success(13)).channel(channel);
    put(
        &folder,
        "v1.4/acme",
        &[("s", before("standard")), ("e", before("experimental"))],
    );
    let after = |channel: &str| report("acme", "v1.5.1", partial()).channel(channel);
    put(
        &folder,
        "v1.5/acme",
        &[("s", after("standard")), ("e", after("experimental"))],
    );
    let home = page(&folder, "index.html");
    let (_, changes) = home.split_once("What changed last").unwrap();
    assert_eq!(changes.matches("<li>").count(), 2, "{changes}");
    for channel in ["standard", "experimental"] {
        assert_eq!(
            changes.matches(&format!(">{channel}, default<")).count(),
            2,
            "{changes}"
        );
    }
    assert_eq!(
        changes.matches("1 test newly skipped or failed").count(),
        1,
        "{changes}"
    );
    assert_eq!(
        changes
            .matches("first reports for their channels and modes")
            .count(),
        1
    );
}

#[test]
fn runs_of_the_same_name_are_told_apart() {
    let folder = Folder::new();
    let run = || report("acme", "v1.5.1", Level::success(13));
    put(
        &folder,
        "v1.5/acme",
        &[
            ("first", run()),
            ("second", run().date("2026-07-02T00:00:00Z")),
        ],
    );
    let home = page(&folder, "index.html");
    let (_, changes) = home.split_once("What changed last").unwrap();
    let link = Regex::new("<a href=\"([^\"]+)\">standard, default([^<]*)<span").unwrap();
    let links: Vec<_> = link
        .captures_iter(changes)
        .map(|found| (found[1].to_owned(), found[2].to_owned()))
        .collect();
    assert_eq!(links.len(), 2, "{changes}");
    for (page, more) in &links {
        let slug = page.trim_end_matches('/').rsplit('/').next().unwrap();
        assert_eq!(*more, format!(" ({slug})"));
    }
    assert_ne!(links[0], links[1]);
}

#[test]
fn few_minors_do_not_grow() {
    let folder = Folder::new();
    put(
        &folder,
        "v1.5/acme",
        &[("a", report("acme", "v1.5.1", Level::success(13)))],
    );
    let home = page(&folder, "index.html");
    let heads = home
        .split("<svg class=\"heads\" viewBox=\"0 0 ")
        .nth(1)
        .unwrap();
    let width: usize = heads.split(' ').next().unwrap().parse().unwrap();
    let end = Regex::new("class=\"if\" x=\"([0-9]+)\"").unwrap();
    let end: usize = end.captures(heads).unwrap()[1].parse().unwrap();
    // 28 units are less than a tenth of the width, and the 23 letters above the reviews fit.
    assert!(width >= 280, "{width}");
    assert!((120..=width).contains(&end), "{end} of {width}");
}

#[test]
fn a_contact_without_its_scheme_is_a_link() {
    let folder = Folder::new();
    for (name, contact) in [
        ("plain", "github.com/plain/gateway"),
        ("words", "ask us/or not"),
        ("user", "me@acme.example/team"),
        ("script", "javascript.example:alert(1)/x"),
    ] {
        let report = report(name, "v1.5.1", Level::success(13)).contact(contact);
        put(&folder, &format!("v1.5/{name}"), &[("a", report)]);
    }
    let calendar = page(&folder, "calendar/index.html").replace("/<wbr>", "/");
    assert!(
        calendar.contains("href=\"https://github.com/plain/gateway\" rel=\"nofollow noopener\">github.com/plain/gateway</a>"),
        "{calendar}"
    );
    for other in ["https://ask", "https://me@", "https://javascript"] {
        assert!(!calendar.contains(other), "{other}");
    }
}
