//! Tests rules about identity: names, placeholders, runs that two implementations claim, version
//! links, and impossible dates. The tests include ways to evade each rule.

use crate::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, NAME, report};
use crate::support::git::git;
use crate::support::report::{Level, Profile, ReportBuilder};
use crate::support::{NONE, has, lines, list, rows, text};

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
    let submission = report.release_of().rsplit_once('.').unwrap().0;
    let path = format!("conformance/reports/{submission}/acme-operator/{NAME}");
    folder.file(&path, report.build());
    let found = folder.found("check --select report", "{severity} {rule}");
    let found = found.iter().map(|line| line.replace("report/", ""));
    found.collect()
}

fn status(folder: &Folder, path: &str) -> String {
    let json = folder.json("certify");
    let implementations = list(&json["implementations"]).iter();
    let mut reports = implementations.flat_map(|one| list(&one["reports"]));
    // Without a name, the report belongs to no implementation.
    let report = reports.find(|report| report["path"] == path);
    let status = report.map_or("left out", |report| text(&report["profiles"][0]["status"]));
    status.to_owned()
}

#[test]
fn placeholder_names_have_one_finding_and_no_verdict() {
    let words = ["", " ", "-", "<organization>", "Your Org", "$NAME", "N/A"];
    let more = ["Unknown", "acme ", "ac\u{200b}me", "\u{3164}"];
    for name in words.into_iter().chain(more) {
        let new = ReportBuilder::new;
        for report in [new().organization(name), new().project(name)] {
            assert_eq!(about(&report), ["error implementation-name"], "{name:?}");
            let folder = Folder::new();
            folder.file(ACME_REPORT, report.build());
            // Lowering the severity does not restore the verdict.
            folder.config("[rules]\n\"report/implementation-name\" = \"off\"\n");
            let status = status(&folder, ACME_REPORT);
            let has_none = ["contradictory", "left out"].contains(&status.as_str());
            assert!(has_none, "{name:?}: {status}");
        }
    }
    let mixed = ReportBuilder::new().organization("\u{430}cme");
    assert_eq!(about(&mixed), ["error mixed-script-name"]);
    let folder = Folder::new();
    folder.file(ACME_REPORT, mixed.build());
    assert_eq!(status(&folder, ACME_REPORT), "contradictory");
    folder.file(ACME_REPORT, report());
    assert_eq!(status(&folder, ACME_REPORT), "conformant");
}

