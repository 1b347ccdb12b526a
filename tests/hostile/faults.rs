//! Tests system faults, and kills at arbitrary moments.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::bounded::Call;
use super::support::folder::{Folder, NAME, README, files, report};
use super::support::one_in;
use super::table::Case;

const TREE: &str = "conformance/reports";

type Files = BTreeMap<String, Vec<u8>>;

fn kills() -> u32 {
    let asked = std::env::var("GWCONFORM_KILLS").ok();
    asked.and_then(|count| count.parse().ok()).unwrap_or(5)
}

fn messy() -> Folder {
    let folder = Folder::with_tree();
    for n in 0..8 {
        let path = format!("{TREE}/v1.5/x{n}");
        let readme = README
            .replace("| standard |", "| Standard |")
            .replace(&format!("./{NAME}"), "./wrong-report.yaml");
        folder.file(&format!("{path}/README.md"), readme);
        folder.file(&format!("{path}/wrong-report.yaml"), report());
    }
    folder
}

fn filed() -> Folder {
    let folder = Folder::with_tree();
    let new = report().replace("v2.14.0", "v2.15.0");
    folder.file("new.yaml", new.replace("10:15:30", "11:15:30"));
    folder
}

fn end(call: &Call) -> i32 {
    let status = call
        .command()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.unwrap().code().unwrap_or(-1)
}

fn time_of(call: &Call) -> Duration {
    let start = Instant::now();
    end(call);
    start.elapsed()
}

fn kill_after(call: &Call, wait: Duration) {
    let mut child = call
        .command()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(wait);
    let _ = child.kill();
    child.wait().unwrap();
}

fn moments(whole: Duration) -> impl Iterator<Item = Duration> {
    let count = kills();
    (0..count).map(move |nth| whole * (nth * 11 % (count * 11 / 10).max(1)) / count.max(1))
}

fn add_survives() -> String {
    let undisturbed = filed();
    let start = files(undisturbed.path());
    let time = time_of(&Call::new(undisturbed.path(), "add new.yaml"));
    let expected = files(undisturbed.path());
    for wait in moments(time) {
        let folder = filed();
        let call = Call::new(folder.path(), "add new.yaml");
        kill_after(&call, wait);
        reports_stay(&start, &files(folder.path()));
        end(&call);
        let mut now = files(folder.path());
        now.retain(|path, _| !path.contains("/.gwconform-"));
        assert_eq!(names(&now), names(&expected), "after {wait:?}");
        assert_eq!(now, expected, "after {wait:?}");
    }
    "reports stay, the next run comes to the same files".to_owned()
}

fn fixes_survive(words: &'static str) -> String {
    let undisturbed = messy();
    let start = files(undisturbed.path());
    let time = time_of(&Call::new(undisturbed.path(), words));
    let expected = files(undisturbed.path());
    for wait in moments(time) {
        let folder = messy();
        kill_after(&Call::new(folder.path(), words), wait);
        let now = files(folder.path());
        reports_stay(&start, &now);
        for (path, bytes) in now.iter().filter(|(path, _)| path.ends_with("README.md")) {
            let states = [&start[path], &expected[path]];
            assert!(states.contains(&bytes), "{path} after {wait:?}");
        }
        let code = end(&Call::new(folder.path(), words));
        assert!([0, 1].contains(&code), "{code} after {wait:?}");
        reports_stay(&start, &files(folder.path()));
    }
    "reports stay, each README is old or new".to_owned()
}

fn names(files: &Files) -> Vec<&String> {
    files.keys().collect()
}

fn reports_stay(before: &Files, after: &Files) {
    for (path, bytes) in before.iter().filter(|(path, _)| path.ends_with(".yaml")) {
        assert!(after.values().any(|other| other == bytes), "{path} is gone");
    }
}

