//! Applies changes to files. The changes in one folder are atomic: they are validated, written to
//! temporary files and moved into place, README last. If a step fails, the earlier steps are
//! undone, after a kill by the next run ([`journal`]).
//!
//! Symbolic links below the allowed folders are not followed. Only READMEs are overwritten, and
//! only if their content still matches the text the change was computed from.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Error, bail};
use tempfile::NamedTempFile;

use super::file;
use super::journal::{self, Edit, Journal, Rename};
use super::step::step;
use super::swap;
use crate::text::change::{Change, ChangeSet, is_editable};
use crate::text::source::{Digest, MAX_FILE_BYTES};
use crate::tree::files::read_regular;
use crate::tree::leftover::{self, JOURNAL};

#[derive(Debug)]
pub struct NotApplied {
    pub folder: String,
    pub error: Error,
}

/// Returns the folders whose changes failed, which are left unchanged. Paths in `changes` are
/// relative to `base`.
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

enum Ready {
    Create { file: NamedTempFile, to: PathBuf },
    Edit { file: NamedTempFile, to: PathBuf },
}

enum Undo {
    Rename { from: PathBuf, to: PathBuf },
    RemoveFile(PathBuf),
    RemoveFolder(PathBuf),
    Journal(PathBuf),
}

fn apply_folder(changes: &[&Change], base: &Path, roots: &[PathBuf]) -> Result<(), Error> {
    let mut undo = Vec::new();
    let folder = changes.first().map(|change| base.join(change.folder()));
    let lock = folder.as_deref().and_then(|folder| File::open(folder).ok());
    let _ = lock.as_ref().map(File::lock);
    let result = apply_all(changes, base, roots, &mut undo);
    if result.is_err() {
        let mut is_as_before = true;
        for step in undo.into_iter().rev() {
            // Only the first error is reported, because errors during undo are visible in the
            // folder.
            let undone = match step {
                Undo::Rename { from, to } => swap::rename_without_replacing(&to, &from),
                Undo::RemoveFile(path) => fs::remove_file(path),
                Undo::RemoveFolder(path) => fs::remove_dir(path),
                Undo::Journal(folder) if is_as_before => fs::remove_file(folder.join(JOURNAL)),
                Undo::Journal(_) => Ok(()),
            };
            is_as_before &= undone.is_ok();
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
    let folder = changes.first().map(|change| base.join(change.folder()));
    let names = Names::of(folder.as_deref(), changes)?;
    for change in changes {
        let path = base.join(change.path());
        check_place(&path, roots)?;
        match change {
            Change::Edit { before, .. } => {
                if !is_editable(change.path()) {
                    bail!("{} is not a README; it was not changed", path.display());
                }
                check_text(&path, &Digest::new(before.as_bytes()))?;
            }
            Change::Rename { to, of, .. } => {
                let target = base.join(to);
                check_place(&target, roots)?;
                check_text(&path, of)?;
                names.check_free(&target)?;
            }
            Change::Create { .. } => names.check_free(&path)?,
            Change::Remove { bytes, .. } => check_text(&path, &Digest::new(bytes))?,
        }
    }
    let mut ready = Vec::new();
    for change in changes {
        let path = base.join(change.path());
        match change {
            Change::Rename { .. } | Change::Remove { .. } => {}
            Change::Create { bytes, .. } => {
                make_folders(&path, undo)?;
                let file = write_beside(&path, bytes)?;
                ready.push(Ready::Create { file, to: path });
            }
            Change::Edit { after, .. } => {
                let file = write_beside(&path, after.as_bytes())?;
                ready.push(Ready::Edit { file, to: path });
            }
        }
    }
    let is_journaled = match &folder {
        Some(folder) => rename_all(changes, folder, undo)?,
        None => false,
    };
    ready.sort_by_key(|ready| match ready {
        Ready::Create { .. } => 0,
        Ready::Edit { .. } => 1,
    });
    for file in ready {
        step();
        match file {
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
    if let Some(folder) = folder.filter(|_| is_journaled) {
        // Files that the journal could restore are deleted only after the journal.
        if Journal::remove(&folder).is_ok() {
            for name in gone(changes).filter_map(|(_, name, _)| name) {
                step();
                let _ = fs::remove_file(folder.join(name));
            }
        }
    }
    Ok(())
}

fn gone<'c>(
    changes: &'c [&Change],
) -> impl Iterator<Item = (&'c str, Option<String>, Digest)> + use<'c> {
    let removed = changes.iter().filter_map(|change| match change {
        Change::Remove { path, bytes } => Some((path.as_str(), Digest::new(bytes))),
        _ => None,
    });
    let numbered = removed.enumerate();
    numbered.map(|(number, (path, of))| (path, leftover::gone(number), of))
}

fn rename_all(changes: &[&Change], folder: &Path, undo: &mut Vec<Undo>) -> Result<bool, Error> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let renames = changes.iter().filter_map(|change| match change {
        Change::Rename { path, to, of } => Some(Rename {
            from: name(path),
            to: name(to),
            of: of.to_string(),
        }),
        _ => None,
    });
    let mut renames: Vec<Rename> = renames.collect();
    for (path, to, of) in gone(changes) {
        renames.push(Rename {
            from: name(path),
            to: to.context("too many reports would be removed at once")?,
            of: of.to_string(),
        });
    }
    let renames = journal::in_order(&renames);
    if renames.is_empty() {
        return Ok(false);
    }
    let digest = |text: &str| Digest::new(text.as_bytes()).to_string();
    let readmes = changes.iter().filter_map(|change| match change {
        Change::Edit {
            path,
            before,
            after,
        } => Some(Edit {
            name: name(path),
            before: digest(before),
            after: digest(after),
        }),
        _ => None,
    });
    Journal::new(renames.clone(), readmes.collect()).write(folder)?;
    undo.push(Undo::Journal(folder.to_owned()));
    for Rename { from, to, .. } in renames {
        let [from, to] = [from, to].map(|name| folder.join(name));
        step();
        swap::rename_without_replacing(&from, &to)
            .with_context(|| format!("{} cannot be renamed to {}", from.display(), to.display()))?;
        undo.push(Undo::Rename { from, to });
    }
    Ok(true)
}

/// Rejects paths outside the roots, and paths with `..` or symbolic links.
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
        bail!("{} is not a file", path.display());
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
                bail!("{} is not a folder", place.display())
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| place.display().to_string()),
        }
    }
    Ok(())
}

