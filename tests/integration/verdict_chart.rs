//! Tests the verdict table of the home page with its two expiry stages, and the list of changes.

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
    folder.site("");
    folder.read(&format!("site/{path}"))
}

fn table(html: &str) -> &str {
    let (_, table) = html.split_once("<table class=\"field\"").unwrap();
    table.split_once("</table>").unwrap().0
}

/// Implementation slug, verdicts by release, and expiry of each row.
fn rows(html: &str) -> Vec<(String, Vec<String>, String)> {
    let table = table(html);
    let head = Regex::new(r#"class="b(| then)" data-nosort>(v[0-9.]+)"#).unwrap();
    let heads: Vec<String> = head
        .captures_iter(table)
        .map(|found| match &found[1] {
            "" => found[2].to_owned(),
            _ => format!("{} review", &found[2]),
        })
        .collect();
    let name = Regex::new(r#"<a href="implementations/([^"/]+/[^"/]+)/""#).unwrap();
    // Verdicts by release link to their reports. Verdicts at reviews have words in the last column.
    let cell = Regex::new(
        r#"<td class="b(?: (good|part))?[^"]*">(?:<a href="[^"]+/v([0-9]+\.[0-9]+)[^"]*">([^<]+)</a>| ?)</td>"#,
    )
    .unwrap();
    let expiry = Regex::new(r#"</span><i>([^<]+)</i></td>"#).unwrap();
    let rows = table.split("<tbody").skip(1).map(|row| {
        let cells: Vec<_> = cell.captures_iter(row).collect();
        assert_eq!(cells.len(), heads.len(), "{row}");
        let named = heads.iter().zip(&cells);
        let verdicts = named.filter_map(|(head, cell)| {
            let look = cell.get(1)?.as_str();
            let verdict = cell.get(3).map_or(look, |verdict| verdict.as_str());
            if let Some(of) = cell.get(2) {
                assert_eq!(*head, format!("v{}", of.as_str()), "{row}");
            }
            Some(format!("{head}: {verdict}"))
        });
        let until = expiry.captures(row);
        (
            name.captures(row).unwrap()[1].to_owned(),
            verdicts.collect(),
            until.map_or_else(String::new, |found| found[1].to_owned()),
        )
    });
    rows.collect()
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
fn each_row_has_its_verdicts_what_comes_and_its_expiry() {
    let home = page(&tree(), "index.html");
    let row = |name: &str, verdicts: &[&str], until: &str| {
        let verdicts: Vec<_> = verdicts.iter().map(|one| (*one).to_owned()).collect();
        (format!("{name}/{name}"), verdicts, until.to_owned())
    };
    assert_eq!(
        rows(&home),
        [
            row(
                "steady",
                &[
                    "v1.3: conformant",
                    "v1.5: conformant",
                    "v1.6 review: good",
                    "v1.7 review: part",
                ],
                "Conformant until v1.7, then partial until v1.8",
            ),
            row(
                "early",
                &["v1.4: conformant", "v1.6 review: part"],
                "Conformant until v1.6, then partial until v1.7",
            ),
            row(
                "skipper",
                &["v1.5: partial", "v1.6 review: part", "v1.7 review: part"],
                "Partial until v1.8",
            ),
            row(
                "gone",
                // The report for v1.0 has no verdict.
                &["v1.3: conformant"],
                "Partial until v1.6",
            ),
        ]
    );
    assert!(
        home.contains(
            "2 verdicts change at the v1.6 review, 1 at the v1.7 review and 1 at the v1.8 review"
        ),
        "{home}"
    );
}

#[test]
fn the_calendar_leads_to_the_home_page() {
    let calendar = page(&tree(), "calendar/index.html");
    assert!(calendar.contains("http-equiv=\"refresh\" content=\"0; url=../\""));
    assert!(calendar.contains("<a href=\"../\">"), "{calendar}");
    assert!(!page(&tree(), "index.html").contains("calendar/"));
}

#[test]
fn old_minors_have_no_column() {
    let folder = Folder::new();
    for release in [
        "v0.8.0", "v1.0.0", "v1.1.0", "v1.2.0", "v1.3.0", "v1.4.1", "v1.5.1",
    ] {
        let minor = release.rsplit_once('.').unwrap().0;
        let report = report("acme", release, Level::success(13));
        put(&folder, &format!("{minor}/acme"), &[("a", report)]);
    }
    folder.file("gwconform.toml", "[policy]\nnewest-minor = 'v1.5'\n");
    let home = page(&folder, "index.html");
    let rows = rows(&home);
    let [(_, verdicts, _)] = rows.as_slice() else {
        panic!("{rows:?}");
    };
    assert!(
        verdicts.iter().all(|one| !one.starts_with("v0.8")),
        "{verdicts:?}"
    );
}

#[test]
fn a_gateway_that_is_also_a_mesh_has_one_row() {
    let folder = Folder::new();
    let profiles = ["GATEWAY-GRPC", "MESH-HTTP"]
        .map(|name| Profile::new(name).core(Level::success(1)).summarized());
    let both = report("both", "v1.5.1", Level::success(13)).profiles(profiles);
    let mesh = report("only", "v1.5.1", Level::success(13)).profiles([Profile::new("MESH-HTTP")
        .core(Level::success(1))
        .summarized()]);
    put(&folder, "v1.5/both", &[("a", both)]);
    put(&folder, "v1.5/only", &[("a", mesh)]);
    let home = page(&folder, "index.html");
    let table = table(&home);
    assert_eq!(table.matches("<tbody ").count(), 2, "{table}");
    for (name, families) in [("both", &["Gateway", "Mesh"][..]), ("only", &["Mesh"])] {
        let (_, row) = table.split_once(&format!("Details of {name}")).unwrap();
        let row = row.split("</tbody>").next().unwrap();
        for family in ["Gateway", "Mesh"] {
            let is_shown = row.contains(&format!("<b>{family}</b>"));
            assert_eq!(is_shown, families.contains(&family), "{row}");
        }
        assert_eq!(row.contains("<small>mesh</small>"), name == "only", "{row}");
    }
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
fn distinguishes_runs_of_the_same_name() {
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
    folder.site("");
    let page = |name: &str| {
        let page = folder.read(&format!("site/implementations/{name}/{name}/index.html"));
        page.replace("/<wbr>", "/")
    };
    let plain = page("plain");
    assert!(
        plain.contains("href=\"https://github.com/plain/gateway\" rel=\"nofollow noopener\">github.com/plain/gateway</a>"),
        "{plain}"
    );
    for (name, other) in [
        ("words", "https://ask"),
        ("user", "https://me@"),
        ("script", "https://javascript"),
    ] {
        assert!(!page(name).contains(other), "{other}");
    }
}
