//! Tests how `certify` and `site` use statements of `gwconform verify`.

use std::fs;

use serde_json::{Value, json};

use crate::support::folder::Folder;
use crate::support::suite_run::{End, SuiteRun};

const REPORT: &str = "reports/v1.6/acme-operator/standard-v2.14.0-default-report.yaml";

/// The suite of v1.6.1 writes the report before its parallel tests have run.
fn early() -> SuiteRun {
    all_profiles().profile("GATEWAY-HTTP")
}

fn all_profiles() -> SuiteRun {
    let releases = SuiteRun::releases();
    let early = releases
        .into_iter()
        .find(|release| release.version().to_string() == "v1.6.1");
    SuiteRun::of(early.unwrap())
}

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
        "verify {REPORT} --log run.log --out statements/acme.json"
    ));
    folder
}

fn change(folder: &Folder, change: impl FnOnce(&mut Value)) {
    let path = folder.path().join("statements/acme.json");
    let mut statement: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    change(&mut statement);
    fs::write(path, statement.to_string()).unwrap();
}

fn states(folder: &Folder, arguments: &str) -> (usize, usize) {
    let output = folder.run(format!("site reports --out out {arguments}").trim_end());
    assert_eq!(output.code, 0, "{output:?}");
    let support = folder.read("out/api/v1/support.json");
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
            .join("out/implementations/acme/operator/v1.6.1"),
    )
    .unwrap();
    let page = page.flatten().next().unwrap().path().join("index.html");
    let page = fs::read_to_string(page).unwrap();
    assert!(
        page.contains("A statement shows that the log of the run matches the numbers"),
        "{page}"
    );
    assert!(page.contains("BackendTLSPolicy</a>,"));
    assert!(!page.contains("so their results are unknown"));
    folder.file("reports/gwconform.toml", "statements = \"../statements\"\n");
    assert_eq!(
        folder.run("site reports --out out").code,
        2,
        "not below the configuration"
    );
    folder.remove("reports/gwconform.toml");
    folder.file("gwconform.toml", "statements = \"statements\"\n");
    assert_eq!(states(&folder, ""), (proved, 0));
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

type Change = (&'static str, fn(&mut Value), &'static str);

const CHANGES: [Change; 17] = [
    (
        "another digest",
        |one| one["subject"][0]["digest"]["sha256"] = json!("0".repeat(64)),
        "no report of the tree has the digest",
    ),
    (
        "two subjects",
        |one| one["subject"] = json!([one["subject"][0], {"name": "x", "digest": {"sha256": "0"}}]),
        "expected one subject",
    ),
    (
        "no subject",
        |one| one["subject"] = json!([]),
        "expected one subject",
    ),
    (
        "no tests",
        |one| {
            for list in ["passedTests", "warnedTests", "failedTests"] {
                one["predicate"][list] = json!([]);
            }
        },
        "do not match the numbers",
    ),
    (
        "one less",
        |one| {
            let list = one["predicate"]["passedTests"].as_array_mut().unwrap();
            list.retain(|test| test != "HTTPRouteWeight");
        },
        "do not match the numbers",
    ),
    (
        "another test of the same number",
        |one| {
            let list = one["predicate"]["passedTests"].as_array_mut().unwrap();
            list.retain(|test| test != "HTTPRouteWeight");
            list.push(json!("TLSRouteSimpleSameNamespace"));
        },
        "do not match the numbers",
    ),
    (
        "a test in two lists",
        |one| {
            one["predicate"]["result"] = json!("FAILED");
            one["predicate"]["failedTests"] = json!(["HTTPRouteWeight"]);
        },
        "lists a test more than once",
    ),
    (
        "another result",
        |one| one["predicate"]["result"] = json!("FAILED"),
        "its result does not match its verdict and tests",
    ),
    (
        "two verdicts",
        |one| {
            let list = one["predicate"]["configuration"].as_array_mut().unwrap();
            list.push(list[2].clone());
        },
        "its verdict is not one that",
    ),
    (
        "not proved",
        |one| {
            one["predicate"]["result"] = json!("WARNED");
            one["predicate"]["configuration"][2]["annotations"]["verdict"] = json!("not-proved");
        },
        "does not prove the report",
    ),
    (
        "without a verdict",
        |one| one["predicate"]["configuration"][2]["annotations"] = json!({"version": "1"}),
        "its verdict is not one that",
    ),
    (
        "another verdict",
        |one| one["predicate"]["configuration"][2]["annotations"]["verdict"] = json!("great"),
        "not a statement of `gwconform verify`",
    ),
    (
        "another type",
        |one| one["predicateType"] = json!("https://slsa.dev/provenance/v1"),
        "a statement of another kind",
    ),
    (
        "the predicate alone",
        |one| *one = one["predicate"].clone(),
        "not a statement of `gwconform verify`",
    ),
    (
        "an envelope",
        |one| *one = json!({"payloadType": "application/vnd.in-toto+json", "payload": "e30=", "signatures": []}),
        "it is signed",
    ),
    (
        "a bundle",
        |one| *one = json!({"mediaType": "x", "dsseEnvelope": {"payload": "e30="}}),
        "it is signed",
    ),
    (
        "what `gh attestation verify` prints",
        |one| *one = json!([{"attestation": {}, "verificationResult": {"statement": one.clone()}}]),
        "it is signed",
    ),
];

