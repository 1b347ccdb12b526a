//! Writes single files.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Puts a new file in the place of a path in one step: a reader sees the earlier one or the new one,
/// and a link there is replaced. `prefix` begins the name that the file has until then.
///
/// # Errors
/// When the system refuses.
pub fn replace(path: &Path, prefix: &str, bytes: &[u8]) -> io::Result<()> {
    let file = written_beside(path, prefix, bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A file that takes the place of another one, or of none.
pub struct Replacement<'r> {
    pub path: &'r Path,
    /// What is there now.
    pub before: Option<&'r [u8]>,
    pub after: &'r [u8],
}

/// Replaces files, as [`replace`] does: all of them are written beside before the first gets its place, and
/// those that have theirs get their former content back when one cannot.
///
/// # Errors
/// When the system refuses.
pub fn replace_all(files: &[Replacement<'_>], prefix: &str) -> io::Result<()> {
    let ready = files.iter().map(|file| {
        let written = written_beside(file.path, prefix, file.after)?;
        Ok((written, file))
    });
    let ready = ready.collect::<io::Result<Vec<_>>>()?;
    let mut done: Vec<&Replacement<'_>> = Vec::new();
    for (written, file) in ready {
        if let Err(error) = written.persist(file.path) {
            for file in done.into_iter().rev() {
                // What cannot be taken back is there to be seen; the first error is what matters.
                let _ = match file.before {
                    Some(before) => replace(file.path, prefix, before),
                    None => fs::remove_file(file.path),
                };
            }
            return Err(error.error);
        }
        done.push(file);
    }
    Ok(())
}

/// A file beside a path, as it will be there.
fn written_beside(path: &Path, prefix: &str, bytes: &[u8]) -> io::Result<NamedTempFile> {
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
    Ok(file)
}
