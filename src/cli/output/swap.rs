use std::fs;
use std::io;
use std::path::Path;

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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{rename_where_nothing_is, rename_without_replacing};

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
}