fn check_text(path: &Path, of: &Digest) -> Result<(), Error> {
    let bytes = read_regular(path, MAX_FILE_BYTES)
        .map_err(Error::msg)
        .with_context(|| path.display().to_string())?;
    if Digest::new(&bytes) != *of {
        bail!("{} has changed since it was read", path.display());
    }
    Ok(())
}

/// Keys are lowercase, because names that differ only in case collide on some file systems.
#[derive(Default)]
struct Names(BTreeMap<String, OsString>);

impl Names {
    fn of(folder: Option<&Path>, changes: &[&Change]) -> Result<Self, Error> {
        let mut names = Self::default();
        let entries = match folder.map(fs::read_dir) {
            Some(Ok(entries)) => entries,
            None => return Ok(names),
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(names),
            Some(Err(error)) => {
                let folder = folder.unwrap_or(Path::new("."));
                return Err(error).with_context(|| folder.display().to_string());
            }
        };
        let leaves: BTreeSet<&str> = changes
            .iter()
            .filter_map(|change| match change {
                Change::Rename { path, .. } | Change::Remove { path, .. } => {
                    path.rsplit('/').next()
                }
                _ => None,
            })
            .collect();
        for entry in entries {
            let name = entry?.file_name();
            let shown = name.to_string_lossy();
            if shown == JOURNAL {
                bail!(
                    "an interrupted run left {JOURNAL} here, which does not match the other files"
                );
            }
            if !leaves.contains(shown.as_ref()) {
                names.0.insert(shown.to_lowercase(), name);
            }
        }
        Ok(names)
    }

    fn check_free(&self, path: &Path) -> Result<(), Error> {
        let wanted = path.file_name().unwrap_or_default().to_string_lossy();
        match self.0.get(&wanted.to_lowercase()) {
            Some(name) => bail!("{} already exists", path.with_file_name(name).display()),
            None => Ok(()),
        }
    }
}

fn make_folders(path: &Path, undo: &mut Vec<Undo>) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(path);
    let mut missing: Vec<&Path> = folder
        .ancestors()
        .take_while(|folder| !folder.exists())
        .collect();
    missing.reverse();
    for folder in missing {
        fs::create_dir(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        undo.push(Undo::RemoveFolder(folder.to_owned()));
    }
    Ok(())
}

