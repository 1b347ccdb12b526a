//! Puts one folder in the place of another.

use std::fs;
use std::io;
use std::path::Path;

/// Swaps two folders in one step. False where the system or the file system cannot.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn exchange(new: &Path, out: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, new, CWD, out, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(error) if [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP].contains(&error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Swaps two folders in one step: not here.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Moves the former folder to `old` and the new one into its place. If the second step fails the
/// first is taken back; if the run ends between them, the next one takes it back.
pub(super) fn one_after_the_other(new: &Path, out: &Path, old: &Path) -> io::Result<()> {
    fs::rename(out, old)?;
    fs::rename(new, out).or_else(|error| {
        fs::rename(old, out)?;
        Err(error)
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::one_after_the_other;

    #[test]
    fn without_an_exchange_two_renames_do_it_or_nothing_has_changed() {
        let folder = tempfile::tempdir().unwrap();
        let [new, out, old] = ["new", "out", "old"].map(|name| folder.path().join(name));
        fs::create_dir(&new).unwrap();
        fs::write(new.join("a"), "new").unwrap();
        fs::create_dir(&out).unwrap();
        fs::write(out.join("a"), "old").unwrap();
        one_after_the_other(&new, &out, &old).unwrap();
        assert_eq!(fs::read_to_string(out.join("a")).unwrap(), "new");
        assert_eq!(fs::read_to_string(old.join("a")).unwrap(), "old");
        assert!(!new.exists());
        fs::remove_dir_all(&old).unwrap();
        one_after_the_other(&new, &out, &old).unwrap_err();
        assert_eq!(fs::read_to_string(out.join("a")).unwrap(), "new");
        assert!(!old.exists());
    }
}
