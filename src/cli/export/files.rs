//! The files of an export: which of them may be replaced, how they differ, and writing them.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use super::make_folder_of;
use crate::change::write_file_diff;
use crate::cli::output::file;
use crate::cli::{Exit, Failure, Streams};
use crate::export::{MARKER, MAX_OUTPUT};
use crate::files::{OpenError, ReadError, read_regular};
use crate::text::{counted, visible};
use crate::tree::leftover::PREFIX;
use crate::workspace::Base;

/// A file to write.
pub struct OutFile {
    path: PathBuf,
    shown: String,
    text: String,
}

impl OutFile {
    pub fn new(path: &Path, text: String, base: &Base) -> Self {
        let path = base.absolute(path);
        Self {
            shown: base.display(&path),
            path,
            text,
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes that are there now; `None` where nothing is.
    fn current(&self) -> Result<Option<Vec<u8>>, Failure> {
        match read_regular(&self.path, MAX_OUTPUT as u64) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(ReadError::System(error) | ReadError::Open(OpenError::System(error)))
                if error.kind() == io::ErrorKind::NotFound =>
            {
                Ok(None)
            }
            Err(error) => Err(Failure::Usage(anyhow!("--out: {}: {error}", self.shown))),
        }
    }
}

/// Prints how the files differ from what would be written.
pub fn check(files: &[OutFile], streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let is_terminal = streams.is_terminal;
    let printed = |line: &str| match is_terminal {
        true => visible(line),
        false => line.to_owned(),
    };
    let mut differing = 0;
    for one in files {
        let current = one.current()?;
        if current.as_deref() == Some(one.text.as_bytes()) {
            continue;
        }
        differing += 1;
        let before = current.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        write_file_diff(
            &one.shown,
            before.as_deref(),
            &one.text,
            &printed,
            &mut streams.stdout,
        )?;
    }
    let all = counted(files.len(), "file");
    if differing == 0 {
        writeln!(streams.stderr, "{all} up to date")?;
        return Ok(Exit::Done);
    }
    writeln!(
        streams.stderr,
        "{differing} of {all} differ; run the command without --check"
    )?;
    Ok(Exit::Findings)
}

/// Writes the files that differ, all or none of them. Without `force` only those that an export wrote are
/// replaced.
pub fn write(files: &[OutFile], force: bool, streams: &mut Streams<'_>) -> Result<Exit, Failure> {
    let mut changed = Vec::new();
    for one in files {
        let current = one.current()?;
        if current.as_deref() == Some(one.text.as_bytes()) {
            continue;
        }
        if let Some(bytes) = &current
            && !force
            && !is_ours(bytes)
        {
            return Err(Failure::Usage(anyhow!(
                "refusing to overwrite {}: `{MARKER}` is not in it; move it away, or pass --force",
                one.shown
            )));
        }
        changed.push((one, current));
    }
    for (one, _) in &changed {
        make_folder_of(&one.path)?;
    }
    let replacements: Vec<_> = changed
        .iter()
        .map(|(one, current)| file::Replacement {
            path: &one.path,
            before: current.as_deref(),
            after: one.text.as_bytes(),
        })
        .collect();
    file::replace_all(&replacements, PREFIX)
        .context("no file was changed")
        .map_err(Failure::CouldNotRun)?;
    for (one, _) in &changed {
        if !is_ours(one.text.as_bytes()) && !force {
            writeln!(
                streams.stderr,
                "note: {}: a later run needs --force to overwrite it; put `{MARKER}` into the \
                 template",
                visible(&one.shown)
            )?;
        }
    }
    writeln!(
        streams.stderr,
        "{} written, {} up to date",
        counted(changed.len(), "file"),
        files.len() - changed.len()
    )?;
    Ok(Exit::Done)
}

/// True for an output of an export, and for an empty file.
fn is_ours(bytes: &[u8]) -> bool {
    bytes.is_empty() || memchr::memmem::find(bytes, MARKER.as_bytes()).is_some()
}