fn site_survives() -> String {
    let folder = Folder::with_tree();
    let site = folder.path().join("site");
    let first = Call::new(folder.path(), "site --out site");
    let second = Call::new(
        folder.path(),
        "site --out site --base-url https://acme.example/",
    );
    let time = time_of(&first);
    fs::write(site.join("CNAME"), "acme.example\n").unwrap();
    let before = files(&site);
    assert_eq!(end(&second), 0);
    let after = files(&site);
    assert_ne!(before, after);
    for wait in moments(time) {
        assert_eq!(end(&first), 0);
        assert_eq!(files(&site), before, "after {wait:?}");
        kill_after(&second, wait);
        let there = files(&site);
        assert!(there.contains_key("CNAME"), "after {wait:?}");
        let pages = there
            .iter()
            .filter(|(path, _)| !path.contains(".gwconform-"));
        for (path, bytes) in pages {
            let states = [before.get(path), after.get(path)];
            assert!(states.contains(&Some(bytes)), "{path} after {wait:?}");
        }
        assert_eq!(end(&second), 0);
        assert_eq!(files(&site), after, "after {wait:?}");
    }
    "each file is complete, `CNAME` stays, the next run completes the site".to_owned()
}

fn two_at_once(make: fn() -> Folder, words: &'static str) -> String {
    let alone = make();
    end(&Call::new(alone.path(), words));
    let expected = files(alone.path());
    for _ in 0..6 / one_in(3) {
        let folder = make();
        let calls = [(); 2].map(|()| {
            let call = Call::new(folder.path(), words);
            call.command()
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        });
        for mut call in calls {
            let code = call.wait().unwrap().code();
            assert!(code.is_some_and(|code| code <= 3), "{code:?}");
        }
        end(&Call::new(folder.path(), words));
        let now = files(folder.path());
        assert_eq!(names(&now), names(&expected));
        assert_eq!(now, expected);
    }
    "both end, and come to the same files as one".to_owned()
}

fn fails(make: fn() -> Folder, call: impl Fn(&Folder) -> Call) -> String {
    let folder = make();
    let before = files(folder.path());
    let ran = call(&folder).run();
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(!ran.stderr.is_empty());
    reports_stay(&before, &files(folder.path()));
    "exit 3, reports stay".to_owned()
}

/// Limits the file size in blocks and ignores the signal, so that the write fails.
fn full(folder: &Folder, words: &str) -> Call {
    Call::new(folder.path(), words).limit("trap '' 25; ulimit -f 0")
}

pub fn cases() -> Vec<Case> {
    let mut cases = streams();
    cases.extend([
        Case::new("disk full: site", "no file can hold a byte", || {
            fails(Folder::with_tree, |folder| full(folder, "site --out site"))
        }),
        Case::new("disk full: add", "no file can hold a byte", || {
            fails(filed, |folder| full(folder, "add new.yaml"))
        }),
        Case::new("disk full: fixes", "no file can hold a byte", || {
            fails(messy, |folder| full(folder, "check --unsafe-fixes"))
        }),
        Case::new("disk full: baseline", "no file can hold a byte", || {
            fails(messy, |folder| {
                full(folder, "check --write-baseline accepted.json")
            })
        }),
        Case::new("disk of 64 KiB", "the site does not fit", small_disk),
        Case::new("read-only: site", "a folder that is not ours", || {
            read_only(Folder::with_tree, "site --out site")
        }),
        Case::new("read-only: add", "a folder that is not ours", || {
            read_only(filed, "add new.yaml")
        }),
        Case::new("read-only: fixes", "a folder that is not ours", || {
            read_only(messy, "check --unsafe-fixes")
        }),
        Case::new("read-only: baseline", "a folder that is not ours", || {
            read_only(messy, "check --write-baseline accepted.json")
        }),
        Case::new(
            "killed: site",
            "at moments spread over its time",
            site_survives,
        ),
        Case::new(
            "killed: add",
            "at moments spread over its time",
            add_survives,
        ),
        Case::new(
            "killed: safe fixes",
            "at moments spread over its time",
            || fixes_survive("check --fix"),
        ),
        Case::new(
            "killed: all fixes",
            "at moments spread over its time",
            || fixes_survive("check --unsafe-fixes"),
        ),
        Case::new("two at once: site", "into one folder", || {
            two_at_once(Folder::with_tree, "site --out site --as-of 2026-06-01")
        }),
        Case::new("two at once: fixes", "of one tree", || {
            two_at_once(messy, "check --unsafe-fixes")
        }),
        Case::new("two at once: add", "of one report", || {
            two_at_once(filed, "add new.yaml")
        }),
        Case::new(
            "no thread to be had",
            "one process, for an account that owns nothing",
            || {
                let folder = readable(Folder::with_tree());
                // The process limit applies to an account and does not restrict root.
                let call = Call::new(folder.path(), "check --format json")
                    .for_nobody()
                    .limit("ulimit -u 1");
                let ran = call.run();
                assert_eq!(ran.code, 0, "{ran:?}");
                "goes on with one".to_owned()
            },
        ),
        Case::new("few open files", "8", || {
            let folder = messy();
            let ran = Call::new(folder.path(), "check --format json")
                .limit("ulimit -n 8")
                .run();
            format!("exit {}", ran.code)
        }),
        Case::new("little memory", "64 MiB", || {
            let folder = Folder::with_tree();
            let ran = Call::new(folder.path(), "check --format json")
                .limit("ulimit -d 65536")
                .run();
            format!("exit {}", ran.code)
        }),
    ]);
    cases
}

