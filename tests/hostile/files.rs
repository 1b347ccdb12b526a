//! Tests links that leave the tree, entries that are not files, and endless folders.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use super::bounded::{Call, last_line, look};
use super::support::folder::{ACME, ACME_README, ACME_REPORT, Folder, report};
use super::support::rows;
use super::table::Case;

const CANARY: &str = "canary-7f3a9e";

fn tree() -> Folder {
    let folder = Folder::with_tree();
    let readme = format!("# {CANARY}\n\n## Reproduce\n\n{CANARY}\n");
    folder.file("outside/secret.yaml", format!("{CANARY}: {CANARY}\n"));
    folder.file("outside/v1.5/x/README.md", readme);
    folder
}

fn holds(folder: &Folder) -> String {
    Call::new(folder.path(), "check --format sarif")
        .run()
        .lacks(CANARY);
    look(folder.path(), "")
}

fn holds_everywhere(folder: &Folder) -> String {
    let found = look(folder.path(), "");
    for words in [
        "check",
        "check --format sarif",
        "check --unsafe-fixes --diff",
        "certify --all",
        "site --out site",
    ] {
        Call::new(folder.path(), words).run().lacks(CANARY);
    }
    let site = folder.path().join("site");
    for (path, bytes) in super::support::folder::files(&site) {
        assert!(!String::from_utf8_lossy(&bytes).contains(CANARY), "{path}");
    }
    found
}

