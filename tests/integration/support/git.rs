//! Creates temporary repositories that are independent of the user's git configuration.

use std::path::Path;
use std::process::Command;

pub fn git(folder: &Path, arguments: &[&str]) -> String {
    git_at(folder, "2026-01-01T00:00:00Z", arguments)
}

/// Like [`git`], at the time `date`.
pub fn git_at(folder: &Path, date: &str, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=Acme", "-c", "user.email=acme@acme.example"])
        .args([
            "-c",
            "init.defaultBranch=main",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(["-c", "protocol.file.allow=always"])
        .args(["-c", "maintenance.auto=false"])
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", folder)
        .env("GIT_AUTHOR_DATE", date)
        .env("GIT_COMMITTER_DATE", date)
        .output()
        .expect("git runs");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn commit_all(folder: &Path) {
    commit_all_at(folder, "2026-01-01T00:00:00Z");
}

pub fn commit_all_at(folder: &Path, date: &str) {
    if !folder.join(".git").exists() {
        // Rule pages show commit IDs, so the hash algorithm is fixed.
        git(
            folder,
            &["init", "--quiet", "--object-format=sha1", "--template="],
        );
    }
    git(folder, &["add", "--all"]);
    git_at(
        folder,
        date,
        &["commit", "--quiet", "--allow-empty", "--message=A commit"],
    );
}
