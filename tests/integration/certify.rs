//! Tests `gwconform certify` with the decision tables of `src/certify.rs` and the real tree.

use std::path::Path;

use crate::support::folder::{Folder, NAME, TREE, report};
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::{corpus, lines, run};
use serde_json::Value;

fn with_core(core: Level) -> ReportBuilder {
    ReportBuilder::new().profiles([Profile::new("GATEWAY-GRPC").core(core).summarized()])
}

fn right(release: &str) -> ReportBuilder {
    let passed = match release {
        "v1.3.0" | "v1.2.0" => 12,
        "v1.6.0" => 15,
        _ => 13,
    };
    let profile = Profile::grpc().core(Level::success(passed));
    // Reports with the same date would be copies of one run.
    let day = release
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|digit| digit % 10);
    let date = format!("2026-09-20T10:15:{:02}Z", day.sum::<u8>());
    let report = ReportBuilder::new().release(release).date(&date);
    report.profiles([profile])
}

fn put(folder: &Folder, channel: &str, mode: &str, version: &str, report: ReportBuilder) -> String {
    let submission = match report.release_of() {
        "v1.5.0" | "v1.5.1" | "v1.5.2" => "v1.5",
        release if release.starts_with("v1.6.") => "v1.6",
        "v1.7.0" => "v1.7",
        release => release,
    };
    let path = format!("{TREE}/{submission}/acme-operator/{channel}-{version}-{mode}-report.yaml");
    let report = report.channel(channel).mode(mode).version(version);
    folder.file(&path, report.build());
    path
}

fn partial(release: &str) -> ReportBuilder {
    let core = Level::result("partial").counts(12, 1, 0);
    with_core(core.skipped(&["GRPCRouteWeight"])).release(release)
}

fn the_profile(folder: &Folder) -> Value {
    let json = folder.json("certify");
    json["implementations"][0]["reports"][0]["profiles"][0].clone()
}

#[test]
fn a_profile_is_what_its_report_shows() {
    let counts = |result: &str, passed, skipped, failed| {
        Level::result(result).counts(passed, skipped, failed)
    };
    let test = &["GRPCRouteWeight"];
    let twice = with_core(counts("success", 13, 0, 0)).build();
    let twice = twice.replace("  name:", "    result: failure\n  name:");
    let numbers = "report/result-contradicts-statistics";
    let lists = "report/lists-contradict-statistics";
    let missing = "report/core-tests-missing";
    let cases = [
        (counts("success", 13, 0, 0), "conformant", ""),
        (counts("partial", 12, 1, 0).skipped(test), "partial", ""),
        (counts("partial", 13, 0, 0), "partial", ""),
        (counts("failure", 12, 0, 1).failed(test), "failing", ""),
        (
            counts("success", 12, 1, 0).skipped(test),
            "contradictory",
            numbers,
        ),
        (counts("failure", 13, 0, 0), "contradictory", numbers),
        (counts("partial", 12, 1, 0), "contradictory", lists),
        (
            counts("success", 13, 0, 0).failed(test),
            "contradictory",
            lists,
        ),
        (counts("success", 11, 0, 0), "contradictory", missing),
        (counts("success", 0, 0, 0), "contradictory", missing),
        (counts("passed", 13, 0, 0), "unreadable", ""),
        (Level::result("success"), "unreadable", ""),
    ];
    let cases = cases.map(|(core, status, rule)| (with_core(core).build(), status, rule));
    let twice = (twice, "contradictory", "yaml/duplicate-key");
    for (core, status, rule) in cases.into_iter().chain([twice]) {
        let folder = Folder::with_tree();
        folder.file(&format!("{TREE}/v1.5/acme-operator/{NAME}"), &core);
        let profile = the_profile(&folder);
        assert_eq!(profile["status"], status, "{core}: {profile:#}");
        let rules = profile["blocked_by"].as_array().unwrap();
        let has_rule = rules.iter().any(|block| block["rule"] == rule);
        assert_eq!(has_rule, !rule.is_empty(), "{core}: {profile:#}");
        assert_ne!(profile["reason"], "", "{core}");
    }
}

#[test]
fn disabled_rules_still_block_verdicts() {
    let core = Level::result("success").counts(12, 1, 0);
    let core = core.skipped(&["GRPCRouteWeight"]);
    let folder = Folder::with_tree();
    folder.file(
        &format!("{TREE}/v1.5/acme-operator/{NAME}"),
        with_core(core).build(),
    );
    folder.file("gwconform.toml", "[rules]\nreport = \"off\"\n");
    let profile = the_profile(&folder);
    assert_eq!(profile["status"], "contradictory");
    assert_eq!(folder.run("certify --fail-on error").code, 0);
}

