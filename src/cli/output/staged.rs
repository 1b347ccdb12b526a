use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Error};

use super::manifest::{self, Manifest};
use super::step::step;
use crate::site::{File, locked};

pub type Put<'p> = dyn Fn(Vec<File>) + Sync + 'p;

#[derive(Default)]
struct Written {
    files: BTreeSet<String>,
    /// Folders that already exist, as strings because these compare faster than paths.
    folders: BTreeSet<String>,
    error: Option<Error>,
}

/// Writes the manifest last. On error, the files remain and the folder is marked as unfinished.
pub(super) fn write(new: &Path, make: impl FnOnce(&Put<'_>)) -> Result<Manifest, Error> {
    step();
    fs::create_dir(new).with_context(|| context(new))?;
    step();
    manifest::begin(new).with_context(|| context(new))?;
    let written = Mutex::new(Written::default());
    make(&|files| {
        for file in files {
            if let Err(error) = write_file(new, file, &written) {
                locked(&written).error.get_or_insert(error);
            }
        }
    });
    let written = written.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = written.error {
        return Err(error);
    }
    let manifest = Manifest::new(written.files);
    let path = new.join(manifest::NAME);
    step();
    fs::write(&path, manifest.to_json()).with_context(|| context(&path))?;
    Ok(manifest)
}

fn write_file(new: &Path, file: File, written: &Mutex<Written>) -> Result<(), Error> {
    let path = new.join(&file.path);
    {
        let mut written = locked(written);
        if written.error.is_some() {
            return Ok(());
        }
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        if !written.folders.contains(folder) {
            let path = new.join(folder);
            fs::create_dir_all(&path).with_context(|| context(&path))?;
            written.folders.insert(folder.to_owned());
        }
        written.files.insert(file.path);
    }
    step();
    let mut options = fs::OpenOptions::new();
    let opened = match file.continues {
        true => options.append(true).open(&path),
        false => options.write(true).create(true).truncate(true).open(&path),
    };
    let written = opened.and_then(|mut opened| opened.write_all(&file.bytes));
    written.with_context(|| context(&path))
}

fn context(path: &Path) -> String {
    format!("{} cannot be written", path.display())
}
