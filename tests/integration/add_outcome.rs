//! Tests that `gwconform add` rejects changes that would cause `check` errors in a tree with
//! reports.

use std::fs;
use std::process::Command;

use crate::support::folder::{ACME, ACME_README, Folder, NAME, README, files, report};
use crate::support::report::{Level, ReportBuilder};
use crate::support::words_of;

fn at(version: &str, mode: &str, minute: u8) -> String {
    report()
        .replace("v2.14.0", version)
        .replace("mode: default", &format!("mode: {mode}"))
        .replace("10:15:30", &format!("10:{minute}:30"))
}

fn readme(folder: &Folder) -> String {
    folder.read(ACME_README)
}

fn is_refused(folder: &Folder, arguments: &str, texts: &[&str]) {
    let before = files(folder.path());
    let output = folder.run(arguments);
    assert_eq!((output.stdout.as_str(), output.code), ("", 1), "{output:?}");
    let said = words_of(&output.stderr);
    for text in texts {
        assert!(said.contains(text), "{text}: {}", output.stderr);
    }
    assert!(
        output.stderr.starts_with("Refused: nothing was added.\n\n"),
        "{output:?}"
    );
    assert_eq!(files(folder.path()), before);
}

#[test]
fn rejects_reports_with_errors_before_writing() {
    let folder = Folder::with_tree();
    folder.file("copy.yaml", at("v2.14.0", "ambient", 15));
    is_refused(
        &folder,
        "add copy.yaml",
        &[
            "error[tree/copied-report]",
            "copy.yaml: not added: the tree would have 1 new error; run the suite again",
        ],
    );
    let named = "standard-2.14.0-default-report.yaml";
    let old = format!("{ACME}/{NAME}");
    fs::rename(
        folder.path().join(&old),
        folder.path().join(ACME).join(named),
    )
    .unwrap();
    folder.file(ACME_README, README.replace(NAME, named));
    folder.file("again.yaml", at("v2.14.0", "default", 16));
    is_refused(
        &folder,
        "add again.yaml",
        &[
            "error[tree/same-identity]",
            "run the suite again with `--mode=<name>`",
        ],
    );
    folder.file(
        "elsewhere.yaml",
        report()
            .replace("v1.5.1", "v1.4.1")
            .replace("v2.14.0", "v2.14.1"),
    );
    folder.file(
        "other.yaml",
        report().replace("organization: acme", "organization: umbrella"),
    );
    is_refused(
        &folder,
        "add elsewhere.yaml",
        &["error[tree/copied-report]"],
    );
    is_refused(&folder, "add other.yaml", &["error[tree/copied-report]"]);
    folder.file("one.yaml", at("v2.15.0", "one", 17));
    folder.file("two.yaml", at("v2.15.0", "two", 17));
    is_refused(
        &folder,
        "add one.yaml two.yaml",
        &["one.yaml, two.yaml: not added: the tree would have 1 new error"],
    );
    // Existing errors do not block a new report, and `--force` adds a report with errors.
    folder.file(&format!("{ACME}/standard-v2.13.0-default-report.yaml"), "{");
    assert_eq!(folder.run("add one.yaml").code, 0);
    assert_eq!(folder.run("add two.yaml --force").code, 0);
}

#[test]
fn accepts_errors_that_the_configuration_ignores() {
    let folder = Folder::with_tree();
    folder.file("copy.yaml", at("v2.14.0", "ambient", 15)).file(
        "gwconform.toml",
        "[[ignore]]\nrule = \"tree/copied-report\"\npath = \"conformance/reports/v1.5\"\nreason = \"two topologies\"\n",
    );
    let output = folder.run("add copy.yaml");
    assert_eq!(output.code, 0, "{output:?}");
}

