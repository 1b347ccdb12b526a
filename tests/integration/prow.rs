//! Runs the `hack/` script from the maintainer documentation, as a Prow job does.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::folder::Folder;
use crate::support::git::{commit_all, git};
use crate::support::{Output, upstream, write_program};

const SCRIPT: &str = "examples/hack/verify-conformance-reports.sh";
const REPORT: &str = "conformance/reports/v1.5/acme-operator/standard-v2.18.3-default-report.yaml";
pub const PROGRAM: (&str, &str) = ("GWCONFORM", env!("CARGO_BIN_EXE_gwconform"));

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn repository() -> (Folder, String) {
    let folder = Folder::with_sample();
    commit_all(folder.path());
    let commit = git(folder.path(), &["rev-parse", "HEAD"]);
    (folder, commit.trim().to_owned())
}

/// Runs the script in a repository, as `hack/verify.sh` of it.
pub fn verify(repository: &Path, script: &str, variables: &[(&str, &str)]) -> Output {
    let path = repository.join("hack/verify.sh");
    fs::create_dir_all(repository.join("hack")).unwrap();
    fs::write(&path, script).unwrap();
    let output = Command::new("bash")
        .arg(path)
        .current_dir("/")
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .envs(variables.iter().copied())
        .output();
    output.unwrap().into()
}

pub fn template() -> String {
    fs::read_to_string(root().join(SCRIPT)).unwrap()
}

#[test]
fn a_job_fails_with_what_the_change_brings_and_leaves_junit() {
    let (repository, base) = repository();
    let artifacts = tempfile::tempdir().unwrap();
    let job = [
        PROGRAM,
        ("PULL_BASE_SHA", base.as_str()),
        ("ARTIFACTS", artifacts.path().to_str().unwrap()),
    ];
    let report = repository.path().join(REPORT);
    let text = fs::read_to_string(&report).unwrap();
    fs::write(&report, text.replace("result: success", "result: sucess")).unwrap();
    commit_all(repository.path());
    let output = verify(repository.path(), &template(), &job);
    assert_eq!(output.code, 1, "{output:?}");
    let junit = fs::read_to_string(artifacts.path().join("junit_gwconform.xml")).unwrap();
    let failures = junit.matches("<failure ").count();
    assert_eq!(failures, 1, "{junit}");
    assert!(junit.contains("standard-v2.18.3-default-report.yaml"));
}

/// A release in a folder, whose program starts the program under test.
#[cfg(all(unix, target_arch = "x86_64"))]
pub struct Release {
    folder: tempfile::TempDir,
    /// Script of the release, which downloads from the folder.
    pub script: String,
}

#[cfg(all(unix, target_arch = "x86_64"))]
impl Release {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let target = if cfg!(target_os = "macos") {
            "x86_64-apple-darwin"
        } else {
            "x86_64-unknown-linux-musl"
        };
        let version = env!("CARGO_PKG_VERSION");
        let name = format!("gwconform-{version}-{target}");
        let archives = folder.path().join(format!("releases/download/v{version}"));
        fs::create_dir_all(archives.join(&name)).unwrap();
        let program = format!("exec {} \"$@\"", PROGRAM.1);
        write_program(&archives.join(&name).join("gwconform"), &program);
        let made = Command::new("tar")
            .args(["-czf", &format!("{name}.tar.gz"), &name])
            .current_dir(&archives)
            .status();
        assert!(made.unwrap().success());
        let script = Command::new("bash")
            .arg(root().join("dist/fill"))
            .arg(&archives)
            .arg(SCRIPT)
            .output()
            .unwrap();
        let script = String::from_utf8(script.stdout).unwrap();
        let address = format!("readonly REPOSITORY=file://{}", folder.path().display());
        let line = script
            .lines()
            .find(|line| line.starts_with("readonly REPOSITORY="))
            .unwrap();
        let script = script.replace(line, &address);
        Self { folder, script }
    }

    /// Adds the checksums, and returns a `curl` that downloads from the folder, whatever the host of
    /// the address is. Requires Linux.
    pub fn curl(&self) -> (String, String) {
        let releases = self.folder.path().join("releases");
        let version = releases.join(concat!("download/v", env!("CARGO_PKG_VERSION")));
        let sums = Command::new("bash")
            .args(["-c", "sha256sum *.tar.gz | tee SHA256SUMS"])
            .current_dir(version)
            .output();
        let sums = String::from_utf8(sums.unwrap().stdout).unwrap();
        let curl = format!(
            "for last; do :; done; while [ \"$1\" != --output ]; do shift; done; cp \"{}/${{last#*/releases/}}\" \"$2\"",
            releases.display()
        );
        (sums[..64].to_owned(), curl)
    }

    /// Removes all files, so that downloads fail.
    pub fn withdraw(&self) {
        fs::remove_dir_all(self.folder.path().join("releases")).unwrap();
    }
}

#[test]
#[cfg(all(unix, target_arch = "x86_64"))]
fn the_script_installs_one_version_by_its_checksum() {
    let (repository, _) = repository();
    let release = Release::new();
    let temporary = tempfile::tempdir().unwrap();
    let variables = [
        ("PULL_BASE_SHA", "HEAD"),
        ("TMPDIR", temporary.path().to_str().unwrap()),
    ];
    let install = |script: &str| {
        let output = verify(repository.path(), script, &variables);
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
        output
    };
    let sums = regex::Regex::new("[0-9a-f]{64}").unwrap();
    let wrong = install(&sums.replace_all(&release.script, "0".repeat(64)));
    assert_eq!(wrong.code, 3, "{wrong:?}");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        wrong.stderr,
        format!("ERROR: the checksum of the gwconform {version} archive does not match\n")
    );
    assert!(!repository.path().join("bin").exists());

    let installed = install(&release.script);
    assert_eq!(installed.code, 0, "{installed:?}");
    release.withdraw();
    let again = install(&release.script);
    assert_eq!((again.code, again.stderr.as_str()), (0, ""));
    fs::remove_dir_all(repository.path().join("bin")).unwrap();
    let missing = install(&release.script);
    assert_eq!(missing.code, 0, "{missing:?}");
}

/// On a platform without a binary, a template is still an error, whoever owns the repository.
#[test]
#[cfg(unix)]
fn a_template_is_refused_on_each_platform() {
    let (repository, _) = repository();
    let programs = tempfile::tempdir().unwrap();
    write_program(&programs.path().join("uname"), "echo plan9");
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", programs.path().display());
    let owned = template().replace("OWNER/gwconform", "acme/gwconform");
    for script in [&template(), &owned] {
        let output = verify(repository.path(), script, &[("PATH", &path)]);
        assert_eq!(output.code, 2, "{output:?}");
        assert!(
            output.stderr.starts_with("ERROR: this file is a template"),
            "{output:?}"
        );
    }
    let sums = regex::Regex::new("SHA256_[A-Z0-9_]+").unwrap();
    let released = sums.replace_all(&owned, "0".repeat(64));
    let output = verify(repository.path(), &released, &[("PATH", &path)]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stderr.contains("no binary for plan9"), "{output:?}");
}

#[test]
#[cfg(unix)]
fn the_checks_of_gateway_api_accept_the_script() {
    use std::os::unix::fs::PermissionsExt;

    let Some(upstream) = upstream() else { return };
    let (folder, _) = repository();
    let repository = folder.path().to_owned();
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
    fs::create_dir_all(hack.join("boilerplate")).unwrap();
    fs::write(hack.join("verify-conformance-reports.sh"), template()).unwrap();
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
            .env_remove("CI")
            .env("GWCONFORM", PROGRAM.1)
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
