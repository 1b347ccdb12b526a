//! Writes single files.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::tree::leftover::PREFIX;

/// Puts a new file in the place of a path in one step: a reader sees the earlier one or the new one,
/// and a link there is replaced.
///
/// # Errors
/// When the system refuses.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = beside(path, bytes)?;
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
pub fn replace_all(files: &[Replacement<'_>]) -> io::Result<()> {
    let ready = files.iter().map(|file| {
        let written = beside(file.path, file.after)?;
        Ok((written, file))
    });
    let ready = ready.collect::<io::Result<Vec<_>>>()?;
    let mut done: Vec<&Replacement<'_>> = Vec::new();
    for (written, file) in ready {
        if let Err(error) = written.persist(file.path) {
            for file in done.into_iter().rev() {
                // What cannot be taken back is there to be seen; the first error is what matters.
                let _ = match file.before {
                    Some(before) => replace(file.path, before),
                    None => fs::remove_file(file.path),
                };
            }
            return Err(error.error);
        }
        done.push(file);
    }
    Ok(())
}

/// A file beside a path, as it will be there: with the permissions of the file in its place, else those
/// that any new file gets.
///
/// # Errors
/// When the system refuses.
pub fn beside(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let folder = path.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A temporary file is for its owner only; the mask of the process still counts.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    if let Ok(there) = fs::symlink_metadata(path)
        && there.is_file()
    {
        file.as_file().set_permissions(there.permissions())?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}
