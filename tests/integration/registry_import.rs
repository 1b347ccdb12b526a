//! Tests arguments, exit codes and files of `gwconform registry import` and `registry check`.

use std::fs;

use crate::support::facts::{FIRST, replaced, second};
use crate::support::folder::Folder;

fn scratch() -> Folder {
    let folder = Folder::new();
    folder.file("first.json", FIRST);
    folder.file("second.json", second());
    folder
}

#[test]
fn a_file_is_used_at_once() {
    let folder = scratch();
    fs::create_dir(folder.path().join("facts")).unwrap();
    let read = |name: &str| folder.read(name);
    let made = folder.run(
        "registry import first.json --release v1.98.0 --date 2026-01-01 -o facts/v1.98.0.json",
    );
    assert_eq!(
        (made.code, made.stdout.as_str()),
        (0, ""),
        "{}",
        made.stderr
    );
    let text = read("facts/v1.98.0.json");
    assert!(text.contains("\"date\": \"2026-01-01\""), "{text}");
    let again = "registry import first.json --release v1.98.0 --date 2026-01-01 --registry facts";
    assert_eq!(folder.run(again).stdout, text);
    let next = "registry import second.json --release v1.99.0 --commit 0123ABCdef --date 2026-02-03 --registry facts -o facts/v1.99.0.json";
    let made = folder.run(next);
    assert_eq!(
        (made.code, made.stderr.contains("note: no date")),
        (0, false)
    );
    // A commit has no date of a release, because the release is not published.
    let branch = read("facts/v1.99.0.json");
    let start = "{\n  \"release\": \"v1.99.0\",\n  \"commit\": \"0123abcdef\",\n  \"commitDate\": \"2026-02-03\",\n  \"base\": \"v1.98.0\",\n";
    assert!(branch.starts_with(start), "{branch}");
    // A second import keeps what a person wrote.
    let written = replaced(
        &branch,
        &[
            (
                "\"meaning\": \"",
                "\"renamedFrom\": \"GatewaySing\",\n      \"meaning\": \"In our words. ",
            ),
            (",\n      \"meaningFrom\": \"source\"", ""),
        ],
    );
    folder.file("facts/v1.99.0.json", &written);
    assert_eq!(folder.run(next).code, 0);
    assert_eq!(read("facts/v1.99.0.json"), written);
    folder.file("facts/v1.99.0.json", &branch);
    let newest = folder.run("features --registry facts --format json");
    newest.stdout_has("v1.98.0");
    let listed = folder.run("features --registry facts --release v1.99.0");
    listed.stdout_has("GatewaySong");
    folder.file("gwconform.toml", "registry = \"facts\"\n");
    fs::create_dir_all(folder.path().join("reports/v1.99")).unwrap();
    let checked = folder.run("check reports --allow-empty");
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
    let checked = folder.run("check reports --registry facts/ --allow-empty");
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);

    let checked = folder.run("registry check first.json --registry facts");
    assert_eq!(
        (checked.code, checked.stdout.as_str()),
        (0, "0 differences\n"),
        "{}",
        checked.stderr
    );
    let wrong = replaced(
        &text,
        &[
            ("\"Gateway\", \"GatewayColour\"]", "\"Gateway\"]"),
            ("  \"date\"", " \"date\""),
        ],
    );
    folder.file("facts/v1.98.0.json", &wrong);
    let checked = folder.run("registry check first.json --registry facts");
    assert_eq!(checked.code, 1);
    assert_eq!(
        checked.stdout,
        "v1.98.0: profile GATEWAY-HTTP: extended features: only in the sources: GatewayColour\nv1.98.0.json: not formatted as `gwconform registry import` writes it\n2 differences\n"
    );
    let checked = folder.run("registry check second.json --release v1.98.0 --registry facts");
    checked.stdout_has("v1.98.0: feature GatewaySong: only in the sources\n");
}

#[test]
fn a_release_without_a_date_is_unreleased() {
    let folder = scratch();
    let note = "note: no date: v1.98.0 is treated as unreleased; pass --date if it is released\n";
    for (given, date) in [(" --date 2026-02-03", Some("2026-02-03")), ("", None)] {
        let made = folder.run(&format!(
            "registry import first.json --release v1.98.0{given}"
        ));
        assert_eq!(made.code, 0, "{given}: {}", made.stderr);
        let file: serde_json::Value = serde_json::from_str(&made.stdout).unwrap();
        assert_eq!(file["date"].as_str(), date, "{given}");
        assert_eq!(made.stderr.contains(note), date.is_none(), "{given}");
    }
}

#[test]
fn references_are_written_next_to_the_release() {
    let folder = scratch();
    let import = "registry import first.json --release v1.98.0 --references references.json";
    assert_eq!(folder.run(import).code, 0);
    let text = folder.read("references.json");
    let file: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(file["tests"]["v1.98.0"]["MeshAnswers"], "mesh/mesh.go");
    assert_eq!(
        file["proposals"]["GatewayInfrastructurePropagation"],
        serde_json::json!([1867])
    );
    let older =
        folder.run("registry import first.json --release v1.5.9 --references references.json");
    let error = "error: --references: references.json describes v1.6.1, a newer release\n";
    assert_eq!(
        (older.code, older.stderr.contains(error)),
        (2, true),
        "{}",
        older.stderr
    );
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let folder = scratch();
    folder.file("notes.json", "{}");
    folder.file("broken.json", "{\"crds\": \"\u{202e}\"}");
    let import = "registry import first.json --release v1.98.0";
    for (command, code, message) in [
        ("registry import first.json", 2, "--release <RELEASE>"),
        (
            "registry import first.json --release v1.98",
            2,
            "--release: `v1.98` is not a release; expected a version such as v1.7.0",
        ),
        (
            &format!("{import} --date today"),
            2,
            "--date: `today` is not a date",
        ),
        (&format!("{import} --commit 0123abcdef"), 2, "--date <DATE>"),
        (
            &format!("{import} --date 2026-01-02 --commit main"),
            2,
            "--commit: `main` is not a commit",
        ),
        (
            "registry import nowhere --release v1.98.0",
            2,
            "nowhere: no such file or folder; expected the output of tools/facts",
        ),
        (
            "registry import broken.json --release v1.98.0",
            3,
            "error: broken.json:1:10: `crds`: expected an object, found the text \"\\u{202e}\"\n",
        ),
        (
            &format!("{import} --base v1.99.0"),
            2,
            "unknown release `v1.99.0`",
        ),
        (
            "registry import first.json --release v1.5.0 --base v1.6.0",
            2,
            "--base: v1.6.0 is not older than v1.5.0",
        ),
        (
            &format!("{import} -o notes.json"),
            2,
            "--out: refusing to overwrite notes.json",
        ),
        (
            &format!("{import} --references notes.json"),
            2,
            "--references: refusing to overwrite notes.json",
        ),
        (
            "registry check",
            2,
            "nothing to compare; pass FACTS, --registry, or both",
        ),
        (
            "registry check first.json",
            2,
            "no data of release v1.98.0; create it with `gwconform registry import`",
        ),
    ] {
        let output = folder.run(command);
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
