//! Locations of files and programs that tests need. `tests/summary.rs` uses it too.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The parent of `gateway-api/`, from `GWCONFORM_CORPUS` or next to the checkout. `None` without a
/// reports tree.
pub fn corpus() -> Option<PathBuf> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let folder = std::env::var_os("GWCONFORM_CORPUS").map_or_else(default, PathBuf::from);
    let is_there = folder.join("gateway-api/conformance/reports").is_dir();
    is_there.then_some(folder)
}

/// File or folder next to the corpus folder. `None` if it does not exist.
pub fn next_to_corpus(name: &str) -> Option<PathBuf> {
    let default = || Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"));
    let shared = std::env::var_os("GWCONFORM_CORPUS").map_or_else(default, |corpus| {
        Path::new(&corpus).parent().map(Path::to_owned)
    })?;
    Some(shared.join(name)).filter(|path| path.exists())
}

pub fn source_of_facts() -> Option<PathBuf> {
    next_to_corpus("registry/gateway-api-releases.json")
}

/// Folder with the sources of each release tag. `None` if it does not exist.
pub fn sources_of_releases() -> Option<PathBuf> {
    let default = || Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"));
    let shared = std::env::var_os("GWCONFORM_CORPUS").map_or_else(default, |corpus| {
        Path::new(&corpus).parent().map(Path::to_owned)
    })?;
    let folder = shared.join("sources/gateway-api");
    folder.is_dir().then_some(folder)
}

/// Folder with programs of the Gateway API project, from `GWCONFORM_UPSTREAM` or next to the
/// checkout. `None` if it does not exist.
pub fn upstream() -> Option<PathBuf> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/upstream");
    let folder = std::env::var_os("GWCONFORM_UPSTREAM").map_or_else(default, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// Runs an example of `docs/export.md`.
pub fn has_jq() -> bool {
    Command::new("jq").arg("--version").output().is_ok()
}
