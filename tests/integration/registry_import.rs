//! Tests arguments, exit codes and git access of `gwconform registry import` and `registry check`.

use std::fs;
use std::path::Path;

use crate::support::git::{commit_all, git};
use crate::support::sources::{first, second};
use crate::support::{Output, run};

fn gwconform(folder: &Path, command: &str) -> Output {
    let arguments: Vec<_> = command.split(' ').map(str::to_owned).collect();
    run(folder, &arguments)
}

fn scratch() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let checkout = folder.path().join("checkout");
    for (sources, tag) in [(first(), "v1.98.0"), (second(), "main-2")] {
        for (path, bytes) in &sources.files {
            let path = checkout.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        commit_all(&checkout);
        git(&checkout, &["tag", "--annotate", "--message=x", tag]);
    }
    folder
}

#[test]
fn a_file_is_used_at_once() {
    let folder = scratch();
    let at = folder.path();
    fs::create_dir(at.join("facts")).unwrap();
    let before = listing(&at.join("checkout"));
    let made = gwconform(
        at,
        "registry import --checkout checkout --ref v1.98.0 -o facts/v1.98.0.json",
    );
    assert_eq!(
        (made.code, made.stdout.as_str()),
        (0, ""),
        "{}",
        made.stderr
    );
    let text = fs::read_to_string(at.join("facts/v1.98.0.json")).unwrap();
    assert!(text.contains("\"date\": \"2026-01-01\""), "{text}");
    let again = gwconform(
        at,
        "registry import --checkout checkout --ref v1.98.0 --registry facts",
    );
    assert_eq!(again.stdout, text);
    let next = "registry import --checkout checkout/.git --ref main --release v1.99.0 --registry facts -o facts/v1.99.0.json";
    assert_eq!(gwconform(at, next).code, 0);
    // Imports from a branch have no date, because the release is not published.
    let branch = fs::read_to_string(at.join("facts/v1.99.0.json")).unwrap();
    let head = git(&at.join("checkout"), &["rev-parse", "main"]);
    let start = format!(
        "{{\n  \"release\": \"v1.99.0\",\n  \"commit\": \"{}\",\n  \"commitDate\": \"2026-01-01\",\n  \"base\": \"v1.98.0\",\n",
        head.trim()
    );
    assert!(branch.starts_with(&start), "{branch}");
    // A second import keeps what a person wrote.
    let written = branch.replacen(
        "\"meaning\": \"",
        "\"renamedFrom\": \"GatewaySing\",\n      \"meaning\": \"In our words. ",
        1,
    );
    let written = written.replacen(",\n      \"meaningFrom\": \"source\"", "", 1);
    assert_ne!(written, branch);
    fs::write(at.join("facts/v1.99.0.json"), &written).unwrap();
    assert_eq!(gwconform(at, next).code, 0);
    assert_eq!(
        fs::read_to_string(at.join("facts/v1.99.0.json")).unwrap(),
        written
    );
    fs::write(at.join("facts/v1.99.0.json"), &branch).unwrap();
    let newest = gwconform(at, "features --registry facts --format json");
    assert!(newest.stdout.contains("v1.98.0"), "{}", newest.stdout);
    let listed = gwconform(at, "features --registry facts --release v1.99.0");
    assert!(listed.stdout.contains("GatewaySong"), "{}", listed.stdout);
    fs::write(at.join("gwconform.toml"), "registry = \"facts\"\n").unwrap();
    fs::create_dir_all(at.join("reports/v1.99")).unwrap();
    let checked = gwconform(at, "check reports --allow-empty");
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
    let checked = gwconform(at, "check reports --registry facts/ --allow-empty");
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
    assert_eq!(
        listing(&at.join("checkout")),
        before,
        "something was written there"
    );

    let checked = gwconform(
        at,
        "registry check --registry facts --checkout checkout --ref v1.98.0",
    );
    assert_eq!(
        (checked.code, checked.stderr.as_str()),
        (0, ""),
        "{}",
        checked.stdout
    );
    fs::write(
        at.join("facts/v1.98.0.json"),
        text.replace("GatewayColour\", \"GatewayT", "GatewayT")
            .replace("  \"date\"", " \"date\""),
    )
    .unwrap();
    let checked = gwconform(
        at,
        "registry check --registry facts --checkout checkout --ref v1.98.0",
    );
    assert_eq!(checked.code, 1);
    assert!(checked.stdout.starts_with(
        "v1.98.0: profile GATEWAY-HTTP: extended features: only in the sources: GatewayColour\nv1.98.0.json: not formatted as `gwconform registry import` writes it\n"
    ), "{}", checked.stdout);
}

