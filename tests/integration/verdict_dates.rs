//! Tests the date of the verdicts: `--as-of`, SOURCE_DATE_EPOCH, the last commit, or none.

use std::fs;
use std::path::Path;

use crate::release_reviews::{TREE, put, tree};
use crate::support::folder::{Folder, words};
use crate::support::git::{commit_all_at, git};
use crate::support::{run_undated, run_with};
use serde_json::Value;

/// The review of v1.6 is over on 2026-07-29.
const BEFORE: &str = "2026-07-15T12:00:00Z";
const AFTER: &str = "2026-08-15T12:00:00Z";

fn committed(date: &str) -> Folder {
    let folder = tree();
    commit_all_at(folder.path(), date);
    folder
}

fn json(folder: &Path, arguments: &str, variables: &[(&str, &str)]) -> Value {
    let arguments = words(&format!("{arguments} --format json"));
    let output = if variables.is_empty() {
        run_undated(folder, &arguments)
    } else {
        run_with(folder, &arguments, variables, b"")
    };
    serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

/// Date, its source, and the newest minor.
fn of(json: &Value) -> String {
    let text = |key: &str| json[key].as_str().unwrap_or("-").to_owned();
    ["as_of", "as_of_from", "newest_minor"].map(text).join(" ")
}

fn certified(folder: &Path, path: &str) -> String {
    of(&json(folder, &format!("certify {path}"), &[]))
}

#[test]
fn the_first_known_date_applies() {
    let folder = committed(BEFORE);
    let with = |arguments: &str, epoch: &str| {
        let variables = [("SOURCE_DATE_EPOCH", epoch)];
        let variables = &variables[..usize::from(!epoch.is_empty())];
        of(&json(
            folder.path(),
            &format!("certify{arguments}"),
            variables,
        ))
    };
    assert_eq!(with("", ""), "2026-07-15 commit v1.5");
    assert_eq!(with("", "1786622400"), "2026-08-13 environment v1.6");
    assert_eq!(
        with(" --as-of 2026-03-01", "1786622400"),
        "2026-03-01 option v1.4"
    );
    // 1980-01-01, before the first release.
    assert_eq!(with("", "315532800"), "2026-07-15 commit v1.5");
    let wrong = [("SOURCE_DATE_EPOCH", "today")];
    let wrong = run_with(folder.path(), &words("certify"), &wrong, b"");
    assert_eq!(wrong.code, 2, "{wrong:?}");
    folder.remove(".git");
    assert_eq!(with("", "315532800"), "- none v1.6");
    assert_eq!(with("", ""), "- none v1.6");
}

#[test]
fn a_commit_has_the_committer_date_in_utc() {
    let folder = committed("2026-07-28T23:30:00-05:00");
    assert_eq!(certified(folder.path(), TREE), "2026-07-29 commit v1.6");
    // Uncommitted changes have no effect.
    put(&folder, "new", "v1.6.0", "2026-08-01");
    folder.file(&format!("{TREE}/v1.5/acme-first/README.md"), "# Other\n");
    assert_eq!(certified(folder.path(), TREE), "2026-07-29 commit v1.6");
    let root = folder.path().join(TREE);
    assert_eq!(certified(&root, "."), "2026-07-29 commit v1.6");
}

#[test]
fn the_innermost_repository_has_the_date() {
    let inner = committed(BEFORE);
    let outer = Folder::new();
    outer.file("README.md", "# Outer\n");
    commit_all_at(outer.path(), AFTER);
    let url = inner.path().to_str().unwrap();
    git(outer.path(), &["submodule", "--quiet", "add", url, "sub"]);
    commit_all_at(outer.path(), AFTER);
    let expected = "2026-07-15 commit v1.5";
    assert_eq!(certified(outer.path(), &format!("sub/{TREE}")), expected);
    let work = outer.path().join("work");
    git(
        inner.path(),
        &["worktree", "add", "--quiet", work.to_str().unwrap()],
    );
    assert_eq!(certified(outer.path(), &format!("work/{TREE}")), expected);
    commit_all_at(&work, AFTER);
    let expected = "2026-08-15 commit v1.6";
    assert_eq!(certified(outer.path(), &format!("work/{TREE}")), expected);
}

#[test]
fn the_repository_of_a_link_is_that_of_its_target() {
    let inner = committed(BEFORE);
    let outside = Folder::new();
    outside.link("linked", inner.path().join(TREE).to_str().unwrap());
    let expected = "2026-07-15 commit v1.5";
    assert_eq!(certified(outside.path(), "linked"), expected);
}

#[test]
fn the_commit_must_contain_the_tree() {
    let folder = tree();
    folder.file("other/README.md", "# Other\n");
    folder.git("init --quiet");
    assert_eq!(certified(folder.path(), TREE), "- none v1.6", "no commit");
    folder.git("add other");
    git(folder.path(), &["commit", "--quiet", "--message=A commit"]);
    assert_eq!(certified(folder.path(), TREE), "- none v1.6", "not tracked");
    folder.git("add --all");
    assert_eq!(certified(folder.path(), TREE), "- none v1.6", "staged");
    commit_all_at(folder.path(), BEFORE);
    assert_eq!(certified(folder.path(), TREE), "2026-07-15 commit v1.5");
}

#[test]
fn a_shallow_clone_has_the_date_of_its_commit() {
    let origin = committed(BEFORE);
    put(&origin, "new", "v1.6.0", "2026-08-01");
    commit_all_at(origin.path(), AFTER);
    let clones = Folder::new();
    let url = format!("file://{}", origin.path().display());
    git(
        clones.path(),
        &["clone", "--quiet", "--depth=1", &url, "clone"],
    );
    let expected = "2026-08-15 commit v1.6";
    assert_eq!(certified(clones.path(), &format!("clone/{TREE}")), expected);
}

#[test]
fn without_a_usable_repository_there_is_no_date() {
    let folder = committed(BEFORE);
    let variables = [
        ("PATH", folder.path().to_str().unwrap()),
        ("SOURCE_DATE_EPOCH", "0"),
    ];
    let without_git = json(folder.path(), "certify", &variables);
    assert_eq!(of(&without_git), "- none v1.6");
    let git_dir = folder.path().join(".git");
    if std::os::unix::fs::chown(&git_dir, Some(12345), None).is_ok() {
        assert_eq!(certified(folder.path(), TREE), "- none v1.6", "not trusted");
    }
    fs::remove_dir_all(&git_dir).unwrap();
    folder.file(".git", "gitdir: /nowhere\n");
    assert_eq!(certified(folder.path(), TREE), "- none v1.6", "broken");
}

#[test]
fn all_commands_have_the_same_date() {
    let folder = committed(BEFORE);
    folder.file(
        "route.yaml",
        "kind: Gateway\napiVersion: gateway.networking.k8s.io/v1\n",
    );
    let json = |arguments: &str| json(folder.path(), arguments, &[]);
    let expected = "2026-07-15 commit";
    assert_eq!(of(&json("certify")), format!("{expected} v1.5"));
    assert_eq!(of(&json("outlook")), format!("{expected} v1.5"));
    let needs = json(&format!("needs route.yaml --in {TREE}"));
    assert_eq!(of(&needs["question"]), format!("{expected} -"));
    let site = run_undated(folder.path(), &words("site --out site"));
    assert_eq!(site.code, 0, "{site:?}");
    let read = |path: &str| folder.read(&format!("site/{path}"));
    let index: Value = serde_json::from_str(&read("api/v1/index.json")).unwrap();
    assert_eq!(of(&index), format!("{expected} v1.5"));
    assert!(read("index.html").contains(", as of 2026-07-15"));
    let badge = words("badge acme-older --format shields");
    let badge = run_undated(folder.path(), &badge).stdout;
    assert!(badge.contains("\"message\": \"conformant\""), "{badge}");
    let list = words("export list");
    assert!(run_undated(folder.path(), &list).stdout.contains("acme"));
}

#[test]
fn the_option_and_the_commit_give_the_same_verdicts() {
    for date in [BEFORE, AFTER] {
        let folder = committed(date);
        let mut of_commit = json(folder.path(), "certify", &[]);
        let of_option = json(
            folder.path(),
            &format!("certify --as-of {}", &date[..10]),
            &[],
        );
        of_commit["as_of_from"] = "option".into();
        assert_eq!(of_commit, of_option);
    }
}

#[test]
fn both_sides_of_a_review_have_the_date_of_the_merge_base() {
    let folder = committed(BEFORE);
    let base = folder.git("rev-parse HEAD");
    folder.git("checkout --quiet -b work");
    put(&folder, "new", "v1.6.0", "2026-08-01");
    commit_all_at(folder.path(), AFTER);
    folder.git("checkout --quiet main");
    commit_all_at(folder.path(), AFTER);
    folder.git("checkout --quiet work");
    for revision in [base.trim(), "main"] {
        let change = json(folder.path(), &format!("check --since {revision}"), &[]);
        let since = &change["change"];
        assert_eq!(of(since), "2026-07-15 commit -");
        let verdicts = since["verdicts"].as_array().unwrap();
        assert_eq!(verdicts.len(), 1, "{verdicts:#?}");
        assert_eq!(verdicts[0]["project"], "new");
    }
    // A change of the same day as its base.
    let head = json(folder.path(), "check --since HEAD", &[]);
    assert_eq!(of(&head["change"]), "2026-08-15 commit -");
}

#[test]
fn a_review_has_the_date_of_a_base_without_a_tree() {
    let folder = Folder::new();
    folder.file("README.md", "# Other\n");
    commit_all_at(folder.path(), BEFORE);
    folder.file(&format!("{TREE}/README.md"), "# Reports\n");
    put(&folder, "new", "v1.6.0", "2026-08-01");
    commit_all_at(folder.path(), AFTER);
    let change = json(folder.path(), "check --since HEAD~1", &[]);
    assert_eq!(of(&change["change"]), "2026-07-15 commit -");
}

#[test]
fn without_a_review_nothing_is_current_and_the_output_states_it() {
    let folder = Folder::new();
    put(&folder, "first", "v1.4.0", "2026-04-20");
    folder.file(
        "gwconform.toml",
        "[[review]]\nminor = \"v0.7\"\ndate = \"2023-06-15\"\n",
    );
    let certify = |day: &str| run_undated(folder.path(), &words(&format!("certify --as-of {day}")));
    let none = certify("2023-06-14").stdout;
    assert!(none.starts_with("No reports\n"), "{none}");
    commit_all_at(folder.path(), "2023-06-14T00:00:00Z");
    let none = run_undated(folder.path(), &words("certify --all")).stdout;
    let start =
        "No release review by 2023-06-14, the date of the last commit: no verdict is current\n";
    assert!(none.starts_with(start), "{none}");
    assert!(
        none.contains("conformant in v1.4, but no release review is over"),
        "{none}"
    );
    commit_all_at(folder.path(), "2023-06-15T00:00:00Z");
    assert_eq!(certified(folder.path(), TREE), "2023-06-15 commit v0.7");
}
