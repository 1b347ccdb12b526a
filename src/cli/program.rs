//! Finds other programs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

const DEFAULT_PATH: &str = "/bin:/usr/bin";

/// Finds a program in PATH. Skips relative folders, because they would refer to the tree being
/// checked.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| OsString::from(DEFAULT_PATH));
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let mut programs = folders.map(|folder| folder.join(&name));
    programs.find(|program| is_program(program))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let metadata = std::fs::metadata(path);
    metadata.is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}
