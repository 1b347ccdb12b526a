//! Tests hostile facts for `registry import` and hostile CRDs for `registry served`.

use std::fs;
use std::path::Path;

use super::bounded::{Call, Ran};
use super::support::facts::{FIRST, replaced};
use super::support::folder::Folder;
use super::table::Case;

const CRD: &str = "checkout/config/crd/standard/a.yaml";

fn ended(ran: &Ran) -> String {
    if ran.code == 0 {
        return "imported".to_owned();
    }
    let first = ran.stderr.lines().next().unwrap_or_default();
    assert!(first.len() < 1000, "{first}");
    let first: String = first.chars().take(160).collect();
    format!("exit {}: {first}", ran.code)
}

fn imported(folder: &Folder) -> String {
    let command = "registry import facts.json --release v1.98.0 --date 2026-01-02";
    ended(&Call::new(folder.path(), command).run())
}

fn facts(name: &str, what: &str, text: impl Fn() -> String + Send + Sync + 'static) -> Case {
    Case::new(name, what, move || {
        let folder = Folder::new();
        folder.file("facts.json", text());
        imported(&folder)
    })
}

fn crd(name: &str, what: &str, put: impl Fn(&Path) + Send + Sync + 'static) -> Case {
    Case::new(name, what, move || {
        let folder = Folder::new();
        let path = folder.path().join(CRD);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        put(&path);
        ended(&Call::new(folder.path(), "registry served checkout --out .").run())
    })
}

pub fn cases() -> Vec<Case> {
    vec![
        facts("nested brackets", "`[` 100,000 times", || {
            "[".repeat(100_000)
        }),
        facts("file of 50 MB", "one text", || {
            format!("\"{}\"", "a".repeat(50_000_000))
        }),
        facts("long name", "3 MB", || {
            replaced(FIRST, &[("MeshAnswers", &"a".repeat(3_000_000))])
        }),
        facts("long sentence", "3 MB", || {
            replaced(FIRST, &[("Answers in colour", &"a".repeat(3_000_000))])
        }),
        facts("many tests", "20,000", || {
            let tests = (0..20_000).map(|at| {
                format!(
                    "\"GatewayAnswers{at}\": {{\"features\": [\"Gateway\"], \"source\": \"a.go\"}},"
                )
            });
            let tests: String = tests.collect();
            replaced(
                FIRST,
                &[("\"MeshAnswers\"", &format!("{tests}\"MeshAnswers\""))],
            )
        }),
        facts("control characters", "in a name", || {
            replaced(FIRST, &[("MeshAnswers", "\u{1b}[2J\u{202e}")])
        }),
        facts("endless lists", "never closed", || FIRST.replace('}', "")),
        Case::new("pipe as facts", "which nobody writes to", || {
            let folder = Folder::new();
            make_pipe(&folder.path().join("facts.json"));
            imported(&folder)
        }),
        crd("pipe as a CRD", "which nobody writes to", make_pipe),
        crd("link as a CRD", "to `/etc/passwd`", |path| {
            std::os::unix::fs::symlink("/etc/passwd", path).unwrap();
        }),
        crd("CRD of 50 MB", "one comment", |path| {
            fs::write(path, format!("#{}", "a".repeat(50_000_000))).unwrap();
        }),
        crd("nested CRD", "`[` 100,000 times", |path| {
            fs::write(path, "[".repeat(100_000)).unwrap();
        }),
    ]
}

fn make_pipe(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status();
    assert!(made.unwrap().success());
}
