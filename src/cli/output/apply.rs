//! Applies a set of changes. What changes in one folder is changed together or not at all: it is
//! looked at first, written beside, then put in place, with the README last; a step that fails takes
//! back those before it. No link is followed below the folders that may be written to, nothing is
//! overwritten but a README that is still what the change was made for.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Error, bail};
use tempfile::{Builder, NamedTempFile};

use super::swap;
use crate::change::{Change, ChangeSet, is_editable};
use crate::files::read_regular;
use crate::source::{Digest, MAX_FILE_BYTES};

/// A change that was not made.
#[derive(Debug)]
pub struct NotApplied {
    /// The folder, as it is printed. Nothing was changed in it.
    pub folder: String,
    /// Why.
    pub error: Error,
}

/// Applies changes whose printed paths are relative to `base`, below `roots` and nowhere else. Returns
/// the folders in which nothing was changed although there was something to change.
pub fn apply(changes: &ChangeSet, base: &Path, roots: &[PathBuf]) -> Vec<NotApplied> {
    let mut folders: BTreeMap<&str, Vec<&Change>> = BTreeMap::new();
    for change in changes.changes() {
        folders.entry(change.folder()).or_default().push(change);
    }
    let applied = folders.into_iter().map(|(folder, changes)| {
        let result = apply_folder(&changes, base, roots);
        result.map_err(|error| NotApplied {
            folder: folder.to_owned(),
            error,
        })
    });
    applied.filter_map(Result::err).collect()
}

/// A change that was looked at and can be made, in the order in which changes are made.
enum Ready {
    Rename { from: PathBuf, to: PathBuf },
    Create { file: NamedTempFile, to: PathBuf },
    Edit { file: NamedTempFile, to: PathBuf },
}

/// What takes a change back.
enum Undo {
    Rename { from: PathBuf, to: PathBuf },
    RemoveFile(PathBuf),
    RemoveFolder(PathBuf),
}

fn apply_folder(changes: &[&Change], base: &Path, roots: &[PathBuf]) -> Result<(), Error> {
    let mut undo = Vec::new();
    let result = apply_all(changes, base, roots, &mut undo);
    if result.is_err() {
        for step in undo.into_iter().rev() {
            // What cannot be taken back is there to be seen; the first error is what matters.
            let _ = match step {
                Undo::Rename { from, to } => swap::rename_without_replacing(&to, &from),
                Undo::RemoveFile(path) => fs::remove_file(path),
                Undo::RemoveFolder(path) => fs::remove_dir(path),
            };
        }
    }
    result
}

fn apply_all(
    changes: &[&Change],
    base: &Path,
    roots: &[PathBuf],
    undo: &mut Vec<Undo>,
) -> Result<(), Error> {
    let mut ready = Vec::new();
    // All is looked at before anything is made, folders included.
    for change in changes {
        let path = base.join(change.path());
        check_place(&path, roots)?;
        match change {
            Change::Edit { before, .. } => {
                if !is_editable(change.path()) {
                    bail!("{} is no README: it is not changed", path.display());
                }
                check_text(&path, &Digest::of(before.as_bytes()))?;
            }
            Change::Rename { to, of, .. } => {
                let to = base.join(to);
                check_place(&to, roots)?;
                check_text(&path, of)?;
                check_free(&to)?;
            }
            Change::Create { .. } => check_free(&path)?,
        }
    }
    for change in changes {
        let path = base.join(change.path());
        ready.push(match change {
            Change::Rename { to, .. } => Ready::Rename {
                from: path,
                to: base.join(to),
            },
            Change::Create { bytes, .. } => {
                make_folders(&path, undo)?;
                Ready::Create {
                    file: write_beside(&path, bytes, None)?,
                    to: path,
                }
            }
            Change::Edit { after, .. } => {
                let permissions = fs::metadata(&path)?.permissions();
                Ready::Edit {
                    file: write_beside(&path, after.as_bytes(), Some(permissions))?,
                    to: path,
                }
            }
        });
    }
    ready.sort_by_key(|ready| match ready {
        Ready::Rename { .. } => 0,
        Ready::Create { .. } => 1,
        Ready::Edit { .. } => 2,
    });
    for change in ready {
        match change {
            Ready::Rename { from, to } => {
                swap::rename_without_replacing(&from, &to).with_context(|| {
                    format!("{} cannot be renamed to {}", from.display(), to.display())
                })?;
                undo.push(Undo::Rename { from, to });
            }
            Ready::Create { file, to } => {
                let made = file.persist_noclobber(&to).map_err(|error| error.error);
                made.with_context(|| format!("{} cannot be made", to.display()))?;
                undo.push(Undo::RemoveFile(to));
            }
            Ready::Edit { file, to } => {
                let put = file.persist(&to).map_err(|error| error.error);
                put.with_context(|| format!("{} cannot be written", to.display()))?;
            }
        }
    }
    Ok(())
}

