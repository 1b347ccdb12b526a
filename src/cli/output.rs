//! Writes a folder of generated files: first to a temporary folder next to the destination, then
//! the two are swapped. Readers never see a partial result.
//!
//! The manifest `.gwconform-manifest.json` lists the generated files. No other file is deleted or
//! overwritten, and a nonempty folder without a manifest is rejected. Foreign files (such as
//! `CNAME` or `.git`) are hard-linked into the new folder before the swap ([`carry`]). If a foreign
//! and a generated file have the same name, the run fails.
//!
//! The new folder is `.<name>.gwconform-new-<number>` in the same parent folder. It contains
//! `.gwconform-unfinished` until all files are written. Before the swap,
//! `.<name>.gwconform-new-<number>.json` lists its foreign files. After an interrupted run, the
//! previous folder can be at the path of the new folder or at `.<name>.gwconform-old-<number>`. The
//! next run restores it if the destination is missing, carries over missing foreign files, and
//! deletes the other leftovers.

pub mod apply;
mod carry;
pub mod file;
pub mod journal;
mod manifest;
mod staged;
mod step;
mod swap;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, anyhow};
use walkdir::WalkDir;

use crate::cli::Mistake;
use crate::text::source::display_path;
use carry::ChangedFilePolicy;
use manifest::{Carried, Manifest};
use staged::Put;
use step::step;

/// Replaces the generated files in `out`. Returns the number of files. On error, `out` is
/// unchanged.
pub fn replace(out: &Path, make: impl FnOnce(&Put<'_>)) -> Result<usize, Error> {
    let place = Place::of(out)?;
    fs::create_dir_all(&place.parent)
        .with_context(|| format!("{} cannot be made", place.parent.display()))?;
    // Concurrent runs wait for this lock. Some file systems do not support locks.
    let lock = File::open(&place.parent).ok();
    let _ = lock.as_ref().map(File::lock);
    let not_written = || format!("{} cannot be written", out.display());
    place.recover().with_context(not_written)?;
    let former = Former::try_new(out)?;
    let new = place.free("new")?;
    // The user knows only the destination, not the temporary folder.
    let staged = staged::write(&new, make)
        .map_err(|error| anyhow!("{}: {}", not_written(), error.root_cause()));
    let written = staged.and_then(|manifest| {
        former.check(out, &manifest)?;
        let carried = former.carry_over(out, &new)?;
        step();
        carried.write(&new)?;
        step();
        manifest::finish(&new)?;
        Ok(manifest.count())
    });
    let count = match written {
        Ok(count) => count,
        Err(error) => {
            let _ = remove_unfinished(&new);
            let _ = Carried::remove(&new);
            return Err(error);
        }
    };
    let swapped = match &former {
        Former::Nothing => fs::rename(&new, out).map(|()| None),
        Former::Empty(_) | Former::Ours(..) => place.swap(&new).map(Some),
    };
    let old = swapped.with_context(|| format!("{} cannot be moved into place", out.display()))?;
    let cleared = match old {
        Some(old) => clear(&old, out, &Carried::default())
            .with_context(|| format!("{} is written; {} remains", out.display(), old.display())),
        None => Ok(()),
    };
    step();
    Carried::remove(&new).and(cleared)?;
    Ok(count)
}

struct Place {
    out: PathBuf,
    parent: PathBuf,
    name: String,
}

enum Former {
    Nothing,
    Empty(fs::Permissions),
    Ours(Manifest, fs::Permissions),
}

impl Place {
    fn of(out: &Path) -> Result<Self, Error> {
        let (Some(parent), Some(name)) = (out.parent(), out.file_name()) else {
            return Err(Mistake(format!("{}: cannot create a folder here", out.display())).into());
        };
        Ok(Self {
            out: out.to_owned(),
            parent: parent.to_owned(),
            name: name.to_string_lossy().into_owned(),
        })
    }

    fn prefix(&self, kind: &str) -> String {
        format!(".{}.gwconform-{kind}-", self.name)
    }

    fn free(&self, kind: &str) -> io::Result<PathBuf> {
        let prefix = self.prefix(kind);
        for number in 0..1000 {
            let path = self.parent.join(format!("{prefix}{number}"));
            if fs::symlink_metadata(&path).is_err() {
                return Ok(path);
            }
        }
        Err(io::Error::from(io::ErrorKind::AlreadyExists))
    }

    fn swap(&self, new: &Path) -> io::Result<PathBuf> {
        if swap::exchange(new, &self.out)? {
            return Ok(new.to_owned());
        }
        let old = self.free("old")?;
        swap::one_after_the_other(new, &self.out, &old)?;
        Ok(old)
    }

    fn recover(&self) -> Result<(), Error> {
        let lists = self.lists()?;
        let mut carried = Carried::default();
        for list in &lists {
            carried.add_from(list);
        }
        for old in self.remnants("old")? {
            if fs::symlink_metadata(&self.out).is_err() {
                step();
                fs::rename(&old, &self.out)?;
            } else {
                clear(&old, &self.out, &carried)?;
            }
        }
        for new in self.remnants("new")? {
            match manifest::is_unfinished(&new) {
                true => remove_unfinished(&new)?,
                false => clear(&new, &self.out, &carried)?,
            }
        }
        for list in lists {
            step();
            fs::remove_file(list)?;
        }
        Ok(())
    }

    fn lists(&self) -> io::Result<Vec<PathBuf>> {
        let prefix = self.prefix("new");
        let mut lists = Vec::new();
        for entry in fs::read_dir(&self.parent)? {
            let entry = entry?;
            let name = entry.file_name();
            let number = (name.to_str()).and_then(|name| {
                name.strip_prefix(&prefix)?
                    .strip_suffix(manifest::LIST_SUFFIX)
            });
            let is_number = number.is_some_and(|number| number.parse::<u32>().is_ok());
            if is_number && entry.file_type()?.is_file() {
                lists.push(entry.path());
            }
        }
        lists.sort();
        Ok(lists)
    }

    fn remnants(&self, kind: &str) -> io::Result<Vec<PathBuf>> {
        let prefix = self.prefix(kind);
        let mut remnants = Vec::new();
        for entry in fs::read_dir(&self.parent)? {
            let entry = entry?;
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix(&prefix));
            let is_number = number.is_some_and(|number| number.parse::<u32>().is_ok());
            if !is_number || !entry.file_type()?.is_dir() {
                continue;
            }
            let path = entry.path();
            let is_marked = fs::symlink_metadata(path.join(manifest::NAME)).is_ok();
            if is_marked || manifest::is_unfinished(&path) || fs::read_dir(&path)?.next().is_none()
            {
                remnants.push(path);
            }
        }
        remnants.sort();
        Ok(remnants)
    }
}

