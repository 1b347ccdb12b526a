//! Tests the pre-commit hook: what the modes of pre-commit compare, and repositories without a
//! reports tree.

use std::fs;
use std::path::Path;

use crate::support::folder::{Folder, report, words};
use crate::support::git::git;
use crate::support::{Output, has, run, run_with};

/// Arguments of each hook. Arguments of users would replace those of the hook file.
pub fn hooks() -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(".pre-commit-hooks.yaml");
    let hooks: Vec<serde_json::Value> =
        serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let entry = |hook: &serde_json::Value| {
        assert_eq!(hook.get("args"), None);
        let entry = hook["entry"].as_str().unwrap();
        words(entry.strip_prefix("gwconform ").unwrap())
    };
    hooks.iter().map(entry).collect()
}

fn commit(folder: &Folder, hook: &[String]) -> Output {
    folder.git("add --all");
    run(folder.path(), hook)
}

fn without_tree() -> Folder {
    let folder = Folder::new();
    folder.file("main.go", "package main\n");
    // Other projects use these folder names too.
    folder.file("reports/coverage.html", "<p>80 %</p>\n");
    folder.file(
        "config/v1.5/crd/route.yaml",
        "kind: CustomResourceDefinition\n",
    );
    folder.file("charts/v1.2/app/crash-reporter.yaml", "kind: Deployment\n");
    folder.file("build/reports/v1.2/index.html", "<p>80 %</p>\n");
    folder
}

const NOTICE: &str = "nothing to check: found no reports tree in conformance/reports or reports, and the change touches no report\n";

#[test]
fn a_commit_without_a_reports_tree_passes_with_a_notice() {
    let hooks = hooks();
    assert_eq!(hooks.len(), 2, "{hooks:?}");
    for hook in &hooks {
        let folder = without_tree();
        folder.git("init --quiet");
        for _ in 0..2 {
            let output = commit(&folder, hook);
            assert_eq!((output.stderr.as_str(), output.code), (NOTICE, 0));
            assert_eq!(output.stdout, "");
            folder.commit();
            folder.file("main.go", "package other\n");
            folder.file("reports/coverage.html", "<p>81 %</p>\n");
            folder.file("config/v1.5/crd/route.yaml", "kind: Other\n");
        }
        folder.remove("reports");
        assert_eq!(commit(&folder, hook).stderr, NOTICE);
        fs::create_dir(folder.path().join("docs")).unwrap();
        let output = run(&folder.path().join("docs"), hook);
        assert_eq!((output.stderr.as_str(), output.code), (NOTICE, 0));
    }
}

#[test]
fn without_a_reports_tree_each_output_is_written_without_findings() {
    let folder = without_tree();
    folder.commit();
    let json = folder.json("check --since HEAD --also junit=out.xml");
    assert_eq!(json["findings"], serde_json::json!([]));
    let junit = folder.read("out.xml");
    has(&junit, "<testsuites name=\"gwconform\"");
    let output = folder.run("check --since HEAD -q");
    assert_eq!(
        output,
        Output {
            stdout: String::new(),
            stderr: String::new(),
            code: 0
        }
    );
    folder.ok("check --since HEAD --format suggestions");
}

/// Wrong arguments must not let a commit pass.
#[test]
fn rejects_arguments_that_miss_the_tree() {
    let hook = &hooks()[0];
    let with = |more: &[&str]| -> Vec<String> {
        hook.iter()
            .cloned()
            .chain(more.iter().map(|one| (*one).to_owned()))
            .collect()
    };
    let folder = without_tree();
    folder.commit();
    for (more, code) in [
        (&["conformance/report"] as &[&str], 2),
        (&["reports"], 3),
        (&["--config=gwconfrm.toml", "conformance/reports"], 2),
    ] {
        let output = run(folder.path(), &with(more));
        assert_eq!(output.code, code, "{more:?}: {output:?}");
    }
    for (words, code) in [("check --since=orign/main", 2), ("check", 3)] {
        assert_eq!(folder.run(words).code, code, "{words}");
    }
    // This tree is outside of the default locations, so only its reports are checked.
    let path = "site/conformance/v1.5/acme-operator/standard-v2.14.0-default-report.yaml";
    folder.file(path, report());
    let output = commit(&folder, hook);
    assert_eq!(output.code, 0, "{output:?}");
    output.stdout_has("which need a reports tree");
    folder.commit();
    folder.file("main.go", "package other\n");
    assert_eq!(commit(&folder, hook).stderr, NOTICE);
    folder.remove("site");
    commit(&folder, hook).stderr_has("the change leaves no report");
}

