//! Runs `.github/registry` on temporary repositories with a fake `gh`, as the workflow does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::facts::{FIRST, second};
use crate::support::git::{commit_all, git};
use crate::support::write_program;

struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    /// The sources of each tag are its facts, which a fake program prints.
    fn new(tags: &[(&str, &str)]) -> Self {
        let scratch = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let sources = scratch.path("sources");
        fs::create_dir_all(&sources).unwrap();
        for (tag, facts) in tags {
            fs::write(sources.join("facts.json"), facts).unwrap();
            fs::write(sources.join("tag"), tag).unwrap();
            commit_all(&sources);
            git(&sources, &["tag", tag]);
        }
        let repository = scratch.path("repository");
        fs::create_dir_all(&repository).unwrap();
        fs::write(repository.join("README.md"), "# Reports\n").unwrap();
        commit_all(&repository);
        git(
            scratch.folder.path(),
            &["clone", "--quiet", "--bare", "repository", "origin.git"],
        );
        git(&repository, &["remote", "add", "origin", "../origin.git"]);
        fs::create_dir_all(scratch.path("bin")).unwrap();
        write_program(
            &scratch.path("bin/gh"),
            "printf '%s\\n' \"$*\" >>\"$CALLS\"; case \"$1 $2\" in 'pr list') echo \"${OPEN:-0}\";; esac",
        );
        write_program(&scratch.path("bin/facts"), "cat \"$1/facts.json\"");
        scratch
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str], open: &str) -> (bool, String) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/registry");
        let path = std::env::var("PATH").unwrap();
        let output = Command::new("bash")
            .arg(script)
            .args(arguments)
            .current_dir(self.path("repository"))
            .env_clear()
            .env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("GWCONFORM", env!("CARGO_BIN_EXE_gwconform"))
            .env("CALLS", self.path("calls"))
            .env("OPEN", open)
            .env("HOME", self.folder.path())
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(text).unwrap())
    }

    fn import(&self) -> (bool, String) {
        self.run(&["import", "facts", "../sources/.git", "../out"], "0")
    }
}

#[test]
fn new_releases_become_a_pull_request() {
    let scratch = Scratch::new(&[
        ("v0.1.0", FIRST),
        ("v1.6.0", FIRST),
        ("v1.98.0", FIRST),
        ("v1.98.0-rc.1", FIRST),
        ("v1.99.0", &second()),
        ("v1.99.0;x", &second()),
    ]);
    let (is_done, text) = scratch.import();
    assert!(is_done, "{text}");
    let tags = fs::read_to_string(scratch.path("out/tags")).unwrap();
    assert_eq!(tags, "v1.98.0\nv1.99.0\n");
    let body = fs::read_to_string(scratch.path("out/text.md")).unwrap();
    let of_second = body.split(" to v1.99.0\n").nth(1).unwrap();
    insta::assert_snapshot!(of_second);

    let propose = ["propose", "facts", "../out", "main"];
    let (is_done, text) = scratch.run(&propose, "0");
    assert!(is_done, "{text}");
    let origin = scratch.path("origin.git");
    let files = git(
        &origin,
        &["ls-tree", "-r", "--name-only", "registry-v1.99.0"],
    );
    assert_eq!(files, "README.md\nfacts/v1.98.0.json\nfacts/v1.99.0.json\n");
    let calls = fs::read_to_string(scratch.path("calls")).unwrap();
    let last = calls.lines().last().unwrap();
    assert_eq!(
        last,
        "pr create --head registry-v1.99.0 --base main --title Add release data for v1.98.0, v1.99.0 --body-file ../out/text.md"
    );

    // A week later, the existing files need no import.
    let (is_done, text) = scratch.import();
    assert!(is_done, "{text}");
    assert_eq!(fs::read_to_string(scratch.path("out/tags")).unwrap(), "");
    let (is_done, text) = scratch.run(&propose, "0");
    assert_eq!((is_done, text.as_str()), (true, "no new releases\n"));
}

#[test]
fn the_data_of_the_main_branch_is_refreshed() {
    let scratch = Scratch::new(&[("v1.98.0", FIRST), ("not-a-release", &second())]);
    let main = scratch.path("repository/facts/unreleased/main.json");
    fs::create_dir_all(main.parent().unwrap()).unwrap();
    fs::write(&main, "{\"release\": \"v1.7.0\", \"base\": \"v1.6.2\"}\n").unwrap();
    let (is_done, text) = scratch.import();
    assert!(is_done, "{text}");
    let imported = fs::read_to_string(scratch.path("out/main.json")).unwrap();
    assert!(imported.contains("\"release\": \"v1.99.0\""), "{imported}");
    assert!(
        imported.contains("\"commitDate\": \"2026-01-01\""),
        "{imported}"
    );
    let propose = ["propose", "facts", "../out", "main"];
    let (is_done, text) = scratch.run(&propose, "0");
    assert!(is_done, "{text}");
    assert_eq!(fs::read_to_string(&main).unwrap(), imported);

    // A newer commit without changes of the data is not proposed.
    fs::write(&main, imported.replace("2026-01-01", "2025-12-31")).unwrap();
    let (is_done, text) = scratch.import();
    assert!(is_done, "{text}");
    assert!(!scratch.path("out/main.json").exists());

    fs::write(&main, imported.replace("GatewaySong", "GatewayHum")).unwrap();
    commit_all(&scratch.path("repository"));
    assert!(scratch.import().0);
    let (is_done, text) = scratch.run(&propose, "0");
    assert!(is_done, "{text}");
    let calls = fs::read_to_string(scratch.path("calls")).unwrap();
    assert_eq!(
        calls.lines().last().unwrap(),
        "pr create --head registry-main --base main --title Update the data of the main branch --body-file ../out/text.md"
    );
}

#[test]
fn an_open_pull_request_is_updated() {
    let scratch = Scratch::new(&[("v1.98.0", FIRST)]);
    assert!(scratch.import().0);
    let propose = ["propose", "facts", "../out", "main"];
    let (is_done, text) = scratch.run(&propose, "1");
    assert!(is_done, "{text}");
    let calls = fs::read_to_string(scratch.path("calls")).unwrap();
    let last = calls.lines().last().unwrap();
    assert_eq!(last, "pr edit registry-v1.98.0 --body-file ../out/text.md");
}

#[test]
fn names_that_are_no_releases_become_part_of_no_command() {
    let scratch = Scratch::new(&[("v1.98.0", FIRST)]);
    fs::create_dir_all(scratch.path("out")).unwrap();
    fs::write(scratch.path("out/tags"), "v1.98.0\n--upload-pack=x\n").unwrap();
    let (is_done, text) = scratch.run(&["propose", "facts", "../out", "main"], "0");
    assert_eq!(
        (is_done, text.as_str()),
        (false, "unexpected names of tags\n")
    );
    assert!(!scratch.path("calls").exists());
}

#[test]
fn sources_that_are_not_understood_fail_the_workflow() {
    let scratch = Scratch::new(&[("v1.98.0", FIRST)]);
    let error = "error: pkg/features/gateway.go:3:7: unsupported call";
    write_program(
        &scratch.path("bin/facts"),
        &format!("echo '{error}' >&2; exit 1"),
    );
    let (is_done, text) = scratch.import();
    assert_eq!((is_done, text.contains(error)), (false, true), "{text}");
    assert!(!scratch.path("repository/facts/v1.98.0.json").exists());
}
