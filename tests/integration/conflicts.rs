//! Tests reports that claim the name, run or folder of another implementation. All outputs and the
//! preview of the change must agree.

use crate::support::answers::{Answers, ask};
use crate::support::folder::{Folder, TREE};
use crate::support::report::{Level, Profile, ReportBuilder};

const GREEN: &str = "#1a7f37";

fn of(name: &str, release: &str) -> ReportBuilder {
    let (organization, project) = name.rsplit_once('/').unwrap();
    let core = if release.starts_with("v1.6") { 15 } else { 13 };
    ReportBuilder::new()
        .organization(organization)
        .project(project)
        .release(release)
        .profiles([Profile::grpc().core(Level::success(core))])
}

fn put(folder: &Folder, path: &str, report: &ReportBuilder) {
    folder.file(&format!("{TREE}/{path}.yaml"), report.build());
}

fn entry(organization: &str, project: &str) -> String {
    format!("[[implementation]]\norganization = '{organization}'\nproject = '{project}'\n")
}

fn is_green(answers: &Answers, name: &str) -> bool {
    let of = &answers.of[name];
    let shown = of
        .site
        .iter()
        .chain([&of.badge])
        .any(|line| line.contains(GREEN));
    assert_eq!(shown, of.badge.ends_with(GREEN), "{answers:#?}");
    shown
}

const NAMES: &[&str] = &["look-alike", "copied-report"];

fn conflicts(folder: &Folder) -> Vec<String> {
    let certified = folder.json("certify");
    let all = certified["conflicts"].as_array().unwrap().iter();
    let path = |path: &serde_json::Value| path.as_str().unwrap().replace(&format!("{TREE}/"), "");
    let line = |one: &serde_json::Value| {
        let reports = one["paths"].as_array().unwrap().iter().map(path);
        let kind = one["kind"].as_str().unwrap();
        format!("{kind} {}", reports.collect::<Vec<_>>().join(" "))
    };
    all.map(line).collect()
}

/// The real name has one report, and the other name has reports for older releases.
#[test]
fn a_conflict_is_an_error_on_both_reports_and_changes_no_verdict() {
    let run = "2026-05-20T10:15:30Z";
    for (real, fake, date, kind) in [
        ("WSO2/gateway", "WS02/gateway", "", "name"),
        (
            "higress-group/higress",
            "h\u{ed}gress-group/higress",
            "",
            "name",
        ),
        (
            "higress-group/higress",
            "higre\u{17f}s-group/higress",
            "",
            "name",
        ),
        ("envoyproxy/gateway", "envoyproxy/gatevvay", "", "name"),
        (
            "Varnish Software/Gateway",
            "Vamish Software/Gateway",
            "",
            "name",
        ),
        ("WSO2/gateway", "WS02/mesh", "", "organization"),
        ("acme/operator", "istio/istio", run, "run"),
        (
            "acme/operator",
            "umbrella/gate",
            "2026-05-20T11:15:30+01:00",
            "run",
        ),
        (
            "acme/operator",
            "umbrella/gate",
            "2026-05-20T10:15:30.75Z",
            "run",
        ),
    ] {
        let folder = Folder::new();
        let answers = ask(
            &folder,
            |folder| put(folder, "v1.5/a/a", &of(real, "v1.5.1").date(run)),
            |folder| {
                for (nth, release) in ["v1.3.0", "v1.4.1"].into_iter().enumerate() {
                    let backdated = of(fake, release).date(&format!("2025-12-2{nth}T10:15:30Z"));
                    put(folder, &format!("{release}/b/b"), &backdated);
                }
                if !date.is_empty() {
                    put(folder, "v1.5/b/b", &of(fake, "v1.5.1").date(date));
                }
            },
            &[real, fake],
            NAMES,
        );
        let (rule, at) = match kind {
            "run" => ("copied-report", "v1.5/b/b.yaml"),
            _ => ("look-alike-name", "v1.3.0/b/b.yaml"),
        };
        let mut errors = [at, "v1.5/a/a.yaml"].map(|path| format!("error tree/{rule} {path}"));
        errors.sort();
        assert_eq!(answers.check, errors, "{fake}");
        assert_eq!(answers.since, [format!("error tree/{rule} {at}")], "{fake}");
        assert!(is_green(&answers, real), "{answers:#?}");
        assert!(!answers.of[real].certify[0].contains(fake), "{answers:#?}");
        let mut paths = [at, "v1.5/a/a.yaml"];
        paths.sort_unstable();
        assert_eq!(conflicts(&folder), [format!("{kind} {}", paths.join(" "))]);
        let printed = folder.run("certify").stdout;
        let line = "\n1 conflict between reports; run gwconform check\n";
        assert!(printed.contains(line), "{printed}");
    }
}

