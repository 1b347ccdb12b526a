use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};

use crate::cli::output::temporary_file;
use crate::cli::{Exit, Failure, Streams};
use crate::site::export::MARKER;
use crate::workspace::Base;
use gwconform_base::api::Minor;
use gwconform_base::files::{FileKind, Folder, PathError, read_regular};
use gwconform_base::text::change::write_file_diff;
use gwconform_base::text::counted;
use gwconform_base::text::source::{MAX_DUMP_BYTES, display_path};

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
        match read_regular(&self.path, MAX_DUMP_BYTES) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.is_missing() => Ok(None),
            Err(error) => {
                let error = PathError::new(&self.shown, error, "a file");
                Err(anyhow::Error::from(error).context("--out").into())
            }
        }
    }
}

/// Display paths of pages that an earlier export wrote into `out`, for minors that the tree no longer
/// contains.
pub fn stale(out: &Path, files: &[OutFile], base: &Base) -> Result<Vec<String>, Failure> {
    let Ok(folder) = Folder::open(out) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for entry in folder.walk(1, |_| true) {
        let entry = entry.map_err(|(path, error)| {
            anyhow!(error).context(format!("{} cannot be listed", base.display(&path)))
        })?;
        let name = display_path(entry.path(), out);
        let is_page = name.strip_suffix(".md").and_then(Minor::parse).is_some();
        let is_written = files.iter().any(|file| file.path == entry.path());
        if entry.kind() == FileKind::File
            && is_page
            && !is_written
            && let Ok(bytes) = folder.read(Path::new(&name), MAX_DUMP_BYTES)
            && is_ours(&bytes)
        {
            found.push(base.display(entry.path()));
        }
    }
    Ok(found)
}

pub fn check(
    files: &[OutFile],
    stale: &[String],
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let mut differing = 0;
    for one in files {
        let current = one.current()?;
        if current.as_deref() == Some(one.text.as_bytes()) {
            continue;
        }
        differing += 1;
        let before = current.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        write_file_diff(&one.shown, before.as_deref(), &one.text, streams.patch())?;
    }
    let all = counted(files.len(), "file");
    tell_stale(stale, streams)?;
    match differing {
        0 => streams.note(format_args!("{all} up to date"))?,
        _ => streams.error(format_args!(
            "{differing} of {all} differ; run the command without --check"
        ))?,
    }
    Ok(if differing == 0 && stale.is_empty() {
        Exit::Done
    } else {
        Exit::Findings
    })
}

fn tell_stale(stale: &[String], streams: &mut Streams<'_>) -> Result<(), Failure> {
    for shown in stale {
        streams.error(format_args!(
            "stale: {shown}: the tree has no reports for it anymore; delete the file"
        ))?;
    }
    Ok(())
}

pub fn write(
    files: &[OutFile],
    stale: &[String],
    overwrite: Overwrite,
    streams: &mut Streams<'_>,
) -> Result<Exit, Failure> {
    let folders: BTreeSet<_> = files
        .iter()
        .map(|one| temporary_file::folder_of(&one.path))
        .collect();
    for folder in folders {
        temporary_file::clean(folder);
    }
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
        changed.push(one);
    }
    for one in &changed {
        temporary_file::replace(&one.path, one.text.as_bytes())
            .with_context(|| format!("{} cannot be written", one.path.display()))?;
    }
    tell_stale(stale, streams)?;
    streams.note(format_args!(
        "{} written, {} up to date",
        counted(changed.len(), "file"),
        files.len() - changed.len()
    ))?;
    Ok(Exit::Done)
}

fn is_ours(bytes: &[u8]) -> bool {
    bytes.is_empty() || memchr::memmem::find(bytes, MARKER.as_bytes()).is_some()
}
