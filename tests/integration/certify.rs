//! Tests `gwconform certify` with the decision tables of `src/certify.rs` and the real tree.

use std::path::Path;

use crate::support::folder::{ACME, ACME_REPORT, Folder, NAME, TREE, report, yaml_files};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::{corpus, find, has, lines, list, rows, run, text};
use serde_json::Value;

fn right(release: &str) -> ReportBuilder {
    let passed = match release {
        "v1.3.0" | "v1.2.0" => 12,
        "v1.6.0" => 15,
        _ => 13,
    };
    let profile = Profile::grpc().core(Level::success(passed));
    // Reports with the same date would be copies of one run.
    let digits = release.bytes().filter(u8::is_ascii_digit);
    let day = digits.map(|digit| digit % 10).sum::<u8>();
    let report = ReportBuilder::new().release(release).profiles([profile]);
    report.date(&format!("2026-09-20T10:15:{day:02}Z"))
}

fn put(folder: &Folder, channel: &str, mode: &str, version: &str, report: ReportBuilder) -> String {
    folder.put(&report.channel(channel).mode(mode).version(version))
}

fn partial(release: &str) -> ReportBuilder {
    let report = ReportBuilder::new().core(Level::partial(12, &["GRPCRouteWeight"]));
    report.release(release)
}

fn the_profile(folder: &Folder) -> Value {
    let json = folder.json("certify");
    json["implementations"][0]["reports"][0]["profiles"][0].clone()
}

#[test]
fn a_profile_is_what_its_report_shows() {
    let cases = "
        success 13 0 0         | conformant    |
        partial 12 1 0 skipped | partial       |
        partial 13 0 0         | partial       |
        failure 12 0 1 failed  | failing       |
        success 12 1 0 skipped | contradictory | report/result-contradicts-statistics
        failure 13 0 0         | contradictory | report/result-contradicts-statistics
        partial 12 1 0         | contradictory | report/lists-contradict-statistics
        success 13 0 0 failed  | contradictory | report/lists-contradict-statistics
        success 11 0 0         | contradictory | report/core-tests-missing
        success 0 0 0          | contradictory | report/core-tests-missing
        passed 13 0 0          | unreadable    |
        success                | unreadable    |
        success 13 0 0 twice   | contradictory | yaml/duplicate-key
    ";
    for [core, status, rule] in rows(cases) {
        let words: Vec<&str> = core.split(' ').collect();
        let mut level = Level::result(words[0]);
        if words.len() > 1 {
            let [passed, skipped, failed] = [1, 2, 3].map(|at| words[at].parse().unwrap());
            level = level.counts(passed, skipped, failed);
        }
        level = match words.get(4) {
            Some(&"skipped") => level.skipped(&["GRPCRouteWeight"]),
            Some(&"failed") => level.failed(&["GRPCRouteWeight"]),
            _ => level,
        };
        let mut text = ReportBuilder::new().core(level).build();
        if core.ends_with("twice") {
            text = text.replace("  name:", "    result: failure\n  name:");
        }
        let folder = Folder::with_tree();
        folder.file(ACME_REPORT, text);
        let profile = the_profile(&folder);
        assert_eq!(profile["status"], status, "{core}: {profile:#}");
        let mut rules = list(&profile["blocked_by"]).iter();
        let has_rule = rules.any(|block| block["rule"] == rule);
        assert_eq!(has_rule, !rule.is_empty(), "{core}: {profile:#}");
        assert_ne!(profile["reason"], "", "{core}");
    }
}

#[test]
fn disabled_rules_still_block_verdicts() {
    let core = Level::result("success").counts(12, 1, 0);
    let core = core.skipped(&["GRPCRouteWeight"]);
    let folder = Folder::with_tree();
    folder.file(ACME_REPORT, ReportBuilder::new().core(core).build());
    folder.config("[rules]\nreport = \"off\"\n");
    assert_eq!(the_profile(&folder)["status"], "contradictory");
    folder.ok("certify --fail-on error");
}

#[test]
fn duplicate_profiles_are_contradictory() {
    let folder = Folder::with_tree();
    let twice = ReportBuilder::new().profiles([Profile::grpc(), Profile::grpc()]);
    folder.file(ACME_REPORT, twice.build());
    let json = folder.json("certify");
    let profiles = &json["implementations"][0]["reports"][0]["profiles"];
    assert_eq!(lines(profiles, "{status}"), ["contradictory"; 2]);
}