#[test]
fn duplicate_profiles_are_contradictory() {
    let folder = Folder::with_tree();
    let twice = ReportBuilder::new().profiles([Profile::grpc(), Profile::grpc()]);
    folder.file(&format!("{TREE}/v1.5/acme-operator/{NAME}"), twice.build());
    let json = folder.json("certify");
    let profiles = &json["implementations"][0]["reports"][0]["profiles"];
    assert_eq!(profiles[0]["status"], "contradictory");
    assert_eq!(profiles[1]["status"], "contradictory");
}

#[test]
fn from_v1_7_on_many_skipped_core_tests_are_too_many() {
    let core = Level::result("partial").counts(7, 6, 0);
    let report = with_core(core.skipped(&["A", "B", "C", "D", "E", "F"]));
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
    for (latest, verdict, until) in [
        ("", "conformant", "v1.7"),
        (" --latest v1.6", "conformant", "v1.7"),
        (" --latest v1.7", "partially-conformant", "v1.8"),
        (" --latest 1.8", "not-current", ""),
        (" --latest v1.4", "conformant", "v1.7"),
    ] {
        let expected = (verdict.to_owned(), path.clone(), until.to_owned());
        // A minor that the registry does not know must be in the configuration.
        let named = latest.rsplit(' ').next().unwrap().trim_start_matches('v');
        let policy = format!("[policy]\nnewest-minor = \"v{named}\"\n");
        folder.file(
            "gwconform.toml",
            if named.is_empty() { "" } else { &policy },
        );
        assert_eq!(gateway(&folder, latest), expected, "{latest}");
    }
    folder.file(
        "gwconform.toml",
        "[policy]\nnewest-minor = \"v1.7\"\nconformant-minors = 3\n",
    );
    assert_eq!(gateway(&folder, "").0, "conformant");
}

#[test]
fn the_newest_minor_is_known_or_configured() {
    let folder = Folder::new();
    put(&folder, "standard", "default", "v1.0.0", right("v1.5.1"));
    for command in ["certify", "badge acme/operator", "site --out site"] {
        let output = folder.run(&format!("{command} --latest v1.99"));
        assert_eq!(output.code, 2, "{command}: {output:?}");
        output.stderr_has("--latest: unknown minor release v1.99");
    }
    let facts = r#"{"release": "v1.99.0", "date": "2026-11-01", "base": "v1.6.0"}"#;
    folder.file("known/v1.99.0.json", facts);
    let known = folder.run("certify --latest v1.99 --registry known");
    assert_eq!(known.code, 0, "{known:?}");
    folder.file("gwconform.toml", "[policy]\nnewest-minor = 'v1.99'\n");
    assert_eq!(folder.run("certify --latest v1.99").code, 0);
}

#[test]
fn a_release_newer_than_the_registry_moves_no_window_and_has_no_verdict() {
    let folder = Folder::new();
    let report = put(&folder, "standard", "default", "v1.0.0", right("v1.5.1"));
    let newer = right("v1.5.1").release("v1.99.0").version("v2.0.0");
    let newer = newer.date("2026-09-21T10:15:30Z");
    let path = format!("{TREE}/v1.99/acme-operator/{NAME}");
    folder.file(&path, newer.build());
    assert_eq!(folder.json("certify")["newest_minor"], "v1.6");
    assert_eq!(gateway(&folder, "").1, report);
    let why = "v1.99 is newer than the built-in release data: counts not checked";
    let profile = |options: &str| {
        let json = folder.json(&format!("certify{options}"));
        let reports = json["implementations"][0]["reports"].as_array().unwrap();
        reports.last().unwrap()["profiles"][0].clone()
    };
    assert_eq!(profile("")["status"], "unverified");
    assert_eq!(profile("")["reason"], why);
    // The configuration makes v1.99 the newest minor but does not define its test counts.
    folder.file("gwconform.toml", "[policy]\nnewest-minor = 'v1.99'\n");
    assert_eq!(profile("")["status"], "unverified");
    // The last report with a verdict is shown.
    let last = "the last report is for v1.5, not one of the 3 newest minors";
    let json = folder.json("certify");
    assert_eq!(json["implementations"][0]["families"][0]["reason"], last);
    let facts = r#"{"release": "v1.99.0", "date": "2026-09-01", "base": "v1.5.0"}"#;
    folder.file("known/v1.99.0.json", facts);
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
        let found = findings["findings"].as_array().unwrap();
        assert!(
            status != "unverified" || found.len() == 1,
            "{release} {day}"
        );
    }
    let failing = with_core(
        Level::result("failure")
            .counts(14, 0, 1)
            .failed(&["GRPCRouteWeight"]),
    );
    let folder = Folder::new();
    let failing = failing.release("v1.6.0").date("2026-01-05T00:00:00Z");
    put(&folder, "standard", "default", "v1.0.0", failing);
    assert_eq!(the_profile(&folder)["status"], "unverified");
}