#[test]
fn a_statement_counts_for_its_report_alone_and_only_when_its_tests_give_the_numbers() {
    for (name, changed, reason) in CHANGES {
        let folder = tree(&early());
        change(&folder, changed);
        let output = folder.run("certify reports --all --format json --statements statements");
        let json: Value = serde_json::from_str(&output.stdout).unwrap();
        let report = &json["implementations"][0]["reports"][0];
        assert_eq!(report["passed_in_log"], Value::Null, "{name}");
        assert_eq!(report["profiles"][0]["status"], "conformant", "{name}");
        let said = one_line(&output.stderr);
        assert!(
            said.starts_with("not counted: statements/acme.json: ") && said.contains(reason),
            "{name}: {said}"
        );
    }
}

#[test]
fn rejects_statements_with_a_second_key_or_many_attestations() {
    let folder = tree(&early());
    let path = folder.path().join("statements/acme.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.replacen(
            "\"passedTests\":",
            "\"passedTests\": [], \"passedTests\":",
            1,
        ),
    )
    .unwrap();
    let bundle = "{\"dsseEnvelope\":{}}\n";
    fs::write(path.with_extension("jsonl"), bundle.repeat(2)).unwrap();
    let output = folder.run("certify reports --statements statements");
    let text = one_line(&output.stderr);
    for said in ["acme.json", "duplicate field", "acme.jsonl", "it is signed"] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn a_page_lists_the_tests_of_the_report_that_passed_and_no_other_names() {
    let folder = tree(&early());
    change(&folder, |one| {
        let list = one["predicate"]["passedTests"].as_array_mut().unwrap();
        list.extend(["MeshBasic", "<script>"].map(|name| json!(name)));
    });
    let json = folder.json("certify reports --all --statements statements");
    let report = &json["implementations"][0]["reports"][0];
    let passed = report["passed_in_log"].as_array().unwrap();
    assert!(passed.len() > 20 && passed.contains(&json!("BackendTLSPolicy")));
    assert!(!passed.contains(&json!("MeshBasic")) && !passed.contains(&json!("<script>")));
}

#[test]
fn certify_says_that_results_rest_on_a_log() {
    let folder = tree(&early());
    let certify = |arguments: &str| {
        let output = folder.run(&format!(
            "certify reports --statements statements{arguments}"
        ));
        output.stdout
    };
    let core = early()
        .release
        .members(early().profiles[0])
        .iter()
        .filter(|member| member.level.as_str() == "core")
        .count();
    let all = certify(" --all");
    assert!(
        all.contains(&format!("all {core} core tests and ")),
        "{all}"
    );
    assert!(all.contains(" passed, as its log shows"), "{all}");
    let short = certify("");
    assert!(short.contains("HTTP+\n"), "{short}");
    assert!(
        short.contains("+ A statement proves these results from the log of the run"),
        "{short}"
    );
    let markdown = certify(" --format markdown");
    assert!(
        markdown.contains(" tests passed, as its log shows\n"),
        "{markdown}"
    );
    let without = folder.run("certify reports --all").stdout;
    assert!(!without.contains("log"), "{without}");
}

fn with_late_skip(run: &SuiteRun) -> String {
    let name = "TestConformance/HTTPRouteWeight";
    let begin = format!("=== RUN   {name}\n");
    let reason = "    conformance.go:66: Skipping HTTPRouteWeight: test explicitly skipped\n";
    let log = run.text().replace(&begin, &format!("{begin}{reason}"));
    log.replace(
        &format!("--- PASS: {name} ("),
        &format!("--- SKIP: {name} ("),
    )
}

