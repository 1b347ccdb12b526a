//! Tests rules about identity: names, placeholders, runs that two implementations claim, version
//! links, and impossible dates. The tests include ways to evade each rule.

use crate::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, NAME, report};
use crate::support::git::git;
use crate::support::lines;
use crate::support::report::{Level, Profile, ReportBuilder};

const UMBRELLA: &str = "conformance/reports/v1.5/umbrella-gate";
const GITHUB: &str = "https://github.com/acme/operator";

fn rules(folder: &Folder, arguments: &str, group: &str) -> Vec<String> {
    let mut rules = lines(&folder.json(arguments)["findings"], "{rule}");
    rules.retain(|rule| rule.starts_with(group));
    rules.sort();
    rules.dedup();
    rules
}

fn about(report: &ReportBuilder) -> Vec<String> {
    let folder = Folder::new();
    let submission = report.release_of().rsplit_once('.').unwrap().0.to_owned();
    let path = format!("conformance/reports/{submission}/acme-operator/{NAME}");
    folder.file(&path, report.build());
    let json = folder.json("check --select report");
    let found = lines(&json["findings"], "{severity} {rule}");
    found
        .iter()
        .map(|line| line.replace("report/", ""))
        .collect()
}

fn none() -> Vec<String> {
    Vec::new()
}

fn status(folder: &Folder, path: &str) -> String {
    let json = folder.json("certify");
    let implementations = json["implementations"].as_array().unwrap();
    let reports = implementations
        .iter()
        .flat_map(|one| one["reports"].as_array().unwrap());
    let mut of_path = reports.filter(|report| report["path"] == path);
    // Without a name, the report belongs to no implementation.
    of_path
        .next()
        .map_or("left out", |report| {
            report["profiles"][0]["status"].as_str().unwrap()
        })
        .to_owned()
}

#[test]
fn placeholder_names_have_one_finding_and_no_verdict() {
    for name in [
        "",
        " ",
        "-",
        "<organization>",
        "Your Org",
        "$NAME",
        "N/A",
        "Unknown",
        "acme ",
        "ac\u{200b}me",
        "\u{3164}",
    ] {
        for report in [
            ReportBuilder::new().organization(name),
            ReportBuilder::new().project(name),
        ] {
            assert_eq!(about(&report), ["error implementation-name"], "{name:?}");
            let folder = Folder::new();
            let path = format!("{ACME}/{NAME}");
            folder.file(&path, report.build());
            // Lowering the severity does not restore the verdict.
            folder.file(
                "gwconform.toml",
                "[rules]\n\"report/implementation-name\" = \"off\"\n",
            );
            let status = status(&folder, &path);
            assert!(
                ["contradictory", "left out"].contains(&status.as_str()),
                "{name:?}: {status}"
            );
        }
    }
    let mixed = ReportBuilder::new().organization("\u{430}cme");
    assert_eq!(about(&mixed), ["error mixed-script-name"]);
    let folder = Folder::new();
    let path = format!("{ACME}/{NAME}");
    folder.file(&path, mixed.build());
    assert_eq!(status(&folder, &path), "contradictory");
    folder.file(&path, report());
    assert_eq!(status(&folder, &path), "conformant");
}

#[test]
fn a_version_has_one_finding() {
    for (version, expected) in [
        ("-", "error placeholder"),
        ("N/A", "error placeholder"),
        ("unknown", "error placeholder"),
        ("(devel)", "error placeholder"),
        ("<release>", "error placeholder"),
        ("vX.Y.Z", "error placeholder"),
        ("main", "error version-is-branch"),
        ("MAIN", "error version-is-branch"),
        ("latest-dev", "error version-is-branch"),
        ("refs/heads/release-1.2", "error version-is-branch"),
        (
            "https://github.com/acme/operator/tree/main",
            "error version-is-branch",
        ),
        ("f6c112e0a41d", "warning version-not-semver"),
        ("v2.14", "warning version-not-semver"),
        ("v2.14.0-rc.1", "info version-is-prerelease"),
    ] {
        let report = ReportBuilder::new().version(version);
        assert_eq!(about(&report), [expected], "{version}");
    }
    for version in ["v2.14.0", "1.35.2-gke.1751000", "v3.2.0-244-gea4944bb0"] {
        assert_eq!(about(&ReportBuilder::new().version(version)), none());
    }
    let blank = ReportBuilder::new().version("main ");
    assert_eq!(
        about(&blank),
        ["error invisible-character", "error version-is-branch"]
    );
}