/// The path must be below a root, by names alone and through no link.
fn check_place(path: &Path, roots: &[PathBuf]) -> Result<(), Error> {
    let below = roots
        .iter()
        .find_map(|root| Some((root, path.strip_prefix(root).ok()?)));
    let Some((root, below)) = below else {
        bail!("{} is outside of the reports tree", path.display());
    };
    let mut place = root.clone();
    let mut parts = below.components().peekable();
    if parts.peek().is_none() {
        bail!("{} is no file", path.display());
    }
    while let Some(part) = parts.next() {
        let Component::Normal(name) = part else {
            bail!("{} is outside of the reports tree", path.display());
        };
        place.push(name);
        match fs::symlink_metadata(&place) {
            Ok(metadata) if metadata.is_symlink() => {
                bail!("{} is a link, which is not followed", place.display())
            }
            Ok(metadata) if parts.peek().is_some() && !metadata.is_dir() => {
                bail!("{} is no folder", place.display())
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| place.display().to_string()),
        }
    }
    Ok(())
}

/// The file must be what the change was made for.
fn check_text(path: &Path, of: &Digest) -> Result<(), Error> {
    let bytes = read_regular(path, MAX_FILE_BYTES)
        .map_err(Error::msg)
        .with_context(|| path.display().to_string())?;
    if Digest::of(&bytes) != *of {
        bail!("{} has changed since it was read", path.display());
    }
    Ok(())
}

