//! Tests `gwconform add`: folder, file name, README and row. Reports are copied unchanged.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::folder::{
    ACME, ACME_README, ACME_REPORT, Folder, NAME, README, files, report, yaml_files,
};
use crate::support::git::git;
use crate::support::report::ReportBuilder;
use crate::support::suite_run::SuiteRun;
use crate::support::{NONE, Output, has, lacks, one_in, run};
use crate::verify::newest;

fn empty() -> Folder {
    let folder = Folder::new();
    fs::create_dir_all(folder.path().join("conformance/reports")).unwrap();
    folder.file("report.yaml", report());
    folder
}

fn done(output: &Output) -> &str {
    assert_eq!((output.stderr.as_str(), output.code), ("", 0), "{output:?}");
    &output.stdout
}

#[test]
fn a_report_is_filed_into_an_empty_tree() {
    let folder = empty();
    let output = folder.run("add report.yaml --release-url https://acme.example/v2.14.0");
    assert_eq!(
        done(&output),
        "\
Filed. Before you submit, do the steps under To do.

added: conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml
written: conformance/reports/v1.5/acme-operator/README.md

To do:
- conformance/reports/v1.5/acme-operator/README.md: add installation steps, and run the commands under Reproduce once

Next:
  gwconform check conformance/reports/v1.5/acme-operator
  git switch --create conformance-acme-operator-v2-14-0
  git add -- conformance/reports/v1.5/acme-operator
  git commit --signoff --message 'Add conformance report of acme/operator v2.14.0 for Gateway API v1.5.1'
  git push --set-upstream origin conformance-acme-operator-v2-14-0

Pull request:
  Add conformance report of acme/operator v2.14.0 for Gateway API v1.5.1

  **What type of PR is this?**

  /kind test
  /area conformance

  **What this PR does / why we need it**:

  Adds the conformance report of acme/operator v2.14.0 for Gateway API v1.5.1:

  - `v1.5/acme-operator/standard-v2.14.0-default-report.yaml` (standard channel, mode default)

  **Does this PR introduce a user-facing change?**:

  ```release-note
  NONE
  ```
"
    );
    assert_eq!(
        folder.read(ACME_README),
        "\
# operator

## Table of contents

| API channel | Implementation version | Mode | Report |
|-------------|------------------------|------|--------|
| standard | [v2.14.0](https://acme.example/v2.14.0) | default | [v2.14.0 report](./standard-v2.14.0-default-report.yaml) |

## Reproduce

1. Install operator v2.14.0 on a cluster that has the CRDs of Gateway API v1.5.1, standard channel.
2. With the name of its GatewayClass in `GATEWAY_CLASS`, run the conformance suite of that release:

   ```sh
   git clone --depth 1 --branch v1.5.1 https://github.com/kubernetes-sigs/gateway-api
   cd gateway-api
   go test ./conformance -run TestConformance -timeout=1h -v -args \\
     --gateway-class=\"$GATEWAY_CLASS\" \\
     --conformance-profiles=GATEWAY-GRPC \\
     --mode=default \\
     --organization=acme \\
     --project=operator \\
     --url=https://acme.example \\
     --version=v2.14.0 \\
     --contact=@acme/maintainers \\
     --report-output=\"$PWD\"/standard-v2.14.0-default-report.yaml
   ```
"
    );
    assert_eq!(folder.read(ACME_REPORT), report());
    let check = folder.run("check");
    assert_eq!(
        check.stdout,
        "no findings in 1 report of 1 submission (1 release)\n"
    );
    let before = files(folder.path());
    let again = folder.run("add report.yaml");
    assert_eq!(
        done(&again),
        "Already filed; nothing to change.\n\nalready filed: conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml\n\nNext:\n  gwconform check conformance/reports/v1.5/acme-operator\n"
    );
    assert_eq!(files(folder.path()), before);
}

#[test]
fn a_dry_run_is_a_diff_of_what_would_be_done() {
    let folder = empty();
    let before = files(folder.path());
    let dry = folder.ok("add report.yaml --dry-run");
    assert_eq!(dry.stderr, "");
    assert!(
        dry.stdout.starts_with("Would be filed. Before"),
        "{}",
        dry.stdout
    );
    assert_eq!(files(folder.path()), before);
    let other = empty();
    done(&other.run("add report.yaml"));
    let git = |arguments: &[&str]| {
        let status = Command::new("git")
            .args(arguments)
            .current_dir(folder.path())
            .status();
        assert!(status.unwrap().success(), "{}", dry.stdout);
    };
    git(&["init", "--quiet"]);
    folder.file("change.diff", &dry.stdout);
    git(&["apply", "change.diff"]);
    folder.remove("change.diff");
    assert_eq!(files(folder.path()), files(other.path()));
}

const KEPT: &str = "\
# Acme operator

## Table of contents

| Notes | API channel | Implementation version                                 | Mode    | Report                                                   |
|-------|-------------|--------------------------------------------------------|---------|----------------------------------------------------------|
| LTS   | standard    | [v2.13.0](https://acme.example/releases/v2.13.0)       | default | [v2.13.0 report](./standard-v2.13.0-default-report.yaml) |

## Reproduce

Run `make conformance`.

## License

Ours.
";

#[cfg(unix)]
#[test]
fn an_implementation_keeps_its_folder_and_its_table() {
    let folder = empty();
    // v1.5.1 is an alias of v1.5, and the implementation already uses its own folder name.
    let own = "conformance/reports/v1.5/the-operator";
    let older = ReportBuilder::new()
        .version("v2.13.0")
        .date("2026-05-20T09:15:30Z");
    let lot = ReportBuilder::new()
        .mode("with-the-lot")
        .date("2026-05-20T11:15:30Z");
    folder
        .file(&format!("{own}/README.md"), KEPT)
        .file(
            &format!("{own}/standard-v2.13.0-default-report.yaml"),
            older.build(),
        )
        .link("conformance/reports/v1.5.1", "v1.5")
        .file("lot.yaml", lot.build());
    let output = folder.run("add report.yaml lot.yaml --in conformance/reports/v1.5.1");
    assert_eq!(
        done(&output),
        "\
Filed. Before you submit, do the steps under To do.

added: conformance/reports/v1.5/the-operator/standard-v2.14.0-default-report.yaml
added: conformance/reports/v1.5/the-operator/standard-v2.14.0-with-the-lot-report.yaml
changed: conformance/reports/v1.5/the-operator/README.md

To do:
- conformance/reports/v1.5/the-operator/README.md: check that https://acme.example/releases/v2.14.0 is the release page (or set --release-url)
- conformance/reports/v1.5/the-operator/README.md: describe under Reproduce how to configure mode `with-the-lot`

Next:
  gwconform check conformance/reports/v1.5/the-operator
  git switch --create conformance-acme-operator-v2-14-0
  git add -- conformance/reports/v1.5/the-operator
  git commit --signoff --message 'Add 2 conformance reports of acme/operator v2.14.0 for Gateway API v1.5.1'
  git push --set-upstream origin conformance-acme-operator-v2-14-0

Pull request:
  Add 2 conformance reports of acme/operator v2.14.0 for Gateway API v1.5.1

  **What type of PR is this?**

  /kind test
  /area conformance

  **What this PR does / why we need it**:

  Adds 2 conformance reports of acme/operator v2.14.0 for Gateway API v1.5.1:

  - `v1.5/the-operator/standard-v2.14.0-default-report.yaml` (standard channel, mode default)
  - `v1.5/the-operator/standard-v2.14.0-with-the-lot-report.yaml` (standard channel, mode with-the-lot)

  **Does this PR introduce a user-facing change?**:

  ```release-note
  NONE
  ```
"
    );
    let readme = folder.read(&format!("{own}/README.md"));
    let rows: Vec<&str> = (readme.lines())
        .filter(|line| line.contains("v2.14.0 report"))
        .collect();
    insta::assert_snapshot!(rows.join("\n"), @"
    |       | standard    | [v2.14.0](https://acme.example/releases/v2.14.0)       | default | [v2.14.0 report](./standard-v2.14.0-default-report.yaml) |
    |       | standard    | [v2.14.0](https://acme.example/releases/v2.14.0)       | with-the-lot | [v2.14.0 report](./standard-v2.14.0-with-the-lot-report.yaml) |
    ");
    for kept in KEPT.lines() {
        assert!(readme.lines().any(|line| line == kept), "{kept}\n{readme}");
    }
    let section = readme.split("## Reproduce").nth(1).unwrap();
    let section = section.split("## License").next().unwrap();
    has(
        section,
        "\n### v2.14.0, standard channel, mode `with-the-lot`\n",
    );
    has(section, "--mode=with-the-lot");
    let found = folder.findings("check");
    let is_name = |found: &String| found.starts_with("tree/folder-name ");
    assert!(found.iter().all(is_name), "{found:?}");
}

#[test]
fn up_to_v1_4_each_release_has_a_folder_and_up_to_v1_0_a_name_is_short() {
    for (release, place) in [
        ("v1.4.1", "v1.4.1"),
        ("v1.6.0", "v1.6"),
        ("v1.8.9", "v1.8"),
        ("1.5.0", "v1.5"),
    ] {
        let folder = empty();
        folder.file("report.yaml", report().replace("v1.5.1", release));
        let output = folder.run("add report.yaml --force");
        let added = format!("added: conformance/reports/{place}/acme-operator/{NAME}\n");
        output.stdout_has(&added);
    }
    let folder = empty();
    let legacy = "\
apiVersion: gateway.networking.k8s.io/v1alpha1
date: \"2023-12-20T10:15:30Z\"
gatewayAPIVersion: v1.0.0
implementation:
  contact:
  - '@acme/maintainers'
  organization: acme
  project: operator
  url: https://acme.example
  version: v2.14.0
kind: ConformanceReport
profiles:
- core:
    result: success
    statistics:
      Failed: 0
      Passed: 29
      Skipped: 0
    summary: \"\"
  name: HTTP
";
    folder.file("report.yaml", legacy);
    let output = folder.run("add report.yaml --force");
    let place = "conformance/reports/v1.0.0/acme-operator";
    output.stdout_has(&format!("added: {place}/v2.14.0-report.yaml\n"));
    let readme = folder.read(&format!("{place}/README.md"));
    has(
        &readme,
        "| x | v2.14.0 | x | [v2.14.0 report](./v2.14.0-report.yaml) |",
    );
    let found = folder.findings("check");
    let is_of_report = |found: &String| found.starts_with("report/");
    assert!(found.iter().all(is_of_report), "{found:?}");
}

#[test]
fn overwrites_no_report() {
    let folder = Folder::with_tree();
    let before = files(folder.path());
    folder.file("again.yaml", report().replace("10:15:30", "12:15:30"));
    let errors = folder.run("add again.yaml --force").fails(1);
    assert_eq!(
        errors,
        "Refused: nothing was added.\n\nagain.yaml: not added: conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml already exists with other content, and reports are never overwritten; remove it first if this report replaces it, or run the suite again with another `--mode`\n"
    );
    folder.remove("again.yaml");
    assert_eq!(files(folder.path()), before);
    let folder = empty();
    let place = format!("{ACME}/{}", NAME.to_uppercase());
    folder.file(&format!("{place}/x.sh"), "");
    let before = files(folder.path());
    let output = folder.run("add report.yaml").exits(3);
    output.stderr_has("already exists");
    assert_eq!(files(folder.path()), before);
    let folder = empty();
    folder.file("again.yaml", report().replace("10:15:30", "12:15:30"));
    let before = files(folder.path());
    let output = folder.run("add report.yaml again.yaml report.yaml");
    output.stderr_has(
        "the report would get the path standard-v2.14.0-default-report.yaml, as would report.yaml",
    );
    assert_eq!((files(folder.path()), output.code), (before, 1));
}

#[test]
fn a_report_with_errors_is_refused_with_the_way_to_make_it_again() {
    let folder = empty();
    folder.file(
        "bad.yaml",
        report()
            .replace("result: success", "result: partial")
            .replace("Failed: 0", "Failed: 2"),
    );
    let before = files(folder.path());
    let errors = folder.run("add bad.yaml report.yaml").fails(1);
    for part in [
        "error[report/result-contradicts-statistics]",
        "--> bad.yaml:",
        "bad.yaml: not added: it has errors (use --force to add it anyway)",
        "\n    --organization=acme \\\n",
    ] {
        has(&errors, part);
    }
    assert_eq!(files(folder.path()), before);
    let forced = folder.ok("add bad.yaml --force");
    forced.stdout_has("Filed, but not acceptable: 2 errors. Run the suite again");
    forced.stdout_has("\nTo submit it anyway:\n");
    assert_eq!(
        fs::read(folder.path().join(ACME).join(NAME)).unwrap(),
        before["bad.yaml"]
    );
    for (text, why) in [
        ("", "yaml/empty"),
        ("kind: x\n", "not added"),
        ("{", "yaml/syntax"),
        ("a: 1\n---\nb: 1\n", "not added"),
    ] {
        folder.file("odd.yaml", text);
        has(folder.run("add odd.yaml --force").fails(1), why);
    }
}

#[test]
fn the_command_for_a_new_run_does_not_repeat_wrong_values() {
    let folder = empty();
    let wrong = report()
        .replace("version: v2.14.0", "version: main")
        .replace("https://acme.example", "acme")
        .replace("  contact:\n  - '@acme/maintainers'\n", "");
    lacks(&wrong, "contact");
    folder.file("bad.yaml", wrong);
    let output = folder.run("add bad.yaml");
    let (_, commands) = output.stderr.split_once("run the suite again:\n").unwrap();
    let start = "  git clone --depth 1 --branch v1.5.1 https://github.com/kubernetes-sigs/gateway-api\n  cd gateway-api\n  go test ./conformance ";
    assert!(commands.starts_with(start), "{commands}");
    for flag in [
        "--version='<release>'",
        "--contact='<@org/team>'",
        "--url='<https://…>'",
        "--organization=acme",
        "--mode=default",
        "--report-output=\"$PWD\"/report.yaml",
    ] {
        assert_eq!(commands.matches(flag).count(), 1, "{flag}: {commands}");
    }
    lacks(commands, "main");
}

#[test]
fn report_values_cannot_leave_the_tree() {
    let quoted = |text: &str| format!("{text:?}");
    let long = "a".repeat(300);
    for (field, value, place) in [
        (
            "organization: acme",
            "../../../../tmp",
            Some("tmp-operator"),
        ),
        (
            "organization: acme",
            "a/../..\\\\b:c*d|e",
            Some("a-operator"),
        ),
        ("project: operator", "con", Some("acme-con")),
        (
            "project: operator",
            "`(id)`; [x](javascript:1) >b<",
            Some("acme-id-x-javascript-1-b"),
        ),
        ("project: operator", "..", None),
        ("project: operator", "\u{430}\u{441}\u{435}", None),
        ("project: operator", long.as_str(), None),
        ("project: operator", "a\u{202e}b", None),
        ("project: operator", "a\nb", None),
        ("version: v2.14.0", "../v1", None),
        ("version: v2.14.0", "v1|x", None),
        ("version: v2.14.0", "v1](https://evil.example)", None),
        ("version: v2.14.0", "v1\u{2024}0", None),
        ("mode: default", "a b", None),
        ("mode: default", "nul\0", None),
        ("mode: default", long.as_str(), None),
        ("gatewayAPIChannel: standard", "../..", None),
    ] {
        let folder = empty();
        let (name, _) = field.split_once(':').unwrap();
        folder.file(
            "report.yaml",
            report().replace(field, &format!("{name}: {}", quoted(value))),
        );
        let before = files(folder.path());
        let output =
            folder.run("add report.yaml --force --release-url https://acme.example/v2.14.0");
        let mut after = files(folder.path());
        let Some(place) = place else {
            assert_eq!((after, output.code), (before, 1), "{value:?}: {output:?}");
            assert!(
                output.stderr.contains("not added: "),
                "{value:?}: {}",
                output.stderr
            );
            continue;
        };
        let folder_name = format!("conformance/reports/v1.5/{place}");
        assert_eq!(output.code, 0, "{value:?}: {output:?}");
        let added = after
            .remove(&format!("{folder_name}/{NAME}"))
            .unwrap_or_else(|| panic!("{value:?}: {output:?}"));
        assert_eq!(added, before["report.yaml"], "{value:?}");
        let readme =
            String::from_utf8(after.remove(&format!("{folder_name}/README.md")).unwrap()).unwrap();
        assert_eq!(after, before, "{value:?}");
        let parsed = gwconform_report::tree::readme::parse(&readme);
        let title = &parsed.title().unwrap().text;
        assert!(title == "operator" || title == value, "{title:?}");
        assert_eq!(parsed.headings.len(), 3, "{readme}");
        let mut links = parsed.links.iter();
        assert!(
            links.all(|link| !link.target.contains("javascript")),
            "{readme}"
        );
        let found = folder.findings("check");
        let is_of_report = |found: &String| found.starts_with("report/");
        assert!(found.iter().all(is_of_report), "{value:?}: {found:?}");
    }
}

#[cfg(unix)]
#[test]
fn no_link_of_the_tree_is_written_through() {
    let folder = empty();
    fs::create_dir(folder.path().join("outside")).unwrap();
    folder.file("conformance/reports/v1.4.1/a/README.md", README);
    folder.link("conformance/reports/v1.5", "../../outside");
    let before = files(folder.path());
    let output = folder.run("add report.yaml").exits(3);
    output.stderr_has("v1.5 is a link, which is not followed");
    assert_eq!(files(folder.path()), before);
}

#[test]
fn leaves_the_folder_of_another_project_unchanged() {
    let folder = Folder::with_tree();
    folder.file(
        "report.yaml",
        report()
            .replace("organization: acme", "organization: Acme")
            .replace("10:15:30", "11:15:30"),
    );
    let output = folder.run("add report.yaml").exits(1);
    output.stderr_has("the folder conformance/reports/v1.5/acme-operator belongs to acme/operator, which is spelled differently");
}

#[test]
fn adds_an_entry_to_the_list_of_implementations() {
    let folder = empty();
    let list = "conformance/list/implementations";
    folder.file(
        &format!("{list}/other/details.yaml"),
        "kind: ImplementationListDetails\norganization: x\nproject: y\n",
    );
    folder.file(
        "report.yaml",
        report().replace("organization: acme", "organization: 'Acme: #1'"),
    );
    let output = folder.run("add report.yaml");
    let entry = format!("{list}/acme-1-operator/details.yaml");
    assert!(
        done(&output).contains(&format!("\nwritten: {entry}\n")),
        "{output:?}"
    );
    assert_eq!(
        folder.read(&entry),
        "kind: ImplementationListDetails\norganization: 'Acme: #1'\nproject: operator\nfullName: operator\ndescription: ''\n"
    );
    assert!(folder.run("certify").stdout.contains("operator"));
    let again = folder.run("add report.yaml");
    assert!(!done(&again).contains("details.yaml"));
}

#[test]
fn usage_errors_differ_from_missing_files() {
    let folder = empty();
    for (arguments, code) in [
        ("add", 2),
        ("add report.yaml --release-url acme.example", 2),
        ("add report.yaml --release-url javascript:alert(1)", 2),
        ("add nowhere.yaml", 2),
        ("add report.yaml --in nowhere", 2),
        ("add report.yaml --in report.yaml", 2),
    ] {
        folder.run(arguments).fails(code);
    }
    let other = Folder::new();
    other.file("report.yaml", report());
    assert_eq!(other.run("add report.yaml").code, 3);
    fs::create_dir(other.path().join("new")).unwrap();
    assert!(
        done(&other.run("add report.yaml --in new")).contains("added: new/v1.5/acme-operator/")
    );
}

#[test]
fn added_reports_have_no_findings() {
    assert_is_right_when_filed_anew(&crate::support::sample(), one_in(2));
}

#[test]
fn real_reports_get_their_right_place() {
    if let Some(corpus) = crate::support::corpus() {
        let tree = corpus.join("gateway-api/conformance/reports");
        assert_is_right_when_filed_anew(&tree, one_in(5));
    }
}

fn assert_is_right_when_filed_anew(tree: &Path, step: usize) {
    let folder = empty();
    let (mut added, mut refused, mut left_to_link) = (0, Vec::new(), 0);
    for path in yaml_files(tree).into_iter().step_by(step) {
        let path = path.display().to_string();
        if path.contains("/v0.") || path.contains("/v1.0") {
            continue;
        }
        let arguments = ["add", &path, "--force"].map(str::to_owned);
        let output = run(folder.path(), &arguments);
        let to_do = "to its release page (or set --release-url)";
        left_to_link += output.stdout.matches(to_do).count();
        match output.code {
            0 => added += 1,
            _ => refused.push(output.stderr),
        }
    }
    let are_few = refused.len() * 10 < added;
    assert!(added * step > 40 && are_few, "{added} {refused:#?}");
    let found = folder.findings("check");
    // If no other row links to a release page, the URL is unknown and the user must add the link.
    let is_left = |found: &&String| found.starts_with("readme/row-link");
    let left: Vec<&String> = found.iter().filter(is_left).collect();
    assert!(left.len() <= left_to_link, "{left_to_link} {left:#?}");
    let ours = found.iter().filter(|found| {
        let rule = found.split(' ').next().unwrap();
        rule.starts_with("readme/") && !is_left(found)
            || "file-name file-name-channel folder-name readme-missing release-folder stray-file"
                .split(' ')
                .any(|name| rule == format!("tree/{name}"))
    });
    assert_eq!(ours.collect::<Vec<_>>(), NONE);
}

/// Opening a pipe without a writer would block forever.
#[cfg(unix)]
#[test]
fn no_command_waits_for_a_pipe() {
    let folder = Folder::with_tree();
    folder.file("report.yaml", report());
    let pipe = folder.path().join("pipe.yaml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for (arguments, code) in [
        ("add pipe.yaml", 2),
        ("diff pipe.yaml report.yaml", 2),
        ("resources pipe.yaml", 2),
        ("resources report.yaml --report pipe.yaml", 2),
        ("check pipe.yaml", 1),
        ("check --config pipe.yaml", 2),
        ("check --baseline pipe.yaml", 2),
        ("check --write-baseline pipe.yaml", 2),
    ] {
        let output = folder.run(arguments);
        let printed = output.stdout + &output.stderr;
        let reason = "it is a pipe, a socket or a device; expected a regular file";
        let is_reported = printed.contains(reason) || arguments.contains("write");
        assert!(is_reported, "{arguments}: {printed}");
        assert_eq!(output.code, code, "{arguments}: {printed}");
    }
}

#[test]
fn many_reports_at_once_get_the_rows_that_they_get_one_by_one() {
    let names: Vec<String> = (15..40).map(|minor| format!("r{minor}.yaml")).collect();
    let started = || {
        let folder = empty();
        folder.run("add report.yaml --release-url https://acme.example/releases/v2.14.0");
        for (nth, name) in names.iter().enumerate() {
            let fresh = ReportBuilder::new().version(&format!("v2.{}.0", nth + 15));
            let fresh = fresh.date(&format!("2026-05-20T11:15:{nth:02}Z"));
            folder.file(name, fresh.build());
        }
        folder
    };
    let (at_once, one_by_one) = (started(), started());
    at_once.run(&format!("add {}", names.join(" "))).exits(0);
    for name in &names {
        one_by_one.run(&format!("add {name}")).exits(0);
    }
    let readme = format!("{ACME}/README.md");
    assert_eq!(at_once.read(&readme), one_by_one.read(&readme));
    assert_eq!(at_once.run("check").code, 0);
}

#[test]
fn a_report_is_extracted_from_the_log_of_its_run() {
    let run = SuiteRun::of(newest()).profile("GATEWAY-HTTP");
    let folder = empty();
    folder
        .file("run.log", run.text())
        .file("both.log", run.text() + &run.text())
        .file(
            "none.log",
            "=== RUN   TestConformance\n--- PASS: TestConformance (1.00s)\n",
        );
    let report = run.report();
    for arguments in ["--from-log run.log", "--from-log both.log --run 2"] {
        let output = folder.ok(&format!("add {arguments} --dry-run"));
        for line in report.lines() {
            output.stdout_has(&format!("\n+{line}\n"));
        }
    }
    for (arguments, why) in [
        ("--from-log both.log", "choose one with --run"),
        ("--from-log none.log", "none.log"),
        ("--from-log missing.log", "missing.log: no such file"),
    ] {
        let output = folder.run(&format!("add {arguments}"));
        assert!(output.code > 1 && output.stderr.contains(why), "{output:?}");
    }
    assert_eq!(folder.run("add run.log --from-log run.log").code, 2);
    let output = folder.run("add --from-log run.log");
    let (_, added) = one_in_folder(&folder, "conformance/reports");
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(String::from_utf8(added).unwrap(), report);
}

fn one_in_folder(folder: &Folder, path: &str) -> (String, Vec<u8>) {
    let files = files(&folder.path().join(path)).into_iter();
    let mut reports = files.filter(|(name, _)| name.ends_with("-report.yaml"));
    let only = reports.next().unwrap();
    assert!(reports.next().is_none());
    only
}

/// A log of the suite in the repository of an implementation, and a clone of Gateway API next to it.
#[test]
fn printed_commands_propose_the_report_of_a_part_of_a_log() {
    let folder = Folder::new();
    for path in ["own/.git", "gateway api/.git"] {
        fs::create_dir_all(folder.path().join(path)).unwrap();
    }
    fs::create_dir_all(folder.path().join("gateway api/conformance/reports")).unwrap();
    git(&folder.path().join("gateway api"), &["init", "--quiet"]);
    let remote = Folder::new();
    git(remote.path(), &["init", "--quiet", "--bare"]);
    let lines: String = report()
        .lines()
        .map(|line| format!("        {line}\n"))
        .collect();
    let part =
        format!("    conformance.go:135: Conformance report:\n{lines}    helpers.go:1: done\n");
    folder.file("own/run.log", &part);
    let output = folder.run_in("own", "check run.log").exits(1);
    output.stdout_has("gwconform add --from-log");
    let arguments = ["add", "--from-log", "run.log", "--in", "../gateway api"];
    let output = run(&folder.path().join("own"), &arguments.map(str::to_owned));
    let lines = output
        .stdout
        .lines()
        .skip_while(|line| !line.starts_with("  cd "));
    let commands: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    assert_eq!(commands.len(), 5, "{output:?}");
    let remote = remote.path().display();
    let script = format!(
        "set -e\ngit -C '../gateway api' remote add origin {remote}\n{}",
        commands.join("\n")
    );
    let done = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path().join("own"))
        .envs([
            ("GIT_AUTHOR_NAME", "Ann"),
            ("GIT_AUTHOR_EMAIL", "ann@acme.example"),
        ])
        .envs([
            ("GIT_COMMITTER_NAME", "Ann"),
            ("GIT_COMMITTER_EMAIL", "ann@acme.example"),
        ])
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
    let clone = folder.path().join("gateway api");
    let branch = "conformance-acme-operator-v2-14-0";
    let message = git(
        &clone,
        &["log", "-1", "--format=%B", &format!("origin/{branch}")],
    );
    has(&message, "Signed-off-by: Ann <ann@acme.example>");
    has(
        &message,
        "Add conformance report of acme/operator v2.14.0 for Gateway API v1.5.1\n",
    );
    let files = git(&clone, &["show", "--format=", "--name-only"]);
    assert_eq!(files.lines().count(), 2, "{files}");
    // Two different reports without the runs that printed them.
    let other = part.replace("v2.14.0", "v2.15.0");
    folder.file("own/two.log", part + &other);
    let arguments = ["add", "--from-log", "two.log", "--in", "../gateway api"];
    let error = run(&folder.path().join("own"), &arguments.map(str::to_owned)).fails(2);
    has(error, "2 different reports in one log");
}

#[test]
fn a_release_that_cannot_exist_is_refused() {
    let folder = empty();
    let swapped = ReportBuilder::new()
        .release("v1.32.3")
        .version("v1.6.1")
        .build();
    folder.file("report.yaml", swapped);
    for arguments in ["add report.yaml", "add report.yaml --force"] {
        let output = folder.run(arguments).exits(1);
        has(
            &output.stderr,
            "are `gatewayAPIVersion` and `version` swapped?",
        );
        has(&output.stderr, "nothing was added");
        lacks(&output.stderr, "--force");
        lacks(&output.stderr, "git clone");
    }
    assert!(yaml_files(&folder.path().join("conformance")).is_empty());
}
