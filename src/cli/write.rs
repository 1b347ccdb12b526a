//! Writes one file that a command was asked for.

use std::io::Write;
use std::path::Path;

use anyhow::Context as _;

use super::Failure;

/// Writes a text in one step: a reader sees the earlier file or the new one. `prefix` begins the name
/// of the file that takes its place.
pub fn text(path: &Path, prefix: &str, text: &str) -> Result<(), Failure> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let written = tempfile::Builder::new()
        .prefix(prefix)
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        .and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            set_readable(file.as_file())?;
            file.persist(path).map_err(|error| error.error)?;
            Ok(())
        });
    written
        .with_context(|| format!("{} cannot be written", path.display()))
        .map_err(Failure::CouldNotRun)
}

/// The file is for everybody to read, a temporary file is not.
#[cfg(unix)]
fn set_readable(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn set_readable(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}
