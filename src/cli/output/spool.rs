use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::site::{self, locked};

pub type Put<'p> = dyn Fn(Vec<site::File>) + Sync + 'p;

/// Content of all generated files, in one temporary file without a name. It keeps the memory of a
/// large site small, and is gone when the run ends in any way.
pub(super) struct Spool {
    content: File,
    length: u64,
    /// Sorted by path, once all files are made. Large sites have many files.
    parts: Vec<Part>,
}

struct Part {
    path: Box<str>,
    continues: bool,
    start: u64,
    length: usize,
}

impl Spool {
    pub(super) fn fill(folder: &Path, make: impl FnOnce(&Put<'_>)) -> io::Result<Self> {
        let spool = Mutex::new(Ok(Self {
            content: tempfile::tempfile_in(folder)?,
            length: 0,
            parts: Vec::new(),
        }));
        make(&|files| {
            let mut spool = locked(&spool);
            for file in files {
                let added = spool.as_mut().map_or(Ok(()), |spool| spool.add(file));
                if let Err(error) = added {
                    *spool = Err(error);
                }
            }
        });
        let mut spool = spool.into_inner().unwrap_or_else(PoisonError::into_inner)?;
        spool.parts.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(spool)
    }

    fn add(&mut self, file: site::File) -> io::Result<()> {
        self.content.write_all(&file.bytes)?;
        self.parts.push(Part {
            path: file.path.into(),
            continues: file.continues,
            start: self.length,
            length: file.bytes.len(),
        });
        self.length += file.bytes.len() as u64;
        Ok(())
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        let files = self.parts.chunk_by(|a, b| a.path == b.path);
        files.map(|parts| &*parts[0].path)
    }

    pub(super) fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let first = self.parts.partition_point(|part| &*part.path < path);
        let rest = &self.parts[first..];
        let parts = &rest[..rest.partition_point(|part| &*part.path == path)];
        // A later file replaces an earlier one.
        let start = parts.iter().rposition(|part| !part.continues);
        let parts = &parts[start.unwrap_or_default()..];
        let mut bytes = Vec::with_capacity(parts.iter().map(|part| part.length).sum());
        for part in parts {
            (&self.content).seek(SeekFrom::Start(part.start))?;
            (&self.content)
                .take(part.length as u64)
                .read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }
}
