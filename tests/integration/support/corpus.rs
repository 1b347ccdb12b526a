//! Locations of files and programs that tests need. `tests/summary.rs` and tests in `crates` use it
//! too.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The parent of `gateway-api/`, from `GWCONFORM_CORPUS` or next to the checkout. `None` without a
/// reports tree.
pub fn corpus() -> Option<PathBuf> {
    let default = || shared().join("corpus");
    let folder = std::env::var_os("GWCONFORM_CORPUS").map_or_else(default, PathBuf::from);
    let is_there = folder.join("gateway-api/conformance/reports").is_dir();
    is_there.then_some(folder)
}

/// File or folder next to the corpus folder. `None` if it does not exist.
pub fn next_to_corpus(name: &str) -> Option<PathBuf> {
    let shared = match std::env::var_os("GWCONFORM_CORPUS") {
        Some(corpus) => Path::new(&corpus).parent()?.to_owned(),
        None => shared(),
    };
    Some(shared.join(name)).filter(|path| path.exists())
}

pub fn source_of_facts() -> Option<PathBuf> {
    next_to_corpus("registry/gateway-api-releases.json")
}

/// Folder with the sources of each release tag. `None` if it does not exist.
pub fn sources_of_releases() -> Option<PathBuf> {
    next_to_corpus("sources/gateway-api")
}

/// Folder with programs of the Gateway API project, from `GWCONFORM_UPSTREAM` or next to the
/// checkout. `None` if it does not exist.
pub fn upstream() -> Option<PathBuf> {
    let default = || shared().join("upstream");
    let folder = std::env::var_os("GWCONFORM_UPSTREAM").map_or_else(default, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// Whether a program can run the examples of `docs/export.md` and `docs/api.md`.
pub fn has_program(name: &str) -> bool {
    let output = Command::new(name).arg("--version").output();
    output.is_ok_and(|output| output.status.success())
}

/// Next to the checkout, which contains the package of the test.
fn shared() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = package.ancestors();
    let checkout = folders.find(|folder| folder.join("Cargo.lock").exists());
    checkout.unwrap_or(package).join("../shared")
}