fn streams() -> Vec<Case> {
    let to_full = |name: &str, words: &'static str| {
        Case::new(
            format!("output full: {name}"),
            "`/dev/full` as standard output",
            move || {
                let folder = messy();
                let mut command = Call::new(folder.path(), words).command();
                let full = File::options().write(true).open("/dev/full");
                let Ok(full) = full else { return String::new() };
                let status = command
                    .stdin(Stdio::null())
                    .stdout(full)
                    .stderr(Stdio::null())
                    .status();
                let code = status.unwrap().code();
                assert_eq!(code, Some(3));
                "exit 3".to_owned()
            },
        )
    };
    let closed = |name: &str, words: &'static str| {
        Case::new(
            format!("output closed: {name}"),
            "nobody reads",
            move || {
                let folder = messy();
                let mut command = Call::new(folder.path(), words).command();
                let mut child = command
                    .stdin(Stdio::null())
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap();
                drop(child.stdout.take());
                let output = child.wait_with_output().unwrap();
                let error = String::from_utf8_lossy(&output.stderr);
                assert!(!error.contains("panicked"), "{error}");
                assert!(
                    output.status.code().is_some_and(|code| code <= 3),
                    "{:?}",
                    output.status
                );
                "ends, without a word of it".to_owned()
            },
        )
    };
    vec![
        to_full("check", "check"),
        to_full("check as SARIF", "check --format sarif"),
        to_full("certify", "certify --format json"),
        to_full("badge", "badge acme-operator"),
        to_full("schema", "schema findings"),
        closed("check", "check --format sarif"),
        closed("certify", "certify --format json"),
        closed("schema", "schema findings"),
    ]
}

fn readable(folder: Folder) -> Folder {
    let status = Command::new("chmod")
        .args(["-R", "a+rX"])
        .arg(folder.path())
        .status();
    assert!(status.unwrap().success());
    folder
}

fn read_only(make: fn() -> Folder, words: &'static str) -> String {
    let folder = readable(make());
    let set = |mode| {
        for entry in walkdir::WalkDir::new(folder.path()).into_iter().flatten() {
            if entry.file_type().is_dir() {
                fs::set_permissions(entry.path(), fs::Permissions::from_mode(mode)).unwrap();
            }
        }
    };
    let before = files(folder.path());
    set(0o555);
    let ran = Call::new(folder.path(), words).for_nobody().run();
    set(0o755);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert_eq!(files(folder.path()), before);
    "exit 3, nothing is changed".to_owned()
}

fn small_disk() -> String {
    let folder = Folder::with_tree();
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    if !mount(&disk) {
        return String::new();
    }
    let ran = std::panic::catch_unwind(|| Call::new(folder.path(), "site --out disk/site").run());
    let left = files(&disk);
    // Programs of the system may look at a new disk for a moment.
    let unmounted = Command::new("umount").arg("--lazy").arg(&disk).status();
    assert!(unmounted.unwrap().success());
    assert_eq!(ran.unwrap().code, 3);
    assert_eq!(
        names(&left),
        Vec::<&String>::new(),
        "something is left over"
    );
    "exit 3, nothing is left over".to_owned()
}

fn mount(at: &Path) -> bool {
    let mut command = Command::new("mount");
    command
        .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
        .arg(at);
    let status = command.stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
