//! Each folder of `tests/trees/` has a tree and `expected.txt`: the exit code and output of
//! `gwconform check reports --all`. `GWCONFORM_UPDATE=1 cargo test --test integration trees::` updates
//! them; review them before committing.
//!
//! A folder's `links.txt` lists symbolic links as `PATH -> TARGET`. The test creates these links,
//! because the repository should not contain circular links or links that point outside.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn each_tree_is_reported_as_expected() {
    let is_update = std::env::var_os("GWCONFORM_UPDATE").is_some();
    let mut failures = String::new();
    let mut seen = 0;
    for tree in folders() {
        seen += 1;
        let links = fs::read_to_string(tree.join("links.txt")).unwrap_or_default();
        if cfg!(not(unix)) && !links.is_empty() {
            continue;
        }
        let copy = tempfile::tempdir().unwrap();
        copy_folder(&tree.join("reports"), &copy.path().join("reports"));
        make_links(copy.path(), &links);
        let arguments = ["check", "reports", "--all"].map(str::to_owned);
        let output = crate::support::run(copy.path(), &arguments);
        assert_eq!(output.stderr, "", "{}", tree.display());
        let found = format!("exit {}\n\n{}", output.code, output.stdout);
        let path = tree.join("expected.txt");
        if is_update {
            fs::write(&path, &found).unwrap();
        } else if fs::read_to_string(&path).unwrap_or_default() != found {
            let _ = writeln!(failures, "{}:\n{found}", tree.display());
        }
        crate::support::location::check(copy.path(), &arguments, &output.stdout);
    }
    assert!(seen >= 6, "only {seen} trees");
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn a_file_with_hundreds_of_mistakes_is_cut_short() {
    let folder = tempfile::tempdir().unwrap();
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trees/failing/reports");
    copy_folder(&tree, &folder.path().join("reports"));
    let path = folder
        .path()
        .join("reports/v1.5/acme-operator/standard-v1.0.0-default-report.yaml");
    let mut text = fs::read_to_string(&path).unwrap();
    for mode in 0..200 {
        let _ = writeln!(text, "mode: m{mode}");
    }
    fs::write(&path, text).unwrap();
    let arguments = [
        "check",
        "reports",
        "--all",
        "--select",
        "yaml/duplicate-key",
    ]
    .map(str::to_owned);
    let output = crate::support::run(folder.path(), &arguments);
    assert_eq!(output.stdout.matches("[yaml/duplicate-key]").count(), 101);
    output.stdout_has("[yaml/duplicate-key]: 100 more findings of this rule not shown\n");
    crate::support::location::check(folder.path(), &arguments, &output.stdout);
}

fn folders() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trees");
    let entries = fs::read_dir(all)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[cfg_attr(not(unix), allow(unused_variables))]
fn make_links(folder: &Path, links: &str) {
    for line in links.lines() {
        let (path, target) = line.split_once(" -> ").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(target, folder.join(path)).unwrap();
    }
}