#[test]
fn the_release_page_is_like_that_of_earlier_rows_or_of_the_repository() {
    let guess = "https://github.com/acme/operator/releases/tag/v2.15.0";
    let to_check = "is the release page (or set --release-url)";
    let guessed = format!("[v2.15.0]({guess})");
    let repository = "https://github.com/acme/operator";
    let new = at("v2.15.0", "default", 20)
        .replace("https://acme.example", repository)
        .replace("v1.5.1", "v1.6.1");
    for (page, expected) in [
        (
            "https://acme.example/releases/v2.14.0",
            "[v2.15.0](https://acme.example/releases/v2.15.0)",
        ),
        // Some tags omit the `v`.
        (
            "https://github.com/acme/operator/releases/tag/2.14.0",
            "[v2.15.0](https://github.com/acme/operator/releases/tag/2.15.0)",
        ),
        // `check` suggests this page too.
        ("https://acme.example/news", guessed.as_str()),
        (repository, guessed.as_str()),
    ] {
        let folder = Folder::with_tree();
        let before = README.replace("https://acme.example/releases/v2.14.0", page);
        folder.file(ACME_README, before).file("new.yaml", &new);
        let output = folder.run("add new.yaml --force");
        let written = folder.read("conformance/reports/v1.6/acme-operator/README.md");
        let row = format!("| standard | {expected} | default |");
        assert!(written.contains(&row), "{page}: {written}");
        output.stdout_has(to_check);
        let check = "check --select readme/row-link conformance/reports/v1.6";
        assert_eq!(folder.findings(check), [""; 0]);
        let fixed = folder.run(&format!("{check} --fix --diff"));
        assert_eq!(fixed.stdout, "");
    }
    let folder = Folder::with_tree();
    folder.file("new.yaml", &new);
    let output = folder.run("add new.yaml --force --release-url https://acme.example/2.15");
    assert!(!output.stdout.contains("release page"), "{output:?}");
    let written = folder.read("conformance/reports/v1.6/acme-operator/README.md");
    assert!(written.contains("[v2.15.0](https://acme.example/2.15)"));
}

#[test]
fn warnings_about_a_new_report_are_printed() {
    let folder = Folder::with_tree();
    folder.file("new.yaml", at("v2.15", "default", 20));
    let output = folder.run("add new.yaml");
    assert_eq!(output.code, 0);
    for text in ["warning[report/version-not-semver]", "--> new.yaml:"] {
        assert!(output.stderr.contains(text), "{text}: {}", output.stderr);
    }
    output.stdout_has("Filed. Before you submit, do the steps under To do. The warning does not prevent acceptance.\n");
    assert_eq!(folder.run("add new.yaml").stderr, "");
}

/// One decision, and commands that agree with it.
#[test]
fn says_first_whether_the_reports_can_be_submitted() {
    let page = "--release-url https://acme.example/releases/v2.15.0";
    let with = |core: Level| {
        let report = ReportBuilder::new().version("v2.15.0").core(core);
        report.date("2026-05-20T10:20:30Z").build()
    };
    let good = with(Level::success(13));
    let skipped = with(Level::partial(12, &["GRPCExactMethodMatching"]));
    let failed = with(Level::result("success").counts(12, 0, 1));
    for (report, decision, commands) in [
        (&good, "Filed and ready to submit.", "Next"),
        (
            &skipped,
            "Filed, but not acceptable to strict reviewers: 1 warning. Run",
            "To submit it anyway",
        ),
        (
            &failed,
            "Filed, but not acceptable: 2 errors. Run",
            "To submit it anyway",
        ),
    ] {
        let folder = Folder::with_tree();
        folder.file("new.yaml", report);
        let output = folder.ok(&format!("add new.yaml --force {page}"));
        assert!(output.stdout.starts_with(decision), "{output:?}");
        output.stdout_has(&format!("\n\n{commands}:\n  gwconform check "));
        let again = folder.ok("add new.yaml --force");
        assert!(again.stdout.starts_with("Already filed; "), "{again:?}");
    }
}

/// The decision is that of `check --strict`, with the severities of the configuration.
#[test]
fn configured_warnings_do_not_prevent_acceptance() {
    let folder = Folder::with_tree();
    let skipped = Level::partial(12, &["GRPCExactMethodMatching"]);
    let report = ReportBuilder::new().version("v2.15.0").core(skipped);
    folder.file("new.yaml", report.date("2026-05-20T10:20:30Z").build());
    let page = "--release-url https://acme.example/releases/v2.15.0";
    let add = format!("add new.yaml --dry-run {page}");
    folder
        .ok(&add)
        .stdout_has("Would be filed, but not acceptable to strict reviewers");
    folder.config("[rules]\n\"report/partial-core\" = \"warning\"\n");
    let expected = "Would be filed and ready to submit. The 2 warnings do not prevent acceptance.";
    folder.ok(&add).stdout_has(expected);
}