#[test]
fn a_verdict_rests_on_the_best_then_the_newest_report() {
    let folder = Folder::new();
    folder.newest_minor("v1.5");
    let rests_on = |channel: &str, mode: &str, version: &str, report: ReportBuilder| {
        let path = put(&folder, channel, mode, version, report);
        let (verdict, at, _) = gateway(&folder, "");
        (verdict, at == path)
    };
    let (conformant, partially) = ("conformant".to_owned(), "partially-conformant".to_owned());
    let no = |verdict: &String| (verdict.clone(), false);
    let yes = |verdict: &String| (verdict.clone(), true);
    assert_eq!(
        rests_on("standard", "default", "v1.0.0", right("v1.3.0")),
        yes(&partially)
    );
    assert_eq!(
        rests_on("experimental", "x", "v1.0.0", partial("v1.5.1")),
        yes(&partially)
    );
    assert_eq!(
        rests_on("experimental", "x", "v1.0.0", right("v1.4.0")),
        yes(&conformant)
    );
    // An older conformant report outranks a newer partial one.
    assert_eq!(
        rests_on("standard", "default", "v9.0.0", partial("v1.5.1")),
        no(&conformant)
    );
    assert_eq!(
        rests_on("experimental", "a", "v1.9.0", right("v1.5.1")),
        yes(&conformant)
    );
    assert_eq!(
        rests_on("experimental", "b", "v1.10.0", right("v1.5.1")),
        yes(&conformant)
    );
    assert_eq!(
        rests_on("experimental", "a", "v1.10.0", right("v1.5.1")),
        yes(&conformant)
    );
    assert_eq!(
        rests_on("experimental", "default", "v1.0.0", right("v1.5.1")),
        yes(&conformant)
    );
    assert_eq!(
        rests_on("standard", "x", "v1.0.0-rc.1", right("v1.5.1")),
        yes(&conformant)
    );
    assert_eq!(
        rests_on("standard", "x", "main", right("v1.5.1")),
        no(&conformant)
    );
}

#[test]
fn the_reason_of_a_report_that_cannot_be_judged_is_not_its_age() {
    for (folder_name, release, why) in [
        (
            "v1.99",
            "v1.99.0",
            "v1.99 is newer than the built-in release data",
        ),
        (
            "v1.6",
            "v1.6.0-rc.1",
            "v1.6.0-rc.1 is a prerelease of v1.6.0",
        ),
    ] {
        let folder = Folder::new();
        let report = right("v1.6.0").release(release).build();
        folder.file(
            &format!("{TREE}/{folder_name}/acme-operator/{NAME}"),
            report,
        );
        let json = folder.json("certify");
        let reason = json["implementations"][0]["families"][0]["reason"].as_str();
        let reason = reason.unwrap();
        assert!(
            reason.contains("is unverified (") && reason.contains(why),
            "{reason}"
        );
        let text = folder.run("certify").stdout;
        assert!(text.starts_with("Newest minor: v1.6\n"), "{text}");
    }
}