#[test]
fn only_a_missing_scheme_is_tolerated_and_only_up_to_v1_6() {
    for (url, expected) in [
        ("github.com/acme/operator", "warning url-scheme"),
        ("WWW.GitHub.com:443/acme/operator", "warning url-scheme"),
        ("javascript:alert(1)", "error url"),
        ("JaVaScRiPt://acme.example/%0aalert(1)", "error url"),
        ("data:text/html,x", "error url"),
        ("see readme", "error url"),
        ("README.md", "error url"),
        ("readme", "error url"),
        ("https://readme", "error url"),
        ("https://acme.example/a b", "error url"),
        ("https://github.com@evil.example/acme", "error url"),
        ("https://g\u{456}thub.com/acme/operator", "error url"),
        ("https://localhost/acme", "error url"),
        ("git@github.com:acme/operator.git", "error url"),
        ("ftp://acme.example", "error url"),
        ("https://example.com", "error placeholder"),
        ("<url>", "error placeholder"),
        ("N/A", "error placeholder"),
    ] {
        assert_eq!(about(&ReportBuilder::new().url(url)), [expected], "{url}");
    }
    for url in [
        "HTTPS://GitHub.com/Acme/Operator.git",
        "http://acme.example:8080/x",
    ] {
        assert_eq!(about(&ReportBuilder::new().url(url)), none(), "{url}");
    }
    let later = ReportBuilder::new().release("v1.7.0").url("acme.example/x");
    assert!(about(&later).contains(&"error url-scheme".to_owned()));
    for contact in ["<@org/team>", "@org/team", "you@example.com", "-"] {
        let report = ReportBuilder::new().contact(contact);
        assert_eq!(about(&report), ["error placeholder"], "{contact}");
    }
}

fn original() -> ReportBuilder {
    let extended = Level::success(2).supported(&["GRPCRouteNamedRouteRule", "GatewayPort8080"]);
    let report = ReportBuilder::new().date("2026-05-20T10:15:30Z");
    report.profiles([Profile::grpc().extended(extended)])
}

fn copy() -> ReportBuilder {
    theirs_of(original())
}

fn theirs_of(report: ReportBuilder) -> ReportBuilder {
    report
        .organization("umbrella")
        .project("gate")
        .version("v1.0.0")
        .url("https://umbrella.example")
}

fn copies(copy: &str, path: &str) -> Vec<String> {
    let folder = Folder::new();
    folder.file(ACME_REPORT, original().build());
    folder.file(path, copy);
    let json = folder.json("check --fail-on never --select tree/copied-report");
    lines(&json["findings"], "{severity} {path}: {message}")
}

const SHARED: &str = "one run of the suite is submitted for `acme/operator` and for `umbrella/gate`: date and results are identical";

/// Expects the finding on both reports, because neither implementation is known to own the run.
fn on_both(path: &str, message: &str) -> Vec<String> {
    let original = format!("{ACME}/{NAME}");
    let mut paths = [path, original.as_str()];
    paths.sort_unstable();
    paths
        .map(|path| format!("error {path}: {message}"))
        .to_vec()
}