#[test]
fn a_test_with_another_result_leaves_the_report_without_a_verdict() {
    let run = early();
    let folder = tree(&run);
    let proved = fs::read(folder.path().join("statements/acme.json")).unwrap();
    folder.file("run.log", with_late_skip(&run));
    folder.run(&format!(
        "verify {REPORT} --log run.log --out statements/acme.json"
    ));
    for other in ["a.json", "z.json"] {
        folder.file(&format!("statements/{other}"), &proved);
    }
    let json = folder.json("certify reports --all --statements statements");
    let report = &json["implementations"][0]["reports"][0];
    assert_eq!(report["profiles"][0]["status"], "contradictory");
    let rule = &report["profiles"][0]["blocked_by"][0]["rule"];
    assert_eq!(rule, "evidence/skipped");
    assert_eq!(report["passed_in_log"], Value::Null);
    folder.run("site reports --out out --statements statements");
    let badge = folder.read("out/badges/acme/operator.svg");
    assert!(!badge.contains(">conformant"), "{badge}");
}

#[test]
fn only_a_test_in_a_log_that_prints_the_report_takes_a_verdict_away() {
    let quiet = SuiteRun {
        prints_no_report: true,
        ..early()
    };
    let logs = [
        // Without a printed report, the run of a log is unknown.
        quiet.clone().end("HTTPRouteWeight", End::Fail).text(),
        quiet.clone().end("HTTPRouteWeight", End::Skip).text(),
        SuiteRun {
            date: "2026-10-11T20:56:30Z",
            ..early()
        }
        .end("HTTPRouteWeight", End::Fail)
        .text(),
        early().text().replace("mode: default", "mode: other"),
    ];
    for log in logs {
        let folder = tree(&early());
        folder.file("run.log", log);
        let verify = format!("verify {REPORT} --log run.log --out statements/acme.json");
        let output = folder.run(&verify);
        output.stdout_has("contradicted: ");
        let output = folder.run("certify reports --all --format json --statements statements");
        let json: Value = serde_json::from_str(&output.stdout).unwrap();
        let report = &json["implementations"][0]["reports"][0];
        assert_eq!(report["profiles"][0]["status"], "conformant");
        assert!(
            one_line(&output.stderr)
                .starts_with("not counted: statements/acme.json: it contradicts its report, but "),
            "{output:?}"
        );
    }
}

fn forged(report: &str, failed: &[&str]) -> String {
    let digest = gwconform_base::text::source::Digest::new(report.as_bytes()).to_string();
    let text = json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": "report.yaml", "digest": {"sha256": digest}}],
        "predicateType": "https://in-toto.io/attestation/test-result/v0.1",
        "predicate": {
            "result": "FAILED",
            "configuration": [
                {"name": "log", "annotations": {"printsReport": true}},
                {"name": "gwconform", "annotations": {"verdict": "contradicted"}},
            ],
            "passedTests": [],
            "warnedTests": [],
            "failedTests": failed,
        },
    });
    text.to_string()
}

#[test]
fn a_statement_without_tests_contradicts_nothing() {
    let folder = tree(&early());
    folder.file("statements/acme.json", forged(&early().report(), &[]));
    let output = folder.run("certify reports --all --statements statements");
    assert!(!output.stdout.contains("contradict"), "{output:?}");
    assert!(one_line(&output.stderr).contains("names no test whose result differs"));
    let failed = ["MeshTrafficSplit", "GRPCExactMethodMatching"];
    folder.file("statements/acme.json", forged(&early().report(), &failed));
    let output = folder.run("certify reports --all --statements statements");
    assert!(!output.stdout.contains("contradict"), "{output:?}");
}

fn repository() -> Folder {
    let folder = Folder::new();
    folder
        .file(REPORT, early().report())
        .file(
            "reports/v1.6/acme-operator/README.md",
            crate::support::folder::README,
        )
        .file("gwconform.toml", "statements = \"statements\"\n");
    folder.commit();
    folder
}

fn verdicts(folder: &Folder) -> Vec<(String, String)> {
    let json = folder.json("check --since HEAD reports");
    let verdicts = json["change"]["verdicts"].as_array().unwrap().iter();
    let side = |one: &Value, side: &str| one[side]["standing"].as_str().unwrap_or("-").to_owned();
    verdicts
        .map(|one| (side(one, "before"), side(one, "after")))
        .collect()
}

const ALTERED: &str = "change/altered-statement statements/acme.json";