#[test]
fn every_file_is_counted_or_named() {
    let folder = Folder::with_tree();
    let submission = format!("{TREE}/v1.5/acme-operator");
    folder
        .file(&format!("{submission}/empty.yaml"), "# nothing\n")
        .file(&format!("{submission}/list.yaml"), "- a\n")
        .file(
            &format!("{submission}/nameless.yaml"),
            ReportBuilder::new().project("").build(),
        )
        .file(
            &format!("{submission}/strange.yaml"),
            report().replace("GATEWAY-GRPC", "GATEWAY-QUIC"),
        )
        .file(
            &format!("{submission}/cut.yaml"),
            report().replace("  name:", "  name: ["),
        );
    #[cfg(unix)]
    folder.link(&format!("{submission}/link.yaml"), NAME);
    let json = folder.json("certify");
    let left_out = json["left_out"].as_array().unwrap();
    let left_out: Vec<_> = left_out
        .iter()
        .map(|one| one["path"].as_str().unwrap().rsplit('/').next().unwrap())
        .collect();
    let expected = [
        "cut.yaml",
        "empty.yaml",
        "link.yaml",
        "list.yaml",
        "nameless.yaml",
        "strange.yaml",
    ];
    assert_eq!(left_out, expected, "{json:#}");
    let reports = json["implementations"][0]["reports"].as_array().unwrap();
    let cut = reports
        .iter()
        .find(|one| one["path"].as_str().unwrap().ends_with("cut.yaml"));
    assert_eq!(
        cut.unwrap()["profiles"][0]["status"],
        "unreadable",
        "{json:#}"
    );
    assert_eq!(reports.len(), 3);
    assert!(folder.run("certify").stdout.contains("Left out: 6"));
}

#[test]
fn names_come_from_configuration_then_from_the_list() {
    let folder = Folder::with_tree();
    let name = |folder: &Folder| {
        let json = folder.json("certify");
        let one = &json["implementations"][0];
        (
            one["name"].as_str().unwrap().to_owned(),
            one["description"].clone(),
        )
    };
    assert_eq!(name(&folder), ("acme/operator".to_owned(), Value::Null));
    let details = |organization: &str| {
        format!(
            "kind: ImplementationListDetails\norganization: {organization}\nproject: operator\nfullName: The [Operator]\ndescription: Routes *all*.\n"
        )
    };
    let list = "conformance/list/implementations";
    folder.file(&format!("{list}/other/details.yaml"), details("Acme2"));
    assert_eq!(name(&folder).0, "acme/operator");
    // Another spelling is the same name.
    folder.file(&format!("{list}/any/details.yaml"), details("Acme"));
    assert_eq!(
        name(&folder),
        ("The [Operator]".to_owned(), "Routes all.".into())
    );
    let page = folder
        .run("certify --format markdown --base-url https://acme.example/x/")
        .stdout;
    let line = "- [The \\[Operator\\]](https://acme.example/x/implementations/acme/operator/) [![Gateway API v1.5: conformant](https://acme.example/x/badges/acme/operator.svg)](https://acme.example/x/implementations/acme/operator/v1.5.1/standard-v2-14-0-default/)\\\n  Routes all.\\\n  conformant: GRPC; valid until the review after v1.7\n";
    assert!(page.contains(line), "{page}");
    folder.file("gwconform.toml", "[[implementation]]\norganization = \"acme\"\nproject = \"operator\"\nname = \"Acme\"\naliases = [\"old/gate\"]\n");
    assert_eq!(name(&folder), ("Acme".to_owned(), "Routes all.".into()));
    assert_eq!(
        folder.json("certify")["implementations"][0]["aliases"],
        serde_json::json!(["old/gate"])
    );
    folder.file(&format!("{list}/bad/details.yaml"), "kind: [\n");
    let json = folder.json("certify");
    assert!(
        json["left_out"][0]["path"]
            .as_str()
            .unwrap()
            .ends_with("bad/details.yaml")
    );
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
        ("certify --latest newest", 2),
        ("certify --latest v9.9", 2),
        ("certify --base-url here", 2),
        ("certify nowhere", 2),
    ] {
        let output = folder.run(arguments);
        assert_eq!(output.code, code, "{arguments}: {output:?}");
    }
}

