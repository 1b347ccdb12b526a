//! Writes one file that a command was asked for.

use std::path::Path;

use anyhow::Context as _;

use super::Failure;
use super::output::file;

/// Writes a text in one step: a reader sees the earlier file or the new one. `prefix` begins the name
/// of the file that takes its place.
pub fn text(path: &Path, prefix: &str, text: &str) -> Result<(), Failure> {
    file::replace(path, prefix, text.as_bytes())
        .with_context(|| format!("{} cannot be written", path.display()))
        .map_err(Failure::CouldNotRun)
}