fn write_beside(path: &Path, bytes: &[u8]) -> Result<NamedTempFile, Error> {
    step();
    file::beside(path, bytes).with_context(|| format!("{} cannot be written", path.display()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::super::journal::recover;
    use super::super::step::tests::ended_after;
    use super::{JOURNAL, apply};
    use crate::text::change::ChangeSet;
    use crate::text::source::Digest;

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
        let failures = apply(changes, base, &[root.to_owned()]);
        failures
            .iter()
            .map(|failure| format!("{}: {:#}", failure.folder, failure.error))
            .collect()
    }

    #[test]
    fn a_folder_is_changed_whole_or_not_at_all() {
        let (folder, root) = folder();
        let changes = |before: &str| {
            let mut changes = ChangeSet::default();
            changes.rename("reports/a/x.yaml", "reports/a/y.yaml", Digest::new(b"x\n"));
            changes.create("reports/a/z.yaml", "z\n");
            changes
                .edit("reports/a/README.md", before, "two\n")
                .unwrap();
            changes
        };
        let failures = applied(&changes("zero\n"), folder.path(), &root);
        assert!(
            failures[0].ends_with("README.md has changed since it was read"),
            "{failures:?}"
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
        assert_eq!(applied(&changes("one\n"), folder.path(), &root).len(), 1);
        assert_eq!(names(&root), ["a/README.md", "a/y.yaml", "a/z.yaml"]);
    }

    #[test]
    fn a_step_that_fails_takes_back_those_before_it() {
        let (folder, root) = folder();
        let mut changes = ChangeSet::default();
        changes.rename("reports/a/x.yaml", "reports/a/w.yaml", Digest::new(b"x\n"));
        changes.create("reports/a/y.yaml", "1");
        changes.create("reports/a/y.yaml", "2");
        changes
            .edit("reports/a/README.md", "one\n", "two\n")
            .unwrap();
        let failures = applied(&changes, folder.path(), &root);
        assert!(
            failures[0].contains("y.yaml cannot be made"),
            "{failures:?}"
        );
        assert_eq!(names(&root), ["a/README.md", "a/x.yaml"]);
        assert_eq!(
            fs::read_to_string(root.join("a/README.md")).unwrap(),
            "one\n"
        );
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

    fn many() -> ChangeSet {
        let mut changes = ChangeSet::default();
        for (from, to) in [
            ("a", "z"),
            ("b", "c"),
            ("c", "d"),
            ("e", "f"),
            ("f", "g"),
            ("g", "e"),
        ] {
            let [path, to] = [from, to].map(|name| format!("reports/a/{name}.yaml"));
            changes.rename(path, to, Digest::new(from.as_bytes()));
        }
        for (from, to) in [("m", "n"), ("n", "m")] {
            let [path, to] = [from, to].map(|name| format!("reports/a/{name}.yaml"));
            changes.rename(path, to, Digest::new(b"same"));
        }
        changes
            .edit("reports/a/README.md", "one\n", "two\n")
            .unwrap();
        changes
    }

    fn before_many() -> (tempfile::TempDir, PathBuf) {
        let (folder, root) = folder();
        fs::remove_file(root.join("a/x.yaml")).unwrap();
        for name in ["a", "b", "c", "e", "f", "g"] {
            fs::write(root.join(format!("a/{name}.yaml")), name).unwrap();
        }
        for name in ["m", "n"] {
            fs::write(root.join(format!("a/{name}.yaml")), "same").unwrap();
        }
        (folder, root)
    }

    fn texts(root: &Path) -> Vec<String> {
        let names = names(root).into_iter();
        let text =
            |name: String| format!("{name}: {}", fs::read_to_string(root.join(&name)).unwrap());
        names.map(text).collect()
    }

    #[test]
    fn a_run_that_ends_anywhere_is_taken_back_or_done() {
        let (folder, root) = before_many();
        let before = texts(&root);
        assert!(applied(&many(), folder.path(), &root).is_empty());
        let after = texts(&root);
        let changed = |name: &str| after.iter().find(|text| text.starts_with(name)).cloned();
        assert_eq!(changed("a/e.yaml").as_deref(), Some("a/e.yaml: g"));
        assert_eq!(changed("a/d.yaml").as_deref(), Some("a/d.yaml: c"));
        assert_eq!(changed("a/b.yaml"), None);
        let (mut steps, mut taken_back, mut done) = (0, 0, 0);
        loop {
            let (folder, root) = before_many();
            let is_done = ended_after(steps, || applied(&many(), folder.path(), &root)).is_some();
            for again in 0..5 {
                ended_after(again, || recover(&root.join("a")).unwrap());
            }
            recover(&root.join("a")).unwrap();
            let found = texts(&root);
            match found == before {
                true => taken_back += 1,
                false => {
                    assert_eq!(found, after, "{steps}");
                    done += 1;
                }
            }
            if is_done {
                break;
            }
            steps += 1;
        }
        assert!(taken_back > 10 && done > 1, "{taken_back} {done}");
    }

    fn replaced() -> ChangeSet {
        let mut changes = ChangeSet::default();
        changes.remove("reports/a/x.yaml", "x\n");
        changes.create("reports/a/y.yaml", "y\n");
        changes
            .edit("reports/a/README.md", "one\n", "two\n")
            .unwrap();
        changes
    }

    #[test]
    fn a_report_is_there_until_another_one_has_its_place() {
        let before = ["a/README.md: one\n", "a/x.yaml: x\n"];
        let both = ["a/README.md: one\n", "a/x.yaml: x\n", "a/y.yaml: y\n"];
        let after = ["a/README.md: two\n", "a/y.yaml: y\n"];
        let (mut steps, mut found) = (0, Vec::new());
        loop {
            let (folder, root) = folder();
            let is_done =
                ended_after(steps, || applied(&replaced(), folder.path(), &root)).is_some();
            for again in 0..4 {
                ended_after(again, || recover(&root.join("a")).unwrap());
            }
            recover(&root.join("a")).unwrap();
            found.push(texts(&root));
            if is_done {
                break;
            }
            steps += 1;
        }
        let states = [&before[..], &both[..], &after[..]];
        assert!(
            found
                .iter()
                .all(|found| states
                    .contains(&&*found.iter().map(String::as_str).collect::<Vec<_>>())),
            "{found:#?}"
        );
        assert_eq!(found.first().map(Vec::len), Some(before.len()));
        assert_eq!(found.last().unwrap(), &after);
        let (folder, root) = folder();
        let mut changes = replaced();
        changes.create("reports/a/y.yaml", "2");
        let failures = applied(&changes, folder.path(), &root);
        assert!(failures[0].contains("cannot be made"), "{failures:?}");
        assert_eq!(texts(&root), before);
        fs::write(root.join("a/x.yaml"), "other\n").unwrap();
        let failures = applied(&replaced(), folder.path(), &root);
        assert!(
            failures[0].ends_with("x.yaml has changed since it was read"),
            "{failures:?}"
        );
        assert_eq!(names(&root), ["a/README.md", "a/x.yaml"]);
    }

    #[test]
    fn a_journal_of_somebody_else_changes_nothing_but_names_of_reports() {
        let (_folder, root) = folder();
        let place = root.join("a");
        let digest = Digest::new(b"x\n");
        let readme = Digest::new(b"one\n");
        fs::write(root.join("outside.yaml"), "x\n").unwrap();
        let before = texts(&root);
        for (from, to) in [
            ("y.yaml", "../x.yaml"),
            ("../outside.yaml", "x.yaml"),
            ("y.sh", "x.yaml"),
            ("README.md", "x.yaml"),
            ("other.yaml", "nothing.yaml"),
            (".gwconform-between-0", "x.yaml"),
            ("/tmp/x.yaml", "x.yaml"),
        ] {
            for of in [&digest, &readme] {
                let journal = format!(
                    r#"{{"version":1,"renames":[{{"from":"{from}","to":"{to}","of":"{of}"}}],"readmes":[{{"name":"README.md","before":"{readme}","after":"{of}"}}]}}"#
                );
                fs::write(place.join(JOURNAL), &journal).unwrap();
                let error = recover(&place).unwrap_err();
                assert!(error.to_string().contains("does not match"), "{error:#}");
                fs::remove_file(place.join(JOURNAL)).unwrap();
                assert_eq!(texts(&root), before, "{from} {to}");
            }
        }
        fs::write(place.join(JOURNAL), "{").unwrap();
        assert!(recover(&place).is_err());
        let mut changes = ChangeSet::default();
        changes.create("reports/a/new.yaml", "1");
        let failures = applied(&changes, root.parent().unwrap(), &root);
        assert!(failures[0].contains("does not match"), "{failures:?}");
        fs::remove_file(place.join(JOURNAL)).unwrap();
        for name in [
            ".gwconform-Ab12Cd",
            ".gwconform-notes",
            ".gwconform-abc.yaml",
        ] {
            fs::write(place.join(name), "x").unwrap();
        }
        fs::create_dir(place.join(".gwconform-folder")).unwrap();
        recover(&place).unwrap();
        assert!(!place.join(".gwconform-Ab12Cd").exists());
        assert!(
            place.join(".gwconform-notes").exists() && place.join(".gwconform-folder").exists()
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
        let failures = applied(&changes, folder.path(), &root);
        assert_eq!(failures.len(), 2);
        assert!(
            failures
                .iter()
                .all(|failure| failure.ends_with("is a link, which is not followed"))
        );
        assert_eq!(names(&folder.path().join("outside")), ["README.md"]);
    }
}