#[test]
fn finds_copies_of_runs_in_any_notation() {
    let path = format!("{UMBRELLA}/standard-v1.0.0-default-report.yaml");
    let copy = copy().build();
    let reordered = copy.replace(
        "    - GRPCRouteNamedRouteRule\n    - GatewayPort8080\n",
        "    - GatewayPort8080\n    - GRPCRouteNamedRouteRule\n",
    );
    assert_ne!(reordered, copy);
    for text in [
        copy.clone(),
        reordered,
        copy.replace("2026-05-20T10:15:30Z", "2026-05-20t11:15:30.75+01:00"),
        copy.replace("mode: default", "mode: sidecar"),
        copy.replace("Core tests succeeded.", "Core tests succeeded!"),
        copy.replace(
            "result: success\n",
            "result: \"success\"\n    skippedTests: []\n    x: y\n",
        ),
    ] {
        let found = copies(&text, &path);
        assert_eq!(found, on_both(&path, SHARED), "{text}");
    }
    let sibling = format!("{ACME}/standard-v1.0.0-default-report.yaml");
    let found = on_both(&sibling, SHARED);
    assert_eq!(copies(&copy, &sibling), found);
    let documents = format!("{}---\n{copy}", report().replace("10:15:30", "10:15:31"));
    assert_eq!(copies(&documents, &sibling), found);
    // The date identifies the run even if results are edited.
    let edited = copy.replace("Passed: 13", "Passed: 12");
    assert_ne!(edited, copy);
    assert_eq!(
        copies(&edited, &path),
        on_both(
            &path,
            "a report of `acme/operator` and one of `umbrella/gate` have the same date and other results; expected a different date for each run"
        )
    );
    // Reports with another date, or without a valid date, are not copies.
    for text in [
        copy.replace("10:15:30", "10:15:31"),
        copy.replace("2026-05-20T10:15:30Z", "-"),
    ] {
        assert_eq!(copies(&text, &path), none(), "{text}");
    }
}

#[test]
fn a_run_of_one_implementation_is_submitted_once() {
    let name = |version: &str, mode: &str| format!("standard-{version}-{mode}-report.yaml");
    let (next, sidecar) = (name("v2.15.0", "default"), name("v2.14.0", "sidecar"));
    let (here, other) = ("v1.5/acme-operator", "v1.6/acme-operator");
    let edited = |text: String| text.replace("Passed: 13", "Passed: 12");
    let newer = original().version("v2.15.0");
    let of_mode = original().mode("sidecar");
    for (text, folder, file, expected) in [
        (
            original().build(),
            here,
            "zagain.yaml",
            "error byte-for-byte copy of `standard-v2.14.0-default-report.yaml`",
        ),
        (
            format!("{}# copied\n", original().build()),
            here,
            "standard-v2.14.0-default.yaml",
            "error same run as `standard-v2.14.0-default-report.yaml`: date and results are identical",
        ),
        (
            newer.build(),
            here,
            &next,
            "error same run as `standard-v2.14.0-default-report.yaml` with another version: date and results are identical",
        ),
        (
            of_mode.build(),
            here,
            &sidecar,
            "error same run as `standard-v2.14.0-default-report.yaml` with another mode: date and results are identical",
        ),
        (
            original().channel("experimental").build(),
            here,
            "standard-v2.14.0-experimental-report.yaml",
            "error same run as `standard-v2.14.0-default-report.yaml` with another channel: date and results are identical",
        ),
        (
            newer.clone().release("v1.6.1").build(),
            other,
            &next,
            "error same run as `conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml` with another release and version: date and results are identical",
        ),
        // Spelling does not create another implementation, and a folder does not create another
        // report.
        (
            newer.clone().organization("Acme").build(),
            "v1.5/acme",
            &next,
            "error same run as `conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml` with another version: date and results are identical",
        ),
        // A report with other results is an edited copy if the setup is the same. Otherwise, it may
        // be another run.
        (
            edited(original().build()),
            here,
            "standard-v2.14.0-default.yaml",
            "error edited copy of `standard-v2.14.0-default-report.yaml`: the date is the same, the results are not",
        ),
        (
            edited(newer.build()),
            here,
            &next,
            "error edited copy of `standard-v2.14.0-default-report.yaml` with another version: the date is the same, the results are not",
        ),
        (
            edited(of_mode.build()),
            here,
            &sidecar,
            "warning same date as `standard-v2.14.0-default-report.yaml`, which has another mode and other results; expected a different date for each run",
        ),
        (
            edited(newer.clone().release("v1.6.1").build()),
            other,
            &next,
            "warning same date as `conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml`, which has another release and version and other results; expected a different date for each run",
        ),
    ] {
        let path = format!("conformance/reports/{folder}/{file}");
        let (severity, message) = expected.split_once(' ').unwrap();
        let found = copies(&text, &path);
        assert_eq!(found, [format!("{severity} {path}: {message}")]);
        let folder = Folder::new();
        folder.file(ACME_REPORT, original().build());
        folder.file(&path, text);
        let same = "check --select tree/same-identity,tree/same-identity-elsewhere";
        assert_eq!(folder.findings(same), none(), "{path}");
    }
}