#[test]
fn without_a_tree_loose_reports_are_checked() {
    let hook = &hooks()[0];
    for path in [
        "standard-v2.14.0-default-report.yaml",
        "conformance/reports/standard-v2.14.0-default-report.yaml",
        "reports/acme-operator/v1.5/standard-v2.14.0-default-report.yaml",
        "site/acme.yml",
    ] {
        let folder = without_tree();
        folder.commit();
        folder.file(path, report());
        commit(&folder, hook).exits(0);
        folder.file(path, report().replace("success", "sucess"));
        commit(&folder, hook).exits(1).stdout_has(path);
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_tree_is_an_error() {
    let folder = without_tree();
    folder.commit();
    fs::create_dir(folder.path().join("conformance")).unwrap();
    folder.link("conformance/reports", "../elsewhere");
    assert_eq!(commit(&folder, &hooks()[0]).code, 3);
}

#[test]
fn a_tree_that_the_change_takes_away_is_an_error() {
    let hook = &hooks()[0];
    for to in [None, Some("conformance/report")] {
        let folder = Folder::with_tree();
        folder.commit();
        let tree = folder.path().join("conformance/reports");
        match to {
            Some(to) => fs::rename(tree, folder.path().join(to)).unwrap(),
            None => fs::remove_dir_all(tree).unwrap(),
        }
        let output = commit(&folder, hook);
        assert_eq!(output.code, 3, "{output:?}");
        output.stderr_has("found neither");
    }
}

/// The index of `git commit --all` is not the usual one, and `git commit --amend` can stage nothing.
#[test]
fn a_commit_is_compared_with_head_whatever_its_index_is() {
    let hook = &hooks()[0];
    let folder = Folder::with_tree();
    let path = "conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml";
    folder.file(path, report().replace("success", "sucess"));
    folder.commit();
    let variables = [("GIT_INDEX_FILE", ".git/index.lock")];
    let amended = run_with(folder.path(), hook, &variables, b"");
    assert_eq!(amended.code, 0, "{amended:?}");
    folder.file(path, report().replace("success", "wrong"));
    let all = run_with(folder.path(), hook, &variables, b"");
    assert_eq!(all.code, 1, "{all:?}");
    all.stdout_has("change/edited-results");
}

/// Files that git tracks and the checkout lacks.
#[test]
fn a_tree_that_is_not_checked_out_is_an_error() {
    let hook = &hooks()[0];
    let sparse = Folder::with_tree();
    sparse.file("docs/notes.md", "notes\n");
    sparse.commit();
    sparse.commit();
    let module = Folder::new();
    module.file("main.go", "package main\n");
    module.commit();
    let source = sparse.path().to_str().unwrap();
    let add = ["submodule", "--quiet", "add", source, "conformance/reports"];
    git(module.path(), &add);
    module.commit();
    module.git("submodule --quiet deinit --all");
    sparse.git("sparse-checkout set docs");
    let path = "conformance/reports/v1.5/acme-operator/standard-v2.14.0-default-report.yaml";
    let range = [
        ("PRE_COMMIT_FROM_REF", "HEAD~1"),
        ("PRE_COMMIT_TO_REF", "HEAD"),
    ];
    let commit = [("GIT_INDEX_FILE", ".git/index")];
    for (folder, found) in [(&sparse, path), (&module, "conformance/reports")] {
        for variables in [&[] as &[_], &range, &commit] {
            let output = run_with(folder.path(), hook, variables, b"");
            assert_eq!(output.code, 3, "{output:?}");
            let is_named = output.stderr.ends_with(&format!(" {found}\n"))
                || output
                    .stderr
                    .starts_with(&format!("error: {found} is committed but not"));
            assert!(is_named, "{output:?}");
        }
    }
}
