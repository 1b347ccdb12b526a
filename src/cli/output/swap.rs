use std::fs;
use std::io;
use std::path::Path;

/// Swaps two folders atomically. False if the system or the file system does not support swaps.
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

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(super) fn rename_without_replacing(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(error) if [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP].contains(&error) => {
            rename_where_nothing_is(from, to)
        }
        result => Ok(result?),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(super) fn rename_without_replacing(from: &Path, to: &Path) -> io::Result<()> {
    rename_where_nothing_is(from, to)
}

fn rename_where_nothing_is(from: &Path, to: &Path) -> io::Result<()> {
    if fs::symlink_metadata(to).is_ok() {
        return Err(io::Error::from(io::ErrorKind::AlreadyExists));
    }
    fs::rename(from, to)
}

/// Moves the previous folder to `old`, then the new folder into its place. If the second step
/// fails, the first step is undone. After an interruption, the next run undoes it.
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

    use super::{one_after_the_other, rename_where_nothing_is, rename_without_replacing};

    #[test]
    fn no_name_that_is_there_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|name| folder.path().join(name));
        for rename in [rename_without_replacing, rename_where_nothing_is] {
            fs::write(&a, "a").unwrap();
            fs::write(&b, "b").unwrap();
            rename(&a, &b).unwrap_err();
            assert_eq!(fs::read_to_string(&b).unwrap(), "b");
            rename(&a, &c).unwrap();
            assert!(!a.exists());
            fs::remove_file(&c).unwrap();
        }
    }

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