impl Former {
    fn try_new(out: &Path) -> Result<Self, Error> {
        let shown = out.display();
        let metadata = match fs::symlink_metadata(out) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::Nothing),
            Err(error) => return Err(error).with_context(|| shown.to_string()),
        };
        if metadata.is_symlink() {
            let reason = "is a link; pass the folder that it points to";
            return Err(Mistake(format!("{shown} {reason}")).into());
        }
        if !metadata.is_dir() {
            let reason = "is not a folder; choose another path, or move it away";
            return Err(Mistake(format!("{shown} {reason}")).into());
        }
        let permissions = metadata.permissions();
        if let Some(manifest) = Manifest::read(out)? {
            return Ok(Self::Ours(manifest, permissions));
        }
        if fs::read_dir(out)
            .with_context(|| shown.to_string())?
            .next()
            .is_some()
        {
            let reason = format!(
                "is not empty and was not written by gwconform (no {} in it); choose a new folder, or empty this one",
                manifest::NAME
            );
            return Err(Mistake(format!("{shown} {reason}")).into());
        }
        Ok(Self::Empty(permissions))
    }

    fn permissions(&self) -> Option<&fs::Permissions> {
        match self {
            Self::Nothing => None,
            Self::Empty(permissions) | Self::Ours(_, permissions) => Some(permissions),
        }
    }

    /// Hard-links foreign files if possible, and copies the permissions of `out`.
    fn carry_over(&self, out: &Path, new: &Path) -> io::Result<Carried> {
        let mut carried = Carried::default();
        if let Self::Ours(manifest, _) = self {
            carry_over(out, new, "", manifest, &mut carried)?;
        }
        if let Some(permissions) = self.permissions() {
            fs::set_permissions(new, permissions.clone())?;
        }
        Ok(carried)
    }

    fn check(&self, out: &Path, new: &Manifest) -> Result<(), Error> {
        let Self::Ours(old, _) = self else {
            return Ok(());
        };
        let mut others = Vec::new();
        foreign(out, "", old, &mut others)?;
        for (path, is_folder) in others {
            let is_in_the_way = new.has(&path) || (new.has_folder(&path) && !is_folder);
            let below = format!("{path}/");
            let deeper = if is_folder && new.has_folder(&path) {
                all_files(&out.join(&path), &below)?
                    .into_iter()
                    .find(|path| new.has(path) || new.has_folder(path))
            } else {
                None
            };
            if let Some(path) = deeper.or_else(|| is_in_the_way.then_some(path)) {
                let path = out.join(path);
                let reason = "was not written by gwconform and has the name of a file of the site; move it away";
                return Err(Mistake(format!("{} {reason}", path.display())).into());
            }
        }
        Ok(())
    }
}