#[test]
fn a_statement_in_a_change_is_a_finding_that_nothing_turns_off() {
    let folder = repository();
    let statement = forged(&early().report(), &["HTTPRouteWeight"]);
    folder.file("statements/acme.json", &statement);
    let found = folder.findings("check --since HEAD reports");
    assert_eq!(found, [ALTERED]);
    assert_eq!(folder.run("check --since HEAD reports").code, 1);
    let (before, after) = verdicts(&folder).remove(0);
    assert_eq!(before, "conformant");
    assert_ne!(after, "conformant");
    for arguments in [
        "check --since HEAD reports --ignore change",
        "check --since HEAD reports --select report",
        "check --since HEAD reports --baseline baseline.json",
    ] {
        if arguments.contains("baseline") {
            folder.run("check reports --write-baseline baseline.json");
        }
        let output = folder.run(arguments);
        assert_eq!(output.code, 1, "{output:?}");
        output.stdout_has("error[change/altered-statement]");
    }
    folder.file(
        "gwconform.toml",
        "statements = \"statements\"\n[rules]\n\"change\" = \"off\"\n",
    );
    let found = folder.findings("check --since HEAD reports");
    assert!(found.contains(&ALTERED.to_owned()), "{found:?}");
}

#[test]
fn a_change_proves_nothing_and_takes_no_contradiction_back() {
    let folder = repository();
    folder.file("run.log", early().text());
    folder.commit();
    fs::create_dir(folder.path().join("statements")).unwrap();
    let verify = format!("verify {REPORT} --log run.log --out statements/acme.json");
    assert_eq!(folder.run(&verify).code, 0);
    assert_eq!(folder.findings("check --since HEAD reports"), [ALTERED]);
    assert_eq!(verdicts(&folder), []);
    let folder = repository();
    let statement = forged(&early().report(), &["HTTPRouteWeight"]);
    folder.file("statements/acme.json", &statement);
    folder.commit();
    assert_eq!(folder.findings("check --since HEAD reports"), [""; 0]);
    folder.file(
        "statements/acme.json",
        forged(&early().report(), &["MeshTrafficSplit"]),
    );
    assert_eq!(folder.findings("check --since HEAD reports"), [ALTERED]);
    assert_eq!(verdicts(&folder), []);
    folder.remove("statements/acme.json");
    assert_eq!(folder.findings("check --since HEAD reports"), [ALTERED]);
    assert_eq!(verdicts(&folder), []);
    folder.file("gwconform.toml", "statements = \"others\"\n");
    folder.file("others/acme.json", "{}");
    let found = folder.findings("check --since HEAD reports");
    assert!(found.contains(&ALTERED.to_owned()), "{found:?}");
    assert_eq!(verdicts(&folder), []);
}

#[test]
fn a_report_that_a_statement_contradicts_has_no_verdict() {
    let run = early()
        .end("BackendTLSPolicy", End::Fail)
        .end("HTTPRouteMatching", End::Skip);
    let failing = early().end("GatewayInvalidRouteKind", End::Fail);
    let profile = |folder: &Folder, arguments: &str| {
        let json = folder.json(format!("certify reports --all {arguments}").trim_end());
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
            message.contains("according to the statement statements/acme.json"),
            "{message}"
        );
        for arguments in ["reports --all", "acme/operator --in reports"] {
            let command = format!("certify {arguments} --statements statements");
            let text = one_line(&folder.run(&command).stdout);
            let named = format!("contradicted: {REPORT}: test ");
            assert!(text.contains(&named), "{text}");
        }
        folder.file(REPORT, format!("{}# edited\n", run.report()));
        assert_eq!(profile(&folder, "--statements statements"), without);
    }
}

#[test]
fn contradicted_tests_leave_no_profile_a_verdict() {
    let folder = tree(&all_profiles().end("BackendTLSPolicy", End::Fail));
    let json = folder.json("certify reports --all --statements statements");
    let profiles = json["implementations"][0]["reports"][0]["profiles"].as_array();
    let statuses: Vec<&Value> = profiles.unwrap().iter().map(|one| &one["status"]).collect();
    assert!(statuses.len() > 1);
    assert!(
        statuses.iter().all(|status| *status == "contradictory"),
        "{statuses:?}"
    );
}

#[test]
fn a_folder_of_statements_that_cannot_be_read_is_an_error() {
    let folder = tree(&early());
    let output = folder.run("certify reports --statements nowhere");
    assert_eq!(output.code, 2, "{output:?}");
    output.stderr_has(
        "--statements: nowhere: no such file or folder; expected a folder of statements",
    );
}
