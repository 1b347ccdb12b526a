//! Applies changes to files, folder by folder. All changes in a folder are checked, and the new
//! contents are written to temporary files, before the first file is changed. Reports are renamed
//! first, and READMEs are replaced last. A run that is killed can leave renamed reports with an old
//! README, which the next `check` reports.
//!
//! Symbolic links below the allowed folders are not followed. Only READMEs are overwritten, and
//! only if their content still matches the text the change was computed from.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Error, bail};
use tempfile::{NamedTempFile, TempPath};

use super::step::step;
use super::temporary_file;
use gwconform_base::files::read_regular;
use gwconform_base::text::change::{Change, ChangeSet, is_editable};
use gwconform_base::text::source::{Digest, MAX_FILE_BYTES};

/// Returns an error for each folder with changes that failed. Paths in `changes` are relative to
/// `base`.
pub fn apply(changes: &ChangeSet, base: &Path, roots: &[PathBuf]) -> Vec<Error> {
    let mut folders: BTreeMap<&str, Vec<&Change>> = BTreeMap::new();
    for change in changes.changes() {
        folders.entry(change.folder()).or_default().push(change);
    }
    let applied = folders.into_iter().map(|(folder, mut changes)| {
        changes.sort_by_key(|change| is_editable(change.path()));
        let _lock = temporary_file::clean(&base.join(folder));
        Ready::prepare(&base.join(folder), &changes, base, roots)
            .with_context(|| format!("no changes made in {folder}"))?
            .write()
            .with_context(|| format!("changes in {folder} may be incomplete"))
    });
    applied.filter_map(Result::err).collect()
}

/// Checked changes in one folder, in the order of their fields.
#[derive(Default)]
struct Ready {
    renames: Vec<(PathBuf, PathBuf)>,
    creates: Vec<(NamedTempFile, PathBuf)>,
    edits: Vec<(NamedTempFile, PathBuf)>,
}

impl Ready {
    fn prepare(
        folder: &Path,
        changes: &[&Change],
        base: &Path,
        roots: &[PathBuf],
    ) -> Result<Self, Error> {
        let names = Names::of(folder, changes)?;
        let mut renames = Vec::new();
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
                    renames.push((path, target));
                }
                Change::Create { .. } => names.check_free(&path)?,
            }
        }
        let mut ready = Self {
            renames: in_order(renames),
            ..Self::default()
        };
        for (_, to) in &ready.renames {
            names.check_free(to)?;
        }
        for change in changes {
            let path = base.join(change.path());
            match change {
                Change::Rename { .. } => {}
                Change::Create { bytes, .. } => {
                    ready.creates.push((write_temporary(&path, bytes)?, path));
                }
                Change::Edit { after, .. } => {
                    ready
                        .edits
                        .push((write_temporary(&path, after.as_bytes())?, path));
                }
            }
        }
        Ok(ready)
    }

    fn write(self) -> Result<(), Error> {
        for (from, to) in self.renames {
            step();
            rename_without_replacing(&from, &to).with_context(|| {
                format!("{} cannot be renamed to {}", from.display(), to.display())
            })?;
        }
        for (file, to) in self.creates {
            step();
            let made = file.persist_noclobber(&to).map_err(|error| error.error);
            made.with_context(|| format!("{} cannot be made", to.display()))?;
        }
        for (file, to) in self.edits {
            step();
            temporary_file::persist(file, &to)
                .with_context(|| format!("{} cannot be written", to.display()))?;
        }
        Ok(())
    }
}

/// First gives a temporary name to each report whose name another report needs. The temporary name
/// keeps the extension, so `check` still reads the report after a kill.
fn in_order(mut renames: Vec<(PathBuf, PathBuf)>) -> Vec<(PathBuf, PathBuf)> {
    let key = |path: &Path| path.to_string_lossy().to_lowercase();
    let wanted: BTreeSet<String> = renames.iter().map(|(_, to)| key(to)).collect();
    let mut ordered = Vec::new();
    for (from, _) in &mut renames {
        if wanted.contains(&key(from)) {
            let name = from.file_name().unwrap_or_default().to_string_lossy();
            let between = from.with_file_name(format!("{}{name}", temporary_file::PREFIX));
            ordered.push((std::mem::replace(from, between.clone()), between));
        }
    }
    ordered.extend(renames);
    ordered
}

