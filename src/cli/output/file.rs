//! Writes single files.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Puts a new file in the place of a path in one step: a reader sees the earlier one or the new one,
/// and a link there is replaced. `prefix` begins the name that the file has until then.
///
/// # Errors
/// When the system refuses.
pub fn replace(path: &Path, prefix: &str, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let mut file = tempfile::Builder::new()
        .prefix(prefix)
        .tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any file that is made here: a temporary one is for its owner only.
        let mode = fs::symlink_metadata(path)
            .ok()
            .filter(fs::Metadata::is_file)
            .map_or(0o644, |there| there.permissions().mode());
        file.as_file()
            .set_permissions(fs::Permissions::from_mode(mode))?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