fn link([name, path, target]: [&'static str; 3]) -> Case {
    let shown = path.replace("conformance/reports/v1.5/", "");
    Case::new(name, format!("`{shown}` to `{target}`"), move || {
        let folder = tree();
        if folder.exists(path) {
            folder.remove(path);
        }
        folder.link(path, target);
        holds_everywhere(&folder)
    })
}

fn special(name: &str, make: fn(&Path)) -> Vec<Case> {
    let case = |name: String, what: &str, path: &'static str| {
        Case::new(name, what, move || {
            let folder = tree();
            if folder.exists(path) {
                folder.remove(path);
            }
            make(&folder.path().join(path));
            holds(&folder)
        })
    };
    let report = "conformance/reports/v1.5/acme-operator/x-report.yaml";
    vec![
        case(format!("{name} as a report"), "beside a right one", report),
        case(format!("{name} as README"), "in a submission", ACME_README),
        case(
            format!("{name} as configuration"),
            "`gwconform.toml`",
            "gwconform.toml",
        ),
    ]
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn socket(path: &Path) {
    // The path of a socket has at most 108 bytes.
    let short = tempfile::tempdir().unwrap();
    let at = short.path().join("s");
    drop(UnixListener::bind(&at).unwrap());
    fs::rename(&at, path).unwrap();
}

fn named(name: &str, words: &'static str) -> Case {
    Case::new(name, format!("`{words}`"), move || {
        let folder = tree();
        fifo(&folder.path().join("pipe"));
        folder.file("ok.yaml", report());
        fs::create_dir(folder.path().join("facts")).unwrap();
        fifo(&folder.path().join("facts/v1.99.0.json"));
        fs::create_dir(folder.path().join("endless")).unwrap();
        folder.link("endless/v1.99.0.json", "/dev/zero");
        let ran = Call::new(folder.path(), words).run();
        format!("exit {}", ran.code)
    })
}

pub fn cases() -> Vec<Case> {
    let mut cases = links();
    cases.extend(special("pipe", fifo));
    cases.extend(special("socket", socket));
    cases.extend(special("folder", |path| fs::create_dir(path).unwrap()));
    let table = "
        endless report to check       | check /dev/zero
        endless report to compare     | diff /dev/zero ok.yaml
        endless report to add         | add /dev/zero
        endless resources             | resources /dev/zero
        endless configuration         | check --config /dev/zero
        endless baseline              | check --baseline /dev/zero
        endless registry              | check --registry endless
        devices as registry           | check --registry /dev
        pipe as registry              | check --registry facts
        pipe to add                   | add pipe
        pipe as configuration by name | check --config pipe
        pipe as baseline              | check --baseline pipe
        pipe to check                 | check pipe
        pipe to compare               | diff pipe ok.yaml
        pipe as resources             | resources pipe
    ";
    cases.extend(
        rows(table)
            .into_iter()
            .map(|[name, words]| named(name, words)),
    );
    cases.extend(unreadable());
    cases.extend(many());
    cases
}

fn links() -> Vec<Case> {
    let table = "
        report that is a link out | conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml | ../../../../outside/secret.yaml
        README that is a link out | conformance/reports/v1.5/acme-operator/README.md | ../../../../outside/secret.yaml
        README that is a link to the environment | conformance/reports/v1.5/acme-operator/README.md | /proc/self/environ
        report that is a link to a device | conformance/reports/v1.5/acme-operator/x-report.yaml | /dev/zero
        submission that is a link out | conformance/reports/v1.5/acme-operator | ../../../outside
        submission that is a link to the root | conformance/reports/v1.5/x | /
        release that is a link out | conformance/reports/v1.6 | ../../outside/v1.5
        release that is a link to the tree | conformance/reports/v1.6 | .
        link to itself | conformance/reports/v1.5/x | x
        link to nothing | conformance/reports/v1.5/acme-operator/x-report.yaml | nothing.yaml
        configuration that is a link out | gwconform.toml | outside/secret.yaml
        details that are a link out | conformance/implementations | ../outside
    ";
    let mut cases: Vec<Case> = rows(table).into_iter().map(link).collect();
    cases.extend(other_links());
    cases
}

fn other_links() -> Vec<Case> {
    vec![
        Case::new(
            "tree that is a link out",
            "`conformance/reports` to `../outside`",
            || {
                let folder = tree();
                folder.rename("conformance/reports", "old");
                folder.link("conformance/reports", "../outside");
                let code = Call::new(folder.path(), "check").run().code;
                format!("exit {code}: the tree that was named, by its name or by a link")
            },
        ),
        Case::new("loop of two links", "`a` to `b` to `a`", || {
            let folder = tree();
            folder
                .link("conformance/reports/v1.5/a", "b")
                .link("conformance/reports/v1.5/b", "a");
            holds(&folder)
        }),
        Case::new(
            "chain of 2,000 links",
            "in the root of the tree, each to the next",
            || {
                let folder = tree();
                for n in 0..2000 {
                    let path = format!("conformance/reports/v9.{n}.0");
                    folder.link(&path, &format!("v9.{}.0", n + 1));
                }
                look(folder.path(), "")
            },
        ),
        Case::new("baseline that is a link out", "`--baseline`", || {
            let folder = tree();
            folder.link("accepted.json", "outside/secret.yaml");
            // In a repository, a change can contain the link.
            folder.file(".git/HEAD", "");
            let ran = Call::new(folder.path(), "check --baseline accepted.json").run();
            ran.lacks(CANARY);
            format!("exit {}, nothing of the file is shown", ran.code)
        }),
        Case::new("registry that holds a link out", "`--registry`", || {
            let folder = tree();
            fs::create_dir(folder.path().join("facts")).unwrap();
            folder.link("facts/v1.99.0.json", "../outside/secret.yaml");
            let ran = Call::new(folder.path(), "check --registry facts").run();
            ran.lacks(CANARY);
            format!("exit {}, nothing of the file is shown", ran.code)
        }),
        Case::new(
            "output that is a link out",
            "`site --out` on a link to a folder with a file in it",
            || {
                let folder = tree();
                folder.link("site", "outside").file(".git/HEAD", "");
                let ran = Call::new(folder.path(), "site --out site").run();
                assert!(folder.exists("outside/secret.yaml"));
                let is_written = folder.exists("outside/index.html");
                assert!(!is_written, "written through a link");
                let path = folder.path().display().to_string();
                let last = last_line(&ran.stderr).replace(&path, "…");
                format!("exit {}: {last}", ran.code)
            },
        ),
        Case::new(
            "link in the output",
            "`index.html` of an earlier site is a link out",
            || {
                let folder = tree();
                assert_eq!(Call::new(folder.path(), "site --out site").run().code, 0);
                folder.remove("site/index.html");
                folder.link("site/index.html", "../outside/secret.yaml");
                let ran = Call::new(folder.path(), "site --out site").run();
                let secret = folder.read("outside/secret.yaml");
                assert!(secret.contains(CANARY), "written through a link");
                assert!(folder.path().join("site/index.html").is_symlink());
                format!("exit {}, the link and the file outside stay", ran.code)
            },
        ),
        Case::new(
            "README that fixes would change is a link",
            "`--unsafe-fixes`",
            || {
                let folder = tree();
                let messy = "##Reports\n| x | [a](./standard-v2.14.0-default-report.yaml)\n";
                folder.file("outside/README.md", messy);
                folder.remove(ACME_README);
                folder.link(ACME_README, "../../../../outside/README.md");
                Call::new(folder.path(), "check --unsafe-fixes").run();
                assert_eq!(folder.read("outside/README.md"), messy);
                "the file outside stays".to_owned()
            },
        ),
    ]
}

/// Cases with unreadable files. The program runs as another account, because root can read all
/// files.
fn unreadable() -> Vec<Case> {
    let case = |name: &str, path: &'static str| {
        Case::new(name, "mode 000, another account", move || {
            let folder = tree();
            let _ = Command::new("chmod")
                .args(["-R", "a+rX"])
                .arg(folder.path())
                .status();
            let at = folder.path().join(path);
            fs::set_permissions(&at, fs::Permissions::from_mode(0o000)).unwrap();
            let ran = Call::new(folder.path(), "check --format json")
                .for_nobody()
                .run();
            fs::set_permissions(&at, fs::Permissions::from_mode(0o755)).unwrap();
            match ran.code {
                0 | 1 => super::bounded::summary(&ran),
                code => format!("exit {code}"),
            }
        })
    };
    vec![
        case("unreadable report", ACME_REPORT),
        case("unreadable submission", ACME),
        case("unreadable release", "conformance/reports/v1.5"),
        case("unreadable tree", "conformance/reports"),
    ]
}