#[test]
fn each_copy_has_one_original() {
    let folder = Folder::new();
    let original = original().build();
    let edited = original.replace("Passed: 13", "Passed: 12");
    for (name, text) in [
        ("a.yaml", &original),
        ("b.yaml", &format!("{original}# b\n")),
        ("c.yaml", &edited),
        ("d.yaml", &format!("{edited}# d\n")),
    ] {
        folder.file(&format!("{ACME}/{name}"), text);
    }
    let others = "conformance/reports/v1.5/umbrella-gate/e.yaml";
    folder.file(others, copy().build().replace("Passed: 13", "Passed: 11"));
    let json = folder.json("check --fail-on never --select tree/copied-report");
    let pairs: Vec<[&str; 2]> = (json["findings"].as_array().unwrap().iter())
        .map(|finding| {
            let label = &finding["labels"][0];
            [finding, label].map(|at| {
                let path = at["path"].as_str().unwrap();
                path.rsplit('/').next().unwrap()
            })
        })
        .collect();
    let expected = [
        ["a.yaml", "e.yaml"],
        ["b.yaml", "e.yaml"],
        ["b.yaml", "a.yaml"],
        ["c.yaml", "e.yaml"],
        ["c.yaml", "a.yaml"],
        ["d.yaml", "e.yaml"],
        ["d.yaml", "c.yaml"],
        ["e.yaml", "a.yaml"],
    ];
    assert_eq!(pairs, expected);
}

#[test]
fn a_part_of_the_tree_is_compared_within_itself() {
    let folder = Folder::new();
    folder.file(ACME_REPORT, original().build());
    let sibling = format!("{ACME}/standard-v2.15.0-default-report.yaml");
    folder.file(&sibling, original().version("v2.15.0").build());
    let elsewhere = "conformance/reports/v1.4.1/acme-operator/standard-v2.14.0-default-report.yaml";
    folder.file(elsewhere, original().release("v1.4.1").build());
    let found = |arguments: &str| folder.findings(arguments);
    let select = "--select tree/copied-report";
    let one = format!("tree/copied-report {sibling}");
    assert_eq!(
        found(&format!("check {ACME} {select}")),
        std::slice::from_ref(&one)
    );
    let all = found(&format!("check {select}"));
    assert_eq!(all, [format!("tree/copied-report {ACME}/{NAME}"), one]);
}

#[test]
fn a_copy_in_another_folder_keeps_its_verdict() {
    let path = "conformance/reports/v1.5/acme/standard-v2.14.0-sidecar-report.yaml";
    let core_failed = Profile::grpc().core(
        Level::result("failure")
            .counts(12, 0, 1)
            .failed(&["GRPCRouteWeight"]),
    );
    let other = [core_failed.summarized()];
    let (same, other) = (ReportBuilder::new(), ReportBuilder::new().profiles(other));
    assert_ne!(same.build(), other.build());
    for (copy, expected) in [(same, "conformant"), (other, "failing")] {
        let folder = Folder::new();
        folder.file(ACME_REPORT, ReportBuilder::new().build());
        folder.file(path, copy.mode("sidecar").build());
        assert_eq!(status(&folder, path), expected);
    }
}

#[test]
fn copies_take_no_verdict_away() {
    let folder = Folder::new();
    let (own, theirs) = (
        format!("{ACME}/{NAME}"),
        format!("{UMBRELLA}/standard-v1.0.0-default-report.yaml"),
    );
    folder.file(&own, ReportBuilder::new().build());
    folder.file(&theirs, theirs_of(ReportBuilder::new()).build());
    assert_eq!(status(&folder, &own), "conformant");
    assert_eq!(status(&folder, &theirs), "conformant");
    assert_eq!(folder.run("check").code, 1);
}

