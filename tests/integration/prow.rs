//! Runs the `hack/` script from the maintainer documentation, as a Prow job does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::git::{commit_all, git};

const SCRIPT: &str = "examples/hack/verify-conformance-reports.sh";
const REPORT: &str = "conformance/reports/v1.5/acme-operator/standard-v2.18.3-default-report.yaml";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn repository() -> (tempfile::TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("repository");
    for entry in walkdir::WalkDir::new(root().join("reports")) {
        let entry = entry.unwrap();
        let below = entry.path().strip_prefix(root().join("reports")).unwrap();
        let to = path.join("conformance/reports").join(below);
        if entry.file_type().is_dir() {
            fs::create_dir_all(to).unwrap();
        } else if entry.file_type().is_file() {
            fs::copy(entry.path(), to).unwrap();
        }
    }
    fs::create_dir_all(path.join("hack")).unwrap();
    fs::copy(root().join(SCRIPT), path.join("hack/verify.sh")).unwrap();
    commit_all(&path);
    let commit = git(&path, &["rev-parse", "HEAD"]).trim().to_owned();
    (folder, path, commit)
}

fn verify(repository: &Path, variables: &[(&str, &str)]) -> Output {
    Command::new("bash")
        .arg(repository.join("hack/verify.sh"))
        .current_dir("/")
        .env_remove("ARTIFACTS")
        .env("GWCONFORM", env!("CARGO_BIN_EXE_gwconform"))
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

#[test]
fn the_page_shows_the_script() {
    let page = fs::read_to_string(root().join("docs/maintaining.md")).unwrap();
    let script = fs::read_to_string(root().join(SCRIPT)).unwrap();
    assert!(page.contains(&format!("```sh\n{script}```\n")));
}

#[test]
fn a_job_fails_with_what_the_change_brings_and_leaves_junit() {
    let (folder, repository, base) = repository();
    let artifacts = folder.path().join("artifacts");
    fs::create_dir_all(&artifacts).unwrap();
    let job = [
        ("PULL_BASE_SHA", base.as_str()),
        ("ARTIFACTS", artifacts.to_str().unwrap()),
    ];
    let output = verify(&repository, &job);
    assert!(output.status.success(), "{output:?}");

    let report = repository.join(REPORT);
    let text = fs::read_to_string(&report).unwrap();
    fs::write(&report, text.replace("result: success", "result: sucess")).unwrap();
    commit_all(&repository);
    let output = verify(&repository, &job);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let junit = fs::read_to_string(artifacts.join("junit_gwconform.xml")).unwrap();
    let failures = junit.matches("<failure ").count();
    assert_eq!(failures, 1, "{junit}");
    assert!(junit.contains("standard-v2.18.3-default-report.yaml"));
}

#[test]
fn by_hand_it_compares_with_origin_and_leaves_nothing() {
    let (folder, repository, _) = repository();
    git(folder.path(), &["clone", "--quiet", "repository", "clone"]);
    let clone = folder.path().join("clone");
    git(&clone, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let output = verify(&clone, &[]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(git(&clone, &["status", "--porcelain"]), "");
    fs::remove_file(clone.join("conformance/reports/v1.5/acme-operator/README.md")).unwrap();
    assert_eq!(verify(&clone, &[]).status.code(), Some(1));
    drop(repository);
}