#[test]
fn from_v1_7_on_many_skipped_core_tests_are_too_many() {
    let core = Level::partial(7, &["A", "B", "C", "D", "E", "F"]);
    let report = ReportBuilder::new().core(core);
    for (release, status) in [("v1.5.1", "partial"), ("v1.7.0", "failing")] {
        let folder = Folder::new();
        let report = report.clone().release(release);
        put(&folder, "standard", "default", "v1.0.0", report);
        assert_eq!(the_profile(&folder)["status"], status);
    }
}

fn gateway(folder: &Folder, options: &str) -> (String, String, String) {
    let json = folder.json(&format!("certify{options}"));
    let family = &json["implementations"][0]["families"][0];
    let text = |key: &str| family[key].as_str().unwrap_or_default().to_owned();
    assert_eq!(text("family"), "gateway");
    (text("standing"), text("path"), text("until"))
}

#[test]
fn a_verdict_has_a_window_and_expires_after_it() {
    let folder = Folder::new();
    let path = put(&folder, "standard", "default", "v1.0.0", right("v1.5.1"));
    assert_eq!(gateway(&folder, "").2, "v1.7");
    for (newest, verdict, until) in [
        ("v1.6", "conformant", "v1.7"),
        ("v1.7", "partially-conformant", "v1.8"),
        ("v1.8", "not-current", ""),
        ("v1.4", "conformant", "v1.7"),
    ] {
        let expected = (verdict.to_owned(), path.clone(), until.to_owned());
        folder.newest_minor(newest);
        assert_eq!(gateway(&folder, ""), expected, "{newest}");
    }
    folder.config("[policy]\nnewest-minor = \"v1.7\"\nconformant-minors = 3\n");
    assert_eq!(gateway(&folder, "").0, "conformant");
}

#[test]
fn a_release_newer_than_the_registry_moves_no_window_and_has_no_verdict() {
    let folder = Folder::new();
    let report = put(&folder, "standard", "default", "v1.0.0", right("v1.5.1"));
    let newer = right("v1.5.1").release("v1.8.0").version("v2.0.0");
    let newer = newer.date("2026-09-21T10:15:30Z");
    let path = format!("{TREE}/v1.8/acme-operator/{NAME}");
    folder.file(&path, newer.build());
    assert_eq!(folder.json("certify")["newest_minor"], "v1.6");
    assert_eq!(gateway(&folder, "").1, report);
    let why = "v1.8 is newer than the built-in release data: counts not checked";
    let profile = |options: &str| {
        let json = folder.json(&format!("certify{options}"));
        let reports = json["implementations"][0]["reports"].as_array().unwrap();
        reports.last().unwrap()["profiles"][0].clone()
    };
    assert_eq!(profile("")["status"], "unverified");
    assert_eq!(profile("")["reason"], why);
    // The configuration makes v1.8 the newest minor but does not define its test counts.
    folder.config("[policy]\nnewest-minor = 'v1.8'\n");
    assert_eq!(profile("")["status"], "unverified");
    // The last report with a verdict is shown.
    let last = "the last report is for v1.5, not one of the 3 newest minors";
    let json = folder.json("certify");
    assert_eq!(json["implementations"][0]["families"][0]["reason"], last);
    let facts = r#"{"release": "v1.8.0", "date": "2026-09-01", "base": "v1.5.0"}"#;
    folder.file("known/v1.8.0.json", facts);
    assert_eq!(profile(" --registry known")["status"], "conformant");
    assert_eq!(gateway(&folder, " --registry known").0, "conformant");
}

#[test]
fn an_unknown_patch_is_compared_with_its_neighbour_and_says_so() {
    let folder = Folder::new();
    put(&folder, "standard", "default", "v1.0.0", right("v1.5.2"));
    let profile = the_profile(&folder);
    assert_eq!(profile["status"], "conformant", "{profile:#}");
    let caveat = "; v1.5.2 is not in the release data: counts compared with v1.5.1";
    let reason = profile["reason"].as_str().unwrap();
    assert!(reason.ends_with(caveat), "{reason}");
}

