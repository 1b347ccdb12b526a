//! Tests release reviews: a report for a new minor counts immediately, but older reports expire
//! only after the minor's review.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::support::folder::{Folder, words};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::{corpus, run, run_with};
use serde_json::Value;

pub const TREE: &str = "conformance/reports";

pub fn put(folder: &Folder, project: &str, release: &str, day: &str) {
    let core = match release {
        "v1.6.0" => 15,
        "v1.3.0" => 12,
        _ => 13,
    };
    let folder_name = match &release[..4] {
        minor @ ("v1.5" | "v1.6") => minor,
        _ => release,
    };
    let at = project.len();
    let report = ReportBuilder::new()
        .release(release)
        .project(project)
        .date(&format!("{day}T10:{at:02}:30Z"))
        .profiles([Profile::grpc().core(Level::success(core)).summarized()]);
    let path = format!("{TREE}/{folder_name}/acme-{project}/standard-v2.14.0-default-report.yaml");
    folder.file(&path, report.build());
}

pub fn tree() -> Folder {
    let folder = Folder::new();
    folder.file(&format!("{TREE}/README.md"), "# Reports\n");
    for project in ["first", "second1"] {
        put(&folder, project, "v1.4.0", "2025-11-10");
        put(&folder, project, "v1.5.1", "2026-04-20");
    }
    put(&folder, "older", "v1.4.0", "2025-11-11");
    folder
}