#[test]
fn a_second_mode_has_the_release_page_of_its_version() {
    let page = "https://acme.example/docs/release-notes";
    let with_page = |page: &str| {
        let folder = Folder::with_tree();
        let readme = README.replace("https://acme.example/releases/v2.14.0", page);
        folder
            .file(ACME_README, readme)
            .file("new.yaml", at("v2.14.0", "ambient", 20));
        folder.run("add new.yaml")
    };
    let added = with_page(page);
    assert!(!added.stdout.contains("release page"), "{added:?}");
    let folder = Folder::with_tree();
    folder.file("new.yaml", at("v2.14.0", "ambient", 20));
    let added = folder.run("add new.yaml");
    assert!(!added.stdout.contains("release page"), "{added:?}");
    let row = "| standard | [v2.14.0](https://acme.example/releases/v2.14.0) | ambient | [v2.14.0 report](./standard-v2.14.0-ambient-report.yaml) |\n";
    assert!(readme(&folder).contains(row), "{}", readme(&folder));
    for wrong in [
        "https://acme.example",
        "https://www.acme.example/",
        "https://acme.example/releases/v2.13.0",
        "./release.md",
    ] {
        let added = with_page(wrong);
        assert!(
            added.stdout.contains("link v2.14.0 to its release page"),
            "{wrong}: {added:?}"
        );
    }
}

#[test]
fn a_readme_keeps_its_line_ends() {
    let folder = Folder::with_tree();
    folder
        .file(ACME_README, README.replace('\n', "\r\n"))
        .file("new.yaml", at("v2.15.0", "ambient", 20));
    let output = folder.run("add new.yaml");
    assert_eq!(output.code, 0, "{output:?}");
    let text = readme(&folder);
    assert!(text.contains("--mode=ambient"), "{text}");
    assert_eq!(text.matches("\r\n").count(), text.matches('\n').count());
}

#[test]
fn lists_missing_parts_of_a_readme() {
    let start = README.find("## Table").unwrap();
    let end = README.find("## Reproduce").unwrap();
    let quoted = README[start..end].replace('\n', "\n> ");
    let quoted = format!("{}> {quoted}\n\n{}", &README[..start], &README[end..]);
    let folder = Folder::with_tree();
    folder
        .file(ACME_README, quoted)
        .file("new.yaml", at("v2.15.0", "default", 20));
    let nested = "has its table of contents in a list or a quotation; move it out of there";
    is_refused(&folder, "add new.yaml", &[nested]);
    folder.file(ACME_README, &README[..end]);
    let output = folder.run("add new.yaml");
    let to_do = "add a section `## Reproduce` with the steps to run the suite";
    output.stdout_has(to_do);
}

#[test]
fn derives_release_pages_from_versions_with_a_prefix() {
    let folder = Folder::with_tree();
    let row = "[version-2.14.0](https://acme.example/tag/2.14.0)";
    let text = README.replace("[v2.14.0](https://acme.example/releases/v2.14.0)", row);
    folder
        .file(ACME_README, text)
        .file("new.yaml", at("v2.15.0", "default", 20));
    folder.run("add new.yaml");
    let cell = "[v2.15.0](https://acme.example/tag/2.15.0)";
    assert!(readme(&folder).contains(cell), "{}", readme(&folder));
}

#[test]
fn completes_an_addition_that_was_killed_before_the_readme() {
    let with_new = || {
        let folder = Folder::with_tree();
        folder.file("new.yaml", at("v2.15.0", "default", 20));
        folder
    };
    let (undisturbed, killed) = (with_new(), with_new());
    assert_eq!(undisturbed.run("add new.yaml").code, 0);
    let expected = files(undisturbed.path());
    let report = format!("{ACME}/standard-v2.15.0-default-report.yaml");
    killed.file(&report, &expected[&report]);
    killed.file(&format!("{ACME}/.gwconform-Ab12Cd"), "API");
    let check = killed.run("check");
    check.stdout_has("[readme/row-missing]");
    assert_eq!(killed.run("add new.yaml").code, 0);
    assert_eq!(files(killed.path()), expected);
}