#[test]
fn a_run_before_the_first_release_of_its_minor_is_unverified() {
    let first = "before v1.6.0 was released on 2026-06-29";
    for (release, day, status) in [
        ("v1.6.0", "2026-01-05", "unverified"),
        ("v1.6.1", "2026-01-05", "unverified"),
        ("v1.6.3", "2026-01-05", "unverified"),
        ("v1.6.0", "2026-06-27", "unverified"),
        // Tag dates have no time zone, so one day of difference is allowed.
        ("v1.6.0", "2026-06-28", "conformant"),
        ("v1.6.1", "2026-06-28", "conformant"),
        ("v1.5.0", "2026-02-25", "unverified"),
        ("v1.5.1", "2026-02-26", "conformant"),
    ] {
        let folder = Folder::new();
        let counts = if release < "v1.6" { "v1.5.1" } else { "v1.6.0" };
        let report = right(counts).release(release);
        let report = report.date(&format!("{day}T00:00:00Z"));
        put(&folder, "standard", "default", "v1.0.0", report);
        let profile = the_profile(&folder);
        assert_eq!(profile["status"], status, "{release} {day}: {profile:#}");
        if status == "unverified" && release > "v1.6" {
            assert_eq!(profile["reason"], format!("run on {day}, {first}"));
        }
        let findings = folder.json("check --select report/date-before-release");
        let count = list(&findings["findings"]).len();
        assert!(status != "unverified" || count == 1, "{release} {day}");
    }
    let failing = ReportBuilder::new().core(Level::failure(14, &["GRPCRouteWeight"]));
    let folder = Folder::new();
    folder.put(&failing.release("v1.6.0").date("2026-01-05T00:00:00Z"));
    assert_eq!(the_profile(&folder)["status"], "unverified");
}

#[test]
fn a_verdict_rests_on_the_best_then_the_newest_report() {
    let folder = Folder::new();
    folder.newest_minor("v1.5");
    // An older conformant report outranks a newer partial one.
    let cases = "
        standard     | default | v1.0.0      | right v1.3.0   | partially-conformant true
        experimental | x       | v1.0.0      | partial v1.5.1 | partially-conformant true
        experimental | x       | v1.0.0      | right v1.4.0   | conformant true
        standard     | default | v9.0.0      | partial v1.5.1 | conformant false
        experimental | a       | v1.9.0      | right v1.5.1   | conformant true
        experimental | b       | v1.10.0     | right v1.5.1   | conformant true
        experimental | a       | v1.10.0     | right v1.5.1   | conformant true
        experimental | default | v1.0.0      | right v1.5.1   | conformant true
        standard     | x       | v1.0.0-rc.1 | right v1.5.1   | conformant true
        standard     | x       | main        | right v1.5.1   | conformant false
    ";
    for [channel, mode, version, report, expected] in rows(cases) {
        let (kind, release) = report.split_once(' ').unwrap();
        let report = if kind == "right" {
            right(release)
        } else {
            partial(release)
        };
        let path = put(&folder, channel, mode, version, report);
        let (verdict, at, _) = gateway(&folder, "");
        let found = format!("{verdict} {}", at == path);
        assert_eq!(found, expected, "{channel} {mode} {version} {release}");
    }
}

#[test]
fn the_reason_of_a_report_that_cannot_be_judged_is_not_its_age() {
    let cases = "
        v1.8 | v1.8.0     | v1.8 is newer than the built-in release data
        v1.6  | v1.6.0-rc.1 | v1.6.0-rc.1 is a prerelease of v1.6.0
    ";
    for [folder_name, release, why] in rows(cases) {
        let folder = Folder::new();
        let report = right("v1.6.0").release(release).build();
        folder.file(
            &format!("{TREE}/{folder_name}/acme-operator/{NAME}"),
            report,
        );
        let json = folder.json("certify");
        let reason = text(&json["implementations"][0]["families"][0]["reason"]);
        has(reason, "is unverified (");
        has(reason, why);
        let text = folder.run("certify").stdout;
        assert!(text.starts_with("Newest minor: v1.6\n"), "{text}");
    }
}

