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

/// The facts of the releases as their source has them, beside the corpus.
pub fn source_of_facts() -> Option<PathBuf> {
    let beside = || Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"));
    let shared = std::env::var_os("GWCONFORM_CORPUS").map_or_else(beside, |corpus| {
        Path::new(&corpus).parent().map(Path::to_owned)
    })?;
    let file = shared.join("registry/gateway-api-releases.json");
    file.is_file().then_some(file)
}