#[test]
fn a_version_has_one_finding() {
    let cases = "
        -                                          | error placeholder
        N/A                                        | error placeholder
        unknown                                    | error placeholder
        (devel)                                    | error placeholder
        <release>                                  | error placeholder
        vX.Y.Z                                     | error placeholder
        main                                       | error version-is-branch
        MAIN                                       | error version-is-branch
        latest-dev                                 | error version-is-branch
        refs/heads/release-1.2                     | error version-is-branch
        https://github.com/acme/operator/tree/main | error version-is-branch
        f6c112e0a41d                               | warning version-not-semver
        v2.14                                      | warning version-not-semver
        v2.14.0-rc.1                               | info version-is-prerelease
    ";
    for [version, expected] in rows(cases) {
        let report = ReportBuilder::new().version(version);
        assert_eq!(about(&report), [expected], "{version}");
    }
    for version in ["v2.14.0", "1.35.2-gke.1751000", "v3.2.0-244-gea4944bb0"] {
        assert_eq!(about(&ReportBuilder::new().version(version)), NONE);
    }
    let blank = about(&ReportBuilder::new().version("main "));
    assert_eq!(
        blank,
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
    let github = "HTTPS://GitHub.com/Acme/Operator.git";
    for url in [github, "http://acme.example:8080/x"] {
        assert_eq!(about(&ReportBuilder::new().url(url)), NONE, "{url}");
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

/// The same run as if it were of `umbrella/gate`.
fn theirs_of(report: ReportBuilder) -> ReportBuilder {
    let report = report.organization("umbrella").project("gate");
    report.version("v1.0.0").url("https://umbrella.example")
}

fn copies(copy: &str, path: &str) -> Vec<String> {
    let folder = Folder::new();
    folder
        .file(ACME_REPORT, original().build())
        .file(path, copy);
    let command = "check --fail-on never --select tree/copied-report";
    folder.found(command, "{severity} {path}: {message}")
}

const SHARED: &str = "one run of the suite is submitted for `acme/operator` and for `umbrella/gate`: date and results are identical";

/// Expects the finding on both reports, because neither implementation is known to own the run.
fn on_both(path: &str, message: &str) -> Vec<String> {
    let mut paths = [path, ACME_REPORT];
    paths.sort_unstable();
    let lines = paths.map(|path| format!("error {path}: {message}"));
    lines.to_vec()
}

#[test]
fn finds_copies_of_runs_in_any_notation() {
    let path = theirs_of(original()).path();
    let copy = theirs_of(original()).build();
    let (first, second) = ("    - GRPCRouteNamedRouteRule\n", "    - GatewayPort8080\n");
    let reordered = copy.replace(&format!("{first}{second}"), &format!("{second}{first}"));
    assert_ne!(reordered, copy);
    for text in [
        copy.clone(),
        reordered,
        copy.replace("2026-05-20T10:15:30Z", "2026-05-20t11:15:30.75+01:00"),
        copy.replace("mode: default", "mode: sidecar"),
        copy.replace("Core tests succeeded.", "Core tests succeeded!"),
        copy.replace(
            ": success\n",
            ": \"success\"\n    skippedTests: []\n    x: y\n",
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
    let message = "a report of `acme/operator` and one of `umbrella/gate` have the same date and other results; expected a different date for each run";
    assert_eq!(copies(&edited, &path), on_both(&path, message));
    // Reports with another date, or without a valid date, are not copies.
    for date in ["2026-05-20T10:15:31Z", "-"] {
        let text = copy.replace("2026-05-20T10:15:30Z", date);
        assert_eq!(copies(&text, &path), NONE, "{text}");
    }
}

#[test]
fn a_run_of_one_implementation_is_submitted_once() {
    // Spelling does not create another implementation, and a folder does not create another
    // report. A report with other results is an edited copy if the setup is the same. Otherwise, it
    // may be another run.
    let cases = "
        v1.5/acme-operator/zagain.yaml | | error byte-for-byte copy of `HERE`
        v1.5/acme-operator/standard-v2.14.0-default.yaml | comment | error same run as `HERE`: SAME
        v1.5/acme-operator/standard-v2.15.0-default-report.yaml | newer | error same run as `HERE` with another version: SAME
        v1.5/acme-operator/standard-v2.14.0-sidecar-report.yaml | mode | error same run as `HERE` with another mode: SAME
        v1.5/acme-operator/standard-v2.14.0-experimental-report.yaml | channel | error same run as `HERE` with another channel: SAME
        v1.6/acme-operator/standard-v2.15.0-default-report.yaml | newer release | error same run as `THERE` with another release and version: SAME
        v1.5/acme/standard-v2.15.0-default-report.yaml | newer spelling | error same run as `THERE` with another version: SAME
        v1.5/acme-operator/standard-v2.14.0-default.yaml | edited | error edited copy of `HERE`: the date is the same, the results are not
        v1.5/acme-operator/standard-v2.15.0-default-report.yaml | newer edited | error edited copy of `HERE` with another version: the date is the same, the results are not
        v1.5/acme-operator/standard-v2.14.0-sidecar-report.yaml | mode edited | warning same date as `HERE`, which has another mode and other results; expected a different date for each run
        v1.6/acme-operator/standard-v2.15.0-default-report.yaml | newer release edited | warning same date as `THERE`, which has another release and version and other results; expected a different date for each run
    ";
    for [file, changes, expected] in rows(cases) {
        let (mut report, mut text): (_, fn(String) -> String) = (original(), |text| text);
        for change in changes.split(' ') {
            report = match change {
                "newer" => report.version("v2.15.0"),
                "mode" => report.mode("sidecar"),
                "channel" => report.channel("experimental"),
                "release" => report.release("v1.6.1"),
                "spelling" => report.organization("Acme"),
                _ => report,
            };
            text = match change {
                "comment" => |text| text + "# copied\n",
                "edited" => |text| text.replace("Passed: 13", "Passed: 12"),
                _ => text,
            };
        }
        let text = text(report.build());
        let path = format!("conformance/reports/{file}");
        let (severity, message) = expected.split_once(' ').unwrap();
        let message = message.replace("THERE", ACME_REPORT).replace("HERE", NAME);
        let message = message.replace("SAME", "date and results are identical");
        let found = copies(&text, &path);
        assert_eq!(found, [format!("{severity} {path}: {message}")]);
        let folder = Folder::new();
        folder.file(ACME_REPORT, original().build());
        folder.file(&path, text);
        let same = "check --select tree/same-identity,tree/same-identity-elsewhere";
        assert_eq!(folder.findings(same), NONE, "{path}");
    }
}

#[test]
fn each_copy_has_one_original() {
    let folder = Folder::new();
    let theirs = theirs_of(original()).build();
    let original = original().build();
    let edited = original.replace("Passed: 13", "Passed: 12");
    for (name, text) in [
        ("a.yaml", &original),
        ("b.yaml", &format!("{original}# b\n")),
        ("c.yaml", &edited),
        ("d.yaml", &format!("{edited}# d\n")),
    ] {
        folder.acme(name, text);
    }
    folder.file(
        &format!("{UMBRELLA}/e.yaml"),
        theirs.replace("Passed: 13", "Passed: 11"),
    );
    let command = "check --fail-on never --select tree/copied-report";
    let pairs = folder.found(command, "{path} {labels.0.path}").join(" ");
    let pairs: Vec<&str> = (pairs
        .split(' ')
        .map(|path| path.rsplit('/').next().unwrap()))
    .collect();
    let expected = "a e, b e, b a, c e, c a, d e, d c, e a".replace(',', "");
    let expected: Vec<String> = expected
        .split(' ')
        .map(|name| format!("{name}.yaml"))
        .collect();
    assert_eq!(pairs, expected);
}

#[test]
fn a_part_of_the_tree_is_compared_within_itself() {
    let folder = Folder::new();
    folder.file(ACME_REPORT, original().build());
    let sibling = folder.put(&original().version("v2.15.0"));
    folder.put(&original().release("v1.4.1"));
    let select = "--select tree/copied-report";
    let one = format!("tree/copied-report {sibling}");
    let own = folder.findings(&format!("check {ACME} {select}"));
    assert_eq!(own, std::slice::from_ref(&one));
    let all = folder.findings(&format!("check {select}"));
    assert_eq!(all, [format!("tree/copied-report {ACME_REPORT}"), one]);
}

#[test]
fn a_copy_in_another_folder_keeps_its_verdict() {
    let path = "conformance/reports/v1.5/acme/standard-v2.14.0-sidecar-report.yaml";
    let same = ReportBuilder::new();
    let other = same.clone().core(Level::failure(12, &["GRPCRouteWeight"]));
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
    let new = ReportBuilder::new;
    for path in [folder.put(&new()), folder.put(&theirs_of(new()))] {
        assert_eq!(status(&folder, &path), "conformant");
    }
    folder.run("check").exits(1);
}

#[test]
fn a_broken_copy_in_a_better_folder_takes_no_verdict_away() {
    let folder = Folder::new();
    let own = format!("conformance/reports/v1.5/acme/{NAME}");
    folder.file(&own, ReportBuilder::new().build());
    let copy = ReportBuilder::new().channel("UNDEFINED").version("v0.0.1");
    folder.acme("standard-v0.0.1-default-report.yaml", copy.build());
    assert_eq!(status(&folder, &own), "conformant");
}

#[test]
fn the_change_that_brings_the_copy_has_the_error() {
    let (own, theirs) = (original(), theirs_of(original()));
    let (there, here) = (theirs.path(), format!("{UMBRELLA}/{NAME}"));
    for (first, second, path) in [(&own, &theirs, there), (&theirs, &own, here)] {
        let folder = Folder::new();
        folder.file(ACME_REPORT, first.build());
        // The number of reports does not determine the owner.
        let more = second
            .clone()
            .release("v1.4.1")
            .date("2026-01-02T03:04:05Z");
        let older = "conformance/reports/v1.4.1/umbrella-gate/standard-v0.9.0-default-report.yaml";
        folder.file(older, more.build()).commit();
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
        for (version, minute) in [("v1.0.0", "33"), ("v1.1.0", "34")] {
            let other = ReportBuilder::new()
                .organization(organization)
                .project(project);
            let other = other
                .version(version)
                .date(&format!("2026-09-20T10:{minute}:00Z"));
            folder.acme(
                format!("standard-{version}-default-report.yaml"),
                other.build(),
            );
        }
        folder.found(
            "check --select tree/several-implementations",
            "{path} {severity}",
        )
    };
    // The folder determines the owner, not the number of reports.
    let path = format!("{ACME}/standard-v1.0.0-default-report.yaml warning");
    for (organization, project) in [("umbrella", "gate"), ("acme", "mesh")] {
        assert_eq!(found(organization, project), std::slice::from_ref(&path));
    }
    // Other rules cover spelling, look-alikes and placeholders.
    for name in [
        "acme/operator",
        "Acme/Oper-ator",
        "acrne/operator",
        "<organization>/operator",
    ] {
        let (organization, project) = name.split_once('/').unwrap();
        assert_eq!(found(organization, project), NONE, "{name}");
    }
}

fn row(cell: &str, report_cell: &str, url: &str, version: &str) -> Vec<String> {
    let folder = Folder::new();
    let readme = format!(
        "# Acme operator\n\n## Table of contents\n\n| API channel | Implementation version | Mode | Report |\n|---|---|---|---|\n| standard | {cell} | default | {report_cell} |\n\n## Reproduce\n\nRun `make`.\n"
    );
    let report = ReportBuilder::new().url(url).version(version);
    folder
        .file(ACME_README, readme)
        .file(ACME_REPORT, report.build());
    let found = folder.found("check --select readme", "{rule}: {message}");
    let found = found
        .iter()
        .map(|line| line.trim_start_matches("readme/").to_owned());
    found.collect()
}

const REPORT_CELL: &str = "[v2.14.0 report](./standard-v2.14.0-default-report.yaml)";

#[test]
fn a_version_is_linked_to_its_release_in_its_repository() {
    let page = "row-link: the row differs from its report: the version is linked to a page of `";
    let front = "the front page of a repository";
    let moving = "changes with later releases";
    for (address, expected) in [
        ("https://github.com/acme/operator/releases/tag/v2.14.0", ""),
        (
            "HTTPS://user@WWW.GitHub.com:443/Acme/%4Fperator.git/releases/tag/v2.14.0",
            "",
        ),
        ("https://github.com/acme/operator/tree/v2.14.0", ""),
        ("https://github.com/acme/operator/releases", ""),
        ("https://acme.example/operator/v2.14.0", ""),
        (
            "https://github.com/umbrella/operator/releases/tag/v2.14.0",
            page,
        ),
        (
            "https://github.com/umbrella/operator/releases/tag/v2.13.0",
            page,
        ),
        ("https://github.com/acme/operator2", page),
        (
            "https://www.github.com/acme/operator-fork.git/releases/tag/v2.14.0",
            page,
        ),
        ("https://gitlab.com/acme/operator/-/releases/v2.14.0", page),
        ("https://github.com/acme/operator", front),
        (
            "http://GitHub.com/Acme/Operator.git/?tab=readme-ov-file#v2.14.0",
            front,
        ),
        ("https://github.com/acme/%6Fperator//", front),
        ("https://github.com/acme/operator/releases/latest", moving),
        ("https://github.com/acme/operator/tree/main", moving),
    ] {
        let cell = format!("[v2.14.0]({address})");
        let found = row(&cell, REPORT_CELL, GITHUB, "v2.14.0");
        let is_whole = expected != page || found.iter().all(|one| one.starts_with(page));
        let is_found = found.iter().all(|one| one.contains(expected)) && is_whole;
        let count = usize::from(!expected.is_empty());
        assert!(is_found && found.len() == count, "{address}: {found:?}");
    }
    // GitHub turns a plain URL into a link.
    let bare = "v2.14.0 https://github.com/umbrella/operator/releases/tag/v2.14.0";
    let found = row(bare, REPORT_CELL, GITHUB, "v2.14.0").join("\n");
    has(found, "`github.com/umbrella/operator`");
    let both = "[v2.14.0](https://github.com/acme/operator/releases/tag/v2.14.0) ([site](https://github.com/acme/operator))";
    let found = row(both, REPORT_CELL, GITHUB, "v2.14.0");
    assert!(
        !found.iter().any(|one| one.starts_with("row-link")),
        "{found:?}"
    );
    let other = "[v2.14.0](https://github.com/umbrella/gate/releases/tag/v2.14.0)";
    assert_eq!(
        row(other, REPORT_CELL, "https://acme.example", "v2.14.0"),
        NONE
    );
}

#[test]
fn a_row_with_a_semantic_version_is_right_where_the_report_has_none() {
    let found = |cell: &str, version: &str| {
        let cell = format!("[{cell}](https://acme.example/{cell})");
        let mut found = row(&cell, REPORT_CELL, "https://acme.example", version);
        found.retain(|one| one.starts_with("row-value") || one.starts_with("row-link"));
        found
    };
    for version in "latest main N/A f6c112e0a41d v2.14 2 enterprise-2.14".split(' ') {
        assert_eq!(found("v2.14.0", version), NONE, "{version}");
    }
    for (cell, version) in [
        ("v2.14.0", "v2.13"),
        ("v2.14.0", "v2.14.1"),
        ("v2.14.0", "v2.14.0-rc.1"),
        ("v2.14", "latest"),
        ("main", "v2.14.0"),
    ] {
        let found = found(cell, version);
        let is_found = found.iter().any(|one| one.starts_with("row-value"));
        assert!(is_found, "{cell} {version}: {found:?}");
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
        folder.acme(name, ReportBuilder::new().version(version).build());
        let command = "check --select tree/file-name,tree/file-name-channel";
        folder.found(command, "{message}")
    };
    let cases = "
        v2.14.0-default-report.yaml          | v2.14.0 | the file name lacks the channel
        v2.14.0-default-report.yaml          | v2.14   | the file name lacks the channel
        v2.14.0-report.yaml                  | v2.14.0 | the file name lacks channel and mode
        Standard-V2.14.0-Default-Report.yaml | v2.14.0 | the file name differs from the report's fields in upper and lower case
        conformance-output.yaml              | v2.14.0 | the file name differs from the report's fields
        V2.14.0-default-report.yaml          | v2.14.0 | the file name differs from the report's fields
    ";
    for [name, version, words] in rows(cases) {
        let expected = format!("{words}; expected `{NAME}`");
        assert_eq!(message(name, version), [expected], "{name}");
    }
    for name in [
        "EXPERIMENTAL-v2.14.0-default-report.yaml",
        "Experimental_v2.14.0.yaml",
    ] {
        let folder = Folder::new();
        folder.acme(name, report());
        let found = rules(&folder, "check", "tree/file-name-channel");
        assert_eq!(found, ["tree/file-name-channel"], "{name}");
    }
    assert_eq!(message(NAME, "v2.14"), NONE);
    assert_eq!(message(NAME, "latest"), NONE);
    let other = message("standard-v2.13.0-default-report.yaml", "v2.14");
    assert_eq!(other.len(), 1, "{other:?}");
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
    assert_eq!(found("2026-05-20T10:15:30Z", false), NONE);
    assert_eq!(found("2026-01-01T23:00:00Z", true), NONE);
    assert_eq!(found("-", true), NONE);
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
