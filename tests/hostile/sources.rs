//! Tests hostile Go sources for `registry import`: they are read in bounded time, never run, and
//! shown without control characters.

use std::fs;
use std::path::Path;

use super::bounded::Call;
use super::support::folder::Folder;
use super::support::git::{commit_all, git};
use super::support::sources::{MemorySources, first};
use super::table::Case;

const GATEWAY: &str = "pkg/features/gateway.go";

fn put(sources: &MemorySources, checkout: &Path) {
    for (path, bytes) in &sources.files {
        let path = checkout.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

fn imported(folder: &Folder, words: &str) -> String {
    let command =
        format!("registry import --checkout checkout --release v1.98.0 --date 2026-01-02 {words}");
    let ran = Call::new(folder.path(), &command).run();
    if ran.code == 0 {
        return "imported".to_owned();
    }
    let told: Vec<&str> = ran.stderr.lines().collect();
    let first = told.first().copied().unwrap_or_default();
    assert!(first.len() < 1000, "{first}");
    let first: String = first.chars().take(160).collect();
    format!("exit {}, {} lines: {first}", ran.code, told.len())
}

fn with(name: &str, what: &str, text: impl Fn() -> String + Send + Sync + 'static) -> Case {
    Case::new(name, what, move || {
        let folder = Folder::new();
        let text = format!("package features\n\n{}", text());
        put(
            &first().with("pkg/features/more.go", text),
            &folder.path().join("checkout"),
        );
        imported(&folder, "")
    })
}

pub fn cases() -> Vec<Case> {
    vec![
        with("nested brackets", "`(` 100,000 times", || {
            format!("var x = {}", "(".repeat(100_000))
        }),
        with("nested literals", "`[]any{` 100,000 times", || {
            format!("var x = {}", "[]any{".repeat(100_000))
        }),
        with("file of 50 MB", "one comment", || {
            format!("/*{}*/", "a".repeat(50_000_000))
        }),
        with("text that doubles", "`x = x + x` 60 times", || {
            let doubled = "x = x + x\n".repeat(60);
            format!("var x = \"ab\"\nfunc init() {{\n{doubled}}}")
        }),
        with("loop without end", "`for {}` in `init`", || {
            "func init() { for { } }".to_owned()
        }),
        with("function of itself", "called in `init`", || {
            "func f() int { return f() }\nfunc init() { f() }".to_owned()
        }),
        with("program to be started", "`exec.Command` in `init`", || {
            "import \"os/exec\"\nfunc init() { exec.Command(\"touch\", \"started\").Run() }"
                .to_owned()
        }),
        with("control characters", "in a name and in a text", || {
            "var x\u{202e} = \"\\x1b[2J\u{1b}[2J\"".to_owned()
        }),
        Case::new(
            "link out of the sources",
            "`gateway.go` to `/etc/passwd`",
            || {
                let folder = Folder::new();
                let checkout = folder.path().join("checkout");
                put(&first().without(GATEWAY), &checkout);
                std::os::unix::fs::symlink("/etc/passwd", checkout.join(GATEWAY)).unwrap();
                imported(&folder, "")
            },
        ),
        Case::new("pipe among the sources", "which nobody writes to", || {
            let folder = Folder::new();
            let checkout = folder.path().join("checkout");
            put(&first(), &checkout);
            let pipe = checkout.join("pkg/features/pipe.go");
            let made = std::process::Command::new("mkfifo").arg(pipe).status();
            assert!(made.unwrap().success());
            imported(&folder, "")
        }),
        Case::new(
            "repository that names programs",
            "`core.fsmonitor`, `core.sshCommand`, a hook, a filter",
            || {
                let folder = Folder::new();
                let checkout = folder.path().join("checkout");
                put(&first(), &checkout);
                fs::write(checkout.join(".gitattributes"), "* filter=run\n").unwrap();
                commit_all(&checkout);
                git(&checkout, &["tag", "v1.98.0"]);
                let started = folder.path().join("started");
                let touch = format!("touch {}", started.display());
                for key in [
                    "core.fsmonitor",
                    "core.sshCommand",
                    "filter.run.smudge",
                    "filter.run.clean",
                    "core.pager",
                ] {
                    git(&checkout, &["config", key, &touch]);
                }
                let hook = checkout.join(".git/hooks/post-checkout");
                fs::create_dir_all(hook.parent().unwrap()).unwrap();
                fs::write(&hook, format!("#!/bin/sh\n{touch}\n")).unwrap();
                let happened = imported(&folder, "--ref v1.98.0");
                assert!(!started.exists(), "a program was started");
                happened
            },
        ),
    ]
}