fn listing(folder: &Path) -> Vec<String> {
    let entries = walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter();
    let lines = entries.map(|entry| {
        let entry = entry.unwrap();
        let metadata = entry.metadata().unwrap();
        format!(
            "{} {} {:?}",
            entry.path().display(),
            metadata.len(),
            metadata.modified().unwrap()
        )
    });
    lines.collect()
}

#[test]
fn only_the_tag_of_the_release_is_its_date() {
    let folder = scratch();
    let note = "note: no date: v1.98.0 is treated as unreleased; pass --date if it is released";
    for (given, date) in [
        ("--ref v1.98.0", Some("2026-01-01")),
        ("--ref v1.98.0 --date 2026-02-03", Some("2026-02-03")),
        ("--ref v1.98.0^0 --release v1.98.0", None),
        ("--release v1.98.0", None),
        ("--release v1.98.0 --date 2026-02-03", Some("2026-02-03")),
    ] {
        let command = format!("registry import --checkout checkout {given}");
        let made = gwconform(folder.path(), &command);
        assert_eq!(made.code, 0, "{given}: {}", made.stderr);
        let file: serde_json::Value = serde_json::from_str(&made.stdout).unwrap();
        assert_eq!(file["date"].as_str(), date, "{given}");
        assert_eq!(made.stderr.contains(note), date.is_none(), "{given}");
    }
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let folder = scratch();
    let at = folder.path();
    fs::write(at.join("notes.json"), "{}").unwrap();
    let cases = [
        (
            "registry import --checkout checkout",
            2,
            "no release; pass --release",
        ),
        (
            "registry import --checkout checkout --release v1.98",
            2,
            "--release: `v1.98` is not a release",
        ),
        (
            "registry import --checkout checkout --release v1.98.0 --date today",
            2,
            "--date: `today` is not a date",
        ),
        (
            "registry import --checkout checkout --ref main",
            2,
            "--ref: `main` is not a release; pass --release",
        ),
        (
            "registry import --checkout checkout --release v1.98.0 --ref=--all",
            2,
            "`--all` is not a revision",
        ),
        (
            "registry import --checkout checkout --release v1.98.0 --ref nowhere",
            2,
            "unknown commit `nowhere`",
        ),
        (
            "registry import --checkout nowhere --ref v1.98.0",
            2,
            "nowhere",
        ),
        (
            "registry import --checkout facts --release v1.98.0 --date 2026-01-01",
            2,
            "--checkout: facts",
        ),
        (
            "registry import --checkout . --ref v1.98.0",
            2,
            "neither a checkout with `.git` in it nor a git directory",
        ),
        (
            "registry import --checkout checkout --ref v1.98.0 --base v1.99.0",
            2,
            "unknown release `v1.99.0`",
        ),
        (
            "registry import --checkout checkout --release v1.5.0 --ref main --base v1.6.0",
            2,
            "--base: v1.6.0 is not older than v1.5.0",
        ),
        (
            "registry import --checkout checkout --ref v1.98.0 -o notes.json",
            2,
            "refusing to overwrite notes.json",
        ),
        (
            "registry check --checkout checkout --checkout checkout --ref v1.98.0",
            2,
            "--checkout 2 times and --ref 1 times",
        ),
        (
            "registry check --ref v1.98.0",
            2,
            "--checkout 0 times and --ref 1 times",
        ),
        (
            "registry check --checkout checkout --ref v1.98.0",
            2,
            "no data of release `v1.98.0`",
        ),
        ("registry check --checkout .", 2, "nor a git directory"),
    ];
    for (command, code, message) in cases {
        let output = gwconform(at, command);
        assert_eq!(
            (output.code, output.stdout.as_str()),
            (code, ""),
            "{command}: {}",
            output.stderr
        );
        assert!(
            output.stderr.contains(message),
            "{command}: {}",
            output.stderr
        );
    }
}