#[test]
fn every_file_is_counted_or_named() {
    let folder = Folder::with_tree();
    folder
        .acme("empty.yaml", "# nothing\n")
        .acme("list.yaml", "- a\n")
        .acme("nameless.yaml", ReportBuilder::new().project("").build())
        .acme(
            "strange.yaml",
            report().replace("GATEWAY-GRPC", "GATEWAY-QUIC"),
        )
        .acme("cut.yaml", report().replace("  name:", "  name: ["));
    #[cfg(unix)]
    folder.link(&format!("{ACME}/link.yaml"), NAME);
    let json = folder.json("certify");
    let expected = ["cut", "empty", "link", "list", "nameless", "strange"];
    let expected = expected.map(|name| format!("{ACME}/{name}.yaml"));
    assert_eq!(lines(&json["left_out"], "{path}"), expected, "{json:#}");
    let reports = &json["implementations"][0]["reports"];
    let cut = find(reports, "path", &format!("{ACME}/cut.yaml"));
    assert_eq!(cut["profiles"][0]["status"], "unreadable", "{json:#}");
    assert_eq!(list(reports).len(), 3);
    folder.run("certify").stdout_has("Left out: 6");
}

#[test]
fn names_come_from_configuration_then_from_the_list() {
    let folder = Folder::with_tree();
    let name = |folder: &Folder| {
        let json = folder.json("certify");
        lines(&json["implementations"], "{name}: {description}").concat()
    };
    assert_eq!(name(&folder), "acme/operator: ");
    assert!(folder.json("certify")["implementations"][0]["description"].is_null());
    let details = |organization: &str| {
        format!(
            "kind: ImplementationListDetails\norganization: {organization}\nproject: operator\nfullName: The [Operator]\ndescription: Routes *all*.\n"
        )
    };
    let list = "conformance/list/implementations";
    folder.file(&format!("{list}/other/details.yaml"), details("Acme2"));
    assert_eq!(name(&folder), "acme/operator: ");
    // Another spelling is the same name.
    folder.file(&format!("{list}/any/details.yaml"), details("Acme"));
    assert_eq!(name(&folder), "The [Operator]: Routes all.");
    let page = folder.run("certify --format markdown --base-url https://acme.example/x/");
    let line = "- [The \\[Operator\\]](https://acme.example/x/implementations/acme/operator/) [![Gateway API v1.5: conformant](https://acme.example/x/badges/acme/operator.svg)](https://acme.example/x/implementations/acme/operator/v1.5.1/standard-v2-14-0-default/)\\\n  Routes all.\\\n  conformant: GRPC; valid until the review after v1.7\n";
    page.stdout_has(line);
    folder.config("[[implementation]]\norganization = \"acme\"\nproject = \"operator\"\nname = \"Acme\"\naliases = [\"old/gate\"]\n");
    assert_eq!(name(&folder), "Acme: Routes all.");
    let aliases = &folder.json("certify")["implementations"][0]["aliases"];
    assert_eq!(*aliases, serde_json::json!(["old/gate"]));
    folder.file(&format!("{list}/bad/details.yaml"), "kind: [\n");
    let json = folder.json("certify");
    let left_out = text(&json["left_out"][0]["path"]);
    assert!(left_out.ends_with("bad/details.yaml"), "{left_out}");
}

#[test]
fn links_of_the_list_are_pages_of_the_site() {
    let folder = Folder::new();
    let report = right("v1.5.1").release("v1.5.1-RC.One");
    folder.acme(NAME, report.build());
    let list = folder.run("certify --all --format markdown").stdout;
    let site = folder.site("");
    let links = list.split("](").skip(1);
    let links: Vec<&str> = links
        .filter_map(|rest| Some(rest.split_once(')')?.0))
        .collect();
    assert_eq!(links.len(), 3, "{list}");
    for link in links {
        let page = format!("{link}index.html");
        assert!(
            site.contains_key(link) || site.contains_key(&page),
            "{link}"
        );
    }
}

#[test]
fn exit_codes() {
    let folder = Folder::with_tree();
    folder.file(&format!("{TREE}/v1.5/acme-operator/extra.yaml"), "a: [\n");
    for (arguments, code) in [
        ("certify", 0),
        ("certify --fail-on error", 1),
        ("certify --fail-on never", 0),
        ("certify conformance/reports/v1.5", 2),
        ("certify --base-url here", 2),
        ("certify nowhere", 2),
    ] {
        folder.run(arguments).exits(code);
    }
}

