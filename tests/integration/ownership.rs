//! Tests reports that claim the name, run, URL or folder of another implementation. All outputs and
//! the preview of the change must agree.

use crate::support::answers::{Answers, ask};
use crate::support::folder::Folder;
use crate::support::report::{Level, Profile, ReportBuilder};

const TREE: &str = "conformance/reports";
const GREEN: &str = "#1a7f37";
const GRAY: &str = "#57606a";

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

fn assert_disputed(answers: &Answers, name: &str, why: &str) {
    let of = &answers.of[name];
    assert!(
        of.badge.ends_with(&format!(": disputed {GRAY}")),
        "{answers:#?}"
    );
    for lines in [&of.preview, &of.certify, &of.api] {
        assert!(!lines.is_empty(), "{answers:#?}");
        for line in lines {
            assert!(
                line.contains(": disputed (") && line.ends_with(&format!("; {why})")),
                "{line}"
            );
        }
    }
    assert!(
        of.site.iter().any(|line| line.contains("? Disputed")),
        "{answers:#?}"
    );
}

const NAMES: &[&str] = &["look-alike", "mixed-script"];

/// The release folder does not prove a date, so without configuration both names keep their
/// verdicts.
#[test]
fn a_backdated_look_alike_takes_no_verdict() {
    let (real, fake) = ("WSO2/gateway", "WS02/gateway");
    let run = |configuration: String, also: &str| {
        let folder = Folder::new();
        ask(
            &folder,
            |folder| {
                folder.file("gwconform.toml", configuration);
                put(folder, "v1.5/wso2-gateway/a", &of(real, "v1.5.1"));
                if !also.is_empty() {
                    let other = of(real, also).date("2026-01-05T10:15:30Z");
                    put(folder, &format!("{also}/wso2-gateway/a"), &other);
                }
            },
            |folder| {
                let backdated = of(fake, "v1.4.1").date("2025-12-20T10:15:30Z");
                put(folder, "v1.4.1/ws02-gateway/a", &backdated);
            },
            &[real, fake],
            NAMES,
        )
    };
    let open = run(String::new(), "");
    assert!(is_green(&open, real));
    insta::assert_snapshot!("look_alike_without_owner", open.table());
    let configured = run(entry("WSO2", "gateway"), "");
    let known = run(String::new(), "v1.3.0");
    for answers in [&configured, &known] {
        assert!(is_green(answers, real), "{answers:#?}");
        assert_disputed(answers, fake, "looks like WSO2/gateway");
    }
    insta::assert_snapshot!("look_alike_of_owner", configured.table());
    let both = run(entry("WSO2", "gateway") + &entry("WS02", "gateway"), "");
    assert_eq!(both.check, Vec::<String>::new());
    assert!(!both.table().contains("looks like"), "{both:#?}");
}

#[test]
fn a_disguised_name_owns_nothing_by_its_history() {
    let (real, fake) = ("WSO2/gateway", "WS02/gateway");
    let folder = Folder::new();
    let answers = ask(
        &folder,
        |folder| put(folder, "v1.5/wso2-gateway/a", &of(real, "v1.5.1")),
        |folder| {
            for (nth, release) in ["v1.3.0", "v1.4.1"].into_iter().enumerate() {
                let backdated = of(fake, release).date(&format!("2025-12-2{nth}T10:15:30Z"));
                put(folder, &format!("{release}/ws02-gateway/a"), &backdated);
            }
        },
        &[real, fake],
        NAMES,
    );
    assert!(is_green(&answers, real), "{answers:#?}");
    assert!(!answers.table().contains("disputed"), "{answers:#?}");
}

#[test]
fn a_refused_look_alike_decides_nothing() {
    let (real, fake) = ("higress-group/higress", "h\u{456}gress-group/higress");
    let folder = Folder::new();
    let answers = ask(
        &folder,
        |folder| put(folder, "v1.5/higress-group-higress/a", &of(real, "v1.5.1")),
        |folder| {
            let backdated = of(fake, "v1.4.1").date("2025-12-20T10:15:30Z");
            put(folder, "v1.4.1/hi-higress/a", &backdated);
        },
        &[real, fake],
        NAMES,
    );
    assert!(
        is_green(&answers, real) && !is_green(&answers, fake),
        "{answers:#?}"
    );
    let fake_alone = answers
        .check
        .iter()
        .all(|line| line.contains("v1.4.1/hi-higress"));
    assert!(fake_alone && !answers.check.is_empty(), "{answers:#?}");
    assert!(!answers.table().contains("looks like"), "{answers:#?}");
}

#[test]
fn a_copied_run_earns_nothing_beside_its_owner() {
    let (real, fake) = ("acme/operator", "umbrella/gate");
    let run = |configuration: &str, has_history: bool, date: &str| {
        let folder = Folder::new();
        ask(
            &folder,
            |folder| {
                folder.file("gwconform.toml", configuration);
                put(folder, "v1.5/acme-operator/a", &of(real, "v1.5.1"));
                if has_history {
                    for (nth, release) in ["v1.3.0", "v1.4.1"].into_iter().enumerate() {
                        let older = of(real, release).date(&format!("2025-10-0{nth}T10:15:30Z"));
                        put(folder, &format!("{release}/acme-operator/a"), &older);
                    }
                }
            },
            |folder| {
                put(
                    folder,
                    "v1.5/umbrella-gate/a",
                    &of(fake, "v1.5.1").date(date),
                )
            },
            &[real, fake],
            &["copied-report"],
        )
    };
    let date = "2026-05-20T10:15:30Z";
    let open = run("", false, date);
    for (name, other) in [(real, fake), (fake, real)] {
        assert!(is_green(&open, name), "{open:#?}");
        for lines in [
            &open.of[name].preview,
            &open.of[name].certify,
            &open.of[name].api,
        ] {
            let note = format!("; same run as {other})");
            assert!(lines.len() == 1 && lines[0].ends_with(&note), "{open:#?}");
        }
    }
    assert_eq!(open.check.len(), 2, "{open:#?}");
    assert_eq!(
        open.since,
        ["error tree/copied-report v1.5/umbrella-gate/a.yaml"]
    );
    insta::assert_snapshot!("same_run_without_owner", open.table());
    let configured = entry("acme", "operator");
    for (configuration, has_history, date) in [
        (configured.as_str(), false, date),
        ("", true, date),
        ("", true, "2026-05-20T11:15:30+01:00"),
        ("", true, "2026-05-20T10:15:30.75Z"),
    ] {
        let answers = run(configuration, has_history, date);
        assert!(is_green(&answers, real), "{answers:#?}");
        assert_disputed(&answers, fake, "same run as acme/operator");
        assert!(
            !answers.of[real].certify[0].contains("same run"),
            "{answers:#?}"
        );
        assert_eq!(answers.check, answers.since);
    }
}