#[test]
fn a_broken_copy_in_a_better_folder_takes_no_verdict_away() {
    let folder = Folder::new();
    let own = format!("conformance/reports/v1.5/acme/{NAME}");
    folder.file(&own, ReportBuilder::new().build());
    let copy = ReportBuilder::new()
        .channel("UNDEFINED")
        .version("v0.0.1")
        .build();
    folder.file(&format!("{ACME}/standard-v0.0.1-default-report.yaml"), copy);
    assert_eq!(status(&folder, &own), "conformant");
}

#[test]
fn the_change_that_brings_the_copy_has_the_error() {
    for (first, second, path) in [
        (
            original(),
            copy(),
            format!("{UMBRELLA}/standard-v1.0.0-default-report.yaml"),
        ),
        (copy(), original(), format!("{UMBRELLA}/{NAME}")),
    ] {
        let folder = Folder::new();
        folder.file(ACME_REPORT, first.build());
        // The number of reports does not determine the owner.
        let more = second
            .clone()
            .release("v1.4.1")
            .date("2026-01-02T03:04:05Z");
        let older = "conformance/reports/v1.4.1/umbrella-gate/standard-v0.9.0-default-report.yaml";
        folder.file(older, more.build());
        folder.commit();
        folder.file(&path, second.build());
        let found = folder.findings("check --since HEAD --select tree/copied-report");
        assert_eq!(found, [format!("tree/copied-report {path}")]);
    }
}

#[test]
fn a_submission_is_of_one_implementation() {
    let found = |organization: &str, project: &str| {
        let folder = Folder::new();
        folder.file(ACME_REPORT, report());
        for version in ["v1.0.0", "v1.1.0"] {
            let other = ReportBuilder::new()
                .organization(organization)
                .project(project);
            let path = format!("{ACME}/standard-{version}-default-report.yaml");
            let date = format!(
                "2026-09-20T10:{}:00Z",
                version.replace(['v', '.'], "").len()
            );
            folder.file(
                &path,
                other
                    .version(version)
                    .date(&date.replace(":3:", ":33:"))
                    .build(),
            );
        }
        let json = folder.json("check --select tree/several-implementations");
        let findings = json["findings"].as_array().unwrap().iter();
        let all: Vec<String> = findings
            .map(|finding| format!("{} {}", finding["path"], finding["severity"]))
            .collect();
        all
    };
    // The folder determines the owner, not the number of reports.
    let path = format!("\"{ACME}/standard-v1.0.0-default-report.yaml\" \"warning\"");
    for (organization, project) in [("umbrella", "gate"), ("acme", "mesh")] {
        assert_eq!(
            found(organization, project).as_slice(),
            std::slice::from_ref(&path)
        );
    }
    // Other rules cover spelling, look-alikes and placeholders.
    for (organization, project) in [
        ("acme", "operator"),
        ("Acme", "Oper-ator"),
        ("acrne", "operator"),
        ("<organization>", "operator"),
    ] {
        assert_eq!(
            found(organization, project),
            none(),
            "{organization}/{project}"
        );
    }
}

fn row(cell: &str, report_cell: &str, url: &str, version: &str) -> Vec<String> {
    let folder = Folder::new();
    let name = "standard-v2.14.0-default-report.yaml";
    let readme = format!(
        "# Acme operator\n\n## Table of contents\n\n| API channel | Implementation version | Mode | Report |\n|---|---|---|---|\n| standard | {cell} | default | {report_cell} |\n\n## Reproduce\n\nRun `make`.\n"
    );
    folder.file(ACME_README, readme);
    let report = ReportBuilder::new().url(url).version(version);
    folder.file(&format!("{ACME}/{name}"), report.build());
    let found = lines(
        &folder.json("check --select readme")["findings"],
        "{rule}: {message}",
    );
    let found = found
        .iter()
        .map(|line| line.trim_start_matches("readme/").to_owned());
    found.collect()
}

const REPORT_CELL: &str = "[v2.14.0 report](./standard-v2.14.0-default-report.yaml)";

