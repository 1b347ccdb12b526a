use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::{Failure, Streams};
use crate::workspace::Base;
use gwconform_base::files::{
    FileKind, Folder, MAX_FOLDERS, PathError, ReadError, is_hidden, open_regular, read_up_to,
};
use gwconform_base::text::source::{MAX_DUMP_BYTES, Source};

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// True for file descriptors, such as `/dev/stdin` or `<(helm template .)`. Following these
/// symbolic links is safe because the system created them.
fn is_open_already(path: &Path) -> bool {
    path == Path::new("/dev/stdin") || path.parent() == Some(Path::new("/dev/fd"))
}

pub fn on_disk(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if named.iter().filter(|path| is_stdin(path)).count() > 1 {
        return Err(Failure::Usage(anyhow!(
            "standard input (-) can be read only once"
        )));
    }
    let files = named.iter().filter(|path| !is_stdin(path));
    Ok(files.cloned().collect())
}

const EXPECTED: &str = "a file with resources, or a folder of them";

const EXTENSIONS: &[&str] = &["yaml", "yml", "json"];

/// Reads each file once, and at most [`MAX_DUMP_BYTES`] in total. An unreadable file is an error,
/// because a partial check would be misleading.
pub fn read(
    named: &[PathBuf],
    base: &Base,
    streams: &mut Streams<'_>,
) -> Result<Vec<Source>, Failure> {
    let mut reading = Reading {
        room: MAX_DUMP_BYTES,
        sources: Vec::new(),
    };
    let mut seen = BTreeSet::new();
    for path in named {
        if is_stdin(path) {
            reading.add("<stdin>".to_owned(), Ok(&mut streams.stdin))?;
            continue;
        }
        if is_open_already(path) {
            let opened = open_named(path).map_err(ReadError::from);
            reading.add(path.display().to_string(), opened)?;
            continue;
        }
        let absolute = base.absolute(path);
        let shown = base.display(&absolute);
        let found = absolute.symlink_metadata();
        found.map_err(|error| PathError::new(&shown, error, EXPECTED))?;
        let files = files_of(&absolute).map_err(|reason| not_read(&shown, reason))?;
        for file in files {
            let real = file.canonicalize().unwrap_or_else(|_| file.clone());
            if seen.insert(real) {
                reading.add(base.display(&file), open_regular(&file))?;
            }
        }
    }
    Ok(reading.sources)
}

struct Reading {
    room: u64,
    sources: Vec<Source>,
}

impl Reading {
    fn add(&mut self, shown: String, opened: Result<impl Read, ReadError>) -> Result<(), Failure> {
        let read = opened.and_then(|file| read_up_to(file, self.room));
        let bytes = read.map_err(|error| match error {
            ReadError::TooLarge { .. } => Failure::Usage(anyhow!(
                "{shown}: not read: the files are larger than {} MiB in total",
                MAX_DUMP_BYTES / (1024 * 1024)
            )),
            error => PathError::new(&shown, error, EXPECTED).into(),
        })?;
        self.room -= bytes.len() as u64;
        self.sources.push(Source::new(shown, bytes));
        Ok(())
    }
}

fn not_read(shown: &str, reason: String) -> Failure {
    Failure::CouldNotRun(anyhow!("{shown}: not read: {reason}"))
}

/// Hidden folders, package folders and symbolic links are skipped.
fn files_of(path: &Path) -> Result<Vec<PathBuf>, String> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let folder = Folder::open(path).map_err(|error| error.to_string())?;
    let mut files = Vec::new();
    for entry in folder.walk(MAX_FOLDERS, |entry| !is_hidden(entry)) {
        let entry = entry.map_err(|(path, error)| format!("{}: {error}", path.display()))?;
        let extension = entry.path().extension().and_then(|name| name.to_str());
        let is_named = extension.is_some_and(|name| EXTENSIONS.contains(&name));
        if entry.kind() == FileKind::File && is_named && !is_hidden(&entry) {
            files.push(entry.path().to_owned());
        }
    }
    Ok(files)
}

#[allow(
    clippy::disallowed_methods,
    reason = "the shell opened this path, such as `/dev/fd/63`"
)]
fn open_named(path: &Path) -> std::io::Result<File> {
    File::open(path)
}
