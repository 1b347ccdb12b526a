//! Runs the `hack/` script from the maintainer documentation, as a Prow job does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::git::{commit_all, git};
use crate::support::upstream;

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

#[test]
fn a_release_branch_is_skipped() {
    let (_folder, repository, base) = repository();
    fs::remove_file(repository.join("conformance/reports/v1.5/acme-operator/README.md")).unwrap();
    commit_all(&repository);
    let branch = |name| [("PULL_BASE_SHA", base.as_str()), ("PULL_BASE_REF", name)];
    assert_eq!(verify(&repository, &branch("main")).status.code(), Some(1));
    assert_eq!(
        verify(&repository, &branch("release-1.6")).status.code(),
        Some(0)
    );
}

/// Runs the script with a release in a folder. Returns the output of the script.
#[cfg(all(unix, target_arch = "x86_64"))]
fn install(repository: &Path, release: &Path, sum: &str) -> Output {
    let script = repository.join("hack/verify.sh");
    let text = fs::read_to_string(root().join(SCRIPT)).unwrap();
    let text = text.replace(
        "https://github.com/OWNER/gwconform",
        &format!("file://{}", release.display()),
    );
    let text = text
        .replace("--retry 3", "--retry 0")
        .replace("SHA256_X86_64_LINUX", sum);
    fs::write(script, text.replace("SHA256_X86_64_DARWIN", sum)).unwrap();
    verify(repository, &[("GWCONFORM", ""), ("PULL_BASE_SHA", "HEAD")])
}

#[test]
#[cfg(all(unix, target_arch = "x86_64"))]
fn the_script_installs_one_version_by_its_checksum() {
    let (folder, repository, _) = repository();
    let release = folder.path().join("release");
    let missing = install(&repository, &release, "0");
    let notice = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(missing.status.success(), "{missing:?}");
    assert!(notice.ends_with("NOTICE: the conformance reports were not checked: gwconform 0.1.0 could not be downloaded\n"), "{notice}");

    let target = match cfg!(target_os = "macos") {
        true => "x86_64-apple-darwin",
        false => "x86_64-unknown-linux-musl",
    };
    let name = format!("gwconform-0.1.0-{target}");
    let archives = release.join("releases/download/v0.1.0");
    fs::create_dir_all(archives.join(&name)).unwrap();
    fs::copy(
        env!("CARGO_BIN_EXE_gwconform"),
        archives.join(&name).join("gwconform"),
    )
    .unwrap();
    let archive = format!("{name}.tar.gz");
    let made = Command::new("tar")
        .args(["-czf", &archive, &name])
        .current_dir(&archives)
        .status();
    assert!(made.unwrap().success());
    let wrong = install(&repository, &release, &"0".repeat(64));
    assert_eq!(wrong.status.code(), Some(1), "{wrong:?}");
    assert!(!repository.join("bin").exists());

    let sum = Command::new("sha256sum")
        .arg(archives.join(&archive))
        .output()
        .unwrap();
    let sum = String::from_utf8(sum.stdout).unwrap();
    let installed = install(&repository, &release, sum.split(' ').next().unwrap());
    assert!(installed.status.success(), "{installed:?}");
    fs::remove_dir_all(&release).unwrap();
    let again = install(&repository, &release, "0");
    assert!(
        again.status.success() && again.stderr.is_empty(),
        "{again:?}"
    );
}

#[test]
#[cfg(unix)]
fn the_checks_of_gateway_api_accept_the_script() {
    use std::os::unix::fs::PermissionsExt;

    let Some(upstream) = upstream() else { return };
    let (_folder, repository, _) = repository();
    // The scripts of the sample tree have no license header.
    for entry in walkdir::WalkDir::new(repository.join("conformance")) {
        let path = entry.unwrap().into_path();
        if path.extension().is_some_and(|extension| extension == "sh") {
            fs::remove_file(path).unwrap();
        }
    }
    commit_all(&repository);
    let base = git(&repository, &["rev-parse", "HEAD"]).trim().to_owned();
    let hack = repository.join("hack");
    fs::rename(
        hack.join("verify.sh"),
        hack.join("verify-conformance-reports.sh"),
    )
    .unwrap();
    fs::create_dir_all(hack.join("boilerplate")).unwrap();
    let parts = ["verify-all.sh", "verify-boilerplate.sh", "kube-env.sh"]
        .map(str::to_owned)
        .into_iter();
    let boilerplate = fs::read_dir(upstream.join("hack/boilerplate")).unwrap();
    let boilerplate =
        boilerplate.map(|entry| format!("boilerplate/{}", entry.unwrap().file_name().display()));
    for part in parts.chain(boilerplate) {
        fs::write(
            hack.join(&part),
            fs::read(upstream.join("hack").join(&part)).unwrap(),
        )
        .unwrap();
        fs::set_permissions(hack.join(&part), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let all = |variables: &[(&str, &str)]| {
        let mut command = Command::new("bash");
        command
            .arg(hack.join("verify-all.sh"))
            .arg("-v")
            .current_dir(&repository);
        command
            .env("GWCONFORM", env!("CARGO_BIN_EXE_gwconform"))
            .env("PULL_BASE_SHA", &base);
        command.envs(variables.iter().copied()).output().unwrap()
    };
    let output = all(&[]);
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{shown}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for script in ["verify-boilerplate.sh", "verify-conformance-reports.sh"] {
        assert!(shown.contains(&format!("/hack/{script} ")), "{shown}");
    }
    fs::remove_file(repository.join("conformance/reports/v1.5/acme-operator/README.md")).unwrap();
    commit_all(&repository);
    assert_eq!(all(&[]).status.code(), Some(1));
    assert_eq!(
        all(&[("PULL_BASE_REF", "release-1.6")]).status.code(),
        Some(0)
    );
}