#[test]
fn a_version_is_linked_to_its_release_in_its_repository() {
    let found = |address: &str| {
        row(
            &format!("[v2.14.0]({address})"),
            REPORT_CELL,
            GITHUB,
            "v2.14.0",
        )
    };
    for address in [
        "https://github.com/acme/operator/releases/tag/v2.14.0",
        "HTTPS://user@WWW.GitHub.com:443/Acme/%4Fperator.git/releases/tag/v2.14.0",
        "https://github.com/acme/operator/tree/v2.14.0",
        "https://github.com/acme/operator/releases",
        "https://acme.example/operator/v2.14.0",
    ] {
        assert_eq!(found(address), none(), "{address}");
    }
    for address in [
        "https://github.com/umbrella/operator/releases/tag/v2.14.0",
        "https://github.com/umbrella/operator/releases/tag/v2.13.0",
        "https://github.com/acme/operator2",
        "https://www.github.com/acme/operator-fork.git/releases/tag/v2.14.0",
        "https://gitlab.com/acme/operator/-/releases/v2.14.0",
    ] {
        let found = found(address);
        assert_eq!(found.len(), 1, "{address}: {found:?}");
        let message =
            "row-link: the row differs from its report: the version is linked to a page of `";
        assert!(found[0].starts_with(message), "{found:?}");
    }
    for address in [
        "https://github.com/acme/operator",
        "http://GitHub.com/Acme/Operator.git/?tab=readme-ov-file#v2.14.0",
        "https://github.com/acme/%6Fperator//",
    ] {
        let found = found(address);
        assert!(
            found.len() == 1 && found[0].contains("the front page of a repository"),
            "{address}: {found:?}"
        );
    }
    for address in [
        "https://github.com/acme/operator/releases/latest",
        "https://github.com/acme/operator/tree/main",
    ] {
        let found = found(address);
        assert!(
            found.len() == 1 && found[0].contains("changes with later releases"),
            "{address}: {found:?}"
        );
    }
    // GitHub turns a plain URL into a link.
    let bare = "v2.14.0 https://github.com/umbrella/operator/releases/tag/v2.14.0";
    let found = row(bare, REPORT_CELL, GITHUB, "v2.14.0");
    assert!(
        found
            .iter()
            .any(|one| one.contains("`github.com/umbrella/operator`")),
        "{found:?}"
    );
    let both = "[v2.14.0](https://github.com/acme/operator/releases/tag/v2.14.0) ([site](https://github.com/acme/operator))";
    let found = row(both, REPORT_CELL, GITHUB, "v2.14.0");
    assert!(
        !found.iter().any(|one| one.starts_with("row-link")),
        "{found:?}"
    );
    let other = "[v2.14.0](https://github.com/umbrella/gate/releases/tag/v2.14.0)";
    assert_eq!(
        row(other, REPORT_CELL, "https://acme.example", "v2.14.0"),
        none()
    );
}

#[test]
fn a_row_with_a_semantic_version_is_right_where_the_report_has_none() {
    let found = |cell: &str, version: &str| {
        let cell = format!("[{cell}](https://acme.example/{cell})");
        let found = row(&cell, REPORT_CELL, "https://acme.example", version);
        found
            .into_iter()
            .filter(|one| one.starts_with("row-value") || one.starts_with("row-link"))
            .collect::<Vec<_>>()
    };
    for version in [
        "latest",
        "main",
        "N/A",
        "f6c112e0a41d",
        "v2.14",
        "2",
        "enterprise-2.14",
    ] {
        assert_eq!(found("v2.14.0", version), none(), "{version}");
    }
    for (cell, version) in [
        ("v2.14.0", "v2.13"),
        ("v2.14.0", "v2.14.1"),
        ("v2.14.0", "v2.14.0-rc.1"),
        ("v2.14", "latest"),
        ("main", "v2.14.0"),
    ] {
        let found = found(cell, version);
        assert!(
            found.iter().any(|one| one.starts_with("row-value")),
            "{cell} {version}: {found:?}"
        );
    }
}

#[test]
fn a_backslash_is_dead_on_github_and_its_row_still_has_its_report() {
    for target in [
        r".\standard-v2.14.0-default-report.yaml",
        ".%5Cstandard-v2.14.0-default-report.yaml",
        r".\\standard-v2.14.0-default-report.yaml",
        r"..\acme-operator\standard-v2.14.0-default-report.yaml",
    ] {
        let version = "[v2.14.0](https://acme.example/v2.14.0)";
        let cell = format!("[v2.14.0 report]({target})");
        let found = row(version, &cell, "https://acme.example", "v2.14.0");
        assert_eq!(found.len(), 1, "{target}: {found:?}");
        assert!(found[0].starts_with("dead-link: "), "{found:?}");
    }
}

