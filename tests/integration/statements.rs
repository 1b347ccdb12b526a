//! Statements of `gwconform verify` in `certify` and `site`: what they prove, and for which report.

use std::fs;

use serde_json::{Value, json};

use crate::support::folder::Folder;
use crate::support::suite_run::{End, SuiteRun};

const REPORT: &str = "reports/v1.6/acme-operator/standard-v2.14.0-default-report.yaml";

/// A run of v1.6.1, whose suite writes the report before its parallel tests have run.
fn early() -> SuiteRun {
    let releases = SuiteRun::releases();
    let early = releases
        .into_iter()
        .find(|release| release.version().to_string() == "v1.6.1");
    SuiteRun::of(early.unwrap()).profile("GATEWAY-HTTP")
}

/// A tree with the report of a run, its log, and the statement of that.
fn tree(run: &SuiteRun) -> Folder {
    let folder = Folder::new();
    folder
        .file(REPORT, run.report())
        .file(
            "reports/v1.6/acme-operator/README.md",
            crate::support::folder::README,
        )
        .file("run.log", run.text());
    fs::create_dir(folder.path().join("statements")).unwrap();
    folder.run(&format!(
        "verify {REPORT} --log run.log --statement statements/acme.json"
    ));
    folder
}

/// The statement, changed.
fn change(folder: &Folder, change: impl FnOnce(&mut Value)) {
    let path = folder.path().join("statements/acme.json");
    let mut statement: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut statement);
    fs::write(path, statement.to_string()).unwrap();
}

fn states(folder: &Folder, arguments: &str) -> (usize, usize) {
    let output = folder.run(format!("site reports --out out {arguments}").trim_end());
    assert_eq!(output.code, 0, "{output:?}");
    let support = fs::read_to_string(folder.path().join("out/api/v1/support.json")).unwrap();
    let support: Value = serde_json::from_str(&support).unwrap();
    let states = &support["reports"][0]["profiles"][0]["states"];
    let count = |name: &str| states[name].as_array().map_or(0, Vec::len);
    (
        count("proved-by-log"),
        count("not-seen") + count("partly-seen"),
    )
}

#[test]
fn a_statement_proves_what_the_report_could_not_show() {
    let folder = tree(&early());
    let (proved, unseen) = states(&folder, "");
    assert!(proved == 0 && unseen > 5, "{proved} {unseen}");
    let (proved, unseen) = states(&folder, "--statements statements");
    assert!(proved > 20 && unseen == 0, "{proved} {unseen}");
    let page = fs::read_dir(
        folder
            .path()
            .join("out/implementations/acme-operator/v1.6.1"),
    )
    .unwrap();
    let page = page.flatten().next().unwrap().path().join("index.html");
    let page = fs::read_to_string(page).unwrap();
    assert!(
        page.contains("By statement: the log of the run gives the numbers"),
        "{page}"
    );
    assert!(page.contains("BackendTLSPolicy,"));
    assert!(!page.contains("so their results are unknown"));
    // The configuration names the folder as well.
    folder.file("reports/gwconform.toml", "statements = \"../statements\"\n");
    assert_eq!(
        folder.run("site reports --out out").code,
        2,
        "not below the configuration"
    );
    fs::remove_file(folder.path().join("reports/gwconform.toml")).unwrap();
    folder.file("gwconform.toml", "statements = \"statements\"\n");
    assert_eq!(states(&folder, ""), (proved, 0));
}

#[test]
fn a_statement_counts_for_its_report_alone_and_only_when_its_tests_give_the_numbers() {
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 4] = [
        ("digest", |statement| {
            statement["subject"][0]["digest"]["sha256"] = json!("0".repeat(64));
        }),
        ("no tests", |statement| {
            for list in ["passedTests", "warnedTests", "failedTests"] {
                statement["predicate"][list] = json!([]);
            }
        }),
        ("one less", |statement| {
            let list = statement["predicate"]["passedTests"]
                .as_array_mut()
                .unwrap();
            list.retain(|test| test != "HTTPRouteWeight");
        }),
        ("of another type", |statement| {
            statement["predicateType"] = json!("https://slsa.dev/provenance/v1");
        }),
    ];
    for (name, changed) in changes {
        let folder = tree(&early());
        let before = states(&folder, "");
        change(&folder, changed);
        assert_eq!(states(&folder, "--statements statements"), before, "{name}");
    }
}

#[test]
fn a_report_that_a_statement_contradicts_has_no_verdict() {
    let run = early()
        .end("BackendTLSPolicy", End::Fail)
        .end("HTTPRouteMatching", End::Skip);
    let failing = early().end("GatewayInvalidRouteKind", End::Fail);
    let profile = |folder: &Folder, arguments: &str| {
        let output =
            folder.run(format!("certify reports --all --format json {arguments}").trim_end());
        let json: Value = serde_json::from_str(&output.stdout).unwrap();
        let profile = &json["implementations"][0]["reports"][0]["profiles"][0];
        (profile["status"].clone(), profile["blocked_by"].clone())
    };
    for run in [run, failing] {
        let folder = tree(&run);
        let without = profile(&folder, "");
        assert!(
            without.0 == "conformant" || without.0 == "partial",
            "{without:?}"
        );
        let (status, blocks) = profile(&folder, "--statements statements");
        assert_eq!(status, "contradictory");
        assert_eq!(blocks[0]["rule"], "evidence/failed");
        let message = blocks[0]["message"].as_str().unwrap();
        assert!(
            message.contains("by the statement statements/acme.json"),
            "{message}"
        );
        // The statement of one report says nothing of another one.
        folder.file(REPORT, format!("{}# edited\n", run.report()));
        assert_eq!(profile(&folder, "--statements statements"), without);
    }
}

#[test]
fn a_folder_of_statements_that_cannot_be_read_is_an_error() {
    let folder = tree(&early());
    let output = folder.run("certify reports --statements nowhere");
    assert!(
        output.code == 2 && output.stderr.contains("--statements: nowhere"),
        "{output:?}"
    );
}
