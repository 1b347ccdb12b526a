//! Writes a folder of files: beside its place, then swapped in whole, so that nobody ever sees half
//! of it.
//!
//! What is ours stands in a manifest, `.gwconform-manifest.json`; nothing else is ever deleted or
//! overwritten. A folder that has no manifest and is not empty is not written to. Files in ours that
//! are not in its manifest (a `CNAME`, `.git`) are carried over into the new folder right after the
//! swap. Where one of them has the name of a file that is to be written, nothing is written at all.
//!
//! The new folder is `.<name>.gwconform-new-<number>` in the same parent, with its manifest written
//! first. A run that was interrupted leaves such a folder, or the former one as
//! `.<name>.gwconform-old-<number>`: the next run puts a former folder back into its place when that
//! is empty, carries over what is not ours, and deletes the rest.

pub mod apply;
mod manifest;
mod swap;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, bail};

use crate::site;
use manifest::Manifest;

/// Puts `files` into the folder `out` in place of those that an earlier run put there.
///
/// # Errors
/// When the folder is not ours, or the system says no; `out` is then as it was.
pub fn replace(out: &Path, files: &[site::File]) -> Result<(), Error> {
    let place = Place::of(out)?;
    fs::create_dir_all(&place.parent)
        .with_context(|| format!("{} cannot be made", place.parent.display()))?;
    // Two runs wait for each other. Where a folder cannot be locked, they do without.
    let lock = File::open(&place.parent).ok();
    let _ = lock.as_ref().map(File::lock);
    place.recover().with_context(|| {
        format!(
            "what an interrupted run left beside {} cannot be cleared away",
            out.display()
        )
    })?;
    let former = Former::of(out)?;
    let manifest = Manifest::of(files);
    former.check(out, &manifest)?;
    let new = place.free("new")?;
    let written = write_all(&new, files, &manifest, former.permissions());
    if let Err(error) = written {
        // All that is in it was put there by this run.
        let _ = fs::remove_dir_all(&new);
        return Err(error);
    }
    let swapped = match &former {
        Former::Nothing => fs::rename(&new, out).map(|()| None),
        Former::Empty(_) | Former::Ours(..) => place.swap(&new).map(Some),
    };
    let old = swapped.with_context(|| format!("{} cannot be put in place", out.display()))?;
    match old {
        Some(old) => clear(&old, out)
            .with_context(|| format!("{} is written; {} remains", out.display(), old.display())),
        None => Ok(()),
    }
}

/// The place of a folder.
struct Place {
    out: PathBuf,
    parent: PathBuf,
    name: String,
}

/// What is in the place of the folder.
enum Former {
    Nothing,
    Empty(fs::Permissions),
    Ours(Manifest, fs::Permissions),
}

impl Place {
    fn of(out: &Path) -> Result<Self, Error> {
        let (Some(parent), Some(name)) = (out.parent(), out.file_name()) else {
            bail!("{}: no folder can be put in this place", out.display());
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

    /// A path beside that nothing has.
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

    /// Puts a new folder in the place of the former one, and tells where that is now.
    fn swap(&self, new: &Path) -> io::Result<PathBuf> {
        if swap::exchange(new, &self.out)? {
            return Ok(new.to_owned());
        }
        let old = self.free("old")?;
        swap::one_after_the_other(new, &self.out, &old)?;
        Ok(old)
    }

    /// Clears away what interrupted runs have left.
    fn recover(&self) -> Result<(), Error> {
        for old in self.left("old")? {
            if fs::symlink_metadata(&self.out).is_err() {
                // Interrupted between two renames.
                fs::rename(&old, &self.out)?;
            } else {
                clear(&old, &self.out)?;
            }
        }
        for new in self.left("new")? {
            clear(&new, &self.out)?;
        }
        Ok(())
    }

    /// Folders of interrupted runs: named as ours are, and with a manifest or with nothing in them.
    fn left(&self, kind: &str) -> io::Result<Vec<PathBuf>> {
        let prefix = self.prefix(kind);
        let mut left = Vec::new();
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
            if is_marked || fs::read_dir(&path)?.next().is_none() {
                left.push(path);
            }
        }
        left.sort();
        Ok(left)
    }
}

impl Former {
    fn of(out: &Path) -> Result<Self, Error> {
        let shown = out.display();
        let metadata = match fs::symlink_metadata(out) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::Nothing),
            Err(error) => return Err(error).with_context(|| shown.to_string()),
        };
        if metadata.is_symlink() {
            bail!("{shown} is a link: give the folder that it leads to");
        }
        if !metadata.is_dir() {
            bail!("{shown} is not a folder: give another one, or move it away");
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
            bail!(
                "{shown} is not empty and was not written by gwconform (it has no {}): give a new folder, or empty this one",
                manifest::NAME
            );
        }
        Ok(Self::Empty(permissions))
    }

    fn permissions(&self) -> Option<&fs::Permissions> {
        match self {
            Self::Nothing => None,
            Self::Empty(permissions) | Self::Ours(_, permissions) => Some(permissions),
        }
    }

    /// # Errors
    /// When something that is not ours is where a file is to be.
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
                let mut deeper = Vec::new();
                all_files(&out.join(&path), &below, &mut deeper)?;
                deeper
                    .into_iter()
                    .find(|path| new.has(path) || new.has_folder(path))
            } else {
                None
            };
            if let Some(path) = deeper.or_else(|| is_in_the_way.then_some(path)) {
                bail!(
                    "{} was not written by gwconform and has the name of a file that would be: move it away",
                    out.join(path).display()
                );
            }
        }
        Ok(())
    }
}