#[test]
fn names_the_differing_parts_of_file_names() {
    let message = |name: &str, version: &str| {
        let folder = Folder::new();
        let report = ReportBuilder::new().version(version).build();
        folder.file(&format!("{ACME}/{name}"), report);
        let json = folder.json("check --select tree/file-name,tree/file-name-channel");
        let findings = json["findings"].as_array().unwrap();
        assert!(findings.len() < 2, "{findings:?}");
        findings
            .first()
            .map(|finding| finding["message"].as_str().unwrap().to_owned())
    };
    let expected = "expected `standard-v2.14.0-default-report.yaml`";
    for (name, words) in [
        (
            "v2.14.0-default-report.yaml",
            "the file name lacks the channel",
        ),
        (
            "v2.14.0-report.yaml",
            "the file name lacks channel and mode",
        ),
        (
            "Standard-V2.14.0-Default-Report.yaml",
            "the file name differs from the report's fields in upper and lower case",
        ),
        (
            "conformance-output.yaml",
            "the file name differs from the report's fields",
        ),
        (
            "V2.14.0-default-report.yaml",
            "the file name differs from the report's fields",
        ),
    ] {
        let found = message(name, "v2.14.0");
        assert_eq!(found, Some(format!("{words}; {expected}")), "{name}");
    }
    for name in [
        "EXPERIMENTAL-v2.14.0-default-report.yaml",
        "Experimental_v2.14.0.yaml",
    ] {
        let folder = Folder::new();
        folder.file(&format!("{ACME}/{name}"), report());
        let found = rules(&folder, "check", "tree/file-name-channel");
        assert_eq!(found, ["tree/file-name-channel"], "{name}");
    }
    assert_eq!(
        message("standard-v2.14.0-default-report.yaml", "v2.14"),
        None
    );
    assert_eq!(
        message("standard-v2.14.0-default-report.yaml", "latest"),
        None
    );
    assert_eq!(
        message("v2.14.0-default-report.yaml", "v2.14"),
        Some(format!("the file name lacks the channel; {expected}"))
    );
    assert!(message("standard-v2.13.0-default-report.yaml", "v2.14").is_some());
}

#[test]
fn a_date_is_compared_with_the_commit_where_all_is_committed() {
    const FUTURE: &str = "change/date-in-future";
    // Test commits are dated 2026-01-01.
    let found = |date: &str, is_committed: bool| {
        let folder = Folder::new();
        folder.file("conformance/reports/README.md", "# Reports\n");
        folder.commit();
        let report = ReportBuilder::new().date(date).build();
        folder.file(ACME_REPORT, report);
        folder.file("notes.txt", "not committed");
        if is_committed {
            folder.git("add conformance");
            git(folder.path(), &["commit", "--quiet", "--message=A report"]);
        }
        let revision = if is_committed { "HEAD~1" } else { "HEAD" };
        let both = format!("check --since {revision} --select {FUTURE},report/date-in-future");
        rules(&folder, &both, "")
    };
    assert_eq!(found("2026-05-20T10:15:30Z", true), [FUTURE]);
    assert_eq!(found("2026-05-20T10:15:30Z", false), none());
    assert_eq!(found("2026-01-01T23:00:00Z", true), none());
    assert_eq!(found("-", true), none());
    for is_committed in [true, false] {
        let far = found("2062-01-01T00:00:00Z", is_committed);
        assert_eq!(far, ["report/date-in-future"]);
    }
}

#[test]
fn letters_that_look_like_others_make_no_version() {
    for (version, expected) in [
        ("m\u{430}in", "error version-is-branch"),
        ("l\u{430}t\u{435}st", "error version-is-branch"),
        ("unkn\u{43e}wn", "error placeholder"),
    ] {
        let report = ReportBuilder::new().version(version);
        assert_eq!(about(&report), [expected], "{version}");
    }
}