#[test]
fn what_is_not_understood_is_printed_and_nothing_is_written() {
    let folder = scratch();
    let at = folder.path();
    let path = at.join("checkout/pkg/features/gateway.go");
    fs::write(
        &path,
        "package features\n\nconst SupportGateway = \"\u{202e}\" + x\n",
    )
    .unwrap();
    let command =
        "registry import --checkout checkout --release v1.98.0 --date 2026-01-01 -o made.json";
    let output = gwconform(at, command);
    assert_eq!(output.code, 3);
    assert!(
        output
            .stderr
            .contains("pkg/features/gateway.go:3: declared nowhere in the sources: `x`\n"),
        "{}",
        output.stderr
    );
    assert!(
        output
            .stderr
            .contains("error: the data of v1.98.0 cannot be extracted from its source: "),
        "{}",
        output.stderr
    );
    assert!(!at.join("made.json").exists());
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_in_a_folder_or_a_commit() {
    let folder = scratch();
    let at = folder.path();
    let tests = at.join("checkout/conformance/tests");
    fs::rename(tests.join("mesh"), at.join("mesh")).unwrap();
    std::os::unix::fs::symlink("../../../mesh", tests.join("mesh")).unwrap();
    commit_all(&at.join("checkout"));
    for reference in ["", " --ref main"] {
        let command = format!(
            "registry import --checkout checkout --release v1.98.0 --date 2026-01-01{reference}"
        );
        let output = gwconform(at, &command);
        assert_eq!(output.code, 3, "{command}");
        assert!(
            output.stderr.contains("conformance/tests/mesh")
                && output.stderr.contains("a symbolic link"),
            "{}",
            output.stderr
        );
    }
}

#[cfg(unix)]
#[test]
fn a_repository_that_names_programs_runs_none() {
    let folder = scratch();
    let at = folder.path();
    git(at, &["clone", "--quiet", "--bare", "checkout", "bare.git"]);
    let canary = at.join("canary");
    let touch = format!("touch {}", canary.display());
    for (key, value) in [
        ("core.fsmonitor", touch.as_str()),
        ("core.pager", &touch),
        ("log.showSignature", "true"),
        ("gpg.program", &touch),
        ("filter.x.smudge", &touch),
        ("filter.x.process", &touch),
        ("diff.external", &touch),
        ("core.alternateRefsCommand", &touch),
        ("core.sshCommand", &touch),
    ] {
        git(&at.join("bare.git"), &["config", key, value]);
    }
    fs::create_dir_all(at.join("bare.git/info")).unwrap();
    fs::write(at.join("bare.git/info/attributes"), "* filter=x diff=x\n").unwrap();
    let output = gwconform(at, "registry import --checkout bare.git --ref v1.98.0");
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(!canary.exists());
}

#[test]
fn a_release_that_cannot_be_read_does_not_stop_the_others() {
    let folder = scratch();
    let at = folder.path();
    fs::create_dir(at.join("facts")).unwrap();
    let made = gwconform(
        at,
        "registry import --checkout checkout --ref v1.98.0 -o facts/v1.98.0.json",
    );
    assert_eq!(made.code, 0, "{}", made.stderr);
    let text = fs::read_to_string(at.join("facts/v1.98.0.json")).unwrap();
    fs::write(
        at.join("facts/v1.97.0.json"),
        text.replace("v1.98.0", "v1.97.0"),
    )
    .unwrap();
    let checkout = at.join("checkout");
    // Before v0.8.0, upstream declared report types in files with another build tag.
    let folder_of_reports = checkout.join("conformance/apis/v1alpha1");
    fs::create_dir_all(&folder_of_reports).unwrap();
    fs::write(
        folder_of_reports.join("types.go"),
        "//go:build experimental\n// +build experimental\n\npackage v1alpha1\n",
    )
    .unwrap();
    git(&checkout, &["checkout", "--quiet", "v1.98.0"]);
    commit_all(&checkout);
    git(&checkout, &["tag", "--annotate", "--message=x", "v1.97.0"]);
    let check = "registry check --registry facts --checkout checkout";
    let checked = gwconform(at, check);
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
    let suite = checkout.join("conformance/utils/suite/suite.go");
    fs::write(suite, "package suite\n\nvar broken = }\n").unwrap();
    commit_all(&checkout);
    git(
        &checkout,
        &["tag", "--force", "--annotate", "--message=x", "v1.97.0"],
    );
    let checked = gwconform(at, check);
    assert_eq!(checked.code, 3, "{}{}", checked.stdout, checked.stderr);
    assert!(
        checked
            .stderr
            .contains("v1.97.0: not compared:\nconformance/utils/suite/suite.go:3: "),
        "{}",
        checked.stderr
    );
    assert!(
        checked.stdout.contains("1 of ") && checked.stdout.contains(": 0 differences"),
        "{}",
        checked.stdout
    );
}