fn foreign(
    folder: &Path,
    below: &str,
    manifest: &Manifest,
    found: &mut Vec<(String, bool)>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let name = entry.file_name();
        let path = format!("{below}{}", name.to_string_lossy());
        let is_utf8 = name.to_str().is_some();
        if is_utf8 && kind.is_dir() && manifest.has_folder(&path) {
            foreign(&entry.path(), &format!("{path}/"), manifest, found)?;
        } else if !(is_utf8 && kind.is_file() && manifest.has(&path)) {
            found.push((path, kind.is_dir()));
        }
    }
    Ok(())
}

fn all_files(folder: &Path, below: &str) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        if !entry.file_type().is_dir() {
            found.push(format!("{below}{}", display_path(entry.path(), folder)));
        }
    }
    Ok(found)
}

fn carry_over(
    folder: &Path,
    to: &Path,
    below: &str,
    manifest: &Manifest,
    carried: &mut Carried,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let to = to.join(entry.file_name());
        let path = entry
            .file_name()
            .into_string()
            .map(|name| format!("{below}{name}"))
            .ok();
        let is = |has: fn(&Manifest, &str) -> bool| {
            path.as_deref().is_some_and(|path| has(manifest, path))
        };
        if kind.is_file() && is(Manifest::has) {
            continue;
        }
        if kind.is_dir() && is(Manifest::has_folder) {
            let below = format!("{}/", path.unwrap_or_default());
            carry_over(&entry.path(), &to, &below, manifest, carried)?;
            continue;
        }
        let folder = to.parent().unwrap_or(&to);
        fs::create_dir_all(folder)?;
        // Entries that cannot be linked or copied are moved after the swap.
        if carry::twin(&entry.path(), &to).is_ok()
            && let Some(path) = path
        {
            carried.add(path);
        }
    }
    Ok(())
}

