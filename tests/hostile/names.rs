//! Tests hostile names of files and folders.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

use gwconform::print::Format;

use super::bounded::{Call, can_be_seen, look};
use super::support::folder::{Folder, README, report};
use super::table::Case;

const RELEASE: &str = "conformance/reports/v1.5";

const NAMES: &[(&str, &[u8])] = &[
    ("line break", b"a\nb-report.yaml"),
    ("carriage return", b"a\rno findings-report.yaml"),
    ("escape sequence", b"\x1b[31ma-report.yaml"),
    ("tab", b"a\tb-report.yaml"),
    ("double quote", b"a\"b-report.yaml"),
    ("single quote", b"a'b-report.yaml"),
    ("backslash", b"a\\b-report.yaml"),
    ("leading dash", b"-rf-report.yaml"),
    ("option", b"--unsafe-fixes-report.yaml"),
    ("at sign", b"@acme-report.yaml"),
    ("space alone", b" .yaml"),
    ("trailing space", b"a-report.yaml "),
    ("trailing dot", b"a-report.yaml."),
    ("three dots", b"...yaml"),
    ("extension alone", b".yaml"),
    ("percent-encoded way up", b"..%2f..%2fa-report.yaml"),
    ("zero byte, percent-encoded", b"a%00-report.yaml"),
    ("not UTF-8", b"a\xff-report.yaml"),
    ("surrogate in UTF-8", b"a\xed\xa0\x80-report.yaml"),
    ("device of Windows", b"con.yaml"),
    ("device of Windows in capitals", b"NUL-report.yaml"),
    ("alternate stream of Windows", b"a-report.yaml:b.yaml"),
    ("begins like .git", b".gitx.yaml"),
    ("command substitution", b"$(touch canary)-report.yaml"),
    ("backticks", b"`touch canary`-report.yaml"),
    ("command separator", b"a;touch canary;-report.yaml"),
    ("pipe", b"a|touch canary-report.yaml"),
    ("glob", b"*[a]{b,c}?-report.yaml"),
    ("home", b"~-report.yaml"),
    ("format of printf", b"%s%n%x-report.yaml"),
    ("workflow command", b"::error::a-report.yaml"),
    ("markup", b"<script>a-report.yaml"),
    ("Markdown", b"[a](b)![c](d)`e`-report.yaml"),
    ("formula", b"=1+1-report.yaml"),
    ("right to left", b"a\xe2\x80\xaelmay.troper-report.yaml"),
    ("zero width", b"a\xe2\x80\x8b-report.yaml"),
    ("decomposed letter", b"e\xcc\x81-report.yaml"),
    ("extension in capitals", b"A-REPORT.YAML"),
    ("other extension", b"a-report.yml"),
];

fn file(name: &'static str, bytes: &'static [u8]) -> Case {
    Case::new(format!("file: {name}"), shown(bytes), move || {
        let folder = Folder::with_tree();
        write(&folder, &format!("{RELEASE}/acme-operator"), bytes);
        holds(&folder)
    })
}

fn submission(name: &'static str, bytes: &'static [u8]) -> Case {
    Case::new(format!("folder: {name}"), shown(bytes), move || {
        let folder = Folder::with_tree();
        let path = folder.path().join(RELEASE).join(OsStr::from_bytes(bytes));
        fs::create_dir(&path).unwrap();
        fs::write(path.join("README.md"), README).unwrap();
        fs::write(path.join("standard-v2.14.0-default-report.yaml"), report()).unwrap();
        holds(&folder)
    })
}

fn shown(bytes: &[u8]) -> String {
    format!("`{}`", bytes.escape_ascii().to_string().replace('`', "'"))
}

fn write(folder: &Folder, below: &str, name: &[u8]) {
    let path = folder.path().join(below).join(OsStr::from_bytes(name));
    fs::write(path, report()).unwrap();
}

fn holds(folder: &Folder) -> String {
    let found = look(folder.path(), "");
    for format in Format::ALL.map(Format::name) {
        let ran = Call::new(folder.path(), &format!("check --format {format}")).run();
        can_be_seen(ran.text(), format);
    }
    let before = super::support::folder::files(folder.path());
    Call::new(folder.path(), "check --unsafe-fixes --diff").run();
    assert_eq!(before, super::support::folder::files(folder.path()));
    assert!(!folder.path().join("canary").exists(), "a name was run");
    found
}

pub fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = NAMES
        .iter()
        .map(|(name, bytes)| file(name, bytes))
        .collect();
    let of_folders = [
        "line break",
        "escape sequence",
        "leading dash",
        "not UTF-8",
        "begins like .git",
        "command substitution",
        "device of Windows in capitals",
        "right to left",
        "glob",
    ];
    let folders = NAMES.iter().filter(|(name, _)| of_folders.contains(name));
    cases.extend(folders.map(|(name, bytes)| submission(name, bytes)));
    cases.push(Case::new(
        "file: 255 bytes",
        "the longest that file systems have",
        || {
            let folder = Folder::with_tree();
            write(
                &folder,
                &format!("{RELEASE}/acme-operator"),
                format!("{}.yaml", "a".repeat(250)).as_bytes(),
            );
            holds(&folder)
        },
    ));
    cases.push(Case::new(
        "files: equal but for case",
        "`A-report.yaml`, `a-report.yaml`",
        || {
            let folder = Folder::with_tree();
            for name in ["A-report.yaml", "a-report.yaml"] {
                write(
                    &folder,
                    &format!("{RELEASE}/acme-operator"),
                    name.as_bytes(),
                );
            }
            holds(&folder)
        },
    ));
    cases.push(Case::new(
        "folders: equal but for case",
        "`acme-operator`, `Acme-Operator`",
        || {
            let folder = Folder::with_tree();
            folder.submission(&format!("{RELEASE}/Acme-Operator"));
            holds(&folder)
        },
    ));
    cases.push(Case::new("release: a way up", "`v1.5..`", || {
        let folder = Folder::with_tree();
        folder.submission("conformance/reports/v1.5../acme-operator");
        holds(&folder)
    }));
    cases.push(Case::new(
        "argument that looks like an option",
        "`check -- --fix`",
        || {
            let folder = Folder::with_tree();
            folder.submission("--fix/v1.5/acme-operator");
            let ran = Call::new(folder.path(), "check --format json -- --fix").run();
            assert!(ran.code <= 1, "{ran:?}");
            super::bounded::summary(&ran)
        },
    ));
    cases
}