#[test]
fn verdicts_on_the_real_tree() {
    let Some(corpus) = corpus() else { return };
    let json = certify(&corpus.join("gateway-api"));
    let mut lines = vec![format!("newest minor {}", json["newest_minor"])];
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let below = |value: &Value| text(value).replace("conformance/reports/", "");
    for one in json["implementations"].as_array().unwrap() {
        let reports = one["reports"].as_array().unwrap();
        lines.push(format!(
            "\n{} ({}, {} reports)",
            text(&one["name"]),
            text(&one["implementation"]),
            reports.len()
        ));
        for family in one["families"].as_array().unwrap() {
            let profiles = family["profiles"].as_array().unwrap().iter();
            let profiles: Vec<_> = profiles
                .map(|one| format!("{} {}", text(&one["profile"]), text(&one["status"])))
                .collect();
            lines.push(format!(
                "  {}: {} until {}: {}\n    {}\n    {}",
                text(&family["family"]),
                text(&family["standing"]),
                text(&family["until"]),
                text(&family["reason"]),
                profiles.join(", "),
                below(&family["path"]),
            ));
        }
        for report in reports {
            for profile in report["profiles"].as_array().unwrap() {
                if profile["status"] != "conformant" {
                    lines.push(format!(
                        "  - {} {} {}: {}",
                        below(&report["path"]),
                        text(&profile["profile"]),
                        text(&profile["status"]),
                        text(&profile["reason"]),
                    ));
                }
            }
        }
    }
    lines.push(format!("\nleft out: {}", json["left_out"]));
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn every_report_of_the_real_tree_has_its_place() {
    let Some(corpus) = corpus() else { return };
    let root = corpus.join("gateway-api");
    let json = certify(&root);
    let implementations = json["implementations"].as_array().unwrap().iter();
    let reports: usize = implementations
        .map(|one| one["reports"].as_array().unwrap().len())
        .sum();
    let files = walkdir::WalkDir::new(root.join(TREE))
        .min_depth(3)
        .into_iter();
    let files = files.filter(|entry| {
        let name = entry.as_ref().unwrap().file_name().to_str().unwrap();
        name.ends_with(".yaml")
    });
    assert_eq!(reports, files.count());
}

#[test]
fn verdicts_of_kong_are_as_published() {
    let Some(corpus) = corpus() else { return };
    let json = certify(&corpus.join("gateway-api"));
    let implementations = json["implementations"].as_array().unwrap();
    let kong = implementations
        .iter()
        .find(|one| one["project"] == "kong-operator")
        .unwrap();
    let reports = kong["reports"].as_array().unwrap().iter();
    let reports: Vec<_> = reports.filter(|one| one["release"] == "v1.6.1").collect();
    let status = |at: usize, name: &str| {
        let profiles = reports[at]["profiles"].as_array().unwrap();
        let profile = profiles.iter().find(|one| one["profile"] == name).unwrap();
        profile["status"].as_str().unwrap()
    };
    let modes: Vec<_> = reports.iter().map(|report| &report["mode"]).collect();
    let (expressions, traditional) = ("expressions", "traditional_compatible");
    assert_eq!(modes, [expressions, traditional, traditional]);
    let of_profile = |name: &str| [0, 1, 2].map(|at| status(at, name));
    let (conformant, partial) = ("conformant", "partial");
    assert_eq!(of_profile("GATEWAY-TLS"), [conformant; 3]);
    assert_eq!(of_profile("GATEWAY-UDP"), [conformant; 3]);
    assert_eq!(of_profile("GATEWAY-GRPC"), [partial; 3]);
    assert_eq!(
        of_profile("GATEWAY-HTTP"),
        [conformant, partial, conformant]
    );
    assert_eq!(of_profile("GATEWAY-TCP"), [partial, conformant, partial]);
    let gateway = &kong["families"][0];
    assert_eq!(gateway["standing"], "conformant");
    assert_eq!(gateway["path"], reports[0]["path"]);
    assert_eq!(gateway["until"], "v1.8");
    let page = run(
        &corpus.join("gateway-api"),
        &["certify", "--format", "markdown"].map(str::to_owned),
    );
    let line =
        "\n  conformant: HTTP, TLS, UDP; partial: GRPC, TCP; valid until the review after v1.8";
    page.stdout_has(line);
}

fn certify(root: &Path) -> Value {
    let arguments = ["certify", "--format", "json"].map(str::to_owned);
    serde_json::from_str(&run(root, &arguments).stdout).unwrap()
}

#[test]
fn lists_configured_names_without_reports() {
    let folder = Folder::with_tree();
    folder.file(
        "gwconform.toml",
        "[[implementation]]\norganization = 'acme'\nproject = 'operater'\n\n[[implementation]]\norganization = 'acme'\nproject = 'operator'\naliases = ['acme/gateway']\n\n[[implementation]]\norganization = 'umbrella'\nproject = 'operator'\n",
    );
    let other = "conformance/reports/v1.5/umbrella-operator";
    folder.submission(other).file(
        &format!("{other}/{}", crate::support::folder::NAME),
        ReportBuilder::new().organization("umbrella").build(),
    );
    let reasons = lines(&folder.json("certify")["left_out"], "{reason}");
    assert_eq!(reasons, ["no report of acme/operater in this tree"]);
}
