//! `gwconform check --write-baseline`: writes the file.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, anyhow};

use super::Failure;
use super::output::file;
use crate::rules::baseline;
use crate::rules::check::CheckReport;
use crate::text::source::{MAX_FILE_BYTES, Source};
use crate::tree::files::{FileKind, Folder, read_regular};
use crate::tree::leftover::{BASELINE_PREFIX, is_temporary};
use crate::tree::name_of;
use crate::workspace::{Base, places};

/// Writes the baseline that accepts all findings, in one step: a reader sees the earlier one
/// or the new one.
pub fn write(path: &Path, outcome: &CheckReport, base: &Base) -> Result<(), Failure> {
    let path = base.absolute(path);
    let shown = base.display(&path);
    refuse_others(&path, &shown, base)?;
    // Findings about the baseline itself disappear once this one is written.
    let about_itself = crate::rules::config::UNUSED_BASELINE_ENTRY.id;
    let findings = outcome
        .findings
        .iter()
        .filter(|finding| finding.rule != about_itself);
    let text = baseline::of(findings, &outcome.cut, &places(&path, base)).to_json();
    let written = text
        .map_err(anyhow::Error::from)
        .and_then(|text| Ok(replace(&path, text.as_bytes())?));
    written
        .with_context(|| format!("{shown} cannot be written"))
        .map_err(Failure::CouldNotRun)
}

/// Only a baseline is replaced: a path that was meant to be checked must not become one.
fn refuse_others(path: &Path, shown: &str, base: &Base) -> Result<(), Failure> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    let is_baseline = read_regular(path, MAX_FILE_BYTES).is_ok_and(|bytes| {
        let source = Source::new(shown.to_owned(), bytes);
        baseline::is_older(source.text()) || baseline::parse(source, places(path, base)).is_ok()
    });
    if is_baseline {
        return Ok(());
    }
    Err(Failure::Usage(anyhow!(
        "--write-baseline: refusing to overwrite {shown}: not a gwconform baseline"
    )))
}

/// Deletes what killed runs left in the folder.
fn clear_away(folder: &Path) -> std::io::Result<()> {
    for entry in Folder::open(folder)?.entries()? {
        let name = name_of(entry.path());
        if entry.kind() == FileKind::File
            && name.starts_with(BASELINE_PREFIX)
            && is_temporary(&name)
        {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// A file beside it takes its place. Creates the folder if it is missing.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)?;
    // Two runs wait for each other. Where a folder cannot be locked, they do without.
    let lock = File::open(folder).ok();
    let _ = lock.as_ref().map(File::lock);
    clear_away(folder)?;
    file::replace(path, BASELINE_PREFIX, bytes)
}