fn rename_without_replacing(from: &Path, to: &Path) -> io::Result<()> {
    let renamed = TempPath::try_from_path(from)?.persist_noclobber(to);
    renamed.map_err(|failed| {
        // The path deletes its file when it is dropped.
        let _ = failed.path.keep();
        failed.error
    })
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
    fn of(folder: &Path, changes: &[&Change]) -> Result<Self, Error> {
        let mut names = Self::default();
        let entries = match fs::read_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(names),
            entries => entries.with_context(|| folder.display().to_string())?,
        };
        let leaves: BTreeSet<&str> = changes
            .iter()
            .filter_map(|change| match change {
                Change::Rename { path, .. } => path.rsplit('/').next(),
                _ => None,
            })
            .collect();
        for entry in entries {
            let name = entry?.file_name();
            let shown = name.to_string_lossy();
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

/// Creates the folder, too.
fn write_temporary(path: &Path, bytes: &[u8]) -> Result<NamedTempFile, Error> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| temporary_file::synced_temporary(path, bytes))
        .with_context(|| format!("{} cannot be written", path.display()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::super::step::tests::ended_after;
    use super::apply;
    use gwconform_base::text::change::ChangeSet;
    use gwconform_base::text::source::Digest;

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
        let failures = failures.iter().map(|error| format!("{error:#}"));
        failures.collect()
    }

    #[test]
    fn changes_nothing_if_a_file_has_changed() {
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
    fn reports_changes_that_may_be_incomplete() {
        let (folder, root) = folder();
        let mut changes = ChangeSet::default();
        changes.create("reports/a/y.yaml", "1");
        changes.create("reports/a/y.yaml", "2");
        changes
            .edit("reports/a/README.md", "one\n", "two\n")
            .unwrap();
        changes.create("reports/b/c/README.md", "1");
        changes.create("reports/b/c/z.yaml", "1");
        let failures = applied(&changes, folder.path(), &root);
        let [failure] = &*failures else {
            panic!("{failures:?}");
        };
        let start = "changes in reports/a may be incomplete: ";
        assert!(failure.starts_with(start), "{failure}");
        assert!(failure.contains("y.yaml cannot be made"), "{failure}");
        assert_eq!(
            texts(&root),
            [
                "a/README.md: one\n",
                "a/x.yaml: x\n",
                "a/y.yaml: 1",
                "b/c/README.md: 1",
                "b/c/z.yaml: 1",
            ]
        );
    }

    #[test]
    fn writes_nothing_outside_the_roots() {
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
    fn keeps_each_report_and_replaces_the_readme_last() {
        let (folder, root) = before_many();
        let reports = |texts: &[String]| {
            let reports = texts.iter().filter(|text| text.contains(".yaml: "));
            let mut reports: Vec<_> = reports
                .map(|text| text.rsplit(' ').next())
                .map(|text| text.unwrap().to_owned())
                .collect();
            reports.sort();
            reports
        };
        let before = reports(&texts(&root));
        assert_eq!(applied(&many(), folder.path(), &root), [""; 0]);
        let after = texts(&root);
        assert_eq!(
            after,
            [
                "a/README.md: two\n",
                "a/c.yaml: b",
                "a/d.yaml: c",
                "a/e.yaml: g",
                "a/f.yaml: e",
                "a/g.yaml: f",
                "a/m.yaml: same",
                "a/n.yaml: same",
                "a/z.yaml: a",
            ]
        );
        let mut steps = 0;
        loop {
            let (folder, root) = before_many();
            let is_done = ended_after(steps, || applied(&many(), folder.path(), &root)).is_some();
            let found = texts(&root);
            assert_eq!(reports(&found), before, "after {steps} steps");
            let is_new = found.contains(&"a/README.md: two\n".to_owned());
            assert_eq!(is_new, found == after, "after {steps} steps");
            if is_done {
                break;
            }
            steps += 1;
        }
        // Eight renames, six of them with a temporary name, and the README.
        assert_eq!(steps, 15);
    }

    #[cfg(unix)]
    #[test]
    fn follows_no_link() {
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