#[test]
fn a_second_name_for_an_address_does_not_take_it() {
    let (real, fake) = ("higress-group/higress", "higress/group-higress");
    let folder = Folder::new();
    let answers = ask(
        &folder,
        |folder| put(folder, "v1.5/higress-group-higress/a", &of(real, "v1.5.1")),
        |folder| {
            let backdated = of(fake, "v1.4.1").date("2025-12-20T10:15:30Z");
            put(folder, "v1.4.1/higress-group-higress/b", &backdated);
        },
        &[real, fake],
        &["address"],
    );
    assert!(
        answers.of[real]
            .badge
            .starts_with("higress-group-higress: "),
        "{answers:#?}"
    );
    assert!(
        answers.of[fake]
            .badge
            .starts_with("higress-group-higress-2: "),
        "{answers:#?}"
    );
    insta::assert_snapshot!("same_address", answers.table());
}

#[test]
fn another_spelling_is_the_same_implementation_and_renames_nothing() {
    for (path, fake) in [
        ("v1.5/higress-group-higress/b", "Higress-Group/Higress"),
        ("v1.5/envoy-gateway-2/b", "higress.group/HIGRESS"),
        ("v1.5/higress-group-higress/b", "higress_group/higress"),
    ] {
        let real = "higress-group/higress";
        let folder = Folder::new();
        let answers = ask(
            &folder,
            |folder| put(folder, "v1.5/higress-group-higress/a", &of(real, "v1.5.1")),
            |folder| {
                let second = of(fake, "v1.5.1").date("2026-03-21T10:15:30Z");
                put(folder, path, &second.version("v3.0.0"));
            },
            &[real, fake],
            &["spelling", "look-alike"],
        );
        let expected = format!("warning tree/project-spelling {path}.yaml");
        assert_eq!(answers.check, [expected.as_str()]);
        assert_eq!(answers.since, [expected.as_str()]);
        assert!(is_green(&answers, real), "{answers:#?}");
        assert_eq!(answers.of[fake].badge, "", "{answers:#?}");
    }
}

#[test]
fn two_letters_that_look_like_one_are_found() {
    let (real, fake) = ("envoyproxy/envoy-gateway", "envoyproxy/envoy-gatevvay");
    let folder = Folder::new();
    let answers = ask(
        &folder,
        |folder| {
            put(folder, "v1.5/envoy-gateway/a", &of(real, "v1.5.1"));
            let older = of(real, "v1.4.1").date("2025-12-20T10:15:30Z");
            put(folder, "v1.4.1/envoy-gateway/a", &older);
        },
        |folder| {
            let second = of(fake, "v1.5.1").date("2026-03-21T10:15:30Z");
            put(folder, "v1.5/envoy-gatevvay/a", &second);
        },
        &[real, fake],
        NAMES,
    );
    assert_disputed(&answers, fake, "looks like envoyproxy/envoy-gateway");
    assert!(is_green(&answers, real), "{answers:#?}");
}

#[test]
fn a_path_is_no_name() {
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
fn a_report_that_is_filed_for_somebody_else_is_a_warning() {
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
            &["folder-name"],
        );
        let expected = format!("warning tree/folder-name {path}.yaml");
        assert_eq!(answers.check, [expected.as_str()], "{path}");
        assert_eq!(answers.since, [expected.as_str()], "{path}");
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

#[test]
fn certify_prints_the_lines_that_settle_a_dispute() {
    let folder = Folder::new();
    put(
        &folder,
        "v1.5/acme-operator/a",
        &of("acme/operator", "v1.5.1"),
    );
    put(
        &folder,
        "v1.5/umbrella-gate/a",
        &of("umbrella/gate", "v1.5.1"),
    );
    let lines = "    If acme/operator is the owner, add these lines to gwconform.toml:\n      [[implementation]]\n      organization = \"acme\"\n      project = \"operator\"\n";
    let shown = folder.run("certify acme-operator").stdout;
    assert!(
        shown.contains(lines) && shown.contains("same run as umbrella/gate"),
        "{shown}"
    );
    folder.file("gwconform.toml", entry("acme", "operator"));
    let shown = folder.run("certify acme-operator").stdout;
    assert!(!shown.contains("same run"), "{shown}");
    let other = folder.run("certify umbrella-gate").stdout;
    assert!(
        other.contains("Disputed: 1") && other.contains("same run as acme/operator"),
        "{other}"
    );
    let markdown = folder.run("certify --format markdown --all").stdout;
    assert!(
        markdown.contains("### Disputed") && markdown.contains("same run as acme/operator"),
        "{markdown}"
    );
}