/// What is not ours in a folder, as deep as folders are ours; with whether it is a folder itself.
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

/// Everything below a folder that is not ours, but folders.
fn all_files(folder: &Path, below: &str, found: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            all_files(&entry.path(), &format!("{path}/"), found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

fn write_all(
    new: &Path,
    files: &[site::File],
    manifest: &Manifest,
    permissions: Option<&fs::Permissions>,
) -> Result<(), Error> {
    let context = |path: &Path| format!("{} cannot be written", path.display());
    fs::create_dir(new).with_context(|| context(new))?;
    let path = new.join(manifest::NAME);
    fs::write(&path, manifest.to_json()).with_context(|| context(&path))?;
    let mut made = BTreeSet::new();
    for file in files {
        let path = new.join(&file.path);
        if let Some(folder) = path.parent()
            && made.insert(folder.to_owned())
        {
            fs::create_dir_all(folder).with_context(|| context(folder))?;
        }
        fs::write(&path, &file.bytes).with_context(|| context(&path))?;
    }
    if let Some(permissions) = permissions {
        fs::set_permissions(new, permissions.clone()).with_context(|| context(new))?;
    }
    Ok(())
}

/// Deletes a former folder: what is in its manifest. All else goes into `out` first.
fn clear(old: &Path, out: &Path) -> Result<(), Error> {
    // Interrupted while the manifest was written there is nothing but that.
    let manifest = match fs::read_dir(old)?.count() {
        0 | 1 => Manifest::read(old).ok().flatten(),
        _ => Manifest::read(old)?,
    };
    let manifest = manifest.unwrap_or_default();
    clear_folder(old, "", &manifest, out)?;
    Ok(())
}

/// The manifest of a folder goes last, so that an interrupted run can be taken up again.
fn clear_folder(folder: &Path, below: &str, manifest: &Manifest, out: &Path) -> io::Result<()> {
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
            fs::remove_file(entry.path())?;
        } else if kind.is_dir() && has(Manifest::has_folder) {
            let below = name_in_manifest.unwrap_or_default();
            clear_folder(&entry.path(), &format!("{below}/"), manifest, out)?;
        } else {
            carry(&entry.path(), &out.join(below).join(&name))?;
        }
    }
    if let Some(manifest) = last {
        fs::remove_file(manifest)?;
    }
    fs::remove_dir(folder)
}

/// Moves what is not ours to its new place; what is there already stays.
fn carry(from: &Path, to: &Path) -> io::Result<()> {
    let there = fs::symlink_metadata(to);
    match there {
        Err(_) => {
            if let Some(folder) = to.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::rename(from, to)
        }
        Ok(there) if there.is_dir() && fs::symlink_metadata(from)?.is_dir() => {
            for entry in fs::read_dir(from)? {
                let entry = entry?;
                carry(&entry.path(), &to.join(entry.file_name()))?;
            }
            fs::remove_dir(from)
        }
        Ok(_) => Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("{} is in the way of {}", to.display(), from.display()),
        )),
    }
}