/// Each copy has one finding, which names the first report of another implementation.
#[test]
fn many_copies_of_a_run_have_one_finding_each() {
    let folder = Folder::new();
    for nth in 0..5 {
        let report = of(&format!("acme-{nth}/operator"), "v1.5.1");
        put(&folder, &format!("v1.5/acme-{nth}-operator/a"), &report);
    }
    let found = folder.findings("check --select tree/copied-report");
    assert_eq!(found.len(), 5, "{found:#?}");
    assert_eq!(conflicts(&folder).len(), 4);
}

#[test]
fn a_name_that_looks_like_a_configured_name_gets_no_verdict() {
    let (real, fake) = ("WSO2/gateway", "WS02/gateway");
    let alias = "[[implementation]]\norganization = 'acme'\nproject = 'operator'\naliases = ['WSO2/gateway']\n";
    let own = entry("WSO2", "gateway");
    let both = own.clone() + &entry("WS02", "gateway");
    let organization = entry("WSO2", "mesh");
    for (configuration, usual) in [
        (own.as_str(), Some("WSO2/gateway")),
        (alias, Some("WSO2/gateway")),
        (both.as_str(), None),
        (organization.as_str(), None),
    ] {
        for has_real in [true, false] {
            let folder = Folder::new();
            let answers = ask(
                &folder,
                |folder| {
                    folder.file("gwconform.toml", configuration);
                    if has_real {
                        put(folder, "v1.5/wso2-gateway/a", &of(real, "v1.5.1"));
                    }
                },
                |folder| {
                    for (nth, release) in ["v1.4.1", "v1.5.1"].into_iter().enumerate() {
                        let other = of(fake, release).date(&format!("2026-04-2{nth}T10:15:30Z"));
                        put(folder, &format!("{release}/ws02-gateway/a"), &other);
                    }
                },
                &[real, fake],
                NAMES,
            );
            let Some(usual) = usual else {
                assert!(is_green(&answers, fake), "{answers:#?}");
                continue;
            };
            let why = format!("looks like `{usual}`, which the configuration names");
            assert!(!is_green(&answers, fake), "{answers:#?}");
            let certified = folder.json("certify");
            let all = certified["implementations"].as_array().unwrap();
            let it = all
                .iter()
                .find(|one| one["organization"] == "WS02")
                .unwrap();
            for report in it["reports"].as_array().unwrap() {
                let profile = &report["profiles"][0];
                assert_eq!(profile["status"], "contradictory", "{profile}");
                assert_eq!(profile["blocked_by"][0]["message"], why, "{profile}");
            }
            let errors = ["v1.4.1", "v1.5.1"]
                .map(|release| format!("error tree/look-alike-name {release}/ws02-gateway/a.yaml"));
            assert_eq!(answers.check, errors);
            assert_eq!(answers.since, errors);
            assert_eq!(conflicts(&folder), [""; 0]);
            if has_real && usual == real && configuration == own {
                assert!(is_green(&answers, real), "{answers:#?}");
            }
        }
    }
}