#[test]
fn verdicts_on_the_real_tree() {
    let Some(corpus) = corpus() else { return };
    let json = certify(&corpus.join("gateway-api"));
    let mut shown = vec![format!("newest minor {}", json["newest_minor"])];
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let below = |value: &Value| text(value).replace("conformance/reports/", "");
    for one in list(&json["implementations"]) {
        let reports = list(&one["reports"]);
        let (name, id) = (text(&one["name"]), text(&one["implementation"]));
        shown.push(format!("\n{name} ({id}, {} reports)", reports.len()));
        for family in list(&one["families"]) {
            let [name, standing, until, reason] =
                ["family", "standing", "until", "reason"].map(|key| text(&family[key]));
            let profiles = lines(&family["profiles"], "{profile} {status}").join(", ");
            let path = below(&family["path"]);
            shown.push(format!(
                "  {name}: {standing} until {until}: {reason}\n    {profiles}\n    {path}"
            ));
        }
        for report in reports {
            for profile in list(&report["profiles"]) {
                let [name, status, reason] =
                    ["profile", "status", "reason"].map(|key| text(&profile[key]));
                if status != "conformant" {
                    let path = below(&report["path"]);
                    shown.push(format!("  - {path} {name} {status}: {reason}"));
                }
            }
        }
    }
    shown.push(format!("\nleft out: {}", json["left_out"]));
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn every_report_of_the_real_tree_has_its_place() {
    let Some(corpus) = corpus() else { return };
    let root = corpus.join("gateway-api");
    let json = certify(&root);
    let implementations = list(&json["implementations"]).iter();
    let reports: usize = implementations.map(|one| list(&one["reports"]).len()).sum();
    let files = yaml_files(&root.join(TREE)).into_iter();
    let files = files.filter(|path| path.strip_prefix(root.join(TREE)).unwrap().iter().count() > 2);
    assert_eq!(reports, files.count());
}

#[test]
fn verdicts_of_kong_are_as_published() {
    let Some(corpus) = corpus() else { return };
    let json = certify(&corpus.join("gateway-api"));
    let kong = find(&json["implementations"], "project", "kong-operator");
    let reports = list(&kong["reports"]).iter();
    let reports: Vec<_> = reports.filter(|one| one["release"] == "v1.6.1").collect();
    let of_profile = |name: &str| {
        let status =
            |at: &&Value| text(&find(&at["profiles"], "profile", name)["status"]).to_owned();
        reports.iter().map(status).collect::<Vec<_>>().join(" ")
    };
    let modes: Vec<_> = reports.iter().map(|report| text(&report["mode"])).collect();
    let (expressions, traditional) = ("expressions", "traditional_compatible");
    assert_eq!(modes, [expressions, traditional, traditional]);
    assert_eq!(
        of_profile("GATEWAY-TLS"),
        "conformant conformant conformant"
    );
    assert_eq!(
        of_profile("GATEWAY-UDP"),
        "conformant conformant conformant"
    );
    assert_eq!(of_profile("GATEWAY-GRPC"), "partial partial partial");
    assert_eq!(of_profile("GATEWAY-HTTP"), "conformant partial conformant");
    assert_eq!(of_profile("GATEWAY-TCP"), "partial conformant partial");
    let gateway = &kong["families"][0];
    assert_eq!(gateway["standing"], "conformant");
    assert_eq!(gateway["path"], reports[0]["path"]);
    assert_eq!(gateway["until"], "v1.8");
    let arguments = ["certify", "--format", "markdown"].map(str::to_owned);
    let page = run(&corpus.join("gateway-api"), &arguments);
    page.stdout_has(
        "\n  conformant: HTTP, TLS, UDP; partial: GRPC, TCP; valid until the review after v1.8",
    );
}

fn certify(root: &Path) -> Value {
    let arguments = ["certify", "--format", "json"].map(str::to_owned);
    serde_json::from_str(&run(root, &arguments).stdout).unwrap()
}

#[test]
fn lists_configured_names_without_reports() {
    let folder = Folder::with_tree();
    folder.config("[[implementation]]\norganization = 'acme'\nproject = 'operater'\n\n[[implementation]]\norganization = 'acme'\nproject = 'operator'\naliases = ['acme/gateway']\n\n[[implementation]]\norganization = 'umbrella'\nproject = 'operator'\n",
    );
    let other = "conformance/reports/v1.5/umbrella-operator";
    let umbrella = ReportBuilder::new().organization("umbrella");
    folder.submission(other).put(&umbrella);
    let reasons = lines(&folder.json("certify")["left_out"], "{reason}");
    assert_eq!(reasons, ["no report of acme/operater in this tree"]);
}