/// Nothing may be there, in any case of letters: elsewhere the two would be one.
fn check_free(path: &Path) -> Result<(), Error> {
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let wanted = wanted.to_lowercase();
    let entries = match fs::read_dir(path.parent().unwrap_or(path)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    for entry in entries {
        let name = entry?.file_name();
        if name.to_string_lossy().to_lowercase() == wanted {
            bail!("{} is there already", path.with_file_name(name).display());
        }
    }
    Ok(())
}

fn make_folders(path: &Path, undo: &mut Vec<Undo>) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(path);
    let missing = folder.ancestors().take_while(|folder| !folder.exists());
    let mut missing: Vec<&Path> = missing.collect();
    missing.reverse();
    for folder in missing {
        fs::create_dir(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        undo.push(Undo::RemoveFolder(folder.to_owned()));
    }
    Ok(())
}

/// A file with the new text in the same folder, with the permissions of the one it is for.
fn write_beside(
    path: &Path,
    bytes: &[u8],
    permissions: Option<Permissions>,
) -> Result<NamedTempFile, Error> {
    let context = || format!("{} cannot be written", path.display());
    let folder = path.parent().unwrap_or(path);
    let mut builder = Builder::new();
    builder.prefix(".gwconform-");
    let new = new_file_permissions();
    if let Some(permissions) = &new {
        builder.permissions(permissions.clone());
    }
    let mut file = builder.tempfile_in(folder).with_context(context)?;
    file.write_all(bytes).with_context(context)?;
    if let Some(permissions) = permissions {
        file.as_file()
            .set_permissions(permissions)
            .with_context(context)?;
    }
    file.as_file().sync_all().with_context(context)?;
    Ok(file)
}

/// What a new file may be read by: all that the mask of the process lets.
#[cfg(unix)]
fn new_file_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

/// Other systems have their own ways.
#[cfg(not(unix))]
fn new_file_permissions() -> Option<Permissions> {
    None
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::apply;
    use crate::change::ChangeSet;
    use crate::source::Digest;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("reports");
        fs::create_dir_all(root.join("a")).unwrap();
        fs::write(root.join("a/README.md"), "one\n").unwrap();
        fs::write(root.join("a/x.yaml"), "x\n").unwrap();
        (folder, root)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = walkdir::WalkDir::new(folder)
            .sort_by_file_name()
            .into_iter();
        let paths = entries
            .flatten()
            .filter(|entry| entry.file_type().is_file());
        let below = |path: &Path| path.strip_prefix(folder).unwrap().display().to_string();
        paths.map(|entry| below(entry.path())).collect()
    }

    fn applied(changes: &ChangeSet, base: &Path, root: &Path) -> Vec<String> {
        let left = apply(changes, base, &[root.to_owned()]);
        left.iter()
            .map(|left| format!("{}: {:#}", left.folder, left.error))
            .collect()
    }

    #[test]
    fn a_folder_is_changed_whole_or_not_at_all() {
        let (folder, root) = folder();
        let changes = |before: &str| {
            let mut changes = ChangeSet::default();
            changes.rename("reports/a/x.yaml", "reports/a/y.yaml", Digest::of(b"x\n"));
            changes.create("reports/a/z.yaml", "z\n");
            changes
                .edit("reports/a/README.md", before, "two\n")
                .unwrap();
            changes
        };
        // The README is another by now.
        let left = applied(&changes("zero\n"), folder.path(), &root);
        assert!(
            left[0].ends_with("README.md has changed since it was read"),
            "{left:?}"
        );
        assert_eq!(names(&root), ["a/README.md", "a/x.yaml"]);
        assert_eq!(
            fs::read_to_string(root.join("a/README.md")).unwrap(),
            "one\n"
        );
        assert!(applied(&changes("one\n"), folder.path(), &root).is_empty());
        assert_eq!(names(&root), ["a/README.md", "a/y.yaml", "a/z.yaml"]);
        assert_eq!(
            fs::read_to_string(root.join("a/README.md")).unwrap(),
            "two\n"
        );
        // Twice, nothing fits any more, and nothing happens.
        assert_eq!(applied(&changes("one\n"), folder.path(), &root).len(), 1);
        assert_eq!(names(&root), ["a/README.md", "a/y.yaml", "a/z.yaml"]);
    }

    #[test]
    fn a_step_that_fails_takes_back_those_before_it() {
        let (folder, root) = folder();
        let mut changes = ChangeSet::default();
        changes.rename("reports/a/x.yaml", "reports/a/w.yaml", Digest::of(b"x\n"));
        // Two files of one name: the second cannot be made, which no look beforehand tells.
        changes.create("reports/a/y.yaml", "1");
        changes.create("reports/a/y.yaml", "2");
        changes
            .edit("reports/a/README.md", "one\n", "two\n")
            .unwrap();
        let left = applied(&changes, folder.path(), &root);
        assert!(left[0].contains("y.yaml cannot be made"), "{left:?}");
        assert_eq!(names(&root), ["a/README.md", "a/x.yaml"]);
        assert_eq!(
            fs::read_to_string(root.join("a/README.md")).unwrap(),
            "one\n"
        );
        // Other folders are not concerned, and folders that were made for nothing are gone.
        let mut changes = ChangeSet::default();
        changes.create("reports/b/c/y.yaml", "1");
        changes.create("reports/b/c/y.yaml", "2");
        changes.create("reports/d/z.yaml", "1");
        assert_eq!(applied(&changes, folder.path(), &root).len(), 1);
        assert_eq!(names(&root), ["a/README.md", "a/x.yaml", "d/z.yaml"]);
        assert!(!root.join("b").exists());
    }

    #[test]
    fn nothing_is_written_outside_of_the_roots() {
        let (folder, root) = folder();
        for path in [
            "x.yaml",
            "reports/../x.yaml",
            "/tmp/gwconform/x.yaml",
            "reports",
        ] {
            let mut changes = ChangeSet::default();
            changes.create(path, "1");
            assert_eq!(applied(&changes, folder.path(), &root).len(), 1, "{path}");
        }
        assert_eq!(
            names(folder.path()),
            ["reports/a/README.md", "reports/a/x.yaml"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed() {
        let (folder, root) = folder();
        fs::create_dir(folder.path().join("outside")).unwrap();
        fs::write(folder.path().join("outside/README.md"), "one\n").unwrap();
        std::os::unix::fs::symlink("../outside", root.join("b")).unwrap();
        let mut changes = ChangeSet::default();
        changes
            .edit("reports/b/README.md", "one\n", "two\n")
            .unwrap();
        changes.create("reports/b/c/y.yaml", "1");
        let left = applied(&changes, folder.path(), &root);
        assert_eq!(left.len(), 2);
        assert!(
            left.iter()
                .all(|left| left.ends_with("is a link, which is not followed"))
        );
        assert_eq!(names(&folder.path().join("outside")), ["README.md"]);
    }
}