/// Names are quoted, so that reports and folders cannot inject arguments or commands.
#[cfg(unix)]
#[test]
fn the_commands_to_commit_can_be_pasted() {
    let folder = Folder::new();
    let project = "operator `touch pwned`; touch pwned ' \" -x";
    folder.file(
        "report.yaml",
        report().replace("project: operator", &format!("project: {project:?}")),
    );
    let root = folder.path().join(":(top) $(touch pwned)");
    fs::create_dir(&root).unwrap();
    let arguments = [
        "add",
        "report.yaml",
        "--force",
        "--in",
        ":(top) $(touch pwned)",
    ];
    let output = crate::support::run(folder.path(), &arguments.map(str::to_owned));
    assert_eq!(output.code, 0, "{output:?}");
    let commands: Vec<&str> = output
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("  git "))
        .collect();
    assert_eq!(commands.len(), 4, "{output:?}");
    let script = format!(
        "git init -q . && git {} && git {} && git -c user.name=a -c user.email=a@example.com {} > commit.log && git log --format=%s && git ls-files -z | tr '\\0' '\\n'",
        commands[0], commands[1], commands[2]
    );
    let mut shell = Command::new("sh");
    let shown = shell
        .args(["-c", &script])
        .current_dir(folder.path())
        .output();
    let shown = String::from_utf8(shown.unwrap().stdout).unwrap();
    let mut lines = shown.lines();
    let message =
        format!("Add conformance report of acme/{project} v2.14.0 for Gateway API v1.5.1");
    assert_eq!(lines.next(), Some(message.as_str()), "{script}");
    assert_eq!(lines.count(), 2, "{shown}");
    assert!(!folder.exists("pwned"));
}

#[test]
fn a_new_release_starts_from_the_newest_readme_of_the_implementation() {
    let folder = Folder::with_tree();
    let before = README
        .replace("# Acme operator", "# Acme Operator for Kubernetes")
        .replace(
            "Run `make conformance`.",
            "Read [the notes](./notes.md#v2.14.0) and [the report](./standard-v2.14.0-default-report.yaml).\n\n\
             1. `git clone --branch v2.14.0 https://github.com/acme/operator` (not v2.14.0-rc.1, v2.14.01, 12.14.0 or v2.14.0.1)\n\
             2. Install the CRDs of Gateway API v1.5.1, and run `make conformance VERSION=2.14.0`.",
        );
    assert!(before.contains("notes.md"));
    folder
        .file(ACME_README, &before)
        .file(&format!("{ACME}/notes.md"), "# Notes\n")
        .file(
            "new.yaml",
            at("v2.15.0", "default", 20)
                .replace("v1.5.1", "v1.6.1")
                .replace("2026-05", "2026-09"),
        );
    let output = folder.run("add new.yaml --force");
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(
        folder.read("conformance/reports/v1.6/acme-operator/README.md"),
        before
            .replace("v2.14.0", "v2.15.0")
            .replace("VERSION=2.14.0", "VERSION=2.15.0")
            .replace("v2.15.0-rc.1", "v2.14.0-rc.1")
            .replace("v2.15.01", "v2.14.01")
            .replace("12.15.0", "12.14.0")
            .replace("v2.15.0.1", "v2.14.0.1")
            .replace("v1.5.1", "v1.6.1")
            .replace(
                "./notes.md#v2.15.0",
                "../../v1.5/acme-operator/notes.md#v2.14.0"
            )
    );
    output.stdout_has("check the text, especially the steps under Reproduce, which is that of conformance/reports/v1.5/acme-operator/README.md");
    let errors = folder.run("check --select readme --severity error");
    assert_eq!(errors.code, 0, "{errors:?}");
}

#[test]
fn a_report_for_a_prerelease_of_the_api_gets_no_verdict() {
    let folder = Folder::with_tree();
    let new = at("v2.15.0", "default", 20).replace("2026-05", "2026-09");
    folder.file("new.yaml", new.replace("v1.5.1", "v1.7.0-rc.1"));
    let output = folder.run("add new.yaml --force");
    let expected = "Gateway API v1.7.0-rc.1 is a prerelease, so the report supports no verdict";
    output.stdout_has(expected);
    folder.file("newer.yaml", at("v2.15.1", "default", 21));
    let output = folder.run("add newer.yaml --force");
    assert!(!output.stdout.contains("prerelease"), "{output:?}");
}