fn verdicts(certified: &Value) -> BTreeMap<(String, String), (String, Option<String>)> {
    let all = certified["implementations"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let families = all.flat_map(|one| {
        let families = one["families"].as_array().unwrap().iter();
        families.map(move |family| {
            let minor = family["report_minor"].as_str().map(str::to_owned);
            (
                (text(&one["implementation"]), text(&family["family"])),
                (text(&family["standing"]), minor),
            )
        })
    });
    families.collect()
}

fn of(folder: &Folder, project: &str, arguments: &str) -> String {
    let certified = folder.json(format!("certify {arguments}").trim_end());
    let key = (format!("acme/{project}"), "gateway".to_owned());
    verdicts(&certified)[&key].0.clone()
}

#[test]
fn a_release_review_expires_older_reports() {
    let folder = tree();
    put(&folder, "new", "v1.6.0", "2026-07-01");
    // One month after the release on 2026-06-29.
    for (day, older) in [
        ("2026-07-28", "conformant"),
        ("2026-07-29", "partially-conformant"),
    ] {
        let day = format!("--as-of {day}");
        assert_eq!(of(&folder, "older", &day), older, "{day}");
        assert_eq!(of(&folder, "new", &day), "conformant", "{day}");
    }
    let human = folder.run("certify --as-of 2026-07-28").stdout;
    assert!(
        human.starts_with("Newest minor: v1.5 (no release review of v1.6 by 2026-07-28)\n"),
        "{human}"
    );
    let july = [("SOURCE_DATE_EPOCH", "1783080000")];
    let human = run_with(folder.path(), &words("certify"), &july, b"").stdout;
    assert!(
        human.starts_with("Newest minor: v1.5 (no release review of v1.6 by 2026-07-03, the date in SOURCE_DATE_EPOCH)\n"),
        "{human}"
    );
}

#[test]
fn a_report_with_a_date_in_the_future_moves_nothing() {
    let verdicts_at = |folder: &Folder| {
        ["2026-04-27", "2026-07-28", "2026-08-13"].map(|day| {
            let certified = folder.json(&format!("certify --as-of {day}"));
            (
                certified["newest_minor"].clone(),
                of(folder, "older", &format!("--as-of {day}")),
            )
        })
    };
    let folder = tree();
    let before = verdicts_at(&folder);
    for project in ["new", "first", "second1"] {
        put(&folder, project, "v1.6.0", "2099-01-01");
    }
    assert_eq!(verdicts_at(&folder), before);
    let july = [("SOURCE_DATE_EPOCH", "1783080000")];
    let human = run_with(folder.path(), &words("certify"), &july, b"").stdout;
    assert!(human.starts_with("Newest minor: v1.5 "), "{human}");
}

#[test]
fn the_configuration_has_the_days_of_reviews() {
    let folder = tree();
    let review = |day: &str| format!("[[review]]\nminor = \"v1.6\"\ndate = \"{day}\"\n");
    folder.file("gwconform.toml", review("2026-08-14"));
    assert_eq!(of(&folder, "older", ""), "conformant");
    folder.file("gwconform.toml", review("2026-08-13"));
    assert_eq!(of(&folder, "older", ""), "partially-conformant");
    folder.file("gwconform.toml", "[policy]\nnewest-minor = \"v1.6\"\n");
    let day = "--as-of 2026-07-01";
    assert_eq!(of(&folder, "older", day), "partially-conformant");
    let human = folder.run("certify --as-of 2026-07-01").stdout;
    assert!(human.starts_with("Newest minor: v1.6\n"), "{human}");
    for wrong in [
        "[[review]]\nminor = \"1.6\"\ndate = \"soon\"\n",
        &review("2026-08-02").repeat(2),
    ] {
        folder.file("gwconform.toml", wrong);
        assert_eq!(folder.run("certify").code, 2, "{wrong}");
    }
}

#[test]
fn later_reports_are_left_out_of_a_day_and_named() {
    let folder = tree();
    put(&folder, "new", "v1.6.0", "2026-07-01");
    let certified = folder.json("certify --as-of 2026-06-30");
    let left_out = certified["left_out"].as_array().unwrap();
    assert_eq!(left_out.len(), 1, "{left_out:#?}");
    assert_eq!(left_out[0]["reason"], "run on 2026-07-01, after 2026-06-30");
    assert_eq!(certified["as_of"], "2026-06-30");
    for command in [
        "badge acme/older --format shields",
        "outlook --release v1.6",
    ] {
        assert_eq!(folder.run(&format!("{command} --as-of 2026-06-30")).code, 0);
        assert_eq!(folder.run(&format!("{command} --as-of soon")).code, 2);
    }
    let site = folder.run("site --out site --as-of 2026-06-30");
    assert_eq!(site.code, 0, "{}", site.stderr);
    let path = folder.path().join("site/api/v1/index.json");
    let index: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert_eq!(index["as_of"], "2026-06-30");
}

#[test]
fn the_reviews_of_the_real_tree_explain_its_verdicts() {
    let Some(corpus) = corpus::corpus() else {
        return;
    };
    let config = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples/gateway-api/gwconform.toml"
    );
    let days = [
        "2025-12-01",
        "2025-12-02",
        "2026-04-27",
        "2026-04-28",
        "2026-08-02",
        "2026-08-03",
    ];
    let certified = days.map(|day| {
        let arguments = format!(
            "certify gateway-api/conformance/reports --format json --config {config} --as-of {day}"
        );
        let output = run(&corpus, &words(&arguments));
        serde_json::from_str::<Value>(&output.stdout).unwrap()
    });
    let of_days = certified.each_ref().map(verdicts);
    for (days, of) in days.chunks(2).zip(of_days.chunks(2)) {
        for (key, (after, minor)) in &of[1] {
            let (before, minor_before) = &of[0][key];
            let drop = (before.as_str(), after.as_str());
            // The verdict that remains may depend on a newer report with a partial result.
            assert!(
                minor == minor_before || (before != after && minor > minor_before),
                "{key:?}: no report is new on {days:?}: {minor_before:?} {minor:?}"
            );
            let allowed = [
                ("conformant", "partially-conformant"),
                ("conformant", "not-current"),
                ("partially-conformant", "not-current"),
            ];
            assert!(
                before == after || allowed.contains(&drop),
                "{key:?}: {drop:?}"
            );
        }
    }
    let mut table = String::new();
    let names: std::collections::BTreeSet<_> = of_days.iter().flat_map(BTreeMap::keys).collect();
    for name in names {
        let cells = of_days.iter().map(|of| {
            of.get(name).map_or_else(String::new, |(verdict, minor)| {
                format!("{verdict} {}", minor.as_deref().unwrap_or("-"))
            })
        });
        let cells: Vec<String> = cells.collect();
        let _ = writeln!(table, "{} {}: {}", name.0, name.1, cells.join(" | "));
    }
    insta::assert_snapshot!("verdicts_by_day", format!("{}\n{table}", days.join(" | ")));
}