#[test]
fn other_spellings_rename_no_implementation() {
    for (path, fake) in [
        ("v1.5/higress-group-higress/b", "Higress-Group/Higress"),
        ("v1.5/envoy-gateway-2/b", "higress.group/HIGRESS"),
        ("v1.5/higress-group-higress/b", "higress_group/higress"),
    ] {
        let real = "higress-group/higress";
        let folder = Folder::new();
        let answers = ask(
            &folder,
            |folder| {
                put(folder, "v1.5/higress-group-higress/a", &of(real, "v1.5.1"));
                let older = of(real, "v1.4.1").date("2025-12-20T10:15:30Z");
                put(folder, "v1.4.1/higress-group-higress/a", &older);
            },
            |folder| {
                let second = of(fake, "v1.5.1").date("2026-03-21T10:15:30Z");
                put(folder, path, &second.version("v3.0.0"));
            },
            &[real, fake],
            &["spelling", "look-alike"],
        );
        let [of_tree, of_change] = ["warning tree/project", "error change/other"]
            .map(|rule| format!("{rule}-spelling {path}.yaml"));
        assert_eq!(answers.check, [of_tree]);
        assert_eq!(answers.since, [of_change]);
        assert!(is_green(&answers, real), "{answers:#?}");
        assert_eq!(answers.of[fake].badge, "", "{answers:#?}");
    }
}

#[test]
fn rejects_paths_as_names() {
    for name in ["../../x/higress", "a/b/higress", "c:\\x/higress"] {
        let folder = Folder::new();
        let answers = ask(
            &folder,
            |folder| {
                let other = of("acme/operator", "v1.5.1").date("2026-03-21T10:15:30Z");
                put(folder, "v1.5/acme-operator/a", &other);
            },
            |folder| put(folder, "v1.5/x-higress/a", &of(name, "v1.5.1")),
            &[name],
            &["implementation-name"],
        );
        let expected = "error report/implementation-name v1.5/x-higress/a.yaml";
        assert_eq!(answers.check, [expected]);
        assert_eq!(answers.since, [expected]);
        assert!(!is_green(&answers, name), "{answers:#?}");
    }
}

#[test]
fn review_rejects_reports_for_other_implementations() {
    let real = "higress-group/higress";
    let failing = || {
        let tests = Level::result("failure")
            .counts(12, 0, 1)
            .failed(&["GRPCRouteWeight"]);
        let report = of(real, "v1.5.1")
            .version("v9.0.0")
            .date("2026-03-21T10:15:30Z");
        report.profiles([Profile::grpc().core(tests)])
    };
    for (others, path) in [
        (false, "v1.5/acme-gateway/x"),
        (true, "v1.5/acme-gateway/x"),
        (true, "v1.5/acme-higress/x"),
    ] {
        let folder = Folder::new();
        let answers = ask(
            &folder,
            |folder| {
                put(folder, "v1.5/higress-group-higress/a", &of(real, "v1.5.1"));
                if others {
                    let (below, _) = path.rsplit_once('/').unwrap();
                    let other = of("acme/gateway", "v1.5.1").date("2026-03-22T10:15:30Z");
                    put(folder, &format!("{below}/a"), &other);
                }
            },
            |folder| put(folder, path, &failing()),
            &[real],
            &["folder-name", "other-folder"],
        );
        let [of_tree, of_change] = ["warning tree/folder-name", "error change/other-folder"]
            .map(|rule| format!("{rule} {path}.yaml"));
        assert_eq!(answers.check, [of_tree], "{path}");
        assert_eq!(answers.since, [of_change], "{path}");
        assert!(is_green(&answers, real), "{answers:#?}");
        let found = folder.json("check --select tree/folder-name --fail-on never");
        let message = found["findings"][0]["message"].as_str().unwrap();
        assert!(
            message.ends_with("expected `higress-group-higress`"),
            "{message}"
        );
    }
    let folder = Folder::new();
    put(&folder, "v1.5/higress-group-higress/a", &of(real, "v1.5.1"));
    put(
        &folder,
        "v1.4.1/higress/a",
        &of(real, "v1.4.1").date("2025-12-20T10:15:30Z"),
    );
    let found = folder.findings("check --select tree/folder-name");
    assert_eq!(found, Vec::<String>::new());
}