fn files_in(folder: &Folder, count: usize) {
    for n in 0..count {
        fs::write(folder.path().join(ACME).join(format!("x{n}.txt")), "").unwrap();
    }
}

fn many() -> Vec<Case> {
    let empty = |name: &str, count: usize| {
        Case::new(name, "empty, in one submission", move || {
            let folder = tree();
            files_in(&folder, count);
            look(folder.path(), "")
        })
    };
    vec![
        empty("5,000 files in a folder", 5_000),
        empty("100,000 files in a folder", 100_000).long(),
        Case::new("2,000 empty reports", "in one submission", || {
            let folder = tree();
            for n in 0..2_000 {
                folder.acme(format!("x{n}-report.yaml"), "");
            }
            look(folder.path(), "")
        }),
        Case::new("2,000 submissions", "without a file", || {
            let folder = tree();
            for n in 0..2_000 {
                fs::create_dir(folder.path().join(format!("conformance/reports/v1.5/x{n}")))
                    .unwrap();
            }
            look(folder.path(), "")
        }),
        Case::new("500 folders deep", "in a submission", || {
            let folder = tree();
            fs::create_dir_all(folder.path().join(ACME).join("a/".repeat(500))).unwrap();
            look(folder.path(), "")
        }),
        Case::new(
            "20 reports of 900 KB of nonsense",
            "18 MB of one-line documents in all",
            || {
                let folder = tree();
                for n in 0..20 {
                    folder.acme(format!("x{n}-report.yaml"), "--- a\n".repeat(150_000));
                }
                look(folder.path(), "")
            },
        )
        .long(),
        Case::new(
            "hard link",
            "a report that is another name of a file outside",
            || {
                let folder = tree();
                let at = folder.path().join(ACME_REPORT);
                fs::remove_file(&at).unwrap();
                fs::hard_link(folder.path().join("outside/secret.yaml"), &at).unwrap();
                look(folder.path(), "")
            },
        ),
    ]
}
