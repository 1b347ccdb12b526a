//! Where the real reports tree is: also read by `tests/summary.rs`, which prints whether it was.

use std::path::{Path, PathBuf};

/// The folder that holds `gateway-api/`, from `GWCONFORM_CORPUS`, otherwise beside the checkout;
/// `None` when it has no reports tree.
pub fn corpus() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let folder = std::env::var_os("GWCONFORM_CORPUS").map_or_else(beside, PathBuf::from);
    let is_there = folder.join("gateway-api/conformance/reports").is_dir();
    is_there.then_some(folder)
}

/// A file or folder beside the corpus; `None` where it is missing.
pub fn beside_corpus(name: &str) -> Option<PathBuf> {
    let beside = || Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"));
    let shared = std::env::var_os("GWCONFORM_CORPUS").map_or_else(beside, |corpus| {
        Path::new(&corpus).parent().map(Path::to_owned)
    })?;
    Some(shared.join(name)).filter(|path| path.exists())
}

/// The facts of the releases as their source has them, beside the corpus.
pub fn source_of_facts() -> Option<PathBuf> {
    beside_corpus("registry/gateway-api-releases.json")
}

/// The sources of some releases of the Gateway API, a folder for each tag, beside the corpus.
pub fn sources_of_releases() -> Option<PathBuf> {
    let beside = || Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"));
    let shared = std::env::var_os("GWCONFORM_CORPUS").map_or_else(beside, |corpus| {
        Path::new(&corpus).parent().map(Path::to_owned)
    })?;
    let folder = shared.join("sources/gateway-api");
    folder.is_dir().then_some(folder)
}

/// A git directory of the Gateway API with all its tags, from `GWCONFORM_GATEWAY_API`.
pub fn gateway_api() -> Option<PathBuf> {
    std::env::var_os("GWCONFORM_GATEWAY_API").map(PathBuf::from)
}
