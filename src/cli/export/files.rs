use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use super::make_folder_of;
use super::plan::{Part, Target};
use crate::cli::output::file;
use crate::cli::{Exit, Failure, Streams};
use crate::site::export::{MARKER, MAX_OUTPUT};
use crate::text::change::write_file_diff;
use crate::text::source::display_path;
use crate::text::{counted, visible};
use crate::tree::files::{FileKind, Folder, PathError, read_regular};
use crate::workspace::Base;

#[derive(Clone, Copy, PartialEq)]
pub enum Overwrite {
    Ours,
    Anything,
}

pub struct OutFile {
    path: PathBuf,
    shown: String,
    text: String,
}

impl OutFile {
    pub fn new(path: &Path, text: String, base: &Base) -> Self {
        let path = base.destination(path);
        Self {
            shown: base.display(&path),
            path,
            text,
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn current(&self) -> Result<Option<Vec<u8>>, Failure> {
        match read_regular(&self.path, MAX_OUTPUT as u64) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => {
                let error = PathError::new(&self.shown, error, "a file");
                Err(anyhow::Error::from(error).context("--out").into())
            }
        }
    }
}

/// Display paths of stale files next to the outputs, sorted. An earlier export wrote them for a
/// minor or an implementation that the tree no longer contains.
pub fn left_over(target: &Target, files: &[OutFile], base: &Base) -> Result<Vec<String>, Failure> {
    let Target::Files(parts) = target else {
        return Ok(Vec::new());
    };
    let written: BTreeSet<&Path> = files.iter().map(OutFile::path).collect();
    let mut found = Vec::new();
    for part in parts {
        let Part::Each(pattern) = part else { continue };
        let Some(path) = pattern.folder().map(|folder| base.destination(folder)) else {
            continue;
        };
        let Ok(folder) = Folder::open(&path) else {
            continue;
        };
        for entry in folder.walk(pattern.depth(), |_| true) {
            let entry = entry.map_err(|(path, error)| {
                anyhow!(error).context(format!("{} cannot be listed", base.display(&path)))
            })?;
            let name = display_path(entry.path(), &path);
            let is_candidate = entry.kind() == FileKind::File
                && entry.depth() == pattern.depth()
                && pattern.can_be(&name)
                && !written.contains(entry.path());
            if is_candidate
                && let Ok(bytes) = folder.read(Path::new(&name), MAX_OUTPUT as u64)
                && is_ours(&bytes)
            {
                found.push(base.display(entry.path()));
            }
        }
    }
    Ok(found)
}

pub fn check(
    files: &[OutFile],
    left_over: &[String],
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
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
    tell_left_over(left_over, streams)?;
    match differing {
        0 => writeln!(streams.stderr, "{all} up to date")?,
        _ => writeln!(
            streams.stderr,
            "{differing} of {all} differ; run the command without --check"
        )?,
    }
    Ok(match differing == 0 && left_over.is_empty() {
        true => Exit::Done,
        false => Exit::Findings,
    })
}

fn tell_left_over(left_over: &[String], streams: &mut Streams<'_>) -> Result<(), Failure> {
    for shown in left_over {
        writeln!(
            streams.stderr,
            "stale: {}: the tree has no reports for it anymore; delete the file",
            visible(shown)
        )?;
    }
    Ok(())
}

pub fn write(
    files: &[OutFile],
    left_over: &[String],
    overwrite: Overwrite,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let mut changed = Vec::new();
    for one in files {
        let current = one.current()?;
        if current.as_deref() == Some(one.text.as_bytes()) {
            continue;
        }
        if let Some(bytes) = &current
            && overwrite == Overwrite::Ours
            && !is_ours(bytes)
        {
            return Err(Failure::Usage(anyhow!(
                "refusing to overwrite {}: it does not contain `{MARKER}`; move it away, or pass --force",
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
    file::replace_all(&replacements).context("no file was changed")?;
    for (one, _) in &changed {
        if !is_ours(one.text.as_bytes()) && overwrite == Overwrite::Ours {
            writeln!(
                streams.stderr,
                "note: {}: a later run needs --force to overwrite it; put `{MARKER}` into the \
                 template",
                visible(&one.shown)
            )?;
        }
    }
    tell_left_over(left_over, streams)?;
    writeln!(
        streams.stderr,
        "{} written, {} up to date",
        counted(changed.len(), "file"),
        files.len() - changed.len()
    )?;
    Ok(Exit::Done)
}

fn is_ours(bytes: &[u8]) -> bool {
    bytes.is_empty() || memchr::memmem::find(bytes, MARKER.as_bytes()).is_some()
}
