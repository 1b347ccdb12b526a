use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use gwconform_base::files::system_error;

/// Prefix of temporary names, which six random letters and digits follow.
pub const PREFIX: &str = ".gwconform-";

/// True for a temporary file that a killed run left.
pub fn is_temporary(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_prefix(PREFIX).is_some_and(|rest| {
        rest.len() == 6 && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Removes temporary files of killed runs from a folder. Other runs wait for the lock before they
/// write to the folder. `None` if the folder cannot be opened.
pub fn clean(folder: &Path) -> Option<File> {
    let lock = File::open(folder).ok();
    // Some file systems do not support locks.
    let _ = lock.as_ref().map(File::lock);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if is_temporary(&entry.file_name().to_string_lossy()) {
            let _ = fs::remove_file(entry.path());
        }
    }
    lock
}

/// Replaces a file atomically, and creates its folder. A symbolic link is replaced, not followed.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    make_folder_of(path)?;
    let _lock = clean(folder_of(path));
    persist(synced_temporary(path, bytes)?, path)
}

/// Like [`replace`], but does not wait for the disk, so a system crash can lose the file.
pub fn replace_unsynced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    make_folder_of(path)?;
    persist(temporary(path, bytes)?, path)
}

/// Moves a temporary file into place.
pub fn persist(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.persist(path).map(drop).map_err(|error| error.error)
}

fn make_folder_of(path: &Path) -> io::Result<()> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => io::Error::from(io::ErrorKind::NotADirectory),
        _ => error,
    })
}

/// Folder of a file, which may be the working directory.
pub fn folder_of(path: &Path) -> &Path {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Writes a temporary file next to `path`, with the permissions of the existing file or, without
/// one, of a new file.
pub fn synced_temporary(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let file = temporary(path, bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}

fn temporary(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Temporary files are private by default. The umask still limits these permissions.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let made = builder.tempfile_in(folder_of(path));
    // The message of the error would name the temporary file.
    let mut file = made.map_err(|error| io::Error::new(error.kind(), system_error(&error)))?;
    file.as_file_mut().write_all(bytes)?;
    if let Ok(there) = fs::symlink_metadata(path)
        && there.is_file()
    {
        file.as_file().set_permissions(there.permissions())?;
    }
    Ok(file)
}