fn remove_unfinished(new: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(new)? {
        let entry = entry?;
        if entry.file_name() == manifest::UNFINISHED {
            continue;
        }
        step();
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    // The marker is deleted last, so that the next run can resume.
    step();
    manifest::finish(new)?;
    step();
    Ok(fs::remove_dir(new)?)
}

/// Deletes files in the manifest and files that are hard-linked in `out`. All other entries are
/// moved to `out` first.
fn clear(old: &Path, out: &Path, carried: &Carried) -> Result<(), Error> {
    // An invalid manifest as the only file means that a run was interrupted while writing it.
    let manifest = match fs::read_dir(old)?.count() {
        0 | 1 => Manifest::read(old).ok().flatten(),
        _ => Manifest::read(old)?,
    }
    .unwrap_or_default();
    clear_folder(old, "", &manifest, carried, out)?;
    Ok(())
}

fn clear_folder(
    folder: &Path,
    below: &str,
    manifest: &Manifest,
    carried: &Carried,
    out: &Path,
) -> io::Result<()> {
    let mut last = None;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let name = entry.file_name();
        let name_in_manifest = name.to_str().map(|name| format!("{below}{name}"));
        let has = |has: fn(&Manifest, &str) -> bool| {
            name_in_manifest
                .as_deref()
                .is_some_and(|path| has(manifest, path))
        };
        if kind.is_file() && below.is_empty() && name == manifest::NAME {
            last = Some(entry.path());
        } else if kind.is_file() && has(Manifest::has) {
            step();
            fs::remove_file(entry.path())?;
        } else if kind.is_dir() && has(Manifest::has_folder) {
            let below = name_in_manifest.unwrap_or_default();
            clear_folder(&entry.path(), &format!("{below}/"), manifest, carried, out)?;
        } else {
            let is_carried = name_in_manifest.is_some_and(|path| carried.has(&path));
            let changed = match is_carried {
                true => ChangedFilePolicy::Remove,
                false => ChangedFilePolicy::Keep,
            };
            carry::take_over(&entry.path(), &out.join(below).join(&name), changed)?;
        }
    }
    if let Some(manifest) = last {
        step();
        fs::remove_file(manifest)?;
    }
    step();
    fs::remove_dir(folder)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    use super::manifest::UNFINISHED;
    use super::replace;
    use super::step::tests::ended_after;
    use crate::site::File;

    fn all(folder: &Path) -> BTreeMap<String, String> {
        let entries = walkdir::WalkDir::new(folder)
            .min_depth(1)
            .into_iter()
            .flatten()
            .filter(|entry| !entry.file_type().is_dir());
        let what = |path: &Path| match fs::read_link(path) {
            Ok(target) => format!("-> {}", target.display()),
            Err(_) => fs::read_to_string(path).unwrap(),
        };
        let name = |path: &Path| path.strip_prefix(folder).unwrap().display().to_string();
        entries
            .map(|entry| (name(entry.path()), what(entry.path())))
            .collect()
    }

    const FOREIGN: [(&str, &str); 5] = [
        (".git/HEAD", "ref"),
        (".git/objects/a/b", "object"),
        ("CNAME", "acme.example"),
        ("api/mine.txt", "mine"),
        ("gone/theirs.txt", "theirs"),
    ];

    fn put(out: &Path, files: Vec<File>) -> Result<usize, anyhow::Error> {
        replace(out, |put| put(files))
    }

    fn site(version: &str) -> Vec<File> {
        let mut files = vec![
            File::new("index.html", version),
            File::new("api/a.json", version),
            File::new("api/b/c.json", version),
        ];
        if version == "one" {
            files.push(File::new("gone/page.html", version));
        }
        files
    }

    fn former() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("site");
        put(&out, site("one")).unwrap();
        for (path, text) in FOREIGN {
            fs::create_dir_all(out.join(path).parent().unwrap()).unwrap();
            fs::write(out.join(path), text).unwrap();
        }
        symlink("nowhere", out.join("link")).unwrap();
        fs::set_permissions(out.join(".git/objects"), fs::Permissions::from_mode(0o750)).unwrap();
        // A run must move this read-only folder, because it cannot create files in a copy.
        fs::create_dir(out.join("locked")).unwrap();
        fs::set_permissions(out.join("locked"), fs::Permissions::from_mode(0o500)).unwrap();
        folder
    }

    fn holds_foreign(found: &BTreeMap<String, String>, when: &str) {
        for (path, text) in FOREIGN {
            let there = found.get(path).map(String::as_str);
            assert_eq!(there, Some(text), "{path} {when}");
        }
        assert_eq!(found["link"], "-> nowhere", "{when}");
    }

    #[test]
    fn whenever_a_run_ends_the_folder_is_whole_and_the_next_run_ends_the_same() {
        let expected = {
            let folder = former();
            put(&folder.path().join("site"), site("two")).unwrap();
            all(folder.path())
        };
        holds_foreign(&all_of_site(&expected), "at the end");
        let mut steps = 0;
        loop {
            let folder = former();
            let out = folder.path().join("site");
            let is_done = ended_after(steps, || put(&out, site("two"))).is_some();
            let when = format!("after {steps} steps");
            let found = all(&out);
            holds_foreign(&found, &when);
            let marks = found.keys().filter(|path| path.starts_with(".gwconform"));
            assert_eq!(marks.collect::<Vec<_>>(), [super::manifest::NAME], "{when}");
            let version = &found["index.html"];
            for file in site(version) {
                assert_eq!(&found[&file.path], version, "{} {when}", file.path);
            }
            // Interrupt the next run at a different step.
            let ended = ended_after(steps * 7 % 31, || put(&out, site("two")));
            holds_foreign(&all(&out), &format!("{when} and again"));
            assert!(ended.is_none_or(|ended| ended.is_ok()), "{when}");
            put(&out, site("two")).unwrap();
            assert_eq!(all(folder.path()), expected, "{when}");
            let mode = |path: &str| out.join(path).metadata().unwrap().permissions().mode();
            assert_eq!(mode(".git/objects") & 0o777, 0o750, "{when}");
            assert_eq!(mode("locked") & 0o777, 0o500, "{when}");
            if is_done {
                break;
            }
            steps += 1;
        }
        assert!(steps > 30, "{steps}");
    }

    fn all_of_site(found: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        let below = found
            .iter()
            .filter_map(|(path, text)| Some((path.strip_prefix("site/")?, text)));
        below
            .map(|(path, text)| (path.to_owned(), text.clone()))
            .collect()
    }

    #[test]
    fn a_file_that_was_changed_after_an_ended_run_stays_as_it_is_now() {
        let folder = former();
        let out = folder.path().join("site");
        let is_swapped = |out: &Path| fs::read_to_string(out.join("index.html")).unwrap() == "two";
        let mut steps = 0;
        while !is_swapped(&out) {
            steps += 1;
            assert!(ended_after(steps, || put(&out, site("two"))).is_none());
        }
        let list = folder.path().join(".site.gwconform-new-0.json");
        assert!(list.is_file() && !out.join(UNFINISHED).exists());
        fs::remove_file(out.join("CNAME")).unwrap();
        fs::write(out.join("CNAME"), "other.example").unwrap();
        put(&out, site("two")).unwrap();
        let found = all(folder.path());
        assert_eq!(found["site/CNAME"], "other.example");
        assert!(found.keys().all(|path| path.starts_with("site/")));
        assert!(!list.exists());
    }
}
